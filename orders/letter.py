"""Letters, which a player signs apart from orders: press and notices of absence; strict, one
rendering.

What belongs here: the letter document, and the press file whose digest it signs
(`docs/formats/letters.md`). What it must not know: who may write to whom, how letters travel.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from orders.documents import LAST_STEP, PRIVATE_BYTES, rendered
from orders.errors import Refused
from orders.fields import HOST, NAME, Digest, Reader, Time, close, read_exact
from orders.toml import Inline

LAST_NUMBER = 9_999
"""The greatest number of a letter."""

LONGEST = 1_800
"""UTF-8 bytes of the longest message."""

_PRESS = re.compile(
    r'salt = "(?P<salt>[0-9a-f]{64})"\n(?P<anonymous>anonymous )?'
    rf"message to (?P<to>{NAME}):\n(?P<text>.+)",
    re.DOTALL,
)
_OF_PLAYER = ("text", "absence", "address", "shown")
_OF_HOST = ("text", "mail")


class Absence(NamedTuple):
    """When a player is away."""

    start: Time
    end: Time


class Letter(NamedTuple):
    """One letter of a player, or of `host`; `number` counts the writer's letters from 1 on.

    A player's letter holds one thing: press (`text`, the digest of the press file, and `sealed`,
    that of its form sealed to the host), an `absence`, an `address` (a new mail address, sealed to
    the host's `letters`, in base64) or `shown` (whether players who say the same may learn the
    address). A letter of the host holds `text` or `mail` (the host's new mail address), and always
    `entry` and `head`: number and digest of the host's last entry.
    """

    game: Digest
    player: str
    number: int
    text: Digest | None = None
    sealed: Digest | None = None
    absence: Absence | None = None
    address: str | None = None
    shown: bool | None = None
    mail: str | None = None
    entry: int | None = None
    head: Digest | None = None

    def render(self) -> bytes:
        """The document's bytes."""
        absence = self.absence and Inline({"from": self.absence.start, "until": self.absence.end})
        return rendered("letter", self, absence=absence)

    @staticmethod
    def build(reader: Reader) -> Letter:
        """From the values of a parsed letter."""
        host = reader.left.get("player") == HOST
        kinds = _OF_HOST if host else _OF_PLAYER
        held = [key for key in kinds if key in reader.left]
        if len(held) != 1:
            raise Refused("malformed", f"letter: expected one of {', '.join(kinds)}, and one alone")
        one = held[0]
        game = reader.hex("game")
        player = reader.one_of("player", (HOST,)) if host else reader.name("player")
        head = (game, player, reader.number("number", 1, LAST_NUMBER))
        text = reader.hex_or_none("text")
        if host:
            mail = reader.address("mail") if one == "mail" else None
            entry, last = reader.number("entry", 0, LAST_STEP), reader.hex("head")
            return Letter(*head, text, mail=mail, entry=entry, head=last)
        return Letter(
            *head,
            text,
            sealed=reader.hex("sealed") if one == "text" else None,
            absence=_read_absence(reader) if one == "absence" else None,
            address=reader.base64("address", PRIVATE_BYTES) if one == "address" else None,
            shown=reader.truth("shown") if one == "shown" else None,
        )


def _read_absence(reader: Reader) -> Absence:
    inner = Reader("letter: absence", reader.table("absence", missing=False))
    absence = close(inner, Absence(inner.time("from"), inner.time("until")))
    if absence.end <= absence.start:
        raise Refused("malformed", f"letter: absence until {absence.end}: expected a later time")
    return absence


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
        found = _PRESS.fullmatch(data.decode("utf-8"))
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
    size = len(text.encode()) if text.strip() else 0
    if not 1 <= size <= LONGEST:
        raise Refused("malformed", f"a message has 1 to {LONGEST} bytes, this has {size}")
    odd = next((c for c in text if not c.isprintable() and c != "\n"), None)
    if odd is not None:
        raise Refused("malformed", f"press: character {odd!a} in the text", "remove it")
