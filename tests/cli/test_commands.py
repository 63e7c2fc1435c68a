"""What holds of several commands together: a whole game by hand, JSON, `-`, escapes."""

from __future__ import annotations

import json
import os
import tomllib
from pathlib import Path
from typing import Any

from orders.bundle import decode

Table = Any


def test_a_whole_game_by_hand(finished: Table) -> None:
    """Keygen to verdict: every file where it was said to be, and the record true."""
    out = finished.ok("verify", "friday", "--seat", "alice.seat")
    assert "verdict: true: alice won" in out
    assert "not proved:" in out
    receipts = sorted(finished.root.glob("*-receipt.txt"))
    assert len(receipts) == 5
    given = [part for path in receipts for part in ("--receipt", path.name)]
    assert "accepted and used" in finished.ok("verify", "friday", *given)


def test_a_copy_by_bundles(finished: Table, tmp_path: Path, at_commands: Any) -> None:
    """Another machine: receive starts the copy, takes all in, and verifies alike."""
    there = at_commands(tmp_path)
    finished.ok("bundle", "friday", "1", "-o", tmp_path / "friday-0001.txt")
    for path in finished.root.glob("friday-[0-9i]*.txt"):
        if not path.stem.endswith("-alice"):
            (tmp_path / path.name).write_bytes(path.read_bytes())
    missing = there.run("receive", "friday", "friday-0001.txt")
    assert missing.exit_code == 1
    assert "hint: name the invite's bundle too" in missing.stderr
    out = there.ok("receive", "friday", *sorted(p.name for p in tmp_path.glob("friday-*.txt")))
    assert "taken in: entry 5" in out
    assert "The game is over: alice won." in out
    copied = there.ok("verify", "friday").splitlines()
    assert [
        line for line in finished.ok("verify", "friday").splitlines() if line not in copied
    ] == ["  ok   files: 46 files, each named by an entry and with the digest named"]
    again = there.ok("receive", "friday", "friday-0002-bob.txt")
    assert again == "taken in: entry 2 (was here already)\n"


def test_json_is_one_document(finished: Table) -> None:
    """So is the output of every command with --json; it holds what people are told in words."""
    for arguments in (
        ("games",), ("log", "friday"), ("status", "friday"), ("verify", "friday"),
        ("show", "friday"), ("show", "friday", "--seat", "bob.seat", "--step", "2"),
    ):  # fmt: skip
        value = json.loads(finished.ok(*arguments, "--json"))
        assert value
    found = json.loads(finished.ok("verify", "friday", "--json"))
    assert (found["code"], found["verdict"]) == (0, "true: alice won")
    assert {claim["status"] for claim in found["claims"]} == {"true"}
    assert json.loads(finished.ok("log", "friday", "--json"))[5]["step"] == 5
    shown = json.loads(finished.ok("show", "friday", "--seat", "bob.seat", "--step", "2", "--json"))
    assert list(shown["views"]) == ["bob"]
    assert "sub" not in shown["views"]["bob"]["alice"]


def test_dash_is_standard_input_and_output(table: Table) -> None:
    """It is, wherever a bundle or an order file is read or written; messages then go to stderr."""
    orders = (table.root / table.orders("alice", "start C4")).read_bytes()
    seat = ("--seat", "alice.seat")
    assert table.ok("check", "friday", "-", *seat, given=orders).startswith("ok")
    ordered = table.run("order", "friday", "-", *seat, "-o", "-", given=orders)
    assert ordered.exit_code == 0
    assert decode(ordered.stdout_bytes).kind == "order"
    assert "sealed orders" in ordered.stderr
    submitted = table.run("submit", "friday", "-", "-o", "-", given=ordered.stdout_bytes)
    assert submitted.exit_code == 0
    assert decode(submitted.stdout_bytes).kind == "receipt"
    received = table.run("receive", "friday", "-", *seat, given=submitted.stdout_bytes)
    assert received.exit_code == 0
    table.order("bob", "start C1")
    table.ok("advance", "friday")
    assert decode(table.run("bundle", "friday", "-o", "-").stdout_bytes).kind == "entry"
    assert decode(table.run("bundle", "friday", "invite", "-o", "-").stdout_bytes).kind == "invite"
    template = table.run("template", "friday", *seat, "-o", "-")
    assert tomllib.loads(template.stdout)["player"] == "alice"


def test_after_the_end(finished: Table) -> None:
    """Nothing goes on: each command says so in one line."""
    finished.fails("over", "advance", "friday")
    finished.fails("over", "rule", "friday", "--abandon", "--reason", "too late")
    finished.root.joinpath("late.toml").write_text(
        f'game = "{json.loads(finished.ok("status", "friday", "--json"))["game"]}"\n'
        'step = 6\nplayer = "alice"\norders = "silent"\n'
    )
    finished.fails("over", "order", "friday", "late.toml", "--seat", "alice.seat")
    finished.fails("over", "template", "friday", "--seat", "bob.seat")


def test_private_folders_that_are_open_are_refused(table: Table) -> None:
    """With the command that closes them."""
    (table.root / "alice.seat").chmod(0o755)
    (table.root / "friday.host").chmod(0o750)
    for arguments in (
        ("show", "friday", "--seat", "alice.seat"),
        ("template", "friday", "--seat", "alice.seat"),
        ("advance", "friday"),
    ):
        error = table.fails("open-folder", *arguments)
        assert "hint: chmod 700" in error
    assert table.run("verify", "friday", "--seat", "alice.seat").exit_code == 2


def test_nothing_is_overwritten(table: Table) -> None:
    """Keys, records, seats and templates that are there stay as they are."""
    before = {path: path.read_bytes() for path in table.root.rglob("*") if path.is_file()}
    table.fails("bad-key", "keygen", "alice.key")
    table.fails("exists", "invite", "sugar-dog", "--key", "host.key", "-o", "friday")
    table.fails("exists", "join", "friday-invite.txt", "--name", "alice", "--key", "alice.key")
    table.fails("exists", "template", "friday", "--seat", "alice.seat", "-o", "alice.key")
    table.fails("exists", "demo", "--keep", "friday")
    assert {path: path.read_bytes() for path in table.root.rglob("*") if path.is_file()} == before


def test_hostile_files_at_the_command_line(table: Table) -> None:
    """Row 25 where files are named on the command line: links, FIFOs, folders, /dev/zero."""
    os.mkfifo(table.root / "fifo")
    (table.root / "folder").mkdir()
    for path in ("fifo", "folder", "/dev/zero", "/dev/null"):
        for arguments in (
            ("submit", "friday", path),
            ("receive", "friday", path),
            ("check", "friday", path, "--seat", "alice.seat"),
            ("join", path, "--name", "carol", "--key", "alice.key"),
            ("start", "friday", path),
        ):
            result = table.run(*arguments)
            assert result.exit_code in (1, 2), (arguments, result.output)
            assert result.stderr.startswith("error: ")


def test_escapes_are_not_echoed(table: Table) -> None:
    """Row 19: what comes from elsewhere reaches a terminal as plain ASCII."""
    text = (table.root / table.orders("alice", "start C4")).read_text()
    for hostile in ("\x1b]0;pwned\x07", "\u202estart", "\u00e9", "\0"):
        (table.root / "bad.toml").write_text(text.replace("start C4", hostile))
        result = table.run("check", "friday", "bad.toml", "--seat", "alice.seat")
        assert result.exit_code == 1
        assert result.stderr.replace("\n", "").isprintable()
        assert result.stderr.isascii()
