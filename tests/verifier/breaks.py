"""Records in which one thing is wrong, and everything else signed again so that nothing shows it.

A break changes a game's files (`Forger`) and says which claim `verify` calls false, or asks
somebody to look at, and in what words. No other claim is false beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from replacing import replace
from verifier.forger import Forger
from verifier.lies.base import Said

from adjudicator.core import deadlines
from orders import names, sshsig
from orders.documents import read_consent, read_invite, read_join
from orders.entries import Entry, Ruling, SeatChange, UsedSlip
from orders.fields import digest
from orders.keys import MemoryKey
from orders.secrets import derive

Change = Callable[[Forger], Mapping[str, Any] | None]


@dataclass(frozen=True)
class Break:
    """One change of one game (`game`: a key of `PLAYED`), and what `verify` says.

    `rule`: which of docs/formats/verifying.md decides. `change` returns what else `verify` is
    asked.
    """

    name: str
    rule: str
    game: str
    said: Said
    change: Change


BREAKS: list[Break] = []


def break_of(rule: str, game: str, code: int, claim: str, text: str) -> Callable[[Change], Change]:
    """Put a change into the list, under its function's name."""

    def add(change: Change) -> Change:
        BREAKS.append(Break(change.__name__, rule, game, Said(code, claim, text), change))
        return change

    return add


def another_key() -> MemoryKey:
    """A key of nobody's in these games."""
    return MemoryKey.from_seed(derive(b"\x77" * 32, "nobody"))


# Files.


@break_of(
    "4",
    "example",
    1,
    "entries",
    "orders/0002-alice.txt does not have the digest that is signed for it",
)
def an_opened_order_file_is_another(game: Forger) -> None:
    path = names.opened_order(2, "alice")
    game.held[path] = game.held[path].replace(b"fire S", b"fire N")


@break_of(
    "4", "example", 1, "entries", "reports/0002-bob.sealed does not have the digest that is signed"
)
def a_report_is_another(game: Forger) -> None:
    game.held[names.report(2, "bob")] = bytes(len(game.held[names.report(2, "bob")]))


@break_of("4", "example", 1, "entries", "reports/0002-carol.sealed belongs nowhere")
def a_file_belongs_nowhere(game: Forger) -> None:
    game.held["reports/0002-carol.sealed"] = b"?"


@break_of("3.8", "example", 1, "entries", "slips/0002-alice.toml is not there")
def a_slip_is_missing(game: Forger) -> None:
    del game.held[names.slip(2, "alice")]


@break_of(
    "3.8",
    "example",
    1,
    "entries",
    "slips/0002-alice.toml does not have the digest that entry 2 names",
)
def a_slip_is_another(game: Forger) -> None:
    path = names.slip(2, "alice")
    slip = replace(game.slip(2, "alice"), time="2026-01-01T01:00:00Z")
    game.sign(path, slip.render())


@break_of("2.6", "example", 1, "entries", "joins/bob.toml: is not the join that genesis names")
def a_join_is_another(game: Forger) -> None:
    path = names.join("bob")
    join = replace(read_join(game.held[path]), mail="open")
    game.sign(path, join.render())


@break_of("4", "example", 1, "entries", ".gitattributes: is not the file that the tool writes")
def attributes_are_others(game: Forger) -> None:
    game.held[names.ATTRIBUTES] = b"* text\n"


@break_of("4", "example", 1, "entries", "one digest twice")
def a_digest_stands_twice(game: Forger) -> None:
    state = game.entry(1).state  # type: ignore[union-attr]
    game.change_entry(2, state=state)
    game.cut(2)


@break_of("4", "example", 1, "entries", "the record is of game")
def another_game_is_asked_for(game: Forger) -> Mapping[str, Any]:
    return {"game": "ab" * 32}


@break_of("1.1", "example", 2, "", "reports/0002-bob.sealed is no regular file")
def a_report_is_a_link(game: Forger) -> Mapping[str, Any]:
    return {"unreadable": names.report(2, "bob")}


@break_of("4", "example", 0, "entries", ".DS_Store is not part of the record")
def strangers_lie_beside(game: Forger) -> None:
    game.held[".DS_Store"] = b"\0\0\0\1Bud1"


@break_of(
    "4", "example", 4, "entries", "reports/0003-bob.sealed is named by no entry: an unfinished act"
)
def an_act_was_cut_off(game: Forger) -> None:
    report = game.held[names.report(3, "bob")]
    game.cut(2)
    game.held[names.report(3, "bob")] = report


