"""Doors: of two letters in a box its reader opens the one that fits what they hide.

In a duel one player enters a place, and only the other knows whether anything is there. If there
is, they may hear no more than that they were struck. If there is nothing, they must hear where it
goes on. And the mover may not learn which before they have said all. That is an *oblivious
transfer* of one letter of two, here by Bellare and Micali (CRYPTO '89):

* The group is the prime-order subgroup of edwards25519 (RFC 8032 section 5.1), with the base point
  B. C is a point of it whose logarithm nobody knows: it is hashed from a label, by try and
  increment, and multiplied by the cofactor 8.
* For each of their places a player publishes one point D, its *door*. They know a number k with
  D = kB if the place is free, and with C - D = kB if it is taken. Who knew both logarithms would
  know that of C, so nobody opens both sides; and a door does not show which side its owner opens,
  because kB and C - kB look like any point.
* A *box* for a place holds two letters: one under the key that a fresh number `a` agrees on with D,
  one under that of C - D; beside them lies aB. The owner opens one of them, by the k that they
  know. To open the other is the Diffie-Hellman problem.
* A letter holds something that nobody can guess, and its reader tells its digest back. So the
  sealer learns which one was opened, and nobody can tell back what they did not open. If both
  letters are the same, the sealer learns nothing from that.

Keys agree by X25519, on the u coordinate (RFC 7748 section 4.1). There numbers are multiples of 8,
so a part of low order in a hostile point has no effect; a point that is nothing but low order
agrees on zero, and is refused. The library makes keys and agrees; what it lacks, and stands here,
is the sum of two points.

Numbers and keys come from a player's secret and from all that they are made for. So the same doors
and boxes are made again by anybody who knows the secret, and others have other keys: two boxes with
one key, or two doors with one number, would show what differs.
"""

from __future__ import annotations

import hashlib
from functools import cache, lru_cache
from typing import TypeAlias

from orders import crypto
from orders.fields import digest
from orders.public_key import point_fault
from orders.secrets import DuelSecret, expand, extract

DOOR = 32
"""Bytes of a door."""
_NONCE = bytes(12)
_LABEL = b"adjudicator/4/duel/doors"

