"""`backup`, and `restore` of a backup."""

from __future__ import annotations

import shutil
from typing import Any

import pytest

from adjudicator.player.seat import Seat

Table = Any


@pytest.fixture
def words(table: Table, monkeypatch: pytest.MonkeyPatch) -> Table:
    """A table whose passphrase lies in a file."""
    (table.root / "words").write_text("sugar dog silent ships\n")
    monkeypatch.setenv("ADJUDICATOR_PASSPHRASE_FILE", str(table.root / "words"))
    return table


def test_into_a_safe_and_out_again(words: Table) -> None:
    """Seat, key and copy come back byte for byte, and the game goes on with them."""
    told = words.ok("backup", "--seat", "alice.seat", "-g", "friday")
    assert told.startswith("friday-alice.safe: your seat, its key and your copy")
    path = words.root / "friday-alice.safe"
    assert path.stat().st_mode & 0o777 == 0o600
    words.ok("restore", "friday-alice.safe", "-o", "elsewhere")
    there = words.root / "elsewhere"
    for name in ("alice.seat", "friday"):
        for file in (words.root / name).rglob("*.*"):
            if file.is_file():
                assert (there / file.relative_to(words.root)).read_bytes() == file.read_bytes()
    assert (there / "alice.seat").stat().st_mode & 0o777 == 0o700
    assert Seat.open(there / "alice.seat").signer() is not None
    (words.root / "alice.key").unlink()
    orders = words.root / "orders.txt"
    orders.write_text("start C4\n")
    words.ok("play", "--file", "orders.txt", "-g", "elsewhere/friday",
             "--seat", "elsewhere/alice.seat", "-o", "order.txt")  # fmt: skip
    assert "alice: taken" in words.ok("take", "order.txt", "-g", "friday")
    # It had no mails, so it goes on by files.
    there.joinpath("alice.key").unlink(missing_ok=True)
    told = words.ok("sync", "-g", "elsewhere/friday", "--seat", "elsewhere/alice.seat")
    assert "Send elsewhere/friday-alice-0001-1.txt to the host" in told


def test_a_safe_is_restored_before_it_is_played(words: Table) -> None:
    """Named as a seat it says so, and nothing is changed."""
    words.ok("backup", "--seat", "alice.seat", "-g", "friday", "-o", "a.safe")
    before = (words.root / "a.safe").read_bytes()
    for call in (("show",), ("play", "start C4"), ("status",)):
        told = words.fails("no-seat", *call, "-g", "friday", "--seat", "a.safe")
        assert "hint: a safe is unpacked into one: adjudicator restore a.safe" in told
    assert (words.root / "a.safe").read_bytes() == before


def test_a_wrong_passphrase(words: Table) -> None:
    """One line, and nothing is changed."""
    words.ok("backup", "--seat", "alice.seat", "-g", "friday", "-o", "a.safe")
    before = (words.root / "a.safe").read_bytes()
    (words.root / "words").write_text("another\n")
    assert "wrong passphrase for the safe of alice" in words.fails(
        "bad-safe", "restore", "a.safe", "-o", "away"
    )
    (words.root / "words").write_text("")
    assert "holds no line" in words.fails("bad-option", "restore", "a.safe", "-o", "away")
    assert (words.root / "a.safe").read_bytes() == before
    assert not (words.root / "away").exists()


def test_nothing_is_replaced(words: Table) -> None:
    """Neither a safe nor folders: an older seat never takes a newer one's place."""
    words.ok("backup", "--seat", "alice.seat", "-g", "friday", "-o", "a.safe")
    before = (words.root / "a.safe").read_bytes()
    assert "there already" in words.fails(
        "exists", "backup", "--seat", "alice.seat", "-g", "friday", "-o", "a.safe"
    )
    assert (words.root / "a.safe").read_bytes() == before
    assert "there already" in words.fails("exists", "restore", "a.safe")


def test_without_a_terminal(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says where a passphrase could be written."""
    monkeypatch.delenv("ADJUDICATOR_PASSPHRASE_FILE", raising=False)
    error = table.fails("bad-safe", "backup", "--seat", "alice.seat", "-g", "friday")
    assert "ADJUDICATOR_PASSPHRASE_FILE" in error


def test_the_copy_is_found_beside_the_seat(words: Table) -> None:
    """The one of that game, in the folder; where there is none, it is asked for."""
    (words.root / "away").mkdir()
    (words.root / "friday").rename(words.root / "away" / "friday")
    assert "no game is here" in words.fails("missing", "backup", "--seat", "alice.seat")
    (words.root / "away" / "friday").rename(words.root / "friday")
    assert "friday-alice.safe" in words.ok("backup", "--seat", "alice.seat")


def test_a_safe_beside_the_copy_is_no_seat(table: Table) -> None:
    """It is not opened, and no passphrase is asked for: it has to be restored."""
    own = table.root / "own"
    shutil.copytree(table.root / "friday", own / "friday")
    (own / "friday-alice.safe").write_bytes(b"adjudicator-safe/1\n")
    told = table.fails("no-seat", "play", "-g", "own/friday")
    assert "friday is here" in told


def test_a_hosts_folder_is_backed_up(words: Table) -> None:
    """Its secrets, its key and the record come back, and the game goes on from them."""
    (words.root / "away").mkdir()
    for name in ("alice", "bob"):
        words.order(name, f"start {name[0].upper()}1")
        (words.root / f"{name}.seat").rename(words.root / "away" / f"{name}.seat")
    told = words.ok("backup", "-g", "friday")
    assert told.startswith("friday-host.safe: the host's folder, its key and the record")
    words.ok("restore", "friday-host.safe", "-o", "elsewhere")
    there = words.root / "elsewhere"
    assert (there / "friday.host").stat().st_mode & 0o777 == 0o700
    for name in ("friday", "friday.host"):
        for file in (words.root / name).rglob("*"):
            if file.is_file() and file.name not in ("key", "lock"):
                assert (there / file.relative_to(words.root)).read_bytes() == file.read_bytes()
    (words.root / "host.key").unlink()
    assert "entry 1, for alice" in words.ok("sync", "-g", "elsewhere/friday")
