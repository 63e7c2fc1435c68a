"""The rendering of documents and its reader: exact, and linear in whatever it is given (row 17)."""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Callable
from random import Random

import growth
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orders import toml
from orders.errors import Refused
from orders.toml import Inline, Lines, one_rendering, read_rendered, render

RANDOM = st.randoms(use_true_random=True)
"""Each document is made from one seed: to draw each of its letters took most of the time."""
EDGES = (0, 1, -1, 2**53 - 1, 1 - 2**53)


def key(rng: Random) -> str:
    return "".join(rng.choices("abz-_019AZ", k=rng.randint(1, 8)))


def text(rng: Random) -> str:
    return "".join(map(chr, rng.choices(range(32, 127), k=rng.choice((0, 1, 5, 20)))))


def plain(rng: Random) -> object:
    number = rng.randint(1 - 2**53, 2**53 - 1)
    return rng.choice((True, False, rng.choice(EDGES), number, text(rng), text(rng)))


def nested(rng: Random, depth: int = 3) -> object:
    """A value in one line: a plain one, a list or an inline table."""
    form = rng.randrange(5 if depth else 3)
    if form < 3:
        return plain(rng)
    if form == 3:
        return [nested(rng, depth - 1) for _ in range(rng.randrange(4))]
    return inline(rng, depth - 1)


def inline(rng: Random, depth: int = 3) -> Inline:
    return Inline({key(rng): nested(rng, depth) for _ in range(rng.randrange(4))})


def rows(rng: Random) -> list[Inline]:
    return [inline(rng) for _ in range(rng.randint(1, 3))]


def lines(rng: Random) -> Lines:
    return Lines(text(rng) for _ in range(rng.randint(1, 4)))


def table(rng: Random, *more: Callable[[Random], object]) -> dict[str, object]:
    """Values by key, of every form: `more` as well."""
    forms = (nested, rows, lines, *more)
    return {key(rng): rng.choice(forms)(rng) for _ in range(rng.randrange(6))}


def document(rng: Random) -> dict[str, object]:
    return table(rng, table)


@given(RANDOM)
@settings(max_examples=300, deadline=None)
def test_values_come_back(rng: Random) -> None:
    """Through our reader, and to a TOML parser they are the same."""
    values = document(rng)
    data = render(values)
    assert read_rendered(data) == values
    assert tomllib.loads(data.decode()) == values


def test_layout() -> None:
    """Each form of value in its place: plain ones first, then tables."""
    values = {
        "table": {"x": 1},
        "text": 'a "b" \\ c',
        "none": [],
        "list": ["a", [1, True]],
        "inline": Inline(a=-1, b=Inline()),
        "rows": [Inline(a=1), Inline()],
        "lines": Lines(["", "b = 1"]),
        "outer": {"inner": {"y": "z"}},
        "both": {"inner": {"y": "z"}, "x": 2},
        "empty": {},
    }
    assert render(values).decode() == (
        'text = "a \\"b\\" \\\\ c"\n'
        "none = []\n"
        'list = ["a", [1, true]]\n'
        "inline = { a = -1, b = {} }\n"
        "rows = [\n    { a = 1 },\n    {},\n]\n"
        'lines = [\n    "",\n    "b = 1",\n]\n'
        '[table]\nx = 1\n[outer.inner]\ny = "z"\n[both]\nx = 2\n[both.inner]\ny = "z"\n[empty]\n'
    )


@pytest.mark.parametrize(
    "value",
    ["\u00e9", "\n", "\t", "\x7f", 1.0, None, 2**53, -(2**53), b"x", {"a": 1}, [{"a": 1}, 1],
     [[{"a": 1}]], float("nan")],
)  # fmt: skip
def test_what_documents_do_not_hold_cannot_be_written(value: object) -> None:
    """It is an error at once: nobody could read such a document."""
    with pytest.raises(ValueError, match=r"ASCII|: expected text"):
        render({"x": [value] if isinstance(value, dict) else value, "y": Inline(z=value)})


