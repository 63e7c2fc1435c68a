"""What a clone is set up with: plain git shows the host's signatures, the tool knows the seat."""

from __future__ import annotations

from git.conftest import git_command, handed_in

from adjudicator.git import setup
from adjudicator.git.process import Repo
from orders import names
from orders.keys import load_signer, write_key


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
        # The site shows the fork's branch as the head of a pull request.
        run_git(table.bare, "fetch", "-q", str(fork), "+refs/heads/in.alice:refs/pull/1/head")
    assert handed_in(table, "alice") == []
    table.order("bob", "start F1")
    table.sync("bob")
    assert table.sync_host().steps == [1]
    table.sync("alice")
    assert table.statuses("alice") == ["accepted"]
    assert names.slip(1, "alice") in table.record.paths()


def test_play_and_sync_remember_the_seat(make_table, tmp_path, monkeypatch):
    """`git play` takes a seat and joins; later `git sync` needs no --seat."""
    table = make_table(started=False)
    monkeypatch.chdir(tmp_path)
    write_key(tmp_path / "me", "me")
    key = load_signer(tmp_path / "me", None).public.fingerprint
    bare = str(table.bare)
    told = git_command("join", bare, "--name", "carol", "--key", "me", "-o", "game").stdout
    assert "pushed: your join" in told
    assert "Back it up" in told
    assert git_command("sync", "-g", "game").stdout == ""
    assert "carol" in git_command("sync", "-g", str(table.record.root)).stdout
    # Within a second it is the very same commit.
    git_command("join", bare, "--name", "carol", "-o", "second")
    assert (
        f"joined so far: carol ({key})" in git_command("sync", "-g", str(table.record.root)).stdout
    )


def test_plain_git_checks_the_signatures(finished, run_git):
    """`git verify-commit` takes every commit of main, under the host's key in the invite."""
    root = finished.records["alice"].root
    setup.allow_host(Repo(root), finished.host.opening.offer)
    commits = run_git(root, "rev-list", "--max-count=6", "main").split()
    commits += run_git(root, "rev-list", "--max-parents=0", "main").split()
    run_git(root, "verify-commit", *commits)
