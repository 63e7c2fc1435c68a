"""Order lines as they are written: from text to actions (SW-3, SW-5, SW-18).

What belongs here: the form of an order file, which is the same in every position. What it must not
know: positions, so that to be malformed says nothing of one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from games.game import Malformed, Setup, Written
from games.grid import Cell, Heading, read_cell
from games.lines import Line, check_plain, check_size, read_heading, read_lines
from games.options import suggest
from games.submarine_warfare.state import LETTERS
from games.submarine_warfare.table import Specials, specials

MOST_LINES = 30
"""SW-4: the most order lines that count; the length of reports counts on it."""
MOST_BYTES = 1800
"""SW-4: the most bytes that all lines of a file take (`games.lines.check_size`)."""


@dataclass(frozen=True, slots=True)
class Move:
    """`a move N`: one cell that way."""

    heading: Heading


@dataclass(frozen=True, slots=True)
class Surface:
    """`a surface`."""


@dataclass(frozen=True, slots=True)
class Submerge:
    """`a submerge`."""


@dataclass(frozen=True, slots=True)
class Replace:
    """`a replace heal`: takes that special in place of its own."""

    special: str


@dataclass(frozen=True, slots=True)
class Use:
    """`a torpedo E`: uses its special; `heading` or `named` where the mechanism wants one."""

    special: str
    heading: Heading | None = None
    named: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """`a A1 torpedo`: where a submarine starts, and with which special (SW-3)."""

    at: Cell
    special: str


@dataclass(frozen=True, slots=True)
class Word:
    """`stop`, `draw` or `resign`, which stand alone on their line."""

    word: str


Action: TypeAlias = Move | Surface | Submerge | Replace | Use


@dataclass(frozen=True, slots=True)
class OrderLine:
    """An order line as understood; `letter` is "" for a Word."""

    line: Line
    letter: str
    does: Action | Place | Word


_WORDS = ("stop", "draw", "resign")
_DEFAULTS = {
    "move": "'{0} move N' (or E, S, W)",
    "surface": "'{0} surface'",
    "submerge": "'{0} submerge'",
    "replace": "'{0} replace SPECIAL'",
}
_MEANT = {
    "dive": "submerge",
    "up": "surface",
    "down": "submerge",
    "swap": "replace",
    "go": "move",
    "fire": "torpedo",
    "ram": "move",
}
"""Words of habit that are no commands, and what they may stand for."""
_AIMED = ("torpedo", "mine", "heal")
"""Mechanisms whose line ends with a heading."""


def read_file(setup: Setup, written: Written) -> tuple[OrderLine, ...]:
    """Every line of an order file, understood; raises Malformed for what is wrong everywhere."""
    for name in written.tables:
        raise Malformed(None, name, "no table stands beside the orders of this game")
    check_size(written.orders, MOST_BYTES)
    lines = tuple(read_lines(written.orders))
    if len(lines) > MOST_LINES:
        raise lines[MOST_LINES].malformed(f"at most {MOST_LINES} lines")
    orders = tuple(_order(specials(setup), line) for line in lines)
    for at, order in enumerate(orders):
        said = order.does in (Word("draw"), Word("resign"))
        if said and any(earlier.does == order.does for earlier in orders[:at]):
            raise order.line.malformed(f"{order.line.words[0]!r} once at most")
    return orders


def _order(table: Specials, line: Line) -> OrderLine:
    check_plain(line)
    first, *rest = line.words
    if first in _WORDS:
        if rest:
            raise line.malformed(f"nothing after {first!r}")
        return OrderLine(line, "", Word(first))
    if len(first) != 1 or not any(first in own for own in LETTERS):
        raise line.malformed(
            "a submarine (a to e, v to z) and what it does, or one of " + ", ".join(_WORDS),
            suggest(first, _WORDS)[2:],
        )
    if not rest:
        raise line.malformed(f"what {first} does, such as {_DEFAULTS['move'].format(first)}")
    cell = read_cell(rest[0])
    if cell is not None:
        if len(rest) != 2:
            raise line.malformed(f"a cell and a special to start with: '{first} {cell} SPECIAL'")
        return OrderLine(line, first, Place(cell, _special(table, line, rest[1])))
    return OrderLine(line, first, _action(table, line, first, rest[0], tuple(rest[1:])))


def _action(table: Specials, line: Line, letter: str, verb: str, words: tuple[str, ...]) -> Action:
    match verb, words:
        case "move", (word,):
            return Move(read_heading(line, word))
        case "surface", ():
            return Surface()
        case "submerge", ():
            return Submerge()
        case "replace", (word,):
            return Replace(_special(table, line, word))
    if verb in _DEFAULTS:
        raise line.malformed(_DEFAULTS[verb].format(letter))
    if verb not in table:
        known = (*_DEFAULTS, *table)
        hint = f"perhaps {_MEANT[verb]!r}" if verb in _MEANT else suggest(verb, known)[2:]
        raise line.malformed(f"one of {', '.join(known)} in place of {verb[:20]!a}", hint)
    return _use(table, line, letter, verb, words)


def _use(table: Specials, line: Line, letter: str, name: str, words: tuple[str, ...]) -> Use:
    """SW-18: the words that a special's mechanism wants after its name."""
    mechanism = table[name].mechanism
    if mechanism in _AIMED:
        if len(words) != 1:
            raise line.malformed(f"'{letter} {name} N' (or E, S, W)")
        return Use(name, heading=read_heading(line, words[0]))
    if mechanism == "nullify":
        if len(words) != 1:
            raise line.malformed(f"'{letter} {name} SPECIAL'")
        return Use(name, named=_special(table, line, words[0]))
    if words:
        raise line.malformed(f"nothing after '{letter} {name}'")
    return Use(name)


def _special(table: Specials, line: Line, word: str) -> str:
    if word not in table:
        raise line.malformed(
            f"a special in place of {word[:20]!a}: one of {', '.join(table)}",
            suggest(word, table)[2:],
        )
    return word
