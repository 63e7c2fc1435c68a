"""What people type as orders: taken without a loss, refused with line and column.

The bad days: a file saved as UTF-16 by an editor, quotes made curly by a phone, an order above the
line where the orders begin, a form of last week. The adversary: bytes that make a parser slow, or
an order that looks like another.
"""

from __future__ import annotations

import string

import growth
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orders.errors import Refused
from orders.order_file import LARGEST, LARGEST_TYPED, OrderFile, cut, read_order_file, read_typed

GAME = "0123456789abcdef" * 4
CUT = cut(GAME, 7, "alice")
WHOLE = f"# board\n{CUT}\nfire N\n\ndraw\n"
LINES = ("fire N", "", "draw")


def read(text: str | bytes) -> OrderFile:
    """What `alice` typed for step 7."""
    return read_typed(text.encode() if isinstance(text, str) else text, GAME, 7, "alice").file


def refused(text: str | bytes, *said: str, word: str = "malformed") -> Refused:
    with pytest.raises(Refused) as caught:
        read(text)
    error = caught.value
    assert error.word == word, error
    for words in (error.message, error.hint):
        assert words.isascii()
        assert words.isprintable()
    for one in said:
        assert one in f"{error.message} | {error.hint}", error
    return error


SAME = {
    "a form": WHOLE,
    "CR LF": WHOLE.replace("\n", "\r\n"),
    "a byte order mark": "\ufeff" + WHOLE,
    "both": "\ufeff" + WHOLE.replace("\n", "\r\n"),
    "no line end": WHOLE[:-1],
    "lines alone": "fire N\n\ndraw",
    "lines alone, CR LF": "fire N\r\n\r\ndraw\r\n\r\n",
    "a board above": f"# \u2248\u2248\u2248 a1\tb2\n# \u202e\n{WHOLE}",
    "notes above": f"# board\n  # \x1b[2J note\n \n{CUT}  \nfire N\n\ndraw\n",
    "blanks at the ends": "fire N   \n \t \ndraw\t\n   \n\n",
}


@pytest.mark.parametrize("what", SAME)
def test_however_it_is_typed_it_is_the_same(what: str) -> None:
    """The same lines in many layouts."""
    assert read(SAME[what]).orders == LINES


def test_remarks_stay_if_they_are_plain() -> None:
    """A remark in printable ASCII goes along as typed; another is left out whole."""
    assert read('fire N # so, "x" \\ there').orders == ('fire N # so, "x" \\ there',)
    assert read("fire N # so\ndraw # s\u00e5").orders == ("fire N # so", "draw")
    assert read("# \u00e9\n#").orders == ("", "#")


def test_tabs_count_as_blanks() -> None:
    """In orders and in remarks."""
    assert read("\tfire\tN # a\tb\t").orders == (" fire N # a b",)


ODD = {
    "curly quotes": ("fire \u201cN\u201d", "line 1, column 6", "straight quotes"),
    "a curly quote": (WHOLE.replace("draw", "dr\u2019aw"), "line 5, column 3", "straight"),
    "an accent": ("fire N\nd\u00e9", "line 2, column 2", "LATIN SMALL LETTER E WITH ACUTE"),
    "a twin of a letter": ("fire \u0405", "line 1, column 6", "CYRILLIC CAPITAL LETTER DZE"),
    "a decomposed letter": ("zoe\u0308", "line 1, column 4", "COMBINING DIAERESIS"),
    "a no-break space": ("fire\u00a0N", "line 1, column 5", "NO-BREAK SPACE"),
    "a zero-width space": ("fire\u200bN", "column 5", "ZERO WIDTH SPACE"),
    "right to left": ("\u202efire", "column 1", "RIGHT-TO-LEFT OVERRIDE"),
    "a mark in the middle": ("fire\ufeff N", "column 5", "ZERO WIDTH NO-BREAK SPACE"),
    "full width": ("\uff26ire", "column 1", "FULLWIDTH"),
    "an escape character": ("fire\x1b[2J", "column 5", "a control character"),
    "a lone CR": ("fire N\rdraw", "line 1, column 7", "(U+000D)"),
    "a lone CR in a remark": ("fire N # x\rdraw", "line 1, column 11", "(U+000D)"),
    "a separator in a remark": ("# x\u2028draw", "line 1, column 4", "LINE SEPARATOR"),
    "a form feed in a remark": ("# x\fdraw", "line 1, column 4", "(U+000C)"),
    "below a board": (f"# \u00e9\n#\n{CUT}\n\nd\u00e9", "line 5, column 2", "ACUTE"),
}  # fmt: skip


@pytest.mark.parametrize("what", ODD)
def test_odd_characters_are_named_where_they_stand(what: str) -> None:
    """By line and column in the author's own file, counted with what stands above the cut."""
    text, *said = ODD[what]
    refused(text, *said)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_other_encodings_are_named(encoding: str) -> None:
    """Notepad's "Unicode" is no mystery."""
    refused(WHOLE.encode(encoding), "UTF-16", "save the file as UTF-8")


