"""The player's commands: `join`, `consent`, `template`, `check`, `order`, `receive`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from adjudicator.cli import shared
from adjudicator.store import files

Table = Any


def test_check_tells_what_is_wrong(table: Table) -> None:
    """The line as it was written, what was expected, and nothing is written anywhere."""
    good = table.orders("alice", "start C4")
    assert table.ok("play", "--check", "--file", good, "-g", "friday", "--seat", "alice.seat") == (
        "ok: orders of alice for step 1\n  start C4\n"
    )
    bad = table.orders("alice", "# my start\nstart Z9")
    error = table.fails(
        "illegal", "play", "--check", "--file", bad, "-g", "friday", "--seat", "alice.seat"
    )
    lines = (table.root / bad).read_text().split("\n")
    place = lines.index("start Z9") + 1
    assert f"line {place}: 'start Z9': Z9 is not on the map" in error
    malformed = table.orders("alice", "strat C4")
    error = table.fails(
        "malformed", "play", "--file", malformed, "-g", "friday", "--seat", "alice.seat"
    )
    assert "hint: start" in error or "start" in error
    assert not (table.root / "alice.seat/orders").exists()


def test_receive_keeps_receipts_and_tells_the_news(table: Table) -> None:
    """With a seat: its receipts, its own news, whose turn it is."""
    table.order("alice", "start C4")
    copied = table.ok(
        "take", "friday-alice-0001-1-receipt.txt", "-g", "friday", "--seat", "alice.seat"
    )
    assert copied == "the host has your orders for step 1 (start C4)\n"
    assert (table.root / "alice.seat/receipts/0001-1.toml").is_file()
    table.fails("no-seat", "take", "friday-alice-0001-1-receipt.txt", "-g", "friday")


def test_every_games_template_can_be_filled_in(tmp_path: Path, at_commands: Any) -> None:
    """Whatever board and lines stand above the cut, the orders below it are taken."""
    import games

    for name in games.installed():
        root = tmp_path / name
        root.mkdir()
        table = at_commands(root)
        for who in ("host", "alice", "bob"):
            table.key(f"{who}.key")
        table.ok("invite", name, "--key", "host.key", "-o", "friday")
        for who in ("alice", "bob"):
            table.ok("join", "friday-invite.txt", "--name", who, "--key", f"{who}.key")
        table.ok("start", "friday-alice-join.txt", "friday-bob-join.txt", "-g", "friday")
        seat = json.loads(table.ok("status", "-g", "friday", "--json"))["awaited"]
        for who in seat:
            template = table.ok("play", "--form", "-g", "friday", "--seat", f"{who}.seat")
            assert f"the orders of {who} for step 1 of game" in template.splitlines()[-1]
            assert all(len(line) <= 100 for line in template.splitlines()), name


@pytest.mark.parametrize("answer", ["n\n", "y\n"])
def test_resigning_is_asked_for_on_a_terminal(
    table: Table, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    """Nothing is signed without a yes; a pipe is not asked."""
    table.step(alice="start C4", bob="start C1")
    form = table.orders("alice", "resign  # good bye")
    order = ("play", "--file", form, "-g", "friday", "--seat", "alice.seat")
    monkeypatch.setattr(shared, "is_terminal", lambda: True)
    result = table.run(*order, given=answer.encode())
    assert "You resign" in result.stderr
    signed = (table.root / "alice.seat/orders/0002-1.txt").exists()
    assert signed == (answer == "y\n") == (result.exit_code == 0)
    monkeypatch.setattr(shared, "is_terminal", lambda: False)
    table.ok(*order)


def test_two_commands_on_one_seat(table: Table) -> None:
    """`template | order` reads while another writes; two orders at once never share a revision."""
    form = table.orders("alice", "start C4")
    seat = table.root / "alice.seat"
    (seat / "mark").unlink()
    with files.locked(seat):
        assert "start C4" in table.ok("play", "--form", "-g", "friday", "--seat", "alice.seat")
        table.fails("busy", "play", "--file", form, "-g", "friday", "--seat", "alice.seat")
    assert not (seat / "orders").exists()
    table.ok("play", "--file", form, "-g", "friday", "--seat", "alice.seat")


def test_a_form_is_never_replaced_by_what_is_made_of_it(table: Table) -> None:
    """`order f.toml -o f.toml`: the form stays as it was, nothing is signed."""
    form = table.orders("alice", "start C4")
    text = (table.root / form).read_text()
    table.fails(
        "exists", "play", "--file", form, "-g", "friday", "--seat", "alice.seat", "-o", form
    )
    assert (table.root / form).read_text() == text
    assert not (table.root / "alice.seat/orders").exists()
