"""The admiral: a captain that looks ahead, for any game.

It knows no game. For each of the captain's best orders, and in each of some positions drawn from
what the seat can deduce, it plays on by the rules: these orders first, then some that captains give
to whom only their own views are told. Where that ends, the outcome or the position's worth counts,
and all positions count alike beside the value that the captain gave. In each position all orders
meet the same dice, so that luck does not decide between them. The effort is counted in positions
and orders, never in time, so that the same seed gives the same game on every machine.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from games.bots import Captain, Ranked
from games.dice import Dice
from games.game import Game, Player, Table, View, Written


class Effort(NamedTuple):
    """How far an admiral looks: the best `width` orders, in `worlds` positions, `plies` steps on.

    `won` and `drawn`: what such a game is worth, in the unit of the captain's values."""

    width: int
    worlds: int
    plies: int
    won: int
    drawn: int = 0


class Admiral(Captain):
    """A captain whose values come from a search."""

    def __init__(
        self,
        game: Game[Any, Any],
        captain: Callable[[Player], Captain],
        effort: Effort,
        player: Player,
    ) -> None:
        super().__init__(player)
        self._game, self._made, self._effort = game, captain, effort
        self._captain = captain(player)
        self._ordered = 0

    def hear(self, view: View, events: Sequence[Table]) -> None:
        """Take in a report, as the captain does."""
        self._captain.hear(view, events)

    def chosen(self, written: Written) -> None:
        """Remember that these orders were given, as the captain does."""
        self._captain.chosen(written)
        self._ordered += 1

    def why(self, orders: str) -> str:
        """What speaks for the orders, as the captain says it."""
        return self._captain.why(orders)

    def ranked(self, dice: Dice, keep: int) -> Sequence[Ranked]:
        """The captain's best orders, by what they come to."""
        found = self._captain.ranked(dice, self._effort.width)
        dice = _other(dice, str(self._ordered))
        worlds = self._captain.worlds(dice, self._effort.worlds) if len(found) > 1 else ()
        if not worlds:
            return found[:keep]
        seen = [
            Ranked(
                one.value
                + sum(
                    self._after(world, Written(one.orders), _other(dice, f"world/{number}"))
                    for number, world in enumerate(worlds)
                )
                // len(worlds),
                one.orders,
            )
            for one in found
        ]
        return sorted(seen, key=lambda one: -one.value)[:keep]

    def _after(self, state: Any, given: Written, dice: Dice) -> int:
        """What the position comes to if this seat gives these orders."""
        game, mine = self._game, self.player
        bots: dict[Player, Captain] = {mine: self._captain.twin()}
        for ply in range(1 + self._effort.plies):
            if game.outcome(state) is not None:
                break
            orders = {}
            for player, _ in game.awaited(state):
                view = game.view(state, player)
                if player not in bots:
                    bots[player] = self._made(player)
                    bots[player].hear(view, ())
                if ply or player != mine:
                    written = bots[player].order(_other(dice, f"{player}/{ply}"))
                else:
                    bots[mine].chosen(written := given)
                orders[player] = game.read(view, written)
            step = game.adjudicate(state, orders, _other(dice, f"step/{ply}"))
            state = step.state
            for player, bot in bots.items():
                told = [event.whole() for event in step.events if event.heard_by(player)]
                bot.hear(game.view(state, player), told)
        ended = game.outcome(state)
        if ended is None:
            return self._captain.worth(state)
        if ended.winner is None:
            return self._effort.drawn
        return self._effort.won if ended.winner == mine else -self._effort.won


def _other(dice: Dice, label: str) -> Dice:
    """Other dice, which these and the label decide."""
    return Dice(hashlib.sha256(dice.seed + label.encode()).digest())
