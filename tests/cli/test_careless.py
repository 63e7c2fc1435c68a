"""Careless hands at the command line: what a slip of the finger must never cost, and what it says.

Adversary: one's own haste. `-o` where another file was meant, a key that moved, a seat of another
game, a bundle sent again after a ruling, umlauts and blanks in names of files.
"""

from __future__ import annotations

import shlex
import shutil
import subprocess
from typing import Any

import pytest
from commands import ALICE

from adjudicator.store import files
from orders.errors import Refused

Table = Any


# Sent again after a ruling.


# Keys and seats that moved.


def test_a_key_that_moved(table: Table) -> None:
    """The hint names the key by its fingerprint, and never offers to make another."""
    print_of = table.key("other.key").split("SHA256:")[1]
    form = table.orders("alice", "start C4")
    moved = table.root / "keys"
    moved.mkdir()
    (table.root / "alice.key").rename(moved / "alice.key")
    (table.root / "host.key").rename(moved / "host.key")
    order = ("play", "--file", form, *ALICE)
    error = table.fails("bad-key", *order)
    assert "your key SHA256:" in error
    assert "--key" in error
    assert "keygen" not in error
    assert print_of not in error
    wrong = table.fails("bad-key", *order, "--key", "other.key")
    assert "name the key with which you joined" in wrong
    said = table.ok(*order, "--key", "keys/alice.key")
    bundle = table.sent(said)
    for command in (("take", bundle, "-g", "friday"), ("start", "-g", "friday")):
        assert "your key SHA256:" in table.fails("bad-key", *command)
    table.ok("take", bundle, "-g", "friday", "--key", "keys/host.key")
    table.fails("bad-key", "take", bundle, "-g", "friday", "--key", "keys/alice.key")


def test_before_a_game_has_begun(table: Table) -> None:
    """A name that is none makes no key; a message has no game yet to go to; and what would be
    packed is not written."""
    table.ok("invite", "sugar-dog", "--key", "host.key", "-o", "monday")
    (table.root / "new").mkdir()
    (table.root / "new" / "invite.txt").write_bytes((table.root / "monday-invite.txt").read_bytes())
    new = type(table)(table.root / "new")
    assert "'' is no player's name" in new.fails(
        "malformed", "join", "invite.txt", "--name", "", "-y"
    )
    assert [path.name for path in new.root.iterdir()] == ["invite.txt"]
    new.ok("join", "invite.txt", "--name", "zoe", "-y")
    for command in (("say", "hi"), ("away", "1d", "2d"), ("pack",)):
        assert "the game has not begun here" in new.fails("not-yet", *command)
    assert not (new.root / "monday.zip").exists()


def test_a_table_that_is_none(table: Table) -> None:
    """It is named, as other files are."""
    (table.root / "notes.txt").write_text("hello")
    call = ("invite", "submarine-warfare", "ann", "ben", "--table", "notes.txt", "-y")
    assert table.fails("malformed", *call).startswith("error: 'notes.txt': not TOML: ")


def test_a_seat_of_another_game_and_a_seat_named_short(table: Table) -> None:
    """Each has an error: another game's seat, one made anew, `alice` for `alice.seat`."""
    table.ok("invite", "sugar-dog", "--key", "host.key", "-o", "monday")
    (table.root / "elsewhere").mkdir()
    join = ("join", "monday-invite.txt", "--name", "alice", "--key", "alice.key")
    table.ok(*join, "-o", "elsewhere/join.txt")
    error = table.fails(
        "no-seat", "play", "--form", "-g", "friday", "--seat", "elsewhere/alice.seat"
    )
    assert "another invite" in error
    shutil.rmtree(table.root / "elsewhere")
    (table.root / "elsewhere").mkdir()
    again = ("join", "friday-invite.txt", "--name", "alice", "--key", "alice.key")
    table.ok(*again, "-o", "elsewhere/join.txt")
    error = table.fails(
        "no-seat", "play", "--form", "-g", "friday", "--seat", "elsewhere/alice.seat"
    )
    assert "look for the seat folder with which you joined" in error
    error = table.fails("missing", "play", "--form", "-g", "friday", "--seat", "alice")
    assert "hint: did you mean --seat alice.seat?" in error


# Names and texts.


@pytest.mark.parametrize("name", ["Joerg", "J\u00f6rg", "j\u00f6rg", "aux", "setup"])
def test_player_options_are_checked_at_the_invite(table: Table, name: str) -> None:
    """Nobody can bear the name, so the invitation would be wasted."""
    call = ("invite", "sugar-dog", "--key", "host.key", "-o", "x", "--option", f"first={name}")
    result = table.run(*call)
    assert result.exit_code == 1
    assert result.stderr.splitlines()[0].endswith(("[bad-option]", "[malformed]"))
    assert ("did you mean 'joerg'?" in result.stderr) == (name.lower() not in ("aux", "setup"))
    assert not (table.root / "x").exists()
    demo = table.run("demo", "--option", f"first={name}")
    assert demo.exit_code == 1


