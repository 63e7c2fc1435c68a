"""`demo`: a whole game between bots, by one command."""

from __future__ import annotations

from typing import Any

import pytest

from games.bots import Listener
from games.dice import Dice
from games.game import Written
from games.sugar_dog import GAME

Table = Any

RANDOM = ("--bot", "random", "--bot", "random")
"""Two bots whose game is soon over."""


def test_demo_by_name(alone: Table) -> None:
    """`demo GAME`, a number of players that does not fit, more bots than seats."""
    assert "TRUE: " in alone.ok("demo", "silent-ships", "--quiet", "--seed", "07")
    error = alone.fails("bad-option", "demo", "--players", "1")
    assert "1 player is too few for sugar-dog, which seats 2 to 26" in error
    assert "hint: --players 2" in error
    many = alone.fails("bad-option", "demo", "--bot", "captain,random,random", "--players", "2")
    assert "3 bots for 2 seats" in many
    assert "hint: --players 3" in many
    out = alone.ok("demo", "--bot", "random", "--bot", "random,random", "--seed", "07")
    assert out.startswith("Sugar Dog: alice (random), bob (random), carol (random); ")
    alone.fails("unknown-game", "demo", "sugar-cat")
    alone.ok(
        "demo", "submarine-warfare", "--quiet", "--option", "live", "--seed", "02", "--keep", "k"
    )
    assert 'turn_time = "90s"' in (alone.root / "k/record/invite.toml").read_text()
    alone.fails("bad-option", "demo", "--option", "none")


def test_a_demo_keeps_a_record_that_is_true(alone: Table) -> None:
    """With seats that open their own reports. An existing folder is not touched."""
    out = alone.ok("demo", "--seed", "01", "--quiet", "--keep", "kept")
    assert "TRUE: " in out
    assert out.endswith("kept: all files; kept/record is the host's record\n")
    assert "TRUE: " in alone.ok("verify", "kept/record", "--seat", "kept/bob/bob.seat")
    before = sorted(alone.root.rglob("*"))
    error = alone.fails("exists", "demo", "--keep", "kept")
    assert "'kept' is there already" in error
    assert sorted(alone.root.rglob("*")) == before


def test_all_of_a_demo_follows_from_its_seed(alone: Table) -> None:
    """The same seed prints the same, another seed something else; nothing is left in the folder."""
    one = alone.ok("demo", "--seed", "07", *RANDOM)
    assert alone.ok("demo", "sugar-dog", "--seed", "07", *RANDOM) == one
    assert alone.ok("demo", "--seed", "08", *RANDOM) != one
    assert list(alone.root.iterdir()) == []


def test_a_demo_tells_the_game_and_the_verdict(alone: Table) -> None:
    """Who plays which bot, each step with its number, the reveal, and what a stranger finds."""
    out = alone.ok("demo", "--seed", "05", "--players", "3", "--bot", "random")
    assert out.startswith("Sugar Dog: alice (random), bob (captain), carol (captain); boards as ")
    steps = [line for line in out.splitlines() if line.startswith("[")]
    assert [line.split("]")[0] for line in steps] == [f"[{n}" for n in range(len(steps))]
    assert "The host opens all that was hidden: now anybody can check the game.\n" in out
    story, _, found = out.partition("\nNow a stranger verifies the record:\n")
    assert "TRUE: " not in story
    assert found == alone.ok("demo", "--seed", "05", "--players", "3", "--bot", "random", "--quiet")


@pytest.mark.parametrize(
    ("given", "quoted"),
    [
        (("--bot", "genius"), "no bot 'genius': random, "),
        (("--option", "missed=never"), "missed"),
        (("--option", "frist=a"), "'frist' is no option of sugar-dog"),
        (("silent-ships", "--option", "edition=2021"), "edition = '2021'"),
    ],
)
def test_a_demo_quotes_what_it_does_not_know(
    alone: Table, given: tuple[str, ...], quoted: str
) -> None:
    """It plays nothing then."""
    assert quoted in alone.fails("bad-option", "demo", *given)


def test_a_demo_shows_its_boards_when_asked(finished: Table) -> None:
    """The story alone, with the board at its end; with --boards every one."""
    story = finished.ok("demo", "sugar-dog", "--seed", "08", *RANDOM)
    boards = finished.ok("demo", "sugar-dog", "--seed", "08", *RANDOM, "--boards")
    rule = "A  B  C  D  E  F"
    assert story.count(rule) == 1
    assert boards.count(rule) > 3
    assert [line for line in boards.splitlines() if line.startswith("[")] == [
        line for line in story.splitlines() if line.startswith("[")
    ]


class Resigner(Listener):
    """Starts, and resigns at once."""

    def order(self, dice: Dice) -> Written:
        return Written("resign" if self.view.shown.get("turn") else "start A1")


def test_as_many_as_the_game_seats_make_a_record(
    alone: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of the 26 has a name of their own; a stranger finds their record true."""
    monkeypatch.setattr(type(GAME), "bots", {"captain": Resigner})
    out = alone.ok("demo", "--players", "26", "--seed", "07", "--keep", "kept")
    assert "(captain), zoe (captain); boards as alice sees them" in out
    assert "TRUE: " in out
    said = alone.ok("verify", "kept/record", "--seat", "kept/zoe/zoe.seat")
    assert "TRUE: " in said
