"""What holds of several commands together: a whole game by hand, JSON, `-`, escapes."""

from __future__ import annotations

import json
import os
import random
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from commands import ALICE
from commands import Table as Commands

from adjudicator.cli import cli
from orders.bundle import decode

Table = Any


def test_a_whole_game_by_hand(finished: Table) -> None:
    """Keygen to verdict: every file where it was said to be, and the record true."""
    out = finished.ok("verify", "friday", "--seat", "alice.seat")
    assert "TRUE: alice won." in out
    assert "Not proved:" in out
    receipts = sorted(finished.root.rglob("*-receipt.txt"))
    assert len(receipts) == 5
    given = [part for path in receipts for part in ("--receipt", path)]
    assert "5 receipts, all honoured\n" in finished.ok("verify", "friday", *given)


def test_a_copy_by_bundles(finished: Table, tmp_path: Path, at_commands: Any) -> None:
    """Another machine: receive starts the copy, takes all in, and verifies alike."""
    there = at_commands(tmp_path)
    finished.ok("resend", "all", "1", "-g", "friday", "-o", tmp_path / "friday-0001.txt")
    for path in finished.root.rglob("friday-[0-9i]*.txt"):
        if not path.stem.endswith("-alice"):
            (tmp_path / path.name).write_bytes(path.read_bytes())
    missing = there.run("take", "friday-0001.txt", "-g", "friday")
    assert missing.exit_code == 1
    assert "adjudicator join INVITATION" in missing.stderr
    out = there.ok("take", *sorted(p.name for p in tmp_path.glob("friday-*.txt")), "-g", "friday")
    assert "entry 5 taken in" in out
    assert "The game is over: alice won." in out
    copied = there.ok("verify", "friday", "-v").splitlines()
    assert [
        line for line in finished.ok("verify", "friday", "-v").splitlines() if line not in copied
    ] == ["         46 files, each named by an entry and with the digest named"]
    again = there.ok("take", "friday-0002-bob.txt", "-g", "friday")
    assert again == "entry 2: here already\n"


def test_json_is_one_document(finished: Table) -> None:
    """So is the output of every command with --json; it holds what people are told in words."""
    for arguments in (
        ("games",), ("log", "-g", "friday"), ("status", "-g", "friday"), ("verify", "friday"),
        ("show", "-g", "friday"), ("show", "2", "-g", "friday", "--seat", "bob.seat"),
    ):  # fmt: skip
        value = json.loads(finished.ok(*arguments, "--json"))
        assert value
    found = json.loads(finished.ok("verify", "friday", "--json"))
    assert (found["code"], found["verdict"]) == (0, "true: alice won")
    assert {claim["status"] for claim in found["claims"]} == {"true"}
    assert json.loads(finished.ok("log", "-g", "friday", "--json"))[5]["step"] == 5
    shown = json.loads(finished.ok("show", "2", "-g", "friday", "--seat", "bob.seat", "--json"))
    assert list(shown["views"]) == ["bob"]
    assert "sub" not in shown["views"]["bob"]["alice"]


def test_dash_is_standard_input_and_output(table: Table) -> None:
    """It is, wherever a bundle or an order file is read or written; messages then go to stderr."""
    orders = (table.root / table.orders("alice", "start C4")).read_bytes()
    seat = ("--seat", "alice.seat")
    assert table.ok(
        "play", "--check", "--file", "-", "-g", "friday", *seat, given=orders
    ).startswith("ok")
    ordered = table.run("play", "--file", "-", "-g", "friday", *seat, "-o", "-", given=orders)
    assert ordered.exit_code == 0
    assert decode(ordered.stdout_bytes).kind == "order"
    assert ordered.stderr == "Ready: start C4.\nSend it to the host\n"
    submitted = table.run("take", "-", "-g", "friday", "-o", "-", given=ordered.stdout_bytes)
    assert submitted.exit_code == 0
    assert decode(submitted.stdout_bytes).kind == "receipt"
    received = table.run("take", "-", "-g", "friday", *seat, given=submitted.stdout_bytes)
    assert received.exit_code == 0
    table.order("bob", "start C1")
    table.ok("sync", "-g", "friday")
    assert (
        decode(table.run("resend", "all", "-g", "friday", "-o", "-").stdout_bytes).kind == "entry"
    )
    assert (
        decode(table.run("resend", "all", "invite", "-g", "friday", "-o", "-").stdout_bytes).kind
        == "invite"
    )
    template = table.run("play", "--form", "-g", "friday", *seat, "-o", "-")
    assert "the orders of alice for step 2 of game" in template.stdout.splitlines()[-1]