def test_a_join_that_finds_no_room(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk leaves no half seat, and the next try joins. A lost invite is written again."""
    (table.root / "friday-invite.txt").unlink()
    again = ("invite", "sugar-dog", "--key", "host.key", "-o", "friday")
    assert "resend all invite -g friday write its invite again" in table.fails("exists", *again)
    table.ok("resend", "all", "invite", "-g", "friday")
    join = ("join", "friday-invite.txt", "--name", "dora", "--key", "bob.key")
    before = sorted(table.root.iterdir())
    real = files.add
    for written in range(2):
        left = iter([None] * written)

        def full(*given: Any, left: Any = left, **named: Any) -> None:
            if next(left, 1):
                raise Refused("unwritable", "No space left on device")
            real(*given, **named)

        with monkeypatch.context() as patch:
            patch.setattr(files, "add", full)
            table.fails("unwritable", *join)
        assert sorted(table.root.iterdir()) == before
    table.ok(*join)


def test_names_at_the_join(table: Table) -> None:
    """Refused, with the name that could be meant."""
    call = ("join", "friday-invite.txt", "--name", "J\u00f6rg", "--key", "alice.key")
    assert "did you mean 'joerg'?" in table.fails("malformed", *call)


def test_lines_where_a_file_is_meant(table: Table) -> None:
    """The hint names both ways to write them."""
    told = table.run("play", "--file", "start C4", *ALICE)
    assert "'start C4' is not there" in told.stderr
    assert "adjudicator play LINE" in told.stderr


def test_no_form_for_a_game_that_is_over(table: Table) -> None:
    """No host would take it."""
    table.ok("rule", "-g", "friday", "--end", "--reason", "we have lost interest", "-y")
    table.fails("over", "play", "--form", *ALICE, "-o", "form.toml")
    assert not (table.root / "form.toml").exists()


def test_keys_with_umlauts(table: Table) -> None:
    """A key file may have any name."""
    table.key("j\u00f6rg.key")
    table.ok("join", "friday-invite.txt", "--name", "joerg", "--key", "j\u00f6rg.key")
    if shutil.which("ssh-keygen"):
        key = str(table.root / "j\u00f6rg.key")
        assert subprocess.run(["ssh-keygen", "-y", "-f", key], check=False).returncode == 0


def test_printed_commands_can_be_pasted(table: Table) -> None:
    """Blanks and umlauts in names: the command that a template prints is one that a shell takes."""
    folder = table.root / "Freitag Abend mit J\u00f6rg"
    shutil.copytree(table.root / "friday", folder)
    said = table.ok(
        "play", "--form", "-g", folder.name, "--seat", "alice.seat", "-o", "mein zug.txt"
    )
    command = said.partition("then ")[2].strip() + " --seat alice.seat -g friday"
    text = (table.root / "mein zug.txt").read_text()
    (table.root / "mein zug.txt").write_text(f"{text}start C4\n")
    words = subprocess.run(
        ["bash", "-c", f"printf '%s\\0' {command}"], capture_output=True, check=True
    ).stdout.split(b"\0")[:-1]
    table.ok(*(word.decode() for word in words[1:]))
    (table.root / "alice.seat").chmod(0o755)
    folder = table.root / "Alices Platz"
    (table.root / "alice.seat").rename(folder)
    error = table.fails("open-folder", "play", "--form", "-g", "friday", "--seat", folder.name)
    assert shlex.split(error.partition("hint: ")[2]) == ["chmod", "700", folder.name]


def test_commands_within_the_record(table: Table, at_commands: Any) -> None:
    """A record may be named `.`: new files lie beside its folder and are named after it."""
    table.order("alice", "start C4")
    inside = at_commands(table.root / "friday")
    told = inside.ok("take", "../friday-alice-0001-1.txt", "-g", ".", "-o", "../answer.txt")
    assert told.startswith("alice: taken")
    assert "../friday-0000.txt: " in inside.ok("resend", "all", "0", "-g", ".")
    assert inside.ok("pack", "-g", ".").startswith("friday.zip: ")
    table.order("bob", "start C1")
    assert "../friday-0001-bob.txt: " in inside.ok("sync", "-g", ".")
    inside.fails("missing", "show", "-g", ".", "--seat", ".")
    inside.fails("missing", "show", "-g", ".", "--seat", "/")


def test_a_folder_in_place_of_a_file(table: Table) -> None:
    """It is called a folder."""
    for words in (("take", "friday"), ("join", "friday"), ("take", "alice.seat")):
        assert "is a folder, and no file [unreadable]" in table.fails("unreadable", *words)
