"""Invite, join, slip and receipt: TOML bytes to frozen values and back, strict.

What belongs here: which keys a document has, in which order, and what each may hold
(`docs/formats/documents.md`). A document read and rendered again gives the same bytes; the same
values in another layout are malformed.
What it must not know: whether a signature holds, what the record says, the rules of any game.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from orders import canonical, toml
from orders.errors import PROTESTS, STATUSES, Refused
from orders.fields import Digest, Reader, Time, is_address, read_exact
from orders.toml import Value

LAST_STEP = 10**7 - 1
LAST_REVISION = 99

PRIVATE_BYTES = 560
"""The length in bytes of a sealed `Private`, and of a sealed mail address.

It is `sealing.sealed_letter_size(sealing.PRIVATE_SIZE)`, written out: `sealing` needs the
cryptographic library, and reading a document does not.
"""

_RULES = re.compile(r"[a-z][a-z0-9-]{0,31}/[1-9][0-9]{0,5}", re.ASCII)
_TOKEN = re.compile(r"[0-9a-f]{32}", re.ASCII)


def rendered(kind: str, document: Any, **other: Value) -> bytes:
    """The bytes of a document of that kind: its fields in their order, without those that are None.

    `other`: fields that are written in another form.
    """
    values = {name: getattr(document, name) for name in document._fields}
    return toml.render({"kind": f"{kind}/3", **_given({**values, **other})})


def _given(values: Mapping[str, Value]) -> dict[str, Value]:
    return {key: value for key, value in values.items() if value is not None}


class Invite(NamedTuple):
    """What a host offers. `name` is what all call this game; `host` an OpenSSH public key's line;
    `options` as the game reads them.

    `sealing` and `letters` are X25519 public keys, `master` the commitment to the master secret,
    `table` the digest of the house table where the game has one, `mail` the host's mail address.
    `reserved`: a join is taken only with a token that the host gave out.
    """

    name: str
    rules: str
    date: Time
    host: str
    sealing: str
    letters: str
    master: Digest
    table: Digest | None = None
    mail: str | None = None
    reserved: bool = False
    options: Mapping[str, Value] = MappingProxyType({})

    def render(self) -> bytes:
        """The document's bytes."""
        reserved = self.reserved or None
        return rendered("invite", self, reserved=reserved, options=dict(self.options))

    @staticmethod
    def build(reader: Reader) -> Invite:
        """From the values of a parsed invite."""
        invite = Invite(
            reader.name("name"),
            reader.take("rules", _is_rules, "a rules version"),
            reader.time("date"),
            reader.text("host"),
            reader.hex("sealing"),
            reader.hex("letters"),
            reader.hex("master"),
            reader.hex_or_none("table"),
            reader.address("mail") if "mail" in reader.left else None,
            reader.flag("reserved"),
            reader.table("options", missing=False),
        )
        for key, value in invite.options.items():
            if type(value) not in (str, int, bool):
                raise reader.fail(f"options.{key}", value, "a text, a number, true or false")
        return invite


def _is_rules(value: Value) -> bool:
    return isinstance(value, str) and _RULES.fullmatch(value) is not None


class Join(NamedTuple):
    """A player's answer to an invite (its digest). `nonce` is a commitment.

    `sealing` and `letters` are X25519 public keys. `mail`: "open" where the readable part of mails
    may hold this player's view, else None. `private`: a `Private`, sealed to the invite's
    `letters`, in base64, or None.
    """

    invite: Digest
    player: str
    key: str
    sealing: str
    letters: str
    nonce: Digest
    mail: str | None = None
    private: str | None = None

    def render(self) -> bytes:
        """The document's bytes."""
        return rendered("join", self)

    @staticmethod
    def build(reader: Reader) -> Join:
        """From the values of a parsed join."""
        return Join(
            reader.hex("invite"),
            reader.name("player"),
            reader.text("key"),
            reader.hex("sealing"),
            reader.hex("letters"),
            reader.hex("nonce"),
            reader.one_of("mail", ("open",)) if "mail" in reader.left else None,
            reader.base64("private", PRIVATE_BYTES) if "private" in reader.left else None,
        )


