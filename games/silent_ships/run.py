"""One adjudication as it is carried out: the position that it changes, and the events so far.

States never change, but the rules of a step read best as changes, one after the other. So a step
takes the state apart into a `Run`, changes that, and makes a new state of it at the end. Whatever
changes the position here adds its events at the same moment, so that no rule can forget one. What
belongs here is what several rules do; the rules decide when.

What only one player knows, the rules ask of that player (`secret`). A host knows it. In a duel each
player has a run of their own, which knows half of the position (`duel`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TypeVar

from games.dice import Dice
from games.game import Event, Player, Step
from games.grid import Cell
from games.silent_ships import events
from games.silent_ships.cards import edition
from games.silent_ships.events import Events
from games.silent_ships.state import Over, Ship, Side, State, moved, named, turned_up, without

T = TypeVar("T")


class Piles:
    """One player's cards off the board, as a step changes them; the fields are those of `Side`."""

    def __init__(self, side: Side) -> None:
        self.hand, self.deck, self.discards, self.sunk, self.standing, self.shuffles = side

    @property
    def side(self) -> Side:
        """The piles as they are now."""
        return Side(self.hand, self.deck, self.discards, self.sunk, self.standing, self.shuffles)


class Run:
    """A position that changes, the events that led to it in this step, and the game's dice.

    The fields are those of `State`, with `piles` in place of `sides`, and its table of ships and
    edition. The piles are this run's own; every other value is replaced and never changed, so older
    values stay as they were.
    """

    def __init__(self, state: State, dice: Dice) -> None:
        self.dice = dice
        self.events: list[Event] = []
        self.setup = state.setup
        self.cards = state.cards
        self.edition = edition(state.setup.options)
        self.piles = {player: Piles(side) for player, side in state.sides.items()}
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
            sides={player: piles.side for player, piles in self.piles.items()},
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
        """The result of the adjudication, if it ends here."""
        return Step(self.state, tuple(self.events))

    def secret(self, owner: Player, what: str, known: Callable[[], T]) -> T:
        """What only `owner` knows and the rules now need: `what` names it, `known` says it."""
        return known()

    @property
    def asked(self) -> Sequence[Player]:
        """The players in the order in which they are asked what both must tell."""
        return self.setup.players

    def show(self, cells: Iterable[Cell], what: str = "names") -> None:
        """Ask for the names of the ships that lie face down in these cells."""
        down = [ship for cell in cells if not (ship := self.board[cell]).up]
        for player in self.asked:
            own = [ship for ship in down if ship.owner == player]
            if own:
                names = self.secret(player, what, partial(_names, own))
                self.board = named(self.board, own, names)

    def shuffle(self, player: Player, cards: Sequence[str]) -> tuple[str, ...]:
        """That player's new deck of these cards."""
        return self.dice.shuffle(f"shuffle/{player}/{self.piles[player].shuffles}", cards)

    def take(self, player: Player, count: int) -> tuple[str, ...]:
        """The cards on top of that player's deck, at most so many."""
        piles = self.piles[player]
        taken, piles.deck = piles.deck[:count], piles.deck[count:]
        return taken

    def tell(self, told: Events) -> None:
        """Add these events."""
        self.events += told

    def discard(self, player: Player, cards: tuple[str, ...]) -> None:
        """Give up cards of the hand, face down: how many is public, which ones is not (SS-4)."""
        piles = self.piles[player]
        piles.hand = without(piles.hand, cards)
        piles.discards = self.cards.sort((*piles.discards, *cards))
        self.tell(events.discarded(player, cards))

    def move(self, start: Cell, to: Cell) -> None:
        """Move a ship into an empty cell (SS-4, SS-11)."""
        self.board = moved(self.board, start, to)
        self.active = True
        self.tell(events.moved(start, to))

    def turn_up(self, cell: Cell) -> None:
        """Turn a ship face up, if it lies face down."""
        ship = self.board[cell]
        if not ship.up:
            self.board = turned_up(self.board, cell)
            self.tell(events.flipped(cell, ship.name))

    def finish(self, winner: Player | None, how: str) -> None:
        """End the game, won or (None) drawn: nothing more is carried out."""
        self.turn, self.active, self.attack = None, False, None
        self.over = Over(winner, how)
        self.tell(events.over(winner, how))


def _names(ships: Sequence[Ship]) -> list[str]:
    return [ship.name for ship in ships]
