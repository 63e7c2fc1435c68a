"""Charts as text: what stands in a cell, the legend, the notes."""

from __future__ import annotations

import pytest

from games.chart import Chart, Ground, Piece, Sign, described, drawn, lane, text, wrapped
from games.grid import Board, Cell


def chart(*marks: str, columns: int = 4, **more: object) -> Chart:
    """A board with those marks in B1."""
    pieces = tuple(Piece(Cell(2, 1), mark, "own", "", f"a {mark}") for mark in marks)
    return Chart("Game", Board(columns, 1), pieces, **more)  # type: ignore[arg-type]


def row(drawn: str) -> list[str]:
    """The cells of the only row."""
    return drawn.splitlines()[1].split("|")[1:-1]


def test_a_cell_shows_all_that_is_in_it() -> None:
    """Pieces in their order, then what the cell is; all cells are as wide as the widest."""
    ground = {Cell(2, 1): Ground("isle", "i", "island"), Cell(4, 1): Ground("two", "2")}
    assert row(text(chart("s", "tN", "m", grounds=ground))) == [
        " " * 8, "s tN m i", " " * 8, "   2    ",
    ]  # fmt: skip


def test_a_cell_is_at_least_as_wide_as_the_game_says() -> None:
    """So that boards of one game look alike."""
    assert [len(cell) for cell in row(text(chart("s")))] == [3] * 4
    assert [len(cell) for cell in row(text(chart("s", least=12)))] == [12] * 4


def test_a_cell_that_is_too_full_says_so() -> None:
    """Marks stand closer together first; then the last letter is a plus."""
    assert row(text(chart("s", "tN", "m", columns=15)))[1] == "stNm"
    assert row(text(chart("s", "tN", "m", "c2", columns=15)))[1] == "stN+"
    assert row(text(chart("s", "m", columns=37)))[1] == "+"
    assert row(text(chart("s", columns=37)))[1] == "s"
    assert row(text(chart("s", columns=54)))[1] == "s"


def test_the_legend_tells_signs_that_have_a_mark() -> None:
    """Side by side, in lines of at most 78 columns; a sign without a mark is for pictures."""
    signs = (Sign("x" * 30, "a"), Sign("y" * 40, "b"), Sign("never told"), Sign("z" * 5, "c"))
    lines = text(chart(signs=signs)).splitlines()
    assert lines[4:] == [f"a {'x' * 30}   b {'y' * 40}", "c zzzzz"]


def test_notes_stand_below_and_are_wrapped() -> None:
    """After an empty line; what follows a note's first line is indented."""
    note = "your hand: " + ", ".join(["ammunition-ship"] * 6)
    lines = text(chart(notes=(note, "short"))).splitlines()
    assert lines[4] == ""
    assert lines[5:7] == wrapped(note)
    assert lines[6].startswith("  ammunition-ship")
    assert all(len(line) <= 78 for line in lines)
    assert lines[7] == "short"


def test_each_cell_is_described() -> None:
    """Its name, what it is, and what is in it."""
    told = described(chart("s", "m", grounds={Cell(2, 1): Ground("two", "2", "scores 2")}))
    assert told[Cell(1, 1)] == "A1"
    assert told[Cell(2, 1)] == "B1: scores 2; a s; a m"


@pytest.mark.parametrize(("heading", "name"), [("N", "C"), ("S", "C"), ("E", "4"), ("W", "4")])
def test_a_lane_is_a_column_or_a_row(heading: str, name: str) -> None:
    """As something runs along it with that heading."""
    assert lane(Cell(3, 4), heading) == name


def test_plain_data_is_a_line_a_key() -> None:
    """In the order of the keys."""
    assert drawn(None, {"b": [1, "x"], "a": {"y": True}}) == 'a: {"y": true}\nb: [1, "x"]\n'
