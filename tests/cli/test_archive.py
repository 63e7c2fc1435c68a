"""`verify` of many records: a line each, a summary, the gravest code, on bad days too."""

from __future__ import annotations

import json
import os
import pty
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Table = Any
ROOT = Path(__file__).parents[2]


@pytest.fixture
def archive(finished: Table, table: Table, tmp_path: Path) -> Path:
    """A folder of records of every kind."""
    games = tmp_path / "games"
    shutil.copytree(finished.root / "friday", games / "a-true")
    shutil.copytree(finished.root / "friday", games / "b-false")
    entry = games / "b-false/entries/0003.toml"
    entry.write_bytes(entry.read_bytes() + b"\n")
    (games / "c-none.zip").write_bytes(b"hello")
    shutil.copytree(table.root / "friday", games / "d-open")
    finished.ok("pack", "-g", "friday", "-o", games / "e-pack.zip")
    return games


LINES = [
    "games/c-none.zip: NOT JUDGED: ", "games/e-pack.zip: TRUE: alice won.", "games/a-true: TRUE: ",
    "games/b-false: FALSE: ", "games/d-open: NOT YET: entry 0 awaits ",
    "5 records of 2 games: 2 true, 1 incomplete, 1 false, 1 unusable",
]  # fmt: skip


Verify = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def verify(program: Path) -> Verify:
    """The command in a folder, with files of its own as its output."""

    def call(folder: Path, *arguments: str, **given: Any) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [program, "verify", *arguments],
            cwd=folder, capture_output=True, text=True, check=False, **given,
        )  # fmt: skip

    return call


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_folder_of_records(archive: Path, verify: Verify, jobs: str) -> None:
    """A line for each in order, then a count; nothing on standard error; the gravest exit code."""
    done = verify(archive.parent, "games", "--jobs", jobs)
    lines = done.stdout.splitlines()
    assert (done.returncode, done.stderr, len(lines)) == (1, "", len(LINES))
    assert all(map(str.startswith, lines, LINES)), lines


def test_programs_get_a_line_for_each(archive: Path, verify: Verify) -> None:
    """Standard output holds nothing else: the summary goes to standard error."""
    done = verify(archive.parent, "games", "--json")
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert [one["code"] for one in told] == [2, 0, 0, 1, 4]
    assert told[1]["record"] == "games/e-pack.zip"
    assert told[1]["claims"]
    assert done.stderr == LINES[-1] + "\n"


def test_all_claims_of_all_records(archive: Path, verify: Verify) -> None:
    """`-v` prints of each record what it prints of one record alone."""
    done = verify(archive.parent, "games", "-v")
    assert done.stdout.count("\n  not proved: ") == 4
    alone = verify(archive.parent, "games/a-true", "-v").stdout
    assert alone in done.stdout


def test_a_list_of_names(archive: Path, verify: Verify) -> None:
    """From a file or standard input, with those of the command line; folders in it are searched.

    The same record twice is one game.
    """
    text = "# all\r\n\r\ngames/a-true\r\nnowhere\r\ngames\r\n"
    (archive.parent / "list.txt").write_text(text)
    done = verify(archive.parent, "--list", "list.txt", "games/e-pack.zip")
    lines = done.stdout.splitlines()
    assert [line.partition(":")[0] for line in lines[:3]] == [
        "games/e-pack.zip", "games/a-true", "nowhere"
    ]  # fmt: skip
    assert lines[-1] == "8 records of 2 games: 4 true, 1 incomplete, 1 false, 2 unusable"
    again = verify(archive.parent, "--list", "-", "games/e-pack.zip", input=text)
    assert (again.stdout, again.returncode) == (done.stdout, 1)
    assert verify(archive.parent, "--list", "none").returncode == 2
    empty = verify(archive.parent, "--list", "-", input="")
    assert (empty.stdout, empty.returncode) == ("0 records of 0 games: none was verified\n", 0)


def test_names_that_look_like_lines(finished: Table, verify: Verify, tmp_path: Path) -> None:
    """A newline in a name makes no second line, an escape does nothing to a terminal."""
    for name in ("a\nb: true: bob won", "c\x1b[2J"):
        shutil.copytree(finished.root / "friday", tmp_path / "x" / name)
    lines = verify(tmp_path, "x").stdout.splitlines()
    assert lines[:2] == [
        "'x/a\\nb: true: bob won': TRUE: alice won.", "'x/c\\x1b[2J': TRUE: alice won."
    ]  # fmt: skip


