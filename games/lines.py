"""Order lines as every game reads them: which lines count, their words, and their size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from games.game import Malformed, Player
from games.grid import HEADINGS, Board, Cell, Heading
from games.options import did_you_mean


def not_yours(awaited: Sequence[Player]) -> str:
    """What refuses the orders of somebody who is not awaited; `awaited`: who is."""
    whose = " and ".join([f"{name}'s" for name in awaited])
    return f"it is {whose} turn, not yours"


def off_board(cell: Cell, board: Board, kind: str = "map") -> str:
    """What refuses a cell that is not on the board, called a `kind`."""
    return f"{cell} is not on the {kind} (A1 to {board.last})"


def no_order(word: str, known: Iterable[str], habits: str = "") -> tuple[str, str]:
    """What refuses a first word that is no order, and the hint. `habits`: the lines that are meant
    by who writes such a word."""
    listed = list(known)
    hint = habits or did_you_mean(word, listed)
    more = "" if hint else f". Orders: {', '.join(listed)}"
    return f"{word[:20]!a} is no order{more}", hint


_HEADINGS = {heading.lower(): heading for heading in HEADINGS}


class Line(NamedTuple):
    """A line that counts: its number from 1 (blank lines count too), its text as written (at most
    80 characters of it), its words in lower case, and whether all of it is ASCII."""

    number: int
    text: str
    words: tuple[str, ...]
    plain: bool

    def malformed(self, expected: str, hint: str = "") -> Malformed:
        """The error for a line that is not understood, by what was expected."""
        return self.wrong(f"expected {expected}", hint)

    def wrong(self, what: str, hint: str = "") -> Malformed:
        """The same by what is wrong with it."""
        return Malformed(self.number, self.text, what, hint)


def read_lines(text: str) -> Iterator[Line]:
    """The lines that count, without comments and without blanks at either end."""
    for number, row in enumerate(text.split("\n"), 1):
        body = row.partition("#")[0].strip(" \t\r")
        if body:
            words = filter(None, body.replace("\t", " ").lower().split(" "))
            yield Line(number, body[:80], tuple(words), body.isascii())


def check_size(text: str, most: int) -> None:
    """Raise Malformed at the line with which an order file's lines exceed `most` bytes.

    A line counts its characters, without blanks at the end, and 1. Blank lines at the end of the
    file do not count.
    """
    taken = 0
    body = text.rstrip(" \t\r\n")
    for number, line in enumerate(body.split("\n") if body else (), 1):
        row = line.rstrip(" \t\r")
        taken += len(row) + 1
        if taken > most:
            expected = f"expected at most {most} bytes of lines, each its characters and 1"
            raise Malformed(number, row[:80], expected, "shorten remarks, leave out blank lines")


def check_plain(line: Line) -> None:
    """Raise Malformed if the line is not plain ASCII; called before its words are read."""
    if not line.plain:
        raise line.malformed("plain ASCII")


def read_heading(line: Line, word: str) -> Heading:
    """The heading that a word of the line names; raises Malformed."""
    if word in _HEADINGS:
        return _HEADINGS[word]
    full = {"north": "N", "east": "E", "south": "S", "west": "W"}.get(word)
    meant = " ".join(full if full and other == word else other for other in line.words)
    hint = f"perhaps {meant!r}" if full else ""
    raise line.malformed(f"a heading in place of {word[:20]!a}: N, E, S or W", hint)
