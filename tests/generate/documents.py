"""Documents of every kind and their bytes; bytes that must be refused."""

from __future__ import annotations

import tomllib
from base64 import b64encode
from typing import Any

from generate.shared import GAME, HEX, LATER, TIME

from orders import entries, sealing
from orders.documents import Consent, Invite, Join, Receipt, Slip
from orders.fields import digest
from orders.keys import MemoryKey
from orders.letter import Letter, Text
from orders.toml import Inline


def _written() -> list[tuple[str, Any]]:
    """Documents of every kind, with and without what is optional."""
    host, alice, bob = (MemoryKey.from_seed(bytes([n]) * 32).public.line for n in (1, 2, 3))
    x = [sealing.SealingKey(bytes([n]) * 32).public.hex() for n in range(4, 10)]
    awaited = {"alice": entries.Awaited("turn", TIME, LATER)}
    told = {name: entries.ReportDigests(HEX["a"], HEX["b"]) for name in ("alice", "bob")}
    used = {"alice": entries.UsedSlip(HEX["c"], TIME)}
    view = '{"note":"say \\"hi\\"","turn":1}'
    plain = entries.Entry(
        GAME, 2, HEX["a"], TIME, HEX["b"],
        view=view, reserve={"alice": 0, "bob": 86_400}, reports=told,
    )  # fmt: skip
    awaiting = plain._replace(awaited=awaited)
    private = b64encode(bytes(560)).decode()
    game = {"first": "alice", "turn_time": "3d", "reserve_time": "0d"}
    rulings = (
        entries.Ruling("a storm", 1),
        entries.Ruling("alice is away"),
        entries.Ruling("bob gives up", seat=entries.SeatChange("bob", HEX["e"])),
        entries.Ruling("bob has moved", seat=entries.SeatChange("bob", HEX["e"], HEX["d"])),
    )
    events = (
        {"kind": "turn", "player": "alice", "n": 1},
        {"kind": "clear", "cells": [["A", 1], []], "by": Inline(name='a = "b" \\', hit=True)},
    )
    return [
        ("invite", Invite("friday", "sugar-dog/1", TIME, host, x[0], x[1], HEX["a"], options=game)),
        (
            "invite",
            Invite(
                "league-4", "submarine-warfare/12", TIME, host, x[0], x[1], HEX["a"], HEX["b"],
                "host@example.org", True, {"variant": 'a "b" \\ c', "swap": True, "hand": 4},
            ),
        ),
        ("join", Join(HEX["a"], "alice", alice, x[2], x[3], HEX["b"])),
        ("join", Join(HEX["a"], "b-2", bob, x[4], x[5], HEX["b"], "open", private)),
        ("consent", Consent(GAME, 12, HEX["a"], HEX["b"])),
        ("slip", Slip(GAME, 1, "alice", 1, TIME, GAME, HEX["a"], HEX["b"], HEX["c"])),
        (
            "slip",
            Slip(GAME, 10_000, "alice", 99, TIME, HEX["d"], HEX["a"], HEX["b"], None, "ruling"),
        ),
        ("receipt", Receipt(GAME, 1, "alice", 1, HEX["a"], TIME, 0, GAME, "accepted")),
        (
            "entry",
            entries.Genesis(TIME, HEX["a"], "adjudicator 0.1.0",
                            {"alice": HEX["b"], "bob": HEX["c"]},
                            {n: entries.Awaited("setup", TIME, LATER) for n in ("alice", "bob")}),
        ),
        (
            "entry",
            awaiting._replace(missing=("bob",), events=events, press=(HEX["e"],), slips=used),
        ),
        ("entry", plain),
        *(("entry", awaiting._replace(ruling=ruling)) for ruling in rulings),
        (
            "entry",
            plain._replace(ruling=entries.Ruling("no time", None, True), slips=used),
        ),
        ("entry", entries.Reveal(GAME, 2, HEX["a"], HEX["f"], {"winner": "alice"})),
        ("entry", entries.Reveal(GAME, 2, HEX["a"], HEX["f"], {"draw": True})),
        ("letter", Letter(GAME, "alice", 1, HEX["a"], HEX["b"])),
        ("letter", Letter(GAME, "host", 2, HEX["a"], entry=7, head=HEX["d"])),
        ("letter", Letter(GAME, "alice", 9_999, HEX["c"], HEX["d"])),
    ]  # fmt: skip


