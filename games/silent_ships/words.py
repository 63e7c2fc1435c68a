"""An order line of Silent Ships (SS-17): what it commands, and what is wrong with it; and an order
word, as the row of a table.

A line is read twice. First its form is judged, without a position: `play fr left` is a command to
play the ship whose name begins with `fr`. When the line is checked or carried out, the names in it
get their meaning from what its author sees then: `fr` is the one card of the hand that begins so.
Both raise a `LineFault`. While the file is read, a fault refuses the file; while the line is
carried out, it makes the line void.

A row judges a line by what its author sees, which is exact. It offers lines by a `Sea`, which is
that and everything that may have become of it: after an attack the author does not know who answers
what, so a cell may hold a ship and may be empty.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from games.game import Choice
from games.grid import Cell, by_row, read_cell
from games.options import did_you_mean
from games.orders import Verb, off_board
from games.silent_ships.cards import NAMES, Cards
from games.silent_ships.state import BOARD, Ship, State

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


def not_understood(expected: str, word: str = "") -> LineFault:
    """The fault of a line that is wrong in every position."""
    return LineFault("malformed", f"expected {expected}", malformed=True, word=word)


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


def one_cell(words: Sequence[str], form: str) -> Cell:
    """The cell that the words name, if they are one word."""
    if len(words) != 1:
        raise not_understood(form)
    return cell_of(words[0], form)


def reads(verb: str, *blanks: str) -> Callable[[Sequence[str], str], Command]:
    """Reads a line that goes on with these words and nothing else: `CELL` stands for a cell,
    `SHIP`, the last of them, for a ship's name."""

    def read(words: Sequence[str], form: str) -> Command:
        left, cells, cards = list(words), [], []
        if "SHIP" not in blanks and len(left) != len(blanks):
            raise not_understood(form)
        for blank in blanks:
            if blank == "SHIP":
                cards.append(ship_of(left, form))
            elif blank == "CELL" and left:
                cells.append(cell_of(left.pop(0), form))
            elif not left or left.pop(0) != blank:
                raise not_understood(form)
        return Command(verb, tuple(cells), tuple(cards))

    return read


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
        none, called = where
        said = f"{none} {word}; {called}: {', '.join(dict.fromkeys(names)) or 'none'}"
        raise LineFault(reason, said, hint=did_you_mean(word, names))
    return found[0]


HAND = ("you hold no", "your hand")
SUNK = ("you have lost no", "your sunk ships")
"""What is said of a name that fits no card there, and what the cards there are called."""


def hand_card(seen: State, word: str) -> str:
    """The card of the hand that a word means."""
    return whole_name(word, seen.own.hand, "not-in-hand", HAND)


def hand_cards(seen: State, words: Sequence[str]) -> tuple[str, ...]:
    """The cards of the hand that the words mean; two words never mean the same card."""
    cards = tuple([hand_card(seen, word) for word in words])
    distinct(seen.own.hand, cards)
    return cards


def distinct(hand: Sequence[str], cards: Sequence[str]) -> None:
    """Raise LineFault if a card is given up more often than the hand holds it; "" is a card whose
    name is not known."""
    for card in cards:
        if cards.count(card) > hand.count(card):
            twice = f"{card!r} is in your hand once, and is given up twice"
            unnamed = f"cards in your hand: {len(hand)}; given up: {len(cards)}"
            raise LineFault("not-in-hand", twice if card else unnamed)


def on_board(cell: Cell) -> Cell:
    """The cell, if it lies on the board."""
    if not cell.on(BOARD):
        raise LineFault("off-board", off_board(cell, BOARD, "board"))
    return cell


def own_ship(seen: State, cell: Cell) -> Ship:
    """The author's ship in a cell."""
    ship = seen.board.get(on_board(cell))
    if ship is None or ship.owner != seen.player:
        raise LineFault("no-ship", f"no ship of yours is in {cell}")
    return ship


def listed(cells: Sequence[Cell]) -> str:
    """Cells in a sentence."""
    return ", ".join(map(str, cells)) or "none"


# Order words.


class Sea(NamedTuple):
    """What may be true when a line is carried out, as far as its author can know.

    Before the first attack of a file this is what the author sees; after it, whatever some answers
    and battles would bring. `ships` are the author's own, in each possible cell and face; `enemies`
    and `empty` are the cells that may hold an enemy's ship, or none. All are in row, then column
    order. `seen` has the cards that the author may still have, and their ships that may have been
    sunk.
    """

    seen: State
    ships: tuple[Ship, ...]
    enemies: tuple[Cell, ...]
    empty: tuple[Cell, ...]

    @property
    def cards(self) -> Cards:
        """The table of ships."""
        return self.seen.cards

    @property
    def hand(self) -> tuple[str, ...]:
        """The cards that the author may still have."""
        return self.seen.own.hand

    def with_ships(self, *ships: Ship) -> Sea:
        """With these ships too, each as it is and face up."""
        both = {*self.ships, *ships, *(ship._replace(up=True) for ship in ships)}
        key = self.cards.names.index
        found = sorted(both, key=lambda ship: (*by_row(ship.at), key(ship.name), ship.up))
        return self._replace(ships=tuple(found))

    def with_cells(self, empty: Iterable[Cell], enemies: Iterable[Cell] = ()) -> Sea:
        """With these cells among those that may be empty, and that may hold an enemy's ship."""
        return self._replace(
            empty=tuple(sorted({*self.empty, *empty}, key=by_row)),
            enemies=tuple(sorted({*self.enemies, *enemies}, key=by_row)),
        )


def sea_of(seen: State) -> Sea:
    """The sea while nothing is unknown."""
    return Sea(
        seen,
        tuple(ship for ship in seen.board.values() if ship.owner == seen.player),
        tuple(ship.at for ship in seen.board.values() if ship.owner != seen.player),
        tuple(cell for cell in BOARD.cells() if cell not in seen.board),
    )


def occasion(seen: State) -> str:
    """The occasion of a player's file, while the game goes on: `setup`, `turn`, `answer`, or
    `beside` while they are not awaited."""
    if seen.turn is None:
        return "setup"
    if seen.attack is None:
        return "turn" if seen.turn == seen.player else "beside"
    return "answer" if seen.attack.player == seen.player else "beside"


class Word(NamedTuple):
    """An order word: how its lines are written and judged. What they leave is in `orders`, the rule
    that carries them out in `rules` or `attack`.

    `form`: how its line is written, as errors quote it. `when`: the occasions on which its author
    may write it (`occasion`). `buttons`: the kinds of its lines, on a board that is touched.

    `read`: makes the command from the words after this one and the form; raises LineFault.
    `offers`: the possible lines, each with what it does. `check`: the command with whole names and
    cells, if its author may give it; raises LineFault. `asks`: the question in an attack that it
    answers; "" for none. `last`: nothing may follow it.
    """

    form: str
    when: tuple[str, ...]
    buttons: Mapping[str, Verb]
    read: Callable[[Sequence[str], str], Command]
    offers: Callable[[Sea], Iterable[Choice]]
    check: Callable[[State, Command], Command] = lambda seen, command: command
    asks: str = ""
    last: bool = False