# The chain.


@break_of("3.3", "example", 1, "entries", "chain broken at 3: it quotes")
def an_entry_quotes_another(game: Forger) -> None:
    game.change_entry(3, prev="ab" * 32)


@break_of("3.3", "example", 1, "entries", "the entry says step 7")
def an_entry_says_another_step(game: Forger) -> None:
    game.change_entry(3, step=7)
    game.held = {path: data for path, data in game.held.items() if "0007" not in path}


@break_of("3.3", "example", 1, "entries", "the entry is of game")
def an_entry_is_of_another_game(game: Forger) -> None:
    game.change_entry(3, game="ab" * 32)


@break_of("3.1", "example", 1, "entries", "chain broken at 3: entries/0003.toml is not there")
def an_entry_is_missing(game: Forger) -> None:
    del game.held[names.entry(3)]


@break_of("3.3", "example", 1, "entries", "chain broken at 5: the entry says step 0")
def a_genesis_comes_twice(game: Forger) -> None:
    genesis = game.held[names.entry(0)]
    game.sign(names.entry(5), genesis)


@break_of("4", "example", 1, "entries", "the last entry is")
def another_head_is_asked_for(game: Forger) -> Mapping[str, Any]:
    return {"head": "ab" * 32}


@break_of("3.4", "example", 1, "entries", "entries/0006.toml: follows the reveal")
def an_entry_follows_the_reveal(game: Forger) -> None:
    game.sign(names.entry(6), game.held[names.entry(2)])


@break_of("3.4", "example", 1, "entries", "reveals a game that is not over")
def a_reveal_comes_early(game: Forger) -> None:
    game.cut(2)
    game.reveal({"winner": "alice"})


@break_of("3.4", "example", 1, "entries", "the master is not the one that the invite commits to")
def a_reveal_has_another_master(game: Forger) -> None:
    game.change_entry(5, master="ab" * 32)


@break_of("3.4", "example", 1, "entries", "the outcome is")
def a_reveal_has_another_outcome(game: Forger) -> None:
    game.change_entry(5, outcome={"draw": True})


@break_of("3.5", "example", 1, "entries", "follows the end of the game and is no reveal")
def an_entry_follows_the_end(game: Forger) -> None:
    last = game.entry(4)
    assert isinstance(last, Entry)
    game.cut(4)
    prev = digest(game.held[names.entry(4)])
    game.append(replace(last, step=5, prev=prev, slips={}))


@break_of("3.6", "example", 1, "entries", "awaited names carol, who does not play")
def somebody_is_awaited_who_does_not_play(game: Forger) -> None:
    awaited = game.entry(2).awaited
    game.change_entry(2, awaited={**awaited, "carol": awaited["bob"]})


@break_of("3.6", "example", 1, "entries", "missing names carol, who does not play")
def somebody_is_missing_who_does_not_play(game: Forger) -> None:
    game.change_entry(2, missing=("carol",))


@break_of("3.6", "example", 1, "entries", "slips names carol, who does not play")
def a_slip_is_of_nobody(game: Forger) -> None:
    slips = game.entry(2).slips
    game.change_entry(2, slips={**slips, "carol": slips["alice"]})


@break_of("3.6", "example", 1, "entries", "slips must be in seat order")
def names_stand_in_another_order(game: Forger) -> None:
    game.change_entry(1, slips=dict(reversed(game.entry(1).slips.items())))


@break_of("3.6", "example", 1, "entries", "reserve must be of every player, in seat order")
def reserve_lacks_a_player(game: Forger) -> None:
    game.change_entry(2, reserve={"alice": 0})


@break_of("5.6", "example", 1, "replay", "entries/0002.toml: events: ")
def an_event_is_unknown(game: Forger) -> None:
    game.change_entry(2, events=({"kind": "earthquake"},))


@break_of(
    "3.3", "example", 1, "entries", "entries/0002.toml: entry: events = [{'at': 'C3'}]: expected"
)
def an_event_has_no_kind(game: Forger) -> None:
    """It shows before the reveal."""
    game.cut(2)
    game.change_entry(2, events=({"at": "C3"},))


@break_of("3.6", "example", 1, "entries", "the view has 100009 bytes, a report has")
def a_view_is_as_long_as_an_entry_may_be(game: Forger) -> None:
    game.change_entry(2, view='{"turn":"' + "a" * 99_998 + '"}')