def test_private_folders_that_are_open_are_refused(table: Table) -> None:
    """With the command that closes them."""
    (table.root / "alice.seat").chmod(0o755)
    (table.root / "friday.host").chmod(0o750)
    for arguments in (("show", *ALICE), ("play", "--form", *ALICE), ("sync", "-g", "friday")):
        error = table.fails("open-folder", *arguments)
        assert "hint: chmod 700" in error
    assert table.run("verify", "friday", "--seat", "alice.seat").exit_code == 2


def test_nothing_is_overwritten(table: Table) -> None:
    """Keys, records, seats and templates that are there stay as they are."""
    before = {path: path.read_bytes() for path in table.root.rglob("*") if path.is_file()}
    table.fails("exists", "invite", "sugar-dog", "--key", "host.key", "-o", "friday")
    table.fails("exists", "join", "friday-invite.txt", "--name", "alice", "--key", "alice.key")
    table.fails("exists", "play", "--form", *ALICE, "-o", "alice.key")
    table.fails("exists", "demo", "--keep", "friday")
    assert {path: path.read_bytes() for path in table.root.rglob("*") if path.is_file()} == before


def test_hostile_files_at_the_command_line(table: Table) -> None:
    """Row 25 where files are named on the command line: links, FIFOs, folders, /dev/zero."""
    os.mkfifo(table.root / "fifo")
    (table.root / "folder").mkdir()
    for path in ("fifo", "folder", "/dev/zero", "/dev/null"):
        for arguments in (
            ("take", path, "-g", "friday"),
            ("play", "--check", "--file", path, *ALICE),
            ("join", path, "--name", "carol", "--key", "alice.key"),
            ("start", path, "-g", "friday"),
        ):
            result = table.run(*arguments)
            assert result.exit_code in (1, 2), (arguments, result.output)
            assert result.stderr.startswith("error: ")


def test_a_name_that_steers_the_terminal_is_escaped(table: Table) -> None:
    """Whatever is printed passes one place; only line ends, tabs and colours do so as they are."""
    folder = table.root / "\x1b[2J\u202e\x07"
    folder.mkdir()
    said = table.ok("show", "-g", "friday", "--svg", f"{folder.name}/a.svg")
    assert said.startswith("\\x1b[2J\\u202e\\x07/a.svg: the board, as everybody sees it")


def test_escapes_are_not_echoed(table: Table) -> None:
    """Row 19: what comes from elsewhere reaches a terminal as plain ASCII."""
    text = (table.root / table.orders("alice", "start C4")).read_text()
    for hostile in ("\x1b]0;pwned\x07", "\u202estart", "\u00e9", "\0"):
        (table.root / "bad.toml").write_text(text.replace("start C4", hostile))
        result = table.run("play", "--check", "--file", "bad.toml", *ALICE)
        assert result.exit_code == 1
        assert result.stderr.replace("\n", "").isprintable()
        assert result.stderr.isascii()


# What the shell is offered while somebody types.


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


@pytest.mark.parametrize("command", ["demo", "play", "simulate"])
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


# Whatever is typed: a line that says what is wrong, and never a traceback.


