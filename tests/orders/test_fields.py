"""What every document shares: names, digests, times, and taking values out key by key."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orders import fields, toml
from orders.errors import Refused
from orders.fields import Reader, check_name, digest, is_address, is_hex, is_time, read_exact

A, B = "a" * 64, "0123456789abcdef" * 4
T = "2026-11-21T18:00:00Z"
DEVICES = ("con", "prn", "aux", "nul", "com0", "com9", "lpt1")


def test_a_digest_is_what_sha256sum_prints() -> None:
    """64 lower-case hex digits (FIPS 180-4, the message "abc")."""
    assert digest(b"abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert is_hex(digest(b""))


@given(st.from_regex(fields.NAME, fullmatch=True).filter(lambda name: name not in DEVICES))
def test_names_are_taken_as_they_are(name: str) -> None:
    """All of the form, but for the host's word, everybody's and the names of devices."""
    if name in (fields.HOST, fields.EVERYONE) or name[:3] in ("com", "lpt"):
        return
    assert check_name(name) == name


@pytest.mark.parametrize(
    "name",
    ["", "A", "1a", "-a", "a_b", "a b", "a.b", "../x", "x,dave", "*", "a" * 33, "a\n", "\na",
     "\u00e9", "\u0430lice", "alice\0", "a/b", "a\\b", "~", "host", "all", "CON", "Con", *DEVICES],
)  # fmt: skip
def test_row_20_what_could_harm_a_file_name_is_no_name(name: str) -> None:
    """The refusal quotes it in plain ASCII, however long it is, and says what a name is."""
    with pytest.raises(Refused) as caught:
        check_name(name)
    assert caught.value.word == "malformed"
    assert caught.value.message == f"{name!a} is no player's name"
    assert "at most 32" in caught.value.hint
    with pytest.raises(Refused) as long:
        check_name("x" * 10_000)
    assert len(long.value.message) < 120


@pytest.mark.parametrize(
    ("text", "right"),
    [("a@b", True), ("o.hara+games@mail.example.org", True), ("a" * 64 + "@" + "b" * 189, True),
     ("a" * 65 + "@b", False), ("a@" + "b" * 190, False), ("a", False), ("a@b@c", False),
     ("a b@c", False), ("a@b\n", False), ("a,b@c", False), ("@b", False), ("a@", False),
     ("\u00e9@b", False), ("<a@b>", False)],
)  # fmt: skip
def test_what_a_mail_address_is(text: str, right: bool) -> None:
    """Plain ASCII that breaks no header: one at sign, no blank, 254 characters at most."""
    assert is_address(text) == right


@pytest.mark.parametrize(
    ("text", "right"),
    [(T, True), ("0001-01-01T00:00:00Z", True), ("9999-12-31T23:59:59Z", True),
     ("2024-02-29T00:00:00Z", True), ("2026-02-29T00:00:00Z", False),
     ("2026-11-21T24:00:00Z", False), ("2026-11-21T18:00:60Z", False),
     ("2026-11-21T18:00Z", False), ("2026-11-21T18:00:00", False),
     ("2026-11-21t18:00:00Z", False), ("2026-11-21T18:00:00Z\n", False), (1, False),
     ("0000-01-01T00:00:00Z", False), ("\u0662026-11-21T18:00:00Z", False)],
)  # fmt: skip
def test_what_a_time_is(text: Any, right: bool) -> None:
    """UTC, whole seconds, four digits for the year, and a day that there is."""
    assert is_time(text) == right


GOOD: dict[str, tuple[Any, list[Any], list[Any]]] = {
    "hex": (fields.Digest, [A, B], ["A" * 64, "a" * 63, "a" * 65, 1, None, [A], A + "\n"]),
    "time": (fields.Time, [T], [T[:-1], 1, True, [T]]),
    "minute": (fields.Minute, [T], ["2026-11-21T18:00:01Z", 0]),
    "hexes": (fields.Digests, [[A], [A, B]], [[], [A, A], ["x"], A, [1]]),
    "address": (fields.Address, ["a@b"], ["a", 1, ""]),
    "number": (Annotated[int, fields.between(3, 5)], [3, 4, 5], [2, 6, "4", True, 4.0]),
    "text": (Annotated[str, fields.text(5)], ["a", "abcde"], ["", "abcdef", 1, ["a"]]),
    "base64": (Annotated[str, fields.base64(2)], ["AAA=", base64.b64encode(b"xy").decode()],
               ["AAAA", "AAB=", "AAA", "AA A=", "AAA=\n", 1]),
    "one_of": (Annotated[str, fields.one_of(("x", "y"))], ["x", "y"], ["z", "", 1, ["x"]]),
    "name": (fields.Name, ["alice"], ["Alice", "host", 1, ""]),
    "names": (fields.Names, [[], ["alice", "bob"]],
              [["bob", "bob"], ["Bob"], [1], "bob"]),
    "flag": (fields.Flag, [True], [False, 1, "true"]),
    "truth": (fields.Truth, [True, False], [0, 1, "true"]),
    "table": (Annotated[Any, fields.Field(Reader.table)], [{}, {"a": 1}], [[], 1, "x"]),
}  # fmt: skip


def take(what: str, values: dict[str, Any]) -> Any:
    """The value of key `k`, taken as that sort of field."""
    reader = Reader("thing", values)
    found = GOOD[what][0].__metadata__[0].read(reader, "k")
    fields.close(reader, found)
    return list(found) if isinstance(found, tuple) else found


@pytest.mark.parametrize("what", GOOD)
def test_a_value_is_taken_or_named(what: str) -> None:
    """Once: then the key is gone. What does not fit is refused with its key and its value."""
    _, good, bad = GOOD[what]
    for value in good:
        assert take(what, {"k": value}) == value
    for value in bad:
        with pytest.raises(Refused) as caught:
            take(what, {"k": value})
        assert caught.value.word == "malformed"
        if what not in ("name", "names"):
            assert caught.value.message.startswith(f"thing: k = {value!a:.90}: expected ")


@pytest.mark.parametrize("what", GOOD)
def test_a_key_that_is_not_there_is_missing(what: str) -> None:
    """By name."""
    with pytest.raises(Refused) as caught:
        take(what, {})
    assert caught.value.message == "thing: key 'k' is missing"


class Inner(NamedTuple):
    """A document's table."""

    at: Annotated[fields.Digest, "in"]


