"""A duel tells what a host tells, and nothing more: each fact follows from its reader's reports.

For each step of a game, and each of the two as the reader, the facts of the other are searched for:
all facts that the rules would ask are tried, as long as the events are those that a host would have
told this reader. Exactly one row of facts must come to the host's report. So whoever holds their
hosted reports can write every fact themselves; and with it the number and the sizes of moves, which
come from the facts and from one's own orders alone. Releases are drawn, and tell nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations, product
from typing import Any

import pytest
from duel.hosted import EDITIONS, Hosted, silent

from adjudicator.duel.side import secrets_of
from games.duel import Half, Secrets, Untrue, Waiting
from games.game import Player
from games.silent_ships import duel as rules_of_duels
from games.silent_ships.cards import NAMES
from games.silent_ships.duel import HalfRun
from games.silent_ships.state import BOARD, State, places

PAIRS = 16


class Recorder(Half):
    """Notes the facts of both, by owner."""

    def __init__(self, secrets: Mapping[Player, Secrets], released: Mapping[Player, str]) -> None:
        super().__init__(secrets, (), released)
        self.facts: dict[Player, list[str]] = {name: [] for name in secrets}

    def fact(self, owner: Player, *given: Any) -> Any:
        """See Half."""
        value = super().fact(owner, *given)
        self.facts[owner].append(self.tells[-1])
        return value


class Asking(Half):
    """Notes which fact the rules wait for, and the run that waits; in `order`, all facts with their
    owners."""

    run: HalfRun
    asked: tuple[str, Any] = ("", None)

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.order: list[tuple[Player, str]] = []

    def fact(self, owner: Player, what: str, known: Callable[[], Any], *rest: Any) -> Any:
        """See Half."""
        if not self.knows(owner) and self.used == len(self.told):
            self.asked = what, known
        value = super().fact(owner, what, known, *rest)
        self.order.append(
            (owner, (self.tells if self.knows(owner) else self.told[: self.used])[-1])
        )
        return value


class KeptRun(HalfRun):
    """Lets what has happened so far be seen."""

    def __init__(self, state: State, half: Half) -> None:
        super().__init__(state, half)
        half.run = self  # type: ignore[attr-defined]


def facts_of(hosted: Hosted, step: int) -> Mapping[Player, list[str]]:
    """What both tell in a step."""
    secrets = {name: secrets_of(one, step) for name, one in hosted.secrets.items()}
    recorder = Recorder(secrets, {name: one.release for name, one in secrets.items() if step == 1})
    hosted.adjudicated(step, recorder)
    return recorder.facts


class Search:
    """All rows of facts that come to one report."""

    def __init__(self, hosted: Hosted, step: int, reader: Player, half: State) -> None:
        self.hosted, self.step, self.reader, self.half = hosted, step, reader, half
        self.other = next(name for name in hosted.setup.players if name != reader)
        self.heard = hosted.heard(step, reader)
        state = hosted.states[step]
        self.over = hosted.game.outcome(state) is not None
        self.view = hosted.game.view(state, reader).shown
        self.told = repr((self.heard, self.view))
        self.release = secrets_of(hosted.secrets[self.other], step).release
        self.tried = 0

    def asking(self, told: list[str]) -> Asking:
        """The reader's half of the step, with these facts."""
        secrets = {self.reader: secrets_of(self.hosted.secrets[self.reader], self.step)}
        released = {name: secrets_of(one, 1).release for name, one in self.hosted.secrets.items()}
        return Asking(secrets, told, released if self.step == 1 else {})

    def orders(self) -> dict[Player, Any]:
        """The reader's own orders of the step."""
        written = self.hosted.files.get((self.step, self.reader))
        game = self.hosted.game
        if written is None:
            return {}
        return {self.reader: game.read(game.view(self.half, self.reader), written)}

    def run(self, told: list[str]) -> tuple[Asking, Any]:
        """What comes of these facts: the step, or None if the rules ask for more."""
        half, duel = self.asking(told), self.hosted.game.duel
        assert duel is not None
        try:
            return half, duel.step(self.half, self.orders(), half)
        except Waiting:
            return half, None

    def rows(self, told: list[str]) -> Iterator[list[str]]:
        """All rows that begin so and come to the report."""
        self.tried += 1
        try:
            half, step = self.run(told)
        except Untrue:
            return
        events = half.run.events if step is None else step.events
        heard = tuple(one.whole() for one in events if one.heard_by(self.reader))
        # A run for looks begins with no events.
        if step is None and heard != self.heard[: len(heard)]:
            return
        if step is not None:
            game = self.hosted.game
            same = self.over or game.view(step.state, self.reader).shown == self.view
            if heard == self.heard and same:
                yield told
            return
        what, known = half.asked
        for fact in self.candidates(half.run, what, known):
            yield from self.rows([*told, f"{what} {fact}"])

    def refused(self, row: list[str]) -> bool:
        """Whether no duel takes the orders: an answer that turns up a ship which the battle turns
        up anyway. A host's report is the same with it and without; this search found it."""
        attack = self.half.attack
        fights = any(fact.startswith(("answer stand", "answer support")) for fact in row)
        fighting = (str(attack.start), str(attack.to)) if attack is not None and fights else ()
        return any(
            fact == f"answer flip {cell}"
            and not any(
                self.half.cards.ability(row[at + 1].split(" ")[1], ability)
                for ability in ("arms", "reaches")
            )
            for at, fact in enumerate(row)
            for cell in fighting
        )

    def candidates(self, run: HalfRun, what: str, known: Any) -> Iterator[str]:
        """Everything that could be told here. A line or an answer that names a cell is heard with
        that cell, so those of no cell that was heard are left out."""
        if what == "release":
            yield self.release
        elif what in ("line", "answer"):
            yield from self.lines(run)
        elif what in ("retreat", "support"):
            yield from ("never", "ask", "always" if what == "retreat" else "all")
        elif what == "push":
            yield from ("ask", *map(str, BOARD.cells()))
        elif what == "supports":
            yield from ("ask", *self.supports(run))
        else:
            ships = known.args[0]
            yield from map(" ".join, product(*(self.names(str(ship.at)) for ship in ships)))

    def lines(self, run: HalfRun) -> Iterator[str]:
        yield from ("nothing", "end", "resign", "offer end", "stand", "retreat")
        yield from (f"support {cells}" for cells in self.supports(run))
        cells = [str(cell) for cell in BOARD.cells() if repr(str(cell)) in self.told]
        yield from (f"push {cell}" for cell in cells)
        yield from (f"flip {cell}" for cell in cells)
        yield from (f"play {cell}" for cell in map(str, places(run.setup, self.other).values()))
        yield from (f"swap {cell} {name}" for cell in cells for name in run.piles[self.other].sunk)
        own = [str(at) for at, ship in run.board.items() if ship.owner == self.other]
        for start in set(own) & set(cells):
            for length in (1, 2, 3):
                up = length == 1 or any(
                    ship.up and str(at) == start for at, ship in run.board.items()
                )
                for way in product(cells, repeat=length) if up else ():
                    yield " ".join(["move", start, *way])

    def supports(self, run: HalfRun) -> Iterator[str]:
        own = [str(at) for at, ship in run.board.items() if ship.owner == self.other]
        yield "none"
        for count in range(1, len(own) + 1):
            yield from map(" ".join, combinations(own, count))

    def names(self, cell: str) -> list[str]:
        """The name that was shown there and one that was not; all, if none was shown."""
        turned = [
            event["ship"]
            for event in self.heard
            if event["kind"] == "flipped" and event["at"] == cell
        ]
        if turned:
            return [*turned, next(name for name in NAMES if name not in turned)]
        shown = [line.split(" ") for line in self.view.get("board", ())]
        found = [line[3] for line in shown if line[0] == cell and len(line) == 4]
        return [found[0], next(name for name in NAMES if name != found[0])] if found else [*NAMES]


