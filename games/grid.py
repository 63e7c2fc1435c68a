"""Cells, headings and distances, for every game on squares."""

from __future__ import annotations

import re
from collections.abc import Mapping
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

    @lru_cache(4096)  # noqa: B019 - cells are values
    def __str__(self) -> str:
        return f"{column_name(self.column)}{self.row}"

    def step(self, heading: str) -> Cell:
        """The next cell that way, on the board or not."""
        east, north = STEPS[heading]
        return Cell(self.column + east, self.row + north)

    def distance(self, other: Cell) -> int:
        """Orthogonal steps between the two."""
        return abs(self.column - other.column) + abs(self.row - other.row)

    def on(self, board: Board) -> bool:
        """Whether the cell is on the board."""
        return 1 <= self.column <= board.columns and 1 <= self.row <= board.rows


class Board(NamedTuple):
    """A rectangle of cells, A1 at the lower left."""

    columns: int
    rows: int

    @property
    def last(self) -> Cell:
        """The cell at the upper right, whose name is the longest."""
        return Cell(self.columns, self.rows)

    @lru_cache(64)  # noqa: B019 - boards are values
    def cells(self) -> tuple[Cell, ...]:
        """All cells by row, then column, row 1 first."""
        return tuple(
            Cell(column, row)
            for row in range(1, self.rows + 1)
            for column in range(1, self.columns + 1)
        )

    @lru_cache(4096)  # noqa: B019
    def adjacent(self, cell: Cell) -> tuple[Cell, ...]:
        """The cells orthogonally next to `cell`, north, east, south, west."""
        return tuple(near for heading in HEADINGS if (near := cell.step(heading)).on(self))


def column_name(column: int) -> str:
    """1 is A, 26 is Z, 27 is AA."""
    return (
        chr(64 + column)
        if column <= 26
        else column_name((column - 1) // 26) + column_name((column - 1) % 26 + 1)
    )


def lane(cell: Cell, heading: str) -> str:
    """The row or column along which something with that heading runs."""
    return column_name(cell.column) if heading in ("N", "S") else str(cell.row)


def read_cell(text: str) -> Cell | None:
    """The cell that a word such as `c4` names (any case), on a board or not; None for another form.

    The form is one or two letters, then 1 to 999 without a leading zero.
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
