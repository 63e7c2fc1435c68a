"""Invite, join, slip and receipt: TOML bytes to frozen values and back, strict.

What belongs here: which keys a document has, in which order, and what each may hold
(`docs/formats/documents.md`). A document read and rendered again gives the same bytes; the same
values written otherwise are malformed.
What it must not know: whether a signature holds, what the record says, the rules of any game.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from orders import toml
from orders.fields import Digest, Reader, Time, check_name, read_exact
from orders.toml import Inline, Value

STATUSES = ("accepted", "stale", "superseded", "unopenable", "malformed", "illegal")
PROTESTS = ("report", "order", "time", "ruling")

_RULES = re.compile(r"[a-z][a-z0-9-]{0,31}/[1-9][0-9]{0,5}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Sizes:
    """Size classes: how many bytes a padded order file and a padded report have."""

    order: int
    report: int


@dataclass(frozen=True, slots=True)
class Invite:
    """What a host offers. `host` is an OpenSSH public key's line; `options` as the game reads them.

    `sealing` and `letters` are X25519 public keys, `master` the commitment to the master secret,
    `table` the digest of the house table where the game has one.
    """

    rules: str
    date: Time
    host: str
    sealing: str
    letters: str
    master: Digest
    table: Digest | None
    sizes: Sizes
    options: Mapping[str, Value]

    def render(self) -> bytes:
        """The document's bytes."""
        table = {} if self.table is None else {"table": self.table}
        sizes = Inline(order=self.sizes.order, report=self.sizes.report)
        return toml.render(
            {
                "kind": "invite/1",
                "rules": self.rules,
                "date": self.date,
                "host": self.host,
                "sealing": self.sealing,
                "letters": self.letters,
                "master": self.master,
                **table,
                "sizes": sizes,
                "options": dict(self.options),
            }
        )

    @staticmethod
    def build(reader: Reader) -> Invite:
        """From the values of a parsed invite."""
        rules = reader.take(
            "rules",
            lambda value: isinstance(value, str) and _RULES.fullmatch(value) is not None,
            "a rules version",
        )
        date, host = reader.time("date"), reader.text("host")
        sealing, letters, master = (reader.hex(key) for key in ("sealing", "letters", "master"))
        table = reader.hex_or_none("table")
        inner = Reader("invite: sizes", reader.table("sizes", missing=False))
        sizes = Sizes(
            *(
                inner.take(key, _is_size, "a power of two from 512 to 1048576")
                for key in ("order", "report")
            )
        )
        inner.end()
        options = reader.table("options")
        for key, value in options.items():
            if type(value) not in (str, int, bool):
                raise reader.fail(f"options.{key}", value, "a text, a number, true or false")
        return Invite(rules, date, host, sealing, letters, master, table, sizes, options)


def _is_size(value: Value) -> bool:
    return type(value) is int and 512 <= value <= 2**20 and value & (value - 1) == 0


@dataclass(frozen=True, slots=True)
class Join:
    """A player's answer to an invite (its digest). `nonce` is a commitment.

    `mail`: "open" where the readable part of mails may hold this player's view, else None.
    `address` is sealed to the invite's `letters`, base64, or None.
    """

    invite: Digest
    player: str
    key: str
    sealing: str
    nonce: Digest
    mail: str | None = None
    address: str | None = None

    def render(self) -> bytes:
        """The document's bytes."""
        return toml.render(
            {
                "kind": "join/1",
                "invite": self.invite,
                "player": self.player,
                "key": self.key,
                "sealing": self.sealing,
                "nonce": self.nonce,
                **_given(mail=self.mail, address=self.address),
            }
        )

    @staticmethod
    def build(reader: Reader) -> Join:
        """From the values of a parsed join."""
        return Join(
            reader.hex("invite"),
            reader.name("player"),
            reader.text("key"),
            reader.hex("sealing"),
            reader.hex("nonce"),
            reader.one_of("mail", ("open",)) if "mail" in reader.left else None,
            reader.text("address", 1_500) if "address" in reader.left else None,
        )


