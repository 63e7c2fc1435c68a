"""Order lines as every game reads them: which lines count, their words, and their size; and order
words, a row each.

A row says all of a word: how it is written, its button, what may stand in its blanks, what is wrong
with an order, and what it does. A line is offered if its blanks can be filled in without a fault,
and it is refused for the same fault: legality is judged in one place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, NamedTuple

from games.game import Choice, Malformed, Player
from games.grid import HEADINGS, Board, Cell, Heading, read_cell
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
    quoted = "take away the > with which a mail quotes" if word.startswith(">") else ""
    hint = quoted or habits or did_you_mean(word, listed)
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
            expected = f"too long: expected at most {most} characters in all, ends of lines too"
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


# Order words.


ROLES = ("", "beside", "end", "give-up", "rare")
"""How a line is offered: as a button; beside the others, as an offer of a draw; as what ends the
orders, taken unless one says no; as what ends the game, after a question; not at all, though it may
be written."""


class Verb(NamedTuple):
    """A kind of line, as a button: its name, a few words on it, its sign (of `news.SIGNS`) and its
    role (a word of `ROLES`). `heard`: whether others hear it (None: it depends). `about`: the
    word under which `Game.about` has it, if it is another than its key. `answers`: of a
    line that is planned from the start, as the usual answer, what its author is told: `Attacked`;
    `asks`: where all that can be done asks the same, the question: `Stand or retreat?`.
    """

    name: str
    words: str = ""
    sign: str = ""
    heard: bool | None = None
    role: str = ""
    about: str = ""
    answers: str = ""
    asks: str = ""


class Blank(NamedTuple):
    """What may stand in a place after an order word.

    `forms`: how errors write it: `CELL`, or each value. `read`: the value that a word of a line
    names there; raises Malformed. `near`: the values to try, by what the author sees and the values
    before this one.
    """

    forms: Sequence[str]
    read: Callable[[Line, str], Any]
    near: Callable[[Any, Sequence[Any]], Iterable[Any]]


@dataclass(frozen=True, slots=True)
class Word:
    """An order word: everything except the rule that carries it out.

    `written`: the word; several rows of one word differ in how many blanks are filled in. `make`:
    the order, of the values in the `blanks`. `does`: what an order does, as a `Choice` without its
    text. `least`: so many blanks must be filled in; None: all of them. `fault`: what is wrong with
    an order, as far as its author sees; None if it is legal. `habits`: other words that people
    write for it. `setup`: it is written in the setup, and only there.
    """

    written: str
    button: Verb
    make: Callable[..., Any]
    does: Callable[[Any, Any], Choice]
    blanks: Sequence[Blank] = ()
    least: int | None = None
    fault: Callable[[Any, Any], str | None] = lambda seen, order: None
    habits: tuple[str, ...] = ()
    setup: bool = False

    @property
    def counts(self) -> range:
        """How many blanks may be filled in."""
        most = len(self.blanks)
        return range(most if self.least is None else self.least, most + 1)

    def forms(self) -> Iterator[str]:
        """All forms of its lines."""
        for count in self.counts:
            for filled in product(*[blank.forms for blank in self.blanks[:count]]):
                yield " ".join((self.written, *filled))


Words = Mapping[str, Word]
"""A game's order words by their verbs, in the order in which their lines are offered."""


def read_word(words: Words, line: Line) -> tuple[str, Any]:
    """The verb of a line and the order, read by the row with as many blanks; raises Malformed."""
    check_plain(line)
    first, *rest = line.words
    rows = {verb: word for verb, word in words.items() if word.written == first}
    if not rows:
        known = dict.fromkeys(word.written for word in words.values())
        meant = {word.written for word in words.values() if first in word.habits}
        forms = [expected(words, written) for written in known if written in meant]
        raise line.wrong(*no_order(first, known, f"perhaps {' or '.join(forms)}" if forms else ""))
    for verb, word in rows.items():
        if len(rest) in word.counts:
            values = [
                blank.read(line, said) for blank, said in zip(word.blanks, rest, strict=False)
            ]
            return verb, word.make(*values)
    raise line.malformed(expected(words, first))


def expected(words: Words, written: str) -> str:
    """The forms of all lines that begin with a word, in quotes."""
    found = [form for word in words.values() if word.written == written for form in word.forms()]
    *others, last = [f"'{form}'" for form in found]
    return f"{', '.join(others)} or {last}" if others else last


def offered(words: Words, verb: str, seen: Any) -> Iterator[Choice]:
    """The lines of a row in which no order has a fault."""
    word = words[verb]
    for values in _filled(word, seen, ()):
        order = word.make(*values)
        if word.fault(seen, order) is None:
            text = " ".join([word.written, *map(str, values)])
            yield word.does(seen, order)._replace(text=text, verb=verb)


def _filled(word: Word, seen: Any, values: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    if len(values) in word.counts:
        yield values
    if len(values) < len(word.blanks):
        for value in word.blanks[len(values)].near(seen, values):
            yield from _filled(word, seen, (*values, value))


def read_named_cell(line: Line, word: str) -> Cell:
    """The cell that a word of the line names; raises Malformed."""
    cell = read_cell(word)
    if cell is None:
        raise line.malformed(
            f"a cell in place of {word[:20]!a}: one or two letters, then a number from 1 to 999 "
            "without a leading zero",
            "for example C4",
        )
    return cell
