"""Order lines as values: a `Command`, the words from which it is read, and the faults of a line
(SS-17).

What belongs here: reading that all order words share. What it must not
know: positions; so a ship's name stays as it was written, even if that is only its beginning.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from games.grid import Cell, read_cell
from games.silent_ships.cards import NAMES

Backing = tuple[tuple[Cell, str], ...]
"""Supports in the order written: a cell, and the card given up for it."""


class LineFault(Exception):
    """The fault of a line. While the file is read it refuses the file; while the line is carried
    out it makes the line void.

    `reason` is the word in a `void` event, `expected` says what would have been right. `malformed`:
    the line was not understood; otherwise it is not allowed. `word`: a word for which a ship's name
    can be suggested.
    """

    def __init__(
        self, reason: str, expected: str, *, malformed: bool = False, hint: str = "", word: str = ""
    ) -> None:
        self.reason = reason
        self.expected = expected
        self.malformed = malformed
        self.hint = hint
        self.word = word


def not_understood(expected: str, hint: str = "", word: str = "") -> LineFault:
    """The fault of a line, or of standing orders, that is wrong in every position."""
    return LineFault("malformed", f"expected {expected}", malformed=True, hint=hint, word=word)


class Command(NamedTuple):
    """An order line as read.

    `cells` and `cards` are in the order written; `place` is as in `PLACES`.

    `cards` are the card played, swapped in or given up. `supports` (None: not given) are the cells
    and cards of supports, `()` is `support none`; `push` is the cell of a retreat.
    """

    verb: str
    cells: tuple[Cell, ...] = ()
    cards: tuple[str, ...] = ()
    place: str = ""
    supports: Backing | None = None
    push: Cell | None = None


_BEGINNINGS = frozenset(name[: last + 1] for name in NAMES for last in range(len(name)))
"""Every beginning of a ship's name, up to the whole name."""

# Words. `form` is how the line is written, which the fault quotes.


def parts_of(words: Sequence[str], heads: tuple[str, ...]) -> list[list[str]]:
    """The words up to the first of `heads`, then each of these heads with the words after it."""
    parts: list[list[str]] = [[]]
    for word in words:
        if word in heads:
            parts.append([])
        parts[-1].append(word)
    return parts


def cell_of(word: str, form: str) -> Cell:
    """The cell that a word names, on the board or not."""
    cell = read_cell(word)
    if cell is None:
        raise not_understood(f"{form}; {word!a:.40} is no cell")
    return cell


def ship_of(words: Sequence[str], form: str) -> str:
    """A ship's name or the beginning of one, with `-` for blanks."""
    name = "-".join(words)
    if not name:
        raise not_understood(form)
    if name not in _BEGINNINGS:
        raise not_understood(f"a ship's name; {name!a:.40} begins none", word=name)
    return name
