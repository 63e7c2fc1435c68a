"""`play`: one's own turn in one command, by files."""

from __future__ import annotations

import errno
import os
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from adjudicator.cli import cli, turn
from adjudicator.store import files

Table = Any


@pytest.fixture
def alone(tmp_path: Path, at_commands: Any) -> Table:
    return at_commands(tmp_path)


@pytest.fixture
def mine(table: Table) -> Table:
    """Alice's own folder beside the host's: her copy, her seat."""
    (table.root / "mine").mkdir()
    mine = type(table)(table.root / "mine")
    mine.ok("receive", "friday", "../friday-invite.txt")
    (table.root / "alice.seat").rename(mine.root / "alice.seat")
    return mine


def carry(giver: Table, taker: Table, path: str) -> None:
    """Hand a file over, as a friend or a mail would."""
    (taker.root / path).write_bytes((giver.root / path).read_bytes())


def set_up(table: Table, mine: Table) -> None:
    """Both choose where they start, Alice by `play`; the host goes on."""
    carry(table, mine, "friday-0000.txt")
    hand_in(table, mine, mine.ok("play", "start C4"))
    table.order("bob", "start C1")
    table.ok("advance", "friday")


def hand_in(table: Table, mine: Table, said: str) -> str:
    """Bring the host the orders that Alice's `play` told of; what the host answers."""
    path = said.splitlines()[-1].partition(":")[0]
    carry(mine, table, path)
    return str(table.ok("submit", "friday", path))


def test_a_turn_in_one_command(table: Table, mine: Table) -> None:
    """Fetch, news, board, choices; orders sealed and signed; what came of them."""
    assert mine.ok("play") == "friday: Sugar Dog, as alice: not begun\n"
    carry(table, mine, "friday-0000.txt")
    said = mine.ok("play")
    assert "[0] genesis: alice, bob" in said
    assert re.search(r"awaited: alice \(you\) for setup, until 20\S+Z \(in (3 d|2 d 23 h)", said)
    assert "  start A1" in said
    sent = mine.ok("play", "start c4")
    assert sent == (
        "  start c4\nrevision 1 for step 1 is signed; no receipt has come yet\n"
        "friday-alice-0001-1.txt: for the host\n"
    )
    assert "start c4; no receipt yet" in mine.ok("play")
    again = mine.ok("play", "start", "C5")
    assert again.startswith("  start C5\nrevision 2 for step 1 is signed")


def test_receipts_and_entries_are_fetched(table: Table, mine: Table) -> None:
    """Once each, in whatever order they lie there; then the next turn."""
    set_up(table, mine)
    for path in sorted(table.root.glob("*.txt")):
        if path.name.startswith(("friday-0001", "alice-0001-1-receipt")):
            carry(table, mine, path.name)
    said = mine.ok("play")
    assert "[1] orders of alice, bob" in said
    assert "Your submarine starts in C4." in said
    assert "alice (you) for turn" in said
    assert mine.ok("play") == said


def test_one_bad_file_delays_nothing_but_itself(table: Table, mine: Table) -> None:
    """A damaged bundle and an entry before its time are named; what can be taken in is."""
    carry(table, mine, "friday-0000.txt")
    whole = (mine.root / "friday-0000.txt").read_bytes()
    (mine.root / "a-damaged.txt").write_bytes(whole.replace(b"digest: ", b"digest: 0", 1))
    (mine.root / "notes.txt").write_text("call Bob")
    result = mine.run("play")
    assert result.exit_code == 0
    assert "[0] genesis" in result.stdout
    assert result.stderr.startswith("warning: a-damaged.txt: bad-bundle: ")
    assert len(result.stderr.splitlines()) == 1


