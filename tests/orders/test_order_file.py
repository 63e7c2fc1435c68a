"""Order files: the only documents that people write freely, within limits (rows 17 to 19)."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orders.errors import Refused
from orders.order_file import OrderFile, read_authored, read_order_file, salted

GAME = "0123456789abcdef" * 4
SALT = "ab" * 32
LIMIT = 2_000

PLAIN = f'game = "{GAME}"\nstep = 7\nplayer = "alice"\norders = """\nfire N\ndraw\n"""\n'


def refused(text: str | bytes, word: str = "malformed") -> Refused:
    data = text.encode() if isinstance(text, str) else text
    begun = time.perf_counter()
    with pytest.raises(Refused) as caught:
        read_authored(data, ("standing",), LIMIT)
    assert time.perf_counter() - begun < 0.5
    assert caught.value.word == word
    assert caught.value.message.isascii()
    assert caught.value.message.isprintable()
    return caught.value


def test_the_salt_stands_in_front() -> None:
    """One line, so that it never falls into a table; the author's bytes follow untouched."""
    authored = PLAIN.encode()
    data = salted(SALT, authored)
    assert data == f'salt = "{SALT}"\n'.encode() + authored
    file = read_order_file(data, (), LIMIT)
    assert file == OrderFile(GAME, 7, "alice", "fire N\ndraw\n", {})


@pytest.mark.parametrize(
    "head",
    ["", 'salt = ""\n', f'salt = "{SALT.upper()}"\n', f"salt = '{SALT}'\n", f'salt="{SALT}"\n'],
)
def test_another_first_line_is_no_salt(head: str) -> None:
    """The salt has one rendering."""
    with pytest.raises(Refused, match="first line must be its salt"):
        read_order_file((head + PLAIN).encode(), (), LIMIT)


@pytest.mark.parametrize(
    "text",
    [
        PLAIN,
        PLAIN.replace("\n", "\r\n"),
        "# a remark: smörgåsbord\n" + PLAIN,
        PLAIN + "# the end",
        PLAIN.replace('"""\nfire N\ndraw\n"""', '"fire N\\ndraw\\n"'),
        PLAIN.replace('"""\nfire', "'''\nfire").replace('draw\n"""', "draw\n'''"),
        PLAIN.replace(" = ", "="),
        "\n".join(reversed(PLAIN.split("\n")[:3])) + "\n" + "\n".join(PLAIN.split("\n")[3:]),
    ],
    ids=["plain", "CRLF", "a remark", "no line end", "one line", "literal", "tight", "other order"],
)
def test_they_are_written_freely(text: str) -> None:
    """However TOML allows it: the same orders."""
    file = read_authored(text.encode(), (), LIMIT)
    assert (file.game, file.step, file.player) == (GAME, 7, "alice")
    assert file.orders.replace("\r", "") == "fire N\ndraw\n"


def test_tables_that_the_game_knows() -> None:
    """Stand beside the orders; others are unknown."""
    text = PLAIN + '[standing]\nretreat = "never"\ndiscard = ["speed-boat"]\n'
    file = read_authored(text.encode(), ("standing",), LIMIT)
    assert file.tables == {"standing": {"retreat": "never", "discard": ["speed-boat"]}}
    with pytest.raises(Refused, match="standing"):
        read_authored(text.encode(), (), LIMIT)


def test_the_fast_reading_reads_as_toml_does() -> None:
    """The plainest form is read without a parser: a remark makes it go the long way."""
    for orders in ("fire N\n", "", "\n\n", "a  b\n# c\n", "[x]\n", "= 'y'\n", "a" * 200 + "\n"):
        text = PLAIN.replace("fire N\ndraw\n", orders)
        quick = read_authored(text.encode(), (), LIMIT)
        assert quick == read_authored(f"# remark\n{text}".encode(), (), LIMIT)
        assert quick.orders == orders


