"""`note`: what a player writes down for themselves, and that nobody else ever learns of it."""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from commands import ALICE
from desks import Desks

from adjudicator.cli import shared
from adjudicator.player import notes
from adjudicator.player.seat import Seat
from adjudicator.player.seated import Seated
from adjudicator.store.clock import SystemClock
from adjudicator.store.record import Record
from adjudicator.words.spans import ReadAt
from orders.bundle import decode
from orders.letter import LONGEST
from orders.sealing import LETTER_SIZE, letter_info, seal_letter

Table = Any

SECRET = "perhaps-a-mine-in-E5"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the commands take for the time: its only item."""
    told = ["2026-01-01T00:05:00Z"]
    monkeypatch.setattr(shared, "now", lambda: told[0])
    return told


def when(time: str, now: str) -> str:
    return ReadAt(now, here=True).when(time)


def sealed(table: Table) -> list[Path]:
    """The files of Alice's notes."""
    return sorted((table.root / "alice.seat").glob("notes/*"))


def test_notes_are_kept_in_order(table: Table, clock: list[str]) -> None:
    """Each at the last entry, with its time as the log tells it; several at one entry, of several
    lines, in the order in which they were written."""
    assert table.ok("note", *ALICE) == "no notes yet: adjudicator note TEXT keeps one\n"
    first = clock[0]
    assert table.ok("note", "Begin", *ALICE) == "kept, for you alone\n"
    table.step(alice="start C4", bob="start C1")
    clock[0] = "2026-01-02T10:00:00Z"
    assert table.ok("note", "He fears\nthe n\u00f6rth", *ALICE).startswith("kept, ")
    for number in range(2, 12):
        table.ok("note", f"{number}.", *ALICE)
    day = when(clock[0], clock[0])
    assert table.ok("note", *ALICE).splitlines() == [
        f"   0  {when(first, clock[0])}  Begin",
        f"   1  {day}  He fears",
        "      the n\u00f6rth",
        *(f"   1  {day}  {number}." for number in range(2, 12)),
    ]
    assert "no notes yet" in table.ok("note", "-g", "friday", "--seat", "bob.seat")


def test_no_gap_is_filled(table: Table) -> None:
    """A note that was moved out of the folder has its place when it comes back; what lies there
    under another name has none."""
    for text in ("One.", "Two.", "Three."):
        table.ok("note", text, *ALICE)
    first, second, third = sealed(table)
    away = second.rename(table.root / "away")
    other = third.with_name("0000-x.sealed")
    other.write_bytes(b"x")
    table.ok("note", "Four.", *ALICE)
    other.unlink()
    told = [line.split()[-1] for line in table.ok("note", *ALICE).splitlines()]
    assert told == ["One.", "Three.", "Four."]
    assert not second.exists()
    away.rename(second)
    told = [line.split()[-1] for line in table.ok("note", *ALICE).splitlines()]
    assert told == ["One.", "Two.", "Three.", "Four."]
    assert sealed(table)[:3] == [first, second, third]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "a note has 1 to 1800 bytes, this has 0"),
        ("\n ", "a note has 1 to 1800 bytes, this has 0"),
        ("a" * (LONGEST - 1) + "\u00f6", "a note has 1 to 1800 bytes, this has 1801"),
        ("ring \x07", "a note cannot hold a control character (U+0007)"),
        ("\udcff", "a note cannot hold a byte of another encoding (0xff)"),
    ],
)
def test_a_text_that_no_message_may_have_is_no_note(table: Table, text: str, said: str) -> None:
    """It is quoted, and nothing is written."""
    assert said in table.fails("malformed", "note", text, *ALICE)
    assert not sealed(table)


def test_the_longest_note(table: Table) -> None:
    """As long as the longest message."""
    table.ok("note", "a" * LONGEST, *ALICE)
    assert table.ok("note", *ALICE).endswith(f"  {'a' * LONGEST}\n")


def test_where_nothing_can_be_noted(table: Table) -> None:
    """Without a seat, or while another process writes in it."""
    table.fails("no-seat", "note", SECRET, "-g", "friday")
    with Seat.open(table.root / "alice.seat").files.locked():
        table.fails("busy", "note", SECRET, *ALICE)
    assert not sealed(table)


def test_a_duel_has_no_notes(tmp_path: Path, at_commands: Any) -> None:
    """What its secret seals would be open at its end."""
    table = at_commands(tmp_path)
    table.key("key")
    table.ok("duel", "silent-ships", "--name", "ann", "--key", "key", "-o", "offer.txt")
    told = table.run("note", SECRET)
    assert (told.exit_code, "a duel, which nobody hosts, has none" in told.stderr) == (2, True)