@break_of("3.9", "example", 1, "entries", "missing is ['bob'], but there is no slip of []")
def a_player_is_missing_whose_slip_is_there(game: Forger) -> None:
    game.change_entry(2, missing=("bob",))


@break_of("3.6", "example", 1, "entries", "the game ends, and yet bob is awaited")
def somebody_is_awaited_at_the_end(game: Forger) -> None:
    game.change_entry(4, awaited=game.entry(2).awaited)


@break_of("3.6", "example", 1, "entries", "nobody is awaited, and yet the game does not end")
def nobody_is_awaited(game: Forger) -> None:
    game.change_entry(2, awaited={})


@break_of("2.5", "example", 1, "entries", "entries/0000.toml: is of another invite")
def a_genesis_is_of_another_invite(game: Forger) -> None:
    game.change_entry(0, invite="ab" * 32)


@break_of("2.5", "example", 1, "entries", "entries/0000.toml: no genesis")
def a_genesis_is_none(game: Forger) -> None:
    game.sign(names.entry(0), game.held[names.entry(5)].replace(b"step = 5", b"step = 1"))


@break_of("2.6", "example", 1, "entries", "is the join of bob")
def a_join_is_of_somebody_else(game: Forger) -> None:
    game.held[names.join("alice")] = game.held[names.join("bob")]
    game.held[names.signature(names.join("alice"))] = game.held[names.signature("joins/bob.toml")]
    joins = {"alice": digest(game.held[names.join("alice")]), "bob": "ab" * 32}
    game.change_entry(0, joins=joins)


@break_of("2.6", "example", 1, "entries", "the join of bob is to another invite")
def a_join_is_to_another_invite(game: Forger) -> None:
    _rejoin(game, invite="ab" * 32)


@break_of("2.6", "example", 1, "entries", "bob has the host's key")
def a_player_bears_the_hosts_key(game: Forger) -> None:
    _rejoin(game, by=game.keys[0], key=game.keys[0].public.line)


@break_of("2.7", "example", 1, "entries", "one key or nonce is used twice")
def two_players_share_a_nonce(game: Forger) -> None:
    _rejoin(game, nonce=read_join(game.held[names.join("alice")]).nonce)


@break_of("2.6", "example", 1, "entries", "is a word of the notation of sugar-dog")
def a_player_is_called_like_a_key(game: Forger) -> None:
    _rejoin(game, player="turn")


def _rejoin(game: Forger, by: MemoryKey | None = None, **values: Any) -> None:
    """Change Bob's join, and the genesis with it; nothing later fits any more."""
    path = names.join("bob")
    join = replace(read_join(game.held[path]), **values)
    game.sign(path, join.render(), by)
    game.cut(0)
    game.change_entry(0, joins={**game.entry(0).joins, "bob": digest(game.held[path])})  # type: ignore[union-attr]


@break_of("2.8", "example", 1, "entries", "genesis: ")
def one_player_plays_alone(game: Forger) -> None:
    game.cut(0)
    genesis = game.entry(0)
    joins = {"alice": genesis.joins["alice"]}  # type: ignore[union-attr]
    for path in (names.join("bob"), names.signature(names.join("bob"))):
        del game.held[path]
    game.change_entry(0, joins=joins, awaited={"alice": genesis.awaited["alice"]})


@break_of("5.1", "sealing", 1, "entries", "invite.toml: sealing does not come from the master")
def the_sealing_key_is_not_the_masters(game: Forger) -> None:
    """The game was played so."""


@break_of("2.3", "example", 2, "", "unusable: no game 'tic-tac-toe' is installed")
def the_rules_are_unknown_here(game: Forger) -> None:
    _reinvite(game, rules="tic-tac-toe/1")


@break_of("2.3", "example", 2, "", "the invite names sugar-dog/99, installed is sugar-dog/1")
def the_rules_are_of_another_release(game: Forger) -> None:
    _reinvite(game, rules="sugar-dog/99")


@break_of("2.3", "example", 1, "entries", "invite: options are in another order")
def options_stand_in_another_order(game: Forger) -> None:
    options = read_invite(game.held[names.INVITE]).options
    _reinvite(game, options=dict(reversed(options.items())))


@break_of("2.3", "example", 1, "entries", "option 'colour' is unknown")
def an_option_is_unknown(game: Forger) -> None:
    _reinvite(game, options={"colour": "red"})


@break_of("2.4", "example", 1, "entries", "a house table do not go together")
def a_table_is_named_that_the_game_has_not(game: Forger) -> None:
    _reinvite(game, table="ab" * 32)