@pytest.mark.parametrize("key", ["", "a b", "a.b", '"a"', "\u00e9", "a\n", "["])
def test_keys_are_bare(key: str) -> None:
    """In every place where a key stands."""
    for values in ({key: 1}, {"a": Inline({key: 1})}, {key: {"a": 1}}, {key: Lines(["a"])},
                   {key: [Inline(a=1)]}):  # fmt: skip
        with pytest.raises(ValueError, match="cannot be written bare"):
            render(values)


def test_depth_is_bounded() -> None:
    """Whether a document is taken does not depend on a machine's stack."""
    inline: object = 1
    nested: object = {"a": 1}
    for _ in range(toml.DEEPEST - 1):
        inline, nested = Inline(a=inline), {"a": nested}
    assert read_rendered(render({"a": inline})) == {"a": inline}
    assert read_rendered(render(nested)) == nested
    for deep in ({"a": Inline(a=Inline(a=inline))}, {"a": nested}):
        with pytest.raises(ValueError, match="nested deeper"):
            render(deep)
    for data in (b"x = " + b"[" * 20_000 + b"]" * 20_000, b"[" + b"a." * 20_000 + b"a]\n"):
        with pytest.raises(Refused) as caught:
            read_rendered(data)
        assert caught.value.word == "malformed"


PIECES = (*'\n"[]{},=\\ .', " = ", "[[", "'")


@given(RANDOM)
@settings(max_examples=400, deadline=None)
def test_no_byte_is_free(rng: Random) -> None:
    """Bytes near a rendering are refused, in one way, or are the rendering of what was read."""
    good = render(document(rng))
    at, count = rng.randint(0, len(good)), rng.randint(0, 4)
    piece = rng.choice((rng.randbytes(rng.randint(0, 4)), rng.choice(PIECES).encode()))
    changed = good[:at] + piece + good[at + count :]
    try:
        values = read_rendered(changed)
    except Refused as error:
        assert error.word == "malformed"
        assert error.message.isascii()
        assert error.message.isprintable()
    else:
        assert render(values) == changed
        assert tomllib.loads(changed.decode()) == values


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"a = 1\nb = x\n", 2), (b"a = 1\n\nb = 1\n", 2), (b"a = 1\nb = [\n    1,\n    x,\n]\n", 4),
        (b"a = 1\n# so\n", 2), (b'a = "x\n', 1), (b"a = 1\r\n", 1), (b"a = 1\nb = 1.0\n", None),
        (b"a = 1\na = 1\n", 2), (b"a = 1", 1), (b"a = 1\nb = \xff\n", 2),
        (b"[a]\nx = 1\n[a.x]\n", 3), (b"x = 1\ny=2\n", 2),
    ],
)  # fmt: skip
def test_faults_name_their_line(data: bytes, line: int | None) -> None:
    """So that whoever wrote it finds it."""
    with pytest.raises(Refused) as caught:
        read_rendered(data)
    assert line is None or f"line {line} " in caught.value.message


