"""Whole games by git: set up, joins, orders in branches of their own, entries, the end."""

from __future__ import annotations

import pytest

import games
from adjudicator.verifier.verify import Asked, verify


@pytest.mark.parametrize("game_id", games.installed())
def test_a_whole_game_ends_verified(game_id, finished_games, run_git, tmp_path):
    """Bots play over a bare remote to the end; every copy of the record is true and alike."""
    table = finished_games(game_id)
    assert table.steps > 1
    assert verify(table.record).code == 0
    for name in table.players:
        found = verify(table.records[name], Asked(table.seats[name]))
        assert found.code == 0
        root = table.records[name].root
        assert run_git(root, "rev-parse", "HEAD") == table.main()
        assert run_git(root, "status", "--porcelain") == ""
        assert len(list((table.seats[name].root / "receipts").glob("*.toml"))) > 0
    last = table.record.last_step()
    line = run_git(table.bare, "rev-list", "--parents", "main").splitlines()
    assert [len(row.split()) for row in line] == [2] * (last + 1) + [1]
    branches = run_git(table.bare, "for-each-ref", "--format=%(refname:short)").splitlines()
    assert branches == ["main", "receipts"]
    clone = tmp_path / "stranger"
    run_git(tmp_path, "clone", "-q", str(table.bare), str(clone))
    run_git(clone, "fsck", "--strict")
