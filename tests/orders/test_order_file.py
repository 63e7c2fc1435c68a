"""Order files: one rendering, so that no verifier needs a TOML parser (rows 17 to 19)."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orders import order_file
from orders.errors import Refused
from orders.order_file import OrderFile, compose, read_order_file

GAME = "0123456789abcdef" * 4
SALT = "ab" * 32
TABLES = {"standing": {"retreat": "ask", "support": "ask", "discard": [], "all": False, "most": 1}}

FILE = OrderFile(GAME, 7, "alice", ("fire N", "", "draw # so"), {"standing": {"retreat": "never"}})
DATA = FILE.render(SALT)

LINE = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=30)
VALUES = st.one_of(
    st.booleans(),
    st.integers(-(2**53) + 1, 2**53 - 1),
    LINE,
    st.lists(LINE, max_size=3),
)


def refused(data: bytes, word: str = "malformed") -> Refused:
    with pytest.raises(Refused) as caught:
        read_order_file(data, TABLES)
    assert caught.value.word == word
    assert caught.value.message.isascii()
    assert caught.value.message.isprintable()
    return caught.value


def test_the_rendering_is_the_one_of_the_page() -> None:
    """Byte for byte, as `docs/formats/order-files.md` has it."""
    assert DATA.decode() == (
        f'salt = "{SALT}"\ngame = "{GAME}"\nstep = 7\nplayer = "alice"\norders = [\n'
        '    "fire N",\n    "",\n    "draw # so",\n]\n[standing]\nretreat = "never"\n'
    )
    assert read_order_file(DATA, TABLES) == (SALT, FILE)
    assert FILE.text == "fire N\n\ndraw # so"
    nothing = OrderFile(GAME, 7, "alice", ()).render(SALT)
    assert nothing.endswith(b'player = "alice"\norders = []\n')
    assert read_order_file(nothing, TABLES)[1].text == ""


@given(st.lists(LINE, max_size=8), st.dictionaries(st.sampled_from([*TABLES["standing"]]), VALUES))
@settings(max_examples=150, deadline=None)
def test_whatever_is_composed_comes_back(lines: list[str], table: dict[str, object]) -> None:
    """Any lines and any values: the same file from its bytes, and the same from a TOML parser."""
    file = compose(GAME, 7, "alice", lines, {"standing": table}, TABLES)
    data = file.render(SALT)
    assert read_order_file(data, TABLES) == (SALT, file)
    parsed = tomllib.loads(data.decode())
    assert tuple(parsed["orders"]) == file.orders
    assert parsed.get("standing", {}) == file.tables.get("standing", {})
    assert [line for line in file.orders if line.endswith(" ")] == []
    assert file.orders[-1:] != ("",)


def test_what_is_composed_lacks_defaults() -> None:
    """A value that is written as its default is left out, and so is a table with nothing left."""
    for given_table, kept in (
        ({"retreat": "ask"}, {}),
        ({"discard": [], "all": False, "most": 1}, {}),
        ({"most": True}, {"most": True}),
        ({"all": 0}, {"all": 0}),
        ({"all": True, "retreat": "never"}, {"retreat": "never", "all": True}),
    ):
        file = compose(GAME, 7, "alice", [], {"standing": given_table}, TABLES)
        assert file.tables == ({"standing": kept} if kept else {})
        assert list(file.tables.get("standing", {})) == list(kept)


def test_unknown_tables_and_keys_are_named() -> None:
    """With those that there are."""
    for given_tables, said in (
        ({"other": {}}, "'other' is unknown: expected standing"),
        ({"standing": {"retire": 1}}, "'retire' is unknown: expected retreat, support"),
    ):
        with pytest.raises(Refused, match=said):
            compose(GAME, 7, "alice", [], given_tables, TABLES)
    with pytest.raises(Refused, match="there are none in this game"):
        compose(GAME, 7, "alice", [], {"standing": {}}, {})


@pytest.mark.parametrize(
    "value", ["[[1]]", "[{ a = 1 }]", "{ a = 1 }", "1.5", "[1.5]", '"\\u00e9"']
)
def test_values_of_tables_are_plain(value: str) -> None:
    """A table or a list within a list is no value that a game's table has."""
    refused(DATA.replace(b'"never"', value.encode()))


PIECES = st.sampled_from([*'\n"[],#\\ ', "= ", '    "",\n']).map(str.encode)


@given(st.integers(0, len(DATA)), st.integers(0, 8), st.one_of(st.binary(max_size=8), PIECES))
@settings(max_examples=400, deadline=None)
def test_no_byte_is_free(at: int, count: int, piece: bytes) -> None:
    """Any bytes near an order file are refused, or are the one rendering of what was read."""
    changed = DATA[:at] + piece + DATA[at + count :]
    try:
        salt, file = read_order_file(changed, TABLES)
    except Refused as error:
        assert error.word == "malformed"
        assert error.message.isascii()
        assert error.message.isprintable()
    else:
        assert file.render(salt) == changed


def test_faults_name_their_line() -> None:
    """A host's refusal tells the author where to look."""
    for found, said in (
        (DATA.replace(b'"fire N",', b'"fire N"'), 'line 6 does not follow the format:     "fire'),
        (DATA.replace(b"[standing]", b"# so\n[standing]"), "line 10 does not follow the format"),
        (DATA.replace(b'retreat = "never"', b'retreat = "ask"'), "line 10 does not"),
        (DATA.replace(b"step = 7", b"step = 07"), "line 3 does not"),
        (DATA.replace(b"step = 7", b"step = 0"), "step = 0: expected a whole number"),
        (DATA.replace(b"alice", b"con"), "'con' is no player's name"),
        (DATA.replace(b"orders = [", b"more = 1\norders = ["), "'more' is unknown"),
        (DATA.replace(b"fire N", "fire \u0405".encode()), "line 6 does not"),
    ):  # fmt: skip
        assert said in refused(found).message


def test_tables_are_the_games_own() -> None:
    """A table of another game is unknown, and so is any where the game has none."""
    with pytest.raises(Refused, match="'standing' is unknown"):
        read_order_file(DATA, {})


def test_sizes_are_capped_first() -> None:
    """Whatever is in it."""
    error = refused(DATA + b"#" * (order_file.LARGEST + 1 - len(DATA)), "too-big")
    assert str(order_file.LARGEST) in error.message
    refused(DATA + b"#" * (order_file.LARGEST - len(DATA)))


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=300))
def test_rubbish_is_refused(content: bytes) -> None:
    """One error for all that is no order file."""
    for data in (content, DATA + content, content + DATA):
        if data != DATA:
            refused(data)
