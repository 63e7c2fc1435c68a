"""How a duel ends, by whatever is signed, lost or hidden: a verdict for each row of the table in
`docs/formats/duels.md`, and what once named an honest player a liar."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path

import pytest
from duel.people import Duel, and_, ended, moved, person, played, short

from adjudicator.core.source import MemoryFiles
from adjudicator.duel import again, audit
from adjudicator.duel.documents import Documents, read
from adjudicator.duel.party import Party
from adjudicator.machine.duel import Person
from adjudicator.store.pack import Pack, write
from adjudicator.store.record import Record
from adjudicator.verifier.duel import CODES, verify_all
from adjudicator.verifier.verify import verify
from games.game import Written
from games.silent_ships import GAME as SILENT
from orders import names, sshsig
from orders.duel import Move
from orders.errors import Refused
from orders.sshsig import Signed

NOW, LATE = "2026-02-01T00:00:00Z", "2026-03-01T00:00:00Z"


@cache
def duel() -> Duel:
    """An honest duel, to its end: the loser made the last move."""
    for seed in range(20):
        found = played(f"beginning and end {seed}")
        loser = found.people[found.people[0].name == winner(found)].name
        if found.row.author_of(len(found.row.moves)) == loser:
            return found
    raise AssertionError("no loser makes the last move")


def winner(whole: Duel) -> str | None:
    """Who won."""
    outcome = whole.people[0].at.side.outcome
    assert outcome is not None
    return outcome.winner


def told(*wholes: Documents) -> tuple[int, str]:
    """The exit code and the words about these files together, in whatever order."""
    found = {
        (one.code, one.verdict)
        for order in itertools.permutations(wholes)
        for (one,) in [verify_all(*(MemoryFiles(held(whole)) for whole in order))]
    }
    (only,) = found
    return only


def held(whole: Documents) -> dict[str, bytes]:
    """Its files, as a pack holds them."""
    (accept,) = whole.begun
    files = whole.held(accept)
    assert verify(Pack.of(write(files))) == verify(MemoryFiles(files))
    return files


def at(moves: int, *ends: tuple[Person, int, bool]) -> Documents:
    """So many moves, and ends: whose, after which move, and whether they give it up."""
    whole = duel().short(moves)
    digests = (duel().row.accepted, *duel().row.digests)
    return and_(
        whole, *(ended(duel().documents, by, digests[last], gives_up=up) for by, last, up in ends)
    )


def test_nobody_has_ended() -> None:
    assert told(at(9)) == (4, "incomplete: not opened by alice and bob")
    assert told(at(0)) == (4, "incomplete: the duel has not begun")
    assert told(at(0, (duel().people[0], 0, True))) == (4, "incomplete: the duel has not begun")


def test_true_needs_that_the_last_move_is_confirmed() -> None:
    """By the end of its reader; its author signed it, and their end may name any move."""
    last = len(duel().row.moves)
    wrote, read_it = duel().author(last), duel().reader(last)
    true = f"true: {winner(duel())} won, and neither lied"
    assert audit.judge(duel().documents)[0].notes == ()
    assert told(at(last, (wrote, last, False), (read_it, last, False))) == (0, true)
    early = at(last, (wrote, 5, False), (read_it, last, False))
    assert told(early) == (0, f"{true}; {wrote.name} had ended after move 5")
    code, words = told(at(last, (wrote, last, False), (read_it, last - 2, False)))
    assert (code, "disputed" in words) == (3, True)


def test_who_won_and_has_opened_has_won() -> None:
    """The loser signed the last move, and opens nothing."""
    last = len(duel().row.moves)
    loser, won = duel().author(last), duel().reader(last)
    text = f"true, but look: {won.name} won; {loser.name} has not opened"
    assert told(at(last, (won, last, False))) == (3, text)
    assert told(at(last, (loser, last, False))) == (4, f"incomplete: not opened by {won.name}")
    # Later the loser opens after all: it stays won.
    both = at(last, (won, last, False), (loser, last, False))
    assert told(both, at(last, (won, last, False)))[0] == 0


@pytest.mark.parametrize("gives_up", [True, False])
def test_a_loser_takes_nothing_back(*, gives_up: bool) -> None:
    """Whatever they end with afterwards, and whoever shows it: the ordinary command once turned a
    win that both had opened into a dispute."""
    last = len(duel().row.moves)
    loser, won = duel().author(last), duel().reader(last)
    whole = at(last, (won, last, False), (loser, last, False))
    for later in (last, last - 1, last - 2, 0):
        more = at(last, (loser, later, gives_up))
        code, words = told(whole, more)
        assert (code, words.partition("; ")[0].endswith("and neither lied")) == (0, True), words
    party = Party(whole, loser.name, loser.secret, since=NOW)
    with pytest.raises(Exception, match="you have ended this duel already"):
        party.end(loser.signer, LATE, gives_up=gives_up)


def test_who_gives_up_gives_it_up() -> None:
    """By their own signature; also by an end after a move that nobody has."""
    a, b = duel().author(9), duel().author(10)
    assert told(at(9, (a, 9, True))) == (
        4,
        f"incomplete: {a.name} gave it up; {b.name} has yet to open",
    )
    gave = f"true, but look: {a.name} gave it up; {b.name} wins"
    assert told(at(9, (a, 9, True), (b, 9, False))) == (3, gave)
    assert told(at(9, (a, 9, True)), at(9, (b, 8, False))) == (3, gave)
    assert told(at(9, (a, 0, True), (b, 9, False))) == (3, gave)
    nowhere = ended(duel().documents, a, "ab" * 32, gives_up=True, number=11)
    assert told(and_(at(9, (b, 9, False)), nowhere)) == (3, gave)
    assert told(at(9, (a, 9, True), (b, 9, True))) == (3, "true, but look: both gave it up")


def test_an_answer_to_who_gave_up_names_nobody() -> None:
    """Shown without the end that it answers it is a dispute, and no lie; with it, it is given up,
    whichever file comes first."""
    a, b = duel().author(9), duel().author(10)
    party = Party(at(9, (a, 9, True)), b.name, b.secret, since=NOW)
    assert party.prompt is None
    party.go_on(b.signer, NOW)
    (answer,) = [end for end in party.ends if end.player == b.name]
    assert (answer.number, answer.gives_up) == (9, False)
    assert told(at(9, (b, 9, False)))[0] == 3
    assert told(at(9, (b, 9, False)), at(9, (a, 9, True)))[1].endswith(f"{b.name} wins")


def test_silence_is_disputed() -> None:
    """Between two nobody can prove that a message never came, whatever move its author signed
    later."""
    a, b = duel().author(5), duel().author(6)
    ended_after = {a.name: "ended after move 5", b.name: "has not ended"}
    who = "; ".join(f"{name} {ended_after[name]}" for name in ("alice", "bob"))
    text = f"true, but look: disputed: {who}; {{many}} moves are here, and {{owes}} owes the next"
    assert told(at(5, (a, 5, False))) == (3, text.format(many=5, owes=b.name))
    assert told(at(6, (a, 5, False))) == (3, text.format(many=6, owes=a.name))
    later = f"; {a.name} ended after move 5 and signed move 7"
    assert told(at(7, (a, 5, False))) == (3, text.format(many=7, owes=b.name) + later)
    assert told(at(5, (a, 5, False)), at(7)) == told(at(7, (a, 5, False)))
    for other in (4, 5, 6, 7):
        code, words = told(at(7, (a, 5, False), (b, other, False)))
        assert (code, "disputed" in words) == (3, True)


def test_an_end_of_a_move_that_is_not_here() -> None:
    """The file lacks a move: whoever judges asks for it."""
    a = duel().author(9)
    assert told(at(7, (a, 9, False))) == (
        4,
        f"incomplete: move 9, which the end of {a.name} names, is not here",
    )
    assert audit.judge(at(7, (a, 9, False)))[0].notes == ()


def test_the_number_of_an_end_decides_nothing() -> None:
    """The digest does; else one could drop the end, and with it what it confirms."""
    last = len(duel().row.moves)
    wrote, read_it = duel().author(last), duel().reader(last)
    odd = ended(duel().documents, read_it, duel().row.digests[-1], number=3)
    whole = and_(at(last, (wrote, last, False)), odd)
    assert told(whole)[0] == 0
    (judged,) = audit.judge(whole)
    assert f"the end of {read_it.name} names move 3, and the digest of {last}" in judged.notes


def test_a_move_after_the_end_is_a_lie() -> None:
    """An empty one would hide that the game is over."""
    whole, last = duel(), len(duel().row.moves)
    loser, honest = whole.author(last + 1), whole.reader(last + 1)
    more = moved(loser, Move(whole.row.last, last + 1, None, (), ()))
    lying = and_(at(last), more)
    assert "over before it" in str(Party(lying, honest.name, honest.secret).lie)
    opened = and_(lying, ended(lying, honest), ended(lying, loser))
    code, words = told(opened)
    assert (code, f"{loser.name} lied in move {last + 1}" in words) == (1, True)
    # But a row that is finished and confirmed comes before what is signed beside it or behind it.
    assert told(opened, at(last, (honest, last, False), (loser, last, False)))[0] == 0


def test_rubbish_on_a_side_row_takes_no_win_away() -> None:
    """Lies elsewhere are told where nothing is finished."""
    last = len(duel().row.moves)
    loser, won = duel().author(last), duel().reader(last)
    row = duel().row
    rubbish = moved(loser, row.moves[last - 1]._replace(facts=("nothing of this",)))
    both = at(last, (won, last, False), (loser, last, False))
    assert told(and_(both, rubbish)) == told(both)
    assert told(and_(at(last - 1, (won, last - 1, False)), rubbish))[0] == 1


def test_a_finished_game_that_was_played_again() -> None:
    """Two results, each signed by both: a person must look."""
    last = len(duel().row.moves)
    a, b = duel().people
    start = next(n for n in range(3, last) if duel().row.moves[n - 1].orders)
    mover, other = duel().author(start), duel().reader(start)
    again = Party(duel().short(start - 1), mover.name, mover.secret)
    again.order(Written("resign"))
    made = again.go_on(mover.signer, NOW)
    reads = Party(duel().short(start - 1), other.name, other.secret)
    reads.take(made, NOW)
    while not reads.ended:
        assert reads.is_due
        made = {**made, **reads.go_on(other.signer, NOW)}
    whole = at(last, (a, last, False), (b, last, False))
    code, words = told(and_(whole, *made.items()))
    if mover.name == winner(duel()):
        assert (code, "finished twice: by move" in words) == (3, True)
    else:
        assert code == 0


def test_an_end_of_another_accept_opens_nothing_here() -> None:
    """Anybody may accept a public offer; an accept that no move follows is a note, and two that
    moves follow are two duels, told one by one."""
    whole = duel()
    third = person("carol", "captain", "third")
    third.accept(whole.blocks[0])
    offerer = whole.people[0]
    beside = third.at.documents
    found = verify_all(MemoryFiles(whole.files), MemoryFiles(held(beside)))
    assert [one.code for one in found] == [0]
    assert any("no move follows the accept" in note for note in found[0].claims[0].details)
    for order in ([0, 1], [1, 0]):
        again = Party(short(beside, 0), offerer.name, offerer.secret)
        again.go_on(offerer.signer, NOW)
        files = [MemoryFiles(whole.files), MemoryFiles(held(again.documents))]
        both = verify_all(*(files[one] for one in order))
        assert sorted(one.code for one in both) == [0, 4]
        assert {one.verdict for one in both} == {
            f"true: {winner(whole)} won, and neither lied",
            "incomplete: not opened by alice and carol",
        }


# Nobody's documents.


def spoilt(path: str, files: dict[str, bytes]) -> Iterable[dict[str, bytes]]:
    """The same files with one of them damaged, unsigned, signed by another, or under a wrong
    name."""
    sig, data = names.signature(path), files[path]
    rest = {one: kept for one, kept in files.items() if one not in (path, sig)}
    stranger = person("mallory", "captain", "x").signer
    yield {**rest, path: data}
    yield {**rest, path: data[:-9], sig: files[sig]}
    yield {**rest, path: data, sig: files[sig][::-1]}
    yield {**rest, **Signed.by(stranger, sshsig.DUEL, data).files(path)}
    yield {**rest, path: b"x" * 70_000, sig: files[sig]}
    yield {**rest, path.replace("-", "-0")[: len(path) - 6] + ".toml": data, sig: files[sig]}


def test_what_is_nobodys_is_not_there() -> None:
    """A damaged move cuts its row; a damaged end is none: no lie of anybody's."""
    whole, last = duel(), len(duel().row.moves)
    files = whole.files
    paths = [names.move(number, whole.row.digests[number - 1]) for number in (1, 6, last)]
    paths += [path for path in files if path.startswith("ends/") and path.endswith(".toml")]
    for path in paths:
        for one in spoilt(path, files):
            found = verify(MemoryFiles(one))
            assert found.code in (3, 4), (path, found.verdict)
            assert not any(word in found.verdict for word in ("lied", "gave"))
            # Together with the whole it is what the whole is.
            assert (
                verify_all(MemoryFiles(one), MemoryFiles(files))[0].verdict
                == verify(MemoryFiles(files)).verdict
            )


