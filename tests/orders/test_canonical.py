"""Canonical JSON (RFC 8785 restricted)."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orders import canonical
from orders.errors import Refused

TEXTS = st.text(st.characters(min_codepoint=32, max_codepoint=126) | st.just("\n"), max_size=12)
VALUES = st.recursive(
    TEXTS | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=20,
)


@given(VALUES)
@settings(max_examples=150, deadline=None)
def test_values_come_back(value):
    """What was written reads as the same value, and as the same JSON for anybody else."""
    data = canonical.dumps(value)
    assert canonical.loads(data) == value
    assert json.loads(data) == value


@given(st.data())
@settings(max_examples=200, deadline=None)
def test_any_bytes_are_canonical_or_refused(damaged, data):
    """Any bytes either parse or are refused; what parses is written as the same bytes."""
    seed = canonical.dumps({"a": [1, -2, True, 'x\n"\\'], "b": {"c": {}, "d": []}})
    given_bytes = data.draw(damaged(seed))
    try:
        value = canonical.loads(given_bytes)
    except Refused as refused:
        assert refused.word == "malformed"
        assert refused.message.isprintable()
        assert refused.message.isascii()
    else:
        assert canonical.dumps(value) == given_bytes


def test_the_form_itself():
    """Keys sorted, no blanks, escapes as RFC 8785 section 3.2.2.2 has them."""
    value = {"b": 1, "a": {"z": True, "Z": False}, "": ["/", '"', "\\", "\n", "~"]}
    expected = rb'{"":["/","\"","\\","\n","~"],"a":{"Z":false,"z":true},"b":1}'
    assert canonical.dumps(value) == expected


def test_tuples_are_lists():
    """A rule's frozen tuples are written as lists."""
    assert canonical.dumps(((), (1, ("a",)))) == b'[[],[1,["a"]]]'


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "null", "[null]", "[1, 2]", "[1] ", "[1]\n", '{"b":1,"a":2}', '{"a":1,"a":1}',
        "[1.0]", "[1e3]", "[0.5]", "[01]", "[-0]", "[NaN]", "[Infinity]", "[-Infinity]",
        "[9007199254740992]", "[-9007199254740992]", "[" + "1" * 5000 + "]", '["\\u0041"]',
        '["\\/"]', '["\\t"]', '["\\u001b"]', '["\\u202e"]', '["\t"]', '["\x7f"]', '["\x00"]',
        '["\u00e9"]', '["\\ud800"]', "\ufeff[]", "[1]\r", "[]]", "{1:2}", "true1", '["a"',
    ],
)  # fmt: skip
def test_rows_18_and_19_other_spellings_are_refused(refuses, text):
    """Only the one spelling of a value is taken: no other one has the hash that others computed."""
    refuses("malformed", canonical.loads, text.encode())


@pytest.mark.parametrize("opening", ["[", '{"a":', '["]",', '[{"x":'])
@pytest.mark.parametrize("count", [33, 900, 5_000, 100_000])
def test_row_17_nesting_is_bounded(refuses, opening, count):
    """Deep nesting is refused, closed or not, wherever on the stack the parser stands."""
    closing = {"[": "]", "{": "}"}
    tail = "".join(closing[char] for char in reversed(opening) if char in "[{")
    refuses("malformed", canonical.loads, (opening * count).encode())
    text = opening * count + "1" + tail * count
    if opening == '["]",':
        text = opening * count + "1" + "]" * count
    refuses("malformed", canonical.loads, text.encode())


def test_depth_limit_is_exact():
    """32 levels are written and read, 33 are not."""
    deepest = 0
    for _ in range(32):
        deepest = [deepest]
    assert canonical.loads(canonical.dumps(deepest)) == deepest
    with pytest.raises(ValueError, match="deeper than 32"):
        canonical.dumps([deepest])


def test_size_is_bounded(refuses):
    """More than 1 MiB is refused before it is parsed, and never written."""
    refuses("too-big", canonical.loads, b'"' + b"a" * 2**20)
    assert len(canonical.dumps("a" * (2**20 - 2))) == 2**20
    with pytest.raises(ValueError, match="at most 1048576"):
        canonical.dumps("a" * (2**20 - 1))


@pytest.mark.parametrize(
    "value",
    [
        None, [None], 1.0, {"a": 0.0}, float("nan"), 2**53, -(2**53), {1: 2}, {True: 1}, {None: 1},
        {"a": {1}}, b"x", "\t", "\x7f", "\u00e9", "\ud800", {"\u00e9": 1}, object(),
    ],
)  # fmt: skip
def test_values_without_a_form_raise(value):
    """A value that has no canonical form is an error of the program, never silently changed."""
    with pytest.raises((TypeError, ValueError)):
        canonical.dumps(value)


def test_a_list_within_itself_raises():
    """A cycle ends in an error, not in a full memory."""
    cycle = []
    cycle.append(cycle)
    with pytest.raises(ValueError, match="deeper"):
        canonical.dumps(cycle)
