"""Looking at a record: `show`, `log`, `status` and `bundle`."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

from commands import ALICE

from orders.bundle import decode

Table = Any


def test_status_tells_the_host_whose_orders_are_in(table: Table) -> None:
    """All who are missing, not the first alone; nobody else learns it."""
    out = table.ok("status", "-g", "friday")
    assert re.search(r"missing: alice \(in [23] d.*\), bob \(in [23] d.*\)", out)
    assert "\nin: " not in out
    table.order("alice", "start C4")
    out = table.ok("status", "-g", "friday")
    assert "in: alice (revision 1)\nmissing: bob (in" in out
    told = json.loads(table.ok("status", "-g", "friday", "--json"))
    assert (told["in"], told["missing"]) == ({"alice": 1}, ["bob"])
    (table.root / "friday.host").rename(table.root / "away")
    out = table.ok("status", "-g", "friday")
    assert "missing:" not in out
    assert "alice's and bob's setup, until" in out


def test_status_of_who_is_late(tmp_path: Path, at_commands: Any) -> None:
    """It says by how long they are late."""
    table = at_commands(tmp_path)
    for name in ("host", "alice", "bob"):
        table.key(f"{name}.key")
    option = ("--option", "turn_time=0s")
    table.ok("invite", "sugar-dog", "--key", "host.key", "-o", "friday", *option)
    assert "not begun" in table.ok("status", "-g", "friday")
    assert json.loads(table.ok("status", "-g", "friday", "--json"))["joined"] == []
    for command in (("show",), ("log",), ("resend", "all")):
        assert "the game has not begun" in table.fails("not-yet", *command)
    for name in ("alice", "bob"):
        table.ok("join", "friday-invite.txt", "--name", name, "--key", f"{name}.key")
    table.ok("start", "friday-alice-join.txt", "friday-bob-join.txt", "-g", "friday")
    out = table.ok("status", "-g", "friday")
    assert "missing: alice (" in out
    assert ", bob (" in out


def test_status_tells_a_player_what_they_sent(table: Table) -> None:
    """Each revision, what it says, and its receipt."""
    seat = ("--seat", "alice.seat")
    assert "You have sent nothing yet." in table.ok("status", "-g", "friday", *seat)
    table.order("alice", "start C4")
    told = table.ok("status", "-g", "friday", *seat).splitlines()
    assert told[-2].endswith(": start C4. No receipt yet")
    came = "friday-alice-0001-1-receipt.txt"
    assert told[-1] == f"Here, and not taken in yet: {came}: adjudicator play"
    assert json.loads(table.ok("status", "-g", "friday", *seat, "--json"))["new"] == [came]
    table.ok("take", "friday-alice-0001-1-receipt.txt", "-g", "friday", *seat)
    table.ok("play", "--file", table.orders("alice", "start D4"), *ALICE, "--protest", "time")
    lines = table.ok("status", "-g", "friday", *seat).splitlines()
    assert lines[-2].endswith(": start C4. The host has it")
    assert lines[-1].endswith(": start D4, with a protest: time. No receipt yet")
    sent = json.loads(table.ok("status", "-g", "friday", *seat, "--json"))["sent"]
    assert [(one["revision"], one["orders"], one["receipt"]) for one in sent] == [
        (1, ["start C4"], "accepted"),
        (2, ["start D4"], None),
    ]


def test_a_bundle_is_for_one_reader(table: Table) -> None:
    """It holds that player's report, a stranger's none. A copy has no other player's to give."""
    table.step(alice="start C4", bob="start C1")

    def reports(who: str) -> list[str]:
        said = table.ok("resend", who, "1", "-g", "friday", "-o", "one.txt")
        assert said.startswith("one.txt: ")
        paths = [path for path, _ in decode((table.root / "one.txt").read_bytes()).files]
        assert not [path for path in paths if path.startswith("orders/")]
        return [path for path in paths if path.startswith("reports/")]

    assert reports("all") == []
    assert reports("alice") == ["reports/0001-alice.sealed"]
    table.fails("no-seat", "resend", "carol", "1", "-g", "friday")
    bundles = ("friday-invite.txt", "friday-0000.txt", "friday-0001-alice.txt")
    table.ok("take", *bundles, "-g", "copy", "--seat", "alice.seat")
    error = table.fails("missing", "resend", "bob", "1", "-g", "copy")
    assert "the host's record has every report" in error


def test_bots_read_what_they_may_write(table: Table) -> None:
    """`show --json` with a seat lists every first line; without a seat it lists none."""
    shown = json.loads(table.ok("show", *ALICE, "--json"))
    assert "start C4" in shown["legal"]
    assert json.loads(table.ok("show", "-g", "friday", "--json"))["legal"] == []


