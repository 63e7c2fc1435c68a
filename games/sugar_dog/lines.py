"""From the words of order lines to orders (SD-6).

The form of an order file is the same in every position, and this module knows no position, so a
`malformed` answer tells nothing about one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from games.game import Malformed, Written
from games.grid import Cell, Heading, read_cell
from games.lines import Line, check_plain, check_size, no_order, read_heading, read_lines
from games.sugar_dog.actions import ACTIONS, Order, Word

MOST_BYTES = 704
"""SD-6: the most bytes that all lines of a file take (`games.lines.check_size`)."""
_TURN = [name for name, word in ACTIONS.items() if not word.beside and not word.in_setup]
_COMMANDS = f"{', '.join(_TURN[:-1])} or {_TURN[-1]} (start in the setup)"


class OrderLine(NamedTuple):
    """An order line as understood: its word, with its row, and the order."""

    line: Line
    name: str
    word: Word
    order: Order


def read_file(written: Written) -> tuple[OrderLine, ...]:
    """One command, and at most one `draw` before or after it; raises Malformed."""
    check_size(written.orders, MOST_BYTES)
    understood: list[OrderLine] = []
    for line in read_lines(written.orders):
        read = read_line(line)
        if any(other.word.beside == read.word.beside for other in understood):
            raise line.malformed(
                "'draw' once at most" if read.word.beside else "one command a turn"
            )
        understood.append(read)
    if not understood:
        raise Malformed(None, "", f"expected a command: {_COMMANDS}")
    if all(read.word.beside for read in understood):
        raise understood[0].line.malformed(f"a command with it: {_COMMANDS}")
    return tuple(understood)


def read_line(line: Line) -> OrderLine:
    """The order in a line, read by the form of its word with the same number of words; raises
    Malformed."""
    check_plain(line)
    first, *rest = line.words
    if first not in ACTIONS:
        raise line.wrong(*no_order(first, ACTIONS, _meant(first)))
    word = ACTIONS[first]
    for form in word.forms:
        blanks = form.split()
        if len(blanks) == len(rest):
            return OrderLine(line, first, word, word.make(*_named(line, blanks, rest)))
    raise line.malformed(word.expected(first))


def _named(line: Line, blanks: Sequence[str], words: Sequence[str]) -> list[Cell | Heading]:
    """The cells and headings that a line names in the blanks of its form."""
    return [
        _read_cell(line, word) if blank == "CELL" else read_heading(line, word)
        for blank, word in zip(blanks, words, strict=True)
    ]


def _read_cell(line: Line, word: str) -> Cell:
    cell = read_cell(word)
    if cell is None:
        raise line.malformed(
            f"a cell in place of {word[:20]!a}: one or two letters, then a number from 1 to 999 "
            "without a leading zero",
            "for example C4",
        )
    return cell


def _meant(first: str) -> str:
    """A hint for a word that people often write instead."""
    meant = [word.expected(name) for name, word in ACTIONS.items() if first in word.habits]
    return f"perhaps {' or '.join(meant)}" if meant else ""
