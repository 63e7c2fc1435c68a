"""The commands: what they print, remember and refuse."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner

from adjudicator.cli import cli
from adjudicator.cli import git as commands
from adjudicator.git import hour, process
from adjudicator.git.process import Repo
from orders.errors import Refused
from orders.keys import write_key


def run(*args: str, code: int = 0):
    result = CliRunner().invoke(cli, ["git", *args])
    assert result.exit_code == code, result.output
    assert "Traceback" not in result.output
    return result


def test_every_command_has_help_with_an_example():
    """`--help` works everywhere."""
    for name in commands.git.commands:
        assert "Example: adjudicator git" in run(name, "--help").stdout or name == "textconv"


def test_play_and_sync_remember_the_seat(make_table, tmp_path, monkeypatch):
    """`git play` takes a seat and joins; later `git sync` needs no --seat."""
    table = make_table(started=False)
    monkeypatch.chdir(tmp_path)
    write_key(tmp_path / "me", "me")
    bare = str(table.bare)
    told = run("play", bare, "--seat", "carol.seat", "--key", "me", "--record", "game").stdout
    assert "pushed: your join" in told
    assert "Back it up" in told
    assert run("sync", "game").stdout == ""
    assert "carol" in run("sync", str(table.record.root)).stdout
    again = run("play", bare, "--seat", "carol.seat", "--record", "second").stdout
    assert "pushed" not in again


def test_play_needs_a_key_for_a_new_seat(make_table, tmp_path, monkeypatch):
    """A seat that is not there yet needs a key; a folder with something else in it is refused."""
    table = make_table(started=False)
    monkeypatch.chdir(tmp_path)
    assert "--key" in run("play", str(table.bare), "--seat", "x.seat", code=2).stderr
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").write_text("x")
    assert "exists" in run("play", str(table.bare), "--record", "full", code=1).stderr


def test_no_seat_in_a_game_that_has_begun(shared, tmp_path, monkeypatch):
    """Who comes late may look on."""
    monkeypatch.chdir(tmp_path)
    write_key(tmp_path / "me", "me")
    args = ("play", str(shared.bare), "--seat", "carol.seat", "--key", "me", "--record", "game")
    assert "has begun" in run(*args, code=1).stderr
    assert "Awaited" not in run("play", str(shared.bare), "--record", "looking").stdout
    assert (tmp_path / "looking" / "entries" / "0003.toml").is_file()


def test_starting_with_somebody_who_did_not_join(make_table):
    """Who joined is told."""
    table = make_table(started=False)
    table.join()
    error = run("start", str(table.record.root), "alice", "zoe", code=1).stderr
    assert re.search(r"no join of 'zoe' was pushed; there is: alice \(SHA256:.*\), bob", error)


def test_host_needs_the_hosts_folder(shared, tmp_path, run_git):
    """On a machine without secrets nobody hosts."""
    clone = tmp_path / "clone"
    run_git(tmp_path, "clone", "-q", str(shared.bare), str(clone))
    assert "no-host" in run("host", str(shared.bare), "--record", str(clone), code=1).stderr


def test_a_remote_that_is_not_there(make_table):
    """git's own words in one line, and what to do in another."""
    table = make_table(started=False)
    Repo(table.record.root).run("remote", "set-url", "origin", "/nowhere/at/all")
    result = run("sync", str(table.record.root), code=1)
    assert result.stderr.startswith("error: git: git ls-remote: ")
    assert result.stderr.splitlines()[1].startswith("hint: look at the address")
    assert len(result.stderr.splitlines()) == 2


@pytest.mark.parametrize(
    ("now", "at", "left"),
    [
        ("2026-01-01T17:59:30Z", "18:00", 30),
        ("2026-01-01T18:00:00Z", "18:00", 0),
        ("2026-01-01T18:00:01Z", "18:00", 86399),
        ("2026-01-01T23:30:00Z", "00:15", 45 * 60),
    ],
)
def test_waiting_for_a_fixed_hour(now, at, left):
    """Seconds to the next such hour, in UTC."""
    assert hour.seconds_until(now, at) == left


@pytest.mark.parametrize("at", ["24:00", "18", "18:60", "6pm", "18:00:00", ""])
def test_hours_that_are_none(at):
    """Quoted and refused."""
    with pytest.raises(Refused) as error:
        hour.seconds_until("2026-01-01T00:00:00Z", at)
    assert error.value.word == "bad-option"


def test_a_sync_at_a_fixed_hour_waits_first(make_table, monkeypatch, tmp_path):
    """Nothing is fetched, made or dated before that hour."""
    table = make_table()
    table.order("alice", "start C4")
    before = Repo(table.bare).text("for-each-ref")
    waited = []

    def wait(seconds: float) -> None:
        assert Repo(table.bare).text("for-each-ref") == before
        waited.append(seconds)

    monkeypatch.setattr(commands, "sleep", wait)
    told = run("sync", str(table.records["alice"].root), "--at", "18:00").stdout
    assert len(waited) == 1
    assert 0 <= waited[0] < 86400
    assert "pushed: your orders" in told


GITHUB = """\
remote: error: GH006: Protected branch update failed for refs/heads/main.
remote: error: Cannot update this protected ref.
To github.com:carl/friday.git
 ! [remote rejected] main -> main (protected branch hook declined)
error: failed to push some refs to 'github.com:carl/friday.git'
"""
GITLAB = """\
remote: GitLab: You are not allowed to push code to protected branches on this project.
To gitlab.com:carl/friday.git
 ! [remote rejected] main -> main (pre-receive hook declined)
error: failed to push some refs to 'gitlab.com:carl/friday.git'
"""
NOT_BARE = """\
remote: error: refusing to update checked out branch: refs/heads/main
 ! [remote rejected] main -> main (branch is currently checked out)
error: failed to push some refs to '/srv/friday'
"""
FORBIDDEN = """\
fatal: unable to access 'https://alice:pw@example.org/x.git/': The requested URL returned error: 403
"""


@pytest.mark.parametrize(
    ("stderr", "told", "hint"),
    [
        (GITHUB, "remote: error: GH006: Protected branch update failed", "--fork URL"),
        (GITLAB, "You are not allowed to push code to protected branches", "--fork URL"),
        (NOT_BARE, "refusing to update checked out branch", "git init --bare"),
        (FORBIDDEN, "https://example.org/x.git/': The requested URL returned error: 403", "--fork"),
        ("fatal: Authentication failed for 'https://h/'\n", "Authentication", "credential"),
        ("ERROR: Repository not found.\nfatal: Could not read from remote repository.\n",
         "Repository not found", "look at the address"),
        ("fatal: unable to access 'https://h/': Could not resolve host: h\n", "resolve", "again"),
        ("remote: fatal: unpack-objects abnormal exit\nerror: remote unpack failed: unpack-objects "
         "abnormal exit\n", "abnormal exit", "cannot store more"),
    ],
)  # fmt: skip
def test_what_servers_say_and_what_to_do(stderr, told, hint):
    """By the words that servers use; those of sites are from their documentation."""
    assert told in process._reason(stderr, 1)
    assert hint in process._hint(stderr)
    assert "pw" not in process._reason(stderr, 1)
