"""`git`: what each command does, prints and refuses, for people who have nothing but commands."""

from __future__ import annotations

from typing import Any

import pytest
from click.testing import CliRunner
from desks import git_play

from adjudicator.cli import cli
from adjudicator.cli.git import git

Table = Any


@pytest.mark.parametrize("name", git.commands)
def test_help_has_an_example(name: str) -> None:
    """The example names the command; for `textconv` it is git's setting, as git calls it."""
    done = CliRunner().invoke(cli, ["git", name, "--help"])
    assert done.exit_code == 0
    example = "git config diff." if name == "textconv" else f"adjudicator git {name}"
    assert f"Example: {example}" in done.stdout


def test_a_game_by_commands(cloned: Table) -> None:
    """Host, play, start, order, sync: each says what it pushed and what came."""
    said = cloned.ok("git", "host", "remote.git", "--record", "friday").splitlines()
    assert said[-2:] == [
        "friday: published at remote.git",
        "for the players: adjudicator git play remote.git --seat NAME.seat --key KEY",
    ]
    for name in ("alice", "bob"):
        told = git_play(cloned, name)
        assert f"{name}-copy: your copy of the record" in told
        assert "pushed: your join" in told
    begun = cloned.ok("git", "start", "friday", "alice", "bob")
    assert "entry 0: genesis: alice, bob\n" in begun
    for name, line in (("alice", "start C4"), ("bob", "start C1")):
        copy, seat = f"{name}-copy", f"{name}.seat"
        assert "entry 0: genesis: alice, bob\n" in cloned.ok("git", "sync", copy)
        cloned.ok(
            "order", copy, "-", "--seat", seat, "-o", f"{name}.txt", given=f"{line}\n".encode()
        )
        assert "pushed: your orders" in cloned.ok("git", "sync", copy)
    advanced = cloned.ok("git", "sync", "friday")
    assert "entry 1: " in advanced
    assert "\nawaited: alice for turn, until " in advanced
    again = cloned.ok("git", "sync", "friday").splitlines()
    assert [line.partition(" until ")[0] for line in again] == ["step 2 waits for alice"]
    assert "entry 1: " in cloned.ok("git", "sync", "alice-copy")
    looking = cloned.ok("git", "play", "remote.git", "--record", "looking")
    assert "entry 1: " in looking
    assert "pushed" not in looking


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("host", "remote.git", "--record", "nowhere"), 1, "nowhere' holds no record"),
        (("host", "/"), 2, "name the record's folder with --record"),
        (("start", "friday", "zoe"), 1, "no join of 'zoe' was pushed"),
        (("play", "nowhere.git", "--record", "x"), 1, "nowhere.git"),
        (("play", "remote.git", "--record", "x", "--seat", "c.seat"), 2, "c.seat is not there"),
        (("sync", "nowhere"), 1, "nowhere' holds no record"),
        (("workflow", "sourceforge", "--record", "friday"), 2, "'sourceforge' is not one of"),
        (("guard", "--install", "nowhere"), 2, "'nowhere' does not exist"),
        (("frobnicate",), 2, "no such command 'frobnicate'"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_quoted(
    published: Table, words: tuple[str, ...], code: int, said: str
) -> None:
    """In one line on stderr, with what to do."""
    done = published.run("git", *words)
    assert (done.exit_code, done.stdout) == (code, ""), done.output
    line = done.stderr.splitlines()[0]
    assert line.startswith("error: ")
    assert said in line


@pytest.mark.parametrize("command", [("sync",), ("start", "alice"), ("page",)])
def test_a_record_that_is_not_there_is_quoted_as_typed(
    cloned: Table, command: tuple[str, ...]
) -> None:
    """Not as the absolute path that nobody wrote."""
    name, *more = command
    said = cloned.fails("missing", "git", name, "nowhere", *more)
    assert said.startswith("error: missing: 'nowhere' holds no record")
