"""A duel of Sugar Dog tells what a host tells, and nothing more.

For each step, and each of the two as the reader, everything that the other tells is written down
beforehand from the events that a host would have told the reader: which facts, in which order, how
long each is, and what the reader makes of it. A letter in a box is what its reader can open. What
they cannot is under keys that they do not have (`tests/orders/test_secrets.py`), and a door looks
as any other. So whoever holds their hosted reports can write all that reaches them; the number and
the sizes of moves come from the facts and from one's own orders alone. One thing is told that a
host does not tell, at the end of a game: see `ENDS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import pytest
from duel.hosted import SUGAR_BOTS, Hosted, Played, Script, cell, dense, placed, sugar

from adjudicator.duel.side import secrets_of
from games.duel import Half
from games.game import Bot, Player
from games.sugar_dog.duel import End, Heard, More, Trial
from games.sugar_dog.orders import Orders
from games.sugar_dog.rules import Run
from games.sugar_dog.state import Fleet, Torpedo
from orders.doors import Doors

ENDS = None
"""Where the reader's submarine is lost, its letter still says whether more would have been heard:
who wrote it could not know. The opening, which follows, tells it in any case."""


class Told(NamedTuple):
    """A fact: its kind, what its reader makes of it, how long it is."""

    what: str
    meaning: Any
    size: int


class Sound(NamedTuple):
    """What everybody hears of a run (its cells) or of a ping (its source)."""

    cells: tuple[str, ...]
    ping: bool = False
    impact: bool = False
    sunk: tuple[Player, ...] = ()


RUN = len("C3 ") + len("A" * 312)
DOORS = 1_536


def sounds(events: Sequence[Mapping[str, Any]]) -> Iterator[Sound]:
    """The sounds in the public events of a turn."""
    cells: list[str] = []
    struck, sunk = False, []
    for event in (*events, {"kind": "end"}):
        kind = event["kind"]
        if kind == "impact":
            struck = True
        elif kind == "sunk" and struck:
            sunk.append(event["player"])
        elif cells and (struck or kind != "contact" or len(cells) == 2):
            yield Sound(tuple(cells), impact=struck, sunk=tuple(sunk))
            cells, struck, sunk = [], False, []
        if kind == "contact":
            cells.append(event["at"])
        elif kind == "ping":
            yield Sound((event["at"],), ping=True)


def foretold(hosted: Hosted, step: int, reader: Player) -> list[Told]:
    """What the other tells in a step, by what a host tells the reader."""
    heard = [one for one in hosted.heard(step, reader) if one["for"] == "*"]
    before, over = hosted.states[step - 1], any(one["kind"] == "over" for one in heard)
    told: list[tuple[Player, Told]] = []
    if step == 1:
        second = next(name for name in hosted.setup.players if name != hosted.states[1].turn)
        told.append((second, Told("doors", "", DOORS)))
    else:
        mover = before.turn
        told += foretold_turn(mover, hosted.setup.after(mover)[0], heard, over)
    return [one for owner, one in told if owner != reader]


def foretold_turn(
    mover: Player, other: Player, heard: Sequence[Mapping[str, Any]], over: bool
) -> Iterator[tuple[Player, Told]]:
    """What both tell in a turn."""
    kinds = [one["kind"] for one in heard]
    begins = "resign" if kinds[1:2] == ["sunk"] or kinds[2:3] == ["sunk"] else "nothing"
    begins = "draw" if "draw-offered" in kinds else begins
    yield mover, Told("turn", begins, len(begins))
    found = list(sounds(heard))
    if over and not found and heard[-1].get("how") != "quiet":
        return
    for number, sound in enumerate(found):
        last = number == len(found) - 1
        if sound.ping:
            size = len(f"ping {sound.cells[0]}")
            yield mover, Told("heard", sound, size)
            yield mover, Told("doors", "", DOORS)
            for owner in (mover, other):
                cells = [one["at"] for one in heard if one["kind"] == "echo" and one["of"] == owner]
                yield owner, Told("echoes", cells, len(" ".join(cells) or "none"))
            continue
        own = sound._replace(sunk=tuple(name for name in sound.sunk if name == mover))
        ends = ENDS if other in sound.sunk else last and not own.sunk
        yield mover, Told("heard", (own, ends), RUN)
        yield mover, Told("doors", "", DOORS)
        yield other, Told("answer", sound, 32 + 5 * (other in sound.sunk))
        if sound.impact and not sound.sunk and not last:
            yield other, Told("doors", "", DOORS)
    if not found:
        yield mover, Told("heard", "nothing", len("nothing"))
        yield mover, Told("doors", "", DOORS)


class Log:
    """Everything that was read, by the release of the step in which its reader read it."""

    def __init__(self) -> None:
        self.read: dict[str, list[Told]] = {}
        self.cells: tuple[str, ...] = ()

    def fact(
        self, true: Callable[..., Any], half: Half, owner: Player, what: str, *how: Any
    ) -> Any:
        """In place of Half.fact."""
        if half.knows(owner):
            return true(half, owner, what, *how)
        if half.used == 0:
            (mine,) = half.secrets.values()
            self.now = self.read[mine.release] = []
        value = true(half, owner, what, *how)
        size = len(half.told[half.used - 1]) - len(what) - 1
        self.now.append(Told(what, self.meaning(what, value), size))
        return value

    def meaning(self, what: str, value: Any) -> Any:
        """What the reader makes of a fact."""
        if isinstance(value, Heard) and isinstance(value.sound, Run):
            (end,) = value.ends.values()
            cells = tuple(map(str, value.sound.cells))
            sound = Sound(cells, impact=end.met.impact, sunk=end.met.sunk)
            return sound, end.last
        if isinstance(value, Heard):
            return "nothing" if value.sound is None else Sound((str(value.sound),), ping=True)
        if isinstance(value, End):
            return value.met
        if isinstance(value, Orders):
            return "draw" if value.draw else type(value.command).__name__.lower()
        return list(map(str, value)) if what == "echoes" else ""


def same(one: Told, other: Told) -> bool:
    """Whether a fact is the one foretold."""
    told, read = one.meaning, other.meaning
    if one.what == "turn":
        read = "nothing" if read == "silent" else read
    elif one.what == "answer":
        told = (len(told.cells), told.impact, tuple(told.sunk))
        read = tuple(read)
    elif isinstance(told, tuple) and told[-1] is ENDS:
        told, read = told[0], read[0]
    return (one.what, one.size, told) == (other.what, other.size, read)


def check(played: Callable[[], Played]) -> int:
    """All that reaches each of the two in one duel, as foretold; how many facts that were."""
    log, true = Log(), Half.fact
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Half, "fact", lambda *given: log.fact(true, *given))
        duel = played()
    facts, hosted = 0, duel.hosted
    for reader in hosted.setup.players:
        for step in range(1, len(hosted.states)):
            mine = secrets_of(hosted.secrets[reader], step).release
            told, read = foretold(hosted, step, reader), log.read.get(mine, [])
            assert len(told) == len(read), (step, reader, told, read)
            for one, other in zip(told, read, strict=True):
                assert same(one, other), (step, reader, one, other)
            facts += len(told)
    return facts


def test_all_that_is_told_follows_from_the_readers_reports() -> None:
    """In games of all bots, and from crowded positions."""
    for number in range(0, len(SUGAR_BOTS) ** 2, 5):
        assert check(lambda number=number: sugar(number, {"quiet": 9})) > 0  # type: ignore[misc]
    for number in range(20):
        assert check(lambda number=number: dense(number, {})) > 0  # type: ignore[misc]


@pytest.mark.slow
def test_all_that_is_told_follows_in_many_games() -> None:
    """The same in a hundred."""
    pairs = len(SUGAR_BOTS) ** 2
    for number in range(pairs):
        check(lambda number=number: sugar(number + number % 2 * pairs, {}))  # type: ignore[misc]
    for number in range(100):
        check(lambda number=number: dense(number, {}))  # type: ignore[misc]


def test_the_test_finds_what_a_host_does_not_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the end of a turn were not told with its last sound, there were more facts than foretold:
    so the number of torpedoes would show, say."""

    def more(*given: Any) -> None:
        raise More

    monkeypatch.setattr(Trial, "secret", more)
    with pytest.raises(AssertionError):
        check(lambda: sugar(5, {}))


SEA = {
    "alice": Fleet(cell("A1"), (cell("C3"),), 2, (Torpedo(cell("A3"), "E"),)),
    "bob": Fleet(cell("F6"), (), 3),
}


def answers(fleets: Mapping[Player, Fleet]) -> list[str]:
    """What bob answers to alice's torpedo, which enters B3 and C3 in her first turn."""
    bots: dict[Player, Bot] = {"alice": Script("silent"), "bob": Script()}
    duel = placed(fleets, bots, {}, "both", Doors)
    facts = [fact for player, said in duel.moves for fact in said.facts if player == "bob"]
    return [fact for fact in facts if fact.startswith("answer")]


def test_neither_hears_what_the_other_has_where_both_have_something() -> None:
    """Alice's torpedo hits her own mine: she hears the same if bob has one there, to the byte; and
    bob, who has one there, hears the same if she has none."""
    with_mine = {**SEA, "bob": Fleet(cell("F6"), (cell("C3"),), 2)}
    both, own = answers(with_mine), answers(SEA)
    assert both == own
    theirs = answers({**with_mine, "alice": SEA["alice"]._replace(mines=())})
    assert theirs != own
