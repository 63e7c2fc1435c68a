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

from adjudicator.core import deadlines, intake
from orders import names, sshsig
from orders.documents import read_consent, read_invite, read_join, read_slip
from orders.entries import Entry, Ruling, SeatChange, UsedSlip
from orders.fields import digest
from orders.keys import MemoryKey
from orders.secrets import derive

Change = Callable[[Forger], Mapping[str, Any] | None]


@dataclass(frozen=True)
class Break:
    """One change of one game (`game`: a key of `PLAYED`), and what `verify` says.

    `rule`: which of docs/formats/verifying.md decides. `change` returns what else `verify` is
    asked. `word`: that of the refusal, where it is not the usual one of the claim.
    """

    name: str
    rule: str
    game: str
    said: Said
    change: Change
    word: str


def row(
    what: str | Change, rule: str, claim: str, text: str, change: Change | None = None,
    game: str = "example", code: int = 1, word: str = "",
) -> Break:  # fmt: skip
    """A break by its name and its change, or by a change that has its name."""
    name = what if isinstance(what, str) else what.__name__
    made = what if change is None else change
    return Break(name, rule, game, Said(code, claim, text), made, word)  # type: ignore[arg-type]


# Changes of one kind.


def as_played(game: Forger) -> None:
    """The game was played so."""


def asked(**besides: Any) -> Change:
    """Nothing is changed, and `verify` is asked more."""
    return lambda game: besides


def held(path: str, data: bytes) -> Change:
    """A file with these bytes."""
    return lambda game: game.held.update({path: data})


def respelt(path: str, old: bytes, new: bytes) -> Change:
    """Other bytes in a file, whoever signed it."""
    return lambda game: game.held.update({path: game.held[path].replace(old, new)})


def noise(game: Forger, path: str) -> bytes:
    """As many bytes as that file has, and nothing in them."""
    return bytes(len(game.held[path]))


def gone(path: str) -> Change:
    """A file is not there."""
    return lambda game: game.held.pop(path) and None


def signed(path: str, by: Callable[[Forger], MemoryKey]) -> Change:
    """A file as it is, with somebody else's signature."""
    return lambda game: game.sign(path, game.held[path], by(game))


def nobody(game: Forger) -> MemoryKey:
    """A key of nobody's in these games."""
    return MemoryKey.from_seed(derive(b"\x77" * 32, "nobody"))


def host(game: Forger) -> MemoryKey:
    return game.keys[0]


def first_bob(game: Forger) -> MemoryKey:
    """Of whoever was Bob at the beginning."""
    return next(key for key in game.keys if key.public.line in str(game.held[names.join("bob")]))


def entry(number: int, **values: Any) -> Change:
    """An entry with other values, and all that follows signed anew."""
    return lambda game: game.change_entry(number, **values)


def slip(number: int, who: str, **values: Any) -> Change:
    """A slip with other values, in the same way."""
    return lambda game: game.change_slip(number, who, **values)


def document(path: str, read: Callable[[bytes], Any], **values: Any) -> Change:
    """A document with other values, signed anew, and what follows with it."""
    return lambda game: game.put(path, replace(read(game.held[path]), **values).render())


def alone(path: str, read: Callable[[bytes], Any], **values: Any) -> Change:
    """A document with other values, signed anew, and nothing that follows."""
    return lambda game: game.sign(path, replace(read(game.held[path]), **values).render())


def until(step: int, player: str, end: str | int) -> Change:
    """Another deadline for a player: a time, or so many days from when they are awaited."""

    def change(game: Forger) -> None:
        awaited = dict(game.entry(step).awaited)
        prompt = awaited[player]
        time = end if isinstance(end, str) else deadlines.add(prompt.since, end * 86_400)
        game.change_entry(step, awaited={**awaited, player: replace(prompt, until=time)})

    return change


# Changes of their own.


def a_digest_stands_twice(game: Forger) -> None:
    state = game.entry(1).state  # type: ignore[union-attr]
    game.change_entry(2, state=state)
    game.cut(2)


def an_act_was_cut_off(game: Forger) -> None:
    report = game.held[names.report(3, "bob")]
    game.cut(2)
    game.held[names.report(3, "bob")] = report


