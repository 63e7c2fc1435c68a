"""What people type as orders: taken in many forms, never with a loss, refused with line and column.

The bad days: a file saved as UTF-16 by an editor, quotes made curly by a phone, lines beside the
quotes, a board with letters of all alphabets above the cut. The adversary: bytes that make a parser
slow, or an order that looks like another.
"""

from __future__ import annotations

import string

import growth
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orders.errors import Refused
from orders.order_file import LARGEST, OrderFile, compose
from orders.typed import CUT, LARGEST_TYPED, own_line, read_typed

GAME = "0123456789abcdef" * 4
TABLES = {"standing": {"retreat": "ask", "support": "ask", "discard": [], "all": False}}
HEAD = f'game = "{GAME}"\nstep = 7\nplayer = "alice"\n'
WHOLE = f'{HEAD}orders = """\nfire N\n\ndraw\n"""\n'
LINES = ("fire N", "", "draw")


def read(text: str | bytes) -> OrderFile:
    """What `alice` typed for step 7."""
    data = text.encode() if isinstance(text, str) else text
    return read_typed(data, TABLES, GAME, 7, "alice")


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
    "a whole file": WHOLE,
    "CR LF": WHOLE.replace("\n", "\r\n"),
    "a byte order mark": "\ufeff" + WHOLE,
    "both": "\ufeff" + WHOLE.replace("\n", "\r\n"),
    "no line end": WHOLE[:-1],
    "literal quotes": WHOLE.replace('"""', "'''"),
    "on one line": WHOLE.replace('"""\nfire N\n\ndraw\n"""', '"fire N\\n\\ndraw\\n"'),
    "no blanks": WHOLE.replace(" = ", "="),
    "many blanks": WHOLE.replace(" = ", "   =  "),
    "indented": WHOLE.replace("\n", "\n  ").rstrip().replace("  fire", "fire")
    .replace("  draw", "draw"),
    "keys in another order": 'orders = """\nfire N\n\ndraw\n"""\n' + HEAD,
    "remarks in Swedish": f"# sm\u00f6rg\u00e5sbord\n{WHOLE}# slut p\u00e5 det",
    "a list": f'{HEAD}orders = ["fire N", "", "draw"]\n',
    "a list on lines": f'{HEAD}orders = [\n  "fire N", # [ "\n  "",\n  \'draw\',\n]\n',
    "a list of several lines": f'{HEAD}orders = ["fire N\\n", "draw"]\n',
    "its one rendering": compose(GAME, 7, "alice", LINES, {}, {}).render("0" * 64)
    .partition(b"\n")[2].decode(),
    "lines alone": "fire N\n\ndraw",
    "lines alone, CR LF": "fire N\r\n\r\ndraw\r\n\r\n",
    "lines after the quotes": f'{HEAD}orders = """\nfire N\n\n"""\ndraw\n',
    "lines between": f'{HEAD}fire N\norders = """\n\ndraw\n"""\n',
    "lines without quotes": f"{HEAD}fire N\ndraw\n",
    "lines before all": f'fire N\n{HEAD}orders = """\n\n"""\ndraw',
    "no head": 'orders = """\nfire N\n\ndraw\n"""\n',
    "a board above": f"# \u2248\u2248\u2248 a1\tb2\n# \u202e\n{CUT}\n{WHOLE}",
    "a board above, CR LF": f"# board\r\n{CUT}\r\n{WHOLE}".replace("\n", "\r\n"),
    "a board above lines": f"# board\n  # \x1b[2J note\n \n{CUT}\nfire N\n\ndraw\n",
    "blanks at the ends": "fire N   \n \t \ndraw\t\n   \n\n",
    "accents in a remark": "fire N # caf\u00e9\n# \u041f\u0440\u0438\u0432\u0435\u0442\ndraw",
}  # fmt: skip

UNEVEN = {"a list of several lines", "lines after the quotes", "lines without quotes",
          "lines before all"}  # fmt: skip
"""Here the blank line in the middle is not written, or goes with the end of the quotes."""


