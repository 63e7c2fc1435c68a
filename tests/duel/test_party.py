"""A whole duel through its real blocks: sizes, lost disks, and blocks that do not fit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from duel.people import Duel, and_, ended, moved, person, played

from adjudicator.core import deadlines
from adjudicator.core.source import MemoryFiles
from adjudicator.duel import again, audit
from adjudicator.duel import party as parties
from adjudicator.duel.again import opened
from adjudicator.duel.documents import Documents
from adjudicator.duel.party import Party
from adjudicator.duel.row import check_options
from adjudicator.machine.duel import Person, files_of, play
from adjudicator.store.pack import Pack, write
from adjudicator.verifier.verify import verify
from adjudicator.words.duel import standing
from adjudicator.words.spans import ReadAt
from games.game import Written
from games.options import OfferRefused
from games.silent_ships import GAME as SILENT
from games.submarine_warfare import GAME as SUBMARINE
from games.sugar_dog import GAME as SUGAR
from orders import names, sshsig
from orders.duel import open_block, read_block
from orders.errors import Refused
from orders.sealing import room
from orders.sshsig import Signed

MOST = 3 * 1024


@cache
def duel(seed: str = "one") -> Duel:
    """A whole duel between captains."""
    return played(seed)


NOW, LATE = "2026-02-01T00:00:00Z", "2026-03-01T00:00:00Z"


def party(whole: Duel, one: Person, moves: int, **more: Any) -> Party:
    """That person's party as it was after so many moves."""
    return Party(whole.short(moves), one.name, one.secret, since=NOW, **more)


def test_a_whole_duel_is_true() -> None:
    """Somebody won, neither lied; the one file says so too."""
    found = verify(MemoryFiles(duel().files))
    assert (found.code, [claim.status for claim in found.claims]) == (0, ["true"] * 2)
    assert "and neither lied" in found.verdict
    assert verify(Pack.of(write(duel().files))) == found


def test_who_moves_next() -> None:
    """Whose turn it is, as long as they were told no lie."""
    for number in (3, 4):
        author, reader = duel().author(number), duel().reader(number)
        assert party(duel(), author, number - 1).moves_next
        assert not party(duel(), reader, number - 1).moves_next
    lie = moved(author, duel().row.moves[number - 1]._replace(facts=("nothing of this",)))
    lied = and_(duel().short(number - 1), lie)
    told = Party(lied, reader.name, reader.secret)
    assert (told.moves_next, told.must_end) == (False, True)


def test_a_block_has_the_number_of_its_own_last_document() -> None:
    """Whatever the other has signed since."""
    whole = duel()
    author, other = whole.author(5), whole.author(6)
    left = and_(whole.short(6), ended(whole.short(6), other))
    assert read_block(Party(left, author.name, author.secret).block()).number == 5
    assert read_block(Party(left, other.name, other.secret).block()).number == 6


def test_a_row_holds_its_accept_and_its_moves() -> None:
    row = duel().row
    assert all(row.holds(one) for one in (row.accepted, *row.digests))
    assert not row.holds(row.id)


def test_there_is_no_setup_before_the_accept() -> None:
    """Though the offer's author knows a half of it."""
    one = duel().people[duel().people[0].name != duel().row.offer.player]
    with pytest.raises(Refused, match=r"^not-yet: the duel has not begun"):
        duel().documents.offered.nonce_for(one.name, one.secret)


def test_an_option_that_duels_fix_may_be_given_as_it_is() -> None:
    assert SILENT.duel is not None
    fixed = dict(SILENT.duel.options)
    assert check_options(SILENT, fixed) == check_options(SILENT, {})
    with pytest.raises(OfferRefused, match="option missed is not for a duel: it is 'resign'"):
        check_options(SILENT, {"missed": "end"})


def test_orders_alone_are_told() -> None:
    """Where the rules ask for no fact of them."""
    side = duel().people[0].at.side.copy()
    assert not side.tells
    side._written.append((9, Written("end")))
    assert side.tells


def test_moves_have_one_size() -> None:
    """Below 3 KB, whatever they hold; two steps' orders still fit."""
    sizes = {len(block) for block in duel("two").blocks[2:]}
    assert len(sizes) == 1
    assert max(sizes) <= MOST


@pytest.mark.slow
def test_moves_have_one_size_in_many_duels() -> None:
    """A move that holds the orders of two steps takes more: between captains one in sixty."""
    sizes = [len(block) for number in range(40) for block in played(f"many {number}").blocks]
    assert max(sizes) < 1.5 * MOST
    assert sum(size > MOST for size in sizes) < len(sizes) // 40


