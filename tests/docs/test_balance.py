"""The tables of who wins on the games' pages: made by one command, each row what it says."""

from __future__ import annotations

import re
from typing import Any

import pytest
from generate import balance

import games
from adjudicator.authors.simulate import Share

SHARE = re.compile(r"(\d+) % \((\d+) to (\d+)\)")


def table(game: str) -> list[Any]:
    return list(balance.rows(balance.PAGES[game].read_text(encoding="utf-8")))


@pytest.mark.parametrize("game", sorted(balance.PAGES))
def test_every_row_says_its_games_and_intervals_that_follow(game: str) -> None:
    """Some count of the row's games gives each share with just that interval (Wilson's)."""
    found = table(game)
    assert not found[0][1], "the game as it is offered comes first"
    for row in found:
        many = int(row[2].replace(",", ""))
        told = {
            balance._share({"won": won, "of": many, "low": low, "high": high})
            for won in range(many + 1)
            for low, high in [Share(won, many).interval()]
        }
        shares = [match[0] for match in SHARE.finditer(row[0])]
        assert len(shares) == 2
        assert set(shares) <= told, row[0]


@pytest.mark.parametrize("game", sorted(balance.PAGES))
def test_every_option_edition_and_preset_has_a_row_or_a_reason(game: str) -> None:
    """An option that comes new is played, or the page says why it changes nothing for captains."""
    played = " ".join(row[1] or "" for row in table(game))
    page = balance.PAGES[game].read_text(encoding="utf-8")
    (reason,) = (part for part in page.split("\n\n") if part.startswith("These have no row"))
    loaded = games.load(game)
    for option in loaded.own_options:
        assert f"--option {option.name}=" in played or f"`{option.name}`" in reason, option.name
        if option.name == "edition":
            others = set(option.choices) - {option.default}
            assert all(f"--option edition={one}" in played for one in others)
    for preset in loaded.presets:
        assert f"--option {preset}" in played or f"`{preset}`" in reason, preset


@pytest.mark.parametrize("game", sorted(balance.PAGES))
def test_the_command_makes_each_row(game: str) -> None:
    """With its arguments, in the shape in which it stands on the page."""
    for row in table(game):
        made = balance.row(row[1] or "", balance.figures(game, row[1] or "", 1))
        (again,) = balance.rows(balance.HEAD + made + "\n\n")
        assert (again[1], again[2]) == (row[1], "1")


def test_a_page_without_a_table_is_told() -> None:
    """A table whose head was changed is not passed over."""
    with pytest.raises(ValueError, match="no table"):
        balance.rows("| seats | games |\n")


def test_what_simulate_refuses_stops_the_table() -> None:
    """A row that cannot be played is no row of naughts."""
    with pytest.raises(ValueError, match="no bot 'admiral'"):
        balance.figures("sugar-dog", "--bot admiral,admiral", 1)
