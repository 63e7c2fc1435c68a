"""Sugar Dog positions for tests: reached by play, and built from the notation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import islice

import pytest
from matches import NAMES, Adjudication, Writer, play

from games.dice import Dice
from games.game import Event, Step, View, Written
from games.sugar_dog import GAME
from games.sugar_dog.state import State

SEEDS = 50


@dataclass
class Table:
    """A game played by hand: every position that it went through and every step's events."""

    states: list[State]
    events: list[tuple[Event, ...]] = field(default_factory=list)

    @property
    def state(self) -> State:
        """The last position."""
        return self.states[-1]

    def step(self, **lines: str) -> Step[State]:
        """Adjudicate one step with these order texts."""
        orders = {
            player: GAME.read(GAME.view(self.state, player), Written(text))
            for player, text in lines.items()
        }
        step = GAME.adjudicate(self.state, orders, Dice(b"table"))
        self.states.append(step.state)
        self.events.append(step.events)
        return step


Reach = Callable[[int, int, int], Table]


def anything(view: View, dice: Dice) -> str:
    """Any legal line but a resignation; an offered draw stands beside silent running."""
    lines = [line for line in GAME.legal(view) if line != "resign"]
    line = lines[dice.below("line", len(lines))]
    return "silent\ndraw" if line == "draw" else line


@cache
def begun(players: int, seed: int) -> Sequence[Adjudication]:
    """The first steps of such a game."""
    return tuple(islice(play(GAME.id, seed, (partial(Writer, anything),) * players), 60))


@pytest.fixture(scope="session")
def reach() -> Reach:
    """`reach(players, seed, steps)`: a game of random lines, of that many steps at most, one of
    `SEEDS` of so many players."""

    def reached(players: int, seed: int, steps: int) -> Table:
        whole = begun(players, seed % SEEDS)
        states = [whole[0].before, *(step.state for step in whole[:steps])]
        return Table(states, [step.events for step in whole[:steps]])

    return reached


@pytest.fixture(scope="session")
def at() -> Callable[..., Table]:
    """`at(alice={...}, ..., turn=...)`: a game that goes on from a position in the notation."""

    def placed(**position: object) -> Table:
        players = [name for name in NAMES if name in position]
        return Table([GAME.state(GAME.setup(players, {}), position)])

    return placed


@pytest.fixture
def table(at: Callable[..., Table]) -> Table:
    """Alice's turn, in the upper left corner, with no mine left."""
    return at(turn="alice", alice={"sub": "A6", "left": 0}, bob={"sub": "F1"})
