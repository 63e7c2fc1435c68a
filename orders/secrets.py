"""Every value that comes from a master or a seat secret, and its label, on one page.

| secret | label | value |
|---|---|---|
| master | `adjudicator/1/master/sealing` | X25519 key to which orders are sealed |
| master | `adjudicator/1/master/salt/state/<step>` | salt of the state of entry `<step>` |
| master | `adjudicator/1/master/salt/report/<step>/<player>` | salt of that player's report |
| master | `adjudicator/1/master/share` | the host's share of the seed |
| seat | `adjudicator/1/seat/sealing` | X25519 key to which reports are sealed |
| seat | `adjudicator/1/seat/nonce` | the player's share of the seed |
| seat | `adjudicator/1/seat/salt/<step>/<revision>` | salt of that order file |

Each is HKDF-SHA256 (RFC 5869): no salt, the secret as key, the label as info, 32 bytes.
`docs/formats/secrets.md` specifies it. What it must not know: where secrets are kept.
"""

from __future__ import annotations

import hashlib
import hmac
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from orders.sealing import SealingKey

SIZE = 32
NO_NONCE = "0" * 64
"""Stands in for the nonce of a player who missed the first step."""

SALT_KINDS = ("state", "report")


def draw_secret() -> bytes:
    """32 fresh bytes from the operating system."""
    return os.urandom(SIZE)


def commitment(hex64: str) -> str:
    """The SHA-256 of 64 lower-case hex digits as text (`printf %s HEX | sha256sum`)."""
    return hashlib.sha256(hex64.encode("ascii")).hexdigest()


def derive(secret: bytes, label: str) -> bytes:
    """32 bytes of HKDF-SHA256(salt none, key `secret`, info `label`)."""
    return _expand(_extract(b"", secret), label)


def _extract(salt: bytes, key: bytes) -> bytes:
    """RFC 5869 section 2.2; an empty salt stands for 32 zero bytes, as there."""
    return hmac.digest(salt, key, "sha256")


def _expand(extracted: bytes, label: str) -> bytes:
    """RFC 5869 section 2.3 for 32 bytes, which is one block."""
    return hmac.digest(extracted, label.encode("ascii") + b"\x01", "sha256")


@dataclass(frozen=True, slots=True)
class _Secret:
    """32 bytes and what HKDF extracts from them, kept because every value needs it."""

    secret: bytes = field(repr=False)
    _extracted: bytes = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if len(self.secret) != SIZE:
            raise ValueError(f"a secret has {SIZE} bytes, not {len(self.secret)}")
        object.__setattr__(self, "_extracted", _extract(b"", self.secret))

    @property
    def hex(self) -> str:
        """64 lower-case hex digits."""
        return self.secret.hex()


@dataclass(frozen=True, slots=True)
class Master(_Secret):
    """The one secret that a host draws for a game; published by the reveal."""

    @property
    def commitment(self) -> str:
        """As in the invite: `commitment(self.hex)`."""
        return commitment(self.hex)

    def sealing(self) -> SealingKey:
        """The key pair to which orders are sealed."""
        from orders.sealing import SealingKey

        return SealingKey.from_seed(_expand(self._extracted, "adjudicator/1/master/sealing"))

    def salt(self, kind: str, step: int, player: str = "") -> str:
        """64 hex digits: the salt of the state (`state`) or a player's report (`report`).

        `step` is the number of the entry that names the file. Raises ValueError for another kind,
        or a player where none belongs or none where one does.
        """
        if kind not in SALT_KINDS or (kind == "report") != bool(player):
            raise ValueError(f"there is no salt of the kind {kind!a} for {player!a}")
        name = f"{kind}/{step}/{player}" if player else f"{kind}/{step}"
        return _expand(self._extracted, f"adjudicator/1/master/salt/{name}").hex()

    def seed(self, nonces: Sequence[str], game: str) -> bytes:
        """The 32-byte seed of all draws of the game whose id is `game` (64 hex digits).

        `nonces` are every player's, 64 hex digits each, in the order of genesis, NO_NONCE for who
        gave none. HKDF-SHA256 with the id's 32 bytes as salt, the host's 32-byte share and then
        each nonce's 32 bytes as key, and `adjudicator/1/seed` as info.
        """
        parts = [_expand(self._extracted, "adjudicator/1/master/share")]
        parts += [_unhex(nonce) for nonce in nonces]
        return _expand(_extract(_unhex(game), b"".join(parts)), "adjudicator/1/seed")


@dataclass(frozen=True, slots=True)
class SeatSecret(_Secret):
    """The one secret that a player draws for a seat in a game."""

    @property
    def nonce(self) -> str:
        """64 hex digits: this player's share of the seed, secret until the first slip."""
        return _expand(self._extracted, "adjudicator/1/seat/nonce").hex()

    @property
    def nonce_commitment(self) -> str:
        """As in the join: `commitment(self.nonce)`."""
        return commitment(self.nonce)

    def sealing(self) -> SealingKey:
        """The key pair to which this player's reports are sealed."""
        from orders.sealing import SealingKey

        return SealingKey.from_seed(_expand(self._extracted, "adjudicator/1/seat/sealing"))

    def salt(self, step: int, revision: int) -> str:
        """64 hex digits: the salt of the order file of that step and revision."""
        return _expand(self._extracted, f"adjudicator/1/seat/salt/{step}/{revision}").hex()


def _unhex(text: str) -> bytes:
    data = bytes.fromhex(text)
    if data.hex() != text or len(data) != SIZE:
        raise ValueError(f"{text!a:.80}: expected 64 lower-case hex digits")
    return data
