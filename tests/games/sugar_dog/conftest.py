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

    Nobody resigns, and an offered draw stands beside silent running.
    """

    def played(players: int, seed: int, steps: int) -> Table:
        table = Table([GAME.start(GAME.setup(NAMES[:players], {}))])
        dice = Dice(b"%d" % seed)
        for number in range(steps):
            lines = {}
            for prompt in GAME.awaited(table.state):
                legal = GAME.legal(GAME.view(table.state, prompt.player))
                legal = tuple(line for line in legal if line != "resign")
                line = legal[dice.below(f"{number}/{prompt.player}", len(legal))]
                lines[prompt.player] = "silent\ndraw" if line == "draw" else line
            if lines:
                table.step(**lines)
        return table

    return played


@pytest.fixture(scope="session")
def at() -> Callable[..., Table]:
    """`at(alice={...}, ..., turn=...)`: a game that goes on from a position in the notation."""

    def placed(**position: object) -> Table:
        players = [name for name in NAMES if name in position]
        return Table([GAME.state(GAME.setup(players, {}), position)])

    return placed
