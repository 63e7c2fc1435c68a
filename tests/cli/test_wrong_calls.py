"""The command line tells every mistake in one line on stderr, with a way out, and no traceback."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from adjudicator.cli import COMMANDS, cli


def call(*arguments: str) -> Result:
    """Run a command in this process."""
    return CliRunner().invoke(cli, list(arguments), prog_name="adjudicator")


@pytest.mark.parametrize(
    ("arguments", "line", "hint"),
    [
        (["shwo"], "usage: no such command 'shwo'", "did you mean show?"),
        (["zzzz"], "usage: no such command 'zzzz'", "adjudicator --help"),
        (["--colour"], "usage: no such option", "adjudicator --help"),
        (["show"], "usage: missing argument 'RECORD'", "adjudicator show --help"),
        (["show", "--sea", "x", "y"], "usage: no such option", "adjudicator show --help"),
        (["demo", "--seed", "xyz"], "usage: invalid value", "adjudicator demo --help"),
        (["rule", "x", "--reason", "r"], "usage: a ruling needs", "adjudicator rule --help"),
    ],
)
def test_wrong_call(arguments: list[str], line: str, hint: str) -> None:
    """A wrong call is one line, a hint, and exit code 2."""
    done = call(*arguments)
    told = done.stderr.splitlines()
    assert done.exit_code == 2
    assert done.stdout == ""
    assert len(told) == 2
    assert told[0].startswith(f"error: {line}"), told
    assert hint in told[1]


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["rules", "sugardog"], "unknown-game: no game 'sugardog' is installed"),
        (["status", "nowhere"], "missing: 'nowhere' holds no record"),
        (["join", "nowhere.txt", "--name", "a", "--key", "k"], "missing: 'nowhere.txt'"),
        (["invite", "sugar-dog", "--key", "nokey", "-o", "r"], "bad-key: key file 'nokey'"),
        (["demo", "--option", "frist=a"], "bad-option: option 'frist=a'"),
        (["demo", "--players", "77"], "bad-option: a demo of sugar-dog seats 2 to 8"),
        (["receive", "r", "nowhere.txt"], "missing: 'nowhere.txt'"),
    ],
)
def test_refusal(
    arguments: list[str], line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is refused begins with its word; exit code 1; nothing is written."""
    monkeypatch.chdir(tmp_path)
    done = call(*arguments)
    told = done.stderr.splitlines()
    assert done.exit_code == 1
    assert told[0].startswith(f"error: {line}"), told
    assert len(told) == 1 or told[1].startswith("hint: ")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_an_example(command: str) -> None:
    """Every command has help with an example (groups have one in each of their commands)."""
    done = call(command, "--help")
    assert done.exit_code == 0
    assert "Example" in done.output or "Commands:" in done.output


@pytest.mark.parametrize(("value", "coloured"), [("1", False), ("", True)])
def test_no_color_is_heeded(value: str, coloured: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal errors are coloured, but never with NO_COLOR."""
    monkeypatch.setenv("NO_COLOR", value)
    runner = CliRunner()
    for arguments in (["status", "nowhere"], ["shwo"]):
        done = runner.invoke(cli, arguments, prog_name="adjudicator", color=True)
        assert ("\x1b[" in done.stderr) == coloured


def test_completion_knows_commands() -> None:
    """The shell's completion gets every command, without running any."""
    done = CliRunner().invoke(
        cli,
        [],
        prog_name="adjudicator",
        env={
            "_ADJUDICATOR_COMPLETE": "bash_complete",
            "COMP_WORDS": "adjudicator ",
            "COMP_CWORD": "1",
        },
    )
    assert {line.partition(",")[2] for line in done.stdout.splitlines()} == set(COMMANDS)


def test_no_command_shows_help() -> None:
    """Without a command there is help, as for a wrong call."""
    done = call()
    assert done.exit_code == 2
    assert "Commands:" in done.output
