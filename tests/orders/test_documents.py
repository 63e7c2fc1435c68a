"""Documents of every kind: one rendering each, read strictly (rows 17, 18)."""

from __future__ import annotations

import base64
import itertools
import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from replacing import replace

from orders import documents, entries, letter, sealing, toml
from orders.documents import Consent, Invite, Join, Private, Receipt, Slip
from orders.entries import (
    Awaited,
    Entry,
    Genesis,
    ReportDigests,
    Reveal,
    Ruling,
    SeatChange,
    UsedSlip,
)
from orders.errors import Refused
from orders.letter import Letter
from orders.toml import Inline

T1, T2 = "2026-11-21T17:00:00Z", "2026-11-24T17:00:00Z"
A, B, C, D = ("a" * 64, "b" * 64, "c" * 64, "0123456789abcdef" * 4)
SEALED = base64.b64encode(bytes(range(256)) * 2 + bytes(48)).decode()
MAIL = "o.hara+games@mail.example.org"

INVITE = Invite(
    "friday", "sugar-dog/1", T1, "ssh-ed25519 AAAA", A, B, C,
    options={"first": "alice", "turn_time": "3d", "mines": 2, "fog": True},
)  # fmt: skip
ENTRY = Entry(
    game=A,
    step=7,
    prev=B,
    time=T1,
    state=C,
    reserve={"alice": 0, "bob": 3600},
    reports={"alice": ReportDigests(A, B), "bob": ReportDigests(C, D)},
    awaited={"bob": Awaited("turn", T1, T2)},
    view='{"note":"a = \\"b\\", {","turn":1}',
    missing=("bob",),
    events=(
        {"kind": "turn", "player": "alice", "n": 1},
        {"kind": "over", "draw": True},
        {"kind": "list", "cells": ["A1", "B2"], "none": [], "pairs": [["A", 1], [-1, False]]},
        {"kind": "deep", "by": Inline(name='a = "b", \\ { c', also=Inline()), "of": [Inline(x=1)]},
    ),
    slips={"alice": UsedSlip(D, T1)},
)


@dataclass(frozen=True)
class Kind:
    """A kind of document: values that it may hold, and what reads it."""

    values: Any
    read: Callable[[bytes], Any]


RULING = replace(ENTRY, ruling=Ruling('said "no"', 3), missing=(), events=(), slips={})
SLIP = Slip(A, 7, "alice", 2, T1, B, C, D)
HOSTS = Letter(A, "host", 2, text=B, entry=0, head=D)

KINDS = {
    "invite": Kind(INVITE, documents.read_invite),
    "invite with all": Kind(
        replace(INVITE, table=D, mail=MAIL, reserved=True), documents.read_invite
    ),
    "invite with defaults": Kind(replace(INVITE, options={}), documents.read_invite),
    "join": Kind(Join(A, "alice", "ssh-ed25519 AAAA", B, D, C), documents.read_join),
    "join with all": Kind(
        Join(A, "alice", "ssh-ed25519 AAAA", B, D, C, "open", SEALED), documents.read_join
    ),
    "consent": Kind(Consent(A, 0, B, C), documents.read_consent),
    "slip": Kind(SLIP, documents.read_slip),
    "first slip": Kind(replace(SLIP, step=1, revision=99, nonce=A), documents.read_slip),
    "protest": Kind(replace(SLIP, player="a-1", protest="undelivered"), documents.read_slip),
    "receipt": Kind(Receipt(A, 7, "alice", 2, B, T1, 0, D, "absent"), documents.read_receipt),
    "genesis": Kind(
        Genesis(T1, A, "adjudicator 0.1.0", {"bob": B, "alice": C},
                {"bob": Awaited("setup", T1, T2), "alice": Awaited("setup", T1, T2)}),
        entries.read_entry,
    ),
    "entry": Kind(ENTRY, entries.read_entry),
    "entry with press": Kind(replace(ENTRY, press=(A, D)), entries.read_entry),
    "entry without events": Kind(
        replace(ENTRY, events=(), missing=(), slips={}, awaited={}), entries.read_entry
    ),
    "ruling": Kind(RULING, entries.read_entry),
    "ruling on deadlines": Kind(replace(RULING, ruling=Ruling("x")), entries.read_entry),
    "ruling that abandons": Kind(
        replace(RULING, ruling=Ruling("over", None, True), slips=ENTRY.slips), entries.read_entry
    ),
    "ruling on a seat": Kind(
        replace(RULING, ruling=Ruling("bob left", seat=SeatChange("bob", D))),
        entries.read_entry,
    ),
    "ruling on a seat that was left": Kind(
        replace(RULING, ruling=Ruling("bob left", seat=SeatChange("bob", D, A))),
        entries.read_entry,
    ),
    "reveal": Kind(Reveal(A, 9, B, C, {"winner": "alice"}), entries.read_entry),
    "reveal of a draw": Kind(Reveal(A, 9, B, C, {"draw": True}), entries.read_entry),
    "letter": Kind(Letter(A, "alice", 1, text=B, sealed=C), letter.read_letter),
    "letter of the host": Kind(HOSTS, letter.read_letter),
}  # fmt: skip

