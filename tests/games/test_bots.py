"""Bots for any game: one that writes whole orders at random, and one between that and a captain."""

from __future__ import annotations

from typing import Any

import pytest

from adjudicator.league.simulate import Plan, run, tally
from games.bots import ASTRAY, MOST_LINES, Walker, mate
from games.dice import Dice
from games.examples.high_low import GAME
from games.game import After, Choice, View, Written

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


def test_a_mate_is_a_captain_two_times_of_three() -> None:
    """Both hear all; which of them orders follows from the dice."""

    class Said:
        def __init__(self, word: str) -> None:
            self.word, self.heard = word, 0

        def hear(self, view: Any, events: Any) -> None:
            self.heard += 1

        def order(self, dice: Dice) -> Written:
            return Written(self.word)

    captain, other = Said("captain"), Said("other")
    bot = mate(lambda player: captain, lambda player: other)("alice")
    said = []
    for number in range(300):
        bot.hear(View(SETUP, "alice", {}), ())
        said.append(bot.order(Dice(b"%d" % number)).orders)
    assert captain.heard == other.heard == 300
    assert abs(said.count("other") - 300 // ASTRAY) < 30


@pytest.mark.parametrize("name", ["silent-ships", "submarine-warfare"])
def test_levels_are_levels(name: str) -> None:
    """A captain beats a mate, and a mate beats random play, more often than not."""
    for better, worse in (("captain", "mate"), ("mate", "random")):
        plan = Plan(name, (better, worse), {}, b"levels")
        counted = tally(plan, list(run(plan, 12, print)))
        assert counted.bots[better].part > counted.bots[worse].part
