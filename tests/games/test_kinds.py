"""Kinds of values: what each takes, and how a message calls it."""

from __future__ import annotations

from typing import Any

import pytest

from games.kinds import (
    ANYTHING,
    LINE,
    NUMBER,
    TEXT,
    Kind,
    either,
    fault,
    lists,
    some,
    tables,
)


@pytest.mark.parametrize(
    ("kind", "good", "bad", "called"),
    [
        (ANYTHING, [1, "", None], [], "anything"),
        (NUMBER, [0, -1, 2**70], [True, 1.0, "1"], "a whole number"),
        (TEXT, ["", "a\nb"], [1, None, ["a"]], "a string"),
        (LINE, ["", "A mine \u00e9"], ["a\nb", "\x1b[2J", 1], "one line that can be printed"),
        (lists(TEXT), [[], ["a"]], ["a", [1], ["a", 1], {"a": "b"}], "a list of strings"),
        (some(lists(TEXT)), [["a"]], [[], [1]], "a list of strings that is not empty"),
        (tables(), [{}, {"a": 1}], [[], "a", None], "a table"),
        (tables(lists(NUMBER)), [{"a": [1]}], [{"a": 1}], "a table of lists of whole numbers"),
        (lists(tables(TEXT)), [[{}]], [[[]], [{"a": 1}]], "a list of tables of strings"),
        (either(TEXT, NUMBER), ["a", 1], [None, ["a"]], "a string or a whole number"),
    ],
)  # fmt: skip
def test_a_kind_takes_its_own(kind: Kind, good: list[Any], bad: list[Any], called: str) -> None:
    """Types are exact: `true` is no number."""
    assert all(kind.fits(value) for value in good)
    assert not any(kind.fits(value) for value in bad)
    assert kind.one == called


def test_the_first_fault_of_a_table_is_told() -> None:
    """By its key, with what stands there; keys that are not there are no fault."""
    kinds = {"a": NUMBER, "b": TEXT}
    assert fault({"c": 1}, kinds) == ""
    assert fault({"a": 1, "b": "x"}, kinds) == ""
    assert fault({"b": 1, "a": "\u00e9"}, kinds) == r"key 'a' = '\xe9': expected a whole number"
