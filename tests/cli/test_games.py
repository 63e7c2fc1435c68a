"""`games`, `rules`, `cases` and `try`: what there is to play, and what authors run."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import games

Table = Any
ROOT = Path(__file__).parents[2]


def fits(text: str) -> bool:
    """Whether it fits a window of 24 lines of 80, with a prompt below it."""
    return text.count("\n") < 24 and max(map(len, text.splitlines())) <= 80


def test_games_are_listed(alone: Table) -> None:
    """Each with players and what it is about; then how one sees what can be chosen."""
    out = alone.ok("games")
    assert fits(out)
    for name in games.installed():
        assert f"{name}  ({games.load(name).rules}, " in out
        assert games.load(name).summary in " ".join(out.split())
    assert "sugar-dog  (sugar-dog/1, 2 to 26 players)\n" in out
    assert "submarine-warfare  (submarine-warfare/2, 2 players)\n" in out
    end = "of one its options, presets and bots: adjudicator games GAME\n"
    assert out.endswith(end)
    assert "missed = " not in out


def test_of_one_game_all_that_can_be_chosen(alone: Table) -> None:
    """On one screen: options with their default and range, presets, bots."""
    every = alone.ok("games")
    for name in games.installed():
        game, out = games.load(name), alone.ok("games", name)
        assert fits(out)
        told = out.splitlines()
        assert "\n".join(told[:2]) in every
        assert all(f"\n  {option.name} = " in out for option in game.options)
        for preset, options in game.presets.items():
            values = ", ".join(f"{key} = {value}" for key, value in options.items())
            assert f"\n  {preset}, by --option {preset}: {values}\n" in out
        assert told[-1] == f"  bots, the weakest first: {', '.join(game.bots)}"
    dog, ships = alone.ok("games", "sugar-dog"), alone.ok("games", "silent-ships")
    assert "\n  missed = silent: what a missed deadline plays (SD-17) (silent, resign)\n" in dog
    assert (
        " misses = 1: how many missed in a row resign, with missed = resign (SD-17) (1 to 99)"
        in " ".join(dog.split())
    )
    assert "\n  first = (none): " in dog
    assert "\n  flag_ship = true: " in ships
    assert "\n  speed = false: " in ships
    assert "did you mean 'sugar-dog'?" in alone.fails("unknown-game", "games", "sugar-dogs")


def test_games_for_programs_are_those_that_are_listed(alone: Table) -> None:
    """The same games, with the values that a person reads."""
    found = {one["id"]: one for one in json.loads(alone.ok("games", "--json"))}
    assert set(found) == set(games.installed())
    assert all(json.loads(alone.ok("games", name, "--json")) == found[name] for name in found)
    dog = found["sugar-dog"]
    assert (dog["players"], dog["bots"]) == ([2, 26], ["random", "novice", "mate", "captain"])
    assert dog["options"]["missed"]["default"] == "silent"
    assert dog["options"]["first"]["default"] is None


def test_rules_pages_and_house_tables(alone: Table) -> None:
    """The page is wrapped. The table is byte for byte the one for games that name no other."""
    page = alone.ok("rules", "sugar-dog", "--exact")
    assert page.startswith("Sugar Dog\n=========\n")
    assert "SD-17" in page
    table = alone.ok("rules", "silent-ships", "--table")
    assert table.encode() == games.load("silent-ships").default_table
    told = alone.run("rules", "sugar-dog", "--table")
    assert (told.exit_code, told.stdout) == (1, "")
    assert "sugar-dog has no house table" in told.stderr
    assert "did you mean" in alone.fails("unknown-game", "rules", "sugar_dgo", "--exact")


@pytest.mark.parametrize(("columns", "most"), [("60", 60), ("79", 79), ("500", 100)])
def test_the_learners_page_is_wrapped_to_the_terminal(
    alone: Table, monkeypatch: pytest.MonkeyPatch, columns: str, most: int
) -> None:
    """As wide as it is, but no wider than one reads with ease; boards stay whole."""
    monkeypatch.setenv("COLUMNS", columns)
    for name in ("sugar-dog", "silent-ships", "submarine-warfare"):
        page = alone.ok("rules", name)
        assert page.startswith("Playing ")
        for heading in ("A first plan\n------------\n", "What you can work out\n"):
            assert heading in page
        first = page.split("\n\n")[1].splitlines()
        assert most - 12 < max(map(len, first)) <= most


def test_a_game_without_a_page_to_learn_it(alone: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its exact rules are shown instead."""
    monkeypatch.setattr(games, "learn_page", lambda game: None)
    assert alone.ok("rules", "sugar-dog") == alone.ok("rules", "sugar-dog", "--exact")


