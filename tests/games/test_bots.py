"""Bots for any game: one that writes whole orders at random, and the levels of captains."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
from high_low import GAME
from matches import played

import games
from adjudicator.authors.simulate import Plan, run, tally
from games.bots import MOST_LINES, Captain, Eased, Level, Ranked, Walker
from games.dice import Dice
from games.game import After, Choice, Deductions, View, Written

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


class Ranks(Captain):
    """Ranks the same four orders each time."""

    deduced = staticmethod(lambda view, events, before: Deductions())
    values = (100, 90, 80, -500)
    count = 0

    def ranked(self, dice: Dice, keep: int) -> list[Ranked]:
        return [Ranked(value, str(value)) for value in self.values][:keep]

    def chosen(self, written: Written) -> None:
        self.count += 1


def test_a_level_errs_half_as_often_for_each_ease() -> None:
    """Of 4,000 orders each ease further down has half as many; what is at the floor or below has
    none; and each that is given is remembered."""
    bot = Eased(Ranks, Level(10, floor=-500), "alice")
    bot.hear(View(SETUP, "alice", {}), ())
    said = Counter(bot.order(Dice(b"%d" % number)).orders for number in range(4_000))
    whole = 1 + 1 / 2 + 1 / 4
    for value, share in (("100", 1), ("90", 1 / 2), ("80", 1 / 4)):
        assert abs(said[value] / 4_000 - share / whole) < 0.03
    assert set(said) == {"100", "90", "80"}
    assert bot._captain.count == 4_000  # type: ignore[attr-defined]


def test_a_level_gives_the_best_though_all_is_lost() -> None:
    """The floor holds only for what is worse than the best; and of one draw a seat depends on its
    dice and on how often it has ordered alone."""

    class Lost(Ranks):
        values = (-600, -700)

    assert Level(10, floor=-500).weights((-600, -700)) == [2**20, 0]
    assert Eased(Lost, Level(10, floor=-500), "alice").order(Dice(b"")).orders == "-600"
    bots = [Eased(Ranks, Level(10), "alice") for _ in range(2)]
    said = [[bot.order(Dice(b"same")).orders for _ in range(40)] for bot in bots]
    assert said[0] == said[1]
    assert len(set(said[0])) > 1


def test_a_slip_overlooks_the_best() -> None:
    """As often as the level says, and never where there is nothing else."""

    class One(Ranks):
        values = (100,)

    bot = Eased(Ranks, Level(1, slips=30), "alice")
    said = [bot.order(Dice(b"%d" % number)).orders for number in range(2_000)]
    assert abs(said.count("100") / 2_000 - 0.7) < 0.04
    assert Eased(One, Level(1, slips=100), "alice").order(Dice(b"")).orders == "100"


@pytest.mark.parametrize("name", ["silent-ships", "submarine-warfare"])
def test_levels_are_levels(name: str) -> None:
    """Each beats the one below it more often than not."""
    for better, worse in pairwise(reversed(list(games.load(name).bots))):
        plan = Plan(name, (better, worse), {}, b"levels")
        counted = tally(plan, list(run(plan, 12, print)))
        assert counted.bots[better].part > counted.bots[worse].part


EDITIONS: list[dict[str, Any]] = [
    {"edition": "print"},
    {"edition": "print", "speed": True},
    {"edition": "print", "flag_ship": False},
    {"edition": "2021-09-17"},
    {"edition": "2021-09-12"},
]


@pytest.mark.parametrize(
    ("game", "options", "many", "wins", "losses"),
    [
        *(("silent-ships", options, 40, 36, 4) for options in EDITIONS),
        ("submarine-warfare", {}, 24, 23, 1),
        ("sugar-dog", {}, 30, 25, 2),
    ],
)
def test_the_captain_beats_random_play(
    game: str, options: dict[str, Any], many: int, wins: int, losses: int
) -> None:
    """Of so many games, seats swapped, it wins so many or more, and loses so many at most."""
    won = []
    for seed in range(many // 2):
        for bots, seat in ((("captain", "random"), "alice"), (("random", "captain"), "bob")):
            *_, last = played(game, seed, bots, options)
            outcome = games.load(game).outcome(last.state)
            won.append(outcome.winner and outcome.winner == seat)
    assert won.count(True) >= wins
    assert won.count(False) <= losses


@pytest.mark.parametrize(("game", "many"), [("sugar-dog", 12), ("submarine-warfare", 2)])
def test_a_captain_does_not_do_what_warns(game: str, many: int) -> None:
    """In whole games none of its lines is one by which something of its own is surely lost."""
    for seed in range(many):
        for step in played(game, seed, ("captain", "captain")):
            for player, written in step.written.items():
                view, before = step.game.view(step.before, player), list[str]()
                for line in written.orders.splitlines():
                    (given,) = [x for x in step.game.after(view, before).choices if x.text == line]
                    assert not given.warns
                    before.append(line)


@pytest.mark.parametrize(
    ("game", "options", "bots", "most"),
    [
        *(("silent-ships", options, ("captain", "captain"), 400) for options in EDITIONS),
        ("silent-ships", {"stalemate": 0}, ("random", "random"), 1_999),
        *(
            ("submarine-warfare", options, bots, 260)
            for options in ({}, {"rounds": 0})
            for bots in (("random", "random"), ("captain", "captain"))
        ),
        *(
            ("sugar-dog", {}, bots, 599)
            for bots in (("random",) * 2, ("random",) * 8, ("captain", "random") * 2)
        ),
    ],
)
def test_games_end(game: str, options: dict[str, Any], bots: tuple[str, ...], most: int) -> None:
    """By themselves, within so many steps, whatever rules would let them go on."""
    assert max(len(played(game, seed, bots, options)) for seed in range(8)) <= most
