"""Ships, seas, positions; and a position in writing, of which what somebody sees is a part."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, NamedTuple

from games import kinds
from games.dice import Dice
from games.game import Player, Setup, Table, View
from games.grid import STEPS, Board, Cell

LENGTHS: Mapping[str, int] = {
    "carrier": 5, "battleship": 4, "cruiser": 3, "submarine": 3, "destroyer": 2,
}  # fmt: skip
HEADINGS = ("N", "E")
MISS = "miss"
SIDE = 10
BOARD = Board(2 * SIDE, SIDE)
"""Both seas, the first player's in columns A to J, the second's in K to T (BS-2)."""
_WEST, _EAST = (
    tuple(cell for cell in BOARD.cells() if (cell.column > SIDE) == east) for east in (False, True)
)


class Ship(NamedTuple):
    """A ship from its lowest or leftmost cell on: `carrier B3 E`."""

    name: str
    first: Cell
    heading: str

    @property
    def cells(self) -> tuple[Cell, ...]:
        """All its cells, on the board or not."""
        (column, row), (x, y) = self.first, STEPS[self.heading]
        return tuple(Cell(column + x * at, row + y * at) for at in range(LENGTHS[self.name]))

    def rank(self) -> int:
        """Its place in a fleet."""
        return list(LENGTHS).index(self.name)

    def __str__(self) -> str:
        return f"{self.name} {self.first} {self.heading}"


def east(ship: Ship) -> Ship:
    """The same ship in the sea of the second player."""
    return ship._replace(first=Cell(ship.first.column + SIDE, ship.first.row))


class Shot(NamedTuple):
    """A shot with its answer: the name of the ship that it hit, or `miss`."""

    cell: Cell
    answer: str

    def __str__(self) -> str:
        return f"{self.cell} {self.answer}"


@dataclass(frozen=True, slots=True)
class Sea:
    """One player's sea: the fleet, empty if it is not placed or hidden, and all shots at it."""

    fleet: tuple[Ship, ...] = ()
    shots: tuple[Shot, ...] = ()

    def at(self, cell: Cell) -> str:
        """The answer to a shot there (BS-4)."""
        return next((ship.name for ship in self.fleet if cell in ship.cells), MISS)

    def hits(self, name: str) -> frozenset[Cell]:
        """Where that ship was hit."""
        return frozenset(shot.cell for shot in self.shots if shot.answer == name)

    @property
    def afloat(self) -> tuple[str, ...]:
        """The names of the ships that are not hit in all their cells (BS-5)."""
        return tuple(name for name, cells in LENGTHS.items() if len(self.hits(name)) < cells)


@dataclass(frozen=True, slots=True)
class State:
    """`turn` is "" until the fleets are placed, and at the end; `winner` is "" until then."""

    setup: Setup
    seas: Mapping[Player, Sea] = field(default_factory=dict)
    turn: Player = ""
    winner: Player = ""

    @property
    def begins(self) -> bool:
        """Whether fleets are still to be placed."""
        return not self.turn and not self.winner

    def sea(self, player: Player) -> Sea:
        """That player's sea."""
        return self.seas.get(player, Sea())

    def cells(self, player: Player) -> tuple[Cell, ...]:
        """The cells of that player's sea, row by row; while fleets are placed A1 to J10 (BS-1)."""
        return _WEST if self.begins or player == self.setup.players[0] else _EAST

    def other(self, player: Player) -> Player:
        """The other player."""
        return self.setup.after(player)[0]

    def put(self, player: Player, **changed: Any) -> State:
        """The state with something else in that player's sea."""
        return replace(self, seas={**self.seas, player: replace(self.sea(player), **changed)})

    def seen(self, player: Player | None) -> State:
        """What that player sees: every shot, and their own fleet."""
        seas = {
            name: sea if name == player else Sea(shots=sea.shots) for name, sea in self.seas.items()
        }
        return replace(self, seas=seas)


@cache
def _berths(name: str, water: tuple[Cell, ...]) -> tuple[tuple[Ship, frozenset[Cell]], ...]:
    """Everywhere that a ship fits in that water, with its cells."""
    ships = [Ship(name, cell, heading) for cell in water for heading in HEADINGS]
    return tuple((ship, frozenset(ship.cells)) for ship in ships if {*ship.cells} <= {*water})