def test_a_lost_disk_loses_nothing() -> None:
    """From 32 bytes and the moves, each block is made again, the same to the byte."""
    whole = duel()
    for at, block in enumerate(whole.blocks[2:-2], 1):
        author = whole.author(at)
        assert party(whole, author, at).block() == block
        before = party(whole, author, at - 1) if at > 1 else None
        if before is not None and before.prompt is None:
            assert before.next_move() == whole.row.moves[at - 1]


def test_orders_that_have_left_do_not_count_twice() -> None:
    """A process may end after the move was kept, and before its orders are forgotten."""
    whole = duel()
    at = next(n for n in range(3, 20) if len(whole.row.moves[n - 1].orders) == 1)
    author, before = whole.author(at), whole.row.digests[at - 2]
    step = party(whole, author, at - 1).side.step
    given = opened(author.secret, step, whole.row.moves[at - 1].orders[0], whole.row.room)
    for moves in (at, at + 1):
        again = party(whole, author, moves, pending=[given], on=before)
        assert (again.pending, again.dropped) == ([], [])
    # Others never left: somebody must be shown them.
    again = party(whole, author, at + 1, pending=[Written("end")], on=before)
    assert (again.pending, again.dropped) == ([], [Written("end")])


def test_a_clock_that_was_ahead_gives_nobody_years() -> None:
    """The time for a move counts from now, if the row grew later than that."""
    whole = duel()
    one = party(whole, whole.author(1), 1)
    one.since = "2036-01-01T00:00:00Z"
    one.notice(NOW)
    assert one.due == "2026-02-04T00:00:00Z"
    one.notice(LATE)
    assert one.due == "2026-02-04T00:00:00Z"
    assert one.end(whole.author(1).signer, LATE, gives_up=False)


def test_who_leaves_before_the_first_move_is_told_of() -> None:
    """There is nothing to end, and nothing to wait for."""
    whole = duel()
    here, reader = whole.short(0), ReadAt(NOW)
    author, other = whole.author(1), whole.reader(1)
    here.add(*ended(here, other, here.longest(*here.begun)))
    for one, who in ((author, other.name), (other, "You")):
        told = standing(Party(here, one.name, one.secret), reader)
        assert told.startswith(f"{who} left before the first move"), told


def test_orders_for_a_move_that_was_made_elsewhere_are_shown() -> None:
    """They are not given again for the next one, and not forgotten without a word."""
    whole = duel()
    at = next(n for n in range(3, 20) if whole.row.moves[n - 1].orders)
    author = whole.author(at)
    late = party(whole, author, at - 1)
    late.order(Written("end"))
    assert late.side.tells
    late.take({one.path: one.file for one in whole.short(at + 2).files.values() if one.accept}, NOW)
    assert late.lie is None
    assert (late.pending, late.dropped) == ([], [Written("end")])
    assert late.side.step == party(whole, author, at + 2).side.step


def test_the_offer_is_one_person_s() -> None:
    """First accept only; not by the offer's own author; and the first move names it."""
    one, other, third = (person(name, "captain", name) for name in ("alice", "bob", "carol"))
    one.offer(SILENT, {})
    offered = one.at.block()
    other.accept(offered)
    third.accept(offered)
    one.take(other.at.block())
    with pytest.raises(Refused, match=r"^superseded: .*accepted by bob already"):
        one.take(third.at.block())
    one.go_on()
    with pytest.raises(Refused, match=r"^unopenable: .*does not open"):
        third.take(one.at.block())
    moves = files_of(one)
    with pytest.raises(Refused, match="what it follows has not come"):
        third.at.take(parties.signed({name: moves[name] for name in moves if "moves" in name}), NOW)
    twin, namesake = person("dora", "captain", "alice"), person("alice", "captain", "dora")
    twin.signer = one.signer
    for same in (twin, namesake):
        with pytest.raises(Refused, match=r"^malformed: .*must be another's"):
            same.accept(offered)


def _another_duel(whole: Duel) -> bytes:
    return duel("two").blocks[6]


def _old(whole: Duel) -> bytes:
    return whole.blocks[4]


def _too_new(whole: Duel) -> bytes:
    return whole.blocks[8]


def _own(whole: Duel) -> bytes:
    return whole.blocks[5]


WRONG: tuple[tuple[Callable[[Duel], bytes], str], ...] = (
    (_another_duel, "other-game: the block is of the duel"),
    (_too_new, "not-yet: moves/0007-[0-9a-f]*.toml: what it follows has not come"),
    (_own, "unopenable: the sealed file does not open"),
)


