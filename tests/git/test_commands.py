"""The commands: what they print, remember and refuse."""

from __future__ import annotations

import re

from git.conftest import git_command

from adjudicator.cli import git as commands
from orders.keys import write_key


def test_every_command_has_help_with_an_example():
    """`--help` works everywhere."""
    for name in commands.git.commands:
        assert (
            "Example: adjudicator git" in git_command(name, "--help").stdout or name == "textconv"
        )


def test_play_needs_a_key_for_a_new_seat(make_table, tmp_path, monkeypatch):
    """A seat that is not there yet needs a key; a folder with something else in it is refused."""
    table = make_table(started=False)
    monkeypatch.chdir(tmp_path)
    assert "--key" in git_command("play", str(table.bare), "--seat", "x.seat", code=2).stderr
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").write_text("x")
    assert "exists" in git_command("play", str(table.bare), "--record", "full", code=1).stderr


def test_no_seat_in_a_game_that_has_begun(shared, tmp_path, monkeypatch):
    """Who comes late may look on."""
    monkeypatch.chdir(tmp_path)
    write_key(tmp_path / "me", "me")
    args = ("play", str(shared.bare), "--seat", "carol.seat", "--key", "me", "--record", "game")
    assert "has begun" in git_command(*args, code=1).stderr
    assert "Awaited" not in git_command("play", str(shared.bare), "--record", "looking").stdout
    assert (tmp_path / "looking" / "entries" / "0003.toml").is_file()


def test_starting_with_somebody_who_did_not_join(make_table):
    """It is refused, and those who joined are named."""
    table = make_table(started=False)
    table.join()
    error = git_command("start", str(table.record.root), "alice", "zoe", code=1).stderr
    assert re.search(
        r"no join of 'zoe' was pushed; there are joins of: alice \(SHA256:.*\), bob", error
    )


def test_host_needs_the_hosts_folder(shared, tmp_path, run_git):
    """On a machine without secrets nobody hosts."""
    clone = tmp_path / "clone"
    run_git(tmp_path, "clone", "-q", str(shared.bare), str(clone))
    assert "no-host" in git_command("host", str(shared.bare), "--record", str(clone), code=1).stderr
