"""How a position is written down, both ways.

Readers raise BadPosition, which names the key at fault. A position need not be reachable; it only
must not contradict itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.game import BadPosition, Player, Setup, Table, View
from games.grid import Cell
from games.options import Value
from games.submarine_warfare.events import HOW
from games.submarine_warfare.state import (
    BOARD,
    CELLS,
    HP,
    RINGS,
    Over,
    Side,
    State,
    Sub,
    Sunk,
    home_row,
    letters,
)
from games.submarine_warfare.table import specials

WORDS = frozenset({"setup", "turn", "round", "first", "rings", "reached", "ap", "over"})
"""Keys of a position or a view that no player may have as a name."""

_KEYS = ("turn", "round", "first", "over")
_SEEN = ("turn", "round", "rings", "reached", "ap")
_SIDE = ("row", "points", "subs", "mines", "sunk", "nullified", "draw")
_HP = {str(hp): hp for hp in range(1, HP + 1)}
_UP = {"up": True, "down": False}
_MOST = 2**53


def position(state: State) -> dict[str, Value]:
    """The position in full, every key there; inverse of `read_position`."""
    if not state.sides:
        return {"setup": True}
    out: dict[str, Value] = {} if state.turn is None else {"turn": state.turn}
    out |= {"round": state.round, "first": state.first}
    if state.over:
        out["over"] = write_over(state.over)
    for player in state.setup.players:
        side = state.sides[player]
        table = write_side(side, state.fleet(player))
        out[player] = {**table, "nullified": list(side.nullified)}
    return out


def write_side(side: Side, fleet: Sequence[Sub]) -> dict[str, Value]:
    """One player's table, without `nullified`, which the player may not know."""
    return {
        "row": side.row,
        "points": side.points,
        "subs": [
            f"{sub.letter} {sub.at} {sub.hp} {'up' if sub.up else 'down'} {sub.special}"
            for sub in fleet
        ],
        "mines": [str(cell) for cell in side.mines],
        "sunk": [f"{sunk.letter} {sunk.special}" for sunk in side.sunk],
        "draw": side.draw,
    }


def write_over(over: Over) -> dict[str, Value]:
    """SW-15: the end, as the event `over` tells it."""
    ended: dict[str, Value] = {"draw": True} if over.winner is None else {"winner": over.winner}
    return {**ended, "how": over.how}


def read_position(setup: Setup, position: Table) -> State:
    """The state of a written position; raises BadPosition, naming the key."""
    first = setup.options["first"] or setup.players[0]
    if is_setup(position):
        return State(setup, {}, {}, None, 1, first)
    for key in position:
        if key not in _KEYS and key not in setup.players:
            raise BadPosition(f"key {key!a:.80} is unknown, and no player has that name")
    sides: dict[Player, Side] = {}
    subs: dict[str, Sub] = {}
    for player in setup.players:
        sides[player], fleet = read_side(setup, player, position.get(player, {}))
        subs |= fleet
    _check_together(setup, sides, subs)
    return State(
        setup,
        sides,
        subs,
        _player(setup, "turn", position["turn"]) if "turn" in position else None,
        _number("round", position.get("round", 1), 1, _MOST),
        _player(setup, "first", position.get("first", first)),
        _over(setup, position),
    )


