"""The position of a Sugar Dog game, and its notation both ways.

What belongs here: what lies where at sea, whose turn it is, and how that is written down.
What it must not know: how a position changes (`rules`) and who may see what of it (`view`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from games.game import BadPosition, Player, Setup, Table
from games.grid import HEADINGS, Board, Cell, Heading, read_cell
from games.options import Value

MINES = 3
"""The mines that each submarine carries (SD-5)."""

WORDS = frozenset({"setup", "turn", "n", "offers", "contacts"})
"""Keys of a position that no player may bear as a name."""


@dataclass(frozen=True, slots=True)
class Torpedo:
    """A torpedo in flight, in the last cell that it entered. Written `F2 S`."""

    cell: Cell
    heading: Heading

    def __str__(self) -> str:
        return f"{self.cell} {self.heading}"


@dataclass(frozen=True, slots=True)
class Fleet:
    """What one player has at sea. `sub` is None once it is sunk; the rest outlives it (SD-12).

    `mines` stand in the order laid, `torpedoes` oldest first, `left` counts mines not yet laid.
    """

    sub: Cell | None
    mines: tuple[Cell, ...] = ()
    left: int = MINES
    torpedoes: tuple[Torpedo, ...] = ()

    def objects(self) -> tuple[Cell, ...]:
        """The cell of everything afloat or moored: submarine, mines, torpedoes."""
        flying = tuple(torpedo.cell for torpedo in self.torpedoes)
        return ((self.sub,) if self.sub else ()) + self.mines + flying


@dataclass(frozen=True, slots=True)
class State:
    """A position. `fleets` is empty until the setup is adjudicated; `turn` is None then and at
    the end. `n` is the coming turn's number, `offers` whose draw offers stand, in seat order,
    `contacts` each player's last public contact or echo. The mappings are never changed.
    """

    setup: Setup
    fleets: Mapping[Player, Fleet]
    turn: Player | None = None
    n: int = 1
    offers: tuple[Player, ...] = ()
    contacts: Mapping[Player, Cell] = field(default_factory=dict)

    @property
    def board(self) -> Board:
        """The map of this game."""
        return board(self.setup)

    @property
    def survivors(self) -> tuple[Player, ...]:
        """Whose submarine is not sunk, in seat order."""
        return tuple(player for player in self.setup.players if self.fleets[player].sub)

    @property
    def agreed(self) -> bool:
        """Whether the offer of every surviving player stands (SD-16)."""
        return all(player in self.offers for player in self.survivors)

    def with_fleet(self, player: Player, fleet: Fleet) -> State:
        """The same position with another fleet of that player."""
        return replace(self, fleets={**self.fleets, player: fleet})

    def with_contact(self, player: Player, at: Cell) -> State:
        """The same position after a public contact by that player, or an echo of theirs."""
        return replace(self, contacts={**self.contacts, player: at})


def side(players: int) -> int:
    """SD-1: the map's side in cells, 6 for two players and 2 more for each further one."""
    return 2 * players + 2


def board(setup: Setup) -> Board:
    """SD-1: the square map of a game."""
    cells = side(len(setup.players))
    return Board(cells, cells)


def position(state: State) -> dict[str, Value]:
    """The position in full, every key there; inverse of `read_position`."""
    if not state.fleets:
        return {"setup": True}
    out: dict[str, Value] = {} if state.turn is None else {"turn": state.turn}
    out |= {"n": state.n, "offers": list(state.offers), "contacts": write_contacts(state)}
    return out | {player: write_fleet(state.fleets[player]) for player in state.setup.players}


def write_fleet(fleet: Fleet) -> dict[str, Value]:
    """One player's table: `sub` or `sunk = true`, then `mines`, `left`, `torpedoes`."""
    return {
        **({"sub": str(fleet.sub)} if fleet.sub else {"sunk": True}),
        "mines": [str(cell) for cell in fleet.mines],
        "left": fleet.left,
        "torpedoes": [str(torpedo) for torpedo in fleet.torpedoes],
    }


def write_contacts(state: State) -> dict[str, Value]:
    """The last public contact of each player who has had one, in seat order."""
    heard = state.contacts
    return {player: str(heard[player]) for player in state.setup.players if player in heard}


