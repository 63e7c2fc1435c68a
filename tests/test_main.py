"""`python -m adjudicator` is the command; accidents at it are no verdicts."""

from __future__ import annotations

import os
import runpy
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import click
import pytest

import adjudicator
from adjudicator import cli

Table = Any


def test_the_module_is_the_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With its arguments and its exit codes."""
    for arguments, code in ((["--version"], 0), (["--nonsense"], 2)):
        monkeypatch.setattr(sys, "argv", ["adjudicator", *arguments])
        with pytest.raises(SystemExit) as ended:
            runpy.run_module("adjudicator", run_name="__main__", alter_sys=False)
        assert ended.value.code == code
    assert adjudicator.__version__ in capsys.readouterr().out


# Faults of the program.


def broken(folder: Path, package: str) -> dict[str, str]:
    """An environment in which importing that package fails."""
    (folder / package).mkdir()
    (folder / package / "__init__.py").write_text("raise ImportError('caf\\xe9\\nat all')\n")
    return {**os.environ, "PYTHONPATH": str(folder)}


def run(*arguments: object, **more: Any) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own."""
    words = [sys.executable, "-m", "adjudicator", *map(str, arguments)]
    return subprocess.run(words, capture_output=True, text=True, timeout=60, check=False, **more)


@pytest.mark.parametrize("package", ["cryptography", "click"])
def test_a_broken_installation_is_no_verdict(finished: Table, tmp_path: Path, package: str) -> None:
    """A line, a hint and 70, of one record and of several; no traceback."""
    environment = broken(tmp_path, package)
    record = finished.record.root
    for words in (("verify", record), ("verify", record, record), ("log", "-g", record)):
        done = run(*words, env=environment)
        assert done.returncode == 70, done
        assert "Traceback" not in done.stderr
        assert "FALSE" not in done.stdout
        assert "ImportError" in done.stdout + done.stderr
        assert (done.stdout + done.stderr).isascii()


def test_a_fault_is_a_line_and_where_to_send_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever is thrown, also what is no Exception, as by a library in Rust."""
    monkeypatch.delenv("CI", raising=False)

    class Panic(BaseException):
        pass

    for fault in (ValueError("bad\n\x1b[31mvalue"), Panic("oh"), RecursionError()):

        def fails(*_: Any, fault: BaseException = fault) -> None:
            raise fault

        monkeypatch.setattr(cli.Commands, "get_command", fails)
        with pytest.raises(SystemExit) as ended:
            cli.main(["games"])
        assert ended.value.code == 70
        line, hint = capsys.readouterr().err.splitlines()
        kind = type(fault).__name__
        assert line.startswith(f"error: this program failed: {kind}: ")
        assert line.endswith(f"{adjudicator.__version__}) [fault]")
        assert line.isascii()
        assert line.isprintable()
        assert hint == (
            "hint: nothing was judged; send this line, and what you typed, to who gave you this "
            "program"
        )


def test_developers_see_where_it_failed(tmp_path: Path) -> None:
    """In the development mode of Python, which `PYTHONDEVMODE` turns on."""
    environment = {**broken(tmp_path, "cryptography"), "PYTHONDEVMODE": "1"}
    done = run("demo", "--seed", "07", "--quiet", env=environment)
    assert done.returncode == 70
    assert "Traceback" in done.stderr


# Ctrl-C.

BEGUN = """
import signal
from adjudicator.__main__ import main

def first(*given):
    signal.signal = real
    real(*given)
    print("begun", flush=True)

real, signal.signal = signal.signal, first
main()
"""
"""The command, which says when its first line has run: before that, Python itself is starting."""


@pytest.mark.parametrize("after", [0, 0.01, 0.03, 0.06, 0.1, 0.15, 0.2, 0.3, 0.5])
def test_ctrl_c_at_any_moment(tmp_path: Path, after: float) -> None:
    """It ends by the signal or with 130, without a traceback, also while it is being loaded."""
    with subprocess.Popen(
        [sys.executable, "-c", BEGUN, *["simulate", "sugar-dog", "--games", "9999", "--jobs", "2"]],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        # A shell that runs the tests in the background may have set it to be ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    ) as process:  # fmt: skip
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        time.sleep(after)
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=60)
    assert process.returncode in (130, -signal.SIGINT), told
    assert "Traceback" not in told
    assert "rror" not in told


DROPPED = """
import sys, time
from adjudicator import cli
from adjudicator.__main__ import main

class Odd:
    def __del__(self):
        raise KeyboardInterrupt

def get_command(*given):
    Odd()
    time.sleep(60)

cli.Commands.get_command = get_command
sys.argv = ["adjudicator", "games"]
main()
"""


def test_ctrl_c_that_python_drops() -> None:
    """In a callback of its own, as while modules are loaded: it comes again, and ends the
    command."""
    done = subprocess.run(
        [sys.executable, "-c", DROPPED], capture_output=True, text=True, timeout=50, check=False,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
    assert (done.returncode, done.stderr.strip()) == (130, "interrupted")


def test_ctrl_c_of_which_another_error_was_made(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As Python does where a class is being made: no fault of the program."""

    def fails(*_: Any) -> None:
        raise RuntimeError("Error calling __set_name__") from KeyboardInterrupt()

    monkeypatch.setattr(cli.Commands, "get_command", fails)
    with pytest.raises(SystemExit) as ended:
        cli.main(["games"])
    assert ended.value.code == 130
    assert capsys.readouterr().err == "interrupted\n"


@pytest.mark.parametrize(
    ("cause", "code", "said"),
    [(KeyboardInterrupt, 130, "interrupted"), (EOFError, 1, "Nothing is done.")],
)
def test_a_question_that_is_left(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    cause: type[BaseException],
    code: int,
    said: str,
) -> None:
    """By Ctrl-C it is interrupted, by the end of the input nothing is done."""

    def left(_: str) -> str:
        raise cause

    monkeypatch.setattr(click.termui, "visible_prompt_func", left)
    monkeypatch.setattr(cli.cli, "main", lambda *_, **__: click.confirm("Really?"))
    with pytest.raises(SystemExit) as ended:
        cli.main([])
    assert ended.value.code == code
    assert capsys.readouterr().err.splitlines()[-1] == said


# Wrong calls.


def test_a_wrong_call_quotes_in_one_line_of_ascii(capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever was typed: it may have come from elsewhere, and terminals obey it."""
    odd = "\x1b[31mred\r\n\u202e\udcff"
    for words in ([odd], ["games", odd, odd], ["games", f"--{odd}"], ["replay", "--step", odd]):
        with pytest.raises(SystemExit) as ended:
            cli.main(words)
        assert ended.value.code == 2
        told = capsys.readouterr().err
        assert told.splitlines()[0].endswith("[usage]")
        assert told.replace("\n", "").isprintable(), told
        assert told.isascii()
