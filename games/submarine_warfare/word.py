"""All that there is to know of an order word, in one row (SW-5, SW-18).

What belongs here: the row, the command that is read by it, and what may stand after an order word.
What it must not know: any single order word.
"""

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
    """What stands after an order word.

    `form`: how it is written, as errors quote it. `read`: the aim that a word of a line names;
    raises Malformed. `choices`: all that may be aimed at in a game with that table, in order.
    """

    form: str
    read: Callable[[Specials, Line, str], str]
    choices: Callable[[Specials], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Word:
    """An order word.

    `aim`: what stands after it; None: nothing. `ap`: what it costs; None: as its special's table
    says. `label`: what its line does in a few words, of `sub`, `at`, `to` (the cell that it heads
    for) and `aim`. `carry_out`: carries it out in a turn. `fault`: the reason for which it
    cannot be carried out, one of SW-6's; None if it can.
    """

    aim: Aim | None
    ap: int | None
    label: str
    carry_out: Callable[[Turn, Sub, Command], None]
    fault: Callable[[Turn, Sub, Command], str | None] = lambda turn, sub, command: None


class Command(NamedTuple):
    """What a submarine is ordered to do.

    `verb` is an order word or a special's name, `aim` the heading or the special's name after it,
    "" where nothing stands there. `word` is the row of the verb and `ap` what it costs, both by
    the table of the game.
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
