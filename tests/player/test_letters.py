"""A player's letters: written, kept, taken in and held against what entries name."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from adjudicator.core import letters as core_letters
from adjudicator.core.opening import read_offer
from adjudicator.host.letters import Letters
from adjudicator.player import letters, table
from adjudicator.store.clock import SystemClock
from orders.errors import Refused
from orders.letter import FIRST_DRAWN, Absence, Address, Press, Shown, What

Table = Any

AWAY = Absence("2026-01-02T00:00:00Z", "2026-01-04T00:00:00Z")
START = {"alice": "start C4", "bob": "start C1"}


@pytest.fixture
def talking(make_table: Any, tmp_path: Path) -> Table:
    """A game with press of every kind, and absences."""
    options = {"first": "alice", "press": "anonymous", "absence": "7d"}
    return make_table(tmp_path / "table", options=options).begin()


def write(table: Table, name: str, what: What) -> Any:
    """A letter of that player's."""
    return letters.write(table.host.ledger, table.seat(name), table.keys[name], what)


def passed(table: Table, name: str, message: Press) -> Mapping[str, Any]:
    """What the host passes on of a message, by reader."""
    return Letters(table.host).take(write(table, name, message)).passed


def take(table: Table, name: str, bundle: Any) -> letters.KeptLetter:
    """A player takes in what the host sent."""
    return letters.take(table.copy_of(name).ledger, table.seat(name), bundle)


def test_letters_are_numbered_and_kept_before_they_go(talking: Table) -> None:
    """Each carries one thing; of those without a message the last one has the greatest number."""
    seat = talking.seat("alice")
    for number, what in enumerate(
        (Press("bob", "Truce?"), AWAY, Shown(True), Address("alice@example.org")),
    ):
        bundle = write(talking, "alice", what)
        ((letter, *_),) = core_letters.own(bundle)
        assert letter.player == "alice"
        assert letter.number == number or (number == 0 and letter.number >= FIRST_DRAWN)
        assert dict(seat.letters())[f"out-{letter.number:04d}"] == bundle
    assert seat.address() == "alice@example.org"
    assert not any(b"example.org" in data for _, data in bundle.files)


def test_a_copy_without_a_seat_takes_no_letters(talking: Table) -> None:
    """Nor has it a view of its own."""
    message = passed(talking, "alice", Press("bob", "Truce?"))["bob"]
    watching = table.Table(talking.copies["bob"], None, SystemClock())
    (warning,) = watching.take([("a mail", message)]).warnings
    assert warning.startswith("a mail: no-seat: a message needs a seat in the game")
    with pytest.raises(Refused, match="no-seat: nobody has joined here"):
        watching.seated()


def test_messages_go_to_who_is_there(talking: Table) -> None:
    """Another player, all or the host; the wrong name is quoted and nothing kept."""
    for to in ("bob", "all", "host"):
        write(talking, "alice", Press(to, "Truce?"))
    for to in ("alice", "carol", ""):
        with pytest.raises(Refused, match=f"a message to {to!r}: expected another") as caught:
            write(talking, "alice", Press(to, "Truce?"))
        assert caught.value.word == "illegal"
    assert len(talking.seat("alice").letters()) == 3
    assert letters.known(talking.seat("bob")) == set()


def test_who_has_no_seat_writes_no_letter(talking: Table, make_table: Any, tmp_path: Path) -> None:
    """In this game."""
    other = make_table(tmp_path / "other", ("carol", "dave"), {"first": "carol"}).begin()
    with pytest.raises(Refused, match="no-seat: carol has no seat in this game"):
        letters.write(talking.host.ledger, other.seat("carol"), other.keys["carol"], AWAY)


