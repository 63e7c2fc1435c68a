"""The position notation of Sugar Dog, both ways.

What belongs here: how a position and its parts are written as plain data, and read again. Readers
raise BadPosition, naming the key. What it must not know: who may see what (`view`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from games.game import BadPosition, Player, Setup, Table
from games.grid import HEADINGS, Board, Cell, read_cell
from games.options import Value
from games.sugar_dog.state import MINES, Fleet, State, Torpedo, board

if TYPE_CHECKING:
    from games.sugar_dog.view import Sight

WORDS = frozenset({"setup", "turn", "n", "offers", "contacts", "quiet", "misses"})
"""Keys of a position that no player may have as a name."""
_FLEET = ("sub", "sunk", "mines", "left", "torpedoes")


# Writing.


def position(state: State) -> dict[str, Value]:
    """The position in full, every key there; inverse of `read_position`."""
    if not state.fleets:
        return {"setup": True}
    fleets = {player: fleet_table(state.fleets[player]) for player in state.setup.players}
    return public_keys(state) | fleets


def public_keys(seen: State | Sight) -> dict[str, Value]:
    """The keys of a position that everybody may see, without who is sunk; contacts in seat
    order."""
    shown: dict[str, Value] = {} if seen.turn is None else {"turn": seen.turn}
    heard = {name: str(seen.contacts[name]) for name in seen.setup.players if name in seen.contacts}
    shown |= {"n": seen.n, "offers": list(seen.offers), "contacts": heard}
    options = seen.setup.options
    if options["quiet"]:
        shown["quiet"] = seen.quiet
    if options["misses"] > 1:
        shown["misses"] = {
            name: seen.misses[name] for name in seen.setup.players if name in seen.misses
        }
    return shown


def fleet_table(fleet: Fleet) -> dict[str, Value]:
    """One player's table: `sub` or `sunk = true`, then `mines`, `left`, `torpedoes`."""
    return {
        **({"sub": str(fleet.sub)} if fleet.sub else {"sunk": True}),
        "mines": [str(cell) for cell in fleet.mines],
        "left": fleet.left,
        "torpedoes": [str(torpedo) for torpedo in fleet.torpedoes],
    }


# Reading.


def read_position(setup: Setup, position: Table) -> State:
    """The state of a written position.

    Keys that a hand-written position leaves out get the default of the notation. A missing `left`
    is 3, however many mines are listed, because a rule case names only its subject.
    """
    if is_setup(setup, position):
        return State(setup, {})
    state = State(
        setup,
        {
            player: read_fleet(player, position.get(player), board(setup))
            for player in setup.players
        },
        position.get("turn"),
        read_n(position.get("n", 1)),
        read_offers(position.get("offers", []), setup),
        read_contacts(position.get("contacts", {}), setup),
        read_quiet(position.get("quiet", 0), setup),
        read_misses(position.get("misses", {}), setup),
    )
    _check_turn(state, "turn" in position)
    return state


def is_setup(setup: Setup, table: Table) -> bool:
    """Whether it is the position before the setup; raises BadPosition for a key that no position
    has."""
    if "setup" in table:
        if table["setup"] is not True or len(table) > 1:
            raise BadPosition("key 'setup': expected setup = true and no other key")
        return True
    for key in table:
        if key not in WORDS and key not in setup.players:
            raise BadPosition(f"key {key!a:.80} is unknown, and no player has that name")
    return False


def _check_turn(state: State, given: bool) -> None:
    """`turn` is there exactly while the game goes on (SD-15, SD-16), and names a survivor."""
    dead = 0 < state.setup.options["quiet"] <= state.quiet
    over = len(state.survivors) < 2 or state.agreed or dead
    if given and over:
        raise BadPosition("key 'turn': the game is over, and a finished position has no turn")
    if given and state.turn not in state.survivors:
        raise BadPosition(f"key 'turn': {state.turn!a:.80} is no surviving player")
    if not given and not over:
        raise BadPosition("key 'turn': missing, though the game is not over")


def read_n(n: Value) -> int:
    """A turn's number."""
    if type(n) is not int or not 1 <= n < 2**53:
        raise BadPosition(f"key 'n': {n!a:.80} is no number of a turn, 1 or more")
    return n


def read_fleet(player: Player, table: Value, on: Board) -> Fleet:
    """A player's table. `mines`, `left` and `torpedoes` may be left out."""
    if not isinstance(table, Mapping):
        raise BadPosition(f"key {player!r}: expected a table with sub or sunk = true")
    for key in table:
        if key not in _FLEET:
            raise BadPosition(f"key '{player}.{key:.80}' is unknown")
    if ("sub" in table) == ("sunk" in table):
        raise BadPosition(f"key {player!r}: expected either sub or sunk = true")
    if table.get("sunk", True) is not True:
        raise BadPosition(f"key '{player}.sunk': expected true, or a sub in its place")
    left = table.get("left", MINES)
    if type(left) is not int or not 0 <= left <= MINES:
        raise BadPosition(f"key '{player}.left': {left!a:.80} is not from 0 to {MINES}")
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
        raise BadPosition(f"key '{key}': {text!a:.80} is no cell of this map, A1 to {on.last}")
    return cell


def _torpedo(key: str, text: Value, on: Board) -> Torpedo:
    words = text.split(" ") if isinstance(text, str) else []
    heading = next((heading for heading in HEADINGS if words[1:] == [heading]), None)
    if heading is None:
        raise BadPosition(f"key '{key}': {text!a:.80}: expected a cell and a heading, 'F2 S'")
    return Torpedo(_cell(key, words[0], on), heading)


def read_offers(names: Value, setup: Setup) -> tuple[Player, ...]:
    """The players with a standing draw offer, in seat order."""
    if not isinstance(names, list) or not all(name in setup.players for name in names):
        raise BadPosition("key 'offers': expected a list of players' names")
    if any(names.count(name) > 1 for name in names):
        raise BadPosition("key 'offers': a name is listed twice")
    return tuple(player for player in setup.players if player in names)


def read_contacts(table: Value, setup: Setup) -> dict[Player, Cell]:
    """The last public contact by player."""
    if not isinstance(table, Mapping):
        raise BadPosition("key 'contacts': expected a table of cells by player")
    for name in table:
        if name not in setup.players:
            raise BadPosition(f"key 'contacts.{name:.80}': no player has that name")
    on = board(setup)
    return {player: _cell(f"contacts.{player}", cell, on) for player, cell in table.items()}


def read_quiet(count: Value, setup: Setup) -> int:
    """The turns in a row without impact and ping; 0 if the option does not count them."""
    most = setup.options["quiet"]
    if type(count) is not int or not 0 <= count <= most:
        raise BadPosition(f"key 'quiet': {count!a:.80} is not from 0 to option quiet = {most}")
    return count


def read_misses(table: Value, setup: Setup) -> dict[Player, int]:
    """The deadlines that each player has missed in a row; empty where one missed deadline is enough
    to resign."""
    most = setup.options["misses"]
    if not isinstance(table, Mapping) or not all(name in setup.players for name in table):
        raise BadPosition("key 'misses': expected a table of numbers by player")
    for name, count in table.items():
        if type(count) is not int or most == 1 or not 1 <= count <= most:
            raise BadPosition(
                f"key 'misses.{name}': {count!a:.80} is not from 1 to option misses = {most}"
                f"{', which counts none' * (most == 1)}"
            )
    return dict(table)
