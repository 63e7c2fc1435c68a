"""Signatures on which libraries differ, each with what this protocol says of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from generate import curve

from orders import sshsig

NAMESPACE = sshsig.SLIP


def torsion() -> dict[str, Any]:
    """The cases, under one namespace and for one private key."""
    seed = bytes([9]) * 32
    return {
        "namespace": NAMESPACE,
        "seed": seed.hex(),
        "cases": [
            _judged(what, key, message, signature)
            for what, key, message, signature in (*_mixed(seed), *_low(seed), *_forms(seed))
        ],
    }


def _judged(what: str, key: bytes, message: bytes, signature: bytes) -> dict[str, Any]:
    """A case with its verdict, by the rules written out and by the equation on the plain curve."""
    signed = sshsig.signed_data(NAMESPACE, message)
    low = curve.low_order_encodings()

    def sound(raw: bytes) -> bool:
        return raw not in low and int.from_bytes(raw, "little") % 2**255 < curve.P

    verdict = "bad-signature"
    if not sound(key):
        verdict = "bad-key"
    elif sound(signature[:32]) and int.from_bytes(signature[32:], "little") < curve.L:
        verdict = "good" if curve.holds(key, signed, signature) else verdict
    return {
        "what": what,
        "key": key.hex(),
        "message": message.hex(),
        "signature": signature.hex(),
        "cofactored": curve.holds(key, signed, signature, 8),
        "verdict": verdict,
    }


def _signature(a: int, key: bytes, r: int, nonce: bytes, message: bytes) -> bytes:
    """R as given, and the S that fits it but for torsion."""
    k = curve.challenge(nonce, key, sshsig.signed_data(NAMESPACE, message))
    return nonce + ((r + k * a) % curve.L).to_bytes(32, "little")


_Case = tuple[str, bytes, bytes, bytes]


def _mixed(seed: bytes) -> Iterator[_Case]:
    """Every point of low order added to A, and every one to R: where it can be, one that holds."""
    a, r = curve.scalar(seed), 123_456_789
    base_a, base_r = curve.times(a, curve.BASE), curve.times(r, curve.BASE)
    for i, more_a in enumerate(curve.TORSION):
        for j, more_r in enumerate(curve.TORSION):
            key = curve.encode(curve.add(base_a, more_a))
            nonce = curve.encode(curve.add(base_r, more_r))
            wanted = {True, False}
            for number in range(60):
                message = b"%d\n" % number
                k = curve.challenge(nonce, key, sshsig.signed_data(NAMESPACE, message))
                fits = (k * i + j) % 8 == 0
                if fits in wanted:
                    wanted.remove(fits)
                    what = f"A + {i} T, R + {j} T, message {number}"
                    yield what, key, message, _signature(a, key, r, nonce, message)


def _low(seed: bytes) -> Iterator[_Case]:
    """R of low order under a good key and under one with torsion; keys of low order."""
    a, message = curve.scalar(seed), b"low\n"
    point = curve.times(a, curve.BASE)
    for i in (0, 1, 4):
        key = curve.encode(curve.add(point, curve.TORSION[i]))
        for nonce in curve.low_order_encodings():
            what = f"A + {i} T, R = {nonce.hex()}"
            yield what, key, message, _signature(a, key, 0, nonce, message)
    nonce = curve.encode(curve.times(77, curve.BASE))
    for key in curve.low_order_encodings():
        yield f"A = {key.hex()}", key, message, _signature(0, key, 77, nonce, message)


def _forms(seed: bytes) -> Iterator[_Case]:
    """Other forms of a good signature: S too large, the sign of R, points that are none."""
    a, message = curve.scalar(seed), b"forms\n"
    key = curve.encode(curve.times(a, curve.BASE))
    nonce = curve.encode(curve.times(5, curve.BASE))
    good = _signature(a, key, 5, nonce, message)
    s = int.from_bytes(good[32:], "little")
    yield "good", key, message, good
    for count in range(1, 16):
        if s + count * curve.L < 2**256:
            more = (s + count * curve.L).to_bytes(32, "little")
            yield f"S + {count} L", key, message, good[:32] + more
    yield "L - S", key, message, good[:32] + (curve.L - s).to_bytes(32, "little")
    yield "S = L", key, message, good[:32] + curve.L.to_bytes(32, "little")
    yield "R with its sign changed", key, message, good[:31] + bytes([good[31] ^ 128]) + good[32:]
    for y in (2, curve.P + 2, curve.P + 3, 2**255 - 1):
        raw = y.to_bytes(32, "little")
        yield f"R = {raw.hex()}", key, message, raw + good[32:]
        yield f"A = {raw.hex()}", raw, message, good
