"""The bots: games end, and judgement beats chance."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from games.silent_ships import GAME
from games.silent_ships.bot import Captain

OPTIONS = [
    {"edition": "print"},
    {"edition": "print", "speed": True},
    {"edition": "print", "flag_ship": False},
    {"edition": "2021-09-17"},
    {"edition": "2021-09-12"},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_the_captain_beats_the_random_bot(play: Any, options: dict[str, Any]) -> None:
    """At least 36 of 40 games, seats swapped, seeds fixed (32 are asked for)."""
    won = 0
    for seed in range(20):
        for bots, seat in ((("captain", "random"), "alice"), (("random", "captain"), "bob")):
            *_, last = play(seed, bots, options)
            won += GAME.outcome(last.state).winner == seat
    assert won >= 36


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_captains_play_games_that_end(play: Any, options: dict[str, Any]) -> None:
    """Between captains, in a few hundred steps at most."""
    for seed in range(5):
        assert len(play(seed, ("captain", "captain"), options)) <= 400


def test_standing_orders_spare_files(play: Any) -> None:
    """Captains without them write more, in games that end as well."""
    files = []
    for captain in (Captain, partial(Captain, standing=False)):
        games = [play(seed, (captain, captain), each) for each in OPTIONS for seed in range(5)]
        assert max(map(len, games)) <= 400
        files.append(sum(len(step.written) for steps in games for step in steps))
    assert files[0] < files[1] * 3 // 4


def test_games_without_a_stalemate_end_by_patience(play: Any) -> None:
    """With `stalemate = 0` as well: bots offer an end in time."""
    for seed in range(6):
        *_, last = play(seed, ("random", "random"), {"stalemate": 0})
        assert GAME.outcome(last.state) is not None