def test_the_files_tell_nothing(table: Table) -> None:
    """All have one size, whatever is in them; no other seat opens them, the host's master neither;
    and each is bound to its entry."""
    table.ok("note", SECRET, *ALICE)
    table.ok("note", "a" * LONGEST, *ALICE)
    files = sealed(table)
    assert len({file.stat().st_size for file in files}) == 1
    for file in (table.root / "alice.seat").rglob("*"):
        assert file.is_dir() or not holds(file.read_bytes())
        assert file.stat().st_mode & 0o077 == 0
    table.step(alice="start C4", bob="start C1")
    moved = files[0].rename(files[0].with_name("0001-0001.sealed"))
    error = table.fails("unopenable", "note", *ALICE)
    assert f"'{moved.relative_to(table.root)}' is no note that this seat sealed" in error
    bobs = table.root / "bob.seat" / "notes"
    shutil.copytree(moved.parent, bobs)
    table.fails("unopenable", "note", "-g", "friday", "--seat", "bob.seat")
    moved.unlink()
    table.ok("note", *ALICE)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"yesterday\ntext",
        b"2026-01-01T00:05:00Z\n",
        b"2026-01-01T00:05:00Z\nring \x07",
        b"2026-01-01T00:05:00Z\n\xff",
    ],
)
def test_what_somebody_else_sealed_is_no_note(table: Table, body: bytes) -> None:
    """The public half of the key is in the join, so that anybody can seal to it."""
    table.ok("note", SECRET, *ALICE)
    (file,) = sealed(table)
    own = Seated(Record(table.root / "friday"), Seat.open(table.root / "alice.seat"))
    info = letter_info("note", own.opening.id, 0, "alice")
    public = own.seat.secret.letters().public
    file.write_bytes(seal_letter(public, info, body, LETTER_SIZE))
    error = table.fails("unopenable", "note", *ALICE)
    assert "or move it out of the folder" in error
    with pytest.raises(notes.Refused):
        notes.kept(own)


