"""How a position is written down, both ways: of positions, and of views.

Readers raise BadPosition, which names the key at fault. A position need not be reachable; it only
must not contradict itself. What it must not know: who may see what (`state.see`).
"""

from __future__ import annotations

from collections.abc import Sequence

from games.game import Player, Setup, Table, View
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
    ANNOUNCED,
    BOARD,
    HP,
    Over,
    Side,
    State,
    Sub,
    Wreck,
    home_row,
    letters,
    see,
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


# Writing.


def position(state: State) -> dict[str, Value]:
    """The position in full, every key there, or what somebody sees; inverse of `read_position`, and
    of `read_view`."""
    if not state.begun:
        return {"setup": True}
    out: dict[str, Value] = {} if state.turn is None else {"turn": state.turn}
    out["round"] = state.round
    if state.whole:
        out["first"] = state.first
        if state.over:
            out["over"] = write_over(state.over)
    else:
        out |= {"rings": state.rings, "reached": list(state.reached)}
    for player, side in state.sides.items():
        table = _write_side(state, player)
        out[player] = {**table, "nullified": list(side.nullified)} if state.whole else table
    return out if state.ap is None else {**out, "ap": state.ap}


def _write_side(state: State, player: Player) -> dict[str, Value]:
    """One player's table, without `nullified`, which the player may not know."""
    side = state.sides[player]
    if side.hidden:
        known = state.afloat(player).items()
        subs = [f"{letter} {sub.at}" if sub else letter for letter, sub in known]
        return {"subs": subs, **({"draw": True} if side.draw else {})}
    return {
        "row": side.row,
        "points": side.points,
        "subs": [
            f"{sub.letter} {sub.at} {sub.hp} {'up' if sub.up else 'down'} {sub.special}"
            for sub in state.fleet(player)
        ],
        "mines": [str(cell) for cell in side.mines],
        "sunk": [f"{sunk.letter} {sunk.special}" for sunk in side.sunk],
        "draw": side.draw,
    }


def write_over(over: Over) -> dict[str, Value]:
    """SW-15: the end, as the event `over` tells it."""
    ended: dict[str, Value] = {"draw": True} if over.winner is None else {"winner": over.winner}
    return {**ended, "how": over.how}


# Reading.


def read_position(setup: Setup, position: Table) -> State:
    """The state of a written position. Keys that a hand-written position leaves out get the default
    of the notation."""
    first = setup.options["first"] or setup.players[0]
    reader = Reader(position, ("setup", *_KEYS, *setup.players))
    if reader.is_setup():
        return State(setup, {}, {}, None, 1, first)
    sides, subs = _read_sides(setup, reader, setup.players, {})
    one, other = setup.players
    mines = [cell for side in sides.values() for cell in side.mines]
    reader.none_twice(f"{other}.mines", mines)
    if sides[one].row == sides[other].row:
        raise reader.error(f"{other}.row", f": both players have row {sides[other].row}")
    if mines and not any(item.mechanism == "mine" for item in specials(setup).values()):
        raise reader.error("mines", ": the table of specials has no mine")
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


def read_view(view: View) -> State:
    """What a view shows, whoever made the view; raises BadPosition."""
    if isinstance(view.sight, State):
        return view.sight
    setup, player = view.setup, view.player
    reader = Reader(view.shown, ("setup", *_SEEN, *setup.players))
    if reader.is_setup():
        return see(State(setup, {}, {}, None, 1, ""), player)
    own = [name for name in setup.players if name == player]
    sides, subs = _read_sides(setup, reader, own, None)
    reached = reader.take("reached", some_of(*setup.players))
    for name, side in sides.items():
        if side.hidden and name in reached:
            sides[name] = side._replace(points=ANNOUNCED)
    turn = reader.take("turn", word(*setup.players), None)
    ap = reader.take("ap", POINTS) if turn is not None and turn == player else None
    if ap is None and "ap" in reader:
        raise reader.fault("ap", "it only in the view of the player to move")
    first, round_ = setup.players[0], reader.take("round", ROUND)
    seen = State(setup, sides, subs, turn, round_, first, player=player, ap=ap)
    reader.take("rings", number(seen.rings, seen.rings))
    if seen.reached != reached:
        raise reader.fault("reached", f"those with {ANNOUNCED} points")
    return seen


def _read_sides(
    setup: Setup, reader: Reader, known: Sequence[Player], missing: Value
) -> tuple[dict[Player, Side], dict[str, Sub]]:
    """The sides, those that are `known` in full, and the submarines; no two are in one cell.
    `missing`: stands for the table of a known side that is not there."""
    sides: dict[Player, Side] = {}
    subs: dict[str, Sub] = {}
    for player in setup.players:
        if player in known:
            table = reader.inner(player, _SIDE, missing)
            sides[player], fleet = _read_side(setup, table, player)
        else:
            table = reader.inner(player, ("subs", "draw"))
            sides[player], fleet = _read_hidden(setup, table, player)
        subs |= {sub.letter: sub for sub in fleet}
    reader.none_twice(f"{setup.players[-1]}.subs", [sub.at for sub in subs.values()])
    return sides, subs


ROUND, POINTS = number(1), number(0)


def _read_side(setup: Setup, table: Reader, player: Player) -> tuple[Side, Sequence[Sub]]:
    """One player's table in full. Missing keys have their defaults."""
    letter, special = word(*letters(setup, player)), word(*specials(setup))
    sub = phrase("a A1 5 up torpedo", letter, CELL, named(_HP), named(_UP), special)
    subs = table.take("subs", lists(sub.then(lambda found: Sub(*found))), ())
    sunk = table.take("sunk", lists(phrase("c mine", letter, special)), ())
    side = Side(
        table.take("row", _ROW, home_row(setup, player)),
        table.take("points", POINTS, 0),
        table.take("mines", lists(CELL), ()),
        tuple(sorted((Wreck(*item) for item in sunk), key=lambda item: item.letter)),
        table.take("nullified", once(special), ()),
        table.take("draw", TRUTH, False),
    )
    # SW-3: no letter and no special twice.
    table.none_twice("subs", [sub.letter for sub in subs] + [item.letter for item in side.sunk])
    table.none_twice("subs", [sub.special for sub in subs] + [item.special for item in side.sunk])
    return side, subs


def _read_hidden(setup: Setup, table: Reader, player: Player) -> tuple[Side, Sequence[Sub]]:
    """One player's table as others see it: the cells of surfaced submarines, and letters."""
    letter = word(*letters(setup, player))
    surfaced = phrase("a A1", letter, CELL)
    subs = table.take("subs", lists(either(letter.then(lambda name: (name, None)), surfaced)))
    table.none_twice("subs", [name for name, _ in subs])
    unseen = tuple([name for name, at in subs if at is None])
    fleet = [Sub(name, at, HP, True, "") for name, at in subs if at is not None]
    draw = table.take("draw", TRUE, False)
    return Side(draw=draw, unseen=unseen, hidden=True), fleet


_ROW = kind(f"1 or {BOARD.rows}", lambda row: type(row) is int and row in (1, BOARD.rows))


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