@pytest.mark.parametrize("anonymous", [True, False])
def test_a_message_is_opened_and_kept(talking: Table, anonymous: bool) -> None:
    """With its writer, where they are named; it is noted once an entry names it."""
    bundle = passed(talking, "alice", Press("bob", "Truce?", anonymous))["bob"]
    got = take(talking, "bob", bundle)
    assert got.what == Press("bob", "Truce?", anonymous)
    assert got.letter.player == ("host" if anonymous else "alice")
    assert (got.own, got.noted, got.after) == (False, None, 0)
    ((_, kept),) = talking.seat("bob").letters()
    text = core_letters.own(kept)[0].letter.text
    assert letters.known(talking.seat("bob")) == {text}
    assert letters.known(talking.seat("alice")) == letters.known(talking.seat("bob"))
    talking.play(START)
    ledger = talking.copy_of("bob").ledger
    assert letters.noted(ledger) == {text: 1}
    (again,) = letters.kept(ledger, talking.seat("bob"))
    assert (again.what, again.letter, again.noted) == (got.what, got.letter, 1)
    (own,) = letters.kept(ledger, talking.seat("alice"))
    assert (own.own, own.what, own.noted, own.after) == (True, None, 1, None)
    assert take(talking, "bob", bundle).noted == 1
    assert len(talking.seat("bob").letters()) == 1


def test_a_message_for_another_does_not_open(talking: Table) -> None:
    """It is not kept."""
    bundle = passed(talking, "alice", Press("bob", "Truce?"))["bob"]
    with pytest.raises(Refused, match="unopenable"):
        take(talking, "alice", bundle)
    ((kept, _),) = talking.seat("alice").letters()
    assert kept.startswith("out-")


def test_a_letter_after_another_entry_is_a_fork(talking: Table) -> None:
    """The host signed under it a history that this copy does not hold."""
    other = talking.copy(talking.root.parent / "other")
    talking.play(START)
    other.play({"alice": "start D4", "bob": "start C1"})
    bundle = passed(other, "alice", Press("bob", "Truce?"))["bob"]
    with pytest.raises(Refused, match="was signed after another entry 1 than this") as caught:
        take(talking, "bob", bundle)
    assert caught.value.word == "fork"
    assert "keep this mail" in caught.value.hint
    assert talking.seat("bob").letters() == []


def test_a_letter_from_ahead_is_taken(talking: Table) -> None:
    """Mails come in any order: the entry that it names may be on its way."""
    behind = talking.copy(talking.root.parent / "behind")
    talking.play(START)
    bundle = passed(talking, "alice", Press("bob", "Truce?"))["bob"]
    assert take(behind, "bob", bundle).after == 1
    assert letters.amiss(behind.copy_of("bob").ledger, behind.seat("bob")) == []
    behind.play({"alice": "start D4", "bob": "start C1"})
    told = letters.amiss(behind.copy_of("bob").ledger, behind.seat("bob"))
    assert "signed after another entry 1 than this: keep its mail" in told[0]


def test_a_message_that_no_entry_names_is_told(talking: Table) -> None:
    """Once an adjudication has come since; the copy is held against the host's own signature."""
    take(talking, "bob", passed(talking, "alice", Press("bob", "Truce?"))["bob"])
    seat = talking.seat("bob")
    assert letters.amiss(talking.copy_of("bob").ledger, seat) == []
    for path in (talking.record.host / "press").glob("*.txt"):
        path.unlink()
    talking.play(START)
    (line,) = letters.amiss(talking.copy_of("bob").ledger, seat)
    assert line == (
        "no entry names a message that the host sent after entry 0: the host did not note it"
    )
    assert letters.amiss(talking.copy_of("alice").ledger, talking.seat("alice")) == []


def test_a_message_that_is_noted_is_not_told(talking: Table) -> None:
    """As it is with an honest host."""
    take(talking, "bob", passed(talking, "alice", Press("bob", "Truce?"))["bob"])
    talking.play(START)
    assert letters.amiss(talking.copy_of("bob").ledger, talking.seat("bob")) == []


def test_where_the_host_s_mails_go(talking: Table) -> None:
    """The address that it signed last, in whatever order its letters come."""
    offer, seat = read_offer(talking.record), talking.seat("bob")
    assert letters.host_address(offer, None) is letters.host_address(offer, seat) is None
    host = Letters(talking.host)
    first, second = (host.move(f"host{at}@example.org").passed["bob"] for at in (1, 2))
    take(talking, "bob", second)
    assert letters.host_address(offer, talking.seat("bob")) == "host2@example.org"
    take(talking, "bob", first)
    assert letters.host_address(offer, talking.seat("bob")) == "host2@example.org"
    assert letters.host_address(offer, None) is None