def an_entry_says_another_step(game: Forger) -> None:
    game.change_entry(3, step=7)
    game.held = {path: data for path, data in game.held.items() if "0007" not in path}


def a_reveal_comes_early(game: Forger) -> None:
    game.cut(2)
    game.reveal({"winner": "alice"})


def an_entry_follows_the_end(game: Forger) -> None:
    last = game.entry(4)
    assert isinstance(last, Entry)
    game.cut(4)
    prev = digest(game.held[names.entry(4)])
    game.append(replace(last, step=5, prev=prev, slips={}))


def somebody_is_awaited_who_does_not_play(game: Forger) -> None:
    awaited = game.entry(2).awaited
    game.change_entry(2, awaited={**awaited, "carol": awaited["bob"]})


def a_slip_is_of_nobody(game: Forger) -> None:
    slips = game.entry(2).slips
    game.change_entry(2, slips={**slips, "carol": slips["alice"]})


def an_event_has_no_kind(game: Forger) -> None:
    """It shows before the reveal."""
    game.cut(2)
    game.change_entry(2, events=({"at": "C3"},))


def a_join_is_of_somebody_else(game: Forger) -> None:
    game.held[names.join("alice")] = game.held[names.join("bob")]
    game.held[names.signature(names.join("alice"))] = game.held[names.signature("joins/bob.toml")]
    joins = {"alice": digest(game.held[names.join("alice")]), "bob": "ab" * 32}
    game.change_entry(0, joins=joins)


def _rejoin(game: Forger, by: MemoryKey | None = None, **values: Any) -> None:
    """Change Bob's join, and the genesis with it; nothing later fits any more."""
    path = names.join("bob")
    join = replace(read_join(game.held[path]), **values)
    game.sign(path, join.render(), by)
    game.cut(0)
    game.change_entry(0, joins={**game.entry(0).joins, "bob": digest(game.held[path])})  # type: ignore[union-attr]


def one_player_plays_alone(game: Forger) -> None:
    game.cut(0)
    genesis = game.entry(0)
    joins = {"alice": genesis.joins["alice"]}  # type: ignore[union-attr]
    for path in (names.join("bob"), names.signature(names.join("bob"))):
        del game.held[path]
    game.change_entry(0, joins=joins, awaited={"alice": genesis.awaited["alice"]})


def options_stand_in_another_order(game: Forger) -> None:
    options = read_invite(game.held[names.INVITE]).options
    alone(names.INVITE, read_invite, options=dict(reversed(options.items())))(game)


def an_entry_has_the_signature_of_a_slip(game: Forger) -> None:
    data = game.held[names.entry(3)]
    game.held[names.signature(names.entry(3))] = game.keys[0].sign(sshsig.SLIP, data)


def a_genesis_is_as_old_as_its_invite(game: Forger) -> None:
    time = read_invite(game.held[names.INVITE]).date
    until = deadlines.add(time, 3 * 86_400)
    awaited = {
        player: replace(prompt, since=time, until=until)
        for player, prompt in game.entry(0).awaited.items()
    }
    game.cut(0)
    game.change_entry(0, time=time, awaited=awaited)


def another_player_is_awaited(game: Forger) -> None:
    """Alice in Bob's place, who has the time of another turn."""
    awaited = {"alice": game.entry(2).awaited["bob"]}
    game.cut(2)
    game.change_entry(2, awaited=awaited)


def somebody_is_missing_too_early(game: Forger) -> None:
    time = "2026-01-03T00:00:00Z"
    awaited = replace(game.entry(2).awaited["bob"], since=time, until="2026-01-06T00:00:00Z")
    game.cut(2)
    game.change_entry(2, time=time, awaited={"bob": awaited})


def a_ruling_uses_a_slip(game: Forger) -> None:
    head = digest(game.held[names.entry(2)])
    slip = replace(game.slip(4, "bob"), step=3, head=head).render()
    game.cut(3)
    game.sign(names.slip(3, "bob"), slip, game.keys[2])
    used = {"bob": UsedSlip(digest(slip), str(game.entry(2).time))}
    game.change_entry(3, ruling=Ruling("no time", abandons=True), slips=used, awaited={})