E = b'kind = "entry/4"\nevents = [\n'
SHAPES: dict[str, Callable[[int], bytes]] = {
    "digits in a row": lambda n: E + b"9" * n + b"\n]\n",
    "letters in a row": lambda n: E + b"a" * n + b"\n]\n",
    "hyphens and blanks": lambda n: E + b"- " * (n // 2) + b"\n]\n",
    "keys without end": lambda n: E + b"a = [ " * (n // 6) + b"\n]\n",
    "keys without blanks": lambda n: E + b"a=" * (n // 2) + b"\n]\n",
    "commas and letters": lambda n: E + b", a" * (n // 3) + b"\n]\n",
    "quotes": lambda n: E + b'"' * n + b"\n]\n",
    "quotes and backslashes": lambda n: E + b'"\\' * (n // 2) + b" = \n]\n",
    "an open string": lambda n: E + b'"' + b'\\"' * (n // 2) + b" = \n]\n",
    "brackets": lambda n: E + b"[" * n + b"\n]\n",
    "braces": lambda n: E + b"{ a = " * (n // 6) + b"\n]\n",
    "rows": lambda n: E + b"    {},\n" * (n // 8) + b"]\n",
    "short rows": lambda n: E + b"{},\n" * (n // 4) + b"]\n",
    "numbers": lambda n: b"x = [\n" + b"1,\n" * (n // 3) + b"]\n",
    "a bad row last": lambda n: E + b"    {},\n" * (n // 8) + b"x\n]\n",
    "table heads": lambda n: b"[a]\n" * (n // 4),
    "deep table heads": lambda n: b"[a.a.a.a]\n" * (n // 10),
    "one deep table head": lambda n: b"[" + b"a." * (n // 2) + b"a]\n",
    "tables in tables": lambda n: b"".join(b"[a.k%d]\n" % i for i in range(n // 10)),
    "many keys": lambda n: b"".join(b"k%d = 1\n" % i for i in range(n // 12)),
    "one key": lambda n: b"k = 1\n" * (n // 6),
    "line ends": lambda n: b"\n" * n,
    "equals signs": lambda n: b" = " * (n // 3),
    "a long string": lambda n: b'x = "' + b"a" * n + b'"\n',
    "backslashes": lambda n: b'x = "' + b"\\\\" * (n // 2) + b'"\n',
    "long numbers": lambda n: b"x = [" + (b"9" * 4_000 + b", ") * (n // 4_002) + b"1]\n",
    "a deep view": lambda n: b'view = "' + b'{\\"a\\":' * (n // 7) + b'"\n',
    "bytes that are no text": lambda n: b"\xff" * n,
}


@functools.cache
def honest() -> bytes:
    return render({"events": [Inline(kind="turn", player="alice", n=1)] * (2**17 // 45)})


@pytest.mark.parametrize("shape", SHAPES)
def test_row_17_time_grows_with_the_size(shape: str) -> None:
    """Four times as long takes at most about four times as long: quadratic would be sixteen.

    And nothing takes much longer than as many bytes of an honest document.
    """
    short, long = (SHAPES[shape](size) for size in (2**15, 2**17))
    assert growth.fault(read_rendered, short, long, 8) is None
    assert growth.fault(read_rendered, honest(), long, 5) is None


def test_a_house_table_gets_one_rendering() -> None:
    """However somebody lays it out; what the game reads in it stays the same."""
    text = """
# Specials of our own.
[torpedo]
ap = 2   # points
source = { mechanism = "published", ap = 'house' }
range=0x3

[[ship]]
name = "a"
at = [ [1,2],
       [3,4] ]
more = { x = 1 }
[[ship]]
name = "b"
"""
    data = one_rendering(text.encode())
    assert data.decode() == (
        "ship = [\n"
        '    { name = "a", at = [[1, 2], [3, 4]], more = { x = 1 } },\n'
        '    { name = "b" },\n'
        "]\n"
        '[torpedo]\nap = 2\nrange = 3\n[torpedo.source]\nmechanism = "published"\nap = "house"\n'
    )
    assert one_rendering(data) == data
    assert read_rendered(data) == tomllib.loads(text)


@pytest.mark.parametrize(
    "text",
    ["a = 1.5", "a = 2026-11-21", 'a = "\\n"', 'a = "\u00e9"', '"a b" = 1', "a = [1, {b = 1.0}]",
     "a = 9007199254740992", "a", "\ufeffa = 1", "a = 1\r"],
)  # fmt: skip
def test_bad_house_tables_are_refused(text: str) -> None:
    """What has no rendering, or is no TOML."""
    with pytest.raises(Refused) as caught:
        one_rendering(text.encode())
    assert caught.value.word == "malformed"
    with pytest.raises(Refused) as caught:
        one_rendering(b"#" * 70_000)
    assert caught.value.word == "too-big"
