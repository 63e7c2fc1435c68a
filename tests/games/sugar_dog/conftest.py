"""Sugar Dog positions for tests: reached by play, and built from the notation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from games.dice import Dice
from games.game import Event, Step, Written
from games.sugar_dog import GAME
from games.sugar_dog.state import State

NAMES = ("alice", "bob", "carol", "dave", "erin")
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


@pytest.fixture(scope="session")
def reach() -> Reach:
    """`reach(players, seed, steps)`: a game of random legal lines, of that many steps at most.

    Nobody resigns, and an offered draw stands beside silent running. There are `SEEDS` games of so
    many players, each played once and as far as any test looks.
    """
    tables: dict[tuple[int, int], Table] = {}

    def reached(players: int, seed: int, steps: int) -> Table:
        key = (players, seed % SEEDS)
        table = tables.setdefault(key, begun(players))
        play_on(table, seed % SEEDS, steps)
        return Table(table.states[: steps + 1], table.events[:steps])

    return reached


def begun(players: int) -> Table:
    """A game of so many that has just begun."""
    return Table([GAME.start(GAME.setup(NAMES[:players], {}))])


def play_on(table: Table, seed: int, steps: int) -> None:
    """Go on with random lines until there are so many steps, or the game is over."""
    dice = Dice(b"%d" % seed)
    for number in range(len(table.events), steps):
        lines = {}
        for prompt in GAME.awaited(table.state):
            legal = GAME.legal(GAME.view(table.state, prompt.player))
            legal = tuple(line for line in legal if line != "resign")
            line = legal[dice.below(f"{number}/{prompt.player}", len(legal))]
            lines[prompt.player] = "silent\ndraw" if line == "draw" else line
        if not lines:
            break
        table.step(**lines)


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
