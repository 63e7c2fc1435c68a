"""The bot for any game: what it writes are whole orders, drawn by the dice alone."""

from __future__ import annotations

from typing import Any

import pytest
from elsewhere.high_low import GAME

from games.dice import Dice
from games.game import After, Choice
from games.walker import MOST_LINES, Walker

SETUP = GAME.setup(("alice", "bob"), {})


class Endless(type(GAME)):  # type: ignore[misc]
    """A game in which one line more may always be written."""

    whole = True

    def after(self, view: Any, lines: Any) -> After:
        return After((Choice("more"),), complete=self.whole and len(lines) > 1)


def test_a_walker_ends_where_orders_are_whole() -> None:
    """Here after two lines or more; and where they never are, it says so."""
    walker = Walker(Endless(), "alice")
    with pytest.raises(ValueError, match="alice has heard nothing"):
        walker.order(Dice(b""))
    walker.hear(GAME.view(GAME.start(SETUP), "alice"), ())
    counts = [walker.order(Dice(b"%d" % seed)).orders.count("more") for seed in range(40)]
    assert min(counts) == 2 < max(counts) < MOST_LINES
    walker.game.whole = False  # type: ignore[attr-defined]
    with pytest.raises(ValueError, match="no whole orders for alice begin with"):
        walker.order(Dice(b""))
