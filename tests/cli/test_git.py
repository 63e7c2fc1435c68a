"""`git`: what each command does, prints and refuses, for people who have nothing but commands."""

from __future__ import annotations

import os
from typing import Any

import pytest
from click.testing import CliRunner
from desks import git_play

from adjudicator.cli import cli
from adjudicator.cli.git import git

Table = Any
SPEC = "git+https://example.org/sealed-orders@0123456789abcdef0123456789abcdef01234567"


@pytest.fixture
def desk(cloned: Table) -> Table:
    """A folder with three keys, a record `friday` and an empty repository for it."""
    return cloned


@pytest.fixture
def published(desk: Table) -> Table:
    """The same once its host has published the record."""
    desk.ok("git", "host", "remote.git", "--record", "friday")
    return desk


@pytest.mark.parametrize("name", git.commands)
def test_help_has_an_example(name: str) -> None:
    """That names the command; `textconv` is git's to call."""
    done = CliRunner().invoke(cli, ["git", name, "--help"])
    assert done.exit_code == 0
    example = "git config diff." if name == "textconv" else f"adjudicator git {name}"
    assert f"Example: {example}" in done.stdout


def test_a_game_by_commands(desk: Table) -> None:
    """Host, play, start, order, sync: each says what it pushed and what came."""
    said = desk.ok("git", "host", "remote.git", "--record", "friday").splitlines()
    assert said[-2:] == [
        "friday: published at remote.git",
        "for the players: adjudicator git play remote.git --seat NAME.seat --key KEY",
    ]
    for name in ("alice", "bob"):
        told = git_play(desk, name)
        assert f"{name}-copy: your copy of the record" in told
        assert "pushed: your join" in told
    begun = desk.ok("git", "start", "friday", "alice", "bob")
    assert "entry 0: genesis: alice, bob\n" in begun
    for name, line in (("alice", "start C4"), ("bob", "start C1")):
        copy, seat = f"{name}-copy", f"{name}.seat"
        assert "entry 0: genesis: alice, bob\n" in desk.ok("git", "sync", copy)
        desk.ok("order", copy, "-", "--seat", seat, "-o", f"{name}.txt", given=f"{line}\n".encode())
        assert "pushed: your orders" in desk.ok("git", "sync", copy)
    advanced = desk.ok("git", "sync", "friday")
    assert "entry 1: " in advanced
    assert "\nawaited: alice for turn, until " in advanced
    again = desk.ok("git", "sync", "friday").splitlines()
    assert [line.partition(" until ")[0] for line in again] == ["step 2 waits for alice"]
    assert "entry 1: " in desk.ok("git", "sync", "alice-copy")
    looking = desk.ok("git", "play", "remote.git", "--record", "looking")
    assert "entry 1: " in looking
    assert "pushed" not in looking
    shown = desk.ok("git", "badge", "friday", "-o", "-")
    assert shown.startswith("<svg")
    assert desk.ok("git", "badge", "friday", "-o", "b.svg") == "b.svg: the badge\n"
    assert (desk.root / "b.svg").read_text() == shown


def test_guard_says_why_in_a_line_each(published: Table) -> None:
    """As a hook it is written for git; called by hand it exits 1 for what must not enter."""
    said = published.ok("git", "guard", "--install", "remote.git")
    assert said == "remote.git/hooks/pre-receive: runs adjudicator git guard on every push\n"
    assert os.access(published.root / "remote.git/hooks/pre-receive", os.X_OK)
    bare = type(published)(published.root / "remote.git")
    null, head = "0" * 40, (bare.root / "refs/heads/main").read_text().strip()
    row = f"{head} {null} refs/heads/main\n"
    for done in (
        bare.run("git", "guard", given=row.encode()),
        bare.run("git", "guard", "refs/heads/main", head, null),
    ):
        assert (done.exit_code, done.stdout) == (1, "")
        assert done.stderr.startswith("refused: ")
        assert done.stderr.count("\n") == 1
    assert bare.ok("git", "guard", given=b"") == ""
    wrong = bare.run("git", "guard", "refs/heads/main")
    assert wrong.exit_code == 2
    assert "expected REF OLD NEW" in wrong.stderr


def test_textconv_never_fails(published: Table) -> None:
    """git ends where its driver does: what is no file of a record is told in a line."""
    inside = type(published)(published.root / "friday")
    shown = inside.ok("git", "textconv", "invite.toml.sig")
    assert "SHA256:" in shown
    assert inside.ok("git", "textconv", "nowhere").startswith("not shown: ")
    assert inside.ok("git", "textconv", "invite.toml.sig", "--seat", "none.seat") == shown


def test_workflow_and_secrets(published: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that name the program by its bytes; secrets made from the environment, none printed."""
    workflow = ("git", "workflow", "github", "--record", "friday")
    error = published.fails("bad-option", *workflow)
    assert "nothing was written" in error
    before = sorted((published.root / "friday").rglob("*"))
    published.fails("bad-option", *workflow, "--install", "adjudicator")
    assert sorted((published.root / "friday").rglob("*")) == before
    said = published.ok(*workflow, "--host", "--install", SPEC).splitlines()
    written = [published.root / line.removesuffix(": written") for line in said[:-1]]
    assert all(SPEC in path.read_text() for path in written)
    assert said[-1].startswith("secrets to set there: ADJUDICATOR_MASTER, ")
    for name, file in (
        ("MASTER", "friday.host/master"),
        ("LETTERS", "friday.host/letters"),
        ("KEY", "host.key"),
    ):
        monkeypatch.setenv(f"ADJUDICATOR_{name}", (published.root / file).read_text())
    master = (published.root / "friday.host/master").read_text()
    (published.root / "friday.host").rename(published.root / "away")
    made = published.ok("git", "secrets", "friday")
    assert made == "friday.host: made from the environment\n"
    assert (published.root / "friday.host/master").read_text() == master


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("host", "remote.git", "--record", "nowhere"), 1, "nowhere' holds no record"),
        (("host", "/"), 2, "name the record's folder with --record"),
        (("start", "friday", "zoe"), 1, "no join of 'zoe' was pushed"),
        (("play", "nowhere.git", "--record", "x"), 1, "nowhere.git"),
        (("play", "remote.git", "--record", "x", "--seat", "c.seat"), 2, "c.seat is not there"),
        (("sync", "nowhere"), 1, "nowhere' holds no record"),
        (("sync", "friday", "--at", "25:00"), 1, "'25:00'"),
        (("workflow", "sourceforge", "--record", "friday"), 2, "'sourceforge' is not one of"),
        (("badge", "nowhere", "-o", "b.svg"), 1, "nowhere' holds no record"),
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


@pytest.mark.parametrize(
    "command", [("sync",), ("start", "alice"), ("page",), ("badge", "-o", "-")]
)
def test_a_record_that_is_not_there_is_quoted_as_typed(
    desk: Table, command: tuple[str, ...]
) -> None:
    """Not as the absolute path that nobody wrote."""
    name, *more = command
    said = desk.fails("missing", "git", name, "nowhere", *more)
    assert said.startswith("error: missing: 'nowhere' holds no record")
