"""The command line tells every mistake in one line on stderr, with a way out, and no traceback."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from adjudicator.cli import COMMANDS, cli

Table = Any


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
    """Every command says what it does and gives an example of it or of one of its subcommands."""
    done = call(command, "--help")
    assert done.exit_code == 0
    assert re.search(rf"Example: .*adjudicator {command}\b", done.output), done.output
    assert call(command, "-h").output == done.output
    assert COMMANDS[command][1]


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


def test_help_lists_every_command(begun: Table) -> None:
    """In the order of a game's life, with a line each."""
    text = begun.ok("--help")
    places = [text.index(f"\n  {name} ") for name in COMMANDS]
    assert places == sorted(places)
    assert begun.ok("--version").startswith("adjudicator ")


@pytest.mark.parametrize("group", [(), ("mail",), ("git",)])
def test_help_cuts_no_line_off(group: tuple[str, ...]) -> None:
    """What a command is for can be read in the list of its group."""
    listed = call(*group, "--help").output.partition("Commands:")[2]
    assert listed
    assert "..." not in listed


@pytest.mark.parametrize(
    ("word", "arguments"),
    [
        ("unknown-game", ("rules", "sugar-cat")),
        ("unknown-game", ("demo", "--game", "chess")),
        ("unknown-game", ("invite", "chess", "--key", "host.key", "-o", "x")),
        ("bad-option", ("invite", "sugar-dog", "--key", "host.key", "-o", "x", "--option", "a=b")),
        ("bad-option", ("invite", "sugar-dog", "--key", "host.key", "-o", "x", "--preset", "live")),
        ("bad-option", ("demo", "--players", "99")),
        ("bad-option", ("demo", "--bot", "genius")),
        ("bad-option", ("demo", "--option", "missed=never")),
        ("bad-key", ("invite", "sugar-dog", "--key", "none.key", "-o", "x")),
        ("bad-key", ("invite", "sugar-dog", "--key", "friday-invite.txt", "-o", "x")),
        ("missing", ("status", "nowhere")),
        ("missing", ("log", "nowhere")),
        ("missing", ("show", "nowhere")),
        ("missing", ("advance", "nowhere")),
        ("missing", ("bundle", "nowhere")),
        ("missing", ("bundle", "friday", "7")),
        ("missing", ("start", "nowhere", "friday-alice-join.txt")),
        ("missing", ("submit", "friday", "none.txt")),
        ("missing", ("prove-fork", "friday", "nowhere")),
        ("missing", ("template", "friday", "--seat", "carol.seat")),
        ("bad-bundle", ("submit", "friday", "alice.key.pub")),
        ("bad-bundle", ("submit", "friday", "friday-invite.txt")),
        ("bad-bundle", ("receive", "friday", "friday-alice-join.txt")),
        ("bad-bundle", ("join", "friday-alice-join.txt", "--name", "x", "--key", "alice.key")),
        ("malformed", ("join", "friday-invite.txt", "--name", "../x", "--key", "alice.key")),
        ("malformed", ("join", "friday-invite.txt", "--name", "setup", "--key", "alice.key")),
        ("bad-key", ("join", "friday-invite.txt", "--name", "carol", "--key", "host.key")),
    ],
)  # fmt: skip
def test_refusals_are_one_line(table: Table, word: str, arguments: tuple[str, ...]) -> None:
    """A stable word, what was found, and where it helps a way out; nothing is written."""
    before = sorted(path for path in table.root.rglob("*"))
    table.fails(word, *arguments)
    assert sorted(path for path in table.root.rglob("*")) == before


@pytest.mark.parametrize(
    "arguments",
    [
        ("frobnicate",), ("demo", "--wrong"), ("keygen",), ("invite", "sugar-dog"),
        ("demo", "--seed", "xyz"), ("demo", "--seed", "00" * 33), ("bundle", "friday", "-1"),
        ("bundle", "friday", "x"), ("verify", "friday", "--jobs", "0"),
        ("join", "friday-invite.txt", "--name", "x", "--key", "k", "--mail", "loud"),
    ],
)  # fmt: skip
def test_wrong_calls_exit_2(table: Table, arguments: tuple[str, ...]) -> None:
    """One line, and where to read on."""
    result = table.run(*arguments)
    assert result.exit_code == 2
    lines = result.stderr.splitlines()
    assert lines[0].startswith("error: ")
    assert len(lines) <= 2


def test_no_color(finished: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """No escape where output is no terminal; nor on one, with NO_COLOR."""
    monkeypatch.setenv("NO_COLOR", "1")
    before = Path.cwd()
    os.chdir(finished.root)
    try:
        for arguments in (["verify", "friday"], ["verify", "nowhere"], ["rules", "x"]):
            result = CliRunner().invoke(cli, arguments, color=True)
            assert "\x1b" not in result.output
    finally:
        os.chdir(before)
    assert "\x1b" not in finished.run("verify", "friday").output


@pytest.mark.parametrize("arguments", [["verify", "--help"], ["--help"], ["rules", "sugar-dog"]])
def test_a_reader_may_close_the_pipe(arguments: list[str]) -> None:
    """As `| head` does: nothing is said, and the code is that of a closed pipe, never a verdict."""
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as closed:
        done = subprocess.run(
            [sys.executable, "-m", "adjudicator", *arguments],
            stdout=closed, stderr=subprocess.PIPE, timeout=60, check=False,
        )  # fmt: skip
    assert (done.returncode, done.stderr) == (141, b"")


FULL = Path("/dev/full")


@pytest.mark.skipif(not FULL.exists(), reason="this system has no disk that is always full")
@pytest.mark.parametrize("arguments", [["verify", "friday"], ["games"], ["--version"]])
def test_output_that_no_disk_takes_is_no_verdict(finished: Table, arguments: list[str]) -> None:
    """1 would say that the record is false."""
    with FULL.open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "adjudicator", *arguments],
            cwd=finished.root, stdout=full, stderr=subprocess.PIPE, timeout=60, check=False,
        )  # fmt: skip
    assert (done.returncode, done.stderr) == (
        141, b"error: unwritable: the output: No space left on device\n",
    )  # fmt: skip


@pytest.mark.skipif(os.name == "nt", reason="streams are closed by the shell")
def test_closed_streams_are_empty(finished: Table) -> None:
    """As in jobs without streams: the exit code is the verdict, and nothing is asked or printed."""
    command = f"{shlex.quote(sys.executable)} -m adjudicator verify friday --seat alice.seat"
    done = subprocess.run(
        ["/bin/sh", "-c", f"exec {command} <&- >&- 2>&-"],
        cwd=finished.root,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0
