"""One adjudication on its way: the state so far and what happened so far.

What belongs here: changing the state and telling events, the public and then the secret half
(SS-19). What it must not know: when to do either.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from games.dice import Dice
from games.game import EVERYONE, Event, Player
from games.grid import Cell
from games.options import Value
from games.silent_ships.state import (
    Over,
    State,
    moved,
    ship_at,
    turned_up,
    without,
)


@dataclass(frozen=True, slots=True)
class Run:
    """A state, the events that led to it in this step, and the game's dice."""

    state: State
    dice: Dice
    events: tuple[Event, ...] = ()

    def change(self, **changes: Any) -> Run:
        """With fields of the state replaced."""
        return replace(self, state=replace(self.state, **changes))

    def change_side(self, player: Player, **changes: Any) -> Run:
        """With fields of that player's side replaced."""
        side = replace(self.state.side(player), **changes)
        return replace(self, state=self.state.with_side(player, side))

    def tell(self, kind: str, /, **fields: Value) -> Run:
        """With a public event. A key that is a word of Python is written with `_` after it."""
        return self._event(kind, EVERYONE, fields)

    def whisper(self, player: Player, kind: str, /, **fields: Value) -> Run:
        """With an event for one player."""
        return self._event(kind, player, fields)

    def _event(self, kind: str, audience: str, fields: dict[str, Value]) -> Run:
        written = {
            key.rstrip("_"): str(value) if isinstance(value, Cell) else value
            for key, value in fields.items()
        }
        return replace(self, events=(*self.events, Event(kind, audience, written)))

    # What several rules do.

    def discard(self, player: Player, cards: tuple[str, ...]) -> Run:
        """Cards from hand, face down: how many is public, which is not (SS-4)."""
        side = self.state.side(player)
        return (
            self.change_side(
                player,
                hand=without(side.hand, cards),
                discards=self.state.cards.sort((*side.discards, *cards)),
            )
            .tell("discarded", player=player, count=len(cards))
            .whisper(player, "discarded", player=player, cards=list(cards))
        )

    def move(self, start: Cell, to: Cell) -> Run:
        """A ship enters an empty cell (SS-4, SS-11)."""
        board = moved(self.state.board, start, to)
        return self.change(board=board, active=True).tell("moved", from_=start, to=to)

    def turn_up(self, cell: Cell) -> Run:
        """A ship is turned face up, if it lies face down."""
        ship = ship_at(self.state.board, cell)
        if ship is None or ship.up:
            return self
        board = turned_up(self.state.board, cell)
        return self.change(board=board).tell("flipped", at=cell, ship=ship.name)

    def finish(self, winner: Player, how: str) -> Run:
        """The end of the game: nothing more is carried out."""
        return self.change(turn=None, active=False, attack=None, over=Over(winner, how)).tell(
            "over", winner=winner, how=how
        )
