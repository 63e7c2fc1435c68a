"""What a board shows, for text and for SVG: pieces, grounds, the legend and the notes of one view;
and its map in ASCII.

What it must not know: any game; colours and coordinates (`picture`).
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from games.grid import Board, Cell, column_name, frame

COLUMNS = 78
"""The most columns of text, unless the board itself is wider."""
LEAST = 3
"""The width of a cell in text, as in the published maps; cells are wider if one holds more."""


class Piece(NamedTuple):
    """Something in a cell: `mark` shows it in text, `shape` in SVG.

    `side`, a word of `picture.SIDES`, says whose it is. `title` describes it fully. `id` names the
    piece, so that a page can follow it from one board to the next; it must tell no more than the
    board shows. Of several pieces with one id only the first keeps it.
    """

    cell: Cell
    mark: str
    side: str
    shape: str
    title: str
    id: str = ""


class Ground(NamedTuple):
    """The ground of a cell, if it is not plain sea: `kind` is a word of `picture.GROUNDS`."""

    kind: str
    mark: str = ""
    title: str = ""


class Sign(NamedTuple):
    """A line of the legend: what a mark (or, without a shape, a ground) means."""

    words: str
    mark: str = ""
    side: str = ""
    shape: str = ""
    ground: str = ""


class Chart(NamedTuple):
    """One view of a board. `arrows` lead from cell to cell. `notes` are lines of any length, in
    plain ASCII, for which the map has no room. A cell in text is at least `least` wide."""

    title: str
    board: Board
    pieces: tuple[Piece, ...] = ()
    grounds: Mapping[Cell, Ground] | None = None
    signs: tuple[Sign, ...] = ()
    notes: tuple[str, ...] = ()
    arrows: tuple[tuple[Cell, Cell], ...] = ()
    least: int = LEAST

    def ground(self, cell: Cell) -> Ground:
        """The ground of that cell; plain sea if none is given."""
        return (self.grounds or {}).get(cell, _SEA)

    def standing(self) -> dict[Cell, list[Piece]]:
        """The pieces by their cells, in their order, each id once."""
        found: dict[Cell, list[Piece]] = {}
        ids: set[str] = set()
        for piece in self.pieces:
            once = piece._replace(id="") if piece.id in ids else piece
            found.setdefault(piece.cell, []).append(once)
            ids.add(piece.id)
        return found


_SEA = Ground("sea")


def text(chart: Chart) -> str:
    """The chart as a framed map with its legend and notes, in plain ASCII.

    It has at most 78 columns, unless the board itself is wider. If a cell's marks do not fit, they
    end in `+`, and the notes tell all of them.
    """
    board = chart.board
    most = max(1, (COLUMNS - len(str(board.rows)) - 2) // board.columns - 1)
    marks = {cell: " ".join(words) for cell, words in _marks(chart).items()}
    width = min(most, max([chart.least, *map(len, marks.values())]))
    drawn = {cell: _fitted(mark, width) for cell, mark in marks.items()}
    lines = [frame(board, drawn, width).rstrip("\n"), *_legend(chart)]
    if chart.notes:
        lines.append("")
    for note in chart.notes:
        lines += wrapped(note)
    return "\n".join(lines) + "\n"


def drawn(chart: Chart | None, keys: Mapping[str, Any]) -> str:
    """The chart as text; without a chart the view's keys, a line each."""
    if chart is not None:
        return text(chart)
    shown = sorted(keys.items())
    return "".join(f"{key}: {json.dumps(value, sort_keys=True)}\n" for key, value in shown)


def wrapped(note: str, columns: int = COLUMNS) -> list[str]:
    """A note in lines of at most so many columns; those after the first are indented."""
    return textwrap.wrap(note, columns, subsequent_indent="  ", break_on_hyphens=False)


def _marks(chart: Chart) -> dict[Cell, list[str]]:
    """The marks of each cell: all pieces, then the ground."""
    marks = {cell: [piece.mark for piece in pieces] for cell, pieces in chart.standing().items()}
    for cell, ground in (chart.grounds or {}).items():
        if ground.mark:
            marks.setdefault(cell, []).append(ground.mark)
    return marks


def _fitted(mark: str, width: int) -> str:
    """A cell's marks: all of them, if need be without blanks; or as many as fit, and `+`."""
    if len(mark) <= width:
        return mark
    closer = mark.replace(" ", "")
    if width == 1:
        return closer[0] if closer == mark else "+"
    return closer if len(closer) <= width else closer[: width - 1] + "+"


def _legend(chart: Chart) -> Iterator[str]:
    """The signs that have a mark in text, as many in a line as fit; a longer one in several."""
    line = ""
    for sign in chart.signs:
        if not sign.mark:
            continue
        word = f"{sign.mark} {sign.words}"
        if line and len(line) + 3 + len(word) > COLUMNS:
            yield from wrapped(line)
            line = ""
        line += f"   {word}" if line else word
    yield from wrapped(line)


def described(chart: Chart) -> dict[Cell, str]:
    """Each cell in words: its name, its ground and its pieces."""
    told = {}
    standing = chart.standing()
    for cell in chart.board.cells():
        parts = [chart.ground(cell).title, *(piece.title for piece in standing.get(cell, ()))]
        said = "; ".join(part for part in parts if part)
        told[cell] = f"{cell}: {said}" if said else str(cell)
    return told


def lane(cell: Cell, heading: str) -> str:
    """The row or column along which something with that heading runs."""
    return column_name(cell.column) if heading in ("N", "S") else str(cell.row)
