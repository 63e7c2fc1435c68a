"""Invites, joins, slips, receipts and entries: one rendering each, read strictly (rows 17, 18)."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from orders import documents, entries
from orders.documents import Invite, Join, Receipt, Sizes, Slip
from orders.entries import Awaited, Entry, Genesis, Reveal, Ruling, Told, Used
from orders.errors import Refused

T1, T2 = "2026-11-21T17:00:00Z", "2026-11-24T17:00:00Z"
A, B, C, D = ("a" * 64, "b" * 64, "c" * 64, "0123456789abcdef" * 4)

INVITE = Invite(
    "sugar-dog/1", T1, "ssh-ed25519 AAAA", A, B, C, None, Sizes(2048, 4096),
    {"first": "alice", "turn_time": "3d", "players": 2, "fog": True},
)  # fmt: skip
ENTRY = Entry(
    game=A,
    step=7,
    prev=B,
    time=T1,
    state=C,
    reserve={"alice": 0, "bob": 3600},
    reports={"alice": Told(A, B), "bob": Told(C, D)},
    awaited={"bob": Awaited("turn", T1, T2)},
    missing=("bob",),
    events=(
        {"kind": "turn", "player": "alice", "n": 1},
        {"kind": "over", "draw": True},
        {"kind": "list", "cells": ["A1", "B2"], "none": []},
    ),
    slips={"alice": Used(D, T1)},
)


@dataclass(frozen=True)
class Kind:
    """A kind of document: values that it may hold, and what reads it."""

    values: Any
    read: Callable[[bytes], Any]


KINDS = {
    "invite": Kind(INVITE, documents.read_invite),
    "invite with a table": Kind(replace(INVITE, table=D), documents.read_invite),
    "join": Kind(Join(A, "alice", "ssh-ed25519 AAAA", B, C), documents.read_join),
    "join with an address": Kind(
        Join(A, "alice", "ssh-ed25519 AAAA", B, C, "open", "kVt0"), documents.read_join
    ),
    "slip": Kind(Slip(A, 7, "alice", 2, B, C, D), documents.read_slip),
    "first slip": Kind(Slip(A, 1, "alice", 99, B, C, D, A, None), documents.read_slip),
    "protest": Kind(Slip(A, 7, "a-1", 2, B, C, D, None, "report"), documents.read_slip),
    "receipt": Kind(Receipt(A, 7, "alice", 2, B, T1, "accepted"), documents.read_receipt),
    "genesis": Kind(
        Genesis(T1, A, "adjudicator 0.1.0", {"bob": B, "alice": C},
                {"bob": Awaited("setup", T1, T2), "alice": Awaited("setup", T1, T2)}),
        entries.read_entry,
    ),
    "entry": Kind(ENTRY, entries.read_entry),
    "entry without events": Kind(
        replace(ENTRY, events=(), missing=(), slips={}, awaited={}), entries.read_entry
    ),
    "ruling": Kind(
        replace(ENTRY, ruling=Ruling('said "no"', 3), missing=(), events=(), slips={}),
        entries.read_entry,
    ),
    "ruling that abandons": Kind(
        replace(ENTRY, ruling=Ruling("over", None, True), missing=(), events=(), slips={}),
        entries.read_entry,
    ),
    "reveal": Kind(Reveal(A, 9, B, T1, C, {"winner": "alice"}), entries.read_entry),
}  # fmt: skip

kind_by_name = pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))


def refused(kind: Kind, data: bytes, *words: str) -> Refused:
    """In one line of printable ASCII that names these words, and at once."""
    begun = time.perf_counter()
    with pytest.raises(Refused) as caught:
        kind.read(data)
    assert time.perf_counter() - begun < 1
    error = caught.value
    assert error.word in ("malformed", "too-big"), error
    assert error.message.isascii()
    assert error.message.isprintable()
    assert len(error.message) < 500
    for word in words:
        assert word in error.message, error.message
    return error


def near(kind: Kind, data: bytes) -> None:
    """Refused in the one way, or read as values that render to the same bytes."""
    try:
        again = kind.read(data)
    except Refused as error:
        assert error.word in ("malformed", "too-big")
        assert error.message.isascii()
        assert error.message.isprintable()
    else:
        assert again.render() == data


@kind_by_name
def test_values_come_back(kind: Kind) -> None:
    """Rendered and read again the values are the same, in the same order, and so are the bytes."""
    data = kind.values.render()
    again = kind.read(data)
    assert again == kind.values
    assert again.render() == data
    assert data.isascii()
    assert data.endswith(b"\n")
    assert b"\r" not in data


@kind_by_name
def test_a_toml_parser_reads_the_same(kind: Kind) -> None:
    """What the tool writes is TOML: another implementation finds the same keys and values."""
    import tomllib

    from orders import toml

    data = kind.values.render()
    assert tomllib.loads(data.decode()) == toml.read(data)


@kind_by_name
def test_there_is_one_rendering(kind: Kind) -> None:
    """The same values written otherwise are malformed: blanks, comments, quotes, order."""
    text = kind.values.render().decode()
    lines = text.split("\n")
    others = {
        "blank line": text + "\n",
        "no last line end": text[:-1],
        "CRLF": text.replace("\n", "\r\n"),
        "comment": "# hello\n" + text,
        "comment behind": text.replace("\n", " # hello\n", 1),
        "blanks": text.replace(" = ", "  = ", 1),
        "other quotes": text.replace('"', "'"),
        "two keys exchanged": "\n".join([lines[1], lines[0], *lines[2:]]),
        "byte order mark": "\ufeff" + text,
    }
    for what, other in others.items():
        assert other != text, what
        refused(kind, other.encode())


OPTIONAL = {"table", "nonce", "protest", "mail", "address", *INVITE.options}


@kind_by_name
def test_row_18_every_key_is_needed_and_none_more(kind: Kind) -> None:
    """A missing, a doubled and an unknown key."""
    lines = kind.values.render().decode().split("\n")
    for number, line in enumerate(lines):
        key, equals, _ = line.partition(" = ")
        if not equals or line.startswith(" ") or line.endswith("["):
            continue
        refused(kind, "\n".join([*lines[:number], line, *lines[number:]]).encode())
        if key not in OPTIONAL:
            refused(kind, "\n".join([*lines[:number], *lines[number + 1 :]]).encode())
    more = "\n".join([lines[0], "surplus = 1", *lines[1:]])
    refused(kind, more.encode(), "surplus")


HOSTILE_VALUES = (
    "9223372036854775808", "18446744073709551616", "nan", "inf", "-inf", "-0.0", "1.0", "1e3",
    "2026-11-21", "2026-11-21T17:00:00Z", "17:00:00", "true", "0x1", "0o7", "1_000", "+1", "-1",
    "-0", "01", '"1"', "[]", "{}", '"""\n"""', "'a'", '"\\u0041"', '"\\u202e"', '"\u202e"',
    '"\\u0000"', '"\\u001b[2J"', '"a\\nb"', "", "\0", '"\x1b[2J"', "nil",
)  # fmt: skip


@kind_by_name
@pytest.mark.parametrize("value", HOSTILE_VALUES)
def test_row_18_values_of_another_kind_are_refused(kind: Kind, value: str) -> None:
    """Each in the place of each key's value: named by key or line, or it is the same value."""
    lines = kind.values.render().decode().split("\n")
    for number, line in enumerate(lines):
        key, equals, old = line.partition(" = ")
        if not equals or line.startswith(" ") or old == value or key in ("reason", "for"):
            continue
        changed = "\n".join([*lines[:number], f"{key} = {value}", *lines[number + 1 :]])
        if old == "true" or (key in ("missing", "events", "press") and value == "[]"):
            continue
        try:
            again = kind.read(changed.encode())
        except Refused as error:
            assert error.message.isascii()
            assert error.message.isprintable()
        else:
            # What an option or an event may hold is the game's to say: written in the one way.
            assert again.render() == changed.encode()
            assert type(kind.values) in (Invite, Reveal, Entry, Genesis, Join), (key, value)


