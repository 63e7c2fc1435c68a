"""The position of a Sugar Dog game, as values.

`rules` changes it, `view` says who may see what of it, `notation` writes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

from games.game import Player, Setup
from games.grid import Board, Cell, Heading

MINES = 3
"""The mines that each submarine carries (SD-5)."""


class Torpedo(NamedTuple):
    """A torpedo in flight, in the last cell that it entered. Written `F2 S`."""

    cell: Cell
    heading: Heading

    def __str__(self) -> str:
        return f"{self.cell} {self.heading}"


class Fleet(NamedTuple):
    """One player's objects at sea. `sub` is None once it is sunk; the rest stays (SD-12).

    `mines` are in the order in which they were laid, `torpedoes` oldest first; `left` counts mines
    not yet laid.
    """

    sub: Cell | None
    mines: tuple[Cell, ...] = ()
    left: int = MINES
    torpedoes: tuple[Torpedo, ...] = ()

    def objects(self) -> tuple[Cell, ...]:
        """The cells of submarine, mines and torpedoes."""
        flying = [torpedo.cell for torpedo in self.torpedoes]
        return (*([self.sub] if self.sub else ()), *self.mines, *flying)

    def at(self, sub: Cell | None) -> Fleet:
        """The same fleet with its submarine in that cell, or (None) sunk."""
        return Fleet(sub, self.mines, self.left, self.torpedoes)

    def flying(self, *torpedoes: Torpedo) -> Fleet:
        """The same fleet with these torpedoes in flight."""
        return Fleet(self.sub, self.mines, self.left, torpedoes)


class State(NamedTuple):
    """A position. `fleets` is empty until the setup is adjudicated; `turn` is None then and at the
    end. `n` is the coming turn's number, `offers` names the players whose draw offers stand, in
    seat order, `contacts` holds each player's last public contact or echo. `quiet` counts turns
    (SD-15) and `misses` each player's deadlines (SD-17), if an option asks for it. Half of a
    position has `doors`: each player's last (`duel`)."""

    setup: Setup
    fleets: Mapping[Player, Fleet]
    turn: Player | None = None
    n: int = 1
    offers: tuple[Player, ...] = ()
    contacts: Mapping[Player, Cell] = MappingProxyType({})
    quiet: int = 0
    misses: Mapping[Player, int] = MappingProxyType({})
    doors: Mapping[Player, Any] = MappingProxyType({})

    @property
    def board(self) -> Board:
        """The map of this game."""
        return board(self.setup)

    @property
    def survivors(self) -> tuple[Player, ...]:
        """The players whose submarine is not sunk, in seat order."""
        return tuple([player for player in self.setup.players if self.fleets[player].sub])

    @property
    def agreed(self) -> bool:
        """Whether the offer of every surviving player stands (SD-16)."""
        return set(self.survivors) <= set(self.offers)


def side(players: int) -> int:
    """SD-1: the map's side in cells, 6 for two players and 2 more for each further one."""
    return 2 * players + 2


def board(setup: Setup) -> Board:
    """SD-1: the square map of a game."""
    return _square(side(len(setup.players)))


@cache
def _square(cells: int) -> Board:
    return Board(cells, cells)
