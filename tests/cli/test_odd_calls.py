"""Whatever is typed: a line that says what is wrong, and never a traceback."""

from __future__ import annotations

import os
import random
import shutil
from pathlib import Path
from typing import Any

import pytest
from commands import Table as Commands

Table = Any

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
    mine = ("-g", "friday", "--seat", "alice.seat")
    told = table.fails("malformed", "say", odd, *mine)
    assert told == "error: message: character '\\udcff' in the text [malformed]\nhint: remove it\n"
    assert "\\xff" in table.fails("malformed", "play", odd, *mine)


def test_a_file_is_no_game_with_a_seat(table: Any) -> None:
    """It is quoted, and how to go on is said."""
    (table.root / "notes.txt").write_text("x")
    told = table.fails("no-seat", "consent", "join.txt", "-g", "notes.txt")
    error = "error: 'notes.txt' is a file, so no seat lies beside it [no-seat]"
    assert told.splitlines() == [error, "hint: name one: --seat"]
