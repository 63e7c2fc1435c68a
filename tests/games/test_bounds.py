"""The bytes of plain data, as reports and entries write it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.bounds import LARGEST, json_bytes
from orders import canonical

texts = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=8)
plain: st.SearchStrategy[Any] = st.recursive(
    texts | st.booleans() | st.integers(-LARGEST, LARGEST),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=40)
@given(st.dictionaries(texts, plain, max_size=4))
def test_bytes_are_those_of_canonical_json(value: dict[str, Any]) -> None:
    """What a bound reckons is what is written, byte for byte."""
    assert json_bytes(value) == len(canonical.dumps(value))


def test_the_largest_number_is_the_last_that_is_written() -> None:
    """The bound of a number is reckoned with it; one more, canonical JSON does not hold."""
    assert canonical.loads(canonical.dumps({"n": LARGEST})) == {"n": LARGEST}
    with pytest.raises(ValueError, match=r"2\^53 or more"):
        canonical.dumps({"n": LARGEST + 1})