@pytest.mark.parametrize(("block", "words"), WRONG)
def test_blocks_that_do_not_fit_are_refused(block: Callable[[Duel], bytes], words: str) -> None:
    """Another duel's, one too early, one's own."""
    whole = duel()
    at = party(whole, whole.author(4), 5 if block is _too_new else 4)
    with pytest.raises(Refused, match=f"^{words}"):
        at.take_block(read_block(block(whole)), NOW)


def test_a_block_that_came_before_changes_nothing() -> None:
    """Mail comes twice."""
    whole = duel()
    at = party(whole, whole.author(4), 4)
    before = at.row
    at.take_block(read_block(_old(whole)), LATE)
    assert (at.row, at.since, at.reply()) == (before, NOW, None)


@pytest.mark.parametrize(
    ("game", "options", "words"),
    [
        (SUBMARINE, {}, "unknown-rules: Submarine Warfare cannot be played without a host"),
        (SILENT, {"missed": "end"}, "malformed: option missed is not for a duel: it is 'resign'"),
        (SILENT, {"reserve_time": "3d"}, "malformed: option reserve_time is not for a duel"),
        (SILENT, {"press": "public"}, "malformed: option press is not for a duel"),
    ],
)
def test_what_no_duel_has_is_refused(game: Any, options: Mapping[str, Any], words: str) -> None:
    """In a sentence, before anything is signed."""
    with pytest.raises(Refused, match=f"^{words}"):
        person("alice", "captain", "x").offer(game, options)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"sails": 3}, "malformed: offer.toml: option 'sails' is unknown"),
        ({"reserve_time": "1d"}, "malformed: offer.toml: option reserve_time is not for a duel"),
        ({"missed": "end"}, "malformed: offer.toml: option missed is not for a duel: it is"),
        ({"speed": "yes"}, "malformed: offer.toml: option speed"),
    ],
)
def test_an_offer_with_an_option_that_no_duel_has(options: Mapping[str, Any], words: str) -> None:
    """Whoever made it: it is refused before anybody accepts it."""
    whole = duel()
    offer = whole.row.offer._replace(options=options)
    file = Signed.by(whole.people[0].signer, sshsig.DUEL, offer.render())
    with pytest.raises(Refused) as error:
        Documents(file)
    assert str(error.value).startswith(words)


def test_an_accept_is_of_one_offer() -> None:
    """If an option is changed, the accept is of another offer."""
    whole = duel()
    offer = whole.row.offer._replace(options={"speed": True})
    other = Documents(Signed.by(whole.people[0].signer, sshsig.DUEL, offer.render()))
    with pytest.raises(Refused, match=r"^other-game: .*it accepts the offer"):
        other.add(names.ACCEPT, whole.documents.files[whole.row.accepted].file)


@pytest.mark.parametrize(
    ("time", "taken"), [("59m", False), ("3599s", False), ("0d", False), ("1h", True)]
)
def test_the_shortest_turn_time_is_an_hour(time: str, taken: bool) -> None:
    """For who offers and who accepts; whoever verifies a duel does not mind."""
    one, other = (person(name, "captain", f"time {time}") for name in ("alice", "bob"))
    if taken:
        one.offer(SILENT, {"turn_time": time})
        other.accept(one.at.block())
        return
    with pytest.raises(Refused, match=f"^bad-option: turn_time = {time}: in a duel each"):
        one.offer(SILENT, {"turn_time": time})
    whole = duel()
    offer = whole.row.offer._replace(options={"turn_time": time})
    file = Signed.by(whole.people[0].signer, sshsig.DUEL, offer.render())
    with pytest.raises(Refused, match="takes an hour at least"):
        other.accept(open_block(file.files(names.OFFER)))
    assert verify(MemoryFiles(file.files(names.OFFER))).code == 4


def test_what_is_seen_before_the_other_is_known() -> None:
    """By the options of the offer, but for who begins: they may not be there yet."""
    view = parties.setup_view(SUGAR, {"quiet": 5, "first": "bob"}, "alice")
    assert (view.setup.options["quiet"], view.setup.options["first"]) == (5, None)


@pytest.mark.parametrize("match", ["first", "a" * 64])
def test_in_a_match_who_offers_sits_first(match: str) -> None:
    """No lot says who sits where, so a second game that the other offers changes the seats."""
    for seed in range(8):
        one, other = (person(name, "captain", f"match {seed}") for name in ("alice", "bob"))
        one.offer(SILENT, {"match": match, "first": 1})
        other.accept(one.at.block())
        setup = other.at.row.setup_by(f"{seed:064x}")
        assert (setup.players, setup.options["first"]) == (("alice", "bob"), "alice")
    given = {"match": match, "first": 1}
    seen = [parties.setup_view(SILENT, given, "bob", one).setup for one in ("alice", "")]
    assert [one.options["first"] for one in seen] == ["alice", None]


