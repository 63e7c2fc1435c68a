"""Whole games by git: set up, joins, slips as signed commits, entries that merge them, the end."""

from __future__ import annotations

import time

import pytest

import games
from adjudicator.verify import verify

PLAYERS = ("alice", "bob", "carol", "dave")


@pytest.mark.parametrize("game_id", games.installed())
def test_a_whole_game_ends_verified(game_id, make_table, run_git):
    """Bots play over a bare remote to the end; every copy of the record is true and alike."""
    table = make_table(game_id, PLAYERS[: games.load(game_id).seats[0]])
    began = time.monotonic()
    steps = table.play_bots()
    print(f"{game_id}: {steps} steps, {(time.monotonic() - began) / steps:.2f} s each")
    assert verify(table.record).code == 0
    for name in table.players:
        found = verify(table.records[name], seat=table.seats[name])
        assert found.code == 0
        assert run_git(table.records[name].root, "rev-parse", "HEAD") == table.main()
        assert run_git(table.records[name].root, "status", "--porcelain") == ""
    clone = table.folder / "stranger"
    run_git(table.folder, "clone", "-q", str(table.bare), str(clone))
    run_git(clone, "fsck", "--strict")
