"""`play`: one's own turn in one command, by files."""

from __future__ import annotations

import errno
import os
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from adjudicator.cli import cli, prompt, turn
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
    mine.ok("take", "../friday-invite.txt", "-g", "friday")
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
    table.ok("sync", "-g", "friday")


def hand_in(table: Table, mine: Table, said: str) -> str:
    """Bring the host the orders that Alice's `play` told of; what the host answers."""
    path = table.sent(said)
    carry(mine, table, path)
    return str(table.ok("take", path, "-g", "friday"))


def test_a_turn_in_one_command(table: Table, mine: Table) -> None:
    """Fetch, news, board, choices; orders sealed and signed; what came of them."""
    assert mine.ok("play") == "friday: joined as alice. The host has not begun.\n"
    carry(table, mine, "friday-0000.txt")
    said = mine.ok("play")
    assert re.match(r"Sugar Dog: you are alice, against bob\. +until \S+ .*, (3 d|2 d 23 h)", said)
    assert "Goal: be the last submarine afloat." in said
    assert "start CELL" in said
    sent = mine.ok("play", "start c4")
    assert sent == "Ready: start c4. Send friday-alice-0001-1.txt to the host\n"
    assert "start c4. No receipt yet" in mine.ok("play")
    again = mine.ok("play", "start", "C5")
    assert again == "Ready: start C5. Send friday-alice-0001-2.txt to the host\n"


def test_receipts_and_entries_are_fetched(table: Table, mine: Table) -> None:
    """Once each, in whatever order they lie there; then the next turn."""
    set_up(table, mine)
    for path in sorted(table.root.glob("*.txt")):
        if path.name.startswith(("friday-0001-alice", "friday-alice-0001-1-receipt")):
            carry(table, mine, path.name)
    said = mine.ok("play")
    assert "Sugar Dog, turn 1: your move, alice." in said
    assert "Your submarine starts in C4." in said
    # But for the title, in which time runs.
    assert mine.ok("play").partition("\n")[2] == said.partition("\n")[2]
    carry(table, mine, "friday-0001-bob.txt")
    told = mine.run("play")
    assert (told.exit_code, told.stderr) == (
        3, "warning: friday-0001-bob.txt: it is another player's, not alice's\n"
    )  # fmt: skip


def test_one_bad_file_delays_nothing_but_itself(table: Table, mine: Table) -> None:
    """A damaged bundle is named; what can be taken in is."""
    carry(table, mine, "friday-0000.txt")
    whole = (mine.root / "friday-0000.txt").read_bytes()
    (mine.root / "a-damaged.txt").write_bytes(whole.replace(b"digest: ", b"digest: 0", 1))
    (mine.root / "notes.txt").write_text("call Bob")
    result = mine.run("play")
    assert result.exit_code == 3
    assert "Sugar Dog: you are alice" in result.stdout
    assert result.stderr.startswith("warning: a-damaged.txt: a block in it is damaged: ")
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
            sent = table.sent(said)
            carry(table, mine, f"{Path(sent).stem}-receipt.txt")
        mine.ok("play")
        found: list[Path] = []
        with monkeypatch.context() as patch:
            read = files.read
            patch.setattr(
                files, "read", lambda path, *args: found.append(path) or read(path, *args)
            )
            assert "The host has it" in mine.ok("play")
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
        assert "[unwritable]" in result.stderr or "No space left" in result.stderr
        assert not list(mine.root.rglob("*.part"))
        assert "NOT JUDGED" not in mine.run("verify", "friday").stdout
    assert refused > 3
    assert "alice: taken" in hand_in(table, mine, mine.ok("play", "start C5"))


