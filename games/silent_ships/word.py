"""What there is to know about an order word, in one row; and the sea from which its next lines
come.

What belongs here: the row, and what may lie where as far as a file's author can know. What it must
not know: any single order word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from games.game import Choice
from games.grid import Cell, by_row
from games.silent_ships.cards import Cards
from games.silent_ships.lines import Command
from games.silent_ships.state import BOARD, Ship
from games.silent_ships.view import Sight


class Sea(NamedTuple):
    """What may lie where, as far as a file's author can know, and which cards they may have.

    Before the first attack of a file this is what their sight shows. After it, it is all that any
    answers and battles would allow. `ships` are the author's own, each as it may lie; `enemies` and
    `empty` are the cells that may hold an enemy's ship, or none. All are in row, then column order.
    `sight` has the cards that the author may still have, and their ships that may have been sunk.
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
        """With these ships too, as they lie and face up."""
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
    """The sea as a sight shows it."""
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
    """For a word that changes nothing in what may be."""
    return sea


def occasion(sight: Sight) -> str:
    """For what a player writes a file, while the game goes on.

    `setup`, `turn`, `answer`, or `beside` while they are not awaited.
    """
    if sight.turn is None:
        return "setup"
    if sight.attack is None:
        return "turn" if sight.turn == sight.player else "beside"
    return "answer" if sight.attack.player == sight.player else "beside"


@dataclass(frozen=True, slots=True)
class Word:
    """An order word: everything but the rule that carries it out, which stands in `rules` or
    `attack`.

    `form`: how its line is written, as errors quote it. `when`: on which occasions its author may
    write it (`occasion`). `read`: the command, from the words after this one and the form; raises
    LineFault. `check`: the command with whole names and cells, if its author may give it; raises
    LineFault. `leaves`: what a checked command leaves of its author's sight, before others act.
    `may_leave`: what may be true after a command that may have been carried out, or not. `offers`:
    the lines that may be possible, each with a sentence that says what it does. `decision`: an
    answer to what is asked in an attack. `last`: nothing may follow it.
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