HOSTILE = {
    "salt of its own": (f'salt = "{SALT}"\n' + PLAIN, "salt"),
    "unknown key": ("why = 1\n" + PLAIN, "'why'"),
    "unknown table": (PLAIN + "[other]\n", "'other'"),
    "key twice": ("step = 7\n" + PLAIN, "not TOML"),
    "no orders": (PLAIN[: PLAIN.index("orders")], "'orders' is missing"),
    "orders as a number": (PLAIN[: PLAIN.index("orders")] + "orders = 1\n", "orders = 1"),
    "orders as a list": (PLAIN[: PLAIN.index("orders")] + 'orders = ["x"]\n', "orders"),
    "step as text": (PLAIN.replace("step = 7", 'step = "7"'), "step"),
    "step true": (PLAIN.replace("step = 7", "step = true"), "step"),
    "step 0": (PLAIN.replace("step = 7", "step = 0"), "step"),
    "step 1.0": (PLAIN.replace("step = 7", "step = 1.0"), "step"),
    "step 2^63": (PLAIN.replace("step = 7", "step = 9223372036854775808"), "step"),
    "step nan": (PLAIN.replace("step = 7", "step = nan"), "step"),
    "step -0.0": (PLAIN.replace("step = 7", "step = -0.0"), "step"),
    "step a date": (PLAIN.replace("step = 7", "step = 2026-01-01"), "step"),
    "player a path": (PLAIN.replace("alice", "../x"), "'../x'"),
    "player a device": (PLAIN.replace("alice", "con"), "'con'"),
    "player host": (PLAIN.replace("alice", "host"), "'host'"),
    "game in capitals": (PLAIN.replace(GAME, GAME.upper()), "game"),
    "standing a text": ('standing = "x"\n' + PLAIN, "standing"),
    "byte order mark": ("\ufeff" + PLAIN, "byte order mark"),
    "right-to-left": (PLAIN.replace("fire", "\u202efire"), "invisible character"),
    "isolate": (PLAIN.replace("fire", "\u2066fire"), "invisible character"),
    "lone CR": (PLAIN.replace("draw", "dr\raw"), "carriage return"),
    "NUL": (PLAIN.replace("draw", "dr\0aw"), "not TOML"),
    "ESC": (PLAIN.replace("draw", "dr\x1b[2Jaw"), "not TOML"),
    "long line": (PLAIN.replace("draw", "d" * 1_999), "too long"),
    "not TOML": ("fire N\n", "not TOML"),
    "empty": ("", "'game' is missing"),
    "deep key": ("a" + ".a" * 700 + " = 1\n" + PLAIN, "dots deeper"),
    "deep brackets": ("a = " + "[" * 700 + "]" * 700 + "\n" + PLAIN, "nests"),
    "many brackets": ("a = [\n" + "[],\n" * 300 + "]\n", "brackets"),
    "long number": ("a = " + "9" * 1_700 + "\n", "'game' is missing"),
}  # fmt: skip


@pytest.mark.parametrize("what", HOSTILE)
def test_hostile_files_are_refused(what: str) -> None:
    """At once, in one line of printable ASCII that says what is wrong."""
    text, said = HOSTILE[what]
    if what == "long line":
        refused(text, "too-big")
    elif what == "many brackets":
        assert refused(text).message
    else:
        assert said in refused(text).message


def test_bytes_that_are_no_utf_8() -> None:
    """Named by place, with the way out."""
    error = refused(PLAIN.encode().replace(b"draw", b"dr\xffaw"))
    assert "no UTF-8" in error.message
    assert "UTF-8" in error.hint


@pytest.mark.parametrize("size", [LIMIT + 1, 40_000, 1_000_000])
def test_sizes_are_capped_first(size: int) -> None:
    """Whatever is in it, plain or not."""
    assert "too-big" in str(refused(b"a" * size, "too-big"))
    refused((PLAIN + "#" * size).encode(), "too-big")
    plain = PLAIN.replace("draw\n", "draw\n" * size)
    refused(plain.encode(), "too-big")


def test_normal_forms_are_kept_apart() -> None:
    """NFC and NFD twins are other bytes; no name holds either, orders keep what was written."""
    for name in ("zo\u00eb", "zoe\u0308"):
        refused(PLAIN.replace("alice", name))
    composed, apart = (
        read_authored(PLAIN.replace("draw", text).encode(), (), LIMIT).orders
        for text in ("# zo\u00eb", "# zoe\u0308")
    )
    assert composed != apart


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=400))
def test_any_bytes_are_read_or_refused(content: bytes) -> None:
    """One error for all that is no order file."""
    for data in (content, PLAIN.encode() + content, content + PLAIN.encode()):
        try:
            file = read_authored(data, (), LIMIT)
        except Refused as error:
            assert error.word in ("malformed", "too-big")
        else:
            assert (file.game, file.step) == (GAME, 7)
