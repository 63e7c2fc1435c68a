"""What may be written, judged by what its author sees: `place` five times, then `shoot`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.game import After, Choice, Illegal, Player, View, Written
from games.grid import Cell
from games.orders import (
    Blank,
    Line,
    Verb,
    Word,
    not_yours,
    offered,
    read_lines,
    read_named_cell,
    read_word,
)

from .fleet import HEADINGS, LENGTHS, Ship, State, position, read_view

Orders = tuple[Any, ...]
"""A fleet, or the one cell of a shot."""
Seen = tuple[State, Player]
"""What an author sees, with the ships of the lines so far; and the author."""


def _one_of(what: str, known: Sequence[str]) -> Any:
    """The reading of a word that is one of some, written in capitals or not."""

    def read(line: Line, word: str) -> str:
        found = {one.lower(): one for one in known}.get(word)
        if found is None:
            raise line.malformed(f"{what} in place of {word[:20]!a}: {', '.join(known)}")
        return found

    return read


def _unplaced(seen: Seen) -> list[str]:
    state, player = seen
    return [name for name in LENGTHS if name not in [ship.name for ship in state.sea(player).fleet]]


def _misplaced(seen: Seen, ship: Ship) -> str | None:
    """What is wrong with a ship there (BS-1)."""
    state, player = seen
    water, fleet = state.cells(player), state.sea(player).fleet
    if not {*ship.cells} <= {*water}:
        return f"it is not all in your sea ({water[0]} to {water[-1]})"
    if ship.name not in _unplaced(seen):
        return f"your {ship.name} is placed already"
    below = [one.name for one in fleet if {*one.cells} & {*ship.cells}]
    return f"your {below[0]} lies there" if below else None


def _wasted(seen: Seen, cell: Cell) -> str | None:
    """What is wrong with a shot there (BS-3)."""
    state, player = seen
    other = state.other(player)
    water = state.cells(other)
    if cell not in water:
        return f"{cell} is not in the sea of {other} ({water[0]} to {water[-1]})"
    shots = [shot.cell for shot in state.sea(other).shots]
    return f"you shot at {cell} before" if cell in shots else None


WORDS = {
    "place": Word(
        "place",
        Verb(
            "Place",
            "a ship from its lowest or leftmost cell, up (N) or right (E)",
            "anchor",
            asks="Place your ships",
        ),
        Ship,
        lambda seen, ship: Choice("", tuple(map(str, ship.cells)), unit=ship.name),
        (
            Blank(
                tuple(LENGTHS), _one_of("a ship", tuple(LENGTHS)), lambda seen, _: _unplaced(seen)
            ),
            Blank(("CELL",), read_named_cell, lambda seen, _: seen[0].cells(seen[1])),
            Blank(HEADINGS, _one_of("a heading", HEADINGS), lambda seen, _: HEADINGS),
        ),
        fault=_misplaced,
        setup=True,
    ),
    "shoot": Word(
        "shoot",
        Verb("Shoot", "at a cell", "burst", heard=True),
        lambda cell: cell,
        lambda seen, cell: Choice("", (str(cell),)),
        (Blank(("CELL",), read_named_cell, lambda seen, _: seen[0].cells(seen[0].other(seen[1]))),),
        fault=_wasted,
        habits=("fire", "shot", "attack"),
    ),
}
VERBS = {verb: word.button for verb, word in WORDS.items()}


def fault(seen: Seen, verb: str, order: Any) -> str | None:
    """What is wrong with an order, as far as its author sees; None if it is legal."""
    state, player = seen
    if state.winner:
        return "the game is over"
    if state.turn not in ("", player):
        return not_yours([state.turn])
    if WORDS[verb].setup != state.begins:
        return "fleets are placed first" if state.begins else "fleets are placed already"
    return WORDS[verb].fault(seen, order)


def _judged(view: View, text: str) -> tuple[Seen, Orders]:
    """What the author sees after these lines, and the orders; raises Malformed or Illegal."""
    seen: Seen = (read_view(view), str(view.player))
    orders: Orders = ()
    for line in read_lines(text):
        verb, order = read_word(WORDS, line)
        wrong = fault(seen, verb, order)
        if verb == "shoot" and orders:
            wrong = wrong or "one shot a turn"
        if wrong is not None:
            raise Illegal(line.number, line.text, wrong)
        orders = (*orders, order)
        if verb == "place":
            state, player = seen
            seen = (state.put(player, fleet=(*state.sea(player).fleet, order)), player)
    return seen, orders


def read(view: View, written: Written) -> Orders:
    """`Game.read`: the five ships, or the cell."""
    seen, orders = _judged(view, written.orders)
    left = _unplaced(seen) if seen[0].begins else [] if orders else ["shot"]
    if left:
        raise Illegal(None, "", f"expected your {' and '.join(left)} too")
    return orders


def after(view: View, lines: Sequence[str]) -> After:
    """`Game.after`: ships that are not placed yet, wherever they fit; or each shot."""
    if view.player is None:
        return After((), complete=False)
    seen, orders = _judged(view, "\n".join(lines))
    if seen[0].begins:
        left = len(_unplaced(seen))
        told = f"{left} ship{'s' * (left > 1)} left" if left else ""
        return After(tuple(offered(WORDS, "place", seen)), complete=not left, left=told)
    if orders or seen[0].turn != view.player:
        return After((), complete=bool(orders))
    return After(tuple(offered(WORDS, "shoot", seen)), complete=False)


def planned(view: View, lines: Sequence[str]) -> View:
    """`Game.planned`: the view with the ships that these lines place."""
    state = _judged(view, "\n".join(lines))[0][0]
    return View(view.setup, view.player, position(state)).beside(state)
