"""Letters, which a player signs apart from orders: press, notices of absence and addresses; strict,
one rendering.

What belongs here: the letter document, and the text whose digest it signs, which says what the
letter is (`docs/formats/letters.md`). What it must not know: who may write to whom, how letters
travel.
"""

import re
from typing import Annotated, NamedTuple, TypeAlias

from orders.documents import LAST_STEP
from orders.errors import Refused
from orders.fields import (
    HOST,
    NAME,
    Digest,
    Reader,
    Time,
    between,
    check_name,
    is_address,
    is_time,
    read,
    read_exact,
    rendered,
)
from orders.fields import (
    text as words,
)

LAST_NUMBER = 9_999
"""The greatest number of a letter."""

FIRST_DRAWN = 1_001
"""The least number of a letter that carries a message."""

LONGEST = 1_800
"""UTF-8 bytes of the longest message."""

_SAID = re.compile(
    r'salt = "(?P<salt>[0-9a-f]{64})"\n(?:'
    rf"(?P<anonymous>anonymous )?message to (?P<to>{NAME}):\n(?P<text>.+)|"
    r"away from (?P<start>\S+) until (?P<end>\S+)\n|"
    r"address (?:(?P<shown>shown|hidden)|(?P<address>\S+))\n)",
    re.DOTALL,
)


def _writer(name: str) -> str:
    return name if name == HOST else check_name(name)


class Letter(NamedTuple):
    """One letter of a player, or of `host`; `number` differs for each letter of its writer.

    `text` is the digest of what it says (`Said`), and in a player's letter `sealed` that of the
    same sealed to the host. A letter of the host holds `entry` and `head` instead: number and
    digest of the host's last entry.
    """

    game: Digest
    player: Annotated[str, words(2_000).then(_writer)]
    number: Annotated[int, between(1, LAST_NUMBER)]
    text: Digest
    sealed: Digest | None = None
    entry: Annotated[int, between(0, LAST_STEP)] | None = None
    head: Digest | None = None

    @property
    def is_notice(self) -> bool:
        """Whether it is no message: all others count from 1, and a message's number is drawn."""
        return self.number < FIRST_DRAWN

    def render(self) -> bytes:
        """The document's bytes."""
        return rendered("letter", self)

    @staticmethod
    def build(reader: Reader) -> "Letter":
        """From the values of a parsed letter."""
        host = reader.left.get("player") == HOST
        reader.need(*Letter._fields[:4], *(("entry", "head") if host else ("sealed",)))
        absent = ("sealed",) if host else ("entry", "head")
        return read(Letter, reader, **dict.fromkeys(absent))


def read_letter(data: bytes) -> Letter:
    """The letter in a file, at most 2,048 bytes; raises Refused `malformed` or `too-big`."""
    return read_exact("letter", data, 2_048, Letter.build)


class Press(NamedTuple):
    """A message: to a player, to `all` or to `host`. `anonymous`: its writer is not to be named."""

    to: str
    text: str
    anonymous: bool = False

    def __str__(self) -> str:
        return f"{'anonymous ' * self.anonymous}message to {self.to}:\n{self.text}"


class Absence(NamedTuple):
    """When a player is away."""

    start: Time
    end: Time

    def __str__(self) -> str:
        return f"away from {self.start} until {self.end}\n"


class Address(NamedTuple):
    """The writer's new mail address."""

    address: str

    def __str__(self) -> str:
        return f"address {self.address}\n"


class Shown(NamedTuple):
    """Whether players who say the same may learn the writer's mail address."""

    shown: bool

    def __str__(self) -> str:
        return f"address {'shown' if self.shown else 'hidden'}\n"


What: TypeAlias = Press | Absence | Address | Shown


class Said(NamedTuple):
    """What a letter says: its sealed text. The first line behind the salt says what it is."""

    salt: str
    what: What

    def render(self) -> bytes:
        """The text's bytes; raises Refused for what cannot be sent."""
        _check(self.what)
        return f'salt = "{self.salt}"\n{self.what}'.encode()


def read_said(data: bytes) -> Said:
    """What a letter says; raises Refused `malformed`."""
    try:
        found = _SAID.fullmatch(data.decode("utf-8"))
    except UnicodeDecodeError:
        found = None
    if found is None:
        raise Refused(
            "malformed",
            "a letter's text: expected its salt, and a message, an absence or an address",
        )
    what: What
    if found["to"] is not None:
        what = Press(found["to"], found["text"], found["anonymous"] is not None)
    elif found["start"] is not None:
        what = Absence(found["start"], found["end"])
    elif found["shown"] is not None:
        what = Shown(found["shown"] == "shown")
    else:
        what = Address(found["address"])
    _check(what)
    return Said(found["salt"], what)


def _check(what: What) -> None:
    """Refuse what no letter says."""
    if isinstance(what, Press):
        _check_text(what.text)
    elif isinstance(what, Absence):
        if not (is_time(what.start) and is_time(what.end) and what.start < what.end):
            raise Refused("malformed", f"{str(what).strip()!a}: expected a time and a later one")
    elif isinstance(what, Address) and not is_address(what.address):
        raise Refused("malformed", f"{what.address[:80]!a} is no plain mail address")


def _check_text(text: str) -> None:
    """Refuse a text that is blank, too long, or displays differently from what it says. Only LF
    ends lines."""
    size = len(text.encode("utf-8", "surrogatepass")) if text.strip() else 0
    if not 1 <= size <= LONGEST:
        raise Refused("malformed", f"a message has 1 to {LONGEST} bytes, this has {size}")
    odd = next((c for c in text if not c.isprintable() and c != "\n"), None)
    if odd is not None:
        raise Refused("malformed", f"press: character {odd!a} in the text", "remove it")