def read_position(setup: Setup, table: Table) -> State:
    """The state that a position stands for; raises BadPosition, naming the key.

    What a hand-written position leaves out has the default of the notation. A `left` left out is
    3 whatever mines are listed: a rule case names only what it is about.
    """
    if "setup" in table:
        if table["setup"] is not True or len(table) > 1:
            raise BadPosition("key 'setup': only setup = true, and nothing beside it")
        return State(setup, {})
    for key in table:
        if key not in WORDS and key not in setup.players:
            raise BadPosition(f"key {key!r:.80}: nobody bears that name, and it is no key")
    state = State(
        setup,
        {player: _fleet(player, table.get(player), board(setup)) for player in setup.players},
        table.get("turn"),
        table.get("n", 1),
        _offers(table.get("offers", []), setup),
        _contacts(table.get("contacts", {}), setup),
    )
    if type(state.n) is not int or not 1 <= state.n < 2**53:
        raise BadPosition(f"key 'n': {state.n!r:.80} is no turn's number, which count from 1")
    _check_turn(state, "turn" in table)
    return state


def _check_turn(state: State, given: bool) -> None:
    """`turn` stands exactly while the game goes on (SD-15, SD-16), and names a survivor."""
    over = len(state.survivors) < 2 or state.agreed
    if given and over:
        raise BadPosition("key 'turn': the game is over, and a finished position has no turn")
    if given and state.turn not in state.survivors:
        raise BadPosition(f"key 'turn': {state.turn!r:.80} is no surviving player")
    if not given and not over:
        raise BadPosition("key 'turn': missing, and the game is not over")


def _fleet(player: Player, table: Value, on: Board) -> Fleet:
    if not isinstance(table, Mapping):
        raise BadPosition(f"key {player!r}: expected a table with sub or sunk = true")
    for key in table:
        if key not in ("sub", "sunk", "mines", "left", "torpedoes"):
            raise BadPosition(f"key '{player}.{key:.80}' is unknown")
    if ("sub" in table) == ("sunk" in table):
        raise BadPosition(f"key {player!r}: expected one of sub and sunk = true")
    if table.get("sunk", True) is not True:
        raise BadPosition(f"key '{player}.sunk': expected true, or a sub in its place")
    left = table.get("left", MINES)
    if type(left) is not int or not 0 <= left <= MINES:
        raise BadPosition(f"key '{player}.left': {left!r:.80} is not from 0 to {MINES}")
    return Fleet(
        _cell(f"{player}.sub", table["sub"], on) if "sub" in table else None,
        tuple(_cell(f"{player}.mines", item, on) for item in _list(player, table, "mines")),
        left,
        tuple(
            _torpedo(f"{player}.torpedoes", item, on) for item in _list(player, table, "torpedoes")
        ),
    )


def _list(player: Player, table: Table, key: str) -> list[Value]:
    items = table.get(key, [])
    if not isinstance(items, list):
        raise BadPosition(f"key '{player}.{key}': expected a list")
    return items


def _cell(key: str, text: Value, on: Board) -> Cell:
    cell = read_cell(text) if isinstance(text, str) else None
    if cell is None or str(cell) != text or not cell.on(on):
        raise BadPosition(f"key '{key}': {text!r:.80} is no cell of this map, A1 to {on.last}")
    return cell


def _torpedo(key: str, text: Value, on: Board) -> Torpedo:
    words = text.split(" ") if isinstance(text, str) else []
    heading = next((heading for heading in HEADINGS if words[1:] == [heading]), None)
    if heading is None:
        raise BadPosition(f"key '{key}': {text!r:.80}: expected a cell and a heading, 'F2 S'")
    return Torpedo(_cell(key, words[0], on), heading)


def _offers(names: Value, setup: Setup) -> tuple[Player, ...]:
    if not isinstance(names, list) or not all(name in setup.players for name in names):
        raise BadPosition("key 'offers': expected a list of players' names")
    if any(names.count(name) > 1 for name in names):
        raise BadPosition("key 'offers': a name stands twice")
    return tuple(player for player in setup.players if player in names)


def _contacts(table: Value, setup: Setup) -> dict[Player, Cell]:
    if not isinstance(table, Mapping):
        raise BadPosition("key 'contacts': expected a table of cells by player")
    for name in table:
        if name not in setup.players:
            raise BadPosition(f"key 'contacts.{name:.80}': nobody bears that name")
    on = board(setup)
    return {player: _cell(f"contacts.{player}", cell, on) for player, cell in table.items()}
