"""Who may sit down, and a seat that changes hands: tokens, consent and the ruling, by commands."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from adjudicator.core.ledger import Ledger
from adjudicator.player import seated
from adjudicator.store.record import Record
from orders.bundle import decode, encode
from orders.keys import load_signer

Table = Any


@pytest.fixture
def reserved(tmp_path: Path, at_commands: Any) -> Table:
    """An offer of a game whose seats are reserved, with everybody's key."""
    table = at_commands(tmp_path)
    for name in ("host", "alice", "bob", "mallory"):
        table.key(f"{name}.key")
    said = table.ok("invite", "sugar-dog", "--key", "host.key", "-o", "friday", "--reserved",
                    "--address", "carl@example.org")  # fmt: skip
    assert "adjudicator invite --more NAME" in said
    assert 'mail = "carl@example.org"' in (table.root / "friday/invite.toml").read_text()
    return table


def join(table: Table, name: str, *more: str, key: str = "") -> tuple[str, ...]:
    return ("join", "friday-invite.txt", "--name", name, "--key", f"{key or name}.key", *more)


def token(table: Table, whom: str) -> str:
    return str(table.ok("invite", "--more", whom, "-g", "friday")).partition(":")[0]


def test_reserved_seats_take_tokens(reserved: Table) -> None:
    """Nobody sits down without one, with a made-up one, or with somebody else's."""
    table = reserved
    tokens = {name: token(table, name) for name in ("alice", "bob")}
    assert tokens["alice"] != tokens["bob"]
    assert "--token" in table.fails("no-seat", *join(table, "mallory"))
    table.fails("malformed", *join(table, "mallory", "--token", "1234"))
    made_up = ("--token", "0" * 32, "--address", "m@example.org", "-o", "friday-mallory-join.txt")
    table.ok(*join(table, "mallory", *made_up))
    for name, value in tokens.items():
        said = table.ok(*join(table, name, "--token", value))
        assert "without --address the host cannot send you mails" in said
    error = table.fails(
        "no-seat", "start", "friday-alice-join.txt", "friday-mallory-join.txt", "-g", "friday"
    )
    assert "brings no token of the host's" in error
    table.ok("start", "friday-alice-join.txt", "friday-bob-join.txt", "-g", "friday")
    for path in (table.root / "friday").rglob("*"):
        if path.is_file():
            assert all(value.encode() not in path.read_bytes() for value in tokens.values())
    said = table.ok("invite", "--more", "erin", "-g", "friday")
    assert "they join under the name of the seat, and you hand it on" in said


def test_an_address_is_checked(reserved: Table) -> None:
    """Before a seat is made."""
    table = reserved
    given = join(table, "alice", "--token", "0" * 32, "--address", "no address")
    table.fails("malformed", *given)
    assert not (table.root / "alice.seat").exists()
    call = ("invite", "sugar-dog", "--key", "host.key", "-o", "x", "--address", "nowhere")
    table.fails("malformed", *call)


def test_a_token_is_for_one_seat(reserved: Table) -> None:
    """Passing it on invites nobody: the host made one for each seat."""
    table, value = reserved, token(reserved, "alice")
    for name in ("alice", "bob"):
        table.ok(*join(table, name, "--token", value))
    error = table.fails(
        "no-seat", "start", "friday-alice-join.txt", "friday-bob-join.txt", "-g", "friday"
    )
    assert "alice has joined with this token already" in error


def test_tokens_are_for_reserved_games(table: Table) -> None:
    """Other games need none, and only the host makes them."""
    assert "not reserved" in table.fails("bad-option", "invite", "--more", "carol", "-g", "friday")
    (table.root / "friday.host").rename(table.root / "away")
    table.fails("no-host", "invite", "--more", "carol", "-g", "friday")


def test_consent_is_for_ones_own_seat(table: Table) -> None:
    """Bob cannot agree for Alice, nor Alice for herself; a consent by another key does not hold."""
    table.step(alice="start C4", bob="start C1")
    table.key("dora.key")
    (table.root / "dora").mkdir()
    new = ("join", "friday-invite.txt", "--name", "alice", "--key", "dora.key")
    table.ok(*new, "-o", "dora/join.txt")
    table.fails("no-seat", "consent", "dora/join.txt", "-g", "friday", "--seat", "bob.seat")
    own = ("consent", "friday-alice-join.txt", "-g", "friday", "--seat", "alice.seat")
    assert "'friday-alice-join.txt': it is your own join" in table.fails("no-seat", *own)
    ledger = Ledger.read(Record(table.root / "friday"))
    key = load_signer(table.root / "bob.key", None)
    forged = seated.consent(ledger, key, decode((table.root / "dora/join.txt").read_bytes()))
    (table.root / "forged.txt").write_bytes(encode(forged))
    rule = ("rule", "-yg", "friday", "--hand-on", "dora/join.txt", "--reason", "x", "--consent")
    table.fails("bad-signature", *rule, "forged.txt")
    error = table.fails("bad-bundle", *rule, "dora/join.txt")
    assert "'dora/join.txt' holds a join: name a file with a consent" in error
    error = table.fails("bad-bundle", "take", "forged.txt", "-g", "friday")
    assert "counts by the host's ruling alone" in error
    assert not (table.root / "friday/entries/0002.toml").exists()
    assert not list((table.root / "friday").glob("seats/*"))


