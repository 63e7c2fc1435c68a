"""The words of an order line (SS-17): what a line commands, and what is wrong with one.

A line is read twice. First its form is judged, without a position: `play fr left` is a command to
play the ship whose name begins with `fr`. When the line is checked or carried out, the names in it
get their meaning from what its author sees then: `fr` is the one card of the hand that begins so.
Both raise a `LineFault`. While the file is read, a fault refuses the file; while the line is
carried out, it makes the line void.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from games.grid import Cell, read_cell
from games.lines import off_board
from games.options import did_you_mean
from games.silent_ships.cards import NAMES
from games.silent_ships.state import BOARD, Ship
from games.silent_ships.view import Sight

Backing = tuple[tuple[Cell, str], ...]
"""Supports in the order written: a cell, and the card given up for it."""


class LineFault(Exception):
    """What is wrong with a line.

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
    """The fault of a line that is wrong in every position."""
    return LineFault("malformed", f"expected {expected}", malformed=True, hint=hint, word=word)


class Command(NamedTuple):
    """What a line commands.

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


# The form of a line. `form` is how the whole line is written, which the fault quotes.

_BEGINNINGS = frozenset(name[: last + 1] for name in NAMES for last in range(len(name)))
"""Every beginning of a ship's name, up to the whole name."""


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


# The meaning of a line in a position.


def whole_name(word: str, names: Sequence[str], reason: str, where: tuple[str, str]) -> str:
    """The one of `names` that a word means: the word itself, or the only name that begins so.
    `where`: `HAND` or `SUNK`."""
    if word in names:
        return word
    found = sorted({name for name in names if name.startswith(word)})
    if len(found) > 1:
        both = " and ".join(found)
        raise LineFault("ambiguous", f"expected one ship; {word!r} fits {both}", malformed=True)
    if not found:
        raise LineFault(reason, _none_of(word, names, where), hint=did_you_mean(word, names))
    return found[0]


def _none_of(word: str, names: Sequence[str], where: tuple[str, str]) -> str:
    none, called = where
    return f"{none} {word}; {called}: {', '.join(dict.fromkeys(names)) or 'none'}"


HAND = ("you hold no", "your hand")
SUNK = ("you have lost no", "your sunk ships")
"""What is said of a name that fits no card there, and what the cards there are called."""


def hand_card(sight: Sight, word: str) -> str:
    """The card of the hand that a word means."""
    return whole_name(word, sight.own.hand, "not-in-hand", HAND)


def hand_cards(sight: Sight, words: Sequence[str]) -> tuple[str, ...]:
    """The cards of the hand that the words mean; two words never mean the same card."""
    cards = tuple([hand_card(sight, word) for word in words])
    distinct(sight.own.hand, cards)
    return cards


def distinct(hand: Sequence[str], cards: Sequence[str]) -> None:
    """Raise LineFault if a card is given up more often than the hand holds it."""
    for card in cards:
        if cards.count(card) > hand.count(card):
            raise LineFault("not-in-hand", f"{card!r} is in your hand once, and is given up twice")


def on_board(cell: Cell) -> Cell:
    """The cell, if it lies on the board."""
    if not cell.on(BOARD):
        raise LineFault("off-board", off_board(cell, BOARD, "board"))
    return cell


def own_ship(sight: Sight, cell: Cell) -> Ship:
    """The author's ship in a cell."""
    ship = sight.board.get(on_board(cell))
    if ship is None or ship.owner != sight.player:
        raise LineFault("no-ship", f"no ship of yours is in {cell}")
    return ship


def listed(cells: Sequence[Cell]) -> str:
    """Cells in a sentence."""
    return ", ".join(map(str, cells)) or "none"
