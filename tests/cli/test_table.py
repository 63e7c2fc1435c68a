"""What the table of commands promises: how many keys a task takes, how many commands there are, and
first contact in two commands from each form of invitation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import pytest
from desks import Desks

from adjudicator.cli import COMMANDS, cli

Table = Any

KEYS = {
    "join by mail": (38, ["join invitation.eml"]),
    "join by file": (41, ["join friday-invite.txt"]),
    "first contact after joining": (17, ["play"]),
    "a turn, in the shell": (24, ["play fire S"]),
    "host: orders by files": (17, ["sync"]),
    "host: a game of two by mail": (
        89,
        ["invite sugar-dog ann@example.org bob@example.org", "sync --every 1m"],
    ),
    "whose turn": (19, ["status"]),
    "look": (17, ["show"]),
    "history": (16, ["log"]),
    "send an entry again": (27, ["resend alice 3"]),
    "verify with my reports": (19, ["verify"]),
    "resign": (26, ["play resign", "y"]),
}
"""By task: the keys, each Enter among them, and what is typed after `adjudicator`."""


@pytest.mark.parametrize("task", KEYS)
def test_keys(task: str) -> None:
    """No more than the table says; each word is a command."""
    most, typed = KEYS[task]
    lines = [line if line == "y" else f"adjudicator {line}" for line in typed]
    assert sum(len(line) + 1 for line in lines) <= most
    assert all(line == "y" or line.split()[0] in COMMANDS for line in typed)


def test_how_many_commands_and_options() -> None:
    """Thirty-three, and two that only git and CI call; a short name
    is one option everywhere."""
    seen: list[click.Command] = []

    def walk(command: click.Command) -> None:
        if isinstance(command, click.Group):
            with click.Context(command) as ctx:
                for name in command.list_commands(ctx):
                    found = command.get_command(ctx, name)
                    assert found is not None
                    walk(found)
        else:
            seen.append(command)

    walk(cli)
    listed = [command for command in seen if not command.hidden]
    assert (len(listed), len(seen) - len(listed)) == (33, 2)
    options = [
        option for command in listed for option in command.params
        if isinstance(option, click.Option)
    ]  # fmt: skip
    short = {text: option.name for option in options for text in option.opts if len(text) == 2}
    assert set(short) == {"-g", "-o", "-v", "-q", "-y"}
    assert not [
        option for option in options if {"--public", "--state", "--in", "--force"} & {*option.opts}
    ]


# First contact.


def begun(host: Table, *, by: str) -> None:
    """The host begins with whoever is there."""
    host.ok("join", f"{by}-invite.txt", "--name", "zoe", "--key", "zoe.key")
    host.ok("start", f"{by}-zoe-join.txt", f"{by}-alice-join.txt")


def test_a_players_first_contact_by_file(tmp_path: Path, at_commands: Any) -> None:
    """`join`, then `play`: before the game begins it says so, and after it shows the first
    screen."""
    host, own = at_commands(tmp_path / "host"), at_commands(tmp_path / "own")
    for desk in (host, own):
        desk.root.mkdir()
        desk.key("me.key")
    host.ok("invite", "sugar-dog", "--key", "me.key", "-o", "friday")
    host.give("friday-invite.txt", own)
    said = own.ok("join", "friday-invite.txt", "--name", "alice", "--key", "me.key")
    assert "friday: Sugar Dog (sugar-dog/1)" in said
    assert "friday-alice-join.txt: your join: send it to the host" in said
    assert own.ok("play") == "friday: joined as alice. The host has not begun.\n"
    own.give("friday-alice-join.txt", host)
    host.key("zoe.key")
    begun(host, by="friday")
    host.give("friday-0000.txt", own)
    assert "Goal: " in own.ok("play")
    assert (own.root / "friday.done" / "friday-0000.txt").is_file()


def test_a_host_by_files_in_two_commands(tmp_path: Path, at_commands: Any) -> None:
    """`invite --players 2`, and `sync` for whatever came into the folder."""
    host = at_commands(tmp_path)
    for name in ("host", "alice", "bob"):
        host.key(f"{name}.key")
        (tmp_path / name).mkdir()
    host.fails("bad-option", "invite", "sugar-dog", "--players", "1", "--key", "host.key")
    assert not list(tmp_path.glob("*.host"))
    host.ok("invite", "sugar-dog", "--players", "2", "--key", "host.key", "-o", "friday")
    assert host.ok("sync") == "friday: 0 of 2 joined\n"
    for name in ("alice", "bob"):
        given = ("--name", name, "--key", f"{name}.key", "-o", f"{name}/join.txt")
        host.ok("join", "friday-invite.txt", *given)
        (tmp_path / f"{name}-came.txt").write_bytes((tmp_path / name / "join.txt").read_bytes())
    said = host.ok("sync")
    assert "friday-0000.txt: entry 0, for everybody" in said
    for name, line in (("alice", "start C4"), ("bob", "start C1")):
        seat = ("--seat", f"{name}/{name}.seat", "-g", "friday")
        host.ok("play", line, *seat, "-o", f"{name}-orders.txt")
    said = host.ok("sync")
    assert "alice: taken" in said and "bob: taken" in said
    assert "friday-0001-alice.txt: entry 1, for alice" in said
    assert (tmp_path / "friday.done" / "alice-orders.txt").is_file()
    assert "Waiting for" in host.ok("sync")


def test_by_files_the_host_says_when_a_game_begins(tmp_path: Path, at_commands: Any) -> None:
    """Also where the game is for two, and two have joined: who hosts may seat them otherwise."""
    host = at_commands(tmp_path)
    for name in ("host", "alice", "bob"):
        host.key(f"{name}.key")
        (tmp_path / name).mkdir()
    host.ok("invite", "silent-ships", "--key", "host.key", "-o", "friday")
    for name in ("alice", "bob"):
        given = ("--name", name, "--key", f"{name}.key", "-o", f"{name}/join.txt")
        host.ok("join", "friday-invite.txt", *given)
        (tmp_path / f"{name}-came.txt").write_bytes((tmp_path / name / "join.txt").read_bytes())
    said = host.ok("sync").splitlines()
    assert said[-2:] == [
        "friday: 2 joined: alice, bob", "to begin with them: adjudicator start",
    ]  # fmt: skip
    assert "entry 0" in host.ok("start", "bob", "alice", "--yes")


def test_a_host_by_mail_in_two_commands(tmp_path: Path, at_commands: Any) -> None:
    """`invite GAME WHO...` and `sync`: it begins when all who were invited have joined; each of
    them joins with one command and plays with the next."""
    host = Desks(at_commands(tmp_path))
    host.key("host.key")
    host.run("invite", "sugar-dog", "alice@example.org", "bob@example.org",
             "--key", "host.key", "-o", "friday")  # fmt: skip
    host.serve()
    mails = [host.joined(name)[1] for name in ("alice", "bob")]
    own = host.at("alice")
    assert "joined as alice. The host has not begun." in own.run("play").stdout
    host.serve(*mails)
    (first,) = [mail for mail in host.sent("alice@example.org") if b"entry 0" in mail]
    own.run("take", given=first)
    assert "Goal: " in own.run("play").stdout


def test_first_contact_by_git(cloned: Table) -> None:
    """The host publishes. One command clones, takes a seat and joins; the next plays. Who only
    watches has a copy, and no seat."""
    said = cloned.ok("invite", "--git", "remote.git", "-g", "friday").splitlines()
    assert said[-2:] == [
        "friday: published at remote.git", "for the players: adjudicator join remote.git",
    ]  # fmt: skip
    alice = type(cloned)(cloned.root / "alice")
    alice.root.mkdir()
    alice.key("me.key")
    said = alice.ok("join", "../remote.git", "--name", "alice", "--key", "me.key", "-o", "friday")
    assert "friday: your copy of the record" in said
    assert "friday: Sugar Dog (sugar-dog/1)\n  host SHA256:" in said
    assert "  first = alice\n" in said
    assert "pushed: your join" in said
    assert "The host has not begun." in alice.ok("play")
    said = cloned.ok("join", "remote.git", "--watch", "-o", "looking")
    assert "looking: your copy" in said
    assert "pushed" not in said
    assert not list(cloned.root.glob("*.seat"))