def _given(**values: Value) -> dict[str, Value]:
    return {key: value for key, value in values.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Slip:
    """What a player signs for a step: digests of the order file and of its sealed form.

    `head` is the digest of the last entry; `nonce` is there in step 1 only.
    """

    game: Digest
    step: int
    player: str
    revision: int
    head: Digest
    order: Digest
    sealed: Digest
    nonce: str | None = None
    protest: str | None = None

    def render(self) -> bytes:
        """The document's bytes."""
        return toml.render(
            {
                "kind": "slip/1",
                "game": self.game,
                "step": self.step,
                "player": self.player,
                "revision": self.revision,
                "head": self.head,
                "order": self.order,
                "sealed": self.sealed,
                **_given(nonce=self.nonce, protest=self.protest),
            }
        )

    @staticmethod
    def build(reader: Reader) -> Slip:
        """From the values of a parsed slip."""
        return Slip(
            reader.hex("game"),
            reader.number("step", 1, 10**7),
            reader.name("player"),
            reader.number("revision", 1, 99),
            reader.hex("head"),
            reader.hex("order"),
            reader.hex("sealed"),
            reader.hex_or_none("nonce"),
            reader.one_of("protest", PROTESTS) if "protest" in reader.left else None,
        )


@dataclass(frozen=True, slots=True)
class Receipt:
    """The host's signed answer to a slip: `accepted`, or why not."""

    game: Digest
    step: int
    player: str
    revision: int
    slip: Digest
    time: Time
    status: str

    def render(self) -> bytes:
        """The document's bytes."""
        return toml.render(
            {
                "kind": "receipt/1",
                "game": self.game,
                "step": self.step,
                "player": self.player,
                "revision": self.revision,
                "slip": self.slip,
                "time": self.time,
                "status": self.status,
            }
        )

    @staticmethod
    def build(reader: Reader) -> Receipt:
        """From the values of a parsed receipt."""
        return Receipt(
            reader.hex("game"),
            reader.number("step", 1, 10**7),
            reader.name("player"),
            reader.number("revision", 1, 99),
            reader.hex("slip"),
            reader.time("time"),
            reader.one_of("status", STATUSES),
        )


def read_invite(data: bytes) -> Invite:
    """The invite in a file, at most 16,384 bytes; raises Refused `malformed` or `too-big`."""
    return read_exact("invite", data, 16_384, Invite.build)


def read_join(data: bytes) -> Join:
    """The join in a file, at most 4,096 bytes; raises Refused `malformed` or `too-big`."""
    return read_exact("join", data, 4_096, Join.build)


_HEX = "([0-9a-f]{64})"
_SLIP = re.compile(
    f'kind = "slip/1"\ngame = "{_HEX}"\nstep = ([1-9][0-9]{{0,5}})\nplayer = "([a-z0-9-]+)"\n'
    f'revision = ([1-9][0-9]?)\nhead = "{_HEX}"\norder = "{_HEX}"\nsealed = "{_HEX}"\n'.encode(),
)
"""A slip without nonce and protest in its one rendering: as most are, so read at once."""


def read_slip(data: bytes) -> Slip:
    """The slip in a file, at most 4,096 bytes; raises Refused `malformed` or `too-big`."""
    found = _SLIP.fullmatch(data)
    if found is not None:
        game, step, player, revision, *digests = (part.decode("ascii") for part in found.groups())
        return Slip(game, int(step), check_name(player), int(revision), *digests)
    return read_exact("slip", data, 4_096, Slip.build)


def read_receipt(data: bytes) -> Receipt:
    """The receipt in a file, at most 2,048 bytes; raises Refused `malformed` or `too-big`."""
    return read_exact("receipt", data, 2_048, Receipt.build)
