"""Plain data read as values of a kind: what is taken, and how the rest is refused by its key."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from games.game import BadPosition
from games.grid import Cell
from games.silent_ships import plain

KNOWN = ("one", "two")


@pytest.mark.parametrize(
    ("read", "value", "found"),
    [
        (lambda value: plain.a_table("k", value, KNOWN), {"one": 1}, {"one": 1}),
        (lambda value: plain.a_table("k", value, KNOWN), {}, {}),
        (lambda value: plain.a_word("k", value, KNOWN), "two", "two"),
        (lambda value: plain.strings("k", value), ["a", "a"], ("a", "a")),
        (lambda value: plain.strings("k", value), (), ()),
        (lambda value: plain.words("k", value, KNOWN), ["two", "one"], ("two", "one")),
        (lambda value: plain.a_cell("k", value), "E4", Cell(5, 4)),
        (lambda value: plain.a_number("k", {"n": value}, "n"), 0, 0),
        (lambda value: plain.a_number("k", {"n": value}, "n", 1), plain.MOST, plain.MOST),
        (lambda value: plain.a_bool("k", {"b": value}, "b"), True, True),
    ],
)
def test_what_is_taken(read: Callable[[Any], Any], value: Any, found: Any) -> None:
    """As the value of its kind."""
    assert read(value) == found


def test_what_is_left_out() -> None:
    """Numbers are their least, a bool is false."""
    assert plain.a_number("k", {}, "n") == 0
    assert plain.a_number("k", {}, "n", 3) == 3
    assert plain.a_bool("k", {}, "b") is False


@pytest.mark.parametrize(
    ("read", "value"),
    [
        (lambda value: plain.a_table("k", value, KNOWN), []),
        (lambda value: plain.a_table("k", value, KNOWN), None),
        (lambda value: plain.a_word("k", value, KNOWN), "three"),
        (lambda value: plain.a_word("k", value, KNOWN), ["one"]),
        (lambda value: plain.a_word("k", value, KNOWN), None),
        (lambda value: plain.strings("k", value), "one"),
        (lambda value: plain.strings("k", value), [1]),
        (lambda value: plain.words("k", value, KNOWN), ["one", "three"]),
        (lambda value: plain.a_cell("k", value), "F1"),
        (lambda value: plain.a_cell("k", value), "E5"),
        (lambda value: plain.a_cell("k", value), 1),
        (lambda value: plain.a_number("k", {"n": value}, "n"), -1),
        (lambda value: plain.a_number("k", {"n": value}, "n", 1), 0),
        (lambda value: plain.a_number("k", {"n": value}, "n"), plain.MOST + 1),
        (lambda value: plain.a_number("k", {"n": value}, "n"), True),
        (lambda value: plain.a_number("k", {"n": value}, "n"), 1.0),
        (lambda value: plain.a_number("k", {"n": value}, "n"), "1"),
        (lambda value: plain.a_bool("k", {"b": value}, "b"), 1),
        (lambda value: plain.a_bool("k", {"b": value}, "b"), None),
    ],
)
def test_what_is_refused(read: Callable[[Any], Any], value: Any) -> None:
    """With its key, a plain and short quotation, and what was expected."""
    with pytest.raises(BadPosition, match=r"^key 'k'.*expected") as caught:
        read(value)
    assert repr(value) in str(caught.value) or isinstance(value, list)
    assert str(caught.value).isascii()


def test_unknown_keys_are_quoted_short() -> None:
    """With those that there are."""
    with pytest.raises(BadPosition, match=r"^view: key '.{78,80} is unknown; there are one, two$"):
        plain.known_keys("view", {"\u00e9" + "x" * 500: 1}, KNOWN)
    plain.known_keys("view", {"two": 1, "one": 2}, KNOWN)
