"""Boards as SVG: every cell and every piece can be found by its name."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from games.grid import Board, Cell, Mark, read_cell, svg

SPACE = "{http://www.w3.org/2000/svg}"
MARKS = (
    Mark(Cell(2, 1), shade="#cbe3bb"),
    Mark(Cell(2, 1), "A", id="sub-a", title="ann's <a>"),
    Mark(Cell(3, 2), "t", heading="N"),
)


def document(notes: tuple[str, ...] = ()) -> ET.Element:
    """A board of four by two with three marks."""
    return ET.fromstring(svg(Board(4, 2), MARKS, "Ann & Bob", notes))  # noqa: S314 (made here)


def test_every_cell_is_named() -> None:
    """Once each, in the attribute that a page looks for and in what shows on hover."""
    cells = list(document().iter(f"{SPACE}path"))
    named = [cell for cell in cells if "data-cell" in cell.attrib]
    assert [cell.get("data-cell") for cell in named] == [str(cell) for cell in Board(4, 2).cells()]
    assert [cell.findtext(f"{SPACE}title") for cell in named] == [
        cell.get("data-cell") for cell in named
    ]
    shaded = {cell.get("data-cell"): cell.get("fill") for cell in named}
    assert shaded["B1"] == "#cbe3bb"
    assert shaded["A1"] != "#cbe3bb"


def test_a_piece_is_named_as_its_mark_says_and_lies_in_its_cell() -> None:
    """An id only where the mark has one; the cell always."""
    one, two = document().iter(f"{SPACE}g")
    assert (one.get("id"), one.get("data-cell")) == ("sub-a", "B1")
    assert (two.get("id"), two.get("data-cell")) == (None, "C2")
    assert one.findtext(f"{SPACE}title") == "ann's <a>"


def test_a_piece_is_drawn_within_its_cell() -> None:
    """The middle of its ground is the middle of the path that has the same name."""
    root = document()
    for piece in root.iter(f"{SPACE}g"):
        ground = piece.find(f"{SPACE}circle")
        assert ground is not None
        name = piece.get("data-cell")
        path = next(p for p in root.iter(f"{SPACE}path") if p.get("data-cell") == name)
        x, y = (path.get("d") or "")[1:].split("h")[0].split(" ")
        assert (ground.get("cx"), ground.get("cy")) == (str(int(x) + 30), str(int(y) + 30))
        assert read_cell(name or "") is not None


def test_notes_stand_below_and_fit() -> None:
    """A line each, and the picture is as wide and as high as they need."""
    notes = ("a" * 80, "b <c>")
    root, plain = document(notes), document()
    assert [text.text for text in root.iter(f"{SPACE}text")][-2:] == list(notes)
    assert int(root.get("height") or 0) == int(plain.get("height") or 0) + 40
    assert int(root.get("width") or 0) >= 80 * 9
    last = [int(text.get("y") or 0) for text in root.iter(f"{SPACE}text")][-1]
    assert last < int(root.get("height") or 0)