kind_by_name = pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))


def refused(kind: Kind, data: bytes, *words: str) -> Refused:
    """In one line of printable ASCII that names these words."""
    with pytest.raises(Refused) as caught:
        kind.read(data)
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


OPTIONAL = {"table", "reserved", "nonce", "protest", "mail", "private", "press", *INVITE.options}
"""Keys without which documents are whole. A ruling needs none of them."""


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
def test_row_18_values_of_another_kind_are_refused(kind: Kind) -> None:
    """Each replaces each key's value: it is refused by key or line, or it is the same value."""
    lines = kind.values.render().decode().split("\n")
    pairs = [(number, line.partition(" = ")) for number, line in enumerate(lines)]
    for value, (number, (key, equals, old)) in itertools.product(HOSTILE_VALUES, pairs):
        if not equals or key.startswith(" ") or old == value or key in ("reason", "for"):
            continue
        changed = "\n".join([*lines[:number], f"{key} = {value}", *lines[number + 1 :]])
        if old == "true" or (key in ("missing", "events") and value == "[]"):
            continue
        try:
            again = kind.read(changed.encode())
        except Refused as error:
            assert error.message.isascii(), value
            assert error.message.isprintable(), value
        else:
            # What an option or an event may hold is the game's to say: written in the one way.
            assert again.render() == changed.encode(), value
            free = {*INVITE.options, "engine", "host", "key", "rules"}
            assert key in free or (key, value) in {("shown", "true"), ("reserve", "{}")}


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
def test_row_17_what_parsers_choke_on_is_refused(kind: Kind) -> None:
    """Alone, and in front of and behind a good document."""
    good = kind.values.render()
    for data in [data for bad in ROW_17.values() for data in (bad, bad + good, good + bad)]:
        # An invite ends with its options, and which there may be is the game's to say.
        if data.startswith(good) and isinstance(kind.values, Invite):
            near(kind, data)
        elif data != good:
            refused(kind, data)


@pytest.mark.parametrize(
    ("name", "limit"),
    [("invite", 16_384), ("join", 4_096), ("slip", 4_096), ("receipt", 2_048), ("entry", 2**20),
     ("letter", 2_048)],
)  # fmt: skip
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
    for version in (b"0", b"5", b"40", b"04"):
        refused(kind, data.replace(b'/4"\n', b"/" + version + b'"\n', 1))
    for version in (b"1", b"2", b"3"):
        old = data.replace(b'/4"\n', b"/" + version + b'"\n', 1)
        with pytest.raises(Refused, match=f"/{version.decode()} is by a release before") as caught:
            kind.read(old)
        assert caught.value.word == "old-release"