@pytest.mark.parametrize("what", SAME)
def test_however_it_is_typed_it_is_the_same(what: str) -> None:
    """The same lines in many layouts."""
    file = read(SAME[what])
    assert (file.game, file.step, file.player, file.tables) == (GAME, 7, "alice", {})
    if what in UNEVEN:
        assert tuple(filter(None, file.orders)) == ("fire N", "draw")
    else:
        assert file.orders == LINES


def test_lines_outside_the_quotes_keep_their_place() -> None:
    """Those before come first, those after last, tables or not."""
    text = f'first\n{HEAD}second\norders = """\nthird\n"""\nfourth\n[standing]\nall = true\nfifth'
    file = read(text)
    assert file.orders == ("first", "second", "third", "fourth", "fifth")
    assert file.tables == {"standing": {"all": True}}


def test_tables_of_the_game() -> None:
    """Defaults fall away; keys come into the game's order."""
    text = f"{WHOLE}[standing]\ndiscard = ['speed-boat']\nsupport = \"ask\"\nretreat = 'never'\n"
    tables = read(text).tables
    assert tables == {"standing": {"retreat": "never", "discard": ["speed-boat"]}}
    assert list(tables["standing"]) == ["retreat", "discard"]
    assert read(f"{WHOLE}standing = {{ retreat = 'never' }}\n").tables == {
        "standing": {"retreat": "never"}
    }
    assert read(f"{WHOLE}standing.retreat = 'never'\n").tables == {"standing": {"retreat": "never"}}


def test_remarks_stay_if_they_are_plain() -> None:
    """A remark in printable ASCII goes along as typed; another is left out whole."""
    assert read('fire N # so, "x" \\ there').orders == ('fire N # so, "x" \\ there',)
    assert read("fire N # so\ndraw # s\u00e5").orders == ("fire N # so", "draw")
    assert read('orders = ["a # \u00e9", "b # c"]').orders == ("a", "b # c")
    assert read("# \u00e9\n#").orders == ("", "#")


def test_tabs_count_as_blanks() -> None:
    """In orders and in remarks."""
    assert read("\tfire\tN # a\tb\t").orders == (" fire N # a b",)