ROW_17 = {
    "a dotted key of 16 KB": b"a" + b".a" * 8_000 + b" = 1\n",
    "a dotted table of 16 KB": b"[a" + b".a" * 8_000 + b"]\n",
    "900 nested brackets": b"x = " + b"[" * 900 + b"]" * 900 + b"\n",
    "900 nested brackets on lines": b"x = " + b"[\n" * 900 + b"]\n" * 900,
    "900 nested tables": b"x = " + b"{a = " * 900 + b"1" + b"}" * 900 + b"\n",
    "a number of 5000 digits": b"x = " + b"9" * 5000 + b"\n",
    "a text of 16 KB": b'x = "' + b"a" * 16_000 + b'"\n',
    "an open text": b'x = """' + b"a\n" * 5_000,
    "many keys": b"".join(b"k%d = 1\n" % number for number in range(1_500)),
    "many tables": b"".join(b"[t%d]\n" % number for number in range(1_500)),
    "backslashes": b'x = "' + b"\\\\" * 900 + b'"\n',
    "rubbish": bytes(range(256)),
    "nothing": b"",
    "line ends": b"\n" * 10_000,
}


@kind_by_name
@pytest.mark.parametrize("what", ROW_17)
def test_row_17_what_parsers_choke_on_is_refused_at_once(kind: Kind, what: str) -> None:
    """Before the parser sees it, alone, and in front of and behind a good document."""
    good = kind.values.render()
    hostile = ROW_17[what]
    for data in (hostile, hostile + good, good + hostile):
        # An invite ends with its options, and which there may be is the game's to say.
        if data.startswith(good) and isinstance(kind.values, Invite):
            near(kind, data)
        elif data != good:
            refused(kind, data)


