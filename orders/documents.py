"""Invite, join, consent, slip and receipt: TOML bytes to frozen values and back, strict.

What belongs here: which keys a document has, in which order, and what each may hold
(`docs/formats/documents.md`). A document read and rendered again gives the same bytes; the same
values in another layout are malformed.
What it must not know: whether a signature holds, what the record says, the rules of any game.
"""

import re
from collections.abc import Mapping
from functools import partial
from typing import Annotated, NamedTuple, TypeAlias

from orders import canonical
from orders.errors import PROTESTS, STATUSES, Refused
from orders.fields import (
    NOTHING,
    Address,
    Digest,
    Field,
    Flag,
    Minute,
    Name,
    Reader,
    Text,
    Time,
    base64,
    between,
    close,
    field,
    is_address,
    one_of,
    read,
    read_exact,
    rendered,
    written,
)
from orders.toml import Value

LAST_STEP = 10**7 - 1
LAST_REVISION = 99

PRIVATE_BYTES = 560
"""The length in bytes of a sealed `Private`.

It is `sealing.sealed_letter_size(sealing.PRIVATE_SIZE)`, written out: `sealing` needs the
cryptographic library, and reading a document does not.
"""

_RULES = re.compile(r"[a-z][a-z0-9-]{0,31}/[1-9][0-9]{0,5}", re.ASCII)
_TOKEN = re.compile(r"[0-9a-f]{32}", re.ASCII)

STEP = between(1, LAST_STEP)
Step: TypeAlias = Annotated[int, STEP]
Revision: TypeAlias = Annotated[int, between(1, LAST_REVISION)]


def _read_options(reader: Reader, key: str) -> dict[str, Value]:
    options = reader.table(key)
    for name, value in options.items():
        if type(value) not in (str, int, bool):
            raise reader.fail(f"{key}.{name}", value, "a text, a number, true or false")
    return options


Rules: TypeAlias = Annotated[
    str,
    field(
        "a rules version",
        lambda value: isinstance(value, str) and _RULES.fullmatch(value) is not None,
    ),
]
Options: TypeAlias = Annotated[Mapping[str, Value], Field(_read_options).put(dict)]


class Invite(NamedTuple):
    """What a host offers. `name` is what all call this game; `host` an OpenSSH public key's line;
    `options` as the game reads them.

    `sealing` and `letters` are X25519 public keys, `master` the commitment to the master secret,
    `table` the digest of the house table where the game has one, `mail` the host's mail address.
    `reserved`: a join is taken only with a token that the host gave out.
    """

    name: Name
    rules: Rules
    date: Time
    host: Text
    sealing: Digest
    letters: Digest
    master: Digest
    table: Digest | None = None
    mail: Address | None = None
    reserved: Flag = False
    options: Options = NOTHING

    def render(self) -> bytes:
        """The document's bytes."""
        return rendered("invite", self)


class Join(NamedTuple):
    """A player's answer to an invite (its digest). `nonce` is a commitment.

    `sealing` and `letters` are X25519 public keys. `mail`: "open" where the readable part of mails
    may hold this player's view, else None. `private`: a `Private`, sealed to the invite's
    `letters`, in base64, or None.
    """

    invite: Digest
    player: Name
    key: Text
    sealing: Digest
    letters: Digest
    nonce: Digest
    mail: Annotated[str, one_of(("open",))] | None = None
    private: Annotated[str, base64(PRIVATE_BYTES)] | None = None

    def render(self) -> bytes:
        """The document's bytes."""
        return rendered("join", self)


class Consent(NamedTuple):
    """A player's consent that their seat goes to a join (its digest).

    `step` and `head` are number and digest of the last entry that they had when they signed it.
    """

    game: Digest
    step: Annotated[int, between(0, LAST_STEP)]
    head: Digest
    join: Digest

    def render(self) -> bytes:
        """The document's bytes."""
        return rendered("consent", self)


class Private(NamedTuple):
    """What a join tells the host alone: a mail address, the token of the invitation, or both."""

    address: Text | None = None
    token: Text | None = None

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
        return canonical.dumps(written(self))

    @staticmethod
    def read(data: bytes) -> "Private":
        """The inverse of `render`; raises Refused `malformed`."""
        values = canonical.loads(data)
        if not isinstance(values, dict):
            raise Refused("malformed", "private part of a join: expected an object")
        reader = Reader("private part of a join", values)
        private = close(reader, read(Private, reader))
        private.render()
        return private


class Slip(NamedTuple):
    """What a player signs for a step: digests of the order file and of its sealed form.

    `time` is the author's, in whole minutes. `head` is the digest of entry `step` - 1. `nonce` is
    there until the game has had an adjudication.
    """

    game: Digest
    step: Step
    player: Name
    revision: Revision
    time: Minute
    head: Digest
    order: Digest
    sealed: Digest
    nonce: Digest | None = None
    protest: Annotated[str, one_of(PROTESTS)] | None = None

    def render(self) -> bytes:
        """The document's bytes."""
        return rendered("slip", self)


class Receipt(NamedTuple):
    """The host's signed answer to a slip: `accepted`, or why not.

    `entry` and `head` are number and digest of the host's last entry when it answered.
    """

    game: Digest
    step: Step
    player: Name
    revision: Revision
    slip: Digest
    time: Time
    entry: Annotated[int, between(0, LAST_STEP)]
    head: Digest
    status: Annotated[str, one_of(STATUSES)]

    def render(self) -> bytes:
        """The document's bytes."""
        return rendered("receipt", self)


read_invite = partial(read_exact, "invite", partial(read, Invite), 16_384)
read_join = partial(read_exact, "join", partial(read, Join), 4_096)
read_consent = partial(read_exact, "consent", partial(read, Consent), 2_048)
read_slip = partial(read_exact, "slip", partial(read, Slip), 4_096)
read_receipt = partial(read_exact, "receipt", partial(read, Receipt), 2_048)
"""Each gives the document in a file of at most so many bytes; raises Refused `malformed` or
`too-big`."""