def read_side(setup: Setup, player: Player, table: Value) -> tuple[Side, dict[str, Sub]]:
    """One player's table, with their submarines by letter; also reads a view's own table. Missing
    keys have their defaults."""
    if not isinstance(table, Mapping):
        raise BadPosition(f"key {player!r}: expected a table with {', '.join(_SIDE)}")
    for key in table:
        if key not in _SIDE:
            raise BadPosition(f"key '{player}.{key:.80}' is unknown; there are {', '.join(_SIDE)}")
    draw = table.get("draw", False)
    if type(draw) is not bool:
        raise BadPosition(f"key '{player}.draw': {draw!a:.80}: expected true or false")
    subs = [_sub(setup, player, text) for text in _texts(player, table, "subs")]
    sunk = [_sunk(setup, player, text) for text in _texts(player, table, "sunk")]
    side = Side(
        _row(player, table.get("row", home_row(setup, player))),
        _number(f"{player}.points", table.get("points", 0), 0, _MOST),
        tuple(_cell(f"{player}.mines", text) for text in _texts(player, table, "mines")),
        tuple(sorted(sunk, key=lambda item: item.letter)),
        tuple(
            _special(setup, f"{player}.nullified", text)
            for text in _texts(player, table, "nullified")
        ),
        draw,
    )
    # SW-3: no letter and no special twice.
    _no_twice(f"{player}.subs", [sub.letter for sub in subs] + [item.letter for item in sunk])
    _no_twice(f"{player}.subs", [sub.special for sub in subs] + [item.special for item in sunk])
    _no_twice(f"{player}.nullified", side.nullified)
    return side, {sub.letter: sub for sub in subs}


def check_view(view: View) -> None:
    """Raise BadPosition unless this is a view that can be drawn and against which orders can be
    judged."""
    setup, shown, player = view.setup, view.shown, view.player
    if is_setup(shown):
        return
    for key in shown:
        if key not in _SEEN and key not in setup.players:
            raise BadPosition(f"key {key!a:.80} is unknown, and no player has that name")
    turn = _player(setup, "turn", shown["turn"]) if "turn" in shown else None
    _number("round", shown.get("round"), 1, _MOST)
    _number("rings", shown.get("rings"), 0, RINGS + 1)
    if shown.get("reached") not in _in_seat_order(setup):
        raise BadPosition(
            f"key 'reached': {shown.get('reached')!a:.80}: expected players in seat order"
        )
    if turn is not None and turn == player:
        _number("ap", shown.get("ap"), 0, _MOST)
    elif "ap" in shown:
        raise BadPosition("key 'ap': it is only in the view of the player to move")
    up: list[Cell] = []
    for name in setup.players:
        if name == player:
            _, fleet = read_side(setup, name, shown.get(name))
            up += [sub.at for sub in fleet.values()]
        else:
            up += _check_seen(setup, name, shown.get(name))
    _no_twice("subs", up)


def is_setup(table: Table) -> bool:
    """Whether a position or a view is that of the setup; raises BadPosition for a mixture."""
    if "setup" not in table:
        return False
    if table["setup"] is not True or len(table) > 1:
        raise BadPosition("key 'setup': expected setup = true and no other key")
    return True


def _in_seat_order(setup: Setup) -> tuple[list[Player], ...]:
    """The lists of some players in seat order."""
    one, other = setup.players
    return [], [one], [other], [one, other]


def _check_seen(setup: Setup, player: Player, table: Value) -> list[Cell]:
    """Another player's table in a view: the cells of surfaced submarines."""
    if not isinstance(table, Mapping) or set(table) - {"draw"} != {"subs"}:
        raise BadPosition(f"key {player!r}: expected a table with subs, and draw for an offer")
    if table.get("draw", True) is not True:
        raise BadPosition(f"key '{player}.draw': expected true, or no such key")
    key = f"{player}.subs"
    lines = [text.partition(" ") for text in _texts(player, table, "subs")]
    _no_twice(key, [_letter(setup, player, key, letter) for letter, _, _ in lines])
    return [_cell(key, where) for _, blank, where in lines if blank]


def _check_together(setup: Setup, sides: Mapping[Player, Side], subs: Mapping[str, Sub]) -> None:
    """No two submarines and no two mines are in one cell; the home rows face each other."""
    one, other = setup.players
    mines = [cell for side in sides.values() for cell in side.mines]
    _no_twice(f"{other}.subs", [sub.at for sub in subs.values()])
    _no_twice(f"{other}.mines", mines)
    if sides[one].row == sides[other].row:
        raise BadPosition(f"key '{other}.row': both players have row {sides[other].row}")
    if mines and not any(item.mechanism == "mine" for item in specials(setup).values()):
        raise BadPosition("key 'mines': the table of specials has no mine")