def test_bytes_that_are_no_utf_8() -> None:
    """By line and byte."""
    data = f"# board\n{CUT}\nfire N\ndr\u00e9w".encode("latin-1")
    refused(data, "line 4, byte 3", "(0xe9) is in another encoding", "save the file as UTF-8")


def test_forms_of_something_else_are_refused() -> None:
    """A form says whose orders these are, and for which step of which game."""
    fresh = "take a fresh form"
    for old, new, said, word in (
        (GAME[:16], "1" * 16, f"for game '{'1' * 16}', this is game {GAME[:16]}", "stale"),
        ("step 7", "step 6", "the form is for step '6', this is step 7", "stale"),
        ("alice", "bob", "the form is for player 'bob', this is player alice", "mismatch"),
    ):
        refused(WHOLE.replace(old, new), said, fresh, word=word)
    refused(WHOLE.replace(" ====\n", "\n"), "line 2 of the form was changed", fresh)


def test_sizes_are_capped() -> None:
    """What stands above the cut may be long; the order file may not."""
    board = "# board\n" * 20_000
    assert read(f"{board}{CUT}\nfire N").orders == ("fire N",)
    most = "# b\n" * (LARGEST_TYPED // 4)
    rest = LARGEST_TYPED - len(f"{CUT}\nfire N") - len(most[: -4 * 30])
    whole = f"{most[: -4 * 30]}{'#' * (rest - 1)}\n{CUT}\nfire N"
    assert len(whole) == LARGEST_TYPED
    assert read(whole).orders == ("fire N",)
    refused(f"#{whole}", str(LARGEST_TYPED), word="too-big")
    refused("a" * (LARGEST + 1), str(LARGEST), word="too-big")


def test_an_order_above_the_cut_is_not_lost() -> None:
    """Written in the wrong place it is refused, and so is a note that could be an order."""
    text = f"# board\nfire N\n{CUT}\n"
    refused(text, "line 2 is above the line where the orders begin", "# in front of a note")
    refused(f"# board\nfire \u2248\n{CUT}\ndraw", "line 2 is above")


def test_the_cut_parts_the_file_once() -> None:
    """The first cut counts, blanks behind it or not; a second one is a remark of the orders."""
    assert read(f"# a\r\n{CUT}  \r\nb\r\n").orders == ("b",)
    assert read(f"# a\n{CUT}\nb\n{CUT}\nc").orders == ("b", CUT, "c")
    assert read(CUT).orders == ()


def read_any(data: bytes) -> None:
    """A typed file, whatever it holds."""
    read_typed(data, GAME, 7, "alice")


@pytest.mark.parametrize("piece", ["a\n", "#", "# \u00e9\n", "\n", " \t", f"{CUT}\n", CUT[:9]])
def test_row_17_time_grows_with_the_size(piece: str) -> None:
    """Four times as long takes at most about four times as long: quadratic would be sixteen."""
    short, long = ((piece * (size // len(piece.encode()))).encode() for size in (10_000, 40_000))
    assert growth.fault(read_any, short, long, 8) is None


ORDER = st.text(string.ascii_letters + string.digits + " +-:,'!=\"[]", min_size=1, max_size=20)


@given(st.lists(ORDER, max_size=6), st.sampled_from(["\n", "\r\n"]), st.booleans())
@settings(max_examples=150, deadline=None)
def test_no_line_is_lost(lines: list[str], end: str, alone: bool) -> None:
    """Whatever lines are typed, alone or in a form, these and no others are read."""
    text = "\n".join(lines if alone else ["# board", CUT, *lines])
    wanted = [line.rstrip() for line in lines]
    while wanted and not wanted[-1]:
        wanted.pop()
    assert list(read(text.replace("\n", end)).orders) == wanted


BASES = st.sampled_from([*SAME.values(), ""]).map(str.encode)
PIECES = st.sampled_from([*"'\"[=#\n\r\\\u201c", "# ====", CUT]).map(str.encode)


@given(BASES, st.integers(0, 2**16), st.integers(0, 20), st.one_of(st.binary(max_size=12), PIECES))
@settings(max_examples=400, deadline=None)
def test_any_bytes_are_read_or_refused(base: bytes, at: int, count: int, piece: bytes) -> None:
    """What was read has a rendering, which reads as the same again."""
    at %= len(base) + 1
    try:
        file = read(base[:at] + piece + base[at + count :])
    except Refused as error:
        assert error.word in {"malformed", "too-big", "stale", "mismatch"}
        for words in (error.message, error.hint):
            assert words.isascii()
            assert words.isprintable()
    else:
        assert read_order_file(file.render("0" * 64))[1] == file


def test_how_many_lines_are_above() -> None:
    """So that an order line is named by the line of the file that its author typed."""
    for text, above in ((WHOLE, 2), (f"#\n#\n\n{CUT}\n", 4), (CUT, 1), ("fire N", 0), ("", 0)):
        assert read_typed(text.encode(), GAME, 7, "alice").above == above
