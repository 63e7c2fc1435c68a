"""`play`: one's own turn in one command, by files."""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from commands import ALICE

from adjudicator.cli import cli, prompt, shared
from adjudicator.store import files

Table = Any


def set_up(table: Table, mine: Table) -> None:
    """Both choose where they start, Alice by `play`; the host goes on."""
    table.give("friday-0000.txt", mine)
    table.taken(mine.ok("play", "start C4"), mine)
    table.order("bob", "start C1")
    table.ok("sync", "-g", "friday")


def test_an_end_with_nothing_hidden(finished: Table) -> None:
    """Who won and why, where everybody was, the verdict, which is the exit code."""
    said = finished.ok("play", *ALICE).splitlines()
    assert said[0] == "You won. Your torpedo hit bob in C1."
    assert said[1].startswith("6 . ")
    assert "1 alice: submarine in C4" in "\n".join(said)
    assert said[-2:] == [
        "Checked: alice won, and nothing was changed.",
        "replay: adjudicator replay -g friday",
    ]
    assert len(said) < 24


def test_a_turn_in_one_command(table: Table, mine: Table) -> None:
    """Fetch, news, board, choices; orders sealed and signed; what came of them."""
    assert mine.ok("play") == "friday: joined as alice. The host has not begun.\n"
    table.give("friday-0000.txt", mine)
    said = mine.ok("play")
    assert re.match(r"Sugar Dog: you are alice, against bob\. +until \S+ .*, (3 d|2 d 23 h)", said)
    assert "Goal: be the last submarine afloat." in said
    assert "start A1 ... F6" in said
    sent = mine.ok("play", "start c4")
    assert sent == "Ready: start c4.\nSend friday-alice-0001-1.txt to the host\n"
    assert "start c4. No receipt yet" in mine.ok("play")
    again = mine.ok("play", "start", "C5")
    assert again == "Ready: start C5.\nSend friday-alice-0001-2.txt to the host\n"


def test_receipts_and_entries_are_fetched(table: Table, mine: Table) -> None:
    """Once each, in whatever order they lie there; then the next turn."""
    set_up(table, mine)
    for path in sorted(table.root.glob("*.txt")):
        if path.name.startswith(("friday-0001-alice", "friday-alice-0001-1-receipt")):
            table.give(path.name, mine)
    said = mine.ok("play")
    assert "Sugar Dog, turn 1: your move, alice." in said
    assert "Your submarine starts in C4." in said
    # But for the title, in which time runs.
    assert mine.ok("play").partition("\n")[2] == said.partition("\n")[2]
    table.give("friday-0001-bob.txt", mine)
    assert mine.ok("play").partition("\n")[2] == said.partition("\n")[2]
    assert not (mine.root / "friday-0001-bob.txt").exists()


def test_one_bad_file_delays_nothing_but_itself(table: Table, mine: Table) -> None:
    """A damaged bundle is named; what can be taken in is."""
    table.give("friday-0000.txt", mine)
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
    table.give("friday-0000.txt", mine)

    def reads(revisions: int) -> int:
        for _ in range(revisions):
            said = mine.ok("play", "start C4")
            table.taken(said, mine)
            sent = table.sent(said)
            table.give(f"{Path(sent).stem}-receipt.txt", mine)
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
    table.give("friday-0000.txt", mine)
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
    assert "alice: taken" in table.taken(mine.ok("play", "start C5"), mine)


def test_an_entry_that_came_too_early(table: Table, mine: Table) -> None:
    """It waits, and is taken in together with the one before it once that lies there."""
    set_up(table, mine)
    later = type(table)(table.root / "later")
    later.root.mkdir()
    later.ok("take", "../friday-invite.txt", "-g", "friday")
    (mine.root / "alice.seat").rename(later.root / "alice.seat")
    (later.root / "alice.seat" / "mark").unlink()
    table.give("friday-0001-alice.txt", later)
    told = later.run("play")
    assert (told.exit_code, "The host has not begun" in told.stdout) == (4, True)
    assert told.stderr == (
        "warning: 'friday-0001-alice.txt': it is of another game, or the first file of friday is "
        "not here yet; ask the host for friday-0000.txt\n"
    )
    table.give("friday-0000.txt", later)
    assert "Sugar Dog, turn 1" in later.ok("play")