@break_of(
    "2.4", "tabled", 1, "entries", "table.toml does not have the digest that the invite names"
)
def a_table_is_another(game: Forger) -> None:
    game.held[names.TABLE] += b"\n"


def _reinvite(game: Forger, **values: Any) -> None:
    invite = replace(read_invite(game.held[names.INVITE]), **values)
    game.sign(names.INVITE, invite.render())


# Signatures.


@break_of("3.2", "example", 1, "entries", "entries/0003.toml.sig")
def an_entry_is_signed_by_a_stranger(game: Forger) -> None:
    game.sign(names.entry(3), game.held[names.entry(3)], another_key())


@break_of("3.8", "example", 1, "entries", "slips/0003-bob.toml.sig")
def a_slip_is_signed_by_the_host(game: Forger) -> None:
    game.sign(names.slip(3, "bob"), game.held[names.slip(3, "bob")], game.keys[0])


@break_of("2.6", "example", 1, "entries", "joins/bob.toml.sig")
def a_join_is_signed_by_a_stranger(game: Forger) -> None:
    game.sign(names.join("bob"), game.held[names.join("bob")], another_key())


@break_of("2.2", "example", 1, "entries", "invite.toml.sig")
def an_invite_is_signed_by_a_stranger(game: Forger) -> None:
    game.sign(names.INVITE, game.held[names.INVITE], another_key())


@break_of("2.5", "example", 1, "entries", "entries/0000.toml.sig")
def a_genesis_is_signed_by_a_stranger(game: Forger) -> None:
    game.sign(names.entry(0), game.held[names.entry(0)], another_key())


@break_of("3.2", "example", 1, "entries", "entries/0003.toml.sig")
def an_entry_has_the_signature_of_a_slip(game: Forger) -> None:
    data = game.held[names.entry(3)]
    game.held[names.signature(names.entry(3))] = game.keys[0].sign(sshsig.SLIP, data)


@break_of("3.7", "seat", 1, "entries", "seats/0002-bob.consent.toml.sig")
def a_consent_is_the_hosts(game: Forger) -> None:
    path = names.consent(2, "bob")
    game.sign(path, game.held[path], game.keys[0])


@break_of("3.8", "seat", 1, "entries", "slips/0004-bob.toml.sig")
def who_left_a_seat_signs_on(game: Forger) -> None:
    game.sign(names.slip(4, "bob"), game.held[names.slip(4, "bob")], _bob(game))


# Countersignatures.


@break_of("3.8", "example", 1, "entries", "bob answers entry")
def a_slip_quotes_another_entry(game: Forger) -> None:
    game.change_slip(3, "bob", head="ab" * 32)


@break_of("3.8", "example", 1, "entries", "the slip is for step 2, and the entry to answer is 2")
def a_slip_is_of_a_step_before(game: Forger) -> None:
    game.change_slip(3, "bob", step=2, head=digest(game.held[names.entry(1)]))


@break_of("3.8", "example", 1, "entries", "the slip is of another game or player")
def a_slip_is_of_another_game(game: Forger) -> None:
    game.change_slip(3, "bob", game="ab" * 32)


# The clock.


@break_of("2.9", "example", 1, "time", "is before the time of the invite")
def a_genesis_is_older_than_its_invite(game: Forger) -> None:
    game.change_entry(0, time="2025-01-01T00:00:00Z")


@break_of("2.9", "example", 4, "time", "no deadline cut")
def a_genesis_is_as_old_as_its_invite(game: Forger) -> None:
    time = read_invite(game.held[names.INVITE]).date
    until = deadlines.add(time, 3 * 86_400)
    awaited = {
        player: replace(prompt, since=time, until=until)
        for player, prompt in game.entry(0).awaited.items()
    }
    game.cut(0)
    game.change_entry(0, time=time, awaited=awaited)


@break_of("2.9", "example", 1, "time", "every player must be awaited for setup, for the turn time")
def a_genesis_gives_less_time(game: Forger) -> None:
    _until(game, 0, "alice", "2026-01-02T00:00:00Z")


@break_of("3.9", "example", 1, "time", "bob is awaited for turn since")
def a_deadline_is_cut(game: Forger) -> None:
    _until(game, 2, "bob", "2026-01-02T00:00:00Z")


