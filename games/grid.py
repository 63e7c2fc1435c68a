"""Cells, headings and distances, and the drawing of a framed board as text and as SVG.

What belongs here: what every game on squares needs. What it must not know: any game.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

Heading = Literal["N", "E", "S", "W"]
HEADINGS: tuple[Heading, ...] = ("N", "E", "S", "W")
STEPS: Mapping[str, tuple[int, int]] = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}

_CELL = re.compile(r"([A-Z]{1,2})([1-9][0-9]{0,2})", re.ASCII)
_LONGEST = len("AA999")


class Cell(NamedTuple):
    """One square: column and row count from 1; row 1 is at the bottom. Written `C4`, `AA10`."""

    column: int
    row: int

    def __str__(self) -> str:
        return _written(self)

    def step(self, heading: str) -> Cell:
        """The next cell that way, on the board or not."""
        east, north = STEPS[heading]
        return Cell(self.column + east, self.row + north)

    def distance(self, other: Cell) -> int:
        """Orthogonal steps between the two."""
        return abs(self.column - other.column) + abs(self.row - other.row)

    def on(self, board: Board) -> bool:
        """Whether it lies on the board."""
        return 1 <= self.column <= board.columns and 1 <= self.row <= board.rows


@dataclass(frozen=True, slots=True)
class Board:
    """A rectangle of cells, A1 at the lower left."""

    columns: int
    rows: int

    @property
    def last(self) -> Cell:
        """The cell at the upper right, whose name is the longest."""
        return Cell(self.columns, self.rows)

    def cells(self) -> tuple[Cell, ...]:
        """All cells by row, then column, row 1 first."""
        return tuple(
            Cell(column, row)
            for row in range(1, self.rows + 1)
            for column in range(1, self.columns + 1)
        )

    def adjacent(self, cell: Cell) -> tuple[Cell, ...]:
        """The cells orthogonally next to `cell`, north, east, south, west."""
        return tuple(near for heading in HEADINGS if (near := cell.step(heading)).on(self))


@lru_cache(4096)
def _written(cell: Cell) -> str:
    return f"{column_name(cell.column)}{cell.row}"


def column_name(column: int) -> str:
    """1 is A, 26 is Z, 27 is AA."""
    return (
        chr(64 + column)
        if column <= 26
        else column_name((column - 1) // 26) + column_name((column - 1) % 26 + 1)
    )


def read_cell(text: str) -> Cell | None:
    """The cell that a word such as `c4` names (any case); None if it is the form of no cell.

    One or two letters, then 1 to 999 without a leading zero. Whether it lies on a board is
    another question.
    """
    return _read(text) if len(text) <= _LONGEST else None


@lru_cache(4096)
def _read(text: str) -> Cell | None:
    found = _CELL.fullmatch(text.upper()) if text.isascii() else None
    if found is None:
        return None
    column = 0
    for letter in found[1]:
        column = column * 26 + ord(letter) - 64
    return Cell(column, int(found[2]))


def by_row(cell: Cell) -> tuple[int, int]:
    """Sort key: row, then column."""
    return cell.row, cell.column


def frame(board: Board, marks: Mapping[Cell, str], width: int = 3) -> str:
    """The board in the published frame style, row numbers right-aligned; no blank at line ends.

    `marks` are at most `width` characters, centred in their cell.
    """
    margin = len(str(board.rows))
    rule = " " * (margin + 1) + "+" + ("-" * width + "+") * board.columns
    lines = [rule]
    for row in range(board.rows, 0, -1):
        cells = (
            marks.get(Cell(column, row), "").center(width) for column in range(1, board.columns + 1)
        )
        lines += [f"{row:>{margin}} |" + "|".join(cells) + "|", rule]
    names = (column_name(column).center(width + 1) for column in range(1, board.columns + 1))
    lines.append((" " * (margin + 2) + "".join(names)).rstrip())
    return "\n".join(lines) + "\n"


@dataclass(frozen=True, slots=True)
class Mark:
    """What an SVG board shows in one cell: a word of at most 9 letters on a coloured ground.

    `title` shows on hover. `heading` draws an arrow out of the ground. `shade` fills the whole
    cell behind it. `id` names the piece in the document, at most once, so that a page can follow
    it from one board to the next: it must say no more than is seen.
    """

    cell: Cell
    text: str = ""
    colour: str = "#1f4e79"
    title: str = ""
    heading: str = ""
    shade: str = ""
    id: str = ""


PITCH = 60
_LEFT, _TOP = 36, 44
_SEA = "#e3eef6"
_LINE = "#b4cbdc"
_INK = "#22313f"
_LETTER = 9
"""The width of a letter of the title and the notes; no font takes more."""


def svg(board: Board, marks: Iterable[Mark], title: str, notes: Sequence[str] = ()) -> str:
    """The board as one self-contained SVG document, deterministic to the byte.

    Every cell, and the group of every mark with a text, has the cell's name as `data-cell`. `notes`
    are lines of text below the board.
    """
    marks = tuple(marks)
    bottom = _TOP + board.rows * PITCH
    longest = max(map(len, (title, *notes)))
    wide = _LEFT + max(board.columns * PITCH, _LETTER * longest) + 16
    high = bottom + 36 + 20 * len(notes)
    shades = {mark.cell: mark.shade for mark in marks if mark.shade}
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" '
        f'width="{wide}" height="{high}" font-family="Helvetica,Arial,sans-serif">',
        f"<title>{_escape(title)}</title>",
        '<rect width="100%" height="100%" rx="6" fill="#ffffff"/>',
        f'<text x="{_LEFT}" y="28" font-size="16" font-weight="bold" fill="{_INK}">'
        f"{_escape(title)}</text>",
        *(_square(board, cell, shades.get(cell, _SEA)) for cell in board.cells()),
        *_rulers(board),
        *(_disc(board, mark) for mark in marks if mark.text),
    ]
    out += [
        f'<text x="{_LEFT}" y="{bottom + 48 + 20 * number}" font-size="13" '
        f'font-family="monospace" fill="{_INK}" xml:space="preserve">{_escape(note)}</text>'
        for number, note in enumerate(notes)
    ]
    return "\n".join([*out, "</svg>"]) + "\n"


def _corner(board: Board, cell: Cell) -> tuple[int, int]:
    """The upper left corner of a cell."""
    return _LEFT + (cell.column - 1) * PITCH, _TOP + (board.rows - cell.row) * PITCH


def _square(board: Board, cell: Cell, fill: str) -> str:
    x, y = _corner(board, cell)
    return (
        f'<path data-cell="{cell}" d="M{x} {y}h{PITCH}v{PITCH}h-{PITCH}z" '
        f'fill="{fill}" stroke="{_LINE}"><title>{cell}</title></path>'
    )


def _rulers(board: Board) -> list[str]:
    style = 'font-size="13" fill="#5b6b7a" text-anchor="middle"'
    columns = [
        f'<text x="{_LEFT + column * PITCH - PITCH // 2}" y="{_TOP + board.rows * PITCH + 20}" '
        f"{style}>{column_name(column)}</text>"
        for column in range(1, board.columns + 1)
    ]
    rows = [
        f'<text x="{_LEFT - 16}" y="{_TOP + (board.rows - row) * PITCH + PITCH // 2 + 5}" '
        f"{style}>{row}</text>"
        for row in range(1, board.rows + 1)
    ]
    return columns + rows


def _disc(board: Board, mark: Mark) -> str:
    left, top = _corner(board, mark.cell)
    x, y = left + PITCH // 2, top + PITCH // 2
    colour = _quoted(mark.colour)
    arrow = ""
    if mark.heading:
        east, north = STEPS[mark.heading]
        # The head is a triangle: a tip, and two corners to its left and right.
        tip, corners = (x + 29 * east, y - 29 * north), (x + 20 * east, y - 20 * north)
        arrow = (
            f'<path d="M{tip[0]} {tip[1]}L{corners[0] + 9 * north} {corners[1] + 9 * east}'
            f'L{corners[0] - 9 * north} {corners[1] - 9 * east}Z" fill={colour}/>'
        )
    if len(mark.text) < 3:
        ground, size = f'<circle cx="{x}" cy="{y}" r="18" fill={colour}/>', 17
    else:
        ground = f'<rect x="{x - 27}" y="{y - 14}" width="54" height="28" rx="8" fill={colour}/>'
        size = 12 if len(mark.text) < 6 else 10
    named = f" id={_quoted(mark.id)}" if mark.id else ""
    return (
        f'<g{named} data-cell="{mark.cell}">'
        f"<title>{_escape(mark.title or mark.text)}</title>{arrow}{ground}"
        f'<text x="{x}" y="{y + size // 3}" font-size="{size}" fill="#ffffff" '
        f'text-anchor="middle">{_escape(mark.text)}</text></g>'
    )


def _escape(text: str) -> str:
    """As text of an XML document."""
    # What `xml.sax.saxutils` does; to import that loads all that fetches from addresses.
    return text.replace("&", "&amp;").replace(">", "&gt;").replace("<", "&lt;")


def _quoted(text: str) -> str:
    """As an attribute's value, in quotes."""
    value = _escape(text).replace('"', "&quot;")
    return f'"{value}"'
