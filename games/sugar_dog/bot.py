"""The bot that plays any legal line, and what every bot of this game needs.

What belongs here: choosing orders from one's own reports. What it must not know: the position, or
any opponent's report; all chance is the `Dice` that it is given.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.dice import Dice
from games.game import Choice, Player, Table, View, Written
from games.sugar_dog import moves


class Random:
    """Plays any legal line alike, but neither resigns nor speaks of a draw."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self._view: View | None = None

    def hear(self, view: View, events: Sequence[Table]) -> None:
        """Take in a report; only the view matters."""
        self._view = view

    def order(self, dice: Dice) -> Written:
        """One legal line, all equally likely."""
        view = heard(self._view)
        return Written(drawn(view, commands(view), dice).text)


def heard(view: View | None) -> View:
    """The last view; ValueError where there was none."""
    if view is None:
        raise ValueError("a bot orders only after it has heard a report")
    return view


def commands(view: View) -> tuple[Choice, ...]:
    """The lines that may come first and are commands of somebody who plays on."""
    choices = moves.after(view, ()).choices
    return tuple(choice for choice in choices if choice.text not in ("draw", "resign"))


def drawn(view: View, choices: Sequence[Choice], dice: Dice) -> Choice:
    """One of them, all equally likely: one draw for the setup, and one for each turn's number."""
    label = f"bot/{view.player}/{view.shown.get('n', 0)}"
    return choices[dice.below(label, len(choices))]
