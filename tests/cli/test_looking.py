"""What `status`, `bundle`, `show --json` and `verify` tell besides the story."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

from adjudicator.host import begin
from adjudicator.host.folder import HostFolder
from adjudicator.store import pack
from adjudicator.store.clock import SystemClock
from adjudicator.store.record import Record
from adjudicator.verifier import packing
from games import load
from orders.bundle import decode
from orders.keys import load_signer

Table = Any


def test_status_tells_the_host_whose_orders_are_in(table: Table) -> None:
    """All who are missing, not the first alone; nobody else learns it."""
    out = table.ok("status", "friday")
    assert re.search(r"missing: alice \(in [23] d.*\), bob \(in [23] d.*\)", out)
    assert "\nin: " not in out
    table.order("alice", "start C4")
    out = table.ok("status", "friday")
    assert "in: alice (revision 1)\nmissing: bob (in" in out
    told = json.loads(table.ok("status", "friday", "--json"))
    assert (told["in"], told["missing"]) == ({"alice": 1}, ["bob"])
    (table.root / "friday.host").rename(table.root / "away")
    out = table.ok("status", "friday")
    assert "missing:" not in out
    assert "awaited: alice" in out


def test_status_of_who_is_late(tmp_path: Path, at_commands: Any) -> None:
    """By how long."""
    table = at_commands(tmp_path)
    for name in ("host", "alice", "bob"):
        table.ok("keygen", f"{name}.key")
    option = ("--option", "turn_time=0s")
    table.ok("invite", "sugar-dog", "--key", "host.key", "-o", "friday", *option)
    assert "not begun" in table.ok("status", "friday")
    assert json.loads(table.ok("status", "friday", "--json"))["joined"] == []
    for command in (("show", "friday"), ("log", "friday"), ("bundle", "friday"),
                    ("advance", "friday")):  # fmt: skip
        assert "the game has not begun" in table.fails("not-yet", *command)
    for name in ("alice", "bob"):
        table.ok("join", "friday-invite.txt", "--name", name, "--key", f"{name}.key")
    table.ok("start", "friday", "alice-join.txt", "bob-join.txt")
    out = table.ok("status", "friday")
    assert "missing: alice (" in out
    assert ", bob (" in out


def test_status_tells_a_player_what_they_sent(table: Table) -> None:
    """Each revision, what it says, and its receipt."""
    seat = ("--seat", "alice.seat")
    assert "you have sent nothing yet" in table.ok("status", "friday", *seat)
    table.order("alice", "start C4")
    assert table.ok("status", "friday", *seat).endswith(": start C4; no receipt yet\n")
    table.ok("receive", "friday", "alice-0001-1-receipt.txt", *seat)
    table.ok("order", "friday", table.orders("alice", "start D4"), *seat, "--protest", "time")
    lines = table.ok("status", "friday", *seat).splitlines()
    assert lines[-2].endswith(": start C4; accepted")
    assert lines[-1].endswith(": start D4, with a protest: time; no receipt yet")
    sent = json.loads(table.ok("status", "friday", *seat, "--json"))["sent"]
    assert [(one["revision"], one["orders"], one["receipt"]) for one in sent] == [
        (1, ["start C4"], "accepted"),
        (2, ["start D4"], None),
    ]


def test_a_bundle_is_for_one_reader(table: Table) -> None:
    """A player's own report and nobody else's; a stranger gets none; a copy has no more."""
    table.step(alice="start C4", bob="start C1")

    def reports(*arguments: str) -> list[str]:
        said = table.ok("bundle", "friday", "1", *arguments, "-o", "one.txt")
        assert said.startswith("one.txt: ")
        paths = [path for path, _ in decode((table.root / "one.txt").read_bytes()).files]
        assert not [path for path in paths if path.startswith("orders/")]
        return [path for path in paths if path.startswith("reports/")]

    assert reports() == []
    assert reports("--for", "alice") == ["reports/0001-alice.sealed"]
    table.fails("no-seat", "bundle", "friday", "1", "--for", "carol")
    bundles = ("friday-invite.txt", "friday-0000.txt", "friday-0001-alice.txt")
    table.ok("receive", "copy", *bundles, "--seat", "alice.seat")
    error = table.fails("missing", "bundle", "copy", "1", "--for", "bob")
    assert "the host's record has every report" in error


def test_bots_read_what_they_may_write(table: Table) -> None:
    """`show --json` with a seat lists every first line; nobody else has any."""
    shown = json.loads(table.ok("show", "friday", "--seat", "alice.seat", "--json"))
    assert "start C4" in shown["legal"]
    assert json.loads(table.ok("show", "friday", "--json"))["legal"] == []


def test_verify_tells_head_and_engine(finished: Table) -> None:
    """What arbiters quote, and who adjudicated; `--head` demands it."""
    out = finished.ok("verify", "friday")
    status = json.loads(finished.ok("status", "friday", "--json"))
    assert f"  head: {status['head']}, entry 5\n" in out
    assert "adjudicated by adjudicator " in out.splitlines()[0]
    finished.ok("verify", "friday", "--head", status["head"])
    wrong = finished.run("verify", "friday", "--head", status["game"])
    assert wrong.exit_code == 1
    found = json.loads(finished.ok("verify", "friday", "--json"))[0]
    assert (found["head"], found["step"]) == (status["head"], 5)
    assert found["engine"].startswith("adjudicator ")


def test_verify_with_a_seat_of_another_game(finished: Table, table: Table) -> None:
    """Unusable, never false: the record did nothing wrong. Beside its own record it is used."""
    wrong = finished.run("verify", "friday", "--seat", table.root / "alice.seat")
    assert wrong.exit_code == 2
    assert "the seat is for another invite" in wrong.stdout
    both = finished.run("verify", "friday", table.root / "friday", "--seat", "alice.seat", "--json")
    assert both.exit_code == 4
    assert [one["code"] for one in json.loads(both.stdout)] == [0, 4]


def test_verify_details(finished: Table) -> None:
    """`-v` says more, never another verdict."""
    short = finished.ok("verify", "friday", "--seat", "bob.seat")
    long = finished.ok("verify", "friday", "--seat", "bob.seat", "-v")
    assert set(short.splitlines()) < set(long.splitlines())
    assert "of bob lie here, open, and fit their entries" in long


def test_explain_a_step(finished: Table, table: Table) -> None:
    """State and every report as they are reckoned again, with the digests that the entry names."""
    out = finished.ok("verify", "friday", "--explain", "2")
    entry = (finished.root / "friday/entries/0002.toml").read_text()
    digests = [line.split(", ")[1].rstrip(":") for line in out.splitlines() if ", " in line[:40]]
    assert len(digests) == 3
    assert all(digest in entry for digest in digests)
    assert out.endswith("the entry says the same\n")
    told = json.loads(finished.ok("verify", "friday", "--explain", "2", "--json"))
    assert json.loads(told["files"]["state"])["position"]["alice"]["sub"] == "C4"
    assert told["differs"] is None
    for step in ("0", "5", "9", "-1"):
        finished.fails("missing", "verify", "friday", "--explain", step)
    table.fails("not-yet", "verify", "friday", "--explain", "1")
    assert finished.run("verify", "friday", "friday", "--explain", "1").exit_code == 2


def test_a_pack_is_looked_at_as_a_folder(finished: Table) -> None:
    """`verify`, `show`, `log` and `status` take one file as they take the folder."""
    record = Record(finished.root / "friday")
    (finished.root / "friday.zip").write_bytes(pack.write(packing.kept(record)))
    for command in ("show", "log"):
        assert finished.ok(command, "friday.zip") == finished.ok(command, "friday")
    assert "over: alice won" in finished.ok("status", "friday.zip")
    assert "verdict: true: alice won" in finished.ok("verify", "friday.zip")
    (finished.root / "torn.zip").write_bytes(b"PK\3\4" + b"\0" * 40)
    finished.fails("bad-pack", "log", "torn.zip")
    assert finished.run("verify", "torn.zip", "friday.zip").exit_code == 2


def test_several_games_of_one_host(table: Table) -> None:
    """Abandoned ones are counted, also at the next join; one bad record ends no batch."""
    for name in ("monday", "tuesday"):
        table.ok("invite", "sugar-dog", "--key", "host.key", "-o", name)
        (table.root / name[:3]).mkdir()
        for who in ("alice", "bob"):
            join = ("join", f"{name}-invite.txt", "--name", who, "--key", f"{who}.key")
            table.run(*join, "-o", f"{name[:3]}/{who}.txt")
        table.ok("start", name, f"{name[:3]}/alice.txt", f"{name[:3]}/bob.txt")
    table.ok("rule", "monday", "--abandon", "--reason", "I do not like the draw")
    (table.root / "broken").mkdir()
    (table.root / "broken/invite.toml").write_text("kind = 1\n")
    result = table.run("verify", "monday", "broken", "tuesday")
    assert result.exit_code == 1
    assert result.stdout.count("verdict: ") == 3
    told = "has abandoned 1 of 2 games here, 1 of them before the first adjudication: monday"
    assert told in result.stdout.splitlines()[-1]
    result = table.run("verify", "monday", "tuesday", "--json")
    assert len(json.loads(result.stdout)) == 2
    assert told in result.stderr
    table.ok("invite", "sugar-dog", "--key", "host.key", "-o", "wednesday")
    (table.root / "wed").mkdir()
    join = ("join", "wednesday-invite.txt", "--name", "alice", "--key", "alice.key")
    result = table.run(*join, "-o", "wed/join.txt")
    assert result.exit_code == 0
    assert "has abandoned 1 of 3 games here" in result.stderr


def test_one_master_in_two_invites(table: Table) -> None:
    """The reveal of one would open the other: told at the join, and by `verify A B`."""
    table.ok("invite", "sugar-dog", "--key", "host.key", "-o", "twin")
    shutil.rmtree(table.root / "twin")
    shutil.rmtree(table.root / "twin.host")
    master = bytes.fromhex(HostFolder(table.root / "friday.host").master().hex)
    secrets = begin.Secrets(master, b"\5" * 32)
    key = table.root / "host.key"
    offered = begin.invite(
        Record(table.root / "twin"), begin.Terms(load("sugar-dog"), {}), load_signer(key, None),
        key, secrets, SystemClock(),
    )  # fmt: skip
    assert offered.kind == "invite"
    table.ok("bundle", "twin", "invite", "-o", "twin.txt")
    (table.root / "there").mkdir()
    join = ("join", "twin.txt", "--name", "alice", "--key", "alice.key", "-o", "there/join.txt")
    result = table.run(*join)
    assert result.exit_code == 0
    assert "friday has the same master" in result.stderr
    assert "friday and twin have one master" in table.run("verify", "friday", "twin").stdout


def test_a_seats_own_logbook(finished: Table) -> None:
    """`log --seat`: all that the seat was told, step by step; without it what everybody heard."""
    own = finished.ok("log", "friday", "--seat", "alice.seat")
    public = finished.ok("log", "friday")
    assert "Your submarine starts in C4." in own
    assert "Your submarine starts in C1." not in own
    assert "Your submarine starts" not in public
    assert "Contact in C3, by alice." in own
    assert "Contact in C3, by alice." in public
    told = json.loads(finished.ok("log", "friday", "--seat", "alice.seat", "--json"))
    assert [chapter["step"] for chapter in told] == list(range(len(told)))


def test_a_logbook_with_a_report_that_did_not_come(finished: Table, tmp_path: Path) -> None:
    """It says so at that entry, and tells what everybody heard."""
    there = type(finished)(tmp_path / "there")
    shutil.copytree(finished.root, there.root)
    (there.root / "friday" / "reports" / "0002-alice.sealed").unlink()
    said = there.ok("log", "friday", "--seat", "alice.seat")
    assert said.count("your report is not here") == 1


def test_a_demo_shows_its_boards_when_asked(finished: Table) -> None:
    """The story alone, with the board at its end; with --boards every one."""
    story = finished.ok("demo", "sugar-dog", "--seed", "07")
    boards = finished.ok("demo", "sugar-dog", "--seed", "07", "--boards")
    rule = "A   B   C   D   E   F"
    assert story.count(rule) == 1
    assert boards.count(rule) > 3
    assert [line for line in boards.splitlines() if line.startswith("[")] == [
        line for line in story.splitlines() if line.startswith("[")
    ]