_P = 2**255 - 19
_D = -121665 * pow(121666, -1, _P) % _P
_ROOT = pow(2, (_P - 1) // 4, _P)
"""A square root of -1."""

_Point: TypeAlias = tuple[int, int, int, int]
"""X, Y, Z, T with x = X/Z, y = Y/Z, x*y = T/Z (RFC 8032 section 5.1.4)."""


class Doors:
    """What one player makes of their secret: doors of their own, and boxes for the other's doors.

    The `label` of a door names everything on which it depends.
    """

    def __init__(self, secret: DuelSecret) -> None:
        self._secret = secret

    def door(self, label: str, *, taken: bool) -> bytes:
        """The door of a place."""
        return _door(self._key(label, taken), taken)

    def fault(self, door: bytes) -> str:
        """Why these bytes are no door; "" if they are. One that was made here, from a private half,
        is a point, and so is its other side."""
        return "" if door in _made else _fault(door)

    def seal(self, door: bytes, free: bytes, taken: bytes) -> bytes:
        """The box of two letters for the other's door, 64 bytes longer than these. Each letter must
        hold something that nobody can guess."""
        own = self._secret.box(digest(door + free + taken))
        public = crypto.ed25519_public(own)
        return public + b"".join(
            crypto.chacha_seal(_agreed(own, point, public + point), _NONCE, letter)
            for point, letter in ((door, free), (_other(door), taken))
        )

    def open(self, label: str, box: bytes, free: int, *, taken: bool) -> bytes | None:
        """The letter in a box for `door(label, taken)`; None if it does not open. `free`: the size
        of the first letter."""
        public, rest = box[:DOOR], box[DOOR:]
        if _fault(public):
            return None
        own, first = self._key(label, taken), free + crypto.TAG
        key = _agreed(own, public, public + crypto.ed25519_public(own))
        return crypto.chacha_open(key, _NONCE, rest[first:] if taken else rest[:first])

    def _key(self, label: str, taken: bool) -> bytes:
        return _seed(self._secret, f"{label}/{'taken' if taken else 'free'}")


# A side is made again from its beginning many times, and so are its doors.


@lru_cache(8192)
def _seed(secret: DuelSecret, label: str) -> bytes:
    """The private half of a door, as an Ed25519 key (RFC 8032 section 5.1.5)."""
    return secret.door(digest(label.encode("ascii")))


@lru_cache(8192)
def _door(seed: bytes, taken: bool) -> bytes:
    public = crypto.ed25519_public(seed)
    door = _other(public) if taken else public
    if len(_made) > _MOST:
        _made.clear()
    _made[door] = public if taken else b""
    return door


_MOST = 65_536
_made: dict[bytes, bytes] = {}
"""The doors that were made here, with their other sides as far as these are known."""


def _agreed(seed: bytes, point: bytes, between: bytes) -> bytes:
    """The key on which the private half of an Ed25519 key agrees with a point."""
    agreed = crypto.x25519(hashlib.sha512(seed).digest()[:32], _u(point))
    return expand(extract(between, agreed), _LABEL)


@lru_cache(8192)
def _fault(door: bytes) -> str:
    fault = point_fault(door)
    if fault is not None:
        return fault
    point = _decoded(door)
    if point is None:
        return "no point of the curve"
    if _times_8(_sum(_nobodys(), _minus(point)))[0] == 0:
        return "a point of low order from its other side"
    return ""


# The curve.


@cache
def _nobodys() -> _Point:
    """C: the first point that a hash of the label and a counter writes, times 8."""
    for counter in range(256):
        raw = hashlib.sha512(_LABEL + bytes([counter])).digest()[:32]
        point = None if point_fault(raw) else _decoded(raw)
        if point is not None:
            return _times_8(point)
    raise AssertionError("no point")


@lru_cache(4096)
def _other(door: bytes) -> bytes:
    """The door from its other side: C - D."""
    if _made.get(door):
        return _made[door]
    point = _decoded(door)
    if point is None:
        raise ValueError(f"{door.hex()} is no point")
    x, y, z, _ = _sum(_nobodys(), _minus(point))
    inverse = pow(z, -1, _P)
    return (y * inverse % _P | (x * inverse % _P & 1) << 255).to_bytes(DOOR, "little")


def _u(raw: bytes) -> bytes:
    """The u coordinate of a point, for X25519: (1 + y) / (1 - y)."""
    y = int.from_bytes(raw, "little") % 2**255
    return ((1 + y) * pow(1 - y, -1, _P) % _P).to_bytes(DOOR, "little")


@lru_cache(4096)
def _decoded(raw: bytes) -> _Point | None:
    """RFC 8032 section 5.1.3, for bytes in which `point_fault` finds none; None if they are no
    point."""
    y, sign = int.from_bytes(raw, "little") % 2**255, raw[31] >> 7
    square, below = (y * y - 1) % _P, (_D * y * y + 1) % _P
    x = square * pow(below, 3, _P) * pow(square * pow(below, 7, _P), (_P - 5) // 8, _P) % _P
    if (below * x * x - square) % _P:
        x = x * _ROOT % _P
    if (below * x * x - square) % _P:
        return None
    x = _P - x if x & 1 != sign else x
    return x, y, 1, x * y % _P


def _sum(one: _Point, two: _Point) -> _Point:
    """RFC 8032 section 5.1.4."""
    a = (one[1] - one[0]) * (two[1] - two[0]) % _P
    b = (one[1] + one[0]) * (two[1] + two[0]) % _P
    c, d = 2 * one[3] * two[3] * _D % _P, 2 * one[2] * two[2] % _P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % _P, g * h % _P, f * g % _P, e * h % _P


def _minus(point: _Point) -> _Point:
    return -point[0] % _P, point[1], point[2], -point[3] % _P


def _times_8(point: _Point) -> _Point:
    for _ in range(3):
        point = _sum(point, point)
    return point
