"""One adjudication on its way: the state so far and the events so far.

What belongs here: steps that several rules take, each a change of the state and its events. The
rules decide when.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from games.dice import Dice
from games.game import Event, Player
from games.grid import Cell
from games.silent_ships import events
from games.silent_ships.events import Events
from games.silent_ships.state import (
    Over,
    State,
    moved,
    turned_up,
    without,
)
from games.values import changed


@dataclass(frozen=True)
class Run:
    """A state, the events that led to it in this step, and the game's dice."""

    state: State
    dice: Dice
    events: tuple[Event, ...] = ()

    def change(self, **changes: Any) -> Run:
        """With fields of the state replaced."""
        return Run(changed(self.state, **changes), self.dice, self.events)

    def change_side(self, player: Player, **changes: Any) -> Run:
        """With fields of that player's side replaced."""
        side = changed(self.state.side(player), **changes)
        return Run(self.state.with_side(player, side), self.dice, self.events)

    def tell(self, events: Events) -> Run:
        """With these events told."""
        return Run(self.state, self.dice, (*self.events, *events))

    def discard(self, player: Player, cards: tuple[str, ...]) -> Run:
        """Cards from hand, face down: how many is public, which is not (SS-4)."""
        side = self.state.side(player)
        return self.change_side(
            player,
            hand=without(side.hand, cards),
            discards=self.state.cards.sort((*side.discards, *cards)),
        ).tell(events.discarded(player, cards))

    def move(self, start: Cell, to: Cell) -> Run:
        """A ship enters an empty cell (SS-4, SS-11)."""
        board = moved(self.state.board, start, to)
        return self.change(board=board, active=True).tell(events.moved(start, to))

    def turn_up(self, cell: Cell) -> Run:
        """A ship is turned face up, if it lies face down."""
        for ship in self.state.board:
            if ship.at == cell and not ship.up:
                board = turned_up(self.state.board, cell)
                return self.change(board=board).tell(events.flipped(cell, ship.name))
        return self

    def finish(self, winner: Player, how: str) -> Run:
        """The end of the game: nothing more is carried out."""
        ended = self.change(turn=None, active=False, attack=None, over=Over(winner, how))
        return ended.tell(events.over(winner, how))