def a_slip_quotes_a_deadline_ruling(game: Forger) -> None:
    head = digest(game.held[names.entry(3)])
    game.change_slip(4, "bob", step=4, head=head)


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


def nobodys_seat_changes_hands(game: Forger) -> None:
    seat = game.entry(2).ruling.seat  # type: ignore[union-attr]
    for end in ("", ".sig"):
        for path in (names.seat, names.consent):
            game.held[path(2, "carol") + end] = game.held[path(2, "bob") + end]
    game.cut(2)
    game.change_entry(2, ruling=Ruling("x", seat=replace(seat, player="carol")))


def a_consent_was_withdrawn(game: Forger) -> None:
    head = digest(game.held[names.entry(0)])
    document(names.consent(2, "bob"), read_consent, step=0, head=head)(game)


def a_new_join_shares_a_key(game: Forger) -> None:
    sealing = read_join(game.held[names.join("alice")]).sealing
    document(names.seat(2, "bob"), read_join, sealing=sealing)(game)


def an_order_is_illegal(game: Forger) -> None:
    _, file = game.order_file(3, "bob")
    salt = "cd" * 32
    game.change_order(3, "bob", replace(file, orders=("silent F6",)).render(salt))


def an_order_file_is_laid_out_otherwise(game: Forger) -> None:
    data = game.held[names.opened_order(3, "bob")]
    game.change_order(3, "bob", data.replace(b"salt = ", b"salt =  "))


def an_order_file_is_longer_than_fits(game: Forger) -> None:
    """What no host can seal, a slip can sign all the same."""
    _, file = game.order_file(3, "bob")
    path = names.opened_order(3, "bob")
    game.held[path] = replace(file, orders=(*file.orders, "#" + "x" * 2000)).render("cd" * 32)
    del game.held[names.sealed_order(3, "bob")]
    game.change_slip(3, "bob", order=digest(game.held[path]), sealed="ab" * 32)


def a_sealed_file_opens_to_nothing(game: Forger) -> None:
    path = names.sealed_order(3, "bob")
    game.held[path] = noise(game, path)
    game.change_slip(3, "bob", sealed=digest(game.held[path]))


def a_sealed_file_is_of_another_step(game: Forger) -> None:
    """Bob's order file, sealed under the label of another step: it opens nowhere."""
    data = game.held[names.opened_order(3, "bob")]
    shared = game.game.shared(game.game.opening.joins["bob"])
    sealed = intake.seal_order(game.game.opening, shared, 4, "bob", 1, data)
    game.held[names.sealed_order(3, "bob")] = sealed
    game.change_slip(3, "bob", sealed=digest(sealed))


def a_public_view_is_another(game: Forger) -> None:
    entry = game.entry(2)
    game.change_entry(2, view=entry.view.replace('"n":2', '"n":3'))


def equal_values_stand_in_other_bytes(game: Forger) -> None:
    first = dict(reversed(game.entry(2).events[0].items()))
    kind = {"kind": first.pop("kind")}
    game.change_entry(2, events=({**kind, **first}, *game.entry(2).events[1:]))


def what_is_annulled_could_not_be_played(game: Forger) -> None:
    _, file = game.order_file(4, "bob")
    game.change_order(4, "bob", replace(file, orders=("silent F6",)).render("cd" * 32))


def a_genesis_is_none(game: Forger) -> None:
    reveal = game.held[names.entry(5)]
    game.sign(names.entry(0), reveal.replace(b"step = 5", b"step = 1"))


def received(game: Forger, time: str) -> None:
    """Alice's order came at another time."""
    used = game.entry(2).slips["alice"]
    game.change_entry(2, slips={"alice": replace(used, received=time)})


BOBS = names.report(2, "bob")

