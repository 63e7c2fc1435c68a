"""Order lines, and how much room they take in an order file."""

from __future__ import annotations

import pytest
import reported
from hypothesis import given
from hypothesis import strategies as st

from games.game import Malformed
from games.orders import check_size
from orders.order_file import compose

printable = st.characters(min_codepoint=32, max_codepoint=126)
files = st.lists(st.text(printable, max_size=30), max_size=12)
AROUND = len(compose("").render("f" * 64))


@given(files, st.integers(0, 400))
def test_what_is_taken_fits_and_what_is_refused_does_not(lines: list[str], most: int) -> None:
    """The limit is met to the byte; the line named is the first that is too much."""
    room = len(compose("\n".join(lines)).render("f" * 64)) - AROUND
    try:
        check_size("\n".join(lines), most)
    except Malformed as error:
        assert room > most
        assert error.line is not None
        assert error.text in lines[error.line - 1]
        assert str(error).isascii()
        check_size("\n".join(lines[: error.line - 1]), most)
    else:
        assert room <= most
        assert room + AROUND <= reported.order_file_bound(most)


def test_the_bound_is_reached() -> None:
    """By lines of just that many bytes."""
    check_size("x" * 99, 100)
    assert reported.order_file_bound(100) == len(compose("x" * 99).render("f" * 64))
    with pytest.raises(Malformed, match="at most 100 characters"):
        check_size("\n" + "x" * 99, 100)
