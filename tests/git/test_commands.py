"""The commands: what they print, remember and refuse."""

from __future__ import annotations

import re

from git.conftest import git_command

from adjudicator.cli import git as commands
from orders.keys import write_key


def test_every_command_has_help_with_an_example():
    """`--help` works everywhere; what only git and CI call is not listed."""
    for name in commands.git.commands:
        said = git_command("git", name, "--help").stdout
        assert f"adjudicator git {name}" in said
    listed = git_command("git", "--help").stdout
    assert [name for name in commands.git.commands if f"  {name} " in listed] == ["setup", "board"]


def test_a_new_seat_needs_a_key(make_table, tmp_path, monkeypatch):
    """A seat that is not there yet needs a key; a folder with something else in it is refused."""
    table = make_table(started=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("SSH_AUTH_SOCK", raising=False)
    assert "--key" in git_command("join", str(table.bare), "--name", "x", code=1).stderr
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").write_text("x")
    given = ("join", str(table.bare), "--watch", "-o", "full")
    assert "[exists]" in git_command(*given, code=1).stderr


def test_no_seat_in_a_game_that_has_begun(shared, tmp_path, monkeypatch):
    """Who comes late may look on."""
    monkeypatch.chdir(tmp_path)
    write_key(tmp_path / "me", "me")
    args = ("join", str(shared.bare), "--name", "carol", "--key", "me", "-o", "game")
    assert "has begun" in git_command(*args, code=2).stderr
    assert "Awaited" not in git_command("join", str(shared.bare), "--watch", "-o", "looking").stdout
    assert (tmp_path / "looking" / "entries" / "0003.toml").is_file()


def test_starting_with_somebody_who_did_not_join(make_table):
    """It is refused, and those who joined are named."""
    table = make_table(started=False)
    table.join()
    given = ("start", "zoe", "alice", "-g", str(table.record.root))
    assert re.search(
        r"no join of 'zoe' was pushed; there are joins of: alice \(SHA256:.*\), bob",
        git_command(*given, code=1).stderr,
    )


def test_host_needs_the_hosts_folder(shared, tmp_path, run_git):
    """On a machine without secrets nobody hosts."""
    clone = tmp_path / "clone"
    run_git(tmp_path, "clone", "-q", str(shared.bare), str(clone))
    given = ("invite", "--git", str(shared.bare), "-g", str(clone))
    assert "[no-host]" in git_command(*given, code=1).stderr
