"""The mate: a bot between a captain and one that plays anything."""

from __future__ import annotations

from typing import Any

import pytest

from adjudicator.league.simulate import Plan, run, tally
from games.dice import Dice
from games.game import View, Written
from games.mate import ASTRAY, mate
from games.silent_ships import GAME


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
        bot.hear(View(GAME.setup(("alice", "bob"), {}), "alice", {}), ())
        said.append(bot.order(Dice(b"%d" % number)).orders)
    assert captain.heard == other.heard == 300
    assert abs(said.count("other") - 300 // ASTRAY) < 30


@pytest.mark.parametrize("name", ["silent-ships", "submarine-warfare"])
def test_levels_are_levels(name: str) -> None:
    """A captain beats a mate, and a mate beats random play, more often than not."""
    for better, worse in (("captain", "mate"), ("mate", "random")):
        plan = Plan(name, (better, worse), {}, b"levels")
        counted = tally(plan, list(run(plan, 12)))
        assert counted.bots[better].part > counted.bots[worse].part