def test_what_cannot_be_judged_is_unusable() -> None:
    """Without an offer, of two duels, by an earlier release: nobody's lie."""
    files, other = duel().files, played("another").files
    old = files[names.OFFER].replace(b"duel-offer/4", b"duel-offer/3")
    bad = (
        {**files, names.OFFER: b"x"},
        {path: data for path, data in files.items() if path != names.signature(names.OFFER)},
        {**files, names.OFFER: old},
    )
    for one in bad:
        found = verify(MemoryFiles(one))
        assert found.code == 2, found.verdict
    (found,) = verify_all(MemoryFiles(files), MemoryFiles(other))
    assert found.code == 2


def test_nobody_makes_a_set_useless() -> None:
    """Whoever has lost may hand in what they like: a club judges all of it together."""
    files, other = duel().files, played("another").files
    right = verify(MemoryFiles(files)).verdict
    end, sig = next(path for path in files if path.startswith("ends/")), names.signature
    bad = (
        {**files, sig(names.OFFER): files[sig(names.OFFER)][::-1]},
        {**files, end: files[end].replace(b"duel-end/4", b"duel-end/3")},
        {**files, **{path: other[path] for path in (names.ACCEPT, sig(names.ACCEPT))}},
        {**files, names.ACCEPT: b"", sig(names.ACCEPT): b""},
    )
    for one in bad:
        for both in ((one, files), (files, one)):
            assert [each.verdict for each in verify_all(*map(MemoryFiles, both))] == [right]


