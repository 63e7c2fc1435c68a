"""What a board shows, once for text and for SVG; and the text.

What belongs here: pieces, grounds, the legend and the notes of one view, and how they stand in a
map of ASCII. What it must not know: any game; colours and coordinates (`picture`).
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from games.grid import Board, Cell, column_name, frame

COLUMNS = 78
"""The most columns of text, if the board is not wider by itself."""
LEAST = 3
"""The width of a cell in text, as in the published maps; it is wider where more stands in a
cell."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Something in a cell: `mark` stands for it in text, `shape` in SVG.

    `side` says whose it is, in a word of `picture.SIDES`. `title` describes it fully. `id` names
    the piece, at most one in a document, so that a page can follow it from one board to the next;
    it must tell no more than is seen.
    """

    cell: Cell
    mark: str
    side: str
    shape: str
    title: str
    id: str = ""


@dataclass(frozen=True, slots=True)
class Ground:
    """What a cell itself is, if it is not plain sea: `kind` is a word of `picture.GROUNDS`."""

    kind: str
    mark: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class Sign:
    """A line of the legend: what a mark (or, without a shape, a ground) means."""

    words: str
    mark: str = ""
    side: str = ""
    shape: str = ""
    ground: str = ""


@dataclass(frozen=True, slots=True)
class Chart:
    """One view of a board. `arrows` lead from cell to cell. `notes` are lines of any length, in
    plain ASCII, that tell what the map has no room for. A cell in text is at least `least` wide."""

    title: str
    board: Board
    pieces: tuple[Piece, ...] = ()
    grounds: Mapping[Cell, Ground] | None = None
    signs: tuple[Sign, ...] = ()
    notes: tuple[str, ...] = ()
    arrows: tuple[tuple[Cell, Cell], ...] = ()
    least: int = LEAST

    def ground(self, cell: Cell) -> Ground:
        """What that cell is; plain sea unless something else is said."""
        return (self.grounds or {}).get(cell, _SEA)

    def standing(self) -> dict[Cell, list[Piece]]:
        """The pieces by their cells, in their order."""
        found: dict[Cell, list[Piece]] = {}
        for piece in self.pieces:
            found.setdefault(piece.cell, []).append(piece)
        return found


_SEA = Ground("sea")


def text(chart: Chart) -> str:
    """The chart as a framed map with its legend and notes, in plain ASCII.

    It has at most 78 columns, if the board is not wider by itself. Where marks do not fit into a
    cell they end in `+`, and the notes tell all that is in it.
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
    """The chart as text; without one the keys that it would show."""
    return of_keys(keys) if chart is None else text(chart)


def of_keys(table: Mapping[str, Any]) -> str:
    """Plain data as text, a line a key: for games that draw nothing of their own."""
    shown = sorted(table.items())
    return "".join(f"{key}: {json.dumps(value, sort_keys=True)}\n" for key, value in shown)


def wrapped(note: str, columns: int = COLUMNS) -> list[str]:
    """A note in lines of at most so many columns; those after the first are indented."""
    return textwrap.wrap(note, columns, subsequent_indent="  ", break_on_hyphens=False)


def _marks(chart: Chart) -> dict[Cell, list[str]]:
    """What stands in each cell: all pieces, then the ground."""
    marks = {cell: [piece.mark for piece in pieces] for cell, pieces in chart.standing().items()}
    for cell, ground in (chart.grounds or {}).items():
        if ground.mark:
            marks.setdefault(cell, []).append(ground.mark)
    return marks


def _fitted(mark: str, width: int) -> str:
    """A cell's marks: all of them, without blanks if need be; or as many as fit, and `+`."""
    if len(mark) <= width:
        return mark
    closer = mark.replace(" ", "")
    if width == 1:
        return closer[0] if closer == mark else "+"
    return closer if len(closer) <= width else closer[: width - 1] + "+"


def _legend(chart: Chart) -> Iterator[str]:
    """The signs that have a mark in text, as many in a line as fit."""
    line = ""
    for sign in chart.signs:
        if not sign.mark:
            continue
        word = f"{sign.mark} {sign.words}"
        if line and len(line) + 3 + len(word) > COLUMNS:
            yield line
            line = ""
        line += f"   {word}" if line else word
    if line:
        yield line


def described(chart: Chart) -> dict[Cell, str]:
    """Each cell in words: its name, what it is and what is in it."""
    told = {}
    standing = chart.standing()
    for cell in chart.board.cells():
        parts = [chart.ground(cell).title, *(piece.title for piece in standing.get(cell, ()))]
        said = "; ".join(part for part in parts if part)
        told[cell] = f"{cell}: {said}" if said else str(cell)
    return told


def lane(cell: Cell, heading: str) -> str:
    """The row or column along which something runs that way."""
    return column_name(cell.column) if heading in ("N", "S") else str(cell.row)
