"""The whole names, cells and ships that a line means: questions to a sight that several order words
ask, answered by a value or a fault of the line (SS-17)."""

from __future__ import annotations

from collections.abc import Sequence

from games.grid import Cell
from games.options import did_you_mean
from games.silent_ships.lines import LineFault
from games.silent_ships.state import BOARD, Ship
from games.silent_ships.view import Sight


def whole_name(word: str, names: Sequence[str], reason: str, where: str) -> str:
    """The one of `names` that a word means: the word itself, or the only name that begins so."""
    if word in names:
        return word
    found = sorted({name for name in names if name.startswith(word)})
    if len(found) > 1:
        both = " and ".join(found)
        raise LineFault("ambiguous", f"expected one ship; {word!r} fits {both}", malformed=True)
    if not found:
        raise LineFault(reason, f"no {word!r} is {where}", hint=did_you_mean(word, names))
    return found[0]


def hand_cards(sight: Sight, words: Sequence[str]) -> tuple[str, ...]:
    """The cards of the hand that the words mean; two words never mean the same card."""
    hand = sight.own.hand
    cards = tuple(whole_name(word, hand, "not-in-hand", "in your hand") for word in words)
    distinct(cards)
    return cards


def distinct(cards: Sequence[str]) -> None:
    """Raise LineFault if a card is given up twice."""
    for card in cards:
        if cards.count(card) > 1:
            raise LineFault("not-in-hand", f"{card!r} is in your hand once, and is given up twice")


def on_board(cell: Cell) -> Cell:
    """The cell, if it lies on the board."""
    if not cell.on(BOARD):
        raise LineFault("off-board", f"{cell} is not on the board, which goes from A1 to E4")
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
