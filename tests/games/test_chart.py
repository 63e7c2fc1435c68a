"""Charts as text: what stands in a cell, the legend, the notes."""

from __future__ import annotations

from games.chart import (
    Chart,
    Ground,
    Piece,
    Sign,
    crowded,
    described,
    drawn,
    legend,
    rows,
    text,
    wrapped,
)
from games.grid import Board, Cell


def chart(*marks: str, columns: int = 4, **more: object) -> Chart:
    """A board with those marks in B1."""
    pieces = tuple(Piece(Cell(2, 1), mark, "own", "", f"a {mark}") for mark in marks)
    return Chart("Game", Board(columns, 1), pieces, **more)  # type: ignore[arg-type]


def row(drawn: str, width: int = 3) -> list[str]:
    """The cells of the only row, without the blanks behind them."""
    line = drawn.splitlines()[0][2:]
    return [line[at : at + width].rstrip() for at in range(0, len(line), width)]


def test_a_cell_shows_all_that_is_in_it() -> None:
    """Pieces in their order, then what the cell is; an empty one what it is, or a point."""
    ground = {Cell(2, 1): Ground("isle", "isle", "", "i"), Cell(4, 1): Ground("two", "2")}
    assert row(text(chart("S", "v", "m", grounds=ground, wide=8)), 8) == [".", "S v m i", ".", "2"]
    assert row(text(chart("S", grounds={Cell(2, 1): Ground("two", "2")})))[1] == "S"


def test_a_cell_that_is_too_full_says_so() -> None:
    """The first mark, and a plus; a number of two digits is not cut to another."""
    assert row(text(chart("S", "v")))[1] == "S+"
    assert row(text(chart("2!", "v")))[1] == "2!+"
    assert row(text(chart("12!")))[1] == "12!"
    assert row(text(chart("S", "v", wide=2)), 2)[1] == "S+"
    assert row(text(chart("12!", "v", wide=2)), 2)[1] == "12"


def test_what_a_plus_is_the_legend_tells() -> None:
    """And of each such cell all marks are known; where there is room for all, there is no sign."""
    full = chart("S", "v", grounds={Cell(2, 1): Ground("isle", "isle", "", "i")})
    assert crowded(full) == {Cell(2, 1): "S v i"}
    assert list(legend(full)) == ["+ behind a mark: there is more in that cell"]
    for roomy in (full._replace(wide=6), chart("12!"), chart()):
        assert (crowded(roomy), list(legend(roomy))) == ({}, [])


def test_a_part_of_a_board_and_one_that_is_turned() -> None:
    """Columns and rows keep their names; long names stand upright in narrow cells."""
    whole = Chart("Game", Board(28, 28), (Piece(Cell(27, 2), "S", "own", "", ""),), wide=2)
    part = rows(whole, range(26, 29), range(1, 3))
    assert ["".join(one.text for one in line).rstrip() for line in part] == [
        " 2 . S .", " 1 . . .", "     A A", "   Z A B",
    ]  # fmt: skip
    assert part[0][2] == ("S ", "own")
    turned = rows(Chart("Game", Board(2, 2), turned=True))
    assert ["".join(one.text for one in line).rstrip() for line in turned] == [
        "1 .  .", "2 .  .", "  B  A",
    ]  # fmt: skip


def test_the_legend_tells_signs_that_have_a_mark() -> None:
    """Side by side, in lines of at most 78 columns; a sign without a mark is for pictures."""
    signs = (Sign("x" * 30, "a"), Sign("y" * 40, "b"), Sign("never told"), Sign("z" * 5, "c"))
    lines = text(chart(signs=signs)).splitlines()
    assert lines[2:] == [f"a {'x' * 30}   b {'y' * 40}", "c zzzzz"]


def test_notes_stand_below_and_are_wrapped() -> None:
    """After an empty line; what follows a note's first line is indented."""
    note = "your hand: " + ", ".join(["ammunition-ship"] * 6)
    lines = text(chart(notes=(note, "short"))).splitlines()
    assert lines[2] == ""
    assert lines[3:5] == wrapped(note)
    assert lines[4].startswith("  ammunition-ship")
    assert all(len(line) <= 78 for line in lines)
    assert lines[5] == "short"


def test_each_cell_is_described() -> None:
    """Its name, what it is, and what is in it."""
    told = described(chart("s", "m", grounds={Cell(2, 1): Ground("two", "2", "scores 2")}))
    assert told[Cell(1, 1)] == "A1"
    assert told[Cell(2, 1)] == "B1: scores 2; a s; a m"


def test_plain_data_is_a_line_a_key() -> None:
    """In the order of the keys."""
    assert drawn(None, {"b": [1, "x"], "a": {"y": True}}) == 'a: {"y": true}\nb: [1, "x"]\n'
