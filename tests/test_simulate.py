"""`adjudicator simulate`: what is counted is what was played, however many processes play it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from adjudicator import simulate
from adjudicator.cli import cli
from adjudicator.simulate import UNFINISHED, Plan, Played, Share, play, run, tally
from games.dice import Dice
from games.game import View, Written
from games.silent_ships import GAME

SHIPS = Plan("silent-ships", ("captain", "random"), {}, b"seed")


def called(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["simulate", *arguments])


def test_the_same_seed_gives_the_same_games_in_any_number_of_processes() -> None:
    """Game for game; another seed gives others."""
    one, two = (list(run(SHIPS, 10, jobs)) for jobs in (1, 2))
    assert one == two
    assert one[7] == play(SHIPS, 7)
    other = Plan("silent-ships", ("captain", "random"), {}, b"other")
    assert list(run(other, 10)) != one


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
        Played(0, 0, 9, "won"),  # captain in seat 1, first mover
        Played(0, 1, 5, "won"),  # random in seat 1, second mover
        Played(1, 1, 7, "won"),  # random in seat 2, first mover
        Played(None, 0, 30, "draw"),
        Played(None, None, 1, "draw"),  # nobody moved
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
    assert play(SHIPS, 0) == Played(None, 0, 2, UNFINISHED)


def test_the_command_tells_shares_with_their_intervals() -> None:
    """How far it is stands on standard error, so that the figures can be kept."""
    done = called("silent-ships", "--games", "20", "--seed", "07", "--bots", "captain,random")
    assert done.exit_code == 0
    assert done.stdout.startswith("20 games of silent-ships/1: captain, random\n")
    assert "won by captain" in done.stdout
    assert done.stdout.endswith("again: --games 20 --seed 07\n")
    assert done.stderr.splitlines()[-1] == "20 of 20 games"
    again = called("silent-ships", "--games", "20", "--seed", "07", "--bots", "captain,random")
    assert again.stdout == done.stdout
    told = json.loads(called("silent-ships", "--games", "4", "--seed", "07", "--json").stdout)
    assert set(told["seats"][0]) == {"won", "of", "low", "high"}
    assert sum(seat["won"] for seat in told["seats"]) + told["nobody"]["won"] == told["games"] == 4
    assert sum(one["won"] for one in told["how"].values()) == 4
    assert told["steps"]["least"] <= told["steps"]["median"] <= told["steps"]["most"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("chess",), "no game 'chess'"),
        (("sugar-dog", "--bots", "captain,admiral"), "no bot 'admiral': captain, mate, random"),
        (("sugar-dog", "--bots", "captain"), "1 bots: a simulation of sugar-dog seats 2 to 8"),
        (("sugar-dog", "--option", "missed=maybe"), "expected one of silent, resign"),
        (("sugar-dog", "--seed", "xyz"), "xyz"),
    ],
)
def test_what_cannot_be_played_is_refused_at_once(arguments: tuple[str, ...], said: str) -> None:
    """In one line, before the first game."""
    done = called(*arguments)
    assert done.exit_code != 0
    assert said in done.stderr
    assert done.stdout == ""


def test_a_house_table_is_played_by(tmp_path: Path) -> None:
    """Another table gives other games; one that is none is refused."""
    text = CliRunner().invoke(cli, ["rules", "submarine-warfare", "--table"]).stdout
    table = tmp_path / "specials.toml"
    table.write_text(text.replace("range = 3", "range = 6"))
    usual = ("submarine-warfare", "--games", "4", "--seed", "07")
    assert called(*usual).stdout != called(*usual, "--table", str(table)).stdout
    table.write_text("[torpedo]\n")
    assert "table of specials" in called(*usual, "--table", str(table)).stderr
