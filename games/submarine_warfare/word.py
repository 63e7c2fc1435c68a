"""The row of an order word (SW-5, SW-18), the aims that may follow it, and the command that it
reads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from games.grid import HEADINGS
from games.lines import Line, read_heading
from games.options import did_you_mean
from games.submarine_warfare.state import Sub
from games.submarine_warfare.table import Specials
from games.submarine_warfare.turn import Turn


@dataclass(frozen=True, slots=True)
class Aim:
    """The aim after an order word.

    `form`: how it is written, as errors quote it. `read`: the aim that a word of a line names;
    raises Malformed. `choices`: all possible aims in a game with that table, in order.
    """

    form: str
    read: Callable[[Specials, Line, str], str]
    choices: Callable[[Specials], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Word:
    """An order word.

    `aim`: what follows it; None: nothing. `ap`: its cost; None: that in its special's table.
    `label`: what its line does in a few words, with `sub`, `at`, `to` (the cell ahead) and `aim`.
    `carry_out`: carries it out in a turn. `fault`: SW-6's reason why it cannot be carried out; None
    if it can.
    """

    aim: Aim | None
    ap: int | None
    label: str
    carry_out: Callable[[Turn, Sub, Command], None]
    fault: Callable[[Turn, Sub, Command], str | None] = lambda turn, sub, command: None


class Command(NamedTuple):
    """A command to a submarine.

    `verb` is an order word or a special's name, `aim` the heading or the special's name after it,
    or "". `word` is the row of the verb and `ap` its cost, both by the table of the game.
    """

    verb: str
    aim: str
    word: Word
    ap: int


def read_special(table: Specials, line: Line, word: str) -> str:
    """The special that a word of the line names; raises Malformed."""
    if word not in table:
        raise line.malformed(
            f"a special in place of {word[:20]!a}: one of {', '.join(table)}",
            did_you_mean(word, table),
        )
    return word


def _read_heading(table: Specials, line: Line, word: str) -> str:
    return read_heading(line, word)


def _not_nullify(table: Specials) -> Sequence[str]:
    """SW-18: a nullify cannot name a nullify."""
    return [name for name, special in table.items() if special.mechanism != "nullify"]


HEADING = Aim("N' (or E, S, W)", _read_heading, lambda table: HEADINGS)
SPECIAL = Aim("SPECIAL'", read_special, tuple)
NULLIFIED = Aim("SPECIAL'", read_special, _not_nullify)
