"""What commands share: outputs that replace nothing, times and texts that people type."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import click
import pytest

from adjudicator.cli import shared
from orders.bundle import decode

Table = Any


@pytest.fixture
def berlin(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A machine an hour before UTC."""
    monkeypatch.setenv("TZ", "CET-1")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("3d", "2026-11-24T12:00:00Z"),
        ("+3d", "2026-11-24T12:00:00Z"),
        ("2d12h", "2026-11-24T00:00:00Z"),
        ("90m", "2026-11-21T13:30:00Z"),
        ("1w", "2026-11-28T12:00:00Z"),
        ("2026-11-30 18:00", "2026-11-30T17:00:00Z"),
        ("2026-11-30T18:00", "2026-11-30T17:00:00Z"),
        ("2026-11-30T18:00:00Z", "2026-11-30T18:00:00Z"),
        ("2026-11-30 18:00+03:00", "2026-11-30T15:00:00Z"),
        ("2026-11-30", "2026-11-30T23:00:00Z"),
    ],
)
def test_times_as_people_write_them(berlin: None, text: str, meant: str) -> None:
    """Spans from now on, local times, days to their end."""
    assert shared.moment(text, "2026-11-21T12:00:00Z") == meant
    if text == "2026-11-30":
        assert shared.moment(text, "2026-11-21T12:00:00Z", begins=True) == "2026-11-29T23:00:00Z"


@pytest.mark.parametrize("text", ["", "tomorrow", "3", "3x", "d", "-3d", "2026-13-01", "1e3d"])
def test_times_that_nobody_can_mean(text: str) -> None:
    """A wrong call, with examples."""
    with pytest.raises(click.BadParameter, match="2026-11-30 18:00"):
        shared.moment(text, "2026-11-21T12:00:00Z")


@pytest.mark.parametrize(
    ("reason", "odd"),
    [
        ("Weihnachten \u2013 sch\u00f6n", "character 13, '\\u2013' (EN DASH)"),
        ("sch\u00f6n", "character 4, '\\xf6' (LATIN SMALL LETTER O WITH DIAERESIS)"),
        ("a\x1b[2J", "character 2, '\\x1b' (a control character)"),
    ],
)
def test_reasons_say_which_character(table: Table, reason: str, odd: str) -> None:
    """Entries hold printable ASCII."""
    error = table.fails("malformed", "rule", "friday", "--until", "9d", "--reason", reason)
    assert odd in error


def test_a_name_that_no_terminal_shows(table: Table) -> None:
    """Bytes that are no UTF-8 in a folder's name: told as escapes, no traceback."""
    name = os.fsdecode(b"J\xf6rg")
    (table.root / "friday").rename(table.root / name)
    out = table.run("bundle", name, "0")
    assert (out.exit_code, out.stderr) == (0, "")
    assert "\\udcf6" in out.stdout


VICTIMS = (
    "alice.key",
    "alice.key.pub",
    "alice.seat/seat.toml",
    "alice.seat/orders/0001-1.txt",
    "friday.host/master",
    "friday.host/new.txt",
    "friday/invite.toml",
    "friday/entries/0001.toml",
    "friday/entries/0002.toml",
    "alice-orders.toml",
    "alice-join.txt",
    "friday-invite.txt",
    "bob.seat",
    "link.txt",
)


@pytest.mark.parametrize("victim", VICTIMS)
def test_o_replaces_nothing_but_its_own_kind(table: Table, victim: str) -> None:
    """Keys, seats, records, forms, other bundles, folders and links stay, and nothing is done."""
    table.step(alice="start C4", bob="start C1")
    form = table.orders("alice", "fire S")
    (table.root / "link.txt").symlink_to("alice.key")
    before = held(table.root)
    seat = ("--seat", "alice.seat")
    for arguments in (
        ("order", "friday", form, *seat, "-o", victim),
        ("submit", "friday", "alice-0001-1.txt", "-o", victim),
        ("bundle", "friday", "1", "-o", victim),
        ("show", "friday", *seat, "--svg", victim),
        ("template", "friday", *seat, "-o", victim),
        ("prove-fork", "friday", "friday", "-o", victim),
        ("start", "friday", "alice-join.txt", "bob-join.txt", "-o", victim),
        ("join", "friday-invite.txt", "--name", "carol", "--key", "alice.key", "-o", victim),
        ("consent", "friday", "alice-join.txt", *seat, "-o", victim),
    ):
        error = table.fails("exists", *arguments)
        assert "hint: name " in error
    assert held(table.root) == before


def test_o_replaces_its_own_kind(table: Table) -> None:
    """An order over an order, an entry over an entry, a picture over a picture."""
    form = table.orders("alice", "start C4")
    for _ in range(2):
        table.ok("order", "friday", form, "--seat", "alice.seat", "-o", "mine.txt")
        table.ok("bundle", "friday", "0", "-o", "entry.txt")
        table.ok("show", "friday", "--svg", "board.svg")
    assert decode((table.root / "mine.txt").read_bytes()).kind == "order"
    table.fails("exists", "bundle", "friday", "0", "-o", "mine.txt")
    table.fails("exists", "show", "friday", "--svg", "mine.txt")


def held(root: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