def test_notes_go_where_the_seat_goes(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Into a safe and out of it, and with a folder that is copied while the old one is gone."""
    table.ok("note", SECRET, *ALICE)
    said = table.ok("note", *ALICE)
    (table.root / "words").write_text("sugar dog silent ships\n")
    monkeypatch.setenv("ADJUDICATOR_PASSPHRASE_FILE", str(table.root / "words"))
    table.ok("backup", *ALICE, "-o", "a.safe")
    assert not holds((table.root / "a.safe").read_bytes())
    table.ok("restore", "a.safe", "-o", "restored")
    shutil.move(table.root / "alice.seat", table.root / "restored" / "moved.seat")
    for seat in ("alice.seat", "moved.seat"):
        told = table.ok("note", "-g", "restored/friday", "--seat", f"restored/{seat}")
        assert told == said


def test_replay_shows_them_to_their_writer_alone(table: Table, clock: list[str]) -> None:
    """At their entry, below what was told, or in its place; by one's own eyes, for programs too."""
    table.ok("note", "Begin", *ALICE)
    table.step(alice="start C4", bob="start C1")
    table.ok("note", "Is it\na mine?", *ALICE)
    table.ok("note", "No.", *ALICE)
    table.step(alice="fire S")
    time = when(clock[0], clock[0])
    before, first, second = table.ok("replay", *ALICE).split("\n\nEntry ")
    assert before.endswith(f"\n\nNoted:\n  Your note, {time}: Begin")
    assert first.endswith(
        "\n\nTold:\n  Your submarine starts in C4.\n"
        f"  Your note, {time}: Is it a mine?\n  Your note, {time}: No."
    )
    assert "note" not in second
    told = json.loads(table.ok("replay", "1", "--json", *ALICE))
    assert [one["noted"] for one in told] == [
        [{"time": clock[0], "text": "Is it\na mine?"}, {"time": clock[0], "text": "No."}],
        [],
    ]
    for words in (("--seat", "bob.seat"), ("--seat", "alice.seat", "--as", "all"), ()):
        for form in ((), ("--json",)):
            others = table.ok("replay", "-g", "friday", *words, *form)
            assert "Begin" not in others
            assert "Your note" not in others
            assert '"text"' not in others


def test_replay_by_other_eyes_after_the_reveal(finished: Table) -> None:
    """A note is of one's own board: it is not shown with the other's, nor with the position."""
    assert finished.ok("note", SECRET, *ALICE) == "kept, for you alone\n"
    assert SECRET in finished.ok("replay", *ALICE)
    for eyes in ("host", "bob", "all"):
        assert SECRET not in finished.ok("replay", *ALICE, "--as", eyes)
    # Without the seat alice's board is everybody's to see, and her notes still are not.
    assert SECRET not in finished.ok("replay", "-g", "friday", "--as", "alice")


# What leaves.


def holds(data: bytes, secret: str = SECRET) -> bool:
    """Whether bytes hold the secret, also as base64 with whatever before it, or broken in lines."""
    plain = data.translate(None, b" \r\n>=")
    found = [secret.encode()]
    for before in range(3):
        whole = base64.b64encode(b"." * before + secret.encode())
        found.append(whole[4:-4])
    return any(one in plain for one in found)


@pytest.mark.parametrize("before", ["", "a", "ab"])
def test_what_is_held_is_found(before: str) -> None:
    """Else the tests below could not fail."""
    assert holds(f"{before}{SECRET}{before}".encode())
    assert holds(base64.encodebytes(f"{before}{SECRET}, or so".encode()))
    assert not holds(base64.encodebytes(before.encode() * 50))


def test_nothing_that_leaves_tells_of_notes(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two games that differ in notes alone, all that others get is the same: to the byte where
    nothing in it is drawn."""
    now = SystemClock().now()
    monkeypatch.setattr(SystemClock, "now", lambda _: now)
    table.step(alice="start C4", bob="start C1")
    without, noted = (table.copy(tmp_path / name) for name in ("without", "noted"))
    drawn = "letter.txt"
    for one in (without, noted):
        for words in (
            ("play", "--form", "-o", "form.txt"),
            ("play", "fire S", "-o", "order.txt"),
            ("say", "Hello.", "--to", "host", "-o", drawn),
            ("pack", "-o", "pack.zip"),
            ("show", "--svg", "board.svg"),
            ("show", "1", "--json"),
        ):
            if one is noted:
                one.ok("note", SECRET, *ALICE)
            who = ALICE[:2] if words[0] == "pack" else ALICE
            assert not holds(one.ok(*words, *who).encode())
    files = {
        one: {
            str(file.relative_to(one.root)): file.read_bytes()
            for file in one.root.rglob("*")
            if file.is_file() and "alice.seat" not in file.parts
        }
        for one in (without, noted)
    }
    assert files[noted].keys() == files[without].keys()
    assert not [name for name, data in files[noted].items() if holds(data)]
    for name in ("form.txt", "order.txt", "pack.zip", "board.svg"):
        assert files[noted][name] == files[without][name]
    # The letter's number is drawn too, of one to four digits.
    sizes = [
        [len(re.sub(rb"\nnumber = \d+", b"", data)) for _, data in decode(held[drawn]).files]
        for held in files.values()
    ]
    assert sizes[0] == sizes[1]
    assert len(sealed(noted)) == 6


def test_no_mail_tells_of_notes(by_mail: Desks) -> None:
    """Neither the player's own nor the host's answer."""
    alice = by_mail.at("alice")
    alice.run("note", SECRET)
    alice.run("play", "start C4")
    (mail,) = alice.root.glob("*-1.eml")
    by_mail.serve(mail.read_bytes())
    for data in (mail.read_bytes(), *by_mail.sent("alice@example.org")):
        assert not holds(data)


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_nothing_in_git_tells_of_notes(published: Table) -> None:
    """Whatever a player pushed: no object of the repository holds a note."""
    alice = type(published)(published.root / "alice")
    alice.root.mkdir()
    for name, table in (("alice", alice), ("bob", published)):
        table.ok("join", published.root / "remote.git", "--name", name, "--key",
                 published.root / f"{name}.key", "-o", f"{name}-copy")  # fmt: skip
    published.ok("start", "-g", "friday")
    alice.ok("sync")
    alice.ok("note", SECRET)
    alice.ok("play", "start C4")
    (seat,) = alice.root.rglob("seat.toml")
    assert len([*seat.parent.glob("notes/*")]) == 1
    command = ["git", "-C", str(published.root / "remote.git"), "cat-file"]
    objects = subprocess.run(
        [*command, "--batch-all-objects", "--batch"], check=True, capture_output=True
    ).stdout
    assert b"kind: order" in objects
    assert not holds(objects)