def check(hosted: Hosted) -> tuple[int, int]:
    """Search every step for both readers; how many facts were predicted, and how many rows
    tried."""
    facts = tried = 0
    for reader in hosted.setup.players:
        other = next(name for name in hosted.setup.players if name != reader)
        half: Any = hosted.states[0]
        for step in range(1, len(hosted.states)):
            right = facts_of(hosted, step)[other]
            search = Search(hosted, step, reader, half)
            found = [row for row in search.rows([]) if not search.refused(row)]
            assert found == [right], (step, reader, found, right)
            facts, tried = facts + len(right), tried + search.tried
            _, done = search.run(right)
            half = done.state
    return facts, tried


@pytest.fixture(autouse=True)
def _kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules_of_duels, "HalfRun", KeptRun)


@pytest.mark.parametrize("edition", EDITIONS[:3], ids=str)
def test_each_fact_follows_from_the_readers_reports(edition: Mapping[str, Any]) -> None:
    """In a game of an edition between a random bot and one that writes anything, and in one
    between captains."""
    for number in (11,) if edition else (0, 11):
        facts, tried = check(silent(number, edition).hosted)
        assert tried > facts > 0


@pytest.mark.slow
@pytest.mark.parametrize("edition", EDITIONS[:5], ids=str)
def test_each_fact_follows_in_many_games(edition: Mapping[str, Any]) -> None:
    """Between all bots, each pair in one edition, offered by either."""
    for number in range(EDITIONS.index(edition), PAIRS, 5):
        check(silent(number + number % 2 * PAIRS, edition).hosted)


def test_the_search_finds_what_a_host_does_not_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    """If facts told more, there were several rows: standing orders that nobody asked, say."""
    played = silent(0, {})
    true = Search.candidates

    def more(self: Search, run: HalfRun, what: str, known: Any) -> Iterator[str]:
        yield from true(self, run, what, known)
        if what == "release":
            yield "0" * 64

    monkeypatch.setattr(Search, "candidates", more)
    with pytest.raises(AssertionError):
        check(played.hosted)
