"""A record as a commit holds it, never checked out."""

from __future__ import annotations

import json

from git.conftest import run


def test_show_log_and_verify_at_a_commit(finished, clone, run_git):
    """`--at REV` shows the game as it stood then, checking nothing out."""
    commit = run_git(clone, "log", "--format=%H", "--grep=^0003 ", "--author=host")
    told = json.loads(run("log", "-g", str(clone), "--at", commit, "--json").stdout)
    assert [chapter["step"] for chapter in told] == [0, 1, 2, 3]
    seen = run("show", "-g", str(clone), "--at", commit, "--json")
    assert json.loads(seen.stdout)["step"] == 3
    own = run("show", "-g", str(clone), "--at", commit, "--seat", str(finished.seats["alice"].root))
    assert "As alice sees it:" in own.stdout
    assert "After entry 3:" in own.stdout
    result = run("verify", str(clone), "--at", commit)
    assert result.exit_code == 4
    assert "NOT YET: entry 3 awaits" in result.stdout
    bad = run("show", "-g", str(clone), "--at", "nonsense")
    assert bad.exit_code == 1
    assert bad.stderr.startswith("error: 'nonsense' is no commit")


def test_a_link_in_a_commit_is_named(clone, run_git):
    """A tree is read without following anything."""
    (clone / "entries" / "0001.toml").unlink()
    (clone / "entries" / "0001.toml").symlink_to("0002.toml")
    run_git(clone, "commit", "-qam", "link")
    result = run("verify", str(clone), "--at", "HEAD")
    assert result.exit_code == 2
    assert "entries/0001.toml is no regular file" in result.stdout