BAD_FIELDS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("slip", {"step": 0}),
    ("slip", {"step": 10**7}),
    ("slip", {"revision": 0}),
    ("slip", {"revision": 100}),
    ("slip", {"game": "A" * 64}),
    ("slip", {"game": "a" * 63}),
    ("slip", {"player": "host"}),
    ("slip", {"player": "../x"}),
    ("slip", {"player": "con"}),
    ("slip", {"player": "x" * 33}),
    ("slip", {"time": "2026-11-21T17:00:01Z"}),
    ("slip", {"time": "2026-11-21T17:00Z"}),
    ("slip", {"protest": "weather"}),
    ("slip", {"nonce": "a" * 63}),
    ("receipt", {"status": "lost"}),
    ("receipt", {"entry": -1}),
    ("receipt", {"head": "x"}),
    ("receipt", {"time": "2026-13-01T00:00:00Z"}),
    ("receipt", {"time": "2026-11-21T17:00:00"}),
    ("receipt", {"time": "2026-11-21T24:00:00Z"}),
    ("receipt", {"time": "2026-11-21 17:00:00Z"}),
    ("receipt", {"time": "0000-11-21T17:00:00Z"}),
    ("invite", {"rules": "sugar-dog"}),
    ("invite", {"rules": 1}),
    ("invite", {"rules": "sugar-dog/0"}),
    ("invite", {"rules": "Sugar/1"}),
    ("invite", {"options": {"a": [1]}}),
    ("invite", {"options": {"a": {"b": 1}}}),
    ("invite", {"mail": "somebody"}),
    ("invite", {"mail": "a@b\\c"}),
    ("invite", {"mail": "a@b, c@d"}),
    ("invite", {"mail": f"a@{'b' * 190}"}),
    ("join", {"player": "Alice"}),
    ("join", {"mail": "closed"}),
    ("join", {"letters": "x"}),
    ("join", {"private": "A" * 748}),
    ("join", {"private": SEALED[:-4]}),
    ("join", {"private": SEALED[:-2] + "B="}),
    ("join", {"private": SEALED + "AAAA"}),
    ("entry", {"reserve": {"alice": -1}}),
    ("entry", {"reserve": {"alice": True}}),
    ("entry", {"reserve": {"con": 1}}),
    ("entry", {"step": 0}),
    ("entry", {"awaited": {"bob": Awaited("", T1, T2)}}),
    ("entry", {"awaited": {"host": Awaited("turn", T1, T2)}}),
    ("entry", {"slips": {"Bob": UsedSlip(A, T1)}}),
    ("entry", {"reports": {"alice": ReportDigests(A, "x")}}),
    ("entry", {"missing": ("bob", "bob")}),
    ("entry", {"missing": ("Bob",)}),
    ("entry", {"missing": ("host",)}),
    ("entry", {"missing": (1,)}),
    ("entry", {"press": (A, A)}),
    ("entry", {"press": ("x",)}),
    ("entry", {"press": (1,)}),
    ("entry", {"events": ({},)}),
    ("entry", {"events": ({"kind": "ping"}, {"at": "C3"})}),
    ("entry", {"events": ({"kind": 1},)}),
    ("entry", {"events": ({"kind": []},)}),
    ("entry", {"view": ""}),
    ("entry", {"view": "[]"}),
    ("entry", {"view": '{"a": 1}'}),
    ("entry", {"view": '{"b":1,"a":1}'}),
    ("entry", {"view": '{"a":1.5}'}),
    ("entry", {"view": '{"a":null}'}),
    ("entry", {"view": "{"}),
    ("entry", {"view": '{"a":"b\\nc"}'}),
    ("ruling", {"ruling": Ruling("")}),
    ("ruling", {"ruling": Ruling("x" * 501)}),
    ("ruling", {"ruling": Ruling("x", 0)}),
    ("ruling", {"ruling": Ruling("x", 3, True)}),
    ("ruling", {"ruling": Ruling("x", 3, seat=SeatChange("bob", A, B))}),
    ("ruling", {"ruling": Ruling("x", None, True, SeatChange("bob", A, B))}),
    ("ruling", {"ruling": Ruling("x", seat=SeatChange("host", A, B))}),
    ("ruling", {"ruling": Ruling("x", seat=SeatChange("bob", "x", B))}),
    ("ruling", {"slips": ENTRY.slips}),
    ("ruling", {"press": (A,)}),
    ("ruling on deadlines", {"slips": ENTRY.slips}),
    ("ruling on a seat", {"slips": ENTRY.slips}),
    ("reveal", {"master": "x" * 64}),
    ("reveal", {"step": 0}),
    ("reveal", {"outcome": {}}),
    ("reveal", {"outcome": {"winner": "Bob"}}),
    ("reveal", {"outcome": {"winner": True}}),
    ("reveal", {"outcome": {"winner": "bob", "draw": True}}),
    ("reveal", {"outcome": {"draw": False}}),
    ("reveal", {"outcome": {"draw": 1}}),
    ("reveal", {"outcome": {"draw": "bob"}}),
    ("reveal", {"outcome": {"loser": "bob"}}),
    ("genesis", {"joins": {"con": A}}),
    ("genesis", {"joins": {"host": A}}),
    ("letter", {"sealed": None}),
    ("letter", {"text": "x"}),
    ("letter", {"sealed": "x"}),
    ("letter", {"number": 0}),
    ("letter", {"number": 10_000}),
    ("letter", {"player": "con"}),
    ("letter", {"entry": 1, "head": A}),
    ("letter of the host", {"sealed": A}),
    ("letter of the host", {"entry": None}),
    ("letter of the host", {"head": None}),
    ("genesis", {"engine": "x" * 81}),
    ("genesis", {"engine": ""}),
    ("entry", {"awaited": {"bob": Awaited("x" * 201, T1, T2)}}),
    ("entry", {"step": 10**7}),
    ("ruling", {"ruling": Ruling("x", 10**7)}),
    ("receipt", {"entry": 10**7}),
    ("letter of the host", {"entry": 10**7}),
)  # fmt: skip


