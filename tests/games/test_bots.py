"""Bots for any game: one that writes whole orders at random, and one between that and a captain."""

from __future__ import annotations

from typing import Any

import pytest
from matches import played

import games
from adjudicator.authors.simulate import Plan, run, tally
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