def test_a_game_without_a_rules_page_says_so(alone: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """An author's first draft often has none, or their distribution forgets it."""
    monkeypatch.setattr(games, "_folder", lambda game: alone.root)
    assert "it brings no RULES.md" in alone.ok("rules", "sugar-dog", "--exact")


CASE = ROOT / "games" / "sugar_dog" / "cases" / "SD-1a.toml"


def test_cases_are_counted_and_failures_are_told(alone: Table) -> None:
    """A good case, a wrong expectation, what is no case; exit code 1 for any failure."""
    folder = alone.root / "cases"
    folder.mkdir()
    assert alone.run("try", "--cases", "cases").exit_code == 1
    shutil.copy(CASE, folder)
    assert alone.ok("try", "--cases", "cases").splitlines()[1:] == ["1 passed, 0 failed"]
    assert alone.ok("try", "--cases", "cases", "-q") == "1 passed, 0 failed\n"
    assert alone.ok("try", "--cases", "cases/SD-1a.toml").startswith("ok   SD-1a  ")
    text = CASE.read_text()
    (folder / "SD-1a.toml").write_text(text.replace('"F6"', '"F5"').replace("F6", "F5", 1))
    (folder / "XX-1a.toml").write_text("case = 1\n")
    told = alone.run("try", "--cases", "cases", "--quiet")
    assert told.exit_code == 1
    lines = told.stdout.splitlines()
    assert lines[0].startswith("FAIL SD-1a")
    assert lines[1].startswith("     ")
    assert any(line.startswith("FAIL XX-1a.toml") for line in lines)
    assert lines[-1] == "0 passed, 2 failed"
    assert "'nowhere' does not exist" in alone.run("try", "--cases", "nowhere").stderr


def test_a_case_sends_nothing_to_the_terminal_but_text(alone: Table) -> None:
    """Whatever names the case and its keys have."""
    case = CASE.read_text(encoding="utf-8")
    for name, text in (
        ("key.toml", case + '[[step]]\nafter = { "\\u001b[2J" = 1 }\n'),
        ("\x1b[2J.toml", ""),
    ):
        (alone.root / name).write_text(text)
        told = alone.run("try", "--cases", name)
        assert told.exit_code == 1
        assert "\\x1b[2J" in told.stdout
        assert all(line.isprintable() for line in told.stdout.splitlines())


def test_cases_of_one_game_are_run_by_its_id(alone: Table) -> None:
    """Those that lie beside its code; a folder of that name here comes first."""
    assert alone.ok("try", "--cases", "sugar-dog", "-q") == alone.ok(
        "try", "--cases", str(CASE.parent), "-q"
    )
    (alone.root / "sugar-dog").mkdir()
    assert alone.run("try", "--cases", "sugar-dog").stdout == "0 passed, 0 failed\n"


def test_try_says_how_to_try_the_same_again(alone: Table) -> None:
    """A line for each promise, and the command that plays the same games."""
    call = ("try", "sugar-dog", "--games", "1", "--seed", "11", "--players", "3")
    done = alone.run(*call)
    assert (done.exit_code, done.stderr) == (0, "1 of 1 games\n")
    out = done.stdout
    *promises, counted, again = out.splitlines()
    assert all(line.startswith("ok    ") for line in promises)
    assert counted.startswith("1 games of sugar-dog/1, ")
    assert again == "again: adjudicator try sugar-dog --seed 11 --games 1 --players 3"
    assert alone.run(*again.removeprefix("again: adjudicator ").split()).stdout == out


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("--players", "1"), "--players 1: sugar-dog is for 2 to 26"),
        (("--players", "27"), "--players 27: sugar-dog is for 2 to 26"),
        (("--seed", "x7"), "--seed 'x7': expected digits, 0 to 9 and a to f"),
        (("--games", "0"), "--games: '0': expected 1 to 10000"),
    ],
)
def test_try_refuses_what_cannot_be_played(alone: Table, given: tuple[str, ...], said: str) -> None:
    """Quoted, with what was expected, before anything is played."""
    told = alone.run("try", "sugar-dog", *given)
    assert (told.exit_code, told.stdout) == (2, "")
    assert said in told.stderr
