"""Order lines, and how much room they take in an order file."""

from __future__ import annotations

import json

import pytest
import reported
from hypothesis import given
from hypothesis import strategies as st

from games.game import Malformed
from games.lines import check_size

printable = st.characters(min_codepoint=32, max_codepoint=126)
files = st.lists(st.text(printable, max_size=30), max_size=12)


def rendered(lines: list[str], player: str = "alice") -> str:
    """An order file in its one rendering, written out by hand (docs/formats/order-files.md)."""
    cut = "\n".join(line.rstrip() for line in lines).rstrip("\n").split("\n")
    rows = [f"    {json.dumps(line)},\n" for line in cut] if cut != [""] else []
    listed = "orders = [\n" + "".join(rows) + "]\n" if rows else "orders = []\n"
    digits = "f" * 64
    return f'salt = "{digits}"\ngame = "{digits}"\nstep = 9\nplayer = "{player}"\n' + listed


@given(files, st.integers(0, 400))
def test_what_is_taken_fits_and_what_is_refused_does_not(lines: list[str], most: int) -> None:
    """The limit is met to the byte; the line named is the first that is too much."""
    empty = len(rendered(["x"])) - len('    "x",\n')

    def room(rows: list[str]) -> int:
        text = rendered(rows)
        return 0 if text.endswith("[]\n") else len(text) - empty

    try:
        check_size("\n".join(lines), most)
    except Malformed as error:
        assert room(lines) > most
        assert error.line is not None
        assert error.text in lines[error.line - 1]
        assert str(error).isascii()
    else:
        assert room(lines) <= most
        assert len(rendered(lines)) <= reported.order_file_bound(("bob", "alice"), most)


def test_the_bound_is_reached() -> None:
    """By the longest name, the greatest step and lines of just that many bytes."""
    text = rendered(["x" * 92], "n" * 32).replace("step = 9", "step = 9999999")
    check_size("x" * 92, 100)
    assert reported.order_file_bound(("n" * 32, "bob"), 100) == len(text)
    with pytest.raises(Malformed, match="at most 100 bytes"):
        check_size("\n" + "x" * 92, 100)
