"""What a clone is set up with: plain git shows signatures and sealed files, and knows the seat."""

from __future__ import annotations

import shlex
import sys

from git.conftest import git_command

from adjudicator.git.process import Repo
from orders import names
from orders.keys import write_key


def test_playing_by_a_fork(make_table, run_git, tmp_path):
    """No right to push to the game's repository: slips go to the fork, turn after turn."""
    table = make_table()
    fork = tmp_path / "fork.git"
    run_git(tmp_path, "clone", "-q", "--bare", str(table.bare), str(fork))
    root = table.records["alice"].root
    run_git(root, "config", "remote.fork.url", str(fork))
    for line in ("start A1", "start B2", "start C4"):
        table.order("alice", line)
        assert "pushed: your orders" in table.sync("alice").lines[-1]
    end = run_git(fork, "rev-parse", "refs/heads/players/alice")
    before = run_git(table.bare, "rev-parse", "refs/heads/players/alice")
    assert end != before
    # The site shows the fork's branch as the head of a pull request.
    run_git(table.bare, "fetch", "-q", str(fork), "+refs/heads/players/alice:refs/pull/1/head")
    table.order("bob", "start F1")
    table.sync("bob")
    assert table.sync_host().steps == [1]
    table.sync("alice")
    assert table.statuses("alice") == ["accepted"] * 3
    assert end in run_git(table.bare, "rev-list", "main").split()
    assert names.slip(1, "alice") in table.record.paths()


def test_play_and_sync_remember_the_seat(make_table, tmp_path, monkeypatch):
    """`git play` takes a seat and joins; later `git sync` needs no --seat."""
    table = make_table(started=False)
    monkeypatch.chdir(tmp_path)
    write_key(tmp_path / "me", "me")
    bare = str(table.bare)
    told = git_command("join", bare, "--name", "carol", "--key", "me", "-o", "game").stdout
    assert "pushed: your join" in told
    assert "Back it up" in told
    assert git_command("sync", "-g", "game").stdout == ""
    assert "carol" in git_command("sync", "-g", str(table.record.root)).stdout
    again = git_command("join", bare, "--name", "carol", "-o", "second").stdout
    assert "pushed" not in again


def test_plain_git_checks_the_signatures(finished, run_git):
    """`git verify-commit` takes every commit of the game, under the keys of invite and joins."""
    root = finished.record.root
    from adjudicator.git import setup

    setup.allow_signers(Repo(root), finished.host.opening.offer, finished.host.ledger)
    commits = run_git(root, "rev-list", "--max-count=6", "main").split()
    commits += run_git(root, "rev-list", "--max-parents=0", "main").split()
    run_git(root, "verify-commit", *commits)


def test_diffs_are_readable_and_open_ones_own_reports(finished, run_git, program):
    """`git log -p --first-parent` in a player's clone tells the story, boards included."""
    root = finished.records["alice"].root
    shown = run_git(root, "config", "diff.adjudicator.textconv")
    quick = shown.replace(shlex.join([sys.executable, "-m", "adjudicator"]), str(program))
    assert quick != shown
    commit = run_git(root, "log", "--format=%H", "--grep=^0002 ", "--author=host")
    quickly = "-c", f"diff.adjudicator.textconv={quick}"
    told = run_git(root, *quickly, "show", "--first-parent", commit)
    assert "+entry 2, " in told
    assert "+report of alice, entry 2" in told
    assert "+6 .  .  ." in told
    assert "+report of bob, entry 2, sealed: " in told
    assert "+signature by the host (SHA256:" in told
    first = run_git(root, "log", "--format=%H", "--grep=^0001 alice", "--author=alice")
    shown = run_git(root, "show", first)
    assert "+your orders, step 1, revision 1:" in shown
    assert "+slip of alice for step 1, revision 1" in shown
    other = run_git(root, "log", "--format=%H", "--grep=^0001 bob", "--author=bob")
    assert "+orders of bob, entry 1:" in run_git(root, *quickly, "show", other)


def test_opened_reports_are_never_cached_in_the_repository(finished, run_git, program):
    """git could keep what textconv prints as notes, which could be pushed."""
    root = finished.records["alice"].root
    shown = f"diff.adjudicator.textconv={program} git textconv"
    assert "+entry" in run_git(root, "-c", shown, "log", "-p", "-2", "--first-parent")
    assert run_git(root, "for-each-ref", "refs/notes") == ""
    cached = ("config", "--local", "--get", "diff.adjudicator.cachetextconv")
    assert run_git(root, *cached, code=1) == ""
