"""One turn by `play`, the same command whether a game goes by git or by mail."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from commands import ALICE
from desks import Desks

from adjudicator.cli import courier
from adjudicator.git.play_sync import PlaySync
from adjudicator.player import finding
from adjudicator.player.seat import Seat
from adjudicator.store.record import Record

Table = Any


def seated(folder: Path) -> list[tuple[Record, Seat]]:
    """The games in a folder with the seats at them."""
    found = [
        (one, finding.place_of(finding.invite_of(one), folder)) for one in finding.copies(folder)
    ]
    return [(copy, Seat.open(place)) for copy, place in found if place is not None]


# By git.


def test_a_clone_knows_its_seat(cloned: Table) -> None:
    """Even a seat that lies elsewhere: the clone was set up with it."""
    desk = cloned
    desk.ok("invite", "--git", "remote.git", "-g", "friday")
    own = ("--name", "alice", "--key", "alice.key", "-o", "alice-copy")
    desk.ok("join", "remote.git", *own)
    (found,) = [copy for copy, _ in seated(desk.root) if copy.root.name == "alice-copy"]
    assert isinstance(courier.of(found, seated(desk.root)[0][1]), PlaySync)
    inside = type(desk)(desk.root / "alice-copy")
    assert "joined as alice. The host has not begun." in inside.ok("play", "-g", ".")


# By files.


def test_what_is_no_file_is_passed_over(table: Table) -> None:
    """Whatever a folder or a pipe is called, nobody waits for it, and the turn goes on."""
    (table.root / "notes.txt").mkdir()
    os.mkfifo(table.root / "pipe.txt")
    said = table.ok("play", "start C4", *ALICE)
    assert "Send friday-alice-0001-1.txt to the host" in said


def test_a_broken_seat_beside(table: Table, mine: Table) -> None:
    """Whosever it is, it stops nobody who names their own; and it may be one of this game, so what
    another player's is stays where it lies."""
    other = mine.root / "other.seat"
    other.mkdir(mode=0o700)
    (other / "seat.toml").write_text("x=1\n")
    table.give("friday-0000.txt", mine)
    table.order("bob", "start C1")
    receipt = "friday-bob-0001-1-receipt.txt"
    table.give(receipt, mine)
    for command in (("sync",), ("status",), ("play", "--check", "start C4")):
        mine.ok(*command, *ALICE)
    assert (mine.root / receipt).is_file()
    assert "Send friday-alice-0001-1.txt to the host" in mine.ok("play", "start C4", *ALICE)


# By mail.


def test_orders_by_mail_leave_as_a_file(by_mail: Desks, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no way out is named, `play` writes a mail ready to be sent; the host takes it."""
    monkeypatch.delenv("ADJUDICATOR_MAIL_OUT", raising=False)
    alice = by_mail.at("alice")
    said = alice.run("play", "start C4").stdout
    assert "friday-alice-0001-1.eml: the mail to referee@example.net, ready to send" in said
    by_mail.serve((alice.root / "friday-alice-0001-1.eml").read_bytes())
    assert any(b"accepted" in mail for mail in by_mail.sent("alice@example.org"))


def test_orders_that_do_not_leave_stay_in_the_seat(by_mail: Desks) -> None:
    """The fault is told, and the next turn knows what was written."""
    alice = by_mail.at("alice")
    failed = alice.run("play", "start C5", code=1, MAIL_OUT="sendmail:false")
    assert "exit 1" in failed.stderr
    assert "start C5. No receipt yet" in alice.run("play").stdout


def test_which_courier_a_game_has(by_mail: Desks, tmp_path: Path) -> None:
    """What lies in and beside the copy tells it; where nothing does, the game goes by files."""
    alice = by_mail.at("alice")
    ((copy, seat),) = seated(alice.root)
    assert isinstance(courier.of(copy, seat), courier.ByMail)
    copy.root.with_name("friday.mail").rename(tmp_path / "gone")
    assert isinstance(courier.of(copy, seat), courier.ByFiles)


def test_an_entry_that_came_early_makes_no_game_one_by_mail(table: Table) -> None:
    """It is kept where notes about mails are, and orders leave as a file all the same."""
    own = table.root / "own"
    for name in ("friday", "alice.seat"):
        shutil.copytree(table.root / name, own / name)
    table.step(alice="start C4", bob="start C1")
    table.step(alice="fire S")
    took = table.run("take", "friday-0002-alice.txt", "-g", "own/friday")
    assert "entry 2 is kept" in took.stdout
    ((copy, seat),) = seated(own)
    assert isinstance(courier.of(copy, seat), courier.ByFiles)
