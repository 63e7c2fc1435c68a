"""`simulate`: what the command tells, and what it refuses."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from adjudicator.authors.simulate import GameResult, Plan, tally
from adjudicator.cli import cli, simulate


def called(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["simulate", *arguments])


def test_the_command_tells_shares_with_their_intervals() -> None:
    """How far it is stands on standard error, so that the figures can be kept."""
    done = called("silent-ships", "--games", "20", "--seed", "07", "--bot", "captain,random")
    assert done.exit_code == 0
    assert done.stdout.startswith("20 games of silent-ships/2: captain, random\n")
    assert "won by captain" in done.stdout
    assert done.stderr.splitlines()[-1] == "20 of 20 games"
    again = called("silent-ships", "--games", "20", "--seed", "07", "--bot", "captain,random")
    assert again.stdout == done.stdout
    told = json.loads(called("silent-ships", "--games", "4", "--seed", "07", "--json").stdout)
    assert set(told["seats"][0]) == {"won", "of", "low", "high"}
    assert sum(seat["won"] for seat in told["seats"]) + told["nobody"]["won"] == told["games"] == 4
    assert sum(one["won"] for one in told["how"].values()) == 4
    assert told["steps"]["least"] <= told["steps"]["median"] <= told["steps"]["most"]


def test_the_last_line_plays_the_same_again(tmp_path: Path) -> None:
    """It holds all that was given, quoted for a shell; and seed and bots even if they were not."""
    table = tmp_path / "my specials.toml"
    table.write_text(CliRunner().invoke(cli, ["rules", "submarine-warfare", "--table"]).stdout)
    given = ("--option", "published", "--option", "rounds=6", "--table", str(table))
    done = called("submarine-warfare", "--games", "2", *given)
    again = done.stdout.splitlines()[-1]
    assert again.startswith("again: adjudicator simulate submarine-warfare --games 2 --seed ")
    assert called(*shlex.split(again)[3:]).stdout == done.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("chess",), "no game 'chess'"),
        (("sugar-dog", "--bot", "captain,hal"), "no bot 'hal': random, novice, mate, captain"),
        (
            ("sugar-dog", "--bot", "captain"),
            "error: 1 player is too few for sugar-dog, which seats 2 to 26",
        ),
        (
            ("submarine-warfare", "--bot", "captain,captain,captain"),
            "3 players are too many for submarine-warfare, which seats 2 [bad-option]\n"
            "hint: --bot captain,captain\n",
        ),
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


def test_a_game_in_which_all_move_at_once_has_no_movers() -> None:
    """No line says that nobody of nobody won."""
    plan = Plan("sugar-dog", ("random", "random"), {}, b"")
    groups = simulate._groups(tally(plan, [GameResult(0, None, 6, "won")]))
    assert [f"{what} {name}" for what, name, _ in groups] == [
        "won in seat 1", "won in seat 2", "won by nobody", "ended won",
    ]  # fmt: skip
