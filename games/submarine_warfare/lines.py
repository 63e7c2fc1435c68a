"""Order lines as they are written: from text to commands (SW-3 to SW-5, SW-18).

The form of an order file is the same in every position, and this module knows no position, so a
`malformed` answer tells nothing about one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from games.game import Setup, Written
from games.grid import Cell, read_cell
from games.lines import Line, check_plain, check_size, no_order, read_lines
from games.options import did_you_mean
from games.submarine_warfare.actions import DEFAULTS, Command, command, read_special, word_of
from games.submarine_warfare.state import LETTERS
from games.submarine_warfare.table import Specials, specials

MOST_LINES = 30
"""SW-4: the most order lines that count; the bound on reports relies on it."""
MOST_BYTES = 1800
"""SW-4: the most bytes that all lines of a file take (`games.lines.check_size`)."""

ALONE: Mapping[str, str] = {
    "stop": "nothing follows",
    "draw": "offer a draw, or take one",
    "resign": "lose at once",
}
"""SW-4, SW-17: words that are a whole line, each with a few words on what it does."""


class Placement(NamedTuple):
    """`a A1 torpedo`: a submarine's first cell and special (SW-3)."""

    at: Cell
    special: str


class Passive(NamedTuple):
    """`a armor`: a special that works by itself, and that nobody can order (SW-18)."""

    special: str


class OrderLine(NamedTuple):
    """An order line as understood: what the submarine `letter` `does`; or `alone`, a word."""

    line: Line
    letter: str = ""
    does: Command | Passive | Placement | None = None
    alone: str = ""


_LETTERS = frozenset("".join(LETTERS))
_MEANT = {
    "dive": "submerge",
    "up": "surface",
    "down": "submerge",
    "swap": "replace",
    "go": "move",
    "fire": "torpedo",
    "ram": "move",
}
"""Words that people write although they are no commands, and what they may mean."""


def read_file(setup: Setup, written: Written) -> tuple[OrderLine, ...]:
    """Every line of an order file, understood; raises Malformed for faults in every position."""
    check_size(written.orders, MOST_BYTES)
    lines = tuple(read_lines(written.orders))
    if len(lines) > MOST_LINES:
        raise lines[MOST_LINES].malformed(f"at most {MOST_LINES} lines")
    orders = tuple([_order(specials(setup), line) for line in lines])
    said = [order.alone for order in orders]
    for at, word in enumerate(said):
        if word in ("draw", "resign") and word in said[:at]:
            raise lines[at].malformed(f"{word!r} once at most")
    return orders


def _order(table: Specials, line: Line) -> OrderLine:
    check_plain(line)
    first, *rest = line.words
    if first in ALONE:
        if rest:
            raise line.malformed(f"nothing after {first!r}")
        return OrderLine(line, alone=first)
    if first not in _LETTERS:
        raise line.wrong(*no_order(first, (*ALONE, "SUBMARINE (a to e, v to z) and what it does")))
    if not rest:
        raise line.malformed(f"what {first} does, such as '{first} move N' (or E, S, W)")
    cell = read_cell(rest[0])
    if cell is not None:
        if len(rest) != 2:
            raise line.malformed(f"a cell and a special to start with: '{first} {cell} SPECIAL'")
        return OrderLine(line, first, Placement(cell, read_special(table, line, rest[1])))
    return OrderLine(line, first, _command(table, line, rest[0], rest[1:]))


def _command(table: Specials, line: Line, verb: str, rest: Sequence[str]) -> Command | Passive:
    """SW-5, SW-18: an order word or a special with the words after it, as its row says."""
    if verb not in DEFAULTS and verb not in table:
        known = (*DEFAULTS, *table)
        hint = f"perhaps {_MEANT[verb]!r}" if verb in _MEANT else did_you_mean(verb, known)
        raise line.malformed(f"one of {', '.join(known)} in place of {verb[:20]!a}", hint)
    word = word_of(table, verb)
    written = f"{line.words[0]} {verb}"
    if word is None or word.aim is None:
        if rest:
            raise line.malformed(f"nothing after '{written}'")
        return command(table, verb, word) if word else Passive(verb)
    if len(rest) != 1:
        raise line.malformed(f"'{written} {word.aim.form}")
    return command(table, verb, word, word.aim.read(table, line, rest[0]))
