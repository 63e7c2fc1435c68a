"""A player's table: what waits for an entry before it, and what is told while nothing comes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from adjudicator.core import deadlines
from adjudicator.player import letters, table
from orders.letter import Text

SETUP, SHOT, QUIET = (
    {"alice": "start C4", "bob": "start C1"},
    {"alice": "fire S"},
    {"bob": "silent"},
)


@pytest.fixture
def games(begun: Any, tmp_path: Path) -> tuple[Any, table.Table]:
    """A game of three entries, and Alice's table, to which none of them has come."""
    game = begun.copy(tmp_path / "game")
    behind = game.copy(tmp_path / "behind")
    game.play(SETUP, SHOT, QUIET)
    desk = table.Table(behind.copies["alice"], behind.seat("alice"), behind.clock, keeps=True)
    return game, desk


def test_an_entry_that_lay_ahead_and_came_is_no_gap(games: tuple[Any, table.Table]) -> None:
    """Nor those before it, nor the next one."""
    game, desk = games
    first, second, _ = game.host.bundles([1, 2, 3], "alice")
    desk.notice(first)
    assert desk.gap() == ([], [])
    desk.notice(second)
    assert desk.gap() == ([2], [1])
    desk.take([("first", first), ("second", second)])
    assert desk.gap() == ([], [])


def test_so_many_wait_and_no_more(
    games: tuple[Any, table.Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is not kept is named: it may be taken in later."""
    game, desk = games
    monkeypatch.setattr(table, "MOST_EARLY", 1)
    _, second, third = game.host.bundles([1, 2, 3], "alice")
    taken = desk.take([("second", second), ("third", third)])
    assert (len(taken.lines), taken.left) == (1, ["third"])


def test_silence_is_told_once_the_time_is_over(games: tuple[Any, table.Table]) -> None:
    """From the second after it on."""
    game, _ = games
    desk = table.Table(game.copies["bob"], game.seat("bob"), game.clock)
    last = game.entry().awaited["alice"].until
    assert desk.silence(last) == ""
    assert desk.silence(deadlines.add(last, 1)).startswith("NO NEWS since entry 3")


def test_a_letter_as_it_was_kept_is_known(games: tuple[Any, table.Table]) -> None:
    """Carried back to the seat whole, with its text."""
    game, _ = games
    own = game.seated("alice")
    letters.write(own.ledger, own.seat, game.keys["alice"], Text("address shown"))
    ((_, kept),) = own.seat.letters()
    assert table.Table(game.copies["alice"], own.seat, game.clock).has(kept)


def test_before_the_genesis_nothing_is_lacking(offered: Any) -> None:
    """There is no report to ask for."""
    desk = table.Table(offered.record, offered.seat("alice"), offered.clock)
    assert desk.lacking() == ""