class Optional(NamedTuple):
    """All that may be left out."""

    number: Annotated[int, fields.between(3, 5)] | None
    said: Annotated[fields.Flag, "by"]
    listed: fields.Digests
    tables: Annotated[Mapping[str, Inner], fields.by_player(Inner)._replace(empty={})]


def test_what_may_be_left_out() -> None:
    """It is None, or what the kind of field says, and then it is not written either."""
    nothing = fields.read(Optional, Reader("thing", {}))
    assert nothing == Optional(None, False, (), {})
    assert fields.written(nothing) == {}
    held = Optional(3, True, (A,), {"alice": Inner(A)})
    reader = Reader("thing", fields.written(held))
    assert fields.read(Optional, reader, listed=()) == held._replace(listed=())
    assert list(reader.left) == ["listed"]
    with pytest.raises(Refused, match="key 't' is missing"):
        reader.need("listed", "t")


def test_a_table_of_tables_is_by_players() -> None:
    """Each is read by a reader of its own, which names its place."""
    reader = Reader("thing", {"t": {"alice": {"n": 1}, "bob": {}}})
    found = reader.tables("t")
    assert list(found) == ["alice", "bob"]
    one = fields.between(1, 1)
    assert one.read(found["alice"], "n") == 1
    with pytest.raises(Refused, match=r"^malformed: thing: t\.bob: key 'n' is missing$"):
        one.read(found["bob"], "n")
    for wrong in ({"Alice": {}}, {"alice": 1}):
        with pytest.raises(Refused):
            Reader("thing", {"t": wrong}).tables("t")


def test_no_key_is_left_over() -> None:
    """The first key that was not read is named, in ASCII and cut short."""
    reader = Reader("thing", {"a": 1, "\u202e" * 200: 2})
    fields.between(1, 1).read(reader, "a")
    with pytest.raises(Refused) as caught:
        fields.close(reader, "value")
    assert caught.value.message.startswith("thing: key '\\u202e")
    assert caught.value.message.endswith(" is unknown")
    assert len(caught.value.message) < 130


DIGIT = fields.between(0, 9)


@dataclass(frozen=True)
class Thing:
    """A document of one number."""

    n: int

    def render(self) -> bytes:
        """Its bytes."""
        return toml.render({"kind": "thing/4", "n": self.n})


def read(data: bytes) -> Thing:
    """A thing, of 40 bytes at most."""
    return read_exact("thing", lambda reader: Thing(DIGIT.read(reader, "n")), 40, data)


def test_a_document_is_read_from_its_one_rendering() -> None:
    """Other blanks, another kind or one key more are refused."""
    assert read(b'kind = "thing/4"\nn = 7\n') == Thing(7)
    for other in (
        b'kind = "thing/4"\nn = 07\n', b'kind = "thing/4"\n\nn = 7\n', b'kind = "thing/4"\nn = 7',
        b'n = 7\nkind = "thing/4"\n', b'kind = "thing/5"\nn = 7\n',
        b'kind = "thing/4"\nn = 7\nm = 1\n', b'kind = "thing/4"\nn = 10\n',
        b'kind = "thing/4"\n', b"n = 7\n", b"", b"\xff",
    ):  # fmt: skip
        with pytest.raises(Refused) as caught:
            read(other)
        assert caught.value.word == "malformed"
        assert caught.value.message.startswith("thing: ")


def test_size_comes_first() -> None:
    """A byte too many is refused unread."""
    with pytest.raises(Refused) as caught:
        read(b"\xff" * 41)
    assert str(caught.value) == "too-big: thing: 41 bytes, at most 40 are taken"
    with pytest.raises(Refused, match="malformed"):
        read(b"\xff" * 40)


@pytest.mark.parametrize("error", [ValueError("x"), TypeError("x"), AttributeError("x")])
def test_a_builder_that_stumbles_refuses(error: Exception) -> None:
    """Whatever a document's own code trips over is the document's fault."""

    def build(reader: Reader) -> Thing:
        DIGIT.read(reader, "n")
        raise error

    with pytest.raises(Refused, match=f"^malformed: thing: {type(error).__name__}"):
        read_exact("thing", build, 40, b'kind = "thing/4"\nn = 7\n')