def test_two_histories_are_as_grave_as_a_false_record(table: Table) -> None:
    """Each verifies alone; together they prove a lie, and the line says how to show it."""
    shutil.copytree(table.root / "friday", table.root / "other")
    shutil.copytree(table.root / "friday.host", table.root / "other.host")
    table.ok("rule", "-y", "-g", "friday", "--end", "--reason", "one history")
    table.ok("rule", "-y", "-g", "other", "--end", "--reason", "another")
    result = table.run("verify", "friday", "other")
    assert result.exit_code == 1
    assert ": false" not in result.stdout
    told = "friday and other are two histories of one game, each signed by its host: "
    assert f"together: {told}adjudicator verify friday --against other\n" in result.stdout
    assert "signed two entries" in table.ok(
        "verify", "friday", "--against", "other", "-o", "proof.txt"
    )


def test_links_that_are_not_followed_are_told(archive: Path, verify: Verify) -> None:
    """So that nobody believes that they were verified."""
    (archive / "loop").symlink_to(archive)
    done = verify(archive.parent, "games")
    assert done.stdout.splitlines()[-2:] == [
        "together: 1 links in folders, which are not followed", LINES[-1]
    ]  # fmt: skip


def test_a_seat_that_is_of_no_record(finished: Table, table: Table) -> None:
    """The end of the output says so, with the code for unusable: no record was false."""
    root = table.root
    shutil.copytree(finished.root / "friday", root / "more/one")
    shutil.copytree(finished.root / "friday", root / "more/two")
    result = table.run("verify", "more", "--seat", "alice.seat")
    assert result.exit_code == 2
    assert "together: no record is of the game of alice.seat\n" in result.stdout
    shutil.copytree(root / "friday", root / "more/three")
    for jobs in ("1", "2"):
        used = table.run("verify", "more", "--seat", "alice.seat", "--jobs", jobs)
        assert (used.exit_code, "no record is of" in used.stdout) == (4, False)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c(archive: Path, jobs: str) -> None:
    """Lines that were printed count in the summary; no traceback; the exit code is no verdict's."""
    names = "games/a-true\n" * 5000
    with subprocess.Popen(
        [sys.executable, "-m", "adjudicator", "verify", "--list", "-", "--jobs", jobs],
        cwd=archive.parent, env={**os.environ, "PYTHONPATH": str(ROOT)}, process_group=0,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        # A shell that runs the tests in the background may have set it to be ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    ) as process:  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(names)
        process.stdin.close()
        first = process.stdout.readline()
        os.killpg(process.pid, signal.SIGINT)
        rest = process.stdout.read().splitlines()
        assert process.stderr.read() == ""
    assert first == "games/a-true: TRUE: alice won.\n"
    assert rest[-1].startswith("ended early, ")
    # The signal may come between the counting of a line and its printing.
    assert any(f"{lines} true" in rest[-1] for lines in (len(rest), len(rest) + 1))
    assert len(rest) < 5000
    assert process.returncode == 130


def test_output_that_is_closed_early(archive: Path) -> None:
    """As by `| head`: it ends, and complains of nothing."""
    with subprocess.Popen(
        [sys.executable, "-m", "adjudicator", "verify", *["games/a-true"] * 500, "--jobs", "2"],
        cwd=archive.parent, env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 141


def test_progress_is_for_a_terminal(archive: Path) -> None:
    """A terminal sees how many of how many are done; a file gets not a byte."""
    leader, follower = pty.openpty()
    with (archive.parent / "out.txt").open("wb") as out:
        done = subprocess.run(
            [sys.executable, "-m", "adjudicator", "verify", "games"],
            cwd=archive.parent, env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=out, stderr=follower, check=False,
        )  # fmt: skip
    os.close(follower)
    told = os.read(leader, 10_000).decode()
    os.close(leader)
    assert "\r1 of 5, 0 false" in told
    assert "\r4 of 5, 1 false" in told
    assert told.endswith("\r")
    assert done.returncode == 1
    lines = (archive.parent / "out.txt").read_text().splitlines()
    assert all(map(str.startswith, lines, LINES))
