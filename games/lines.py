"""Order lines as every game with headings reads them: which lines count, and their words.

What belongs here: what is the same whatever the commands are. What it must not know: any game.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from games.game import Malformed
from games.grid import HEADINGS, Heading


@dataclass(frozen=True, slots=True)
class Line:
    """A line that counts: its number from 1 (blank lines counted), its text as written, at most
    80 characters of it, and its words in lower case."""

    number: int
    text: str
    words: tuple[str, ...]

    def malformed(self, expected: str, hint: str = "") -> Malformed:
        """The error that refuses this line as not understood."""
        return Malformed(self.number, self.text, f"expected {expected}", hint)


def read_lines(text: str) -> tuple[Line, ...]:
    """The lines that count, without blank ones and what follows `#`; raises Malformed where one
    is not plain ASCII."""
    return tuple(_lines(text))


def _lines(text: str) -> Iterator[Line]:
    for number, line in enumerate(text.split("\n"), 1):
        body = line.partition("#")[0].strip(" \t\r")
        if body:
            words = body.replace("\t", " ").lower().split(" ")
            line = Line(number, body[:80], tuple(word for word in words if word))
            if not body.isascii():
                raise line.malformed("plain ASCII")
            yield line


def read_heading(line: Line, word: str) -> Heading:
    """The heading that a word of the line names; raises Malformed."""
    for heading in HEADINGS:
        if word == heading.lower():
            return heading
    full = {"north": "N", "east": "E", "south": "S", "west": "W"}
    hint = f"perhaps {full[word]}" if word in full else ""
    raise line.malformed(f"a heading in place of {word[:20]!a}: N, E, S or W", hint)
