"""Order files: a salt and lines in one rendering, which no verifier needs a parser for (rows 17 to
19)."""

from __future__ import annotations

import growth
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orders import order_file
from orders.errors import Refused
from orders.order_file import OrderFile, compose, read_order_file

SALT = "ab" * 32
FILE = OrderFile(("fire N", "", "draw # so"))
DATA = FILE.render(SALT)

LINE = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=30)


def refused(data: bytes, word: str = "malformed") -> Refused:
    with pytest.raises(Refused) as caught:
        read_order_file(data)
    assert caught.value.word == word
    assert caught.value.message.isascii()
    assert caught.value.message.isprintable()
    return caught.value


def test_the_rendering_is_the_one_of_the_page() -> None:
    """Byte for byte, as `docs/formats/order-files.md` has it."""
    assert DATA.decode() == f'salt = "{SALT}"\nfire N\n\ndraw # so\n'
    assert read_order_file(DATA) == (SALT, FILE)
    assert FILE.text == "fire N\n\ndraw # so"
    nothing = OrderFile(()).render(SALT)
    assert nothing.decode() == f'salt = "{SALT}"\n'
    assert read_order_file(nothing)[1].text == ""


@given(st.lists(LINE, max_size=8))
@settings(max_examples=150, deadline=None)
def test_whatever_is_composed_comes_back(lines: list[str]) -> None:
    """Any lines: the same file from its bytes, without blanks at line ends and blank last lines."""
    file = compose("\n".join(lines))
    assert read_order_file(file.render(SALT)) == (SALT, file)
    cut = [line.rstrip() for line in lines]
    assert list(file.orders) == cut[: len(file.orders)]
    assert not any(cut[len(file.orders) :])
    assert file.orders[-1:] != ("",)


PIECES = st.sampled_from([*'\n"[],#\\ ', "= ", "\n\n", " \n"]).map(str.encode)


@given(st.integers(0, len(DATA)), st.integers(0, 8), st.one_of(st.binary(max_size=8), PIECES))
@settings(max_examples=400, deadline=None)
def test_no_byte_is_free(at: int, count: int, piece: bytes) -> None:
    """Any bytes near an order file are refused, or are the one rendering of what was read."""
    changed = DATA[:at] + piece + DATA[at + count :]
    try:
        salt, file = read_order_file(changed)
    except Refused as error:
        assert error.word == "malformed"
        assert error.message.isascii()
        assert error.message.isprintable()
    else:
        assert file.render(salt) == changed


def test_faults_name_their_line() -> None:
    """A host's refusal tells the author where to look."""
    for found, said in (
        (b"fire N\n", "line 1 is fire N: expected its salt"),
        (b"", "line 1 is : expected its salt"),
        (DATA.replace(b"fire N", b"fire N "), "line 2 is fire N : expected plain ASCII"),
        (DATA.replace(b"draw", "dr\u0405".encode()), "line 4 is dr\\xd0\\x85 # so: expected"),
        (DATA.replace(b"\n", b"\r\n"), "line 1 is salt = "),
        (DATA[:-1], "expected LF at the end"),
        (DATA + b"\n", "no empty line there"),
    ):
        assert said in refused(found).message


def test_sizes_are_capped_first() -> None:
    """Whatever is in it."""
    error = refused(DATA + b"#" * (order_file.LARGEST + 1 - len(DATA)), "too-big")
    assert str(order_file.LARGEST) in error.message
    refused(DATA + b"#" * (order_file.LARGEST - len(DATA)))


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=300))
def test_rubbish_is_refused(content: bytes) -> None:
    """One error for all that is no order file."""
    refused(content)


@pytest.mark.parametrize("piece", [b"a\n", b" ", b"\n", b"a \n", b"\xff"])
def test_row_17_time_grows_with_the_size(piece: bytes) -> None:
    """Four times as long takes at most about four times as long."""

    def read(data: bytes) -> None:
        read_order_file(data)

    short, long = (DATA + piece * (size // len(piece)) for size in (10_000, 40_000))
    assert growth.fault(read, short, long, 8) is None