def test_an_entry_that_came_too_early(table: Table, mine: Table) -> None:
    """It waits, and is taken in together with the one before it once that lies there."""
    set_up(table, mine)
    later = type(table)(table.root / "later")
    later.root.mkdir()
    later.ok("take", "../friday-invite.txt", "-g", "friday")
    (mine.root / "alice.seat").rename(later.root / "alice.seat")
    (later.root / "alice.seat" / "mark").unlink()
    carry(table, later, "friday-0001-alice.txt")
    told = later.run("play")
    assert (told.exit_code, "The host has not begun" in told.stdout) == (3, True)
    assert "friday-0001-alice.txt: a bundle of kind entry of no game that has begun" in told.stderr
    carry(table, later, "friday-0000.txt")
    assert "Sugar Dog, turn 1" in later.ok("play")


def test_orders_that_cannot_stand(table: Table, mine: Table) -> None:
    """Nothing is signed, and no revision is used up."""
    carry(table, mine, "friday-0000.txt")
    mine.fails("illegal", "play", "fire S")
    mine.fails("malformed", "play", "sink them all")
    assert "friday-alice-0001-1.txt" in mine.ok("play", "start C4")


def test_orders_are_asked_for_at_a_terminal(
    table: Table, mine: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If none are given, it asks for them below the board. A line is planned, and kept if its
    author leaves; an empty line sends the plan."""
    carry(table, mine, "friday-0000.txt")
    for module in (turn, prompt):
        monkeypatch.setattr(module, "is_terminal", lambda: True)
    assert "Ready" not in mine.ok("play", given=b"\nquit\n")
    result = mine.run("play", given=b"start Z9\nstart C4\n")
    assert result.exit_code == 0
    assert result.stderr == ""
    assert "Z9 is not on the map (A1 to F6). Legal now: start A1, start B1" in result.stdout
    assert "Nothing is sent. The plan is kept." in result.stdout
    assert not list(mine.root.glob("friday-alice-*"))
    assert (mine.root / "alice.seat" / "plan").read_text() == "1\nstart C4\n"
    result = mine.run("play", given=b"\n")
    assert "planned: start C4. Enter sends." in result.stdout
    assert "friday-alice-0001-1.txt" in result.stdout
    assert (mine.root / "alice.seat" / "plan").read_text() == "1\n"


def test_orders_are_written_in_an_editor(
    table: Table, mine: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the form beside the copy. What is refused stays there, to be mended; nothing is lost."""
    carry(table, mine, "friday-0000.txt")
    monkeypatch.setenv("EDITOR", "true")
    assert "nothing was written, so no orders are sent" in mine.ok("play", "--edit")
    monkeypatch.setenv("EDITOR", "sed -i '$ a start Z9'")
    assert "'start Z9'" in mine.fails("illegal", "play", "--edit")
    form = mine.root / "friday-0001-orders.txt"
    assert "start Z9" in form.read_text()
    monkeypatch.setenv("EDITOR", "sed -i 's/start Z9/start C4/'")
    assert "Ready: start C4. " in mine.ok("play", "--edit")
    assert "start C4" in form.read_text()
    assert mine.run("play", "start C4", "--edit").exit_code == 2


def test_a_game_that_nobody_can_go_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game whose name is mistyped; and a game that is over, for which no editor opens."""
    monkeypatch.chdir(tmp_path)
    told = CliRunner().invoke(cli, ["play", "sugardog"])
    assert "no game is called 'sugardog'; did you mean 'sugar-dog'?" in told.stderr
    CliRunner().invoke(cli, ["demo", "--seed", "07", "--keep", "kept", "--quiet"])
    told = CliRunner().invoke(cli, ["play", "--edit", "-g", "kept/alice/record"])
    assert told.stdout.startswith("sugar-dog: over")
    assert not list((tmp_path / "kept" / "alice").glob("*-orders.txt"))


def test_the_captain_gives_a_hint(table: Table, mine: Table) -> None:
    """From what this seat was told alone; it is a line that is taken."""
    carry(table, mine, "friday-0000.txt")
    said = mine.ok("play", "hint")
    hint = said.partition("hint: ")[2].strip()
    assert hint.startswith("start ")
    mine.ok("play", hint)


def test_several_games_in_a_folder(table: Table, mine: Table) -> None:
    """They are listed, and none is guessed; -g or --seat names one."""
    carry(table, mine, "friday-0000.txt")
    mine.ok("play")
    for name in ("host2", "al2"):
        mine.key(f"{name}.key")
    mine.ok("invite", "silent-ships", "--key", "host2.key", "-o", "sunday")
    mine.ok("join", "sunday-invite.txt", "--name", "al", "--key", "al2.key")
    asked = mine.run("play")
    assert (asked.exit_code, asked.stdout) == (2, "")
    assert "friday: Sugar Dog, as alice: YOUR setup, until " in asked.stderr
    assert "sunday: Silent Ships, as al: not begun" in asked.stderr
    assert "-g friday or -g sunday" in asked.stderr
    assert "you are alice" in mine.ok("play", "-g", "friday")
    assert "you are alice" in mine.ok("play", "--seat", "alice.seat")
    invite = mine.root / "sunday" / "invite.toml.sig"
    whole = invite.read_bytes()
    invite.write_bytes(b"x")
    said = mine.run("play").stderr
    assert "friday: Sugar Dog, as alice" in said
    assert "sunday: invite.toml.sig: signature" in said
    invite.write_bytes(whole)
    assert "0001-1.txt" in mine.ok("play", "start C4", "-g", "friday")


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
    assert "--seat" in mine.fails("no-seat", "play", "-g", "friday")


def test_what_is_here_comes_before_a_game_against_bots(
    alone: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that was left is gone on with where no game is: not beside a record, a copy or a duel."""
    monkeypatch.setenv("XDG_STATE_HOME", str(alone.root / "state"))
    alone.key("me.key")
    host, player, two = (type(alone)(alone.root / name) for name in ("host", "player", "two"))
    for one in (host, player, two):
        one.root.mkdir()
    host.ok("invite", "sugar-dog", "--key", "../me.key", "-o", "friday")
    player.ok("take", "../host/friday-invite.txt")
    two.ok("duel", "silent-ships", "--name", "ann", "--key", "../me.key")
    alone.ok("play", "sugar-dog", "--seed", "1", given=b"start C4\n\nquit\n")
    assert "adjudicator sync" in host.fails("no-seat", "play")
    assert "seat" in player.fails("no-seat", "play")
    assert "Nobody has accepted your offer yet;" in two.ok("play")
    assert alone.ok("play", given=b"quit\n").startswith("Sugar Dog, turn ")


def test_a_board_that_is_old_says_so_last(table: Table, mine: Table) -> None:
    """One bundle did not come: the last line names it, orders are refused unless forced, and once
    it is here all is taken in."""
    set_up(table, mine)
    carry(table, mine, "friday-0001-alice.txt")
    hand_in(table, mine, mine.ok("play", "fire S"))
    table.ok("sync", "-g", "friday")
    table.order("bob", "silent")
    table.ok("sync", "-g", "friday")
    carry(table, mine, "friday-0003-alice.txt")
    told = mine.run("play")
    assert told.exit_code == 4
    assert told.stderr.splitlines()[-1] == (
        "OLD BOARD (entry 1): entry 3 is here, entry 2 is not. "
        "Your clock may be running. Ask the host for friday-0002-alice.txt: resend 2"
    )
    assert "OLD BOARD" in mine.fails("gap", "play", "fire S")
    assert not (mine.root / "friday-alice-0002-2.txt").exists()
    assert "friday-alice-0002-2.txt to the host" in mine.run("play", "fire S", "--anyway").stdout
    carry(table, mine, "friday-0002-alice.txt")
    told = mine.run("play")
    assert "Sugar Dog, turn 3: your move, alice." in told.stdout
    assert "you: your torpedo to C3, C2." in told.stdout
    # Of her orders that are not with the host it still warns.
    assert (told.exit_code, "OLD" in told.stderr) == (3, False)


def test_an_entry_from_elsewhere_that_came_too_early(table: Table, mine: Table) -> None:
    """Taken in from a folder where nobody looks again, it still makes the board an old one."""
    set_up(table, mine)
    carry(table, mine, "friday-0001-alice.txt")
    hand_in(table, mine, mine.ok("play", "fire S"))
    table.ok("sync", "-g", "friday")
    table.order("bob", "silent")
    table.ok("sync", "-g", "friday")
    assert "OLD BOARD (entry 1)" in mine.run("take", "../friday-0003-alice.txt").stderr
    told = mine.run("status")
    assert (told.exit_code, told.stdout.splitlines()[-1][:19]) == (4, "OLD BOARD (entry 1)")
    assert "OLD BOARD (entry 1)" in mine.fails("gap", "play", "fire S")
    mine.run("take", "../friday-0002-alice.txt")
    assert "turn 3" in mine.ok("status")
    assert "OLD" not in mine.ok("status")


def test_a_file_that_was_taken_in(table: Table, mine: Table) -> None:
    """Who takes it again learns where it went."""
    set_up(table, mine)
    assert "it was taken in, and is 'friday.done/" in mine.fails(
        "missing", "take", "friday-0000.txt"
    )


def test_a_missing_report_hides_no_board(table: Table, mine: Table) -> None:
    """`play` and `show` show what everybody sees, and say what to do; orders go out with the
    protest."""
    set_up(table, mine)
    table.ok("resend", "all", "1", "-g", "friday", "-o", "mine/public.txt")
    missing = "NO REPORT of entry 1: this is what everybody knows. Ask the host: resend 1"
    told = mine.run("play")
    assert (told.exit_code, missing in told.stderr.splitlines()[-1]) == (4, True)
    assert "6 .  .  ." in told.stdout
    told = mine.run("show", "-g", "friday", "--seat", "alice.seat")
    assert (told.exit_code, missing in told.stderr) == (4, True)
    assert "As everybody sees it" in told.stdout
    assert "to the host" in mine.ok("play", "fire S", "--protest", "undelivered")


def test_silence_after_a_deadline(
    table: Table, mine: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing came though the other's time is over: said last, and never that nothing is to do."""
    set_up(table, mine)
    carry(table, mine, "friday-0001-alice.txt")
    hand_in(table, mine, mine.ok("play", "fire S"))
    table.ok("sync", "-g", "friday")
    carry(table, mine, "friday-0002-alice.txt")
    assert "NO NEWS" not in mine.run("play").stderr
    monkeypatch.setattr(turn, "now", lambda: "2099-01-01T00:00:00Z")
    told = mine.run("play")
    last = told.stderr.splitlines()[-1]
    assert told.exit_code == 4
    assert last.startswith("NO NEWS since entry 2, and the time of bob ended ")


def test_two_games_of_one_name(table: Table) -> None:
    """Their orders overwrite nothing: the second one's file has its game's id."""
    (table.root / "other").mkdir()
    table.ok("invite", "sugar-dog", "--key", "host.key", "-o", "other/friday")
    for name in ("alice", "bob"):
        table.run("join", "other/friday-invite.txt", "--name", name, "--key", f"{name}.key",
                  "-o", f"other/{name}")  # fmt: skip
    table.ok("start", "other/alice", "other/bob", "-g", "other/friday")
    table.ok("play", "start C4", "-g", "friday", "--seat", "alice.seat")
    first = (table.root / "friday-alice-0001-1.txt").read_bytes()
    form = table.ok("play", "--form", "-g", "other/friday", "--seat", "other/alice.seat")
    form += "start C5\n"
    told = table.ok(
        "play",
        "--file",
        "-",
        "-g",
        "other/friday",
        "--seat",
        "other/alice.seat",
        given=form.encode(),
    )
    assert told == "Ready: start C5. Send other/friday-alice-0001-1.txt to the host\n"
    assert (table.root / "friday-alice-0001-1.txt").read_bytes() == first
