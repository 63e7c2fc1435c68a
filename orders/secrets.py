"""Every value that comes from a master or a seat secret, and its label, on one page.

| secret | label | value |
|---|---|---|
| master | `adjudicator/4/master/sealing` | the host's X25519 key for orders and reports |
| master | `adjudicator/4/master/salt/state/<step>` | salt of the state of entry `<step>` |
| master | `adjudicator/4/master/salt/report/<step>/<player>` | salt of that player's report |
| master | `adjudicator/4/master/share` | the host's share of the seed |
| seat | `adjudicator/4/seat/sealing` | the player's X25519 key for orders and reports |
| seat | `adjudicator/4/seat/letters` | the player's X25519 key for letters, receipts, notes |
| seat | `adjudicator/4/seat/nonce` | the player's share of the seed |
| seat | `adjudicator/4/seat/salt/<step>/<revision>` | salt of that order file |
| letters | `adjudicator/4/letters/mail` | the key of the Message-IDs of the host's mails |
| referee | `adjudicator/4/referee/master/<name>` | the master of the referee's game of that name |
| referee | `adjudicator/4/referee/letters/<name>` | its `letters` |
| referee | `adjudicator/4/referee/calendar/<digest>` | the name of a player's calendar |
| duel | `adjudicator/4/duel/sealing` | the player's X25519 key for moves |
| duel | `adjudicator/4/duel/release/<step>` | what the player releases so that the other draws |
| duel | `adjudicator/4/duel/draw/<release>` | the seed of the player's own draws by a release |
| duel | `adjudicator/4/duel/orders/<digest>` | the tag of the player's sealed orders |
| duel | `adjudicator/4/duel/orders/key/<tag>` | the key under which they are sealed |
| duel | `adjudicator/4/duel/block/<digest>` | the one-time key of a block to the other |
| duel | `adjudicator/4/duel/door/<digest>` | the private half of a door |
| duel | `adjudicator/4/duel/box/<digest>` | the one-time key of a box for the other's door |

Each is HKDF-SHA256 (RFC 5869): no salt, the secret as key, the label as info, 32 bytes.
`docs/formats/secrets.md` specifies it.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from orders.sealing import SealingKey

SIZE = 32
_INNER, _OUTER = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))


# HKDF-SHA256 (RFC 5869), for outputs of one block: 32 bytes, of which a shorter one is the
# beginning.


def extract(salt: bytes, key: bytes) -> bytes:
    """RFC 5869 section 2.2: 32 bytes. An empty salt means 32 zero bytes."""
    return hmac.digest(salt, key, "sha256")


def expand(extracted: bytes, info: bytes) -> bytes:
    """RFC 5869 section 2.3 for one block: 32 bytes; `extracted` has 32 bytes."""
    inner, outer = (half.copy() for half in _halves(extracted))
    inner.update(info + b"\x01")
    outer.update(inner.digest())
    digest: bytes = outer.digest()
    return digest


# Many keys come from one secret, and taking in its pads is half of an HMAC (RFC 2104).
@lru_cache(maxsize=64)
def _halves(key: bytes) -> tuple[Any, Any]:
    """SHA-256 that has taken in the inner and the outer pad of HMAC with that key of at most 64
    bytes."""
    block = key.ljust(64, b"\0")
    return hashlib.sha256(block.translate(_INNER)), hashlib.sha256(block.translate(_OUTER))


# Secrets.


def draw_secret() -> bytes:
    """32 fresh random bytes."""
    from orders import crypto

    return crypto.fresh()


def commitment(hex64: str) -> str:
    """The SHA-256 of 64 lower-case hex digits as text (`printf %s HEX | sha256sum`)."""
    return hashlib.sha256(hex64.encode("ascii")).hexdigest()


def derive(secret: bytes, label: str) -> bytes:
    """32 bytes of HKDF-SHA256(salt none, key `secret`, info `label`)."""
    return expand(extract(b"", secret), label.encode("ascii"))


@dataclass(frozen=True, slots=True)
class _Secret:
    """32 bytes and what HKDF extracts from them, kept because every value needs it."""

    secret: bytes = field(repr=False)
    _extracted: bytes = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if len(self.secret) != SIZE:
            raise ValueError(f"a secret has {SIZE} bytes, not {len(self.secret)}")
        object.__setattr__(self, "_extracted", extract(b"", self.secret))

    @property
    def hex(self) -> str:
        """64 lower-case hex digits."""
        return self.secret.hex()

    @property
    def commitment(self) -> str:
        """As in an invite, an offer or an accept: `commitment(self.hex)`."""
        return commitment(self.hex)

    def _value(self, name: str) -> bytes:
        return expand(self._extracted, f"adjudicator/4/{name}".encode("ascii"))

    def _key(self, name: str) -> SealingKey:
        # Imported here, because most commands make no keys and start faster without it.
        from orders.sealing import SealingKey

        return SealingKey(self._value(name))


class Master(_Secret):
    """The one secret that a host draws for a game; published by the reveal."""

    __slots__ = ()

    def sealing(self) -> SealingKey:
        """The host's key for orders and reports; its public half is in the invite."""
        return self._key("master/sealing")

    def state_salt(self, step: int) -> str:
        """64 hex digits: the salt of the state that entry `step` names."""
        return self._value(f"master/salt/state/{step}").hex()

    def report_salt(self, step: int, player: str) -> str:
        """64 hex digits: the salt of that player's report of entry `step`."""
        return self._value(f"master/salt/report/{step}/{player}").hex()

    def seed(self, nonces: Sequence[str | None], game: str) -> bytes:
        """The 32-byte seed of all draws of the game whose id is `game` (64 hex digits).

        `nonces` are every player's, 64 hex digits each, in the order of genesis; None, for a player
        who gave none, counts as 32 zero bytes. HKDF-SHA256 with the id's 32 bytes as salt, the
        host's 32-byte share and then each nonce's 32 bytes as key, and `adjudicator/4/seed` as
        info.
        """
        parts = [self._value("master/share")]
        parts += [bytes(SIZE) if nonce is None else _unhex(nonce) for nonce in nonces]
        return expand(extract(_unhex(game), b"".join(parts)), b"adjudicator/4/seed")


