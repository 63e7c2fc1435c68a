"""`git`, what servers and CI run: what each command does, prints and refuses."""

from __future__ import annotations

import os
from typing import Any

import pytest

Table = Any
SPEC = "git+https://example.org/sealed-orders@0123456789abcdef0123456789abcdef01234567"


def test_guard_gives_a_line_for_each_refusal(published: Table) -> None:
    """Installed as a hook or called by hand, it exits with 1 for a push that must not enter."""
    said = published.ok("git", "setup", "remote.git")
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
    workflow = ("git", "setup", "github", "-g", "friday")
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
