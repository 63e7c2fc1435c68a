"""Hostile versions of bytes and of values: cut, doubled, exchanged, blown up, forged.

`scale` is by how much a run of characters is blown up, so that one and the same version can be made
twice as large: time that then grows by far more than twice is a reader that hangs.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, TypeAlias

from orders.toml import Inline, Lines

FORGED = "FORGED"
"""No line that is printed begins with this, unless a hostile line feed was printed as it is."""

TOKENS = (
    b"\x00", b"\x1b]0;forged\x07", b"\x1b[2J", b"\x7f", b"\r", b"\r\n", b"\n", b"\nFORGED\n",
    b"\\nFORGED", b"\\u001b[2J", b"\\", b'"', b"'", b'"""', b"[", b"]", b"{", b"}", b"[[", b" = ",
    b",", b".", b"#", b"-", b"1e999", b"NaN", b"null", b"true", b"9" * 40, b"-1", b"1.5",
    b"\xff\xfe", b"\xc2\x9b", "\u202e\u2066".encode(), "\ufeff".encode(), "\u00e9".encode(),
    b"-----BEGIN ADJUDICATOR BUNDLE-----\n", b"-----END SSH SIGNATURE-----\n", b"PK\5\6", b"PK\1\2",
    b"AAAA", b"====", b"../", b"con", b"9999-12-31T23:59:59Z",
)  # fmt: skip

_P = 2**255 - 19

LOW_KEYS = {
    "zero": bytes(32),
    "one": (1).to_bytes(32, "little"),
    "not below p": (_P + 9).to_bytes(32, "little"),
    "minus one": (_P - 1).to_bytes(32, "little"),
}
"""Public keys of low order, or that are none: with them anybody could sign or open."""

Spoiler: TypeAlias = Callable[[Random, bytes, Sequence[bytes], int], bytes]


def _span(rng: Random, data: bytes) -> tuple[int, int]:
    first = rng.randrange(len(data) + 1)
    return first, min(len(data), first + rng.choice((1, 2, 8, 64, 512)))


def _flip(rng: Random, data: bytes, others: Sequence[bytes], scale: int) -> bytes:
    at = rng.randrange(max(1, len(data)))
    return data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]


def _drop(rng: Random, data: bytes, others: Sequence[bytes], scale: int) -> bytes:
    first, after = _span(rng, data)
    return data[:first] + data[after:]


def _double(rng: Random, data: bytes, others: Sequence[bytes], scale: int) -> bytes:
    first, after = _span(rng, data)
    return data[:after] + data[first:]


def _end(rng: Random, data: bytes, others: Sequence[bytes], scale: int) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def _insert(rng: Random, data: bytes, others: Sequence[bytes], scale: int) -> bytes:
    first, after = _span(rng, data)
    return data[:first] + rng.choice(TOKENS) + data[rng.choice((first, after)) :]


def _run(rng: Random, data: bytes, others: Sequence[bytes], scale: int) -> bytes:
    at = rng.randrange(len(data) + 1)
    token = rng.choice((*TOKENS, b"a", b" ", b"a = [ ", b"{ a = ", b"1,\n", b"[[],", b"a."))
    return data[:at] + token * (rng.choice((4, 64, 1024, 8192)) * scale) + data[at:]


def _lines(rng: Random, data: bytes, others: Sequence[bytes], scale: int) -> bytes:
    lines = data.split(b"\n")
    one, other = (rng.randrange(len(lines)) for _ in range(2))
    match rng.randrange(3):
        case 0:
            lines[one], lines[other] = lines[other], lines[one]
        case 1:
            lines.insert(one, lines[other])
        case _:
            del lines[one]
    return b"\n".join(lines)


def _splice(rng: Random, data: bytes, others: Sequence[bytes], scale: int) -> bytes:
    other = rng.choice(others) if others else data
    first, after = _span(rng, other)
    at, until = _span(rng, data)
    return data[:at] + other[first:after] + data[until:]


SPOILERS: tuple[Spoiler, ...] = (
    _flip, _drop, _double, _end, _insert, _insert, _run, _lines, _splice,
)  # fmt: skip


def spoilt(rng: Random, data: bytes, others: Sequence[bytes] = (), scale: int = 1) -> bytes:
    """`data`, spoilt in one to three ways; `others` are files of which parts may come in."""
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        data = rng.choice(SPOILERS)(rng, data, others, scale)
    return data


# Values.

VALUES: tuple[Any, ...] = (
    "", "x", FORGED, f"x\n{FORGED}", "\x1b[2J", "alice", "bob", "carol", "host", "con", "../x",
    "A1", "Z99", "over", "turn", "void", "0" * 64, "f" * 64, "a" * 2_000, "=", '"', "\\", "{}",
    "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "2026-11-21T18:00:00Z", 0, 1, -1, 7, 10**7,
    2**53 - 1, 1 - 2**53, True, False, [], Inline(), [[]], [Inline()], Lines(["x"]),
)  # fmt: skip


def _deep(rng: Random, value: Any) -> Any:
    kind: Callable[[Any], Any] = rng.choice(((lambda one: [one]), (lambda one: Inline(x=one))))
    for _ in range(rng.choice((3, 14, 40))):
        value = kind(value)
    return value


Place: TypeAlias = tuple[Any, Any]
"""A list or table, and the index or key of one of its values."""


def places(value: Any) -> list[Place]:
    """Every place in a tree of lists and tables."""
    found: list[Place] = []
    left = [value]
    while left:
        one = left.pop()
        keys = one if isinstance(one, dict) else range(len(one)) if isinstance(one, list) else ()
        found += [(one, key) for key in keys]
        left += [one[key] for key in keys]
    return found


def changed(rng: Random, value: Any, scale: int = 1) -> Any:
    """A copy of a table or list in which one to three values are others."""
    value = copy.deepcopy(value)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        known = places(value)
        if not known:
            return value
        _change(rng, *rng.choice(known), known, scale)
    return value


def _change(rng: Random, inside: Any, key: Any, known: Sequence[Place], scale: int) -> None:
    """Change one place; `known` are others, whose values may come here."""
    other, there = rng.choice(known)
    match rng.randrange(8):
        case 0:
            del inside[key]
        case 1 | 2:
            inside[key] = copy.deepcopy(other[there])
        case 3:
            inside[key] = _deep(rng, inside[key])
        case 4 if isinstance(inside, dict):
            inside[rng.choice(("x", "for", "kind", "alice", "carol", str(there)))] = inside[key]
        case 4 | 5 if isinstance(inside, list):
            size = rng.choice((1, 4, 100)) * scale
            inside[key:key] = [copy.deepcopy(inside[key]) for _ in range(size)]
        case 5 if type(inside[key]) is int:
            inside[key] += rng.choice((1, -1, 86_400, 2**40))
        case _:
            inside[key] = copy.deepcopy(rng.choice(VALUES))