class SeatSecret(_Secret):
    """The one secret that a player draws for a seat in a game."""

    __slots__ = ()

    @property
    def nonce(self) -> str:
        """64 hex digits: this player's share of the seed, secret until the first slip."""
        return self._value("seat/nonce").hex()

    @property
    def nonce_commitment(self) -> str:
        """As in the join: `commitment(self.nonce)`."""
        return commitment(self.nonce)

    def sealing(self) -> SealingKey:
        """The player's key for orders and reports; its public half is in the join."""
        return self._key("seat/sealing")

    def letters(self) -> SealingKey:
        """The key to which letters, receipts and notes for this player are sealed; never
        published."""
        return self._key("seat/letters")

    def salt(self, step: int, revision: int) -> str:
        """64 hex digits: the salt of the order file of that step and revision."""
        return self._value(f"seat/salt/{step}/{revision}").hex()


class DuelSecret(_Secret):
    """The one secret that a player draws for a duel; their opening publishes it."""

    __slots__ = ()

    def sealing(self) -> SealingKey:
        """The key to which moves for this player are sealed."""
        return self._key("duel/sealing")

    def release(self, step: int) -> str:
        """64 hex digits that this player tells so that the other can draw in that step."""
        return self._value(f"duel/release/{step}").hex()

    def draws(self, release: str) -> bytes:
        """The seed of this player's own draws in the step for which the other released that."""
        return self._value(f"duel/draw/{release}")

    def tag(self, content: str) -> bytes:
        """32 bytes that fix orders with that digest and tell nothing of them."""
        return self._value(f"duel/orders/{content}")

    def key(self, tag: bytes) -> bytes:
        """The key of the orders with that tag."""
        return self._value(f"duel/orders/key/{tag.hex()}")

    def ephemeral(self, content: str) -> bytes:
        """The one-time key of the block whose content has that digest."""
        return self._value(f"duel/block/{content}")

    def door(self, content: str) -> bytes:
        """The private half of the door that is made for what has that digest."""
        return self._value(f"duel/door/{content}")

    def box(self, content: str) -> bytes:
        """The one-time key of the box that is made for what has that digest."""
        return self._value(f"duel/box/{content}")


class LettersSecret(_Secret):
    """The host's other secret of a game: the seed of its `letters` key. It is never published."""

    __slots__ = ()

    @property
    def mail(self) -> bytes:
        """32 bytes: the key of the Message-IDs of the host's mails, so that nobody else can predict
        them."""
        return self._value("letters/mail")


class RefereeSecret(_Secret):
    """The one secret of a referee's, from which those of its games come: so each machine of the
    referee's can serve a game that another one has offered."""

    __slots__ = ()

    def master(self, name: str) -> bytes:
        """The master of the game of that name."""
        return self._value(f"referee/master/{name}")

    def letters(self, name: str) -> bytes:
        """The seed of its `letters` key."""
        return self._value(f"referee/letters/{name}")

    def calendar(self, whose: str) -> bytes:
        """What names the calendar of a player, by the digest of their mail address; or with
        `results` the club's feed."""
        return self._value(f"referee/calendar/{whose}")


def _unhex(text: str) -> bytes:
    data = bytes.fromhex(text)
    if data.hex() != text or len(data) != SIZE:
        raise ValueError(f"{text!a:.80}: expected 64 lower-case hex digits")
    return data
