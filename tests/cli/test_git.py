"""`git`: what each command does, prints and refuses, for people who have nothing but commands."""

from __future__ import annotations

import os
from typing import Any

import pytest

Table = Any


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


# `git`, what servers and CI run: what each command does, prints and refuses.


SPEC = "git+https://example.org/sealed-orders@0123456789abcdef0123456789abcdef01234567"


def test_guard_gives_a_line_for_each_refusal(published: Table) -> None:
    """It exits with 1 for a push that must not enter, whatever bytes name it, and reads stdin."""
    said = published.ok("git", "setup", "remote.git")
    assert said == "remote.git/hooks/pre-receive: runs adjudicator git guard on every push\n"
    assert os.access(published.root / "remote.git/hooks/pre-receive", os.X_OK)
    bare = type(published)(published.root / "remote.git")
    null, head = "0" * 40, (bare.root / "refs/heads/main").read_text().strip()
    rows = [
        f"{null} {head} refs/heads/".encode() + name for name in (b"topic", b"\xe2\x80\xa8\xff")
    ]
    done = bare.run("git", "guard", given=b"\n".join([*rows, b""]))
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.splitlines() == [
        f"refused: refs/heads/{name}: belongs nowhere: expected main, receipts, or in.NAME.WHAT.ID"
        for name in ("topic", "\\u2028\\\\xff")
    ]
    assert bare.ok("git", "guard", given=b"") == ""
    wrong = bare.run("git", "guard", given=b"refs/heads/main\n")
    assert wrong.exit_code == 1
    assert wrong.stderr.startswith("error: 'refs/heads/main': expected OLD NEW REF")
    wrong = bare.run("git", "guard", "refs/heads/main", head, null)
    assert wrong.exit_code == 2


def test_workflow_and_secrets(published: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that name the program by its bytes; secrets made from the environment, none printed."""
    workflow = ("git", "setup", "github", "-g", "friday")
    error = published.fails("bad-option", *workflow)
    assert "nothing was written" in error
    before = sorted((published.root / "friday").rglob("*"))
    published.fails("bad-option", *workflow, "--install", "adjudicator")
    assert sorted((published.root / "friday").rglob("*")) == before
    said = published.ok(*workflow, "--host", "--install", SPEC).splitlines()
    written = [published.root / line.removesuffix(": written") for line in said[:-1]]
    # All but the knock, which installs nothing.
    named = {path.name: SPEC in path.read_text() for path in written}
    assert named == {"verify.yml": True, "knock.yml": False, "host.yml": True}
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
