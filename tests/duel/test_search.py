"""The search finds nothing; and it finds each fault that was once in the judge, put back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, NamedTuple

import pytest
from duel import search
from duel.hosted import drawn
from duel.search import NOW, Broken, Chosen, exhaust, fast, real_walk, somebody, walks
from duel.toy import TOY

from adjudicator.duel import audit
from adjudicator.duel.audit import Point, _Judge
from adjudicator.duel.documents import Documents
from adjudicator.duel.side import Side
from adjudicator.machine.duel import Person
from games.game import Game
from games.silent_ships import GAME as SILENT
from games.sugar_dog import GAME as SUGAR
from orders.duel import read_block
from orders.errors import Refused


@pytest.fixture(autouse=True)
def _fast() -> Iterator[None]:
    with fast():
        yield


@pytest.mark.parametrize("number", range(8))
def test_every_course_is_judged_well(number: int) -> None:
    """All that can happen in two actions, with every subset of what was signed."""
    worlds, sets = exhaust(number, 2)
    assert worlds > 20
    assert sets > 50


def test_walks_are_judged_well() -> None:
    """Longer ones, at random, with two devices."""
    assert walks(16) > 500


@pytest.mark.slow
@pytest.mark.parametrize("number", range(8))
def test_every_longer_course_is_judged_well(number: int) -> None:
    """The same in three actions."""
    assert exhaust(number, 3)[1] > 500


@pytest.mark.slow
def test_many_walks_are_judged_well() -> None:
    """A thousand."""
    assert walks(1_000, 1_000) > 200_000


@pytest.mark.slow
@pytest.mark.parametrize("game", [SILENT, SUGAR], ids=lambda game: game.id)
def test_walks_at_real_games_are_judged_well(game: Game[Any, Any]) -> None:
    """From some moves before the end of an honest duel."""
    assert sum(real_walk(game, seed) for seed in range(24)) > 900


# Power.


def disputed_first(patch: pytest.MonkeyPatch) -> None:
    """A claim that the other is silent goes before what is finished."""
    decided = _Judge._decided

    def worse(self: _Judge) -> Any:
        early = [one for one in self.ends if one.last in self.points and not self._is_over(one)]
        return ("disputed", "disputed", None, None) if early else decided(self)

    patch.setattr(_Judge, "_decided", worse)


def absent_end_ignored(patch: pytest.MonkeyPatch) -> None:
    """A give-up after a move that is not here is none."""
    is_over = _Judge._is_over
    patch.setattr(
        _Judge, "_is_over", lambda self, end: end.last not in self.points or is_over(self, end)
    )


def lies_first(patch: pytest.MonkeyPatch) -> None:
    """A lie anywhere goes before a row that is finished."""
    finished = _Judge._finished
    patch.setattr(_Judge, "_finished", lambda self: [] if self.lies else finished(self))


def over_too_early(patch: pytest.MonkeyPatch) -> None:
    """A game is over for whoever knows the result, though they have something left to tell."""
    walk = _Judge._walk

    def worse(self: _Judge) -> None:
        # Of the judge alone: with a program that thinks so too, no game comes to its end.
        with pytest.MonkeyPatch.context() as within:
            within.setattr(Side, "is_over", property(lambda self: self.outcome is not None))
            walk(self)

    patch.setattr(_Judge, "_walk", worse)


def not_confirmed(patch: pytest.MonkeyPatch) -> None:
    """A move at which the game is over counts though its reader never named it."""

    def finished(self: _Judge) -> list[str]:
        found = [one for one, point in self.points.items() if len(point.over) == 2]
        return sorted(found, key=lambda one: (-self._number(one), one))

    patch.setattr(_Judge, "_finished", finished)


def odd_number_dropped(patch: pytest.MonkeyPatch) -> None:
    """An end with another number than that of its digest is not there."""
    ends_of = Documents.ends_of
    patch.setattr(
        Documents,
        "ends_of",
        lambda self, accept: {
            one: end
            for one, end in ends_of(self, accept).items()
            if self.number(end.last) in (None, end.number)
        },
    )


def of_another_accept(patch: pytest.MonkeyPatch) -> None:
    """An end opens each duel of its offer."""
    patch.setattr(Documents, "ends_of", lambda self, accept: dict(sorted(self.ends.items())))


def first_file_counts(patch: pytest.MonkeyPatch) -> None:
    """Of two ends of one player the one that came first counts."""
    ends_of = Documents.ends_of

    def first(self: Documents, accept: str) -> dict[str, Any]:
        found: dict[str, tuple[str, Any]] = {}
        mine = ends_of(self, accept)
        for one, end in self.ends.items():
            if one in mine:
                found.setdefault(end.player, (one, end))
        return dict(found.values())

    patch.setattr(Documents, "ends_of", first)


def later_move_contradicts(patch: pytest.MonkeyPatch) -> None:
    """Whoever signs a move behind one after which they ended is a liar."""
    walk = _Judge._walk

    def worse(self: _Judge) -> None:
        walk(self)
        for name in self.names:
            if self._later(name):
                self.lies.append((0, self.accept, audit.Lie(0, name, "signed a later move")))

    patch.setattr(_Judge, "_walk", worse)


def forks_are_lies(patch: pytest.MonkeyPatch) -> None:
    """Two moves of one number are a proof against who signed them."""
    walk = _Judge._walk

    def worse(self: _Judge) -> None:
        walk(self)
        numbers = [self._number(one) for one in self.moves]
        for number in sorted({one for one in numbers if numbers.count(one) > 1}):
            name = self.begun.author_of(number)
            self.lies.append((number, self.accept, audit.Lie(number, name, "two moves")))

    patch.setattr(_Judge, "_walk", worse)


def winner_need_not_confirm(patch: pytest.MonkeyPatch) -> None:
    """Whoever has opened has won wherever the game is over for them, whoever signed that move."""
    decided = _Judge._decided

    def worse(self: _Judge) -> Any:
        found = decided(self)
        for end in self.ends if found[0] not in ("true", "twice", "lie") else ():
            for last, point in self.points.items():
                if (
                    end.player in point.over
                    and point.outcome
                    and point.outcome.winner == end.player
                ):
                    return "won", "won", last, point.outcome
        return found

    patch.setattr(_Judge, "_decided", worse)


def accept_is_over(patch: pytest.MonkeyPatch) -> None:
    """Who gives up after the accept gives nothing up."""
    init = _Judge.__init__

    def worse(self: _Judge, *given: Any) -> None:
        init(self, *given)
        self.points[self.accept] = Point(self.names)

    patch.setattr(_Judge, "__init__", worse)


class Found(NamedTuple):
    """By which property a fault is found, and in which walk first."""

    by: str
    walk: int


FAULTS: dict[Callable[[pytest.MonkeyPatch], None], Found] = {
    disputed_first: Found("e", 0),
    absent_end_ignored: Found("e", 0),
    lies_first: Found("c", 12),
    over_too_early: Found("f", 16),
    not_confirmed: Found("f", 7),
    odd_number_dropped: Found("e", 61),
    of_another_accept: Found("b", 4),
    first_file_counts: Found("g", 0),
    later_move_contradicts: Found("a", 17),
    forks_are_lies: Found("a", 4),
    winner_need_not_confirm: Found("f", 7),
    accept_is_over: Found("e", 23),
}


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_each_fault_is_found(fault: Callable[[Any], None], monkeypatch: pytest.MonkeyPatch) -> None:
    """By the property that it breaks, in the walk that is kept beside it; if walks are others now,
    within some hundreds."""
    fault(monkeypatch)
    found = FAULTS[fault]
    with pytest.raises(Broken) as broken:
        walks(1, found.walk)
        walks(300)
    assert str(broken.value).partition("(")[2][0] == found.by, broken.value


# Two who are honest.


def _exchange(one: Person, other: Person, random: Random, lost: float) -> None:
    """Each sends what they would send; some of it is lost."""
    for sender, reader in ((one, other), (other, one)):
        blocks = [sender.at.block(), sender.at.reply()]
        if sender.at.asking or random.random() < 0.3:
            blocks.append(sender.at.request())
        for block in blocks:
            if block is not None and random.random() >= lost:
                try:
                    reader.at.take_block(read_block(block), NOW)
                except Refused as error:
                    assert error.word == "not-yet", error
                    sender_asked = reader.at.request()
                    if random.random() >= lost:
                        sender.at.take_block(read_block(sender_asked), NOW)
        reader.at.dropped.clear()


def _plays(person: Person, random: Random) -> None:
    while person.at.prompt is not None:
        person.bot = Chosen(random.choice("01"))
        person.order()
    person.at.go_on(person.signer, NOW)


@pytest.mark.parametrize("number", range(12))
def test_two_who_are_honest_come_to_an_end(number: int) -> None:
    """With lost blocks and restored backups: nobody is named, and without an end on somebody's word
    the game is finished, true, and both know it."""
    random = Random(number)  # noqa: S311 - a test's own
    one, other = (somebody(name, f"both/{number}", Chosen("0")) for name in ("alice", "bob"))
    one.offer(TOY, {})
    other.accept(one.at.block())
    one.take(other.at.block())
    backups: dict[str, list[Any]] = {person.name: [] for person in (one, other)}
    for turn in range(60):
        for person in random.sample((one, other), 2):
            backups[person.name].append([*person.at.documents.files.values()])
            _plays(person, random)
            if turn < 20 and random.random() < 0.1 and not person.at.ended:
                _restore(person, random.choice(backups[person.name]))
        _exchange(one, other, random, 0.4 if turn < 20 else 0)
        if one.at.ended and other.at.ended and one.at.is_left and other.at.is_left:
            break
        if turn == 25:
            # The answer was lost: a person goes on without it.
            one.at.ask_no_more()
            other.at.ask_no_more()
    (judged,) = audit.judge(one.at.documents)
    assert judged.lie is None
    assert judged.word in ("true", "disputed"), judged.text
    assert audit.judge(other.at.documents)[0].word == judged.word
    if not any(len(kept) < 2 for kept in backups.values()) and judged.word == "disputed":
        # A side that was restored behind its own end may have played another row.
        assert "ended after" in judged.text


def _restore(person: Person, kept: Any) -> None:
    """This person's side from a backup, which asks."""
    offer, *rest = kept
    whole = Documents(offer.file)
    for one in rest:
        whole.add(one.path, one.file)
    person.party = search.Party(whole, person.name, person.secret)
    person.heard = 0
    person.at.restore(NOW)
    assert drawn(person.name)