@pytest.mark.parametrize("put", [Path.mkdir, os.mkfifo, lambda path: path.symlink_to("/dev/zero")])
def test_what_cannot_be_read_is_nobodys_lie(tmp_path: Path, put: Callable[[Path], object]) -> None:
    """A folder, a pipe or a link in a file's place: unusable, whichever file it is."""
    files = duel().files
    record = Record(tmp_path / "duel")
    moves = [path for path in sorted(files) if path.startswith("moves/")]
    for path in (names.OFFER, moves[0], moves[3], next(iter(files)), max(files)):
        record.add([files])
        assert verify(record).code == 0
        (record.root / path).unlink()
        put(record.root / path)
        found = verify(record)
        assert (found.code, path in found.verdict) == (2, True), found.verdict
        (record.root / path).rmdir() if put == Path.mkdir else (record.root / path).unlink()


def test_every_word_has_a_code() -> None:
    """And the program tells no other."""
    assert set(CODES) == {
        "not-begun", "true", "twice", "lie", "closed", "won", "gave-up", "gave-up-closed",
        "both-gave-up", "disputed", "absent", "unopened",
    }  # fmt: skip
    assert isinstance(read(MemoryFiles(duel().files)), Documents)


def test_forks_are_judged_in_linear_time() -> None:
    """Each move is made again once, however many rows go through it."""
    last = len(duel().row.moves)
    row, steps = duel().row, list[str]()
    forks: Sequence[tuple[str, Signed]] = [
        moved(duel().author(n), row.moves[n - 1]._replace(facts=(f"x{many}",)))
        for n in range(2, last)
        for many in range(5)
    ]
    whole = and_(at(last, (duel().people[0], last, False)), *forks)
    with pytest.MonkeyPatch.context() as patch:
        follow = audit.follow

        def counted(*given: object) -> object:
            steps.append("")
            return follow(*given)  # type: ignore[arg-type]

        patch.setattr(audit, "follow", counted)
        audit.judge(whole)
    assert len(steps) == last + len(forks)