@pytest.mark.parametrize(
    ("game", "text", "fits"),
    [
        (SILENT, "support E4 submarine E5 submarine " * 14, True),
        (SILENT, "support E4 submarine E5 submarine " * 20, False),
        (SUGAR, "cruise C4 D4\ndraw", True),
        (SUGAR, "cruise C4 D4 # " + "hello " * 90, True),
        (SUGAR, "cruise C4 D4 C4 D4 C4 D4 C4 D4", False),
        (SUGAR, "x" * room(SUGAR.duel.room), True),
        (SUGAR, "x" * (room(SUGAR.duel.room) + 1), False),
    ],
)
def test_orders_that_are_too_long_are_refused(game: Any, text: str, fits: bool) -> None:
    """Before anything is sealed; a remark counts for nothing."""
    given = Written(text.strip())
    if fits:
        assert again.decode(again.encode(again.kept(given, game.duel.room)))
        return
    with pytest.raises(Refused, match=r"^too-big: the orders have \d+ characters: a duel"):
        again.kept(given, game.duel.room)


# A backup that was restored.


def forks(whole: Duel) -> tuple[int, list[dict[str, Signed]]]:
    """The first move in which its author could have ordered otherwise without ending the game; and
    two other moves of that number that they might have made, each signed by their program."""
    for at in range(3, len(whole.row.moves)):
        found = []
        side = party(whole, whole.author(at), at - 1).side
        for text in SILENT.legal(side.view) if side.prompt is not None else ():
            if text.startswith("play "):
                made = _made(whole, at, f"{text}\nend")
                if made is not None and not {*made} & {*whole.files}:
                    found.append(made)
        if len(found) > 1:
            return at, found[:2]
    raise AssertionError("there is none")


def _made(whole: Duel, at: int, text: str) -> dict[str, Signed] | None:
    """The move that these orders make; None if the game ends by it."""
    one = party(whole, whole.author(at), at - 1)
    one.order(Written(text))
    made = dict(one.go_on(whole.author(at).signer, NOW))
    return None if one.ended or not made else made


def shown(one: Person, block: bytes | None) -> None:
    """This person takes in a block."""
    assert block is not None
    one.at.take_block(read_block(block), NOW)


def test_a_restored_side_asks_before_it_orders() -> None:
    """What is lost comes with the answer, once; then both go on to the end by the same moves."""
    one, other = (person(name, "captain", "restored") for name in ("alice", "bob"))
    blocks = [moment.block for moment in play(one, other, SILENT, {})]
    whole = Duel((one, other), blocks)
    at = next(n for n in range(5, 30) if whole.row.moves[n].orders)
    lost, kept = whole.author(at + 1), whole.reader(at + 1)
    lost.party = party(whole, lost, at - 2)
    kept.party = party(whole, kept, at + 3)
    lost.at.restore(NOW)
    assert lost.at.asking
    assert (lost.at.prompt, lost.at.is_due) == (None, False)
    request = lost.at.request()
    shown(kept, request)
    answer = kept.at.reply()
    assert kept.at.reply() is None
    shown(kept, request)
    # The first answer may be lost: it is given again, the same to the byte.
    assert kept.at.reply() == answer
    shown(lost, answer)
    assert (lost.at.asking, lost.at.row) == ("", kept.at.row)
    assert lost.at.documents.files == kept.at.documents.files


def test_a_side_without_a_move_asks_whoever_has_ended() -> None:
    """A disk copied before the first move: the other's end tells that moves are lacking, and
    who has ended answers too."""
    whole = duel()
    one = replace(whole.reader(5), party=party(whole, whole.reader(5), 0))
    other = replace(whole.author(5), party=party(whole, whole.author(5), 5))
    other.at.end(other.signer, LATE, gives_up=False)
    assert not one.at.lacks
    with pytest.raises(Refused):
        shown(one, other.at.block())
    assert one.at.lacks == 5
    assert "adjudicator resend asks for them" in standing(one.at, ReadAt(NOW))
    shown(other, one.at.request())
    shown(one, other.at.reply())
    assert (one.at.lacks, one.at.row) == (0, other.at.row)


def test_a_restored_side_whose_question_has_no_answer_goes_on() -> None:
    """On its player's word."""
    whole = duel()
    at = party(whole, whole.author(5), 4)
    asked = at.is_due or at.prompt
    at.restore(NOW)
    at.ask_no_more()
    assert (at.is_due or at.prompt) == asked
    assert asked