@break_of(
    "3.9",
    "rest",
    1,
    "time",
    "the rules say awaited for turn since 2026-01-01T00:20:00Z until 2026-01-06T",
)
def a_day_of_rest_is_counted(game: Forger) -> None:
    """From Thursday on three days that count end on Tuesday, and three days on Sunday."""
    since = game.entry(2).awaited["bob"].since
    _until(game, 2, "bob", deadlines.add(since, 3 * 86_400))


@break_of(
    "3.9",
    "example",
    1,
    "time",
    "the rules say awaited for turn since 2026-01-01T00:20:00Z until 2026-01-04T",
)
def a_day_that_counts_is_rested(game: Forger) -> None:
    since = game.entry(2).awaited["bob"].since
    _until(game, 2, "bob", deadlines.add(since, 5 * 86_400))


@break_of("3.9", "example", 1, "time", "the rules say awaited for turn since")
def another_player_is_awaited(game: Forger) -> None:
    """Alice in Bob's place, who has the time of another turn."""
    awaited = {"alice": game.entry(2).awaited["bob"]}
    game.cut(2)
    game.change_entry(2, awaited=awaited)


def _until(game: Forger, step: int, player: str, until: str) -> None:
    awaited = dict(game.entry(step).awaited)
    awaited[player] = replace(awaited[player], until=until)
    game.change_entry(step, awaited=awaited)


@break_of("3.3", "example", 1, "time", "is before the time of entry 1")
def time_runs_backwards(game: Forger) -> None:
    game.change_entry(2, time="2026-01-01T00:02:00Z")


@break_of("3.9", "example", 1, "time", "reserve is")
def reserve_is_given(game: Forger) -> None:
    game.change_entry(2, reserve={"alice": 60, "bob": 0})


@break_of("3.8", "example", 1, "time", "which is not between the entry before it and its own")
def a_slip_came_after_its_entry(game: Forger) -> None:
    used = game.entry(2).slips["alice"]
    game.change_entry(2, slips={"alice": replace(used, received="2026-01-01T05:00:00Z")})


@break_of("3.8", "example", 0, "time", "no deadline cut")
def a_slip_came_as_its_entry_was_made(game: Forger) -> None:
    entry = game.entry(2)
    used = replace(entry.slips["alice"], received=str(entry.time))
    game.change_entry(2, slips={"alice": used})


@break_of("3.9", "late", 1, "time", "alice is missing before")
def somebody_is_missing_too_early(game: Forger) -> None:
    time = "2026-01-03T00:00:00Z"
    awaited = replace(game.entry(2).awaited["bob"], since=time, until="2026-01-06T00:00:00Z")
    game.cut(2)
    game.change_entry(2, time=time, awaited={"bob": awaited})


# Rulings.


@break_of("3.10", "ruled", 1, "entries", "there is no entry 9 to annul")
def a_ruling_annuls_what_is_not_there(game: Forger) -> None:
    game.change_entry(5, ruling=Ruling("an error", annuls=9))


@break_of("3.10", "ruled", 1, "entries", "entry 4 was annulled already")
def a_ruling_annuls_again(game: Forger) -> None:
    game.change_entry(6, ruling=Ruling("an error", annuls=4))


@break_of("3.10", "ruled", 1, "entries", "a ruling uses no slips")
def a_ruling_uses_a_slip(game: Forger) -> None:
    head = digest(game.held[names.entry(2)])
    slip = replace(game.slip(4, "bob"), step=3, head=head).render()
    game.cut(3)
    game.sign(names.slip(3, "bob"), slip, game.keys[2])
    used = {"bob": UsedSlip(digest(slip), str(game.entry(2).time))}
    game.change_entry(3, ruling=Ruling("no time", abandons=True), slips=used, awaited={})


@break_of("3.10", "ruled", 1, "entries", "the ruling awaits alice, but the position awaits bob")
def a_ruling_awaits_another(game: Forger) -> None:
    game.change_entry(5, awaited={"alice": game.entry(5).awaited["bob"]})


@break_of("3.10", "ruled", 1, "time", "cuts that")
def a_ruling_cuts_a_deadline(game: Forger) -> None:
    _until(game, 3, "bob", "2026-01-02T00:00:00Z")


@break_of("6.3", "ruled", 3, "host", "rulings gave bob 2912437 d")
def a_ruling_moves_a_deadline_far(game: Forger) -> None:
    """It may; how much time rulings gave to whom is told."""
    _until(game, 6, "bob", "9999-12-31T00:00:00Z")


