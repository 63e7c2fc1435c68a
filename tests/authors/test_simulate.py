"""`adjudicator simulate`: what is counted is what was played, however many processes play it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from adjudicator.authors import simulate
from adjudicator.authors.simulate import UNFINISHED, GameResult, Plan, Share, play, run, tally
from games.dice import Dice
from games.game import View, Written
from games.silent_ships import GAME

SHIPS = Plan("silent-ships", ("captain", "random"), {}, b"seed")


def test_the_same_seed_gives_the_same_games_in_any_number_of_processes() -> None:
    """Game for game; another seed gives others."""
    one, two = (list(run(SHIPS, 10, print, jobs)) for jobs in (1, 2))
    assert one == two
    assert one[7] == play(SHIPS, 7)
    other = Plan("silent-ships", ("captain", "random"), {}, b"other")
    assert list(run(other, 10, print)) != one


def test_bots_change_seats_with_each_game() -> None:
    """So that no bot has the better seat more often."""
    plan = Plan("sugar-dog", ("captain", "mate", "random"), {}, b"")
    assert [plan.seating(number) for number in range(4)] == [
        ("captain", "mate", "random"),
        ("mate", "random", "captain"),
        ("random", "captain", "mate"),
        ("captain", "mate", "random"),
    ]


def test_every_bot_hears_its_own_reports_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Views of its own eyes, events that it may hear."""
    heard: list[tuple[str, str | None, set[str]]] = []
    captain = GAME.bots["captain"]

    class Spy:
        def __init__(self, player: str) -> None:
            self.player, self.bot = player, captain(player)

        def hear(self, view: View, events: Sequence[Any]) -> None:
            heard.append((self.player, view.player, {event["for"] for event in events}))
            self.bot.hear(view, events)

        def order(self, dice: Dice) -> Written:
            return self.bot.order(dice)

    monkeypatch.setattr(type(GAME), "bots", {"spy": Spy})
    play(Plan("silent-ships", ("spy", "spy"), {}, b"spied"), 0)
    assert {player for player, _, _ in heard} == {"alice", "bob"}
    assert all(player == whose for player, whose, _ in heard)
    assert all(audience <= {"*", player} for player, _, audience in heard)


def test_what_was_played_is_counted() -> None:
    """By seat, by who moved first, by bot; draws and ends too."""
    plan = Plan("sugar-dog", ("captain", "random"), {}, b"")
    played = [
        GameResult(0, 0, 9, "won"),  # captain in seat 1, first mover
        GameResult(0, 1, 5, "won"),  # random in seat 1, second mover
        GameResult(1, 1, 7, "won"),  # random in seat 2, first mover
        GameResult(None, 0, 30, "draw"),
        GameResult(None, None, 1, "draw"),  # nobody moved
    ]
    counted = tally(plan, played)
    assert counted.games == 5
    assert counted.seats == (Share(2, 5), Share(1, 5))
    assert counted.movers == (Share(2, 4), Share(1, 4))
    assert counted.bots == {"captain": Share(1, 5), "random": Share(2, 5)}
    assert counted.nobody == Share(2, 5)
    assert counted.how == {"won": Share(3, 5), "draw": Share(2, 5)}
    assert counted.steps == [1, 5, 7, 9, 30]


@pytest.mark.parametrize(
    ("part", "whole", "low", "high"),
    [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (90, 100, 0.8256, 0.9448), (0, 0, 0.0, 1.0)],
)
def test_intervals_are_wilsons(part: int, whole: int, low: float, high: float) -> None:
    """E. B. Wilson 1927: never outside 0 and 1, also where nothing or all was won."""
    found = Share(part, whole).interval()
    assert found == pytest.approx((low, high), abs=0.0001)


def test_a_game_without_an_end_is_unfinished(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is counted as such and won by nobody."""
    monkeypatch.setattr(simulate, "MOST_STEPS", 2)
    assert play(SHIPS, 0) == GameResult(None, 0, 2, UNFINISHED)
