"""edwards25519 written out (RFC 8032 section 5.1), slow and plain: what vectors are made with.

A point is (X, Y, Z, T) with x = X/Z, y = Y/Z and x*y = T/Z, as there.
"""

from __future__ import annotations

import hashlib

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P

Point = tuple[int, int, int, int]
ZERO: Point = (0, 1, 1, 0)


def add(one: Point, two: Point) -> Point:
    """The sum (section 5.1.4)."""
    a = (one[1] - one[0]) * (two[1] - two[0]) % P
    b = (one[1] + one[0]) * (two[1] + two[0]) % P
    c, d = 2 * one[3] * two[3] * D % P, 2 * one[2] * two[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(number: int, point: Point) -> Point:
    """`number` times the point."""
    total = ZERO
    while number:
        if number & 1:
            total = add(total, point)
        point, number = add(point, point), number >> 1
    return total


def minus(point: Point) -> Point:
    """The inverse."""
    return -point[0] % P, point[1], point[2], -point[3] % P


def affine(point: Point) -> tuple[int, int]:
    """x and y."""
    inverse = pow(point[2], -1, P)
    return point[0] * inverse % P, point[1] * inverse % P


def encode(point: Point) -> bytes:
    """32 bytes (section 5.1.2)."""
    x, y = affine(point)
    return (y | (x & 1) << 255).to_bytes(32, "little")


def decode(raw: bytes) -> Point | None:
    """The point that 32 bytes write, y >= p and a sign without an x allowed; None if there is none.

    Section 5.1.3, but lenient: vectors must be able to hold what this project refuses.
    """
    y = int.from_bytes(raw, "little") & (2**255 - 1)
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * pow(2, (P - 1) // 4, P) % P
    if x * x % P != square:
        return None
    if x & 1 != raw[31] >> 7:
        x = P - x
    x, y = x % P, y % P
    return x, y, 1, x * y % P


def _found(raw: bytes) -> Point:
    point = decode(raw)
    assert point is not None
    return point


BASE = _found((4 * pow(5, -1, P) % P).to_bytes(32, "little"))


def _torsion() -> list[Point]:
    """The eight points of low order, as multiples of one of order 8."""
    for start in range(2, 60):
        point = decode(start.to_bytes(32, "little"))
        found = ZERO if point is None else times(L, point)
        if affine(times(4, found)) != affine(ZERO):
            return [times(number, found) for number in range(8)]
    raise AssertionError("no point of order 8")


TORSION = _torsion()


def low_order_encodings() -> list[bytes]:
    """Every 32 bytes that a lenient reader takes for a point of low order: 14 of them."""
    found = {
        (y + more | sign << 255).to_bytes(32, "little")
        for y in (affine(point)[1] for point in TORSION)
        for more in (0, P)
        if y + more < 2**255
        for sign in (0, 1)
    }
    return sorted(found)


def scalar(seed: bytes) -> int:
    """The secret number of a private key (section 5.1.5)."""
    half = int.from_bytes(hashlib.sha512(seed).digest()[:32], "little")
    return half & (2**254 - 8) | 2**254


def challenge(r: bytes, a: bytes, message: bytes) -> int:
    """k: the hash of R and A as they stand, and the message."""
    return int.from_bytes(hashlib.sha512(r + a + message).digest(), "little") % L


def holds(key: bytes, message: bytes, signature: bytes, cofactor: int = 1) -> bool:
    """The bare equation, whatever the points: encode(S*B - k*A) is R; or 8 times of both sides."""
    a, r = decode(key), decode(signature[:32])
    if a is None or r is None:
        return False
    s = int.from_bytes(signature[32:], "little")
    k = challenge(signature[:32], key, message)
    left = add(times(s, BASE), minus(times(k, a)))
    if cofactor == 1:
        return encode(left) == signature[:32]
    return affine(times(cofactor, left)) == affine(times(cofactor, r))


def twins(u: int) -> list[int]:
    """The u coordinates of an X25519 public key plus each point of low order; `u` comes first.

    By the map between the curves in RFC 7748 section 4.1. All agree on the same secret with any
    private key, as clamped numbers are multiples of 8.
    """
    y = (u - 1) * pow(u + 1, -1, P) % P
    point = _found(y.to_bytes(32, "little"))
    ys = (affine(add(point, low))[1] for low in TORSION)
    return [(1 + y) * pow(1 - y, -1, P) % P for y in ys]
