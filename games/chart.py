"""What a board shows, for text and for SVG: pieces, grounds, the legend and the notes of one view;
and its map in ASCII.

What it must not know: any game; colours and coordinates (`picture`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from games.grid import Board, Cell, column_name

COLUMNS = 78
"""The most columns of text, unless the board itself is wider."""
WIDE = 3
"""The usual width of a cell in text."""


class Piece(NamedTuple):
    """Something in a cell: `mark` shows it in text, `shape` in SVG: elements in a box of 60 by 60,
    as in `shapes`; without any the mark is written.

    `side`, a word of `picture.SIDES`, says whose it is. `title` describes it fully. `id` names the
    piece, so that a page can follow it from one board to the next; it must tell no more than the
    board shows. Of several pieces with one id only the first keeps it. `token`: a page shows it on
    a disc, "hidden" if only its owner knows where it is, "open" if all do; or it shows something
    that was heard: a "contact", a "ping", an "echo"; "" for the shape alone. `age`: how many turns
    ago, if that is known. `about`: the word under which `Game.about` has it.
    """

    cell: Cell
    mark: str
    side: str
    shape: str
    title: str
    id: str = ""
    token: str = ""
    age: int | None = None
    about: str = ""


class Ground(NamedTuple):
    """The ground of a cell, if it is not plain sea: `kind` is a word of `picture.GROUNDS`, or one
    of the chart's `colours`. `mark` shows it in text where no piece is, `beside` where one is."""

    kind: str
    mark: str = ""
    title: str = ""
    beside: str = ""


class Sign(NamedTuple):
    """A line of the legend: what a mark (or, without a shape, a ground) means."""

    words: str
    mark: str = ""
    side: str = ""
    shape: str = ""
    ground: str = ""


MORE = Sign("behind a mark: there is more in that cell", "+")


class Chart(NamedTuple):
    """One view of a board. `arrows` lead from cell to cell. `notes` are lines of any length, in
    plain ASCII, for which the map has no room. A cell in text is `wide`, its blank included.
    `turned`: seen from the other side, so that row 1 is the farthest. `ways`: for a page, cells
    that something went along. `colours`: grounds of the game's own, by their kinds: each by day and
    by night, such as `#dbeaf5`."""

    title: str
    board: Board
    pieces: tuple[Piece, ...] = ()
    grounds: Mapping[Cell, Ground] | None = None
    signs: tuple[Sign, ...] = ()
    notes: tuple[str, ...] = ()
    arrows: tuple[tuple[Cell, Cell], ...] = ()
    wide: int = WIDE
    turned: bool = False
    ways: tuple[tuple[Cell, ...], ...] = ()
    colours: Mapping[str, tuple[str, str]] = MappingProxyType({})

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


class Part(NamedTuple):
    """A part of a line: its text, and whose it is (a word of `picture.SIDES`, or "")."""

    text: str
    side: str = ""


def rows(chart: Chart, columns: range | None = None, deep: range | None = None) -> list[list[Part]]:
    """The map without rules, a line a row and one for the columns' names; of these columns and rows
    alone, if they are given. `.` is an empty cell; `+` ends a cell with more than it has room for.
    """
    board, width = chart.board, chart.wide
    across = list(columns or range(1, board.columns + 1))
    down = list(deep or range(1, board.rows + 1))
    if chart.turned:
        across.reverse()
    else:
        down.reverse()
    margin = len(str(board.rows))
    standing = chart.standing()
    lines = []
    for row in down:
        line = [Part(f"{row:>{margin}} ")]
        for column in across:
            cell = Cell(column, row)
            ground, pieces = chart.ground(cell), standing.get(cell, [])
            side = pieces[0].side if pieces else ""
            line.append(Part(_shown(ground, pieces, width).ljust(width), side))
        lines.append(line)
    names = [column_name(column) for column in across]
    most = max(map(len, names))
    # Names of two letters stand upright where a cell is no wider.
    tall = most if most >= width else 1
    for at in range(tall):
        letters = (name.rjust(tall)[at] if tall > 1 else name for name in names)
        lines.append([Part(" " * (margin + 1) + "".join(one.ljust(width) for one in letters))])
    return lines


def _shown(ground: Ground, pieces: Sequence[Piece], width: int) -> str:
    """What a cell shows: its pieces and the ground beside them if they fit, or the first and `+`;
    an empty one its ground or `.`. A blank follows where there is room for it."""
    marks = [piece.mark for piece in pieces] + [ground.beside] * bool(ground.beside)
    if not pieces:
        return (ground.mark or ".")[: max(1, width - 1)]
    whole = " ".join(marks)
    if _fits(marks, width):
        return whole
    mark = marks[0][: width - 1]
    # A number of two digits is not cut to another.
    mark = marks[0][:2] if marks[0][:2].isdigit() and width == 2 else mark
    return f"{mark}+"[:width]


def _fits(marks: Sequence[str], width: int) -> bool:
    """Whether a cell has room for all its marks: for one alone without a blank behind it."""
    return len(" ".join(marks)) < width or (len(marks) == 1 and len(marks[0]) <= width)


def crowded(chart: Chart) -> dict[Cell, str]:
    """The cells that end in `+`, each with all its marks."""
    return {
        cell: " ".join(marks)
        for cell, pieces in chart.standing().items()
        for beside in [chart.ground(cell).beside]
        for marks in [[piece.mark for piece in pieces] + [beside] * bool(beside)]
        if not _fits(marks, chart.wide)
    }


def text(chart: Chart) -> str:
    """The chart as a map with its legend and notes, in plain ASCII.

    It has at most 78 columns, unless the board itself is wider. If a cell's marks do not fit, they
    end in `+`, and the notes tell all of them.
    """
    lines = ["".join(part.text for part in row).rstrip() for row in rows(chart)]
    lines += legend(chart)
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
    import textwrap

    return textwrap.wrap(note, columns, subsequent_indent="  ", break_on_hyphens=False)


def legend(chart: Chart, columns: int = COLUMNS) -> Iterator[str]:
    """The signs that have a mark in text, as many in a line as fit; a longer one in several. Last,
    what `+` is behind a mark, if there is one."""
    line = ""
    for sign in (*chart.signs, *(MORE,) * bool(crowded(chart))):
        if not sign.mark:
            continue
        word = f"{sign.mark} {sign.words}"
        if line and len(line) + 3 + len(word) > columns:
            yield from wrapped(line, columns)
            line = ""
        line += f"   {word}" if line else word
    yield from wrapped(line, columns)


def described(chart: Chart) -> dict[Cell, str]:
    """Each cell in words: its name, its ground and its pieces."""
    told = {}
    standing = chart.standing()
    for cell in chart.board.cells():
        parts = [chart.ground(cell).title, *(piece.title for piece in standing.get(cell, ()))]
        said = "; ".join(part for part in parts if part)
        told[cell] = f"{cell}: {said}" if said else str(cell)
    return told
