"""The position of a Sugar Dog game, as values, and what somebody may see of it: a position too, in
which the others' fleets are hidden.

`rules` changes it, `notation` writes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from games.game import Player, Setup
from games.grid import Board, Cell, Heading

MINES = 3
"""The mines that each submarine carries (SD-5)."""
RUN = 2
"""What runs enters so many cells in a turn, unless something ends its run, which is told (SD-5)."""
HIDDEN = Cell(0, 0)
"""Where a submarine is that one does not see: nowhere on the map."""


class Torpedo(NamedTuple):
    """A torpedo in flight, in the last cell that it entered. Written `F2 S`."""

    cell: Cell
    heading: Heading

    def __str__(self) -> str:
        return f"{self.cell} {self.heading}"


def run(on: Board, torpedo: Torpedo) -> tuple[Cell, ...]:
    """The one or two cells of the torpedo's next run (SD-5)."""
    first = torpedo.cell.step(torpedo.heading)
    return tuple([cell for cell in (first, first.step(torpedo.heading)) if cell.on(on)])


class Fleet(NamedTuple):
    """One player's objects at sea. `sub` is None once it is sunk; the rest stays (SD-12).

    `mines` are in the order in which they were laid, `torpedoes` oldest first; `left` counts mines
    not yet laid. `hidden`: nothing else is known of it than whether its submarine is afloat.
    """

    sub: Cell | None
    mines: tuple[Cell, ...] = ()
    left: int = MINES
    torpedoes: tuple[Torpedo, ...] = ()
    hidden: bool = False

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
    position has `doors`: each player's last (`duel`). `player`: who sees it so, if one does."""

    setup: Setup
    fleets: Mapping[Player, Fleet]
    turn: Player | None = None
    n: int = 1
    offers: tuple[Player, ...] = ()
    contacts: Mapping[Player, Cell] = MappingProxyType({})
    quiet: int = 0
    misses: Mapping[Player, int] = MappingProxyType({})
    doors: Mapping[Player, Any] = MappingProxyType({})
    player: Player | None = None

    @property
    def board(self) -> Board:
        """The map of this game."""
        return board(self.setup)

    @property
    def begun(self) -> bool:
        """Whether everybody's fleet is at sea."""
        return len(self.fleets) == len(self.setup.players)

    @property
    def own(self) -> Fleet | None:
        """The fleet of the player who sees it so."""
        return None if self.player is None else self.fleets.get(self.player)

    @property
    def survivors(self) -> tuple[Player, ...]:
        """The players whose submarine is not sunk, in seat order."""
        return tuple([player for player in self.setup.players if self.fleets[player].sub])

    @property
    def agreed(self) -> bool:
        """Whether the offer of every surviving player stands (SD-16)."""
        return set(self.survivors) <= set(self.offers)


def see(state: State, player: Player | None) -> State:
    """SD-18: what that player may see (None: everybody), sunk or not; of a position, or of what
    somebody sees.

    Built by adding: the turn and its number, standing offers, last contacts, what the options
    count, who is sunk, and the player's own fleet.
    """
    hidden = {
        name: Fleet(HIDDEN if fleet.sub else None, hidden=True)
        for name, fleet in state.fleets.items()
    }
    own = {} if player is None or not state.begun else {player: state.fleets[player]}
    return State(
        state.setup,
        hidden | own,
        state.turn,
        state.n,
        state.offers,
        state.contacts,
        state.quiet,
        state.misses,
        player=player,
    )


def side(players: int) -> int:
    """SD-1: the map's side in cells, 6 for two players and 2 more for each further one."""
    return 2 * players + 2


def board(setup: Setup) -> Board:
    """SD-1: the square map of a game."""
    cells = side(len(setup.players))
    return Board(cells, cells)