@break_of("3.8", "ruled", 1, "entries", "the slip is for step 4, and the entry to answer is 2")
def a_slip_quotes_a_deadline_ruling(game: Forger) -> None:
    head = digest(game.held[names.entry(3)])
    game.change_slip(4, "bob", step=4, head=head)


@break_of("3.7", "ruled", 1, "entries", "no seat changes hands before")
def a_seat_changes_hands_too_early(game: Forger) -> None:
    """Entry 1 becomes such a ruling."""
    change = SeatChange("bob", "ab" * 32)
    game.cut(1)
    game.change_entry(
        1,
        ruling=Ruling("x", seat=change),
        slips={},
        events=(),
        missing=(),
        awaited=game.entry(0).awaited,
    )
    for player in ("alice", "bob"):
        for end in ("", ".sig"):
            del game.held[names.slip(1, player) + end]


@break_of("3.7", "seat", 1, "entries", "the ruling hands on the seat of carol, who has none")
def nobodys_seat_changes_hands(game: Forger) -> None:
    seat = game.entry(2).ruling.seat  # type: ignore[union-attr]
    for end in ("", ".sig"):
        for path in (names.seat, names.consent):
            game.held[path(2, "carol") + end] = game.held[path(2, "bob") + end]
    game.cut(2)
    game.change_entry(2, ruling=Ruling("x", seat=replace(seat, player="carol")))


@break_of("3.7", "seat", 1, "entries", "has had the seat of bob before")
def an_old_join_sits_again(game: Forger) -> None:
    game.put(names.seat(2, "bob"), game.held[names.join("bob")], _bob(game))


@break_of("3.7", "seat", 1, "entries", "consent.toml: it is for the game abab")
def a_consent_is_for_another_game(game: Forger) -> None:
    _consent(game, game="ab" * 32)


@break_of("3.7", "seat", 1, "entries", "consent.toml: it is for the join abab")
def a_consent_is_for_another_join(game: Forger) -> None:
    _consent(game, join="ab" * 32)


@break_of("3.7", "seat", 1, "entries", "it was signed after entry 1, abab")
def a_consent_names_another_entry(game: Forger) -> None:
    _consent(game, head="ab" * 32)


@break_of("3.7", "seat", 1, "entries", "it was signed after entry 2, ")
def a_consent_names_an_entry_to_come(game: Forger) -> None:
    _consent(game, step=2)


@break_of("3.7", "seat", 1, "entries", "entry 1 uses orders of bob: who plays on has withdrawn it")
def a_consent_was_withdrawn(game: Forger) -> None:
    _consent(game, step=0, head=digest(game.held[names.entry(0)]))


@break_of(
    "3.7", "seat", 1, "entries", "consent.toml does not have the digest that the ruling names"
)
def a_consent_is_another(game: Forger) -> None:
    path = names.consent(2, "bob")
    game.sign(path, replace(read_consent(game.held[path]), step=0).render())


@break_of("3.7", "seat", 1, "entries", "seats/0002-bob.consent.toml is not there")
def a_consent_is_missing(game: Forger) -> None:
    del game.held[names.consent(2, "bob")]


def _consent(game: Forger, /, **values: Any) -> None:
    path = names.consent(2, "bob")
    game.put(path, replace(read_consent(game.held[path]), **values).render())


def _bob(game: Forger) -> MemoryKey:
    """Of whoever was Bob at the beginning."""
    return next(key for key in game.keys if key.public.line in str(game.held[names.join("bob")]))


@break_of(
    "3.7",
    "seat",
    1,
    "entries",
    "seats/0002-bob.toml does not have the digest that the ruling names",
)
def a_new_join_is_another(game: Forger) -> None:
    path = names.seat(2, "bob")
    game.sign(path, replace(read_join(game.held[path]), mail="open").render())


@break_of("3.7", "seat", 1, "entries", "seats/0002-bob.toml is a join of alice")
def a_new_join_is_of_somebody_else(game: Forger) -> None:
    path = names.seat(2, "bob")
    game.put(path, replace(read_join(game.held[path]), player="alice").render())


@break_of("3.7", "seat", 1, "entries", "one key or nonce is used twice")
def a_new_join_shares_a_key(game: Forger) -> None:
    path = names.seat(2, "bob")
    sealing = read_join(game.held[names.join("alice")]).sealing
    game.put(path, replace(read_join(game.held[path]), sealing=sealing).render())


# Chance.


