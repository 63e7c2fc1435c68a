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
    80 characters of it, its words in lower case, and whether all of it is ASCII."""

    number: int
    text: str
    words: tuple[str, ...]
    plain: bool

    def malformed(self, expected: str, hint: str = "") -> Malformed:
        """The error that refuses this line as not understood."""
        return Malformed(self.number, self.text, f"expected {expected}", hint)


def read_lines(text: str) -> Iterator[Line]:
    """The lines that count: without comments, blank lines, and blanks at either end."""
    for number, row in enumerate(text.split("\n"), 1):
        body = row.partition("#")[0].strip(" \t\r")
        if body:
            words = body.replace("\t", " ").lower().split(" ")
            yield Line(number, body[:80], tuple(word for word in words if word), body.isascii())


def check_size(text: str, lines: int, characters: int) -> None:
    """Raise Malformed where `text` has more lines, or longer ones, than the game's order files.

    Counted as in the one rendering: without blanks at the end of a line, and blank lines at the
    end. Remarks and other blank lines count.
    """
    rows = [row.rstrip(" \t\r") for row in text.rstrip(" \t\r\n").split("\n")]
    for number, row in enumerate(rows, 1):
        if number > lines:
            raise Malformed(number, row[:80], f"expected at most {lines} lines in an order file")
        if len(row) > characters:
            raise Malformed(number, row[:80], f"expected at most {characters} characters a line")


def check_plain(line: Line) -> None:
    """Raise Malformed where the line is not plain ASCII; before its words are looked at."""
    if not line.plain:
        raise line.malformed("plain ASCII")


def read_heading(line: Line, word: str) -> Heading:
    """The heading that a word of the line names; raises Malformed."""
    for heading in HEADINGS:
        if word == heading.lower():
            return heading
    full = {"north": "N", "east": "E", "south": "S", "west": "W"}.get(word)
    meant = " ".join(full if full and other == word else other for other in line.words)
    hint = f"perhaps {meant!r}" if full else ""
    raise line.malformed(f"a heading in place of {word[:20]!a}: N, E, S or W", hint)
