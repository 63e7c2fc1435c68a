"""A bot for any game: it writes what may be written next, as the dice have it.

What belongs here: a way through `Game.after`. What it must not know: any game's lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.dice import Dice
from games.game import Game, Player, Table, View, Written

MOST_LINES = 200
"""Lines of one order file; some games offer one more for ever."""


class Walker:
    """Takes any line that is offered, until its orders are whole and the dice say enough."""

    def __init__(self, game: Game[Any, Any], player: Player) -> None:
        self.game = game
        self.player = player
        self.view: View | None = None

    def hear(self, view: View, events: Sequence[Table]) -> None:
        """Keep the view; what happened does not matter."""
        self.view = view

    def order(self, dice: Dice) -> Written:
        """Lines that are whole orders; raises ValueError where none are offered."""
        if self.view is None:
            raise ValueError(f"{self.player} has heard nothing yet")
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