def test_orders_are_asked_for_at_a_terminal(
    table: Table, mine: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If none are given, it asks for them below the board. A line is planned, and kept if its
    author leaves; an empty line sends the plan."""
    table.give("friday-0000.txt", mine)
    for module in (shared, prompt):
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
    table.give("friday-0000.txt", mine)
    monkeypatch.setenv("EDITOR", "true")
    assert "nothing was written, so no orders are sent" in mine.ok("play", "--edit")
    monkeypatch.setenv("EDITOR", "sed -i '$ a start Z9'")
    assert "'start Z9'" in mine.fails("illegal", "play", "--edit")
    form = mine.root / "friday-0001-orders.txt"
    assert "start Z9" in form.read_text()
    monkeypatch.setenv("EDITOR", "sed -i 's/start Z9/start C4/'")
    assert "Ready: start C4." in mine.ok("play", "--edit")
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
    table.give("friday-0000.txt", mine)
    said = mine.ok("play", "hint")
    hint, _, why = said.partition("hint: ")[2].partition(":")
    assert hint.startswith("start ")
    assert why.split("; ")[0].strip() == "nobody has heard anything yet"
    for_programs = json.loads(mine.ok("play", "hint", "--json"))
    assert for_programs["orders"] == hint
    assert for_programs["equal"] is True
    assert f" as good: {for_programs['other']}" in " ".join(why.split())
    mine.ok("play", hint)
    assert mine.run("play", "--json").exit_code == 2
    assert mine.run("play", "silent", "--json").exit_code == 2


def test_several_games_in_a_folder(table: Table, mine: Table) -> None:
    """They are listed, and none is guessed; -g or --seat names one."""
    table.give("friday-0000.txt", mine)
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


def test_an_entry_from_elsewhere_that_came_too_early(table: Table, mine: Table) -> None:
    """Taken in from a folder where nobody looks again, it still makes the board an old one."""
    set_up(table, mine)
    table.give("friday-0001-alice.txt", mine)
    table.taken(mine.ok("play", "fire S"), mine)
    table.ok("sync", "-g", "friday")
    table.order("bob", "silent")
    table.ok("sync", "-g", "friday")
    assert "OLD BOARD (entry 1)" in mine.run("take", "../friday-0003-alice.txt").stderr
    told = mine.run("status")
    assert (told.exit_code, told.stdout.splitlines()[-1][:19]) == (4, "OLD BOARD (entry 1)")
    assert "OLD BOARD (entry 1)" in mine.fails("gap", "play", "fire S")
    assert not (mine.root / "friday-alice-0002-2.txt").exists()
    assert "friday-alice-0002-2.txt to the host" in mine.run("play", "fire S", "--anyway").stdout
    mine.run("take", "../friday-0002-alice.txt")
    assert "turn 3" in mine.ok("status")
    assert "OLD" not in mine.ok("status")


def test_one_beside_the_copy_and_one_from_elsewhere(table: Table, mine: Table) -> None:
    """Taken in by one call: what came from elsewhere is kept, whatever was named before it."""
    set_up(table, mine)
    table.give("friday-0001-alice.txt", mine)
    table.taken(mine.ok("play", "silent"), mine)
    table.ok("sync", "-g", "friday")
    table.order("bob", "silent")
    table.ok("sync", "-g", "friday")
    table.give("friday-0001-alice.txt", mine)
    told = mine.run("take", "friday-0001-alice.txt", "../friday-0003-alice.txt")
    assert "OLD BOARD (entry 1)" in told.stderr
    assert mine.run("status").stdout.splitlines()[-1].startswith("OLD BOARD (entry 1): entry 3 ")


def test_an_entry_before_the_first(table: Table, mine: Table) -> None:
    """It may be of this game, which only its first file can tell: by that it is taken in too."""
    set_up(table, mine)
    for path in (*mine.root.glob("friday*"), mine.root / "alice.seat"):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    mine.ok("join", "../friday-invite.txt", "--watch")
    for name in ("friday-0000.txt", "friday-0001-alice.txt"):
        table.give(name, mine)
    told = mine.run("take", "friday-0001-alice.txt")
    assert (told.exit_code, told.stderr) == (
        4, "error: 'friday-0001-alice.txt': it is of another game, or the first file of friday is "
        "not here yet [gap]\nhint: ask the host for friday-0000.txt\n"
    )  # fmt: skip
    told = mine.ok("take", "friday-0000.txt", "friday-0001-alice.txt")
    assert told.startswith("entry 0 taken in\nentry 1 taken in\n")


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
    told = mine.run("show", *ALICE)
    assert (told.exit_code, missing in told.stderr) == (4, True)
    assert "As everybody sees it" in told.stdout
    assert "to the host" in mine.ok("play", "fire S", "--protest", "undelivered")


def test_a_missing_report_of_a_game_that_is_over(table: Table, mine: Table) -> None:
    """It is told once, and no protest is asked for, as nobody orders any more."""
    set_up(table, mine)
    table.give("friday-0001-alice.txt", mine)
    table.taken(mine.ok("play", "resign", "-y"), mine)
    table.ok("sync", "-g", "friday")
    for step in (2, 3):
        table.ok("resend", "all", str(step), "-g", "friday", "-o", f"mine/{step}.txt")
    told = mine.run("take", "2.txt", "3.txt")
    assert (told.exit_code, told.stderr.splitlines()[-1:]) == (
        4, ["NO REPORT of entry 2: this is what everybody knows. Ask the host: resend 2"]
    )  # fmt: skip
    assert "entry 2" not in "".join(told.stderr.splitlines()[:-1])


def test_who_looks_on_takes_a_players_file(table: Table, mine: Table) -> None:
    """The entry in it is everybody's."""
    set_up(table, mine)
    for path in (*mine.root.glob("friday*"), mine.root / "alice.seat"):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    mine.ok("join", "../friday-invite.txt", "--watch")
    for name in ("friday-0000.txt", "friday-0001-bob.txt"):
        table.give(name, mine)
    assert "entry 1 taken in\n" in mine.ok("sync")
    assert not (mine.root / "friday-0001-bob.txt").exists()


def test_two_games_of_one_name(table: Table) -> None:
    """Their orders overwrite nothing: the second one's file has its game's id."""
    (table.root / "other").mkdir()
    table.ok("invite", "sugar-dog", "--key", "host.key", "-o", "other/friday")
    for name in ("alice", "bob"):
        table.run("join", "other/friday-invite.txt", "--name", name, "--key", f"{name}.key",
                  "-o", f"other/{name}")  # fmt: skip
    table.ok("start", "other/alice", "other/bob", "-g", "other/friday")
    table.ok("play", "start C4", *ALICE)
    first = (table.root / "friday-alice-0001-1.txt").read_bytes()
    form = table.ok("play", "--form", "-g", "other/friday", "--seat", "other/alice.seat")
    form += "start C5\n"
    other = ("-g", "other/friday", "--seat", "other/alice.seat")
    told = table.ok("play", "--file", "-", *other, given=form.encode())
    assert told == "Ready: start C5.\nSend other/friday-alice-0001-1.txt to the host\n"
    assert (table.root / "friday-alice-0001-1.txt").read_bytes() == first


def test_check_tells_what_is_wrong(table: Table) -> None:
    """The line as it was written, what was expected, and nothing is written anywhere."""
    good = table.orders("alice", "start C4")
    assert table.ok("play", "--check", "--file", good, *ALICE) == (
        "ok: orders of alice for step 1\n  start C4\n"
    )
    bad = table.orders("alice", "# my start\nstart Z9")
    error = table.fails("illegal", "play", "--check", "--file", bad, *ALICE)
    lines = (table.root / bad).read_text().split("\n")
    place = lines.index("start Z9") + 1
    assert f"line {place}: 'start Z9': Z9 is not on the map" in error
    malformed = table.orders("alice", "strat C4")
    error = table.fails("malformed", "play", "--file", malformed, *ALICE)
    assert "hint: start" in error or "start" in error
    assert not (table.root / "alice.seat/orders").exists()


def test_receive_keeps_receipts_and_tells_the_news(table: Table) -> None:
    """With a seat: its receipts, its own news, whose turn it is."""
    table.order("alice", "start C4")
    copied = table.ok("take", "friday-alice-0001-1-receipt.txt", *ALICE)
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
    """Nothing is signed without a yes, which a pipe gives by -y."""
    table.step(alice="start C4", bob="start C1")
    form = table.orders("alice", "resign  # good bye")
    order = ("play", "--file", form, *ALICE)
    refused = table.run(*order)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "you resign: the game is over for you. Really? Nobody is here" in refused.stderr
    assert not (table.root / "alice.seat/orders/0002-1.txt").exists()
    monkeypatch.setattr(shared, "is_terminal", lambda: True)
    result = table.run(*order, given=answer.encode())
    assert "You resign" in result.stderr
    signed = (table.root / "alice.seat/orders/0002-1.txt").exists()
    assert signed == (answer == "y\n") == (result.exit_code == 0)
    monkeypatch.setattr(shared, "is_terminal", lambda: False)
    table.ok(*order, "-y")


def test_who_resigns_at_the_prompt_is_asked_once(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line, a yes, and the orders are signed."""
    table.step(alice="start C4", bob="start C1")
    for module in (shared, prompt):
        monkeypatch.setattr(module, "is_terminal", lambda: True)
    result = table.run("play", *ALICE, given=b"resign\ny\n")
    assert (result.exit_code, result.output.count("Really?")) == (0, 1)
    assert (table.root / "alice.seat/orders/0002-1.txt").exists()


def test_two_commands_on_one_seat(table: Table) -> None:
    """`template | order` reads while another writes; two orders at once never share a revision."""
    form = table.orders("alice", "start C4")
    seat = table.root / "alice.seat"
    (seat / "mark").unlink()
    with files.locked(seat):
        assert "start C4" in table.ok("play", "--form", *ALICE)
        table.fails("busy", "play", "--file", form, *ALICE)
    assert not (seat / "orders").exists()
    table.ok("play", "--file", form, *ALICE)


def test_a_form_is_never_replaced_by_what_is_made_of_it(table: Table) -> None:
    """`order f.toml -o f.toml`: the form stays as it was, nothing is signed."""
    form = table.orders("alice", "start C4")
    text = (table.root / form).read_text()
    table.fails("exists", "play", "--file", form, *ALICE, "-o", form)
    assert (table.root / form).read_text() == text
    assert not (table.root / "alice.seat/orders").exists()
