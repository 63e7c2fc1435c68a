"""The bot that plays random legal lines, and functions that every bot of this game needs.

A bot knows only its own reports; all chance is the `Dice` that it is given.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.dice import Dice
from games.game import Choice, View, Written
from games.sugar_dog import moves
from games.walker import Listener


class Random(Listener):
    """Plays any legal line, all equally likely, but neither resigns nor offers a draw."""

    def order(self, dice: Dice) -> Written:
        """One legal line, all equally likely."""
        return Written(drawn(self.view, commands(self.view), dice).text)


def commands(view: View) -> tuple[Choice, ...]:
    """The possible first lines, without `resign`."""
    choices = moves.after(view, ()).choices
    return tuple(choice for choice in choices if choice.text not in ("draw", "resign"))


def drawn(view: View, choices: Sequence[Choice], dice: Dice) -> Choice:
    """One of them, all equally likely: one draw for the setup, and one for each turn's number."""
    label = f"bot/{view.player}/{view.shown.get('n', 0)}"
    return choices[dice.below(label, len(choices))]
