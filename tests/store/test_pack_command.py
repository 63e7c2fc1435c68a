"""`adjudicator pack`, and the commands that read a pack as they read a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from adjudicator.cli import cli

Table = Any


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Run a command in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def call(*args: str) -> Any:
        return CliRunner().invoke(cli, list(args))

    return call


def test_a_pack_is_read_like_a_folder(run: Any, finished: Table) -> None:
    """verify, show, log and status say of a pack what they say of the folder."""
    record = str(finished.record.root)
    made = run("pack", record, "-o", "friday.zip")
    assert made.exit_code == 0
    digest = made.output.split("last entry 5, ")[1][:64]
    for command in (["verify", "--head", digest], ["show", "--step", "2"], ["log"], ["status"]):
        name, *rest = command
        folder = run(name, record, *rest)
        packed = run(name, "friday.zip", *rest)
        assert packed.exit_code == folder.exit_code == 0, packed.output
        assert packed.output.replace("friday.zip", record).count("\n") > 1
    assert "verdict: true: alice won" in run("verify", "friday.zip").output


def test_a_pack_replaces_a_pack_and_nothing_else(run: Any, finished: Table) -> None:
    """`-o` never costs anybody a file."""
    record = str(finished.record.root)
    Path("notes.txt").write_text("mine")
    assert run("pack", record, "-o", "notes.txt").exit_code == 1
    assert Path("notes.txt").read_text() == "mine"
    assert run("pack", record, "-o", "friday.zip").exit_code == 0
    assert run("pack", record, "-o", "friday.zip").exit_code == 0


def test_the_head_that_is_expected(run: Any, finished: Table) -> None:
    """Another head is false, and the verdict quotes both."""
    found = run("verify", str(finished.record.root), "--head", "0" * 64)
    assert found.exit_code == 1
    assert finished.verify().head in found.output