THINGS = (
    "text.txt", "empty", "folder", "zero", "loop", "no.zip", "bytes", "a\nb.txt", "n\udcff.txt",
    "nowhere", "friday", "alice.seat", "-", "", "/", "/dev/null", "\x1b[31mred", "-1", "9" * 20,
    "\udcff", "\u202e", "caf\u00e9", "=", "--", "x" * 5000, "http://x/y", "ssh://-oProxy", "a:b",
)  # fmt: skip
"""Words, numbers, addresses, and names of files of every kind."""

CALLS = {
    "play": ("--file", "--seat", "-g", "--key", "-o", "--protest"),
    "duel": ("--name", "--key", "-o", "--setup", "--option"),
    "join": ("--name", "--key", "-o", "--token"),
    "take": ("-g", "--seat", "-o"),
    "sync": ("-g", "--seat"),
    "say": ("-g", "--seat", "--to"),
    "away": ("-g", "--seat"),
    "status": ("-g", "--seat"),
    "show": ("-g", "--seat", "--at"),
    "replay": ("-g", "--seat"),
    "log": ("-g", "--seat", "--at"),
    "rules": ("--option",),
    "verify": ("--against", "--receipt", "--seat", "--list", "--id", "--head", "--explain", "--at"),
    "pack": ("-g", "-o"),
    "invite": ("-o", "--name", "--option", "--table"),
    "start": ("-g",),
    "rule": ("-g", "--annul", "--seat", "--until", "--reason", "--consent"),
    "consent": ("-g", "--seat", "--key", "-o"),
    "resend": ("-g",),
    "config": (),
    "backup": ("-o",),
    "restore": ("-o",),
    "bot": ("-g", "--seat"),
    "git": (),
}
"""Commands, each with options of its own."""


@pytest.fixture
def litter(finished: Table, tmp_path: Path) -> Commands:
    """A folder with a game and with files that are none of a game's."""
    shutil.copytree(finished.root, tmp_path, dirs_exist_ok=True)
    for name, data in {
        "text.txt": b"hello", "empty": b"", "no.zip": b"PK\5\6" + bytes(18),
        "bytes": bytes(range(256)), "a\nb.txt": b"x", "n\udcff.txt": b"x",
    }.items():  # fmt: skip
        (tmp_path / name).write_bytes(data)
    (tmp_path / "folder").mkdir()
    (tmp_path / "zero").symlink_to("/dev/zero")
    (tmp_path / "loop").symlink_to("loop")
    return Commands(tmp_path)


@pytest.mark.parametrize("seed", range(4))
def test_no_call_ends_in_a_traceback(litter: Commands, seed: int) -> None:
    """Each ends with one of the codes, and shows no terminal anything to obey."""
    rng = random.Random(seed)  # noqa: S311 - no secret
    for _ in range(60):
        name = rng.choice(sorted(CALLS))
        words = [rng.choice(THINGS) for _ in range(rng.randrange(3))]
        for option in rng.choices(CALLS[name], k=rng.randrange(3)) if CALLS[name] else ():
            words += [option, rng.choice(THINGS)]
        told = litter.run(name, *words)
        assert told.exit_code in range(5), (name, words)
        assert told.stderr.isascii(), (name, words)
        assert told.stderr.replace("\n", "").isprintable(), (name, words)
        assert "\x1b[31m" not in told.stdout, (name, words)


def test_bytes_that_are_no_text(table: Any) -> None:
    """A message and orders as a terminal of another encoding sends them."""
    odd = os.fsdecode(b"\xff")
    told = table.fails("malformed", "say", odd, *ALICE)
    error = "error: a message cannot hold a byte of another encoding (0xff) [malformed]"
    assert told.splitlines() == [error, "hint: take it out"]
    assert "(0xff)" in table.fails("malformed", "play", odd, *ALICE)


def test_a_file_is_no_game_with_a_seat(table: Any) -> None:
    """It is quoted, and how to go on is said."""
    (table.root / "notes.txt").write_text("x")
    told = table.fails("no-seat", "consent", "join.txt", "-g", "notes.txt")
    error = "error: 'notes.txt' is a file, so no seat lies beside it [no-seat]"
    assert told.splitlines() == [error, "hint: name one: --seat"]
