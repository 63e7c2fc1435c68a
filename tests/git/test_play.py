"""Whole games by git: set up, joins, orders in branches of their own, entries, the end."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from git.conftest import STARTS, check_all, claims, run

import games
from adjudicator.git.process import Repo
from adjudicator.store.clock import SystemClock
from adjudicator.store.record import Record
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


# A game by git that is longer than all that is packed, fetched or listed at once.


STEPS = 150


@pytest.fixture
def long_game(make_table):
    """A table whose host has played all but two steps elsewhere, which are not published yet."""
    table = make_table()
    table.play_quietly(STEPS - 2)
    return table


def test_a_long_game(long_game, run_git):
    """Published, cloned, played on to its end and verified."""
    table = long_game
    table.sync_host()
    table.sync("bob")
    awaited = table.awaited()[0]
    if awaited != "bob":
        table.sync("alice")
    table.order(awaited, "resign")
    table.sync(awaited)
    assert table.sync_host().steps[0] == STEPS - 1
    table.sync(awaited)
    assert verify(table.records[awaited]).code == 0
    told = run("verify", "--json", str(table.records[awaited].root))
    assert claims(told)["commits"]["text"].startswith(f"{STEPS + 2}, ")
    clone = table.folder / "stranger"
    run_git(table.folder, "clone", "-q", str(table.bare), str(clone))
    assert verify(Record(clone)).code == 0


# What happens between pushes: races, crashes, a rewritten history, a shallow clone.


def at_once(program: Path, *folders: Path) -> list[tuple[int, str]]:
    """`adjudicator sync` in each of these folders at the same time: exit code and stderr."""
    running = [
        subprocess.Popen(
            [program, "sync", "-g", str(folder), "--clock-is-right"],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        )
        for folder in folders
    ]  # fmt: skip
    ended = [(one, one.communicate(timeout=120)[1]) for one in running]
    return [(one.returncode, told) for one, told in ended]


def test_everyone_at_once(make_table, program):
    """Host and both players push at the same time, again and again: each gets through."""
    table = make_table()
    # Else the orders would have waited for a receipt for months.
    table.clock = SystemClock()
    for name, line in STARTS.items():
        table.order(name, line)
    folders = [record.root for record in (table.record, *table.records.values())]
    for _ in range(2):
        assert at_once(program, *folders) == [(0, "")] * 3
    table.sync_host()
    assert table.record.last_step() == 1
    check_all(table)
    assert table.statuses("alice") == ["accepted"]


def test_over_ssh(ready, monkeypatch, tmp_path):
    """An ssh address: git's own way to a server, here with a program in ssh's place."""
    shim = tmp_path / "ssh"
    shim.write_text('#!/bin/sh\nfor last; do :; done\nexec sh -c "$last"\n')
    shim.chmod(0o755)
    monkeypatch.setenv("GIT_SSH", str(shim))
    monkeypatch.setenv("GIT_SSH_VARIANT", "ssh")
    for record in (ready.record, *ready.records.values()):
        url = f"somebody@example.invalid:{ready.bare}"
        Repo(record.root).run("remote", "set-url", "origin", url)
    ready.sync_host()
    check_all(ready)
    assert ready.play_bots(1) == 1