BREAKS: tuple[Break, ...] = (
    # Files.
    row("an_opened_order_file_is_another", "4", "entries",
        "orders/0002-alice.txt does not have the digest that is signed for it",
        respelt(names.opened_order(2, "alice"), b"fire S", b"fire N")),
    row("a_report_is_another", "4", "entries",
        "reports/0002-bob.sealed does not have the digest that is signed",
        lambda game: game.held.update({BOBS: noise(game, BOBS)})),
    row("a_file_belongs_nowhere", "4", "entries", "reports/0002-carol.sealed belongs nowhere",
        held("reports/0002-carol.sealed", b"?")),
    row("a_slip_is_missing", "3.8", "entries", "slips/0002-alice.toml is not there",
        gone(names.slip(2, "alice")), word="missing"),
    row("a_slip_is_another", "3.8", "entries",
        "slips/0002-alice.toml does not have the digest that entry 2 names",
        alone(names.slip(2, "alice"), read_slip, time="2026-01-01T01:00:00Z"), word="mismatch"),
    row("a_join_is_another", "2.6", "entries", "joins/bob.toml: is not the join that entry 0 names",
        alone(names.join("bob"), read_join, mail="open"), word="mismatch"),
    row("attributes_are_others", "4", "entries",
        ".gitattributes: is not the file that the tool writes",
        held(names.ATTRIBUTES, b"* text\n")),
    row(a_digest_stands_twice, "4", "entries", "one digest twice"),
    row("another_game_is_asked_for", "4", "entries", "the record is of game",
        asked(game="ab" * 32)),
    row("a_report_is_a_link", "1.1", "", "reports/0002-bob.sealed is no regular file",
        asked(unreadable=BOBS), code=2),
    row("strangers_lie_beside", "4", "entries", ".DS_Store is not part of the record",
        held(".DS_Store", b"\0\0\0\1Bud1"), code=0),
    row(an_act_was_cut_off, "4", "entries",
        "reports/0003-bob.sealed is named by no entry: an unfinished act", code=4),
    # The chain.
    row("an_entry_quotes_another", "3.3", "entries", "chain broken at 3: it quotes",
        entry(3, prev="ab" * 32)),
    row(an_entry_says_another_step, "3.3", "entries", "the entry says step 7"),
    row("an_entry_is_of_another_game", "3.3", "entries", "the entry is of game",
        entry(3, game="ab" * 32)),
    row("an_entry_is_missing", "3.1", "entries",
        "chain broken at 3: entries/0003.toml is not there", gone(names.entry(3)), word="missing"),
    row("a_genesis_comes_twice", "3.3", "entries", "chain broken at 5: the entry says step 0",
        lambda game: game.sign(names.entry(5), game.held[names.entry(0)])),
    row("another_head_is_asked_for", "4", "entries", "the last entry is", asked(head="ab" * 32)),
    row("an_entry_follows_the_reveal", "3.4", "entries", "entries/0006.toml: follows the reveal",
        lambda game: game.sign(names.entry(6), game.held[names.entry(2)])),
    row(a_reveal_comes_early, "3.4", "entries", "reveals a game that is not over"),
    row("a_reveal_has_another_master", "3.4", "entries",
        "the master is not the one that the invite commits to", entry(5, master="ab" * 32)),
    row("a_reveal_has_another_outcome", "3.4", "entries", "the outcome is",
        entry(5, outcome={"draw": True})),
    row(an_entry_follows_the_end, "3.5", "entries", "follows the end of the game and is no reveal"),
    row(somebody_is_awaited_who_does_not_play, "3.6", "entries",
        "awaited names carol, who does not play"),
    row("somebody_is_missing_who_does_not_play", "3.6", "entries",
        "missing names carol, who does not play", entry(2, missing=("carol",))),
    row(a_slip_is_of_nobody, "3.6", "entries", "slips names carol, who does not play"),
    row("names_stand_in_another_order", "3.6", "entries", "slips must be in the order of the seats",
        lambda game: game.change_entry(1, slips=dict(reversed(game.entry(1).slips.items())))),
    row("reserve_lacks_a_player", "3.6", "entries",
        "reserve must name every player, in the order of the seats",
        entry(2, reserve={"alice": 0})),
    row("an_event_is_unknown", "5.6", "replay", "entries/0002.toml: events: ",
        entry(2, events=({"kind": "earthquake"},))),
    row(an_event_has_no_kind, "3.3", "entries",
        "entries/0002.toml: entry: events = [{'at': 'C3'}]: expected", word="malformed"),
    row("a_view_is_as_long_as_an_entry_may_be", "3.6", "entries",
        "the view has 100009 bytes, a report has",
        entry(2, view='{"turn":"' + "a" * 99_998 + '"}')),
    row("a_player_is_missing_whose_slip_is_there", "3.9", "entries",
        "called missing: bob; without a slip: nobody", entry(2, missing=("bob",))),
    row("somebody_is_awaited_at_the_end", "3.6", "entries", "the game ends, and yet bob is awaited",
        lambda game: game.change_entry(4, awaited=game.entry(2).awaited)),
    row("nobody_is_awaited", "3.6", "entries", "nobody is awaited, and yet the game does not end",
        entry(2, awaited={})),
    row("a_genesis_is_of_another_invite", "2.5", "entries",
        "entries/0000.toml: is of another invite", entry(0, invite="ab" * 32)),
    row(a_genesis_is_none, "2.5", "entries", "entries/0000.toml: no genesis"),
    row(a_join_is_of_somebody_else, "2.6", "entries", "is the join of bob", word="mismatch"),
    row("a_join_is_to_another_invite", "2.6", "entries", "the join of bob is to another invite",
        lambda game: _rejoin(game, invite="ab" * 32), word="mismatch"),
    row("a_player_bears_the_hosts_key", "2.6", "entries", "bob has the host's key",
        lambda game: _rejoin(game, by=game.keys[0], key=game.keys[0].public.line), word="bad-key"),
    row("two_players_share_a_nonce", "2.7", "entries", "one key or nonce is used twice",
        lambda game: _rejoin(game, nonce=read_join(game.held[names.join("alice")]).nonce),
        word="bad-key"),
    row("a_player_is_called_like_a_key", "2.6", "entries", "is a word of the orders of sugar-dog",
        lambda game: _rejoin(game, player="turn"), word="malformed"),
    row(one_player_plays_alone, "2.8", "entries", "for 2 to 26 players, not 1", word="malformed"),
    row("the_sealing_key_is_not_the_masters", "5.1", "entries",
        "invite.toml: sealing does not come from the master", as_played, game="sealing",
        word="bad-key"),
    row("the_rules_are_unknown_here", "2.3", "", "unusable: no game 'tic-tac-toe' is installed",
        alone(names.INVITE, read_invite, rules="tic-tac-toe/1"), code=2, word="unknown-rules"),
    row("the_rules_are_of_another_release", "2.3", "",
        "the invite names sugar-dog/99, installed is sugar-dog/1",
        alone(names.INVITE, read_invite, rules="sugar-dog/99"), code=2, word="unknown-rules"),
    row(options_stand_in_another_order, "2.3", "entries", "invite: options are in another order",
        word="malformed"),
    row("an_option_is_unknown", "2.3", "entries", "option 'colour' is unknown",
        alone(names.INVITE, read_invite, options={"colour": "red"}), word="malformed"),
    row("a_table_is_named_that_the_game_has_not", "2.4", "entries",
        "a house table do not go together", alone(names.INVITE, read_invite, table="ab" * 32),
        word="malformed"),
    row("a_table_is_another", "2.4", "entries",
        "table.toml does not have the digest that the invite names",
        lambda game: game.held.update({names.TABLE: game.held[names.TABLE] + b"\n"}), game="tabled",
        word="mismatch"),
    # Signatures.
    row("an_entry_is_signed_by_a_stranger", "3.2", "entries", "entries/0003.toml.sig",
        signed(names.entry(3), nobody), word="bad-signature"),
    row("a_slip_is_signed_by_the_host", "3.8", "entries", "slips/0003-bob.toml.sig",
        signed(names.slip(3, "bob"), host), word="bad-signature"),
    row("a_join_is_signed_by_a_stranger", "2.6", "entries", "joins/bob.toml.sig",
        signed(names.join("bob"), nobody), word="bad-signature"),
    row("an_invite_is_signed_by_a_stranger", "2.2", "entries", "invite.toml.sig",
        signed(names.INVITE, nobody), word="bad-signature"),
    row("a_genesis_is_signed_by_a_stranger", "2.5", "entries", "entries/0000.toml.sig",
        signed(names.entry(0), nobody), word="bad-signature"),
    row(an_entry_has_the_signature_of_a_slip, "3.2", "entries", "entries/0003.toml.sig",
        word="bad-signature"),
    row("a_consent_is_the_hosts", "3.7", "entries", "seats/0002-bob.consent.toml.sig",
        signed(names.consent(2, "bob"), host), game="seat", word="bad-signature"),
    row("who_left_a_seat_signs_on", "3.8", "entries", "slips/0004-bob.toml.sig",
        signed(names.slip(4, "bob"), first_bob), game="seat", word="bad-signature"),
    # Countersignatures.
    row("a_slip_quotes_another_entry", "3.8", "entries", "bob answers entry",
        slip(3, "bob", head="ab" * 32), word="countersignature"),
    row("a_slip_is_of_a_step_before", "3.8", "entries",
        "the slip is for step 2, and orders are due for step 3",
        lambda game: game.change_slip(3, "bob", step=2, head=digest(game.held[names.entry(1)])),
        word="countersignature"),
    row("a_slip_is_of_another_game", "3.8", "entries", "the slip is of another game or player",
        slip(3, "bob", game="ab" * 32), word="countersignature"),
    # The clock.
    row("a_genesis_is_older_than_its_invite", "2.9", "time", "is before the time of the invite",
        entry(0, time="2025-01-01T00:00:00Z")),
    row(a_genesis_is_as_old_as_its_invite, "2.9", "time", "no deadline cut", code=4),
    row("a_genesis_gives_less_time", "2.9", "time",
        "every player must be awaited for setup, for the turn time",
        until(0, "alice", "2026-01-02T00:00:00Z")),
    row("a_deadline_is_cut", "3.9", "time", "bob is awaited for turn since",
        until(2, "bob", "2026-01-02T00:00:00Z")),
    row("a_day_of_rest_is_counted", "3.9", "time",
        "the rules say awaited for turn since 2026-01-01T00:20:00Z until 2026-01-06T",
        until(2, "bob", 3), game="rest"),
    row("a_day_that_counts_is_rested", "3.9", "time",
        "the rules say awaited for turn since 2026-01-01T00:20:00Z until 2026-01-04T",
        until(2, "bob", 5)),
    row(another_player_is_awaited, "3.9", "time", "the rules say awaited for turn since"),
    row("time_runs_backwards", "3.3", "time", "is before the time of entry 1",
        entry(2, time="2026-01-01T00:02:00Z")),
    row("reserve_is_given", "3.9", "time", "reserve is", entry(2, reserve={"alice": 60, "bob": 0})),
    row("a_slip_came_after_its_entry", "3.8", "time",
        "which is not between the entry before it and its own",
        lambda game: received(game, "2026-01-01T05:00:00Z")),
    row("a_slip_came_as_its_entry_was_made", "3.8", "time", "no deadline cut",
        lambda game: received(game, str(game.entry(2).time)), code=0),
    row(somebody_is_missing_too_early, "3.9", "time", "alice is missing before", game="late"),
    # Rulings.
    row("a_ruling_annuls_what_is_not_there", "3.10", "entries", "there is no entry 9 to annul",
        entry(5, ruling=Ruling("an error", annuls=9)), game="ruled"),
    row("a_ruling_annuls_again", "3.10", "entries", "entry 4 was annulled already",
        entry(6, ruling=Ruling("an error", annuls=4)), game="ruled"),
    row(a_ruling_uses_a_slip, "3.10", "entries", "a ruling uses no slips", game="ruled"),
    row("a_ruling_awaits_another", "3.10", "entries",
        "the ruling awaits alice, but the position awaits bob",
        lambda game: game.change_entry(5, awaited={"alice": game.entry(5).awaited["bob"]}),
        game="ruled"),
    row("a_ruling_cuts_a_deadline", "3.10", "time", "cuts that",
        until(3, "bob", "2026-01-02T00:00:00Z"), game="ruled"),
    # It may; how much time rulings gave to whom is told.
    row("a_ruling_moves_a_deadline_far", "6.3", "host", "rulings gave bob 2912437 d",
        until(6, "bob", "9999-12-31T00:00:00Z"), game="ruled", code=3),
    row(a_slip_quotes_a_deadline_ruling, "3.8", "entries",
        "the slip is for step 4, and orders are due for step 3", game="ruled",
        word="countersignature"),
    row(a_seat_changes_hands_too_early, "3.7", "entries", "no seat changes hands before",
        game="ruled"),
    row(nobodys_seat_changes_hands, "3.7", "entries",
        "the ruling hands on the seat of carol, who has none", game="seat"),
    row("an_old_join_sits_again", "3.7", "entries", "has had the seat of bob before",
        lambda game: game.put(names.seat(2, "bob"), game.held[names.join("bob")], first_bob(game)),
        game="seat", word="stale"),
    row("a_consent_is_for_another_game", "3.7", "entries", "consent.toml: it is for the game abab",
        document(names.consent(2, "bob"), read_consent, game="ab" * 32), game="seat",
        word="mismatch"),
    row("a_consent_is_for_another_join", "3.7", "entries", "consent.toml: it is for the join abab",
        document(names.consent(2, "bob"), read_consent, join="ab" * 32), game="seat",
        word="mismatch"),
    row("a_consent_names_another_entry", "3.7", "entries", "it was signed after entry 1, abab",
        document(names.consent(2, "bob"), read_consent, head="ab" * 32), game="seat", word="stale"),
    row("a_consent_names_an_entry_to_come", "3.7", "entries", "it was signed after entry 2, ",
        document(names.consent(2, "bob"), read_consent, step=2), game="seat", word="stale"),
    row(a_consent_was_withdrawn, "3.7", "entries",
        "entry 1 uses orders of bob: who plays on has withdrawn it", game="seat", word="stale"),
    row("a_consent_is_another", "3.7", "entries",
        "consent.toml does not have the digest that the ruling names",
        alone(names.consent(2, "bob"), read_consent, step=0), game="seat", word="mismatch"),
    row("a_consent_is_missing", "3.7", "entries", "seats/0002-bob.consent.toml is not there",
        gone(names.consent(2, "bob")), game="seat", word="missing"),
    row("a_new_join_is_another", "3.7", "entries",
        "seats/0002-bob.toml does not have the digest that the ruling names",
        alone(names.seat(2, "bob"), read_join, mail="open"), game="seat", word="mismatch"),
    row("a_new_join_is_of_somebody_else", "3.7", "entries",
        "seats/0002-bob.toml is a join of alice",
        document(names.seat(2, "bob"), read_join, player="alice"), game="seat", word="mismatch"),
    row(a_new_join_shares_a_key, "3.7", "entries", "one key or nonce is used twice", game="seat",
        word="bad-key"),
    # Chance.
    row("a_nonce_is_another", "3.8", "dice", "the nonce is not the one that bob committed to",
        slip(1, "bob", nonce="ab" * 32)),
    row("a_nonce_comes_later", "3.8", "dice",
        "every slip must give a nonce until the first adjudication",
        slip(3, "bob", nonce="ab" * 32)),
    row("a_nonce_is_missing", "6.2", "dice", "bob missed step 1 and so added nothing to the dice",
        as_played, game="rethrown", code=3),
    # Both are public at once.
    row("a_nonce_is_missing_before_the_reveal", "6.2", "dice",
        "bob missed step 1 and so added nothing to the dice", lambda game: game.cut(3),
        game="rethrown", code=4),
    # Carol never signs anything, and yet.
    row("a_nonce_is_missing_where_three_play", "6.2", "dice",
        "carol missed step 1 and so added nothing to the dice", as_played, game="crowded", code=3),
    row("a_game_is_abandoned", "6.3", "host", "entry 1 abandons the game", as_played,
        game="abandoned", code=3),
    # Orders, reports, replay.
    row(an_order_is_illegal, "5.4", "orders", "expected", word="illegal"),
    row(an_order_file_is_laid_out_otherwise, "5.4", "orders", "line 1 is salt =  ",
        word="malformed"),
    row(an_order_file_is_longer_than_fits, "5.4", "orders", "orders/0003-bob.txt: ",
        word="too-big"),
    row(a_sealed_file_opens_to_nothing, "5.4", "orders",
        "sealed again, it is not the file that its slip signs", word="unopenable"),
    row(a_sealed_file_is_of_another_step, "5.4", "orders",
        "sealed again, it is not the file that its slip signs", word="unopenable"),
    row("a_report_is_sealed_wrongly", "5.6", "replay", "the sealed report of bob is",
        lambda game: game.change_report(2, "bob", noise(game, BOBS)), word="reports"),
    row("a_report_tells_something_else", "5.6", "replay", "the report of bob is",
        lambda game: game.change_report(2, "bob", game.held[BOBS], "ab" * 32), word="reports"),
    row("a_state_is_another", "5.6", "replay", "entries/0002.toml: state: ",
        entry(2, state="ab" * 32)),
    row("an_event_is_not_told", "5.6", "replay", "entries/0002.toml: events: ",
        lambda game: game.change_entry(2, events=game.entry(2).events[:-1])),
    row(a_public_view_is_another, "5.6", "replay", "entries/0002.toml: view: "),
    row(equal_values_stand_in_other_bytes, "5.6", "replay",
        "its tables are in another order than replayed"),
    row("an_opened_order_file_is_missing", "5.4", "", "orders/0002-alice.txt is not there",
        gone(names.opened_order(2, "alice")), code=4),
    row("what_is_annulled_was_wrong", "6.3", "host",
        "entry 4 was wrong: entries/0004.toml: state: ", entry(4, state="ab" * 32), game="ruled",
        code=3),
    row(what_is_annulled_could_not_be_played, "6.3", "host",
        "entry 4 was wrong: orders/0004-bob.txt: line 1", game="ruled", code=3),
    row("what_is_annulled_was_right", "6.3", "host",
        "entry 4 was right, so the reason is the host's alone", as_played, game="ruled", code=3),
    row("a_ruling_goes_on_elsewhere", "5.6", "replay", "entries/0005.toml: state: ",
        entry(5, state="ab" * 32), game="ruled"),
    row("a_ruling_before_the_reveal", "6.3", "host", "whether it was right shows after the reveal",
        lambda game: game.cut(5), game="ruled", code=4),
    # What a person should look at, and what is told besides.
    row("somebody_protests", "6.4", "host", "bob at step 3: order", slip(3, "bob", protest="order"),
        code=3),
    row("somebody_protests_a_right_report", "6.4", "host",
        "the report was made again as it was signed", slip(3, "bob", protest="report"), code=0),
    row("a_slips_clock_is_ahead", "6.1", "time", "after its receipt",
        slip(3, "bob", time="2026-01-01T05:00:00Z"), code=0),
    row("a_slips_clock_is_behind", "6.1", "time", "before the entry that it answers",
        slip(3, "bob", time="2025-12-31T05:00:00Z"), code=0),
    row("a_later_slip_is_older", "6.1", "time", "calls missing alice",
        slip(4, "alice", time="2026-01-01T00:30:00Z"), game="late", code=3),
    row("somebody_was_missing", "6.1", "time", "entry 2: alice missing", as_played, game="late",
        code=0),
    row("a_friend_is_spared", "6.1", "time", "which spared reserve",
        slip(2, "alice", time="2026-01-04T12:00:00Z"), game="reserve", code=3),
    row("somebody_was_late", "6.1", "time", "late by", as_played, game="reserve", code=0),
    # Press is no fault: what was passed on is in the entry, and in its replay.
    row("press_is_noted", "6.5", "host", "1 messages noted; 0 are known here",
        entry(2, press=("ab" * 32,)), code=0),
    row("a_seat_was_given_away", "6.3", "host",
        "entry 2: the host gave bob's seat to another key; bob did not", as_played, game="taken",
        code=3),
    row("a_seat_was_handed_on_as_the_invite_says", "6.3", "host",
        "entry 6: bob's seat went to another key after 2 missed deadlines", as_played, game="away",
        code=0),
    # The invite says three.
    row("a_seat_was_handed_on_one_miss_early", "6.3", "host",
        "entry 6: the host gave bob's seat to another key; bob did not", as_played, game="early",
        code=3),
    row("a_weekend_was_no_time", "3.9", "time", "no deadline cut", as_played, game="rest", code=0),
    row("a_seat_was_handed_on", "3.7", "host",
        "entry 2: the host gave bob's seat to another key; bob signed that", as_played, game="seat",
        code=0),
)  # fmt: skip