@pytest.mark.parametrize(("name", "values"), BAD_FIELDS)
def test_what_a_field_may_hold(name: str, values: dict[str, Any]) -> None:
    """Values out of range are refused as they are read, in words that say what was expected."""
    kind = KINDS[name]
    error = refused(kind, replace(kind.values, **values).render())
    assert re.search("expected|is missing|is unknown|no player's name", error.message), error


LIMITS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("slip", {"step": 1, "revision": 1}),
    ("slip", {"step": 10**7 - 1, "revision": 99}),
    ("slip", {"player": "x" * 32}),
    ("slip", {"time": "0001-01-01T00:00:00Z"}),
    ("receipt", {"time": "9999-12-31T23:59:59Z", "step": 1, "entry": 10**7 - 1}),
    ("invite", {"rules": "a/1"}),
    ("invite", {"mail": f"{'a' * 64}@{'b' * 189}"}),
    ("entry", {"step": 1}),
    ("entry", {"step": 10**7 - 1}),
    ("entry", {"view": "{}"}),
    ("ruling", {"ruling": Ruling("x" * 500, 1)}),
    ("ruling", {"ruling": Ruling("x", 10**7 - 1)}),
    ("reveal", {"step": 1}),
    ("reveal", {"outcome": {"winner": "host"}}),
    ("reveal", {"outcome": {"abandoned": True}}),
    ("genesis", {"engine": "x" * 80}),
    ("entry", {"awaited": {"bob": Awaited("x" * 200, T1, T2)}}),
    ("entry", {"reserve": {"alice": 0, "bob": 2**53 - 1}}),
    ("letter", {"number": 1}),
    ("letter", {"number": 9_999}),
    ("letter of the host", {"entry": 10**7 - 1}),
)


@pytest.mark.parametrize(("name", "values"), LIMITS)
def test_what_a_field_may_just_hold(name: str, values: dict[str, Any]) -> None:
    """The least and the most of each number, and the longest texts, are taken."""
    kind = KINDS[name]
    document = replace(kind.values, **values)
    assert kind.read(document.render()) == document


