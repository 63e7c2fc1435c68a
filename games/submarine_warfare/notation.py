"""How a position is written down, both ways.

Readers raise BadPosition, which names the key at fault. A position need not be reachable; it only
must not contradict itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.game import Player, Setup, Table, View
from games.grid import Cell
from games.kinds import (
    TRUE,
    TRUTH,
    Reader,
    cell,
    either,
    kind,
    lists,
    named,
    number,
    once,
    phrase,
    some_of,
    word,
)
from games.options import Value
from games.submarine_warfare.events import HOW
from games.submarine_warfare.state import (
    BOARD,
    HP,
    RINGS,
    Over,
    Side,
    State,
    Sub,
    Wreck,
    home_row,
    letters,
)
from games.submarine_warfare.table import specials

CELL = cell(BOARD)
WORDS = frozenset({"setup", "turn", "round", "first", "rings", "reached", "ap", "over"})
"""Keys of a position or a view that no player may have as a name."""

_KEYS = ("turn", "round", "first", "over")
_SEEN = ("turn", "round", "rings", "reached", "ap")
_SIDE = ("row", "points", "subs", "mines", "sunk", "nullified", "draw")
_HP = {str(hp): hp for hp in range(1, HP + 1)}
_UP = {"up": True, "down": False}


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
    reader = Reader(position, ("setup", *_KEYS, *setup.players))
    if reader.is_setup():
        return State(setup, {}, {}, None, 1, first)
    sides: dict[Player, Side] = {}
    subs: dict[str, Sub] = {}
    for player in setup.players:
        sides[player], fleet = read_side(setup, player, position.get(player, {}))
        subs |= fleet
    _check_together(setup, reader, sides, subs)
    someone = word(*setup.players)
    return State(
        setup,
        sides,
        subs,
        reader.take("turn", someone, None),
        reader.take("round", ROUND, 1),
        reader.take("first", someone, first),
        _over(setup, reader),
    )


ROUND, POINTS = number(1), number(0)


def read_side(setup: Setup, player: Player, table: Value) -> tuple[Side, dict[str, Sub]]:
    """One player's table, with their submarines by letter; also reads a view's own table. Missing
    keys have their defaults."""
    reader = Reader(table, _SIDE, player)
    letter, special = word(*letters(setup, player)), word(*specials(setup))
    sub = phrase("a A1 5 up torpedo", letter, CELL, named(_HP), named(_UP), special)
    subs = reader.take("subs", lists(sub.then(lambda found: Sub(*found))), ())
    sunk = reader.take("sunk", lists(phrase("c mine", letter, special)), ())
    side = Side(
        reader.take("row", _ROW, home_row(setup, player)),
        reader.take("points", POINTS, 0),
        reader.take("mines", lists(CELL), ()),
        tuple(sorted((Wreck(*item) for item in sunk), key=lambda item: item.letter)),
        reader.take("nullified", once(special), ()),
        reader.take("draw", TRUTH, False),
    )
    # SW-3: no letter and no special twice.
    reader.none_twice("subs", [sub.letter for sub in subs] + [item.letter for item in side.sunk])
    reader.none_twice("subs", [sub.special for sub in subs] + [item.special for item in side.sunk])
    return side, {sub.letter: sub for sub in subs}


_ROW = kind(f"1 or {BOARD.rows}", lambda row: type(row) is int and row in (1, BOARD.rows))


def check_view(view: View) -> None:
    """Raise BadPosition unless this is a view that can be drawn and against which orders can be
    judged."""
    setup, player = view.setup, view.player
    reader = Reader(view.shown, ("setup", *_SEEN, *setup.players))
    if reader.is_setup():
        return
    turn = reader.take("turn", word(*setup.players), None)
    reader.take("round", ROUND)
    reader.take("rings", number(0, RINGS))
    reader.take("reached", some_of(*setup.players))
    if turn is not None and turn == player:
        reader.take("ap", POINTS)
    elif "ap" in reader:
        raise reader.fault("ap", "it only in the view of the player to move")
    up: list[Cell] = []
    for name in setup.players:
        if name == player:
            _, fleet = read_side(setup, name, view.shown.get(name))
            up += [sub.at for sub in fleet.values()]
        else:
            up += _check_seen(setup, reader, name)
    reader.none_twice("subs", up)


def _check_seen(setup: Setup, reader: Reader, player: Player) -> list[Cell]:
    """Another player's table in a view: the cells of surfaced submarines."""
    table, letter = reader.inner(player, ("subs", "draw")), word(*letters(setup, player))
    table.take("draw", TRUE, None)
    surfaced = phrase("a A1", letter, CELL)
    subs = table.take("subs", lists(either(letter.then(lambda name: (name, None)), surfaced)))
    table.none_twice("subs", [name for name, _ in subs])
    return [at for _, at in subs if at is not None]


def _check_together(
    setup: Setup, reader: Reader, sides: Mapping[Player, Side], subs: Mapping[str, Sub]
) -> None:
    """No two submarines and no two mines are in one cell; the home rows face each other."""
    one, other = setup.players
    mines = [cell for side in sides.values() for cell in side.mines]
    reader.none_twice(f"{other}.subs", [sub.at for sub in subs.values()])
    reader.none_twice(f"{other}.mines", mines)
    if sides[one].row == sides[other].row:
        raise reader.error(f"{other}.row", f": both players have row {sides[other].row}")
    if mines and not any(item.mechanism == "mine" for item in specials(setup).values()):
        raise reader.error("mines", ": the table of specials has no mine")


def _over(setup: Setup, reader: Reader) -> Over | None:
    """The end is there exactly if it is nobody's turn."""
    if ("over" in reader) == ("turn" in reader):
        raise reader.fault("turn", "either turn or over = { winner, how }")
    if "turn" in reader:
        return None
    over = reader.inner("over", ("winner", "draw", "how"))
    if ("winner" in over) == ("draw" in over):
        raise reader.fault("over", "{ winner, how } or { draw = true, how }")
    over.take("draw", TRUE, None)
    winner = over.take("winner", word(*setup.players, "host"), None)
    return Over(winner, over.take("how", word(*HOW)))