@break_of("3.8", "example", 1, "dice", "the nonce is not the one that bob committed to")
def a_nonce_is_another(game: Forger) -> None:
    game.change_slip(1, "bob", nonce="ab" * 32)


@break_of("3.8", "example", 1, "dice", "every slip must give a nonce until the first adjudication")
def a_nonce_comes_later(game: Forger) -> None:
    game.change_slip(3, "bob", nonce="ab" * 32)


@break_of("6.2", "rethrown", 3, "dice", "bob missed step 1 and so added nothing to the dice")
def a_nonce_is_missing(game: Forger) -> None:
    """The game was played so."""


@break_of("6.2", "rethrown", 4, "dice", "bob missed step 1 and so added nothing to the dice")
def a_nonce_is_missing_before_the_reveal(game: Forger) -> None:
    """Both are public at once."""
    game.cut(3)


@break_of("6.2", "crowded", 3, "dice", "carol missed step 1 and so added nothing to the dice")
def a_nonce_is_missing_where_three_play(game: Forger) -> None:
    """Carol never signs anything, and yet."""


@break_of("6.3", "abandoned", 3, "host", "entry 1 abandons the game")
def a_game_is_abandoned(game: Forger) -> None:
    """The game was played so."""


# Orders, reports, replay.


@break_of("5.4", "example", 1, "orders", "expected")
def an_order_is_illegal(game: Forger) -> None:
    _, file = game.order_file(3, "bob")
    salt = "cd" * 32
    game.change_order(3, "bob", replace(file, orders=("silent F6",)).render(salt))


@break_of("5.4", "example", 1, "orders", "line 1 is salt =  ")
def an_order_file_is_laid_out_otherwise(game: Forger) -> None:
    data = game.held[names.opened_order(3, "bob")]
    game.change_order(3, "bob", data.replace(b"salt = ", b"salt =  "))


@break_of("5.4", "example", 1, "orders", "orders/0003-bob.txt: ")
def an_order_file_is_longer_than_fits(game: Forger) -> None:
    """What no host can seal, a slip can sign all the same."""
    _, file = game.order_file(3, "bob")
    path = names.opened_order(3, "bob")
    game.held[path] = replace(file, orders=(*file.orders, "#" + "x" * 2000)).render("cd" * 32)
    del game.held[names.sealed_order(3, "bob")]
    game.change_slip(3, "bob", order=digest(game.held[path]), sealed="ab" * 32)


@break_of("5.4", "example", 1, "orders", "sealed again, it is not the file that its slip signs")
def a_sealed_file_opens_to_nothing(game: Forger) -> None:
    path = names.sealed_order(3, "bob")
    game.held[path] = bytes(len(game.held[path]))
    game.change_slip(3, "bob", sealed=digest(game.held[path]))


@break_of("5.4", "example", 1, "orders", "sealed again, it is not the file that its slip signs")
def a_sealed_file_is_of_another_step(game: Forger) -> None:
    """Bob's order file, sealed under the label of another step: it opens nowhere."""
    from adjudicator.core import orders

    data = game.held[names.opened_order(3, "bob")]
    shared = game.game.shared(game.game.opening.joins["bob"])
    sealed = orders.seal(game.game.opening, shared, 4, "bob", 1, data)
    game.held[names.sealed_order(3, "bob")] = sealed
    game.change_slip(3, "bob", sealed=digest(sealed))


@break_of("5.6", "example", 1, "replay", "the sealed report of bob is")
def a_report_is_sealed_wrongly(game: Forger) -> None:
    game.change_report(2, "bob", bytes(len(game.held[names.report(2, "bob")])))


@break_of("5.6", "example", 1, "replay", "the report of bob is")
def a_report_tells_something_else(game: Forger) -> None:
    game.change_report(2, "bob", game.held[names.report(2, "bob")], "ab" * 32)


@break_of("5.6", "example", 1, "replay", "entries/0002.toml: state: ")
def a_state_is_another(game: Forger) -> None:
    game.change_entry(2, state="ab" * 32)


@break_of("5.6", "example", 1, "replay", "entries/0002.toml: events: ")
def an_event_is_not_told(game: Forger) -> None:
    game.change_entry(2, events=game.entry(2).events[:-1])


@break_of("5.6", "example", 1, "replay", "entries/0002.toml: view: ")
def a_public_view_is_another(game: Forger) -> None:
    entry = game.entry(2)
    game.change_entry(2, view=entry.view.replace('"n":2', '"n":3'))


