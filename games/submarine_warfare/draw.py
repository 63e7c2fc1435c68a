"""The map of a view: as text in the framed style with what stands in it, and as SVG.

What belongs here: which mark stands in which cell. What it must not know: more than the view.
"""

from __future__ import annotations

from collections.abc import Iterator

from games import grid
from games.game import View
from games.grid import Cell, Mark, read_cell
from games.submarine_warfare.notation import read_side
from games.submarine_warfare.state import BOARD, SCORES, Side, depth

_OWN, _ENEMY, _MINE = "#1f4e79", "#b03a2e", "#4a4a4a"
_GONE = "#c9ced3"
_SCORING = {1: "#e0efd6", 2: "#cbe3bb", 4: "#aed298"}

LEGEND = "A surfaced, a submerged, * own mine, 1 2 4 points a turn (twice if surfaced)\n"
LEGEND_RINGS = "# destroyed: 1 HP a turn\n"


def draw(view: View) -> str:
    """The map, then one's own submarines, the enemy's, and the score.

    A surfaced submarine is a capital letter, a submerged one of one's own a small one. `*` is a
    mine of one's own, a digit what an empty cell scores; `#` beside it: the cell is destroyed.
    """
    marks: dict[Cell, str] = {cell: str(points) for cell, points in SCORES.items()}
    if "setup" in view.shown:
        return grid.frame(BOARD, marks)
    own = _own(view)
    marks |= dict.fromkeys(own.mines, "*")
    marks |= {at: letter.upper() for letter, at in _seen(view)}
    marks |= {sub.at: sub.letter.upper() if sub.up else sub.letter for sub in own.subs}
    for cell in BOARD.cells():
        if depth(cell) < view.shown["rings"]:
            marks[cell] = marks.get(cell, "") + "#"
    legend = LEGEND + (LEGEND_RINGS if view.shown["rings"] else "")
    return grid.frame(BOARD, marks) + legend + "\n" + "\n".join(_lines(view, own)) + "\n"


def _lines(view: View, own: Side) -> Iterator[str]:
    """What the map has no room for."""
    shown = view.shown
    turn = shown.get("turn")
    ap = f", {shown['ap']} AP" if "ap" in shown else ""
    yield f"round {shown['round']}, " + (f"{turn} to move{ap}" if turn else "the game is over")
    for sub in own.subs:
        state = "surfaced" if sub.up else "submerged"
        yield f"{sub.letter} {sub.at} {sub.hp} HP {state:<9} {sub.special}"
    for sunk in own.sunk:
        yield f"{sunk.letter} destroyed, {sunk.special}"
    yield f"{view.player}: {own.points} points"
    for name in view.setup.players:
        if name != view.player:
            points = ": 25 points or more" if name in shown["reached"] else ""
            yield f"{name}{points}: {', '.join(shown[name]['subs']) or 'no submarine left'}"
        if shown[name].get("draw"):
            yield f"{name} offers a draw"


def svg(view: View) -> str:
    """The same map as one SVG document; submerged submarines of one's own in a lighter blue, the
    cells that score the greener the more."""
    marks = [Mark(cell, shade=_SCORING[points]) for cell, points in SCORES.items()]
    if "setup" in view.shown:
        return grid.svg(BOARD, marks, f"Submarine Warfare: {view.player}'s map, setup")
    own, shown = _own(view), view.shown
    marks += [Mark(cell, shade=_GONE) for cell in BOARD.cells() if depth(cell) < shown["rings"]]
    taken = {sub.at for sub in own.subs}
    marks += [Mark(at, "*", _MINE, f"{view.player}'s mine") for at in own.mines if at not in taken]
    marks += [Mark(at, letter.upper(), _ENEMY, f"enemy {letter}") for letter, at in _seen(view)]
    for sub in own.subs:
        state = "surfaced" if sub.up else "submerged"
        colour = _OWN if sub.up else "#7f9fbb"
        title = f"{sub.letter}: {sub.hp} HP, {state}, {sub.special}"
        marks.append(Mark(sub.at, sub.letter.upper() if sub.up else sub.letter, colour, title))
    turn = shown.get("turn")
    when = f"round {shown['round']}, {turn} to move" if turn else "the end"
    return grid.svg(BOARD, marks, f"Submarine Warfare: {view.player}'s map, {when}")


def _own(view: View) -> Side:
    return read_side(view.setup, view.player, view.shown[view.player])


def _seen(view: View) -> Iterator[tuple[str, Cell]]:
    """The enemy's surfaced submarines and where they are."""
    for name in view.setup.players:
        if name != view.player:
            for text in view.shown[name]["subs"]:
                letter, _, where = text.partition(" ")
                cell = read_cell(where)
                if cell is not None:
                    yield letter, cell