def _spoilt() -> list[tuple[str, bytes, str]]:
    """A slip spoilt in one way after another, each with the way."""
    slip = Slip(GAME, 2, "alice", 1, TIME, GAME, HEX["a"], HEX["b"]).render()
    return [
        ("a comment", slip + b"# remark\n", "malformed"),
        ("an empty line", slip.replace(b"step", b"\nstep"), "malformed"),
        ("CR before LF", slip.replace(b"\n", b"\r\n"), "malformed"),
        ("no last LF", slip[:-1], "malformed"),
        ("a blank at the end of a line", slip.replace(b"step = 2\n", b"step = 2 \n"), "malformed"),
        ("no blanks around =", slip.replace(b"step = 2", b"step=2"), "malformed"),
        ("another order of keys", slip.replace(b"step = 2\n", b"") + b"step = 2\n", "malformed"),
        ("a key twice", slip + b"step = 2\n", "malformed"),
        ("an unknown key", slip + b"colour = 1\n", "malformed"),
        ("a key left out", slip.replace(b"revision = 1\n", b""), "malformed"),
        ("a literal string", slip.replace(b'"alice"', b"'alice'"), "malformed"),
        ("an escape that is not needed", slip.replace(b"alice", b"\\u0061lice"), "malformed"),
        ("a leading plus", slip.replace(b"step = 2", b"step = +2"), "malformed"),
        ("a hexadecimal integer", slip.replace(b"step = 2", b"step = 0x2"), "malformed"),
        ("true where 1 is meant", slip.replace(b"revision = 1", b"revision = true"), "malformed"),
        ("a float", slip.replace(b"step = 2", b"step = 2.0"), "malformed"),
        ("a date", slip.replace(b"step = 2", b"step = 2026-11-21"), "malformed"),
        ("2^63", slip.replace(b"step = 2", b"step = 9223372036854775808"), "malformed"),
        ("revision 0", slip.replace(b"revision = 1", b"revision = 0"), "malformed"),
        ("revision 100", slip.replace(b"revision = 1", b"revision = 100"), "malformed"),
        ("a digest in capitals", slip.replace(b"9c01", b"9C01"), "malformed"),
        ("a device's name", slip.replace(b"alice", b"con"), "malformed"),
        ("a path as name", slip.replace(b"alice", b"../alice"), "malformed"),
        ("a byte order mark", b"\xef\xbb\xbf" + slip, "malformed"),
        ("another kind", slip.replace(b"slip/4", b"slip/5"), "malformed"),
        ("an earlier version", slip.replace(b"slip/4", b"slip/3"), "old-release"),
        ("the hour 24", slip.replace(b"T18", b"T24"), "malformed"),
        ("seconds", slip.replace(b":00Z", b":01Z"), "malformed"),
        ("4,097 bytes", slip + b"#" * (4_097 - len(slip)), "too-big"),
    ]


def documents() -> dict[str, Any]:
    """The values of documents and their bytes; bytes that must be refused."""
    return {
        "documents": [
            {"document": kind, "values": tomllib.loads(one.render().decode()),
             "bytes": one.render().decode(), "digest": digest(one.render())}
            for kind, one in _written()
        ],
        "texts": [
            {"says": one.says, "body": one.body, "notice": one.notice,
             "bytes": one.render().decode(), "digest": digest(one.render())}
            for one in (
                Text("message to bob:", "Hi.\n\nDraw?", salt=HEX["a"]),
                Text("anonymous message to all:", "\u00e9", salt=HEX["b"]),
                Text("message to host:", "I am away.", salt=HEX["c"]),
                Text(f"away from {TIME} until {LATER}", "", 1, HEX["d"]),
                Text("address a@example.org", "", 2, HEX["e"]),
                Text("address shown", "", 3, HEX["f"]),
                Text("address hidden", "", 9_999, HEX["a"]),
            )
        ],
        "refused": [
            {"what": what, "document": "slip", "bytes": data.decode(), "word": word}
            for what, data, word in _spoilt()
        ],
    }  # fmt: skip