@pytest.mark.parametrize(
    ("name", "limit"),
    [("invite", 16_384), ("join", 4_096), ("slip", 4_096), ("receipt", 2_048), ("entry", 2**20)],
)
def test_sizes_are_capped_before_anything_is_parsed(name: str, limit: int) -> None:
    """A byte more than the limit is too big, whatever it holds."""
    error = refused(KINDS[name], b"a" * (limit + 1))
    assert error.word == "too-big"
    assert str(limit) in error.message


@kind_by_name
def test_other_kinds_are_refused(kind: Kind) -> None:
    """No document is read as one of another kind, or of another version."""
    for other in KINDS.values():
        if other.read is not kind.read:
            refused(kind, other.values.render())
    data = kind.values.render()
    refused(kind, data.replace(b'/1"\n', b'/2"\n', 1))


BAD_FIELDS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("slip", {"step": 0}),
    ("slip", {"step": 10**7 + 1}),
    ("slip", {"revision": 0}),
    ("slip", {"revision": 100}),
    ("slip", {"game": "A" * 64}),
    ("slip", {"game": "a" * 63}),
    ("slip", {"player": "host"}),
    ("slip", {"player": "../x"}),
    ("slip", {"player": "con"}),
    ("slip", {"player": "x" * 33}),
    ("slip", {"protest": "weather"}),
    ("receipt", {"status": "lost"}),
    ("receipt", {"time": "2026-13-01T00:00:00Z"}),
    ("receipt", {"time": "2026-11-21T17:00:00"}),
    ("receipt", {"time": "2026-11-21T24:00:00Z"}),
    ("receipt", {"time": "2026-11-21 17:00:00Z"}),
    ("receipt", {"time": "0000-11-21T17:00:00Z"}),
    ("invite", {"rules": "sugar-dog"}),
    ("invite", {"rules": "sugar-dog/0"}),
    ("invite", {"rules": "Sugar/1"}),
    ("invite", {"sizes": Sizes(2047, 2048)}),
    ("invite", {"sizes": Sizes(256, 2048)}),
    ("invite", {"sizes": Sizes(2048, 2**21)}),
    ("invite", {"options": {"a": [1]}}),
    ("join", {"player": "Alice"}),
    ("join", {"mail": "closed"}),
    ("join", {"address": "a" * 1_501}),
    ("entry", {"reserve": {"alice": -1}}),
    ("entry", {"reserve": {"alice": True}}),
    ("entry", {"step": 0}),
    ("entry", {"awaited": {"bob": Awaited("", T1, T2)}}),
    ("entry", {"awaited": {"host": Awaited("turn", T1, T2)}}),
    ("entry", {"slips": {"../x": Used(A, T1)}}),
    ("entry", {"reports": {"alice": Told(A, "x")}}),
    ("ruling", {"ruling": Ruling("")}),
    ("ruling", {"ruling": Ruling("x" * 501)}),
    ("ruling", {"ruling": Ruling("x", 0)}),
    ("reveal", {"master": "x" * 64}),
    ("reveal", {"step": 0}),
    ("genesis", {"joins": {"con": A}}),
)  # fmt: skip


@pytest.mark.parametrize(("name", "values"), BAD_FIELDS)
def test_what_a_field_may_hold(name: str, values: dict[str, Any]) -> None:
    """Values out of range are refused as they are read, naming key or name."""
    kind = KINDS[name]
    try:
        data = replace(kind.values, **values).render()
    except ValueError:
        return  # cannot even be written
    refused(kind, data)


@pytest.mark.parametrize("text", ["é", "\n", "\0", "\x1b[2J", "\u202e", "a" * 3 + "\t"])
def test_documents_hold_printable_ascii_alone(text: str) -> None:
    """Nothing else can be written, so what a person sees is what was signed."""
    for document in (
        replace(KINDS["ruling"].values, ruling=Ruling(text)),
        replace(INVITE, options={"first": text}),
        replace(ENTRY, events=({"kind": text},)),
    ):
        with pytest.raises(ValueError, match="printable ASCII"):
            document.render()


@kind_by_name
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_any_bytes_are_read_or_refused(kind: Kind, data: st.DataObject) -> None:
    """Near a good document or far from it: one error, or values that render to the same bytes."""
    good = kind.values.render()
    at = data.draw(st.integers(0, len(good)))
    count = data.draw(st.integers(0, 8))
    piece = data.draw(st.one_of(st.binary(max_size=8), st.sampled_from([b"\n", b'"', b"[", b"= "])))
    near(kind, good[:at] + piece + good[at + count :])


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=200))
@example(b'kind = "entry/1"\nstep = 0\n')
@example(b'kind = "entry/1"\n[reveal]\n')
@example(b"[[a]]\n[a]\n")
def test_rubbish_is_refused(content: bytes) -> None:
    """By every reader, in the one way."""
    for kind in (KINDS["invite"], KINDS["join"], KINDS["slip"], KINDS["receipt"], KINDS["entry"]):
        with pytest.raises(Refused):
            kind.read(content)