def test_no_seat_changes_hands_before_the_first_adjudication(table: Table) -> None:
    """Until then a game can be begun anew."""
    (table.root / "dora").mkdir()
    table.key("dora.key")
    new = ("join", "friday-invite.txt", "--name", "alice", "--key", "dora.key")
    table.ok(*new, "-o", "dora/join.txt")
    rule = ("rule", "-y", "-g", "friday", "--hand-on", "dora/join.txt", "--reason", "x")
    assert "before the first step is played" in table.fails("chain", *rule)


def test_who_asks_for_a_taken_seat_needs_no_key_of_the_hosts(table: Table) -> None:
    """Nothing is signed as such a join comes: the host is told how to hand the seat on."""
    (table.root / "dora").mkdir()
    table.key("dora.key")
    new = ("join", "friday-invite.txt", "--name", "alice", "--key", "dora.key")
    table.ok(*new, "-o", "dora/join.txt")
    (table.root / "host.key").unlink()
    assert table.ok("take", "dora/join.txt", "-g", "friday") == (
        "dora/join.txt asks for the seat of alice: adjudicator rule --hand-on dora/join.txt "
        "--reason ...\n"
    )


def test_a_join_of_who_sits_there_asks_for_nothing(table: Table) -> None:
    """It comes again: of who began, or has the seat since. Nobody is counted any more."""
    table.step(alice="start C4", bob="start C1")
    (table.root / "dora").mkdir()
    table.key("dora.key")
    new = ("join", "friday-invite.txt", "--name", "alice", "--key", "dora.key")
    table.ok(*new, "-o", "dora/join.txt")
    table.ok("rule", "-g", "friday", "--hand-on", "dora/join.txt", "--reason", "x", "-y")
    for path, name in (("dora/join.txt", "alice"), ("friday-bob-join.txt", "bob")):
        said = table.ok("take", path, "-g", "friday")
        assert re.fullmatch(rf"{name} joined, SHA256:\S+\n", said)


def test_two_games_in_one_folder(table: Table) -> None:
    """One's name is free in every game: the second seat lies beside the first, and is found."""
    table.ok("invite", "sugar-dog", "--key", "host.key", "-o", "sunday")
    before = (table.root / "alice.seat" / "seat.toml").read_text()
    joining = ("join", "sunday-invite.txt", "--name", "alice", "--key", "alice.key")
    said = table.run(*joining)
    assert "sunday-alice-join.txt: your join: send it to the host" in said.stdout
    seat = said.stdout.partition(": your private seat")[0].splitlines()[-1]
    assert seat == "sunday-alice.seat"
    assert (table.root / seat / "seat.toml").is_file()
    assert (table.root / "alice.seat" / "seat.toml").read_text() == before
    # Joining the same game again: its seat is there already.
    table.fails("exists", *joining)


def test_orders_for_the_other_game(table: Table) -> None:
    """They are told so, with the line to copy, and get no receipt; the right game takes them."""
    table.ok("invite", "sugar-dog", "--key", "host.key", "-o", "sunday")
    for name in ("alice", "bob"):
        table.run("join", "sunday-invite.txt", "--name", name, "--key", f"{name}.key")
    table.ok("start", "sunday-alice-join.txt", "sunday-bob-join.txt", "-g", "sunday")
    table.run("play", "start C4", "-g", "sunday", "--seat", "sunday-alice.seat")
    told = table.run("take", "sunday-alice-0001-1.txt", "-g", "friday")
    assert told.exit_code == 3
    assert told.stderr == (
        "OTHER GAME: 'sunday-alice-0001-1.txt' is for sunday, not for friday: not taken in. "
        "adjudicator take sunday-alice-0001-1.txt -g sunday\n"
    )
    assert not list(table.root.glob("*receipt*"))
    assert "alice: taken" in table.ok("take", "sunday-alice-0001-1.txt")


def test_a_seat_of_a_reserved_game_changes_hands(reserved: Table) -> None:
    """As the page for hosts says; a made-up token, none, and that of the player who leaves take
    nobody's seat."""
    table = reserved
    tokens = {name: token(table, name) for name in ("alice", "bob")}
    for name, value in tokens.items():
        table.ok(*join(table, name, "--token", value))
    table.ok("start", "friday-alice-join.txt", "friday-bob-join.txt", "-g", "friday")
    for name, line in (("alice", "start C4"), ("bob", "start F6")):
        table.order(name, line)
    table.ok("sync", "-g", "friday")
    tokens["erin"] = token(table, "erin")
    made_up = {"made-up": "0" * 32, "old": tokens["alice"], "erin": tokens["erin"]}
    for who, value in made_up.items():
        (table.root / who).mkdir()
        out = f"{who}/join.txt"
        table.ok(*join(table, "alice", "--token", value, key="mallory"), "-o", out)
        rule = ("rule", "-g", "friday", "--hand-on", out, "--reason", "Alice left", "-y")
        if who == "erin":
            assert "alice did not sign that" in table.ok(*rule)
        else:
            table.fails("no-seat", *rule)
            assert not (table.root / "friday/seats").exists()
    table.fails("no-seat", *rule[:4], "old/join.txt", *rule[5:])
