"""Letters, which a player signs apart from orders: press and notices of absence; strict, one
rendering.

What belongs here: the letter document, and the press file whose digest it signs
(`docs/formats/letters.md`). What it must not know: who may write to whom, how letters travel.
"""

import re
from typing import Annotated, NamedTuple

from orders.documents import LAST_STEP, PRIVATE_BYTES
from orders.errors import Refused
from orders.fields import (
    HOST,
    NAME,
    Address,
    Digest,
    Reader,
    Time,
    Truth,
    base64,
    between,
    check_name,
    inline,
    read,
    read_exact,
    rendered,
)
from orders.fields import (
    text as words,
)

LAST_NUMBER = 9_999
"""The greatest number of a letter."""

LONGEST = 1_800
"""UTF-8 bytes of the longest message."""

_PRESS = (
    r'salt = "(?P<salt>[0-9a-f]{64})"\n(?P<anonymous>anonymous )?'
    rf"message to (?P<to>{NAME}):\n(?P<text>.+)"
)
_OF_PLAYER = ("text", "absence", "address", "shown")
_OF_HOST = ("text", "mail")


class Absence(NamedTuple):
    """When a player is away."""

    start: Annotated[Time, "from"]
    end: Annotated[Time, "until"]


def _writer(name: str) -> str:
    return name if name == HOST else check_name(name)


class Letter(NamedTuple):
    """One letter of a player, or of `host`; `number` counts the writer's letters from 1 on.

    A player's letter holds one thing: press (`text`, the digest of the press file, and `sealed`,
    that of its form sealed to the host), an `absence`, an `address` (a new mail address, sealed to
    the host's `letters`, in base64) or `shown` (whether players who say the same may learn the
    address). A letter of the host holds `text` or `mail` (the host's new mail address), and always
    `entry` and `head`: number and digest of the host's last entry.
    """

    game: Digest
    player: Annotated[str, words(2_000).then(_writer)]
    number: Annotated[int, between(1, LAST_NUMBER)]
    text: Digest | None = None
    sealed: Digest | None = None
    absence: Annotated[Absence, inline(Absence)] | None = None
    address: Annotated[str, base64(PRIVATE_BYTES)] | None = None
    shown: Truth | None = None
    mail: Address | None = None
    entry: Annotated[int, between(0, LAST_STEP)] | None = None
    head: Digest | None = None

    def render(self) -> bytes:
        """The document's bytes."""
        return rendered("letter", self)

    @staticmethod
    def build(reader: Reader) -> "Letter":
        """From the values of a parsed letter."""
        host = reader.left.get("player") == HOST
        kinds = _OF_HOST if host else _OF_PLAYER
        held = [key for key in kinds if key in reader.left]
        if len(held) != 1:
            raise Refused("malformed", f"letter: expected one of {', '.join(kinds)}, and one alone")
        with_it = ("entry", "head") if host else ("sealed",) if held == ["text"] else ()
        reader.need(*Letter._fields[:3], *with_it)
        others = {*Letter._fields[3:]}.difference(held, with_it)
        letter = read(Letter, reader, **dict.fromkeys(others))
        if letter.absence is not None and letter.absence.end <= letter.absence.start:
            raise Refused(
                "malformed", f"letter: absence until {letter.absence.end}: expected a later time"
            )
        return letter


def read_letter(data: bytes) -> Letter:
    """The letter in a file, at most 2,048 bytes; raises Refused `malformed` or `too-big`."""
    return read_exact("letter", data, 2_048, Letter.build)


class Press(NamedTuple):
    """A message: to a player, to `all` or to `host`. `anonymous`: its writer is not to be named."""

    salt: str
    to: str
    text: str
    anonymous: bool = False

    def render(self) -> bytes:
        """The press file's bytes; raises Refused for a text that cannot be sent."""
        _check_text(self.text)
        word = "anonymous " if self.anonymous else ""
        return f'salt = "{self.salt}"\n{word}message to {self.to}:\n{self.text}'.encode()


def read_press(data: bytes) -> Press:
    """The message in a press file; raises Refused `malformed`."""
    try:
        found = re.fullmatch(_PRESS, data.decode("utf-8"), re.DOTALL)
    except UnicodeDecodeError:
        found = None
    if found is None:
        raise Refused("malformed", "press: expected its salt, 'message to NAME:' and a text")
    press = Press(found["salt"], found["to"], found["text"], found["anonymous"] is not None)
    _check_text(press.text)
    return press


def _check_text(text: str) -> None:
    """Refuse a text that is blank, too long, or displays differently from what it says. Only LF
    ends lines."""
    size = len(text.encode("utf-8", "surrogatepass")) if text.strip() else 0
    if not 1 <= size <= LONGEST:
        raise Refused("malformed", f"a message has 1 to {LONGEST} bytes, this has {size}")
    odd = next((c for c in text if not c.isprintable() and c != "\n"), None)
    if odd is not None:
        raise Refused("malformed", f"press: character {odd!a} in the text", "remove it")
