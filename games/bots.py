"""Bots for any game: the base of them all, one that writes random lines that `Game.after` offers,
and one between a captain and that."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from games.dice import Dice
from games.game import Bot, Deductions, Game, Player, Table, View, Written

MOST_LINES = 200
"""The most lines of one order file, because some games always offer one more."""
ASTRAY = 3
"""One order in so many is the other bot's, not the captain's."""


class Listener:
    """The base of bots: it keeps the view of the last report."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self._view: View | None = None

    def hear(self, view: View, events: Sequence[Table]) -> None:
        """Take in a report; only the view matters."""
        self._view = view

    @property
    def view(self) -> View:
        """The last view heard; raises ValueError if there was none."""
        if self._view is None:
            raise ValueError(f"{self.player} has heard nothing yet")
        return self._view


class Thinker(Listener):
    """A bot that takes in what its reports tell: `mind` is what its game's `deduced` remembers."""

    deduced: Callable[[View, Sequence[Table], Deductions | None], Deductions]

    def __init__(self, player: Player) -> None:
        super().__init__(player)
        self._known: Deductions | None = None

    def hear(self, view: View, events: Sequence[Table]) -> None:
        """Take in a report, and work out what it shows."""
        super().hear(view, events)
        self._known = self.deduced(view, events, self._known)

    @property
    def mind(self) -> Any:
        """The memory of what was worked out last; None if nothing was heard."""
        return None if self._known is None else self._known.memory


class Walker(Listener):
    """Takes random offered lines until its orders are whole and the dice end them."""

    def __init__(self, game: Game[Any, Any], player: Player) -> None:
        super().__init__(player)
        self.game = game

    def order(self, dice: Dice) -> Written:
        """Lines that are whole orders; raises ValueError if none are offered."""
        lines: list[str] = []
        for number in range(MOST_LINES):
            after = self.game.after(self.view, lines)
            texts = [choice.text for choice in after.choices]
            if after.complete and (not texts or dice.below(f"enough/{number}", 3) == 0):
                return Written("\n".join(lines))
            if not texts:
                break
            lines.append(texts[dice.below(f"line/{number}", len(texts))])
        raise ValueError(f"no whole orders for {self.player} begin with {lines[:5]}")


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
        return self._drawn(dice).order(dice)

    def recall(self, dice: Dice) -> None:
        """Remember the orders given with these dice: whoever of the two gave them does."""
        bot = self._drawn(dice)
        getattr(bot, "recall", bot.order)(dice)

    def _drawn(self, dice: Dice) -> Bot:
        self._ordered += 1
        return self._bots[dice.below(f"mate/{self._ordered}", ASTRAY) > 0]


def mate(
    captain: Callable[[Player], Bot], other: Callable[[Player], Bot]
) -> Callable[[Player], Bot]:
    """Makes such a bot for a player."""
    return partial(Mate, captain, other)
