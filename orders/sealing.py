"""Sealed files: HPKE base mode (RFC 9180) around a body padded to a size class.

What belongs here: X25519 keys, what a sealed file is bound to, padding.
What it must not know: where keys come from, what is sealed. `docs/formats/sealing.md` specifies it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.hpke import AEAD, KDF, KEM, Suite

from orders.errors import Refused

OVERHEAD = 48
"""Bytes by which a sealed file exceeds its size class: encapsulated key 32, tag 16."""

DIRECTIONS = ("order", "report", "letter")

_SUITE = Suite(KEM.X25519, KDF.HKDF_SHA256, AEAD.CHACHA20_POLY1305)
_LENGTH = 4
_P = 2**255 - 19
_ORDER_8 = (
    325606250916557431795983626356110631294008115727848805560023387167927233504,
    39382357235489614581723060781553021112529911719440698176882885853963445705823,
)
_LOW_ORDER = frozenset({0, 1, _P - 1, *_ORDER_8})
"""The u coordinates of the points of low order on the curve and its twist (RFC 7748 section 6)."""

_GAME = re.compile("[0-9a-f]{64}")
_PLAYER = re.compile("[a-z][a-z0-9-]{0,31}")


@dataclass(frozen=True, slots=True)
class SealingKey:
    """An X25519 private key; `public` is its 32-byte public half (RFC 7748)."""

    public: bytes
    private: X25519PrivateKey = field(repr=False, compare=False)

    @classmethod
    def from_seed(cls, seed: bytes) -> SealingKey:
        """The key whose 32 private bytes are `seed` (clamped when used)."""
        private = X25519PrivateKey.from_private_bytes(seed)
        return cls(private.public_key().public_bytes_raw(), private)


def check_public(raw: bytes) -> None:
    """Return if something can safely be sealed to `raw`; raises Refused `bad-key`.

    Refused are other lengths, coordinates not below 2^255 - 19 (a second name for another key) and
    points of low order, with which everybody could open what is sealed.
    """
    if len(raw) != 32:
        raise Refused("bad-key", f"an X25519 public key has 32 bytes, not {len(raw)}")
    u = int.from_bytes(raw, "little")
    if u >= _P:
        raise Refused("bad-key", f"X25519 key {raw.hex()} is not canonical (u >= p)")
    if u in _LOW_ORDER:
        raise Refused("bad-key", f"X25519 key {raw.hex()} is a point of low order")


def info(direction: str, game: str, step: int, player: str) -> bytes:
    """What a sealed file is bound to; it opens under the same four values only.

    `direction`: `order` (to the host), `report` (to the player) or `letter` (to the host's letters
    key). `game`: 64 hex digits, the game's id; for an address in a join, with step 0, the digest
    of the invite. Raises ValueError.
    """
    if direction not in DIRECTIONS or step < 0:
        raise ValueError(f"nothing is sealed as {direction!a} for step {step}")
    if _GAME.fullmatch(game) is None or _PLAYER.fullmatch(player) is None:
        raise ValueError(f"{game!a:.80}, {player!a:.80}: expected 64 hex digits and a name")
    return f"adjudicator/1\n{direction}\n{game}\n{step}\n{player}\n".encode("ascii")


@lru_cache(maxsize=256)
def _recipient(raw: bytes) -> X25519PublicKey:
    check_public(raw)
    return X25519PublicKey.from_public_bytes(raw)


def seal(to: bytes, info: bytes, body: bytes, size: int) -> bytes:
    """`body` sealed to the public key `to`: `size` + OVERHEAD bytes, whatever its length.

    Fresh randomness is drawn, so no two sealed files are alike. Raises Refused `too-big` if `body`
    does not fit (its length takes 4 bytes of `size`) and `bad-key`.
    """
    if _LENGTH + len(body) > size:
        raise Refused(
            "too-big",
            f"{len(body)} bytes to seal, at most {size - _LENGTH} fit the size class {size}",
            "shorten it",
        )
    padded = len(body).to_bytes(_LENGTH, "big") + body
    return _SUITE.encrypt(padded.ljust(size, b"\0"), _recipient(to), info)


def unseal(key: SealingKey, info: bytes, sealed: bytes, size: int) -> bytes:
    """The body that was sealed to `key` under the same `info` and `size`.

    Raises Refused `unopenable`: one message, whatever is wrong, so that an answer tells nothing.
    """
    if len(sealed) != size + OVERHEAD:
        raise _unopenable()
    try:
        padded = _SUITE.decrypt(sealed, key.private, info)
    except (InvalidTag, ValueError):
        raise _unopenable() from None
    end = _LENGTH + int.from_bytes(padded[:_LENGTH], "big")
    if end > size or padded.count(0, end) != size - end:
        raise _unopenable()
    return padded[_LENGTH:end]


def _unopenable() -> Refused:
    return Refused("unopenable", "the sealed file does not open", "seal and send it again")
