"""Letters: what a player signs beside orders, press and notices of absence; strict, one rendering.

What belongs here: the letter document, and the press file whose digest it signs
(`docs/formats/letters.md`). What it must not know: who may write to whom, how letters travel.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from orders import toml
from orders.errors import Refused
from orders.fields import Digest, Reader, Time, check_name, close, read_exact
from orders.toml import Inline, Value

HOST = "host"
EVERYONE = "all"
SIZE = 2048
"""The size class of sealed press."""

LONGEST = 1_800
"""UTF-8 bytes of the longest message."""

ADDRESS = ("shown", "hidden")

_PRESS = re.compile(
    r'salt = "(?P<salt>[0-9a-f]{64})"\n(?P<anonymous>anonymous )?'
    r"message to (?P<to>[a-z][a-z0-9-]{0,31}):\n(?P<text>.+)",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Absence:
    """When a player is away."""

    start: Time
    end: Time


@dataclass(frozen=True, slots=True)
class Letter:
    """One letter of a player, or of `host`; `number` counts the writer's letters from 1 on.

    It holds one thing: press (`text`, the digest of the press file, and `sealed`, that of its
    form sealed to the host, both together; the host's own have no `sealed`), an absence, or
    `address` ("shown": others who say so too may learn the writer's mail address).
    """

    game: Digest
    player: str
    number: int
    text: Digest | None = None
    sealed: Digest | None = None
    absence: Absence | None = None
    address: str | None = None

    def render(self) -> bytes:
        """The document's bytes."""
        data: dict[str, Value] = {
            "kind": "letter/1",
            "game": self.game,
            "player": self.player,
            "number": self.number,
        }
        if self.text is not None:
            data["text"] = self.text
        if self.sealed is not None:
            data["sealed"] = self.sealed
        if self.absence is not None:
            data["absence"] = Inline({"from": self.absence.start, "until": self.absence.end})
        if self.address is not None:
            data["address"] = self.address
        return toml.render(data)

    @staticmethod
    def build(reader: Reader) -> Letter:
        """From the values of a parsed letter."""
        game, player = reader.hex("game"), reader.text("player", 32)
        letter = Letter(
            game,
            player if player == HOST else check_name(player),
            reader.number("number", 1, 9_999),
            reader.hex_or_none("text"),
            reader.hex_or_none("sealed"),
            _read_absence(reader) if "absence" in reader.left else None,
            reader.one_of("address", ADDRESS) if "address" in reader.left else None,
        )
        held = [letter.text, letter.absence, letter.address]
        if sum(one is not None for one in held) != 1:
            raise Refused("malformed", "letter: expected text, absence or address, and one alone")
        if (letter.sealed is not None) != (letter.text is not None and player != HOST):
            raise Refused("malformed", "letter: sealed stands beside a player's text, only there")
        return letter


def _read_absence(reader: Reader) -> Absence:
    inner = Reader("letter: absence", reader.table("absence", missing=False))
    absence = close(inner, Absence(inner.time("from"), inner.time("until")))
    if absence.end <= absence.start:
        raise Refused("malformed", f"letter: absence until {absence.end}: expected a later time")
    return absence


def read_letter(data: bytes) -> Letter:
    """The letter in a file, at most 2,048 bytes; raises Refused `malformed` or `too-big`."""
    return read_exact("letter", data, 2_048, Letter.build)


@dataclass(frozen=True, slots=True)
class Press:
    """A message: to a player, to `all` or to `host`. `anonymous`: its writer is not to be named."""

    salt: str
    to: str
    text: str
    anonymous: bool = False

    def render(self) -> bytes:
        """The press file's bytes; raises Refused for a text that cannot be sent."""
        if not self.text.strip() or len(self.text.encode()) > LONGEST:
            raise Refused(
                "malformed", f"a message has 1 to {LONGEST} bytes, this has {len(self.text)}"
            )
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
    if press.render() != data:
        raise Refused("malformed", "press: it is not as the format has it")
    return press


def _check_text(text: str) -> None:
    """Line ends aside, only what shows as it is."""
    toml.guard(text)
    odd = next((c for c in text if not c.isprintable() and c != "\n"), None)
    if odd is not None:
        raise Refused("malformed", f"press: character {odd!a} in the text", "remove it")