def test_what_was_taken_in_is_read_once(
    table: Table, mine: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many bundles lie there that nobody tidied away, each costs the same."""
    carry(table, mine, "friday-0000.txt")

    def reads(revisions: int) -> int:
        for _ in range(revisions):
            said = mine.ok("play", "start C4")
            hand_in(table, mine, said)
            sent = said.splitlines()[-1].partition(":")[0]
            carry(table, mine, f"{Path(sent).stem}-receipt.txt")
        mine.ok("play")
        found: list[Path] = []
        with monkeypatch.context() as patch:
            read = files.read
            patch.setattr(
                files, "read", lambda path, *args: found.append(path) or read(path, *args)
            )
            assert "accepted" in mine.ok("play")
        return len(found)

    first, second, third = reads(2), reads(2), reads(2)
    assert third - second == second - first


@pytest.mark.parametrize("what", ["fetching", "ordering"])
def test_a_full_disk_leaves_nothing_half_done(
    table: Table, mine: Table, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """Wherever the disk fills up. Once there is room the same command goes on, and orders count."""
    carry(table, mine, "friday-0000.txt")
    if what == "ordering":
        mine.ok("play")
    full = OSError(errno.ENOSPC, "No space left on device")
    refused = 0
    while True:
        left = refused

        def flush(handle: int) -> None:
            nonlocal left
            if left == 0:
                raise full
            left -= 1

        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", flush)
            result = mine.run("play", *(["start C4"] if what == "ordering" else []))
        if result.exit_code == 0:
            break
        refused += 1
        assert result.exit_code == 1
        assert result.stderr.startswith("error: unwritable: ") or "No space left" in result.stderr
        assert not list(mine.root.rglob("*.part"))
        assert "unusable" not in mine.run("verify", "friday").stdout
    assert refused > 3
    assert "accepted" in hand_in(table, mine, mine.ok("play", "start C5"))


def test_an_entry_that_came_too_early(table: Table, mine: Table) -> None:
    """It waits, and is taken in together with the one before it once that lies there."""
    set_up(table, mine)
    mine.root.joinpath("friday-0000.txt").rename(mine.root / "away")
    later = type(table)(table.root / "later")
    later.root.mkdir()
    later.ok("receive", "friday", "../friday-invite.txt")
    (mine.root / "alice.seat").rename(later.root / "alice.seat")
    (later.root / "alice.seat" / "mark").unlink()
    carry(table, later, "friday-0001-alice.txt")
    assert "not begun" in later.ok("play")
    carry(table, later, "friday-0000.txt")
    assert "[1] orders of alice, bob" in later.ok("play")


def test_orders_that_cannot_stand(table: Table, mine: Table) -> None:
    """Nothing is signed, and no revision is used up."""
    carry(table, mine, "friday-0000.txt")
    mine.fails("illegal", "play", "fire S")
    mine.fails("malformed", "play", "sink them all")
    assert "revision 1" in mine.ok("play", "start C4")


def test_orders_are_asked_for_at_a_terminal(
    table: Table, mine: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If none are given, it asks for them below the board; Enter alone sends nothing."""
    carry(table, mine, "friday-0000.txt")
    monkeypatch.setattr(turn, "is_terminal", lambda: True)
    assert "revision" not in mine.ok("play", given=b"\n")
    result = mine.run("play", given=b"start Z9\nstart C4\n")
    assert result.exit_code == 0
    assert "start Z9" in result.stderr
    assert "revision 1 for step 1" in result.stdout


def test_orders_are_written_in_an_editor(
    table: Table, mine: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the form beside the copy. What is refused stays there, to be mended; nothing is lost."""
    carry(table, mine, "friday-0000.txt")
    monkeypatch.setenv("EDITOR", "true")
    assert "nothing was written, so no orders are sent" in mine.ok("play", "--edit")
    monkeypatch.setenv("EDITOR", "sed -i '/^orders = /a start Z9'")
    assert "'start Z9'" in mine.fails("illegal", "play", "--edit")
    form = mine.root / "friday-0001.toml"
    assert "start Z9" in form.read_text()
    monkeypatch.setenv("EDITOR", "sed -i 's/start Z9/start C4/'")
    assert "revision 1 for step 1 is signed" in mine.ok("play", "--edit")
    assert "start C4" in form.read_text()
    assert mine.run("play", "start C4", "--edit").exit_code == 2


def test_a_game_that_nobody_can_go_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game whose name is mistyped; and a game that is over, for which no editor opens."""
    monkeypatch.chdir(tmp_path)
    told = CliRunner().invoke(cli, ["play", "sugardog"])
    assert "no game of yours is in this folder; did you mean 'sugar-dog'?" in told.stderr
    CliRunner().invoke(cli, ["demo", "--seed", "07", "--keep", "kept", "--quiet"])
    told = CliRunner().invoke(cli, ["play", "--edit", "--record", "kept/alice/record"])
    assert told.stdout.startswith("record: Sugar Dog, as alice: over")
    assert not list((tmp_path / "kept" / "alice").glob("*.toml"))


def test_the_captain_gives_a_hint(table: Table, mine: Table) -> None:
    """From what this seat was told alone; it is a line that is taken."""
    carry(table, mine, "friday-0000.txt")
    said = mine.ok("play", "--hint")
    hint = said.partition("hint: ")[2].strip()
    assert hint.startswith("start ")
    mine.ok("play", hint)


def test_several_games_in_a_folder(table: Table, mine: Table) -> None:
    """They are listed; --record or --seat names one."""
    carry(table, mine, "friday-0000.txt")
    mine.ok("play")
    for name in ("host2", "al2"):
        mine.ok("keygen", f"{name}.key")
    mine.ok("invite", "silent-ships", "--key", "host2.key", "-o", "sunday")
    mine.ok("join", "sunday-invite.txt", "--name", "al", "--key", "al2.key")
    said = mine.ok("play")
    assert "friday: Sugar Dog, as alice: YOUR setup, in " in said
    assert "sunday: Silent Ships, as al: not begun" in said
    assert "[0] genesis" in mine.ok("play", "--record", "friday")
    assert "[0] genesis" in mine.ok("play", "--seat", "alice.seat")
    invite = mine.root / "sunday" / "invite.toml.sig"
    whole = invite.read_bytes()
    invite.write_bytes(b"x")
    said = mine.ok("play")
    assert "friday: Sugar Dog, as alice" in said
    assert "sunday: bad-signature: " in said
    invite.write_bytes(whole)
    assert "revision 1" in mine.ok("play", "start C4", "--record", "friday")


def test_options_of_a_new_game_without_a_game(alone: Table) -> None:
    """A wrong call, with or without orders."""
    assert alone.run("play", "--bot", "captain").exit_code == 2
    assert alone.run("play", "fire S", "--keep", "x").exit_code == 2


def test_no_game_here(alone: Table) -> None:
    """What to do is said."""
    assert "adjudicator play sugar-dog" in alone.fails("missing", "play")
    assert "adjudicator play sugar-dog" in alone.fails("missing", "play", "fire S")


def test_a_copy_without_a_seat(mine: Table) -> None:
    """It cannot be played."""
    (mine.root / "alice.seat").rename(mine.root.parent / "alice.seat")
    assert "--seat" in mine.fails("no-seat", "play", "--record", "friday")


def test_a_board_that_is_old_says_so_last(table: Table, mine: Table) -> None:
    """One bundle did not come: the last line names it, orders are refused unless forced, and once
    it is here all is taken in."""
    set_up(table, mine)
    carry(table, mine, "friday-0001-alice.txt")
    hand_in(table, mine, mine.ok("play", "fire S"))
    table.ok("advance", "friday")
    table.order("bob", "silent")
    table.ok("advance", "friday")
    carry(table, mine, "friday-0003-alice.txt")
    told = mine.run("play")
    assert told.exit_code == 4
    assert told.stderr.splitlines()[-1] == (
        "warning: THIS BOARD IS OLD (entry 1): entry 3 is here, entry 2 is not. "
        "Ask the host for friday-0002-alice.txt."
    )
    assert "THIS BOARD IS OLD" in mine.fails("gap", "play", "fire S")
    assert not (mine.root / "friday-alice-0002-2.txt").exists()
    assert "friday-alice-0002-2.txt: for the host" in mine.run("play", "fire S", "--force").stdout
    carry(table, mine, "friday-0002-alice.txt")
    told = mine.run("play")
    assert "[2] orders of alice" in told.stdout
    assert "[3] orders of bob" in told.stdout
    assert (told.exit_code, "OLD" in told.stderr) == (0, False)


def test_a_missing_report_hides_no_board(table: Table, mine: Table) -> None:
    """`play` and `show` show what everybody sees, and say what to do; orders go out with the
    protest."""
    set_up(table, mine)
    table.ok("bundle", "friday", "1", "-o", "mine/public.txt")
    missing = "Your report of entry 1 is missing: look for the mail '[friday] entry 1' or the file"
    told = mine.run("play")
    assert (told.exit_code, missing in told.stderr.splitlines()[-1]) == (4, True)
    assert "+---+" in told.stdout
    told = mine.run("show", "friday", "--seat", "alice.seat")
    assert (told.exit_code, missing in told.stderr) == (4, True)
    assert "As everybody sees it" in told.stdout
    assert "for the host" in mine.ok("play", "fire S", "--protest", "undelivered")


def test_two_games_of_one_name(table: Table) -> None:
    """Their orders overwrite nothing: the second one's file has its game's id."""
    (table.root / "other").mkdir()
    table.ok("invite", "sugar-dog", "--key", "host.key", "-o", "other/friday")
    for name in ("alice", "bob"):
        table.run("join", "other/friday-invite.txt", "--name", name, "--key", f"{name}.key",
                  "-o", f"other/{name}")  # fmt: skip
    table.ok("start", "other/friday", "other/alice", "other/bob")
    table.ok("play", "start C4", "--record", "friday", "--seat", "alice.seat")
    first = (table.root / "friday-alice-0001-1.txt").read_bytes()
    form = table.ok("template", "other/friday", "--seat", "other/alice.seat")
    form = form.replace('orders = """\n', 'orders = """\nstart C5')
    told = table.ok("order", "other/friday", "-", "--seat", "other/alice.seat", given=form.encode())
    where, _, rest = told.partition(": ")
    assert rest.startswith("sealed orders for step 1, revision 1")
    assert re.fullmatch("friday-alice-0001-1-[0-9a-f]{8}.txt", where)
    assert (table.root / "friday-alice-0001-1.txt").read_bytes() == first
