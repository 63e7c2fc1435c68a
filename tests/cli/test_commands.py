"""What holds of several commands together: a whole game by hand, JSON, `-`, escapes."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

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
    assert "5 receipts, none broken\n" in finished.ok("verify", "friday", *given)


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
    assert ordered.stderr == "Ready: start C4. Send it to the host\n"
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


def test_after_the_end(finished: Table) -> None:
    """Nothing goes on: each command says so in one line."""
    assert "The game is over: alice won" in finished.ok("sync", "-g", "friday")
    finished.fails("over", "rule", "-g", "friday", "--end", "--reason", "too late")
    finished.root.joinpath("late.txt").write_text("silent\n")
    finished.fails("over", "play", "--file", "late.txt", "-g", "friday", "--seat", "alice.seat")
    finished.fails("over", "play", "--form", "-g", "friday", "--seat", "bob.seat")


def test_private_folders_that_are_open_are_refused(table: Table) -> None:
    """With the command that closes them."""
    (table.root / "alice.seat").chmod(0o755)
    (table.root / "friday.host").chmod(0o750)
    for arguments in (
        ("show", "-g", "friday", "--seat", "alice.seat"),
        ("play", "--form", "-g", "friday", "--seat", "alice.seat"),
        ("sync", "-g", "friday"),
    ):
        error = table.fails("open-folder", *arguments)
        assert "hint: chmod 700" in error
    assert table.run("verify", "friday", "--seat", "alice.seat").exit_code == 2


def test_nothing_is_overwritten(table: Table) -> None:
    """Keys, records, seats and templates that are there stay as they are."""
    before = {path: path.read_bytes() for path in table.root.rglob("*") if path.is_file()}
    table.fails("exists", "invite", "sugar-dog", "--key", "host.key", "-o", "friday")
    table.fails("exists", "join", "friday-invite.txt", "--name", "alice", "--key", "alice.key")
    table.fails(
        "exists", "play", "--form", "-g", "friday", "--seat", "alice.seat", "-o", "alice.key"
    )
    table.fails("exists", "demo", "--keep", "friday")
    assert {path: path.read_bytes() for path in table.root.rglob("*") if path.is_file()} == before


def test_hostile_files_at_the_command_line(table: Table) -> None:
    """Row 25 where files are named on the command line: links, FIFOs, folders, /dev/zero."""
    os.mkfifo(table.root / "fifo")
    (table.root / "folder").mkdir()
    for path in ("fifo", "folder", "/dev/zero", "/dev/null"):
        for arguments in (
            ("take", path, "-g", "friday"),
            ("take", path, "-g", "friday"),
            ("play", "--check", "--file", path, "-g", "friday", "--seat", "alice.seat"),
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
    assert said.startswith("\\x1b[2J\\u202e\\x07/a.svg: the board after entry 0")


def test_escapes_are_not_echoed(table: Table) -> None:
    """Row 19: what comes from elsewhere reaches a terminal as plain ASCII."""
    text = (table.root / table.orders("alice", "start C4")).read_text()
    for hostile in ("\x1b]0;pwned\x07", "\u202estart", "\u00e9", "\0"):
        (table.root / "bad.toml").write_text(text.replace("start C4", hostile))
        result = table.run(
            "play", "--check", "--file", "bad.toml", "-g", "friday", "--seat", "alice.seat"
        )
        assert result.exit_code == 1
        assert result.stderr.replace("\n", "").isprintable()
        assert result.stderr.isascii()
