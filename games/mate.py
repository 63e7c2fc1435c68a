"""A bot between two others: it orders as a captain most of the time, and otherwise at random."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from games.dice import Dice
from games.game import Bot, Player, Table, View, Written

ASTRAY = 3
"""One order in so many is the other bot's, not the captain's."""


class Mate:
    """Orders as `captain` does two times out of three, and otherwise as `other` does."""

    def __init__(
        self, captain: Callable[[Player], Bot], other: Callable[[Player], Bot], player: Player
    ) -> None:
        self._bots = (other(player), captain(player))
        self._ordered = 0

    def hear(self, view: View, events: Sequence[Table]) -> None:
        """Let both hear every report, so that the captain misses nothing."""
        for bot in self._bots:
            bot.hear(view, events)

    def order(self, dice: Dice) -> Written:
        """The orders of one of the two, as the dice decide."""
        self._ordered += 1
        return self._bots[dice.below(f"mate/{self._ordered}", ASTRAY) > 0].order(dice)


def mate(
    captain: Callable[[Player], Bot], other: Callable[[Player], Bot]
) -> Callable[[Player], Bot]:
    """Makes such a bot for a player."""
    return partial(Mate, captain, other)