def test_a_restored_side_takes_the_accept_that_it_has() -> None:
    at = party(duel(), duel().author(5), 4)
    at.restore(NOW)
    at.take({names.ACCEPT: duel().documents.files[duel().row.accepted].file}, NOW)
    assert at.asking


def test_a_restored_offer_takes_an_accept_on_its_players_word() -> None:
    """It may have been accepted by somebody else already."""
    one, other = (person(name, "captain", "restored offer") for name in ("alice", "bob"))
    one.offer(SILENT, {})
    other.accept(one.at.block())
    one.at.restore(NOW)
    with pytest.raises(Refused, match=r"^not-yet: .*this side comes from a backup"):
        one.take(other.at.block())
    one.at.ask_no_more()
    one.take(other.at.block())
    assert one.go_on()


def test_both_come_to_one_row_again() -> None:
    """Whoever restores a backup and orders otherwise signs a second move of one number. The other
    shows the longer row, and it is adopted; nobody is a liar."""
    whole = played("one")
    at, (made, _) = forks(whole)
    lost, kept = whole.author(at), whole.reader(at)
    lost.party = party(whole, lost, at - 1)
    kept.party = party(whole, kept, at + 1)
    lost.at.take(made, NOW)
    fork = lost.at.row.last
    assert not kept.at.row.holds(fork)
    shown(kept, lost.at.block())
    assert fork in kept.at.documents.moves
    shown(lost, kept.at.reply())
    shown(kept, lost.at.block())
    assert kept.at.reply() is None
    assert lost.at.row == kept.at.row == whole.documents.row(whole.row.digests[at])
    assert lost.at.prompt == party(whole, lost, at + 1).prompt
    (judged,) = audit.judge(kept.at.documents)
    assert judged.word == "closed"
    assert any(f"{lost.name} signed 2 moves {at}" in note for note in judged.notes)


def test_a_party_stays_on_its_row_and_takes_the_least_digest_of_none() -> None:
    """Of rows of one length; the same whatever came first."""
    whole = duel()
    at, made = forks(whole)
    reader = whole.reader(at)
    for first, second in (made, made[::-1]):
        on = party(whole, reader, at - 1)
        on.take(first, NOW)
        (digest,) = (file.digest for path, file in first.items() if path.startswith("moves/"))
        on.take(second, NOW)
        assert on.row.last == digest
        assert on.reply() is not None
    both = party(whole, reader, at - 1)
    both.take({**made[0], **made[1]}, NOW)
    moves = [file.digest for one in made for path, file in one.items() if path[:5] == "moves"]
    assert both.row.last == min(moves)


def test_who_was_told_a_lie_may_end_at_once() -> None:
    """Though the next move is theirs, and though the game is over for them."""
    for number in (6, len(duel().row.moves)):
        author, reader = duel().author(number), duel().reader(number)
        move = duel().row.moves[number - 1]
        lie = moved(author, move._replace(facts=(*move.facts, "nothing of this")))
        told = Party(and_(duel().short(number - 1), lie), reader.name, reader.secret, since=NOW)
        assert told.side.is_over == (number > 6)
        assert told.end(reader.signer, NOW, gives_up=False)


def test_nobody_is_silent_of_whom_nothing_came_here() -> None:
    """The time runs from when the row grew on this device."""
    waits = Party(duel().short(5), duel().author(5).name, duel().author(5).secret)
    with pytest.raises(Refused, match=r"^not-yet: .*, as nothing came"):
        waits.end(duel().author(5).signer, LATE, gives_up=False)


def test_the_turn_time_runs_on_ones_own_clock() -> None:
    """From when the row grew here, however late the other wrote."""
    whole = duel()
    one = whole.author(6)
    at = party(whole, one, 4)
    at.take_block(read_block(whole.blocks[6]), LATE)
    assert at.due == "2026-03-04T00:00:00Z"
    waits = party(whole, whole.author(5), 5)
    assert waits.due is not None
    later = deadlines.add(waits.due, 1)
    for moment, said in ((NOW, "bob has time|alice has time"),
                          (waits.due, "bob has time|alice has time"), (later, "")):  # fmt: skip
        if said:
            with pytest.raises(Refused, match=f"^not-yet: (?:{said})"):
                waits.end(whole.author(5).signer, moment, gives_up=False)
        else:
            assert waits.end(whole.author(5).signer, moment, gives_up=False)
    with pytest.raises(Refused, match=r"^stale: you have ended this duel already"):
        waits.end(whole.author(5).signer, LATE, gives_up=True)
    with pytest.raises(Refused, match=r"^not-yet: the next move is yours"):
        party(whole, whole.author(6), 5).end(whole.author(6).signer, LATE, gives_up=False)
