"""What a case expects and what came: where they differ, and in what words that is told."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.cases import compare, in_order
from games.promises import quote

plain: st.SearchStrategy[Any] = st.recursive(
    st.text(max_size=3) | st.booleans() | st.integers(-3, 3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner),
    max_leaves=10,
)


@settings(max_examples=50)
@given(plain, plain)
def test_what_is_the_same_fits_and_nothing_else(one: Any, other: Any) -> None:
    """A table's other keys do not count."""
    assert list(compare("x", one, one)) == []
    if not isinstance(one, dict):
        same = quote(one) == quote(other)
        assert (list(compare("x", one, other)) == []) == same


def test_other_keys_do_not_count() -> None:
    """A case says what it is about; a key that it names must be there, however deep."""
    came = {"sub": {"at": "A1", "fuel": 3}, "turn": "bob"}
    assert list(compare("p", {"sub": {"at": "A1"}}, came)) == []
    assert list(compare("p", {"sub": {"at": "B1", "crew": 2}}, came)) == [
        'p.sub.at: expected "B1", came "A1"',
        "p.sub.crew: expected 2, is not there",
    ]


@pytest.mark.parametrize(("expected", "came"), [(1, True), (0, False), ("1", 1), ([], {}), ({}, 1)])
def test_types_count(expected: Any, came: Any) -> None:
    """`true` is no 1, also where Python finds them equal, and in a list or an event too."""
    assert list(in_order("events", [{"n": expected}], [{"n": came, "kind": "x"}])) != []
    assert list(compare("p", [expected], (came,))) != []
    assert list(compare("p", expected, came)) == [
        f"p: expected {quote(expected)}, came {quote(came)}"
    ]


def test_lists_that_stand_for_sets_have_no_order() -> None:
    """By their key alone; each member still as often as expected."""
    assert list(compare("p", {"mines": ["B2", "A1"]}, {"mines": ["A1", "B2"]}, {"mines"})) == []
    assert list(compare("p", {"mines": ["B2", "A1"]}, {"mines": ["A1", "B2"]})) != []
    assert list(compare("p", {"mines": ["A1"]}, {"mines": ["A1", "A1"]}, {"mines"})) != []
    assert list(compare("p", {"way": ["B", "A"]}, {"way": ["A", "B"]}, {"mines"})) != []


def test_lists_are_told_line_by_line() -> None:
    """What fits stands once; what is expected and what came, beside each other."""
    (told,) = compare("p.way", ["A1", "A2", "A3"], ("A1", "B2"))
    assert told.split("\n") == [
        "p.way: expected (-), came (+):", '    "A1"', '  - "A2"', '  + "B2"', '  - "A3"',
    ]  # fmt: skip


HIT = {"kind": "hit", "at": "A1", "by": "bob"}
TURN = {"kind": "turn", "player": "alice"}


def test_lists_of_tables_are_told_where_something_else_came() -> None:
    """Also where no table came at all; a table within a list has just the keys expected."""
    (told,) = compare("p.way", [{"at": "A1"}, {"at": "B1"}], [{"at": "A1", "n": 1}, "B1"])
    assert told.split("\n")[1:] == [
        '  - {"at": "A1"}',
        '  + {"at": "A1", "n": 1}',
        '  - {"at": "B1"}',
        '  + "B1"',
    ]
    assert list(compare("p.way", [["A", 1]], [("A", 1)])) == []


def test_events_come_in_order_and_all_of_them() -> None:
    """A case names what each event is about; none may be missing, and no other may come."""
    over = {"kind": "over"}
    assert list(in_order("events", [{"kind": "hit"}, over], [HIT, over])) == []
    for came in ([over, HIT], [HIT], [HIT, over, over], [HIT, {"kind": "on"}], []):
        assert len(list(in_order("events", [{"kind": "hit"}, over], came))) == 1


def test_whose_turn_it_is_counts_only_where_it_is_expected() -> None:
    """Events `turn` stand at the end of nearly every step."""
    assert list(in_order("events", [{"kind": "hit"}], [HIT, TURN])) == []
    assert list(in_order("events", [{"kind": "hit"}, {"kind": "turn"}], [HIT, TURN])) == []
    assert list(in_order("events", [{"kind": "hit"}, {"kind": "turn"}], [HIT])) != []
    assert list(in_order("events", [], [TURN])) == []


def test_an_event_that_fits_is_not_told_as_a_fault() -> None:
    """Though it came with another key, it is shown as it came, without a sign."""
    (told,) = in_order("events", [{"kind": "hit"}, {"kind": "over"}], [HIT])
    assert told.split("\n") == [
        "events: expected (-), came (+):",
        f"    {quote(HIT)}",
        '  - {"kind": "over"}',
    ]


@given(plain)
def test_quotes_are_one_line_of_ascii(value: Any) -> None:
    """Whatever stands in a position, it forges no line."""
    text = quote(value)
    assert text.isascii()
    assert text.isprintable()
