"""One adjudication on its way: the position that it changes, and the events so far.

What belongs here: steps that several rules take, each a change of the position and its events. The
rules decide when.
"""

from __future__ import annotations

from typing import Any

from games.dice import Dice
from games.game import Event, Player, Step
from games.grid import Cell
from games.silent_ships import events
from games.silent_ships.cards import edition
from games.silent_ships.events import Events
from games.silent_ships.state import Over, State, moved, turned_up, without


class Run:
    """A position that changes, the events that led to it in this step, and the game's dice.

    The fields are those of `State`, and its table of ships and edition. Each holds a value that is
    replaced and never changed itself, so whoever keeps one keeps what was.
    """

    def __init__(self, state: State, dice: Dice) -> None:
        self.dice = dice
        self.events: list[Event] = []
        self.setup = state.setup
        self.cards = state.cards
        self.edition = edition(state.setup.options)
        self.sides = state.sides
        self.turn = state.turn
        self.board = state.board
        self.idle = state.idle
        self.active = state.active
        self.offers = state.offers
        self.attack = state.attack
        self.over = state.over
        self.named = state.named

    @property
    def state(self) -> State:
        """The position as it is now."""
        return State(
            setup=self.setup,
            sides=self.sides,
            turn=self.turn,
            board=self.board,
            idle=self.idle,
            active=self.active,
            offers=self.offers,
            attack=self.attack,
            over=self.over,
            named=self.named,
        )

    @property
    def step(self) -> Step[State]:
        """What the adjudication yields if it ends here."""
        return Step(self.state, tuple(self.events))

    def tell(self, told: Events) -> None:
        """Tell these events."""
        self.events += told

    def change_side(self, player: Player, **changes: Any) -> None:
        """Replace fields of that player's side."""
        self.sides = {**self.sides, player: self.sides[player]._replace(**changes)}

    def discard(self, player: Player, cards: tuple[str, ...]) -> None:
        """Cards from hand, face down: how many is public, which is not (SS-4)."""
        side = self.sides[player]
        hand, discards = without(side.hand, cards), self.cards.sort((*side.discards, *cards))
        self.change_side(player, hand=hand, discards=discards)
        self.tell(events.discarded(player, cards))

    def move(self, start: Cell, to: Cell) -> None:
        """A ship enters an empty cell (SS-4, SS-11)."""
        self.board = moved(self.board, start, to)
        self.active = True
        self.tell(events.moved(start, to))

    def turn_up(self, cell: Cell) -> None:
        """A ship is turned face up, if it lies face down."""
        ship = self.board[cell]
        if not ship.up:
            self.board = turned_up(self.board, cell)
            self.tell(events.flipped(cell, ship.name))

    def finish(self, winner: Player, how: str) -> None:
        """The end of the game: nothing more is carried out."""
        self.turn, self.active, self.attack = None, False, None
        self.over = Over(winner, how)
        self.tell(events.over(winner, how))
