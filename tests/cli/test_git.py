"""`git`: what each command does, prints and refuses, for people who have nothing but commands."""

from __future__ import annotations

import re
from typing import Any

import pytest
from click.testing import CliRunner
from desks import git_play

from adjudicator.cli import cli
from adjudicator.cli.git import git

Table = Any


@pytest.mark.parametrize("name", git.commands)
def test_help_has_an_example(name: str) -> None:
    """The example names the command."""
    done = CliRunner().invoke(cli, ["git", name, "--help"])
    assert done.exit_code == 0
    assert f"Example: adjudicator git {name}" in done.stdout


def test_a_game_by_commands(cloned: Table) -> None:
    """Host, play, start, order, sync: each says what it pushed and what came."""
    said = cloned.ok("invite", "--git", "remote.git", "-g", "friday").splitlines()
    assert said[-2:] == [
        "friday: published at remote.git",
        "for the players: adjudicator join remote.git",
    ]
    for name in ("alice", "bob"):
        told = git_play(cloned, name)
        assert f"{name}-copy: your copy of the record" in told
        assert "friday: Sugar Dog (sugar-dog/1)\n  host SHA256:" in told
        assert "  first = alice\n" in told
        assert "pushed: your join" in told
    begun = cloned.ok("start", "alice", "bob", "-g", "friday")
    assert "entry 0: genesis: alice, bob\n" in begun
    for name, line in (("alice", "start C4"), ("bob", "start C1")):
        copy, seat = f"{name}-copy", f"{name}.seat"
        assert "entry 0: genesis: alice, bob\n" in cloned.ok("sync", "-g", copy)
        cloned.ok(
            "play",
            "--file",
            "-",
            "-g",
            copy,
            "--seat",
            seat,
            "-o",
            f"{name}.txt",
            given=f"{line}\n".encode(),
        )
        assert "pushed: your orders" in cloned.ok("sync", "-g", copy)
    advanced = cloned.ok("sync", "-g", "friday")
    assert "entry 1: " in advanced
    assert "\nalice's turn, until " in advanced
    waits, then = cloned.ok("sync", "-g", "friday").splitlines()
    assert re.fullmatch(r"Waiting for alice until \w{3} \d+ \w{3} \d\d:\d\d \(in .+\)", waits)
    assert then == "After that: adjudicator sync --late"
    assert "entry 1: " in cloned.ok("sync", "-g", "alice-copy")
    looking = cloned.ok("join", "remote.git", "--watch", "-o", "looking")
    assert "entry 1: " in looking
    assert "pushed" not in looking


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("invite", "--git", "remote.git", "-g", "nowhere"), 1, "no game is in 'nowhere'"),
        (("start", "zoe"), 1, "no join of 'zoe' was pushed"),
        (("join", "https://127.0.0.1:1/nowhere.git", "--watch"), 1, "nowhere.git"),
        (("join", "remote.git", "--name", "c"), 1, "no key of yours is here"),
        (("sync", "-g", "nowhere"), 1, "no game is in 'nowhere'"),
        (("git", "setup", "sourceforge"), 2, "'sourceforge': expected github, gitlab"),
        (("git", "frobnicate"), 2, "no such command 'frobnicate'"),
        (("git", "sync"), 2, "'git sync' is now 'sync'"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_quoted(
    published: Table, words: tuple[str, ...], code: int, said: str
) -> None:
    """In one line on stderr, with what to do."""
    done = published.run(*words)
    assert (done.exit_code, done.stdout) == (code, ""), done.output
    line = done.stderr.splitlines()[0]
    assert line.startswith("error: ")
    assert said in line


@pytest.mark.parametrize("command", [("sync",), ("start", "alice"), ("git", "board")])
def test_a_record_that_is_not_there_is_quoted_as_typed(
    cloned: Table, command: tuple[str, ...]
) -> None:
    """Not as the absolute path that nobody wrote."""
    said = cloned.fails("missing", *command, "-g", "nowhere")
    assert said.startswith("error: no game is in 'nowhere'")
