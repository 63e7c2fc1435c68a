"""The map of a view: as text in the published frame style, and as SVG.

What belongs here: which mark stands in which cell. What it must not know: more than the view.
"""

from __future__ import annotations

from games import grid
from games.game import View
from games.grid import Cell, Mark, read_cell
from games.sugar_dog.state import board
from games.sugar_dog.view import own_table

COLUMNS = 78
"""The widest that a text map gets where the board allows it."""

_COLOURS = {"s": "#1f4e79", "t": "#b03a2e", "m": "#4a4a4a", "c": "#b7791f"}


def draw(view: View) -> str:
    """`s` own submarine, `t` own torpedo, `m` own mine, `c` the last contact of another player.

    The public map has a `c` for every player, and nothing else.
    """
    on = board(view.setup)
    margin = len(str(on.rows)) + 2
    widths = (width for width in (3, 2, 1) if margin + (width + 1) * on.columns <= COLUMNS)
    marks = {mark.cell: mark.text for mark in _marks(view)}
    return grid.frame(on, marks, next(widths, 3))


def svg(view: View) -> str:
    """The same map as one SVG document, torpedoes with an arrow for their heading."""
    turn = view.shown.get("turn")
    state = "setup" if "setup" in view.shown else "the end"
    when = f"turn {view.shown['n']}, {turn}" if turn else state
    whose = "what everybody knows" if view.player is None else f"{view.player}'s map"
    return grid.svg(board(view.setup), _marks(view), f"Sugar Dog: {whose}, {when}")


def _marks(view: View) -> tuple[Mark, ...]:
    """One mark a cell: of several in it the first of s, t, m, c."""
    if "setup" in view.shown:
        return ()
    own = own_table(view)
    marks: list[tuple[str, str, str, str]] = []
    if "sub" in own:
        marks.append((own["sub"], "s", f"{view.player}'s submarine", ""))
    for torpedo in own.get("torpedoes", ()):
        at, _, heading = torpedo.partition(" ")
        marks.append((at, "t", f"{view.player}'s torpedo, heading {heading}", heading))
    marks += [(at, "m", f"{view.player}'s mine", "") for at in own.get("mines", ())]
    for player, at in view.shown["contacts"].items():
        if player != view.player:
            marks.append((at, "c", f"last contact of {player}", ""))
    first: dict[Cell, Mark] = {}
    for at, text, title, heading in marks:
        cell = read_cell(at)
        if cell is not None and cell not in first:
            first[cell] = Mark(cell, text, _COLOURS[text], title, heading)
    return tuple(first.values())