def test_an_honest_program_signs_no_move_after_an_end() -> None:
    """Of either player; a block that comes late changes nothing more."""
    a, b = duel().author(9), duel().author(10)
    for ends in ([(a, 9, False)], [(b, 9, False)], [(b, 9, True)]):
        party = Party(at(9, *ends), b.name, b.secret, since=NOW)
        assert party.prompt is None
        made = party.go_on(b.signer, NOW)
        assert not any(path.startswith("moves/") for path in made)
        assert party.ended
        party.take({one.path: one.file for one in at(11).files.values() if one.accept}, NOW)
        assert not party.go_on(b.signer, NOW)
    assert SILENT.duel is not None


def test_the_whole_position_shows_once_both_have_opened() -> None:
    """As the game was played; by one secret there is none."""
    row, one, other = duel().row, *duel().people
    secrets = {one.name: one.secret, other.name: other.secret}
    assert not [*again.states(row, {}), *again.states(row, {one.name: one.secret})]
    *_, last = again.states(row, secrets)
    assert SILENT.outcome(last) == one.at.side.outcome


class _TooBig(MemoryFiles):
    """Files of which the ends are too big to be read."""

    def read(self, path: str) -> bytes:
        if path.startswith("ends/"):
            raise Refused("too-big", f"{path} is larger than may be")
        return super().read(path)


def test_what_lies_beside_a_duel_does_it_no_harm() -> None:
    """A stranger's file is none of it; one that is too big is nobody's, and is told."""
    files = duel().files
    assert read(MemoryFiles({**files, "notes.txt": b"?", "notes.txt.sig": b"?"})).notes == {}
    told = read(_TooBig(files)).notes
    assert {*told} == {path for path in files if path.startswith("ends/") and path[-4:] != ".sig"}
    assert all(words.endswith("is larger than may be") for words in told.values())
