"""Offer, accept, move and end: what two people sign who play without a host.

What belongs here: which keys each document has, in which order, and what each may hold
(`docs/formats/duels.md`); how orders are sealed to their own author, and moves to the other player.
What it must not know: the rules of any game, who is awaited, whether a signature holds.
"""

import binascii
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Annotated, NamedTuple, TypeAlias

from orders import bundle, crypto, names, sealing
from orders.bundle import Bundle
from orders.documents import Options, Rules
from orders.errors import Refused
from orders.fields import (
    NOTHING,
    Digest,
    Field,
    Name,
    Text,
    Time,
    Truth,
    are_texts,
    between,
    decoded,
    digest,
    field,
    read,
    read_exact,
    rendered,
)
from orders.secrets import DuelSecret
from orders.toml import Lines, Value

MOST_MOVES = 10**6
MOST_FACTS = 400
LONGEST_FACT = 2_000
MOST_ORDERS = 40

MOST_SEALED = 4_096
"""Characters of sealed orders; each game pads them to a length of its own."""

MOVE_SIZE, MOVE_STEP = 1_984, 704
"""Padded length of what goes to the other player. The first keeps a block below 3 KB; what does not
fit takes so many bytes more, as often as needed: once keeps a link with the block below 4,000
characters, which chats take."""

LARGEST_MOVE = 65_536
_NONCE = bytes(12)


def _lines(expected: str, fits: Callable[[Value], bool]) -> Field:
    """A list of texts that fit, one a line."""
    return field(expected, lambda value: are_texts(value) and fits(value)).then(tuple).put(Lines)


_FACTS = _lines(
    f"at most {MOST_FACTS} facts of at most {LONGEST_FACT} characters",
    lambda value: len(value) <= MOST_FACTS and max(map(len, value), default=0) <= LONGEST_FACT,
)
_ORDERS = _lines(
    f"at most {MOST_ORDERS} orders, each the base64 of its bytes",
    lambda value: len(value) <= MOST_ORDERS and all(map(_is_sealed, value)),
)


def _is_sealed(value: Value) -> bool:
    return isinstance(value, str) and 0 < len(value) <= MOST_SEALED and decoded(value) is not None


Sealed: TypeAlias = Annotated[str, field("sealed orders in base64", _is_sealed)]
"""Sealed orders."""


class Offer(NamedTuple):
    """What one player offers to another. `key` is an OpenSSH public key's line; `options` as the
    game reads them; `table` the digest of the house table, where the game has one.

    `sealing` is the X25519 public key for moves; `secret` and `nonce` are the commitments to the
    player's secret and to what they release for the setup; `orders` are their sealed orders of it.
    """

    player: Name
    key: Text
    rules: Rules
    time: Time
    sealing: Digest
    secret: Digest
    nonce: Digest
    orders: Sealed
    table: Digest | None = None
    options: Options = NOTHING

    def render(self) -> bytes:
        """The document's bytes."""
        return rendered("duel-offer", self)


class Accept(NamedTuple):
    """The other player's answer to an offer (its digest), as in the offer; but `nonce` is told, not
    committed to, and there is no time."""

    offer: Digest
    player: Name
    key: Text
    sealing: Digest
    secret: Digest
    nonce: Digest
    orders: Sealed

    def render(self) -> bytes:
        """The document's bytes."""
        return rendered("duel-accept", self)


class Move(NamedTuple):
    """What one player tells the other, in turn. `last` is the digest of the document before it: the
    accept, or a move. `nonce` is in the first move alone, which the offer's author makes.

    `facts` are what the rules ask, in order; `orders` the sealed orders of the steps that it
    begins. All of it follows from its author's secret, their orders, and what came before.
    """

    last: Digest
    number: Annotated[int, between(1, MOST_MOVES)]
    nonce: Digest | None
    facts: Annotated[tuple[str, ...], _FACTS]
    orders: Annotated[tuple[str, ...], _ORDERS]

    def render(self) -> bytes:
        """The document's bytes."""
        return rendered("duel-move", self)


class End(NamedTuple):
    """By what a player leaves a duel, for whatever reason: it opens their secret.

    `accept` is the digest of the duel's accept; `last` that of the last move that the player has,
    of whomever, and `number` its number (0: the accept). `gives_up`: whether they give it up.
    """

    player: Name
    accept: Digest
    number: Annotated[int, between(0, MOST_MOVES)]
    last: Digest
    gives_up: Truth
    secret: Digest

    def render(self) -> bytes:
        """The document's bytes."""
        return rendered("duel-end", self)


class Request(NamedTuple):
    """A question of one program to the other, which nobody signs: the last move that I have is
    `last`, of that number (0: the accept); what comes after it?"""

    number: Annotated[int, between(0, MOST_MOVES)]
    last: Digest

    def render(self) -> bytes:
        """The document's bytes."""
        return rendered("duel-request", self)


