"""An order word, as the row of a table: how its line is written, when it is allowed, what it
changes, and which lines it offers.

A row judges a line by the author's sight, which is exact. It offers lines by a `Sea`, which is the
sight and everything that may have become of it: after an attack the author does not know who
answers what, so a cell may hold a ship and may be empty.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from games.game import Choice
from games.grid import Cell, by_row
from games.silent_ships.cards import Cards
from games.silent_ships.lines import Command
from games.silent_ships.state import BOARD, Ship
from games.silent_ships.view import Sight


class Sea(NamedTuple):
    """What may be true when a line is carried out, as far as its author can know.

    Before the first attack of a file this is the author's sight; after it, whatever some answers
    and battles would bring. `ships` are the author's own, in each possible cell and face; `enemies`
    and `empty` are the cells that may hold an enemy's ship, or none. All are in row, then column
    order. `sight` has the cards that the author may still have, and their ships that may have been
    sunk.
    """

    sight: Sight
    ships: tuple[Ship, ...]
    enemies: tuple[Cell, ...]
    empty: tuple[Cell, ...]

    @property
    def cards(self) -> Cards:
        """The table of ships."""
        return self.sight.cards

    @property
    def hand(self) -> tuple[str, ...]:
        """The cards that the author may still have."""
        return self.sight.own.hand

    def with_ships(self, *ships: Ship) -> Sea:
        """With these ships too, each as it is and face up."""
        both = {*self.ships, *ships, *(ship._replace(up=True) for ship in ships)}
        key = self.cards.names.index
        found = sorted(both, key=lambda ship: (*by_row(ship.at), key(ship.name), ship.up))
        return self._replace(ships=tuple(found))

    def with_enemies(self, cells: Iterable[Cell]) -> Sea:
        """With these cells among those that may hold an enemy's ship."""
        return self._replace(enemies=tuple(sorted({*self.enemies, *cells}, key=by_row)))

    def with_sunk(self, names: Iterable[str]) -> Sea:
        """With these among the author's sunk ships."""
        sunk = self.cards.sort({*self.sight.own.sunk, *names})
        own = self.sight.own._replace(sunk=sunk)
        return self._replace(sight=self.sight._replace(own=own))

    def with_empty(self, cells: Iterable[Cell]) -> Sea:
        """With these cells among those that may be empty."""
        return self._replace(empty=tuple(sorted({*self.empty, *cells}, key=by_row)))


def sea_of(sight: Sight) -> Sea:
    """The sea while nothing is unknown."""
    return Sea(
        sight,
        tuple(ship for ship in sight.board.values() if ship.owner == sight.player),
        tuple(ship.at for ship in sight.board.values() if ship.owner != sight.player),
        tuple(cell for cell in BOARD.cells() if cell not in sight.board),
    )


def leaves_nothing(sight: Sight, command: Command) -> Sight:
    """For a word that changes nothing in its author's sight."""
    return sight


def may_leave_nothing(sea: Sea, command: Command) -> Sea:
    """For a word that changes nothing in the possible positions."""
    return sea


def occasion(sight: Sight) -> str:
    """The occasion of a player's file, while the game goes on: `setup`, `turn`, `answer`, or
    `beside` while they are not awaited."""
    if sight.turn is None:
        return "setup"
    if sight.attack is None:
        return "turn" if sight.turn == sight.player else "beside"
    return "answer" if sight.attack.player == sight.player else "beside"


class Word(NamedTuple):
    """An order word: everything except the rule that carries it out, which is in `rules` or
    `attack`.

    `form`: how its line is written, as errors quote it. `when`: the occasions on which its author
    may write it (`occasion`). `read`: makes the command from the words after this one and the form;
    raises LineFault. `check`: the command with whole names and cells, if its author may give it;
    raises LineFault. `leaves`: the author's sight after a checked command, before others act.
    `may_leave`: the sea after a command that may or may not have been carried out. `offers`: the
    possible lines, each with a sentence that says what it does. `decision`: it answers a question
    in an attack. `last`: nothing may follow it.
    """

    form: str
    when: tuple[str, ...]
    read: Callable[[Sequence[str], str], Command]
    check: Callable[[Sight, Command], Command]
    offers: Callable[[Sea], Iterator[Choice]]
    leaves: Callable[[Sight, Command], Sight] = leaves_nothing
    may_leave: Callable[[Sea, Command], Sea] = may_leave_nothing
    decision: bool = False
    last: bool = False
