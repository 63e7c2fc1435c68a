"""What syncs cost, in what can be counted: connections, objects, bytes kept, flushes."""

from __future__ import annotations

import subprocess
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from git.conftest import kept

from adjudicator.git import process, tree, worktree

Cost = Callable[..., Counter[str]]


@pytest.fixture
def cost(monkeypatch) -> Cost:
    """Counts the processes of git's that an act starts, by command, as if it were the first one of
    a program."""
    seen: Counter[str] = Counter()

    class Noted(subprocess.Popen):
        def __init__(self, args, **options):
            seen[process.named(args[1:])] += 1
            super().__init__(args, **options)

    def count(act: Callable[..., Any], *args: Any) -> Counter[str]:
        for known in (process._place, tree.Tree.open):
            known.cache_clear()
        seen.clear()
        with monkeypatch.context() as patch:
            patch.setattr(subprocess, "Popen", Noted)
            act(*args)
        return seen.copy()

    return count


def test_an_idle_sync_is_one_connection(make_table, network):
    """When nothing has changed, host and player ask once, and write nothing."""
    table = make_table()
    table.sync_host()
    table.sync("alice")
    before = kept(table)
    network.clear()
    table.sync("alice")
    assert network == ["fetch"]
    network.clear()
    table.sync_host()
    assert network == ["ls-remote"]
    assert kept(table) == before
    for record in (table.record, table.records["alice"]):
        logs = record.root / ".git" / "logs"
        assert not [path for path in logs.rglob("*") if path.is_file()]


def test_processes_of_an_idle_sync(make_table, cost):
    """Two of them read objects, however many these are."""
    table = make_table()
    table.sync_host()
    table.sync("alice")
    reading = {"rev-parse": 1, "cat-file": 2}
    assert cost(table.sync_host) == {**reading, "ls-remote": 1, "remote": 1}
    assert cost(table.sync, "alice") == {**reading, "fetch": 1}


def test_garbage_is_collected_when_there_may_be_some(make_table, cost, monkeypatch, run_git):
    """Once main has moved, or when other fetches have left many packs; not when idle."""
    table = make_table()
    table.sync_host()
    monkeypatch.setattr(worktree, "_PACKS", 0)
    run_git(table.record.root, "repack", "-qad")
    for act in (table.sync_host, lambda: table.sync("alice")):
        assert cost(act)["gc"] == 1


def test_processes_of_a_step(make_table, cost):
    """An order that is handed in, the entry that uses it, and two players who take this in."""
    table = make_table()
    table.play_bots(1)
    (name,) = table.awaited()
    table.order(name, "silent")
    assert cost(table.sync, name).total() <= 8
    made = cost(table.sync_host)
    assert (made["cat-file"], made["gc"]) == (4, 1)
    assert made.total() <= 17
    for player in table.players:
        assert cost(table.sync, player).total() <= 12
    assert table.records[name].last_step() == 2


def test_the_hosts_sync_does_not_grow_with_closed_requests(make_table, run_git, cost):
    """Once judged they cost nothing: as many processes with thirty of them as with none."""
    table = make_table()
    table.sync_host()
    first = cost(table.sync_host).total()
    tree = run_git(table.bare, "rev-parse", "main^{tree}")
    for number in range(30):
        made = run_git(table.bare, "commit-tree", tree, "-p", "main", "-m", f"{number}")
        run_git(table.bare, "update-ref", f"refs/pull/{number}/head", made)
    assert cost(table.sync_host).total() > first
    assert cost(table.sync_host).total() == first