ODD = {
    "curly quotes": ("orders = \u201c\nfire\n\u201d", "line 1, column 10", "straight quotes"),
    "a curly quote": (WHOLE.replace("draw", "dr\u2019aw"), "line 7, column 3", "straight"),
    "an accent": ("fire N\nd\u00e9", "line 2, column 2", "LATIN SMALL LETTER E WITH ACUTE"),
    "a twin of a letter": ("fire \u0405", "line 1, column 6", "CYRILLIC CAPITAL LETTER DZE"),
    "a decomposed letter": ("zoe\u0308", "line 1, column 4", "COMBINING DIAERESIS"),
    "a no-break space": ("fire\u00a0N", "line 1, column 5", "NO-BREAK SPACE"),
    "a zero-width space": ("fire\u200bN", "column 5", "ZERO WIDTH SPACE"),
    "right to left": ("\u202efire", "column 1", "RIGHT-TO-LEFT OVERRIDE"),
    "a mark in the middle": ("fire\ufeff N", "column 5", "ZERO WIDTH NO-BREAK SPACE"),
    "full width": ("\uff26ire", "column 1", "FULLWIDTH"),
    "an escape character": ("fire\x1b[2J", "column 5", "a control character"),
    "a lone CR": ("fire N\rdraw", "line 1, column 7", "'\\r'"),
    "a lone CR in a remark": ("fire N # x\rdraw", "line 1, column 11", "'\\r'"),
    "a separator in a remark": ("# x\u2028draw", "line 1, column 4", "LINE SEPARATOR"),
    "a form feed in a remark": ("# x\fdraw", "line 1, column 4", "'\\x0c'"),
    "below a board": (f"# \u00e9\n#\n{CUT}\n\nd\u00e9", "line 5, column 2", "ACUTE"),
    "an escape in quotes": ('orders = "fire\\u000bN"', "order line 1, column 5", "'\\x0b'"),
    "an escaped accent": ('orders = "a\\nd\\u00e9"', "order line 2, column 2", "ACUTE"),
    "an accent after one": ('orders = ["a # b", "d\u00e9"]', "order line 2, column 2", "ACUTE"),
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
    refused(data, "line 4, byte 3", "no UTF-8", "save the file as UTF-8")


FAULTS = {
    "a salt": (f'salt = "{GAME}"\n{WHOLE}', "the tool adds key 'salt' itself"),
    "an unknown key": (f"colour = 1\n{WHOLE}", "'colour' is unknown"),
    "an unknown table": (f"{WHOLE}[other]\n", "'other' is unknown"),
    "an unknown key in a table": (f"{WHOLE}[standing]\nretire = 1\n", "'retire' is unknown"),
    "a table as text": (f'standing = "x"\n{WHOLE}', "standing = 'x'"),
    "a float": (f"{WHOLE}[standing]\nall = 1.5\n", "1.5: expected text"),
    "a date": (f"{WHOLE}[standing]\nall = 2026-11-21\n", "expected text"),
    "an accent in a table": (f'{WHOLE}[standing]\nretreat = "\\u00e9"\n', "printable ASCII"),
    "a table in a table": (f"{WHOLE}[standing]\nall = {{ a = 1 }}\n", "expected text"),
    "a list in a list": (f"{WHOLE}[standing]\nall = [[1]]\n", "standing.all = [[1]]"),
    "a key twice": (f"step = 7\n{WHOLE}", "line 3"),
    "no quotes": (f"{WHOLE}[standing]\nretreat = never\n", "line 10, column 11"),
    "no quotes below a board": (f"#\n#\n{CUT}\norders = fire\n", "line 4, column 10"),
    "no value": ("orders =\nfire N\n", "line 1"),
    "quotes never closed": (WHOLE.removesuffix('"""\n'), 'line 4: the """ here is never closed'),
    "quotes closed otherwise": (WHOLE.replace('draw\n"""', "draw\n'''"), "line 4", "never closed"),
    "a list never closed": ('orders = [\n"fire N",\n', "line 1: the [ here is never closed"),
    "orders as a number": ("orders = 1\n", "orders = 1"),
    "orders as a table": ("[orders]\n", "orders = {}"),
    "orders as mixed list": ('orders = ["a", 1]\n', "expected lines between quotes"),
    "a game in capitals": (WHOLE.replace(GAME, GAME.upper()), "game"),
    "a step as text": (WHOLE.replace("step = 7", 'step = "7"'), "step"),
    "a step true": (WHOLE.replace("step = 7", "step = true"), "step"),
    "a path as player": (WHOLE.replace("alice", "../x"), "'../x'"),
    "deep brackets": (f"a = {'[' * 700}{']' * 700}\n{WHOLE}", "nests"),
    "a deep key": (f"a{'.a' * 700} = 1\n{WHOLE}", "dots"),
    "a long number": (f"step = {'9' * 1_900}\n", "step"),
}  # fmt: skip


@pytest.mark.parametrize("what", FAULTS)
def test_what_cannot_be_meant_is_refused(what: str) -> None:
    """With what was found, and where it can be told the line of the author's own file."""
    text, *said = FAULTS[what]
    refused(text, *said)


def test_orders_for_something_else_are_refused() -> None:
    """If the file says what it is for, this must be it."""
    refused(WHOLE.replace(GAME, "1" * 64), "it is for the game 1111", "fresh form", word="stale")
    refused(
        WHOLE.replace("step = 7", "step = 6"),
        "it is for step 6, the game is at step 7",
        word="stale",
    )
    refused(WHOLE.replace("alice", "bob"), "it is bob's, and you are alice", word="mismatch")
    refused("step = 8\nfire N", word="stale")


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
    refused("a\n" * (LARGEST // 4), str(LARGEST), word="too-big")


def test_an_order_above_the_cut_is_not_lost() -> None:
    """Written in the wrong place it is refused, and so is a note that could be an order."""
    for text in (f"# board\nfire N\n{CUT}\n", f"# board\n\n{HEAD}{CUT}\ndraw\n"):
        refused(text, "is above the line where the orders begin", "# in front of a note")
    refused(f"# board\nfire \u2248\n{CUT}\ndraw", "line 2 is above")


def test_the_cut_parts_the_file_once() -> None:
    """The first cut counts, blanks behind it or not; a second one is a remark of the orders."""
    assert read(f"# a\r\n{CUT}  \r\nb\r\n").orders == ("b",)
    assert read(f"# a\n{CUT}\nb\n{CUT}\nc").orders == ("b", CUT, "c")
    assert read(CUT).orders == ()


def read_any(data: bytes) -> None:
    """A typed file, whatever it holds."""
    read_typed(data, TABLES, GAME, 7, "alice")


@pytest.mark.parametrize(
    "piece",
    ["a\n", "a = 1\n", '"', "'", '"""', "'''\n", "[", "[a]\n", 'a = "\n', "a = [\n", '\\"', "a.",
     "#", "# \u00e9\n", "\n", " \t", 'a = """\n', "a = {", "= ", f"{CUT}\n", '"" ', '"\\'],
)  # fmt: skip
def test_row_17_time_grows_with_the_size(piece: str) -> None:
    """Four times as long takes at most about four times as long: quadratic would be sixteen."""
    for front in ("", "a = ", 'orders = """\n', "orders = ["):
        short, long = (
            (front + piece * (size // len(piece.encode()))).encode() for size in (10_000, 40_000)
        )
        assert growth.fault(read_any, short, long, 8) is None


ORDER = st.text(string.ascii_letters + string.digits + " +-:,'!", min_size=1, max_size=20)


@given(st.lists(ORDER, max_size=6), st.sampled_from(["\n", "\r\n"]), st.booleans())
@settings(max_examples=150, deadline=None)
def test_no_line_is_lost(lines: list[str], end: str, alone: bool) -> None:
    """Whatever lines are typed, alone or between quotes, these and no others are read."""
    text = "\n".join(lines) if alone else f"{HEAD}orders = '''x\n" + "\n".join(lines) + "\n'''\n"
    if not alone and any("'''" in line or line.endswith("''") for line in lines):
        return
    wanted = [line.rstrip() for line in ([] if alone else ["x"]) + lines]
    while wanted and not wanted[-1]:
        wanted.pop()
    assert list(read(text.replace("\n", end)).orders) == wanted


BASES = st.sampled_from([*SAME.values(), "", HEAD]).map(str.encode)
PIECES = st.sampled_from([*"'\"[]{=#\n\r\\\u201c", '"""', "[standing]\n", CUT]).map(str.encode)


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
        again = file.render("0" * 64).partition(b"\n")[2]
        assert read(again) == file


@pytest.mark.parametrize(
    ("text", "number", "line"),
    [
        ("silent\nfire S\n", 2, 2),
        (f'# a board\n{CUT}\nstep = 3\norders = """\nsilent\n\nfire S # now\n"""\n', 3, 7),
        (f'# silent\n{CUT}\norders = """\nsilent\n"""\n', 1, 4),
        ("silent\t \nsilent\n", 2, 2),
        ('orders = "silent"\n', 1, None),
        ('orders = ["silent", "fire S"]\n', 2, None),
        ("silent\r\n\r\nfire S\r\n", 3, 3),
        ("silent # \u00e9\nfire S", 1, 1),
        (f'{HEAD}silent\norders = """\nmid\n"""\nfire S', 2, 6),
        (f'{HEAD}silent\norders = """\nmid\n"""\nfire S', 3, 8),
        ("silent\n", 2, None),
        ("", 1, None),
    ],
)
def test_the_line_in_ones_own_file(text: str, number: int, line: int | None) -> None:
    """An order line is named by the line of the file that its author typed, where it has one."""
    data = text.encode()
    file = read_typed(data.replace(b"step = 7", b"step = 3"), {}, GAME, 3, "alice")
    assert own_line(data, file.orders, number) == line