@break_of("5.6", "example", 1, "replay", "its tables are in another order than replayed")
def equal_values_stand_in_other_bytes(game: Forger) -> None:
    first = dict(reversed(game.entry(2).events[0].items()))
    kind = {"kind": first.pop("kind")}
    game.change_entry(2, events=({**kind, **first}, *game.entry(2).events[1:]))


@break_of("5.4", "example", 4, "", "orders/0002-alice.txt is not there")
def an_opened_order_file_is_missing(game: Forger) -> None:
    del game.held[names.opened_order(2, "alice")]


@break_of("6.3", "ruled", 3, "host", "entry 4 was wrong: entries/0004.toml: state: ")
def what_is_annulled_was_wrong(game: Forger) -> None:
    game.change_entry(4, state="ab" * 32)


@break_of("6.3", "ruled", 3, "host", "entry 4 was wrong: orders/0004-bob.txt: line 1")
def what_is_annulled_could_not_be_played(game: Forger) -> None:
    _, file = game.order_file(4, "bob")
    game.change_order(4, "bob", replace(file, orders=("silent F6",)).render("cd" * 32))


@break_of("6.3", "ruled", 3, "host", "entry 4 was right, so the reason is the host's alone")
def what_is_annulled_was_right(game: Forger) -> None:
    """The game was played so."""


@break_of("5.6", "ruled", 1, "replay", "entries/0005.toml: state: ")
def a_ruling_goes_on_elsewhere(game: Forger) -> None:
    game.change_entry(5, state="ab" * 32)


@break_of("6.3", "ruled", 4, "host", "whether it was right shows after the reveal")
def a_ruling_before_the_reveal(game: Forger) -> None:
    game.cut(5)


# What a person should look at, and what is told besides.


@break_of("6.4", "example", 3, "host", "bob at step 3: order")
def somebody_protests(game: Forger) -> None:
    game.change_slip(3, "bob", protest="order")


@break_of("6.4", "example", 0, "host", "the report was made again as it was signed")
def somebody_protests_a_right_report(game: Forger) -> None:
    game.change_slip(3, "bob", protest="report")


@break_of("6.1", "example", 0, "time", "after its receipt")
def a_slips_clock_is_ahead(game: Forger) -> None:
    game.change_slip(3, "bob", time="2026-01-01T05:00:00Z")


@break_of("6.1", "example", 0, "time", "before the entry that it answers")
def a_slips_clock_is_behind(game: Forger) -> None:
    game.change_slip(3, "bob", time="2025-12-31T05:00:00Z")


@break_of("6.1", "late", 3, "time", "calls missing alice")
def a_later_slip_is_older(game: Forger) -> None:
    game.change_slip(4, "alice", time="2026-01-01T00:30:00Z")


@break_of("6.1", "late", 0, "time", "entry 2: alice missing")
def somebody_was_missing(game: Forger) -> None:
    """The game was played so."""


@break_of("6.1", "reserve", 3, "time", "which spared reserve")
def a_friend_is_spared(game: Forger) -> None:
    game.change_slip(2, "alice", time="2026-01-04T12:00:00Z")


@break_of("6.1", "reserve", 0, "time", "late by")
def somebody_was_late(game: Forger) -> None:
    """The game was played so."""


@break_of("6.5", "example", 0, "host", "1 messages noted; 0 are known here")
def press_is_noted(game: Forger) -> None:
    """Press is no fault: what was passed on is in the entry, and in its replay."""
    game.change_entry(2, press=("ab" * 32,))


@break_of(
    "6.3", "taken", 3, "host", "entry 2: the host gave bob's seat to another key; bob did not"
)
def a_seat_was_given_away(game: Forger) -> None:
    """The game was played so."""


@break_of(
    "6.3", "away", 0, "host", "entry 6: bob's seat went to another key after 2 missed deadlines"
)
def a_seat_was_handed_on_as_the_invite_says(game: Forger) -> None:
    """The game was played so."""


@break_of(
    "6.3", "early", 3, "host", "entry 6: the host gave bob's seat to another key; bob did not"
)
def a_seat_was_handed_on_one_miss_early(game: Forger) -> None:
    """The invite says three."""


@break_of("3.9", "rest", 0, "time", "no deadline cut")
def a_weekend_was_no_time(game: Forger) -> None:
    """The game was played so."""


@break_of(
    "3.7", "seat", 0, "host", "entry 2: the host gave bob's seat to another key; bob signed that"
)
def a_seat_was_handed_on(game: Forger) -> None:
    """The game was played so."""