def test_row_21_line_feeds_cannot_hide_in_strings() -> None:
    """An event, a view or a reason that would forge a line of a terminal is refused.

    Neither a line feed itself nor the escape that stands for one in JSON is taken.
    """
    for name, word in (("entry", "turn"), ("ruling", "said"), ("genesis", "setup")):
        kind = KINDS[name]
        for feed in (b"\\n", b"\n", b"\\u000a", b"\r", b"\\r", b"\\t", b"\x1b", b"\\u001b"):
            data = kind.values.render()
            assert word.encode() in data
            refused(kind, data.replace(word.encode(), word.encode() + feed, 1))


def test_what_a_join_keeps_private() -> None:
    """Address, token or both come back, and fit the sealed size that joins have."""
    longest = Private(f"{'a' * 64}@{'b' * 189}", "0f" * 16)
    for private in (Private("a@b"), Private(token="07" * 16), longest):
        assert Private.read(private.render()) == private
    assert len(longest.render()) <= sealing.room(sealing.PRIVATE_SIZE)
    size = sealing.sealed_letter_size(sealing.PRIVATE_SIZE)
    assert size == documents.PRIVATE_BYTES


@pytest.mark.parametrize(
    "data",
    [b"{}", b"[]", b"", b'{"address":1}', b'{"address":""}', b'{"address":"a"}',
     b'{"address":"a@b","more":1}', b'{"address": "a@b"}', b'{"token":"07"}',
     b'{"token":"' + b"0F" * 16 + b'"}', b'{"token":"' + b"07" * 16 + b'\\n"}',
     b'{"address":"a@b\\nBcc: c@d"}', b"\xff", b"{" * 1_000],
)  # fmt: skip
def test_bad_private_parts_are_refused(data: bytes) -> None:
    """Nothing that could break a mail's header comes out of a join."""
    with pytest.raises(Refused) as caught:
        Private.read(data)
    assert caught.value.word == "malformed"


def test_private_parts_are_checked_before_they_are_sealed() -> None:
    """The player's tool says what is wrong with an address or a token."""
    for private in (Private(), Private("somebody"), Private(token="7" * 31)):
        with pytest.raises(Refused) as caught:
            private.render()
        assert caught.value.word == "malformed"


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
@given(
    st.integers(0, 2**16),
    st.integers(0, 8),
    st.one_of(st.binary(max_size=8), st.sampled_from([b"\n", b'"', b"[", b"= "])),
)
def test_any_bytes_are_read_or_refused(kind: Kind, at: int, count: int, piece: bytes) -> None:
    """Near a good document or far from it: one error, or values that render to the same bytes."""
    good = kind.values.render()
    at %= len(good) + 1
    near(kind, good[:at] + piece + good[at + count :])


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=200))
@example(b'kind = "entry/4"\nstep = 0\n')
@example(b'kind = "entry/4"\n[reveal]\n')
@example(b'kind = "entry/4"\nstep = false\n')
@example(b'kind = "letter/4"\nplayer = ["host"]\n')
@example(b"[[a]]\n[a]\n")
def test_rubbish_is_refused(content: bytes) -> None:
    """By every reader, in the one way."""
    for kind in KINDS.values():
        with pytest.raises(Refused):
            kind.read(content)


def test_an_entry_of_step_0_is_a_genesis() -> None:
    """Neither an adjudication nor a reveal can take its place."""
    for name in ("entry", "reveal"):
        step = f"step = {KINDS[name].values.step}".encode()
        data = KINDS[name].values.render().replace(step, b"step = 0")
        assert refused(KINDS[name], data).message.startswith("entry: key ")
    genesis = KINDS["genesis"]
    refused(genesis, genesis.values.render().replace(b"step = 0", b"step = 1"))


def test_players_of_genesis_are_those_of_its_joins() -> None:
    """In one order, each once."""
    genesis = KINDS["genesis"]
    text = genesis.values.render().decode()
    assert genesis.read(text.encode()).players == ("bob", "alice")
    for players in ("[]", '["bob"]', '["alice", "bob"]', '["bob", "alice", "bob"]', '["bob", 1]'):
        refused(genesis, text.replace('["bob", "alice"]', players).encode())
