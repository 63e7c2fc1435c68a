"""Words of an order line to values, and the faults of a line."""

from __future__ import annotations

import pytest

from games.grid import Cell
from games.silent_ships.cards import NAMES
from games.silent_ships.lines import (
    LineFault,
    cell_of,
    not_understood,
    parts_of,
    ship_of,
)


def test_parts_begin_with_their_heads() -> None:
    """What stands before the first head is a part too, empty or not."""
    heads = ("discard", "push")
    assert parts_of(["b4", "a4", "discard", "x", "discard", "y", "z", "push", "c1"], heads) == [
        ["b4", "a4"], ["discard", "x"], ["discard", "y", "z"], ["push", "c1"],
    ]  # fmt: skip
    assert parts_of(["push"], heads) == [[], ["push"]]
    assert parts_of([], heads) == [[]]


def test_cells_may_lie_off_the_board() -> None:
    """Form is judged without a board; what is no cell is quoted, with the form of its line."""
    assert cell_of("c3", "`flip CELL`") == Cell(3, 3)
    assert cell_of("z99", "`flip CELL`") == Cell(26, 99)
    for word in ("", "3c", "c0", "c3c", "\u04413", "x" * 500):
        with pytest.raises(LineFault) as caught:
            cell_of(word, "`flip CELL`")
        assert caught.value.expected.startswith("expected `flip CELL`; '")
        assert caught.value.expected.endswith(" is no cell")
        assert len(caught.value.expected) < 90
        assert caught.value.malformed


@pytest.mark.parametrize("name", NAMES)
def test_ships_by_any_beginning(name: str) -> None:
    """With blanks for `-`, as far as it was written; whole names are made later."""
    for end in range(1, len(name) + 1):
        assert ship_of([name[:end]], "form") == name[:end]
    assert ship_of(name.split("-"), "form") == name


@pytest.mark.parametrize("words", [["galleon"], ["frigatee"], ["rigate"], ["fire--ship"], ["-"]])
def test_names_that_begin_no_ship(words: list[str]) -> None:
    """Quoted, and kept for whoever may suggest another."""
    with pytest.raises(LineFault) as caught:
        ship_of(words, "form")
    assert caught.value.word == "-".join(words)
    assert f"{caught.value.word!r} begins none" in caught.value.expected
    with pytest.raises(LineFault) as caught:
        ship_of([], "`play SHIP`")
    assert caught.value.expected == "expected `play SHIP`"


def test_a_fault_says_what_it_is() -> None:
    """A line not understood is malformed; any other fault is a reason that a `void` bears."""
    fault = not_understood("this", "that", "word")
    assert (fault.reason, fault.expected, fault.malformed) == ("malformed", "expected this", True)
    assert (fault.hint, fault.word) == ("that", "word")
    assert not LineFault("blocked", "x").malformed
