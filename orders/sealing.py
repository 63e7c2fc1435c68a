"""Sealed files: every label, every size and every key that seals.

Two ways of sealing. Orders and reports are sealed under the one secret that host and player share
in a game, so that anyone who knows the master can make each sealed file again. Letters and what
joins keep private are sealed with HPKE (RFC 9180) under fresh keys, and stay closed after the
reveal. `docs/formats/sealing.md` specifies both.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from orders import crypto
from orders.errors import Refused
from orders.fields import NAME, Digest, digest, is_hex
from orders.secrets import expand, extract

VERSION = "adjudicator/4"
"""The first line of every label."""

DIRECTIONS = ("order", "report")
USES = ("letter", "private", "receipts", "note")
"""The uses of HPKE: a letter's text, the private part of a join, a box of receipts, a player's note
for themselves."""

LETTER_SIZE = 2_048
"""Padded length of a letter's text, in both directions."""

PRIVATE_SIZE = 512
"""Padded length of the private part of a join."""

RECEIPTS_SIZE = 4_096
"""Padded length of a player's box of receipts."""

ENCAPSULATED = 32
OVERHEAD = ENCAPSULATED + crypto.TAG
"""Bytes by which what HPKE seals exceeds its plaintext."""

_LENGTH = 4
_NONCE = bytes(12)
_P = 2**255 - 19
_ORDER_8 = (
    325606250916557431795983626356110631294008115727848805560023387167927233504,
    39382357235489614581723060781553021112529911719440698176882885853963445705823,
)
_LOW_ORDER = frozenset({0, 1, _P - 1, *_ORDER_8})
"""The u coordinates of the points of low order on the curve and its twist (RFC 7748 section 6)."""


def room(padded: int) -> int:
    """The largest body, in bytes, that fits the padded length."""
    return padded - _LENGTH


def sealed_size(padded: int) -> int:
    """Bytes of a sealed order or report of that padded length."""
    return padded + crypto.TAG


def sealed_letter_size(size: int) -> int:
    """Bytes of what is sealed with HPKE at the padded length `size`."""
    return size + OVERHEAD


# A game seals to the same few players again and again.
@lru_cache(maxsize=256)
def check_public(raw: bytes) -> None:
    """Check that sealing to `raw` is safe; raises Refused `bad-key`.

    It refuses other lengths, coordinates not below 2^255 - 19 (a second name for another key) and
    points of low order, with which everybody could open the file.
    """
    if len(raw) != 32:
        raise Refused("bad-key", f"an X25519 public key has 32 bytes, not {len(raw)}")
    u = int.from_bytes(raw, "little")
    if u >= _P:
        raise Refused("bad-key", f"X25519 key {raw.hex()} is not canonical (u >= p)")
    if u in _LOW_ORDER:
        raise Refused("bad-key", f"X25519 key {raw.hex()} is a point of low order")


class SealingKey:
    """An X25519 private key (RFC 7748): 32 bytes, clamped when used."""

    def __init__(self, seed: bytes) -> None:
        self.seed = seed

    @cached_property
    def public(self) -> bytes:
        """The 32-byte public half."""
        return crypto.x25519_public(self.seed)

    def agree(self, public: bytes, game: Digest) -> Shared:
        """The secret that this key and `public` share in the game with that id; raises Refused
        `bad-key`.

        Both sides get the same value. It serves both directions.
        """
        check_public(public)
        agreed = crypto.x25519(self.seed, public)
        if not any(agreed):
            raise Refused("bad-key", f"X25519 key {public.hex()} agrees on nothing with this one")
        return Shared(extract(bytes.fromhex(game), agreed))


@dataclass(frozen=True, slots=True)
class Place:
    """The six values to which a sealed order or report is bound; it opens under no others.

    `direction`: `order` (to the host) or `report` (to the player). `game`: the game's id. `step`:
    of the slip, or of the entry for reports. `revision`: 0 for reports. `digest`: of what is
    sealed. Raises ValueError for a place that cannot be.
    """

    direction: str
    game: Digest
    step: int
    player: str
    revision: int
    digest: Digest

    def __post_init__(self) -> None:
        """Check that the label can be read in only one way."""
        counted = (self.revision > 0) == (self.direction == "order") and self.revision >= 0
        if self.direction not in DIRECTIONS or self.step < 1 or not counted:
            raise ValueError(
                f"nothing is sealed as {self.direction!a} for step {self.step}, "
                f"revision {self.revision}"
            )
        _check(self.game, self.player)
        if not is_hex(self.digest):
            raise ValueError(f"{self.digest!a:.80}: expected 64 hex digits")

    def label(self, padded: int) -> bytes:
        """The label under which the key of the sealed file is made."""
        return (
            f"{VERSION}\n{self.direction}\n{self.game}\n{self.step}\n{self.player}\n"
            f"{self.revision}\n{padded}\n{self.digest}\n"
        ).encode("ascii")


class Shared(NamedTuple):
    """The secret that host and one player share in one game: the key of all their sealed files."""

    extracted: bytes

    def __repr__(self) -> str:
        return "Shared()"

    def seal(self, place: Place, body: bytes, padded: int) -> bytes:
        """The sealed file of `body`: `sealed_size(padded)` bytes, always the same ones.

        Raises Refused `too-big`, and ValueError where `place.digest` is not the body's.
        """
        if digest(body) != place.digest:
            raise ValueError("the place names another digest than the body's")
        # The key is used once, as the label names the body's digest; so the nonce may be constant.
        key = expand(self.extracted, place.label(padded))
        return crypto.chacha_seal(key, _NONCE, pad(body, padded))

    def open(self, place: Place, sealed: bytes, padded: int) -> bytes:
        """The body in a sealed file.

        Raises Refused `unopenable`, with one message for all faults, so that it tells nothing.
        """
        if len(sealed) != sealed_size(padded):
            raise _unopenable()
        key = expand(self.extracted, place.label(padded))
        body = unpad(crypto.chacha_open(key, _NONCE, sealed))
        if digest(body) != place.digest:
            raise _unopenable()
        return body


