"""Cells by name."""

from __future__ import annotations

import pytest

from games.grid import Cell, column_name, lane, read_cell


@pytest.mark.parametrize(("column", "name"), [(1, "A"), (26, "Z"), (27, "AA"), (54, "BB")])
def test_cells_and_columns_by_name(column: int, name: str) -> None:
    """Both ways, in any case."""
    assert column_name(column) == name
    assert str(Cell(column, 10)) == f"{name}10"
    assert read_cell(f"{name}10".lower()) == Cell(column, 10)


@pytest.mark.parametrize("text", ["", "A", "4", "A0", "A01", "AAA1", "A1000", "A1 ", "\xc41"])
def test_what_names_no_cell(text: str) -> None:
    """A form that no cell has."""
    assert read_cell(text) is None


@pytest.mark.parametrize(("heading", "name"), [("N", "C"), ("S", "C"), ("E", "4"), ("W", "4")])
def test_a_lane_is_a_column_or_a_row(heading: str, name: str) -> None:
    """As something runs along it with that heading."""
    assert lane(Cell(3, 4), heading) == name