def test_show(finished: Table, table: Table) -> None:
    """Own board with a seat, the public one without, all boards after the reveal; pictures."""
    assert "As everybody sees it" in table.ok("show", "-g", "friday")
    table.step(alice="start C4", bob="start C1")
    public = table.ok("show", "-g", "friday")
    assert "As everybody sees it" in public
    assert public.startswith("Sugar Dog, turn 1:\n")
    assert table.ok("show", "1", "-g", "friday").startswith("After entry 1:\n")
    assert " S " not in public
    assert " S " in table.ok("show", "-g", "friday", "--seat", "bob.seat")
    everything = finished.ok("show", "-g", "friday")
    for heading in ("As it was:", "As alice sees it:", "As bob sees it:"):
        assert heading in everything
    assert "S" in everything and " S " in everything
    finished.ok("show", *ALICE, "--svg", "board.svg")
    assert (finished.root / "board.svg").read_text().startswith("<svg")
    whole = finished.ok("show", "2", "-g", "friday", "--svg", "-")
    assert 'id="alice-submarine"' in whole and 'id="bob-submarine"' in whole
    said = finished.ok("show", "-g", "friday", "--svg", "whole.svg")
    assert said == "whole.svg: the board, as it was\n"
    assert "as it was" not in table.ok("show", "-g", "friday", "--svg", "public.svg")
    assert " S " not in finished.ok("show", "0", "-g", "friday", "--as", "bob")
    alone = finished.ok("show", "-g", "friday", "--as", "bob")
    assert "As bob sees it" in alone
    assert "As alice sees it" not in alone
    assert "As it was" not in alone
    said = finished.ok("show", "4", "-g", "friday", "--as", "bob", "--svg", "bob.svg")
    assert said == "bob.svg: the board after entry 4, as bob sees it\n"
    finished.fails("no-board", "show", "-g", "friday", "--as", "carol")
    table.fails("no-board", "show", "-g", "friday", "--as", "bob")
    table.fails("missing", "show", "9", "-g", "friday")
    table.fails("missing", "show", "9", "-g", "friday", "--seat", "bob.seat")
    assert table.run("show", "-1", "-g", "friday").exit_code == 2


def test_a_board_shows_what_was_heard(table: Table) -> None:
    """The echoes of the last ping, which the view does not hold, in text and as a picture."""
    table.step(alice="start C4", bob="start C1")
    table.step(alice="silent")
    table.step(bob="mine")
    table.step(alice="ping")
    assert "e echo of the last ping" in table.ok("show", *ALICE)
    table.ok("show", *ALICE, "--svg", "board.svg")
    assert (table.root / "board.svg").read_text().count("echo of bob's at the last ping") >= 1


def test_a_seats_own_logbook(finished: Table) -> None:
    """`log --seat`: all that the seat was told, step by step; without it what everybody heard."""
    own = finished.ok("log", *ALICE)
    public = finished.ok("log", "-g", "friday")
    assert "Your submarine starts in C4." in own
    assert "Your submarine starts in C1." not in own
    assert "Your submarine starts" not in public
    assert "Contact in C3, by alice." in own
    assert "Contact in C3, by alice." in public
    told = json.loads(finished.ok("log", *ALICE, "--json"))
    assert [chapter["step"] for chapter in told] == list(range(len(told)))


def test_a_logbook_with_a_report_that_did_not_come(finished: Table, tmp_path: Path) -> None:
    """It says so at that entry, and tells what everybody heard."""
    there = type(finished)(tmp_path / "there")
    shutil.copytree(finished.root, there.root)
    (there.root / "friday" / "reports" / "0002-alice.sealed").unlink()
    said = there.ok("log", *ALICE)
    assert said.count("your report is not here") == 1


# `show --deduced`: what a player can work out, below the board.


def test_what_can_be_worked_out_is_shown_to_its_seat(table: Table) -> None:
    """Below the board, and for programs; a stranger has no reports to work it out from."""
    table.step(alice="start C4", bob="start C1")
    table.step(alice="silent")
    table.step(bob="cruise C2")
    seat = ("--seat", "alice.seat")
    out = table.ok("show", "-g", "friday", *seat, "--deduced")
    assert out.index("A  B") < out.index("What alice can work out:\n  bob's submarine: C2\n")
    assert "last turn: Contact in C2, by bob, and no further." in out
    assert "work out" not in table.ok("show", "-g", "friday", *seat)
    before = json.loads(table.ok("show", "2", "-g", "friday", *seat, "--deduced", "--json"))
    assert len(before["deduced"]["may"]["bob's submarine"]) == 36
    assert before["deduced"]["notes"] == []
    wrong = table.run("show", "-g", "friday", "--deduced")
    assert wrong.exit_code == 2
    assert "name your seat with --seat" in wrong.stderr
