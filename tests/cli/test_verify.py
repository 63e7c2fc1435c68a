"""`verify`, also `--against`: what is told, and with which exit code."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from commands import ALICE

from adjudicator.cli.shared import print_findings, shown
from adjudicator.cli.verify import tell
from adjudicator.host import begin
from adjudicator.host.folder import HostFolder
from adjudicator.store.clock import SystemClock
from adjudicator.store.record import Record
from adjudicator.verifier.claims import Finding, Findings
from games import load
from orders.keys import load_signer

Table = Any


def codes(result: Any) -> list[int]:
    """The codes of all records, in the order of their lines."""
    return [json.loads(line)["code"] for line in result.stdout.splitlines()]


def test_verify_exit_codes(finished: Table, table: Table, tmp_path: Path) -> None:
    """0 true, 1 false, 2 unusable, 4 incomplete; of several the gravest: 1, 2, 4, 3, 0."""
    import shutil

    true = finished.root / "friday"
    false = tmp_path / "false"
    shutil.copytree(true, false)
    entry = false / "entries/0003.toml"
    entry.write_bytes(entry.read_bytes().replace(b"step = 3", b"step = 4"))
    incomplete = table.root / "friday"
    empty = tmp_path / "empty"
    empty.mkdir()
    expected = {true: 0, false: 1, empty: 2, incomplete: 4}
    for record, code in expected.items():
        assert finished.run("verify", record).exit_code == code, record
    order = (1, 2, 4, 3, 0)
    for one, first in expected.items():
        for other, second in expected.items():
            gravest = min(first, second, key=order.index)
            assert finished.run("verify", one, other).exit_code == gravest
    jobs = finished.run("verify", true, false, "--jobs", "2", "--json")
    assert jobs.exit_code == 1
    assert codes(jobs) == [0, 1]
    assert finished.run("verify", tmp_path / "nowhere").exit_code == 2


def test_verify_open_protests(table: Table) -> None:
    """Code 3: the record is true, and a player protests."""
    table.step(alice="start C4", bob="start C1")
    name = table.orders("alice", "resign")
    said = table.ok("play", "--file", name, *ALICE, "-y", "--protest", "order")
    table.ok("take", table.sent(said), "-g", "friday")
    table.ok("sync", "-g", "friday")
    result = table.run("verify", "friday")
    assert result.exit_code == 3
    assert "  ! alice protests against entry 1: not the orders that were sent\n" in result.stdout
    assert table.run("play", "--file", name, *ALICE, "--protest", "x").exit_code == 2


def test_verify_with_the_wrong_things(finished: Table, table: Table) -> None:
    """A game of another id, a receipt that is none, no seat: told, never a traceback."""
    wrong = finished.run("verify", "friday", "--id", "0" * 64)
    assert wrong.exit_code == 1
    assert "FALSE: this is not the game that was asked for.\n" in wrong.stdout
    game = json.loads(finished.ok("status", "-g", "friday", "--json"))["game"]
    finished.ok("verify", "friday", "--id", game)
    for arguments in (("--receipt", "friday-0001.txt"), ("--receipt", "none"), ("--seat", "none")):
        assert finished.run("verify", "friday", *arguments).exit_code == 2, arguments
    result = table.run("verify", "friday", "--seat", table.root / "alice.seat")
    assert result.exit_code == 4


def test_verify_damaged_records_with_a_seat(finished: Table, tmp_path: Path) -> None:
    """A false record is false with a seat as without."""
    import shutil

    for path in ("invite.toml", "entries/0000.toml", "entries/0002.toml", "joins/bob.toml"):
        copy = tmp_path / path.replace("/", "-")
        shutil.copytree(finished.root / "friday", copy)
        (copy / path).write_bytes((copy / path).read_bytes()[:-1])
        assert finished.run("verify", copy).exit_code == 1, path
        assert finished.run("verify", copy, "--seat", "alice.seat").exit_code == 1, path


def test_prove_fork(table: Table) -> None:
    """The proof on standard output or in a file; 1 where the two agree."""
    import shutil

    shutil.copytree(table.root / "friday", table.root / "other")
    shutil.copytree(table.root / "friday.host", table.root / "other.host")
    table.fails("no-fork", "verify", "friday", "--against", "other")
    table.step(alice="start C4", bob="start C1")
    table.ok("rule", "-g", "other", "--end", "--reason", "a second history", "-y")
    proof = table.ok("verify", "friday", "--against", "other")
    assert proof.startswith("PROOF: the host SHA256:")
    assert "signed two entries 1" in table.ok(
        "verify", "friday", "--against", "other", "-o", "proof.txt"
    )
    assert (table.root / "proof.txt").read_text() == proof


def test_verify_tells_head_and_engine(finished: Table) -> None:
    """What arbiters quote, and who adjudicated; `--head` demands it."""
    out = finished.ok("verify", "friday", "-v")
    status = json.loads(finished.ok("status", "-g", "friday", "--json"))
    assert f"  head: {status['head']}, entry 5\n" in out
    assert f"  game: {status['game']}, adjudicated by adjudicator " in out
    finished.ok("verify", "friday", "--head", status["head"])
    wrong = finished.run("verify", "friday", "--head", status["game"])
    assert wrong.exit_code == 1
    assert status["head"] in wrong.stdout
    found = json.loads(finished.ok("verify", "friday", "--json"))
    assert (found["head"], found["step"]) == (status["head"], 5)
    assert found["engine"].startswith("adjudicator ")


def test_verify_with_a_seat_of_another_game(finished: Table, table: Table) -> None:
    """Unusable, never false: the record did nothing wrong. Beside its own record it is used."""
    wrong = finished.run("verify", "friday", "--seat", table.root / "alice.seat")
    assert wrong.exit_code == 2
    assert "NOT JUDGED: alice.seat is of another game" in wrong.stdout
    both = finished.run("verify", "friday", table.root / "friday", "--seat", "alice.seat", "--json")
    assert both.exit_code == 4
    assert codes(both) == [0, 4]


def test_verify_details(finished: Table) -> None:
    """`-v` says more, never another verdict."""
    short = finished.ok("verify", "friday", "--seat", "bob.seat")
    long = finished.ok("verify", "friday", "--seat", "bob.seat", "-v")
    title, *_, verdict = short.splitlines()
    assert long.splitlines()[0] == title
    assert long.splitlines()[-1] == verdict
    assert len(long.splitlines()) > len(short.splitlines())
    assert "signatures, each by the key expected" in long


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
    for step in ("0", "5", "9"):
        finished.fails("missing", "verify", "friday", "--explain", step)
    table.fails("not-yet", "verify", "friday", "--explain", "1")
    assert finished.run("verify", "friday", "friday", "--explain", "1").exit_code == 2


def test_several_games_of_one_host(table: Table) -> None:
    """Abandoned ones are counted, also at the next join; one bad record ends no batch."""
    for name in ("monday", "tuesday"):
        table.ok("invite", "sugar-dog", "--key", "host.key", "-o", name)
        (table.root / name[:3]).mkdir()
        for who in ("alice", "bob"):
            join = ("join", f"{name}-invite.txt", "--name", who, "--key", f"{who}.key")
            table.run(*join, "-o", f"{name[:3]}/{who}.txt")
        table.ok("start", f"{name[:3]}/alice.txt", f"{name[:3]}/bob.txt", "-g", name)
    table.ok("rule", "-g", "monday", "--end", "--reason", "I do not like the draw", "-y")
    (table.root / "broken").mkdir()
    (table.root / "broken/invite.toml").write_text("kind = 1\n")
    result = table.run("verify", "monday", "broken", "tuesday")
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert [line.partition(": ")[0] for line in lines[:3]] == ["monday", "broken", "tuesday"]
    told = "has abandoned 1 of 2 games here, 1 of them before the first adjudication: monday"
    assert told in lines[3]
    assert lines[4:] == ["3 records of 2 games: 1 to look at, 1 incomplete, 1 false"]
    result = table.run("verify", "monday", "tuesday", "--json")
    assert len(codes(result)) == 2
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
    table.ok("resend", "all", "invite", "-g", "twin", "-o", "twin.txt")
    (table.root / "there").mkdir()
    join = ("join", "twin.txt", "--name", "alice", "--key", "alice.key", "-o", "there/join.txt")
    result = table.run(*join)
    assert result.exit_code == 0
    assert "friday has the same master" in result.stderr
    assert "friday and twin have one master" in table.run("verify", "friday", "twin").stdout


@pytest.mark.parametrize("game", ["abc", "0" * 63, "g" * 64, "A" * 64, ""])
def test_a_game_or_head_that_is_no_digest_is_a_wrong_call(table: Table, game: str) -> None:
    """2, and never a verdict: a prefix proves nothing."""
    for option in ("--id", "--head"):
        result = table.run("verify", "friday", option, game)
        assert (result.exit_code, result.stdout) == (2, "")
        assert "expected all 64 hex digits" in result.stderr


# What verification found, as it is printed: in full, in a line, for programs.


FOUND = Findings(
    3, "true, with something to look at (1): a draw",
    (Finding("times", "look", "late", ("by 3 d",)),),
    game="a" * 64, head="b" * 64, step=7, engine="adjudicator 1",
    title="High Low, a against b.", marked=("late by 3 d",), reason="a draw",
)  # fmt: skip


def test_all_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    """What is to be looked at, and the verdict last; each claim and its details if asked for."""
    print_findings("friday", FOUND)
    short = capsys.readouterr().out
    assert short.startswith("friday: High Low, a against b.\n  ! late by 3 d\n")
    assert short.endswith("\nTRUE, BUT LOOK (1): a draw.\n")
    print_findings("friday", FOUND, verbose=True)
    full = capsys.readouterr().out
    assert "\n  LOOK times: late\n         by 3 d\n" in full
    assert full.endswith("\nTRUE, BUT LOOK (1): a draw.\n")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("friday", "friday"),
        ("Käse.zip", "Käse.zip"),
        ("a\nTRUE: b won.", "'a\\nTRUE: b won.'"),
        ("\x1b[2J", "'\\x1b[2J'"),
        ("b\u202egpj", "'b\\u202egpj'"),
        ("\udcff.zip", "'\\udcff.zip'"),
    ],
)
def test_a_name_stays_in_its_line(capsys: pytest.CaptureFixture[str], name: str, told: str) -> None:
    """Whatever it holds: no terminal obeys it, no line looks like another's."""
    assert shown(name) == told
    tell(name, FOUND, as_json=False, verbose=False, brief=True)
    assert capsys.readouterr().out == f"{told}: TRUE, BUT LOOK (1): a draw.\n"
    print_findings(name, FOUND)
    assert capsys.readouterr().out.splitlines()[0].startswith(f"{told}: High Low")


def test_programs_get_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """One JSON document, in ASCII, with the name as it is."""
    tell("a\n\udcff", FOUND, as_json=True, verbose=False)
    out = capsys.readouterr().out
    assert out.count("\n") == 1
    assert out.isascii()
    told = json.loads(out)
    assert (told["record"], told["code"], told["step"]) == ("a\n\udcff", 3, 7)
    assert told["claims"][0]["details"] == ["by 3 d"]