def _over(setup: Setup, table: Table) -> Over | None:
    """The end is there exactly if it is nobody's turn."""
    if ("over" in table) == ("turn" in table):
        raise BadPosition("key 'turn': expected either turn or over = { winner, how }")
    if "turn" in table:
        return None
    over = table["over"]
    if not isinstance(over, Mapping) or set(over) not in ({"winner", "how"}, {"draw", "how"}):
        raise BadPosition("key 'over': expected { winner, how } or { draw = true, how }")
    winner = over.get("winner")
    if winner not in (*setup.players, "host") and over.get("draw") is not True:
        raise BadPosition(f"key 'over': {winner!a:.80}: expected a player's name or host")
    if over["how"] not in [*HOW]:
        raise BadPosition(f"key 'over.how': expected one of {', '.join(HOW)}")
    return Over(winner, over["how"])


def _player(setup: Setup, key: str, name: Value) -> Player:
    for player in setup.players:
        if name == player:
            return player
    raise BadPosition(f"key {key!r}: {name!a:.80}: no player has that name")


def _number(key: str, value: Value, low: int, high: int) -> int:
    if type(value) is not int or not low <= value < high:
        raise BadPosition(f"key {key!r}: {value!a:.80}: expected a whole number from {low} on")
    return value


def _row(player: Player, value: Value) -> int:
    if type(value) is not int or value not in (1, BOARD.rows):
        raise BadPosition(f"key '{player}.row': {value!a:.80}: expected 1 or {BOARD.rows}")
    return value


def _texts(player: Player, table: Table, key: str) -> Sequence[str]:
    items = table.get(key, [])
    if not isinstance(items, list) or not {str}.issuperset(map(type, items)):
        raise BadPosition(f"key '{player}.{key}': expected a list of strings")
    return items


def _cell(key: str, text: str) -> Cell:
    if text not in CELLS:
        raise BadPosition(f"key {key!r}: {text!a:.80} is no cell of the map, A1 to G7")
    return CELLS[text]


def _sub(setup: Setup, player: Player, text: str) -> Sub:
    key, words = f"{player}.subs", text.split(" ")
    if len(words) != 5 or words[2] not in _HP or words[3] not in _UP:
        raise BadPosition(
            f"key {key!r}: {text!a:.80}: expected letter, cell, HP from 1 to {HP}, up or down, "
            "special: 'a A1 5 up torpedo'"
        )
    letter, at, hp, up, special = words
    return Sub(
        _letter(setup, player, key, letter),
        _cell(key, at),
        _HP[hp],
        _UP[up],
        _special(setup, key, special),
    )


def _sunk(setup: Setup, player: Player, text: str) -> Sunk:
    key, words = f"{player}.sunk", text.split(" ")
    if len(words) != 2:
        raise BadPosition(f"key {key!r}: {text!a:.80}: expected letter and special: 'c mine'")
    return Sunk(_letter(setup, player, key, words[0]), _special(setup, key, words[1]))


def _letter(setup: Setup, player: Player, key: str, text: str) -> str:
    own = letters(setup, player)
    if len(text) != 1 or text not in own:
        raise BadPosition(f"key {key!r}: {text!a:.80} is none of {player}'s submarines, {own}")
    return text


def _special(setup: Setup, key: str, text: str) -> str:
    if text not in specials(setup):
        raise BadPosition(
            f"key {key!r}: {text!a:.80} is no special of the table: {', '.join(specials(setup))}"
        )
    return text


def _no_twice(key: str, items: Sequence[object]) -> None:
    seen: set[object] = set()
    for item in items:
        if item in seen:
            raise BadPosition(f"key {key!r}: {item} is listed twice")
        seen.add(item)