class Private(NamedTuple):
    """What a join tells the host alone: a mail address, the token of the invitation, or both."""

    address: str | None = None
    token: str | None = None

    def render(self) -> bytes:
        """The bytes that are sealed; raises Refused `malformed` for values that are not allowed."""
        if self.address is None and self.token is None:
            raise Refused("malformed", "private part of a join: expected address, token or both")
        if self.address is not None and not is_address(self.address):
            raise Refused("malformed", f"{self.address[:80]!a} is no plain mail address")
        if self.token is not None and _TOKEN.fullmatch(self.token) is None:
            raise Refused(
                "malformed",
                f"token {self.token[:80]!a}: expected 32 lower-case hex digits",
                "copy the token from the invitation",
            )
        return canonical.dumps(_given({"address": self.address, "token": self.token}))

    @staticmethod
    def read(data: bytes) -> Private:
        """The inverse of `render`; raises Refused `malformed`."""
        values = canonical.loads(data)
        if not isinstance(values, dict):
            raise Refused("malformed", "private part of a join: expected an object")
        reader = Reader("private part of a join", values)
        private = Private(
            *(reader.text(key) if key in reader.left else None for key in ("address", "token"))
        )
        reader.end()
        private.render()
        return private


class Slip(NamedTuple):
    """What a player signs for a step: digests of the order file and of its sealed form.

    `time` is the author's, in whole minutes. `head` is the digest of entry `step` - 1. `nonce` is
    there until the game has had an adjudication.
    """

    game: Digest
    step: int
    player: str
    revision: int
    time: Time
    head: Digest
    order: Digest
    sealed: Digest
    nonce: str | None = None
    protest: str | None = None

    def render(self) -> bytes:
        """The document's bytes."""
        return rendered("slip", self)

    @staticmethod
    def build(reader: Reader) -> Slip:
        """From the values of a parsed slip."""
        return Slip(
            reader.hex("game"),
            reader.number("step", 1, LAST_STEP),
            reader.name("player"),
            reader.number("revision", 1, LAST_REVISION),
            reader.minute("time"),
            reader.hex("head"),
            reader.hex("order"),
            reader.hex("sealed"),
            reader.hex_or_none("nonce"),
            reader.one_of("protest", PROTESTS) if "protest" in reader.left else None,
        )


class Receipt(NamedTuple):
    """The host's signed answer to a slip: `accepted`, or why not.

    `entry` and `head` are number and digest of the host's last entry when it answered.
    """

    game: Digest
    step: int
    player: str
    revision: int
    slip: Digest
    time: Time
    entry: int
    head: Digest
    status: str

    def render(self) -> bytes:
        """The document's bytes."""
        return rendered("receipt", self)

    @staticmethod
    def build(reader: Reader) -> Receipt:
        """From the values of a parsed receipt."""
        return Receipt(
            reader.hex("game"),
            reader.number("step", 1, LAST_STEP),
            reader.name("player"),
            reader.number("revision", 1, LAST_REVISION),
            reader.hex("slip"),
            reader.time("time"),
            reader.number("entry", 0, LAST_STEP),
            reader.hex("head"),
            reader.one_of("status", STATUSES),
        )


def read_invite(data: bytes) -> Invite:
    """The invite in a file, at most 16,384 bytes; raises Refused `malformed` or `too-big`."""
    return read_exact("invite", data, 16_384, Invite.build)


def read_join(data: bytes) -> Join:
    """The join in a file, at most 4,096 bytes; raises Refused `malformed` or `too-big`."""
    return read_exact("join", data, 4_096, Join.build)


def read_slip(data: bytes) -> Slip:
    """The slip in a file, at most 4,096 bytes; raises Refused `malformed` or `too-big`."""
    return read_exact("slip", data, 4_096, Slip.build)


def read_receipt(data: bytes) -> Receipt:
    """The receipt in a file, at most 2,048 bytes; raises Refused `malformed` or `too-big`."""
    return read_exact("receipt", data, 2_048, Receipt.build)