read_offer = partial(read_exact, "duel-offer", partial(read, Offer), 16_384)
read_accept = partial(read_exact, "duel-accept", partial(read, Accept), 4_096)
read_move = partial(read_exact, "duel-move", partial(read, Move), LARGEST_MOVE)
read_end = partial(read_exact, "duel-end", partial(read, End), 2_048)
read_request = partial(read_exact, "duel-request", partial(read, Request), 2_048)
"""Each gives the document in a file, or a block, of at most so many bytes; raises Refused
`malformed` or `too-big`."""


# Orders, sealed to their own author.


def seal_orders(secret: DuelSecret, step: int, content: bytes, padded: int) -> str:
    """The orders of a step as they are in a move, in base64; raises Refused `too-big`.

    Tag and key come from the secret, the step and the content: so the tag fixes the orders and
    tells nothing, other orders for one step have another key, and the secret alone opens them.
    `padded` is the game's length, in bytes.
    """
    tag = secret.tag(digest(f"{step}\n".encode("ascii") + content))
    sealed = crypto.chacha_seal(secret.key(tag), _NONCE, sealing.pad(content, padded))
    return binascii.b2a_base64(tag + sealed, newline=False).decode("ascii")


def open_orders(secret: DuelSecret, step: int, sealed: str, padded: int) -> bytes:
    """The inverse of `seal_orders`; raises Refused `unopenable`."""
    data = binascii.a2b_base64(sealed)
    content = sealing.unpad(crypto.chacha_open(secret.key(data[:32]), _NONCE, data[32:]))
    if len(content) > sealing.room(padded) or seal_orders(secret, step, content, padded) != sealed:
        raise Refused("unopenable", "the sealed orders are not of this step")
    return content


# Blocks.


def open_block(files: Mapping[str, bytes]) -> bytes:
    """The block of files that everybody may read: an offer, or an accept."""
    return bundle.encode(Bundle("duel", tuple(sorted(files.items()))))


def sealed_block(
    secret: DuelSecret, to: bytes, offer: Digest, number: int, files: Mapping[str, bytes]
) -> bytes:
    """The block of files for the other player alone: always the same bytes for the same files.

    `to` is their public key, `number` that of the last move in the files.
    """
    payload = Bundle("duel", tuple(sorted(files.items()))).payload
    more = -(-max(0, len(payload) - sealing.room(MOVE_SIZE)) // MOVE_STEP)
    padded = sealing.pad(payload, MOVE_SIZE + more * MOVE_STEP)
    key = secret.ephemeral(digest(padded))
    sealing.check_public(to)
    sealed = sealing.hpke_seal(key, to, _info(offer, number), padded)
    return open_block({f"{offer[:16]}/{number:04d}.sealed": sealed})


class DuelBlock(NamedTuple):
    """What a block holds: open files; or a sealed one, of the move with that number in the duel
    whose offer's digest begins so. Sealed files may hold a request too."""

    files: Mapping[str, bytes]
    duel: str = ""
    number: int = 0
    sealed: bytes = b""

    @property
    def about(self) -> str:
        """How the digest of the offer begins to whose duel this belongs; raises Refused."""
        if self.duel:
            return self.duel
        if names.OFFER in self.files:
            return digest(self.files[names.OFFER])[:16]
        if names.ACCEPT in self.files:
            return read_accept(self.files[names.ACCEPT]).offer[:16]
        raise Refused("bad-bundle", "the block holds no offer, no accept and nothing sealed")


_SEALED = re.compile(r"([0-9a-f]{16})/([0-9]{4,7})\.sealed", re.ASCII)


def read_block(data: bytes) -> DuelBlock:
    """What an armored block holds; raises Refused `bad-bundle`, or what `decode` raises."""
    return of_bundle(bundle.decode(data))


def of_bundle(came: Bundle) -> DuelBlock:
    """What a bundle of the kind `duel` holds; raises Refused `bad-bundle`."""
    if came.kind != "duel":
        raise Refused("bad-bundle", f"the block holds {bundle.KINDS[came.kind]}, nothing of a duel")
    path, content = came.files[0]
    found = _SEALED.fullmatch(path)
    if found is not None and len(came.files) == 1:
        return DuelBlock({}, found[1], int(found[2]), content)
    return DuelBlock(_ours(came.files, names.is_duels))


def unseal(secret: DuelSecret, offer: Digest, came: DuelBlock) -> Mapping[str, bytes]:
    """The files in a sealed block for the player with that secret, a request among them; raises
    Refused."""
    if came.duel != offer[:16]:
        raise Refused("other-game", f"the block is of the duel {came.duel}, this is {offer[:16]}")
    padded = sealing.hpke_open(secret.sealing().seed, _info(offer, came.number), came.sealed)
    held = bundle.unpack(sealing.unpad(padded)).files
    return _ours(held, lambda path: path == names.REQUEST or names.is_duels(path))


def _ours(files: Sequence[tuple[str, bytes]], fits: Callable[[str], bool]) -> Mapping[str, bytes]:
    odd = next((path for path, _ in files if not fits(path)), None)
    if odd is not None:
        raise Refused("bad-bundle", f"the block holds {odd!a:.80}, which is no file of a duel")
    return dict(files)


def _info(offer: Digest, number: int) -> bytes:
    return f"{sealing.VERSION}\nduel\n{offer}\n{number}\n".encode("ascii")
