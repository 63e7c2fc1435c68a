"""What the host's pushes tell: nothing that the rules do not."""

from __future__ import annotations

import re

import pytest
from git.conftest import ordered

from adjudicator.store.clock import DemoClock

LATER = "2026-01-02T01:00:00Z"
SEEN = re.compile("After [0-9a-f]{64}")
"""In the commit of the boxes: a digest of what everybody sees at the remote."""

REPLACED = re.compile("In the place of [0-9a-f]{40}")
"""There too: the boxes that were there before, which everybody sees."""


def host_commits(table, run_git) -> list[tuple[str, ...]]:
    """Of every commit of the host's that is on main or receipts: all but digests and bytes."""
    rows = []
    for branch in ("main", "receipts"):
        for commit in run_git(table.bare, "rev-list", "--author=host", branch).split():
            form = "--format=%an%x1f%ad%x1f%cd%x1f%p%x1f%B"
            told = run_git(table.bare, "show", "-s", "--date=unix", form, commit).split("\x1f")
            told[3] = str(len(told[3].split()))
            told[4] = REPLACED.sub("In ...", SEEN.sub("After ...", told[4]))
            listed = run_git(table.bare, "ls-tree", "-r", "-l", commit).splitlines()
            files = [tuple(line.split()[at] for at in (0, 3, 4)) for line in listed]
            rows.append((branch, *told, *files))
    return rows


def play(table, orders: dict[str, str]) -> None:
    for name, line in orders.items():
        table.order(name, line)
        table.sync(name)
    table.sync_host()
    for name in table.players:
        table.sync(name)


def test_hidden_things_do_not_show(make_table, run_git):
    """Two games that differ in what is hidden only: names, sizes, dates and numbers are alike."""
    told = []
    for start in ("start F1", "start A6"):
        table = make_table()
        play(table, {"alice": "start C4", "bob": start})
        play(table, {table.awaited()[0]: "silent"})
        told.append(host_commits(table, run_git))
    assert told[0] == told[1]
    assert len(told[0]) > 4


def test_who_has_ordered_does_not_show(make_table, run_git):
    """Nobody, Alice by mail (her slip waits in the host's folder), Alice by git: no difference."""
    told = []
    seen = []
    for way in ("nobody", "mail", "git"):
        table = make_table()
        if way != "nobody":
            table.order("alice", "start C4")
        if way == "mail":
            table.host.submit(ordered(table, "alice"))
        elif way == "git":
            table.sync("alice")
        table.clock = DemoClock(LATER)
        before = table.main()
        table.sync_host()
        assert table.main() == before
        assert len(list((table.record.host / "inbox").glob("*"))) == (way != "nobody")
        told.append(host_commits(table, run_git))
        seen.append(SEEN.search(run_git(table.bare, "log", "--format=%B", "receipts"))[0])
    assert told[0] == told[1] == told[2]
    # What came by mail changes no branch, so nothing of it is in the digest either.
    assert seen[0] == seen[1] != seen[2]


def test_a_judgement_does_not_show(make_table, run_git):
    """Legal or not, malformed or not: the boxes are of one size, and main does not move."""
    told = []
    given = []
    for line in ("start C4", "start A1\nstart B2", "nonsense"):
        table = make_table()
        with pytest.MonkeyPatch.context() as patch:
            # A player without this tool's own check.
            patch.setattr(type(table.game), "read", lambda self, view, written: None)
            table.order("alice", line)
        table.sync("alice")
        table.clock = DemoClock(LATER)
        table.sync_host()
        told.append(host_commits(table, run_git))
        table.sync("alice")
        given.append(table.statuses("alice"))
    assert told[0] == told[1] == told[2]
    assert given[0] == ["accepted"]
    assert given[1] != ["accepted"]
    assert given[2] == ["malformed"]
