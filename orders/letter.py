"""Letters, which a player signs apart from orders; strict, one rendering.

What belongs here: the letter document, and the text whose digest it signs
(`docs/formats/letters.md`). What it must not know: who may write to whom, how letters travel.

A letter names its text by digest, and the text travels sealed. So all letters look alike to whoever
carries them: only the text says whether it is a message or a notice.
"""

import re
from functools import partial
from typing import Annotated, NamedTuple

from orders.documents import LAST_STEP
from orders.errors import Refused, named
from orders.fields import (
    ADDRESS,
    HOST,
    NAME,
    Digest,
    Reader,
    Time,
    between,
    check_name,
    is_time,
    read,
    read_exact,
    rendered,
)
from orders.fields import text as words

LAST_NUMBER = 9_999
"""The greatest number of a letter."""

LONGEST = 1_800
"""UTF-8 bytes of the longest message, and of a note."""

_SALT = re.compile(r'salt = "([0-9a-f]{64})"\n(?:notice ([1-9][0-9]{0,3}): )?([^\n]+)\n', re.ASCII)
_SAYS = re.compile(
    r"(?P<anonymous>anonymous )?message to (?P<to>[^\n:]*):"
    r"|away from (?P<start>\S+) until (?P<end>\S+)"
    rf"|address (?:(?P<shown>shown|hidden)|(?P<address>{ADDRESS}))",
    re.ASCII,
)


class Letter(NamedTuple):
    """One letter of a player, or of `host`; `number` is drawn, and different for each of theirs.

    `text` is the digest of its text. A player's letter has `sealed`, the digest of the text sealed
    to the host; a letter of the host has `entry` and `head`, number and digest of its last entry.
    """

    game: Digest
    player: Annotated[
        str, words(2_000).then(lambda name: name if name == HOST else check_name(name))
    ]
    number: Annotated[int, between(1, LAST_NUMBER)]
    text: Digest
    sealed: Digest | None = None
    entry: Annotated[int, between(0, LAST_STEP)] | None = None
    head: Digest | None = None

    def render(self) -> bytes:
        """The document's bytes."""
        return rendered("letter", self)

    @staticmethod
    def build(reader: Reader) -> "Letter":
        """From the values of a parsed letter."""
        ends = ("entry", "head") if reader.left.get("player") == HOST else ("sealed",)
        reader.need(*Letter._fields[:4], *ends)
        return read(Letter, reader, **dict.fromkeys({*Letter._fields[4:]}.difference(ends)))


read_letter = partial(read_exact, "letter", Letter.build, 2_048)
"""Gives the letter in a file, at most 2,048 bytes; raises Refused `malformed` or `too-big`."""


class Text(NamedTuple):
    """What a letter says, in its first line.

    `message to NAME:` or `anonymous message to NAME:`, with the message as `body`; NAME is a
    player, `all` or `host`. Or a notice: `away from TIME until TIME`, `address ADDRESS` (the
    writer's new mail address), `address shown` or `address hidden` (whether players who show theirs
    may learn it). `notice`: which notice of its writer this is, from 1 on; 0 for messages.
    """

    says: str
    body: str = ""
    notice: int = 0
    salt: str = ""

    def _part(self, name: str) -> str | None:
        found = _SAYS.fullmatch(self.says)
        return None if found is None else found[name]

    @property
    def to(self) -> str | None:
        """To whom a message goes; None for a notice."""
        return self._part("to")

    @property
    def anonymous(self) -> bool:
        """Whether the writer of a message is not to be named."""
        return self._part("anonymous") is not None

    @property
    def away(self) -> tuple[Time, Time] | None:
        """From when until when the writer is away."""
        start, end = self._part("start"), self._part("end")
        return None if start is None or end is None else (start, end)

    @property
    def address(self) -> str | None:
        """The writer's new mail address."""
        return self._part("address")

    @property
    def shown(self) -> bool | None:
        """Whether others may learn the writer's mail address."""
        word = self._part("shown")
        return None if word is None else word == "shown"

    def render(self) -> bytes:
        """The bytes that are sealed; raises Refused `malformed` for what cannot be sent."""
        if _SAYS.fullmatch(self.says) is None or (self.to is None) != (self.notice > 0):
            raise Refused("malformed", f"letter: {self.says!a:.90}: expected a message or a notice")
        if self.to is not None:
            if re.fullmatch(NAME, self.to, re.ASCII) is None:
                raise Refused("malformed", f"a message to {self.to!a:.90}: expected a name")
            check_text(self.body)
        elif self.body:
            raise Refused("malformed", f"letter: {self.body!a:.90} below a notice of one line")
        if self.away is not None:
            start, end = self.away
            for time in (start, end):
                if not is_time(time):
                    raise Refused("malformed", f"letter: {time!a:.90}: expected a time in UTC")
            if end <= start:
                expected = f"expected a time after {start}"
                raise Refused("malformed", f"letter: away until {end}: {expected}")
        which = f"notice {self.notice}: " if self.notice else ""
        return f'salt = "{self.salt}"\n{which}{self.says}\n{self.body}'.encode()


def read_text(data: bytes) -> Text:
    """What a letter says; raises Refused `malformed`."""
    try:
        whole = data.decode("utf-8")
    except UnicodeDecodeError:
        whole = ""
    found = _SALT.match(whole)
    if found is None:
        raise Refused("malformed", "letter: expected its salt, and a line that says what it is")
    text = Text(found[3], whole[found.end() :], int(found[2] or 0), found[1])
    text.render()
    return text


def check_text(text: str, what: str = "message") -> None:
    """Raise Refused `malformed` for a text that is blank, too long, or displays differently from
    what it says. Only LF ends lines."""
    size = len(text.encode("utf-8", "surrogatepass")) if text.strip() else 0
    if not 1 <= size <= LONGEST:
        raise Refused("malformed", f"a {what} has 1 to {LONGEST} bytes, this has {size}")
    odd = next((c for c in text if not c.isprintable() and c != "\n"), None)
    if odd is not None:
        raise Refused("malformed", f"a {what} cannot hold {named(odd)}", "take it out")