def letter_info(use: str, game: Digest, number: int, player: str) -> bytes:
    """The `info` of HPKE: what a letter's text or a box of receipts is bound to.

    `use` is one of USES. `game` is the game's id, or the invite's digest where there is no game
    yet. `number` counts letters, and is a note's entry; it is 0 for what a join keeps private.
    Raises ValueError.
    """
    if use not in USES or number < 0:
        raise ValueError(f"nothing is sealed as {use!a} with number {number}")
    _check(game, player)
    return f"{VERSION}\n{use}\n{game}\n{number}\n{player}\n".encode("ascii")


def seal_letter(to: bytes, info: bytes, body: bytes, size: int) -> bytes:
    """`body` sealed to the public key `to`: `sealed_letter_size(size)` bytes, fresh every time.

    Raises Refused `too-big` and `bad-key`.
    """
    check_public(to)
    return hpke_seal(crypto.fresh(), to, info, pad(body, size))


def open_letter(key: SealingKey, info: bytes, sealed: bytes, size: int) -> bytes:
    """The body that was sealed to `key` under the same `info` and `size`; raises `unopenable`."""
    if len(sealed) != sealed_letter_size(size):
        raise _unopenable()
    return unpad(hpke_open(key.seed, info, sealed))


@lru_cache(maxsize=256)
def _check(hex64: str, player: str) -> None:
    if not is_hex(hex64) or re.fullmatch(NAME, player, re.ASCII) is None:
        raise ValueError(f"{hex64!a:.80}, {player!a:.80}: expected 64 hex digits and a name")


def pad(body: bytes, size: int) -> bytes:
    """The body's length in four bytes, the body, zeros; raises Refused `too-big`."""
    if len(body) > room(size):
        raise Refused(
            "too-big", f"{len(body)} bytes to seal, at most {room(size)} fit", "shorten it"
        )
    return (len(body).to_bytes(_LENGTH, "big") + body).ljust(size, b"\0")


def unpad(whole: bytes | None) -> bytes:
    """The inverse of `pad`; raises Refused `unopenable`."""
    if whole is None:
        raise _unopenable()
    end = _LENGTH + int.from_bytes(whole[:_LENGTH], "big")
    if whole.count(0, end) != len(whole) - end:
        raise _unopenable()
    return whole[_LENGTH:end]


def _unopenable() -> Refused:
    return Refused("unopenable", "the sealed file does not open", "seal and send it again")


# HPKE in base mode, single shot (RFC 9180), for one suite: DHKEM(X25519, HKDF-SHA256), HKDF-SHA256,
# ChaCha20Poly1305. `check_public` says which public keys are taken.

_KEM = b"KEM" + (0x0020).to_bytes(2, "big")
_SUITE = b"HPKE" + b"".join(part.to_bytes(2, "big") for part in (0x0020, 0x0001, 0x0003))


def hpke_seal(
    ephemeral: bytes, to: bytes, info: bytes, plaintext: bytes, aad: bytes = b""
) -> bytes:
    """`plaintext` sealed to the X25519 public key `to`: the 32-byte encapsulated key, and then the
    ciphertext with its tag. `ephemeral`: the 32 private bytes of a key that is used once."""
    encapsulated = crypto.x25519_public(ephemeral)
    key, nonce = _schedule(crypto.x25519(ephemeral, to), encapsulated, to, info)
    return encapsulated + crypto.chacha_seal(key, nonce, plaintext, aad)


def hpke_open(private: bytes, info: bytes, sealed: bytes, aad: bytes = b"") -> bytes | None:
    """The plaintext sealed to the public key of `private`, or None if it does not open."""
    encapsulated = sealed[:ENCAPSULATED]
    if len(encapsulated) < ENCAPSULATED:
        return None
    agreed = crypto.x25519(private, encapsulated)
    if not any(agreed):
        return None
    key, nonce = _schedule(agreed, encapsulated, crypto.x25519_public(private), info)
    return crypto.chacha_open(key, nonce, sealed[ENCAPSULATED:], aad)


def _schedule(agreed: bytes, encapsulated: bytes, to: bytes, info: bytes) -> tuple[bytes, bytes]:
    """Key and base nonce (RFC 9180 sections 4.1 and 5.1)."""
    shared = _extract(_KEM, b"", b"eae_prk", agreed)
    shared = _expand(_KEM, shared, b"shared_secret", encapsulated + to, 32)
    context = b"\0" + _extract(_SUITE, b"", b"psk_id_hash", b"")
    context += _extract(_SUITE, b"", b"info_hash", info)
    secret = _extract(_SUITE, shared, b"secret", b"")
    return (
        _expand(_SUITE, secret, b"key", context, 32),
        _expand(_SUITE, secret, b"base_nonce", context, 12),
    )


def _extract(suite: bytes, salt: bytes, label: bytes, key: bytes) -> bytes:
    """LabeledExtract of RFC 9180 section 4."""
    return extract(salt, b"HPKE-v1" + suite + label + key)


def _expand(suite: bytes, secret: bytes, label: bytes, info: bytes, length: int) -> bytes:
    """LabeledExpand of RFC 9180 section 4, for at most 32 bytes."""
    wanted = length.to_bytes(2, "big") + b"HPKE-v1" + suite + label + info
    return expand(secret, wanted)[:length]
