"""SSH wire strings: what is written comes back, and nothing is read past the end."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orders.wire import Cursor, string


def test_a_string_stands_behind_its_length() -> None:
    """Four bytes, big-endian (RFC 4251 section 5)."""
    assert string(b"testing") == b"\x00\x00\x00\x07testing"
    assert string(b"") == bytes(4)


@given(st.lists(st.binary(max_size=300)), st.binary(max_size=4))
def test_what_was_written_is_read(parts: list[bytes], rest: bytes) -> None:
    """One after the other, and what follows is left."""
    cursor = Cursor(b"".join(map(string, parts)) + rest)
    assert [cursor.string() for _ in parts] == parts
    assert cursor.rest == rest


def test_numbers_are_big_endian() -> None:
    """uint32, up to the largest."""
    cursor = Cursor(b"\x29\xb7\xf4\xaa\xff\xff\xff\xff")
    assert (cursor.number(), cursor.number()) == (0x29B7F4AA, 2**32 - 1)


@given(st.binary(max_size=60), st.data())
def test_whatever_ends_short_is_refused(text: bytes, data: st.DataObject) -> None:
    """Cut anywhere: the error says how many bytes are missing, and nothing is returned."""
    whole = string(text)
    cut = data.draw(st.integers(0, len(whole) - 1))
    with pytest.raises(ValueError, match=f"ends {(4 if cut < 4 else len(whole)) - cut} bytes too"):
        Cursor(whole[:cut]).string()


def test_a_length_that_lies_costs_nothing() -> None:
    """Four gigabytes are claimed, and three bytes are there."""
    with pytest.raises(ValueError, match="ends 4294967292 bytes too early"):
        Cursor(b"\xff\xff\xff\xffabc").string()
