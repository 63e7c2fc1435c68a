"""The command line tells every mistake in one line on stderr, with a way out, and no traceback."""

from __future__ import annotations

import errno
import json
import os
import re
import shlex
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

import adjudicator.cli as command_line
from adjudicator.cli import COMMANDS, EXITS, GROUPS, cli, shared

Table = Any


def call(*arguments: str) -> Result:
    """Run a command in this process."""
    return CliRunner().invoke(cli, list(arguments), prog_name="adjudicator")


@pytest.mark.parametrize(
    ("arguments", "line", "hint"),
    [
        (["shwo"], "no such command 'shwo'", "did you mean show?"),
        (["zzzz"], "no such command 'zzzz'", "adjudicator --help"),
        (["--colour"], "no such option", "adjudicator --help"),
        (["say"], "missing argument 'TEXT'", "adjudicator say --help"),
        (["show", "--sea", "x", "y"], "no such option", "adjudicator show --help"),
        (["demo", "--seed", "xyz"], "--seed 'xyz'", "adjudicator demo --help"),
        (["join", "x", "--mail", "y"], "--mail: 'y' is not one of", "adjudicator join --help"),
        (["verify", "--jobs", "0"], "--jobs: '0': expected 1 to 64", "adjudicator verify --help"),
        (["rule", "--annul", "x"], "--annul: 'x': expected 1 or more", "adjudicator rule --help"),
        (["show", "abc"], "'abc' is no entry's number", "adjudicator show --help"),
        (["log", "7", "8"], "one word too many: 7 8", "adjudicator log --help"),
        (["play", "--protest"], "--protest: expected something after", "adjudicator play --help"),
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
    assert told[0].endswith(" [usage]")
    assert hint in told[1]


@pytest.mark.parametrize(
    ("arguments", "line", "word"),
    [
        (["rules", "sugardog"], "no game 'sugardog' is installed", "unknown-game"),
        (["status", "-g", "nowhere"], "no game is in 'nowhere'", "missing"),
        (["show"], "no game is here", "missing"),
        (["join", "nowhere.txt", "--name", "a", "--key", "k"], "nowhere.txt", "missing"),
        (["invite", "sugar-dog", "--key", "nokey", "-o", "r"], "key file 'nokey'", "bad-key"),
        (["demo", "--option", "frist=a"], "'frist' is no option of", "bad-option"),
        (
            ["demo", "--players", "77"],
            "77 players are too many for sugar-dog, which seats 2 to 26",
            "bad-option",
        ),
        (["take", "nowhere.txt"], "'nowhere.txt' is not there", "missing"),
        (
            ["invite", "silent-ships", "a", "b", "c", "-y"],
            "Silent Ships is for 2 players, not 3",
            "bad-option",
        ),
    ],
)
def test_refusal(
    arguments: list[str], line: str, word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is refused is a sentence that ends in its word; exit code 1; nothing is written."""
    monkeypatch.chdir(tmp_path)
    done = call(*arguments)
    told = done.stderr.splitlines()
    assert done.exit_code == 1
    assert line in told[0]
    assert told[0].endswith(f" [{word}]"), told
    assert len(told) == 1 or told[1].startswith("hint: ")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_an_example(command: str) -> None:
    """Every command says what it does and gives an example of it or of one of its subcommands."""
    done = call(command, "--help")
    assert done.exit_code == 0
    assert re.search(rf"Example: .*adjudicator {command}\b", done.output), done.output
    assert call(command, "-h").output == done.output
    assert COMMANDS[command]


@pytest.mark.parametrize(
    ("value", "terminal", "coloured"), [("1", "", False), ("", "", True), ("", "dumb", False)]
)
def test_no_color_is_heeded(
    value: str, terminal: str, coloured: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a terminal errors are coloured, but never with NO_COLOR, or where it has no colours."""
    monkeypatch.setenv("NO_COLOR", value)
    monkeypatch.setenv("TERM", terminal)
    runner = CliRunner()
    for arguments in (["status", "-g", "nowhere"], ["shwo"]):
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


def test_no_command_is_status(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a game here three lines say how to play, to join and to host."""
    monkeypatch.chdir(tmp_path)
    done = call()
    assert done.exit_code == 0
    assert "; to learn it first: add --learn\n" in done.stdout
    assert [line.partition(":")[0] for line in done.stdout.splitlines()] == [
        "No game is here.",
        "to play",
        "to take a seat",
        "to host",
    ]
    assert done.stdout == call("status").stdout


def test_refusals_for_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With --json the word is a field on standard output, beside the line for people."""
    monkeypatch.chdir(tmp_path)
    done = call("status", "-g", "nowhere", "--json")
    told = json.loads(done.stdout)
    assert (done.exit_code, told["error"]) == (1, "missing")
    assert f"error: {told['line']} [missing]" in done.stderr


def test_help_lists_every_command(begun: Table) -> None:
    """In groups, with what each is for; then the exit codes; all in one window."""
    text = begun.ok("--help")
    places = [text.index(f" {name:<9}{line}") for name, line in COMMANDS.items()]
    assert places == sorted(places)
    assert all(f"\n{group:<7}" in text for group in GROUPS)
    assert all(f" {code} {line}" in text for code, line in EXITS)
    assert len(text.splitlines()) < 24
    assert max(map(len, text.splitlines())) < 80
    assert begun.ok("--version").startswith("adjudicator ")


def every_command() -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Each command, and each of a group, with the words that call it."""
    context = click.Context(cli)
    for name in COMMANDS:
        command = cli.get_command(context, name)
        assert command is not None
        yield (name,), command
        for under, one in getattr(command, "commands", {}).items():
            yield (name, under), one


CALLED = [(words, command) for words, command in every_command()]


@pytest.mark.parametrize(("words", "command"), CALLED, ids=[" ".join(one) for one, _ in CALLED])
def test_help_fits_a_window(words: tuple[str, ...], command: click.Command) -> None:
    """Of 24 lines of 80 with the prompt below it. Each option has a line of its own, or means the
    same everywhere and is in the usage; `help` before the command brings it too."""
    told, same = (
        CliRunner().invoke(cli, one, prog_name="adjudicator", terminal_width=78)
        for one in (["help", *words], [*words, "--help"])
    )
    assert (told.exit_code, told.output) == (0, same.output)
    assert told.output.count("\n") < 24
    assert max(map(len, told.output.splitlines())) < 80
    usage, _, rest = " ".join(told.output.split()).partition(" Options:")
    options = rest.partition(" -h, --help ")[0]
    everywhere = call("--help").output
    for option in command.params:
        if isinstance(option, click.Option) and not option.hidden:
            name = min(option.opts, key=len)
            told_here = re.search(rf" {re.escape(name)}[ ,]", options) is not None
            pair = (f"[{name}" in usage, told_here)
            assert pair == (isinstance(option, shared.Everywhere), not pair[0]), name
            assert not pair[0] or f" {name} " in everywhere


def test_help_alone_is_that_of_the_program() -> None:
    """And of what is no command the error says so."""
    assert call("help").output == call("--help").output
    assert "no such command 'shwo'" in call("help", "shwo").stderr


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("replay", "x"), "'x': expected 0 or more"),
        (("replay", "-g", "x", "--", "-1"), "'-1': expected 0 or more"),
        (("rule", "--reason", "x", "--annul", "0"), "--annul: '0': expected 1 or more"),
        (("invite", "sugar-dog", "--players", "65"), "--players: '65': expected 1 to 64"),
        (("demo", "--players", "0"), "--players: '0': expected 1 or more"),
        (("bot", "--tries", "21", "x"), "--tries: '21': expected 1 to 20"),
        (("try", "--games", "\u0661"), "--games: '\\u0661': expected 1 to 10000"),
    ],
)
def test_what_a_number_may_be_is_said_in_words(words: tuple[str, ...], line: str) -> None:
    """With what was typed."""
    done = call(*words)
    assert done.exit_code == 2
    assert f"error: {line} [usage]\n" in done.stderr


@pytest.mark.parametrize("group", [(), ("git",)])
def test_help_cuts_no_line_off(group: tuple[str, ...]) -> None:
    """What a command is for can be read in the list of its group, at 80 columns."""
    listed = call(*group, "--help").output.partition("\n")[2]
    assert listed
    assert "..." not in listed
    assert max(map(len, listed.splitlines())) < 80


@pytest.mark.parametrize(
    ("word", "arguments"),
    [
        ("unknown-game", ("demo", "chess")),
        ("unknown-game", ("invite", "chess", "--key", "host.key", "-o", "x")),
        ("bad-option", ("invite", "sugar-dog", "--key", "host.key", "-o", "x", "--option", "a=b")),
        ("bad-option", ("invite", "sugar-dog", "--key", "host.key", "-o", "x", "--option", "live")),
        ("bad-key", ("invite", "sugar-dog", "--key", "friday-invite.txt", "-o", "x")),
        *(("missing", (verb, "-g", "nowhere")) for verb in ("log", "show", "sync")),
        ("missing", ("resend", "all", "-g", "nowhere")),
        ("missing", ("resend", "all", "7")),
        ("missing", ("start", "friday-alice-join.txt", "-g", "nowhere")),
        ("missing", ("start", "zoe", "-g", "nowhere")),
        ("missing", ("verify", "friday", "--against", "nowhere")),
        ("missing", ("play", "--form", "--seat", "carol.seat")),
        ("bad-bundle", ("take", "alice.key.pub")),
        ("bad-bundle", ("take", "alice.key")),
        ("bad-option", ("join", "friday-invite.txt", "--key", "alice.key")),
        ("bad-option", ("config", "adress")),
        ("bad-option", ("config", "remind", "7")),
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
        ("frobnicate",), ("demo", "--wrong"), ("keygen",), ("invite",),
        ("invite", "--drop", "x", "y"),
        ("demo", "--seed", "00" * 33), ("resend", "all", "-1"),
        ("resend", "all", "x"), ("verify", "friday", "--jobs", "0"),
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


@pytest.mark.parametrize(
    ("system", "file", "code"), [("nt", None, 141), ("nt", "a.zip", 2), ("posix", None, 2)]
)
def test_a_closed_pipe_on_windows(
    system: str, file: str | None, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There it is an argument that is invalid, as what no file can be called is."""
    monkeypatch.setattr(command_line, "_unheard", lambda: click.exceptions.Exit(141))
    with monkeypatch.context() as patch:
        patch.setattr(os, "name", system)
        ended = command_line._failed(OSError(errno.EINVAL, "Invalid argument", file))
    assert isinstance(ended, click.exceptions.Exit)
    assert ended.exit_code == code


FULL = Path("/dev/full")


def on_a_full_disk(table: Table, *arguments: str) -> tuple[int, str]:
    """The exit code, and what stands on standard error."""
    with FULL.open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "adjudicator", *arguments],
            cwd=table.root, stdout=full, stderr=subprocess.PIPE, timeout=60, check=False,
        )  # fmt: skip
    return done.returncode, done.stderr.decode()


@pytest.mark.skipif(not FULL.exists(), reason="this system has no disk that is always full")
@pytest.mark.parametrize(
    "arguments",
    [["verify", "friday"], ["games"], ["--version"], ["replay", "-g", "friday", "--json"]],
)
def test_output_that_no_disk_takes_is_no_verdict(finished: Table, arguments: list[str]) -> None:
    """1 would say that the record is false."""
    assert on_a_full_disk(finished, *arguments) == (
        141, "error: the output: No space left on device [unwritable]\n",
    )  # fmt: skip


@pytest.mark.skipif(not FULL.exists(), reason="this system has no disk that is always full")
def test_a_wrong_call_is_told_though_its_output_goes_nowhere(finished: Table) -> None:
    """What is for programs is lost, and nothing else is said of it."""
    code, said = on_a_full_disk(finished, "verify", "--json", "--nothing")
    assert (code, said.splitlines()[1:]) == (2, ["hint: adjudicator verify --help"])


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


EVERYWHERE = ("--game", "--seat", "--key", "--out", "--json", "--verbose", "--quiet", "--yes")
"""The options that mean the same in every command, and are learnt once."""


def options(command: click.Command, called: str = "") -> Iterator[tuple[str, str]]:
    """Every option of a command and of those below it: its long name, and of which command."""
    if isinstance(command, click.Group):
        for name in command.list_commands(click.Context(command)):
            below = command.get_command(click.Context(command), name)
            assert below is not None
            yield from options(below, f"{called} {name}".strip())
        return
    for one in command.params:
        if isinstance(one, click.Option):
            yield max(one.opts, key=len), called


def test_options_are_few() -> None:
    """A new one shall take the place of an old one, or mean the same as it does elsewhere."""
    found = Counter(name for name, _ in options(cli))
    own = sum(many for name, many in found.items() if name not in EVERYWHERE)
    assert own + len(EVERYWHERE) <= 125
    assert len(found) <= 85