def places(state: State, owner: Player, name: str) -> list[Ship]:
    """Everywhere that a ship can be by the shots at it: on all its own hits, on no other shot. What
    room the other ships need is not asked."""
    sea = state.sea(owner)
    hits = sea.hits(name)
    others = {shot.cell for shot in sea.shots} - hits
    berths = _berths(name, state.cells(owner))
    return [ship for ship, cells in berths if hits <= cells and not others & cells]


def drawn(state: State, player: Player, dice: Dice) -> tuple[Ship, ...]:
    """A fleet where the dice put it, ship by ship (BS-6)."""
    fleet: tuple[Ship, ...] = ()
    for name in LENGTHS:
        taken = {cell for ship in fleet for cell in ship.cells}
        free = [ship for ship in places(state, player, name) if not taken & {*ship.cells}]
        fleet = (*fleet, free[dice.below(f"place/{player}/{name}", len(free))])
    return fleet


# In writing.


def position(state: State) -> dict[str, Any]:
    """A state, or what somebody sees of it, as plain data."""
    out: dict[str, Any] = {"setup": True} if state.begins else {}
    out |= {key: name for key, name in (("turn", state.turn), ("winner", state.winner)) if name}
    for player, sea in state.seas.items():
        fleet = {"fleet": [str(ship) for ship in sea.fleet]} if sea.fleet else {}
        out[player] = {**fleet, "shots": [str(shot) for shot in sea.shots]}
    return out


_CELL = kinds.cell(BOARD)
_SHIPS = kinds.lists(
    kinds.phrase("carrier B3 E", kinds.word(*LENGTHS), _CELL, kinds.word(*HEADINGS)).then(
        lambda parts: Ship(*parts)
    )
)
_SHOTS = kinds.lists(
    kinds.phrase("B3 miss", _CELL, kinds.word(MISS, *LENGTHS)).then(lambda parts: Shot(*parts))
)


def read_position(setup: Setup, position: Table, whole: bool = True) -> State:
    """The way back; raises BadPosition. Unless it must be `whole`, a fleet may be hidden."""
    reader = kinds.Reader(position, ("setup", "turn", "winner", *setup.players))
    if whole and reader.is_setup():
        return State(setup)
    player = kinds.word(*setup.players)
    turn, winner = reader.take("turn", player, ""), reader.take("winner", player, "")
    if ("setup" in reader, turn != "", winner != "").count(True) != 1:
        raise reader.fault("turn", "it, or `winner`")
    state = State(setup, turn=turn, winner=winner)
    for name in setup.players:
        if name in reader or not state.begins:
            state = _read_sea(state, name, reader.inner(name, ("fleet", "shots"), {}), whole)
    lost = [name for name, sea in state.seas.items() if not sea.afloat]
    if lost != ([state.other(winner)] if winner else []):
        raise reader.fault("winner", "whoever sank the whole fleet of the other")
    return state


def _read_sea(state: State, player: Player, reader: kinds.Reader, whole: bool) -> State:
    """The state with that player's sea; raises BadPosition for what cannot be there."""
    fleet = reader.take("fleet", _SHIPS, kinds.MISSING if whole else ())
    shots = reader.take("shots", _SHOTS)
    sea = Sea(fleet, shots)
    for key, cells in (
        ("fleet", [cell for ship in fleet for cell in ship.cells]),
        ("shots", [shot.cell for shot in shots]),
    ):
        reader.none_twice(key, cells)
        if not {*cells} <= {*state.cells(player)}:
            raise reader.fault(key, f"cells of the sea of {player}")
    if whole and [ship.name for ship in fleet] != [*LENGTHS]:
        raise reader.fault("fleet", ", ".join(LENGTHS))
    state = state.put(player, fleet=fleet, shots=shots)
    fits = all(places(state, player, name) for name in LENGTHS)
    if not fits or (whole and any(sea.at(shot.cell) != shot.answer for shot in shots)):
        raise reader.fault("shots", "answers that the fleet gives")
    return state


def read_view(view: View) -> State:
    """What a view's player sees; raises BadPosition."""
    seen: State = view.sight or read_position(view.setup, view.shown, whole=False)
    return seen
