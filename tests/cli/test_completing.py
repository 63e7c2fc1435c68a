"""What the shell is offered while somebody types."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from adjudicator.cli import cli


def offered(typed: str) -> list[str]:
    """The completions of the last word."""
    words = typed.split(" ")
    done = CliRunner().invoke(
        cli,
        [],
        prog_name="adjudicator",
        env={
            "_ADJUDICATOR_COMPLETE": "bash_complete",
            "COMP_WORDS": f"adjudicator {typed}",
            "COMP_CWORD": str(len(words)),
        },
    )
    return [line.partition(",")[2] for line in done.stdout.splitlines() if line]


@pytest.mark.parametrize("command", ["invite", "demo", "play", "try", "demo --game"])
def test_games(command: str) -> None:
    """Wherever a game is named."""
    assert offered(f"{command} s") == ["silent-ships", "submarine-warfare", "sugar-dog"]
    assert offered(f"{command} su") == ["submarine-warfare", "sugar-dog"]
    assert offered(f"{command} chess") == []


@pytest.mark.parametrize("command", ["demo", "play"])
def test_bots(command: str) -> None:
    """Those of the game that was named; none without a game."""
    assert {"captain", "random"} <= set(offered(f"{command} sugar-dog --bot "))
    assert offered(f"{command} sugar-dog --bot c") == ["captain"]
    assert offered(f"{command} --bot c") == []
    assert offered(f"{command} chess --bot c") == []


@pytest.mark.parametrize("command", ["invite", "demo", "play"])
def test_options_and_presets(command: str) -> None:
    """Names of options, then the values of those that have few; presets by name."""
    assert "turn_time=" in offered(f"{command} sugar-dog --option ")
    assert offered(f"{command} silent-ships --option edition=p") == ["edition=print"]
    assert offered(f"{command} sugar-dog --option press=") != []
    assert offered(f"{command} submarine-warfare --option l") == ["live"]


def test_seats(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seat folders of the current folder, and no file that is called like one."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "alice.seat").mkdir()
    (tmp_path / "bob.seat").write_text("")
    for command in ("show", "away", "log", "play"):
        assert offered(f"{command} --seat ") == ["alice.seat"]
