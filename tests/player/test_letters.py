"""A player's letters: written, kept, taken in and held against what entries name."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from adjudicator.core import letters as core_letters
from adjudicator.core.letters import LetterFile
from adjudicator.core.opening import read_offer
from adjudicator.host.letters import Letters
from adjudicator.player import letters, table
from adjudicator.player.letters import message
from adjudicator.store.clock import SystemClock
from orders import sshsig
from orders.errors import Refused
from orders.fields import digest
from orders.letter import Text
from orders.sshsig import Signed

Table = Any

AWAY = Text("away from 2026-01-02T00:00:00Z until 2026-01-04T00:00:00Z")
START = {"alice": "start C4", "bob": "start C1"}


@pytest.fixture
def talking(make_table: Any, tmp_path: Path) -> Table:
    """A game with press of every kind, and absences."""
    options = {"first": "alice", "press": "anonymous", "absence": "7d"}
    return make_table(tmp_path / "table", options=options).begin()


def write(table: Table, name: str, text: Text) -> Any:
    """A letter of that player's."""
    return letters.write(table.host.ledger, table.seat(name), table.keys[name], text)


def passed(table: Table, name: str, text: Text) -> Mapping[str, Any]:
    """What the host passes on of a message, by reader."""
    bundle = write(table, name, text)
    return Letters(table.host).take(bundle).passed


def take(table: Table, name: str, bundle: Any) -> letters.KeptLetter:
    """A player takes in what the host sent."""
    return letters.take(table.copy_of(name).ledger, table.seat(name), bundle)


def test_letters_are_kept_before_they_go(talking: Table) -> None:
    """With what they say. Each has a number of its own; notices are counted in their texts."""
    seat, numbers = talking.seat("alice"), set()
    told = (message("bob", "Truce?"), AWAY, Text("address shown"), Text("address a@example.org"))
    for text in told:
        bundle = write(talking, "alice", text)
        letter = core_letters.own(bundle)[0].letter
        numbers.add(letter.number)
        assert letter.player == "alice"
        assert {*bundle.files} < {*dict(seat.letters())[f"out-{letter.number:04d}"].files}
        assert not any(text.says.encode() in data for _, data in bundle.files)
    assert len(numbers) == 4
    assert seat.address() == "a@example.org"
    kept = [one.text for one in letters.kept(talking.host.ledger, seat)]
    assert {(one.says, one.notice) for one in kept} == {
        (text.says, number) for number, text in enumerate(told)
    }


def test_a_text_that_is_gone_from_the_seat_is_named(talking: Table) -> None:
    """By its file, and nothing is guessed in its place."""
    bundle = write(talking, "alice", AWAY)
    letter = core_letters.own(bundle)[0].letter
    talking.seat("alice").keep_letter(f"out-{letter.number:04d}", bundle)
    with pytest.raises(Refused, match=rf"letters/out-{letter.number:04d}\.txt: the text"):
        letters.kept(talking.host.ledger, talking.seat("alice"))


def test_a_copy_without_a_seat_takes_no_letters(talking: Table) -> None:
    """Nor has it a view of its own."""
    given = passed(talking, "alice", message("bob", "Truce?"))["bob"]
    watching = table.Table(talking.copies["bob"], None, SystemClock())
    (warning,) = watching.take([("a mail", given)]).warnings
    assert warning.startswith("a mail: no-seat: a message needs a seat in the game")
    with pytest.raises(Refused, match="no-seat: nobody has joined here"):
        watching.seated()


def test_messages_go_to_who_is_there(talking: Table) -> None:
    """Another player, all or the host; the wrong name is quoted and nothing kept."""
    for to in ("bob", "all", "host"):
        write(talking, "alice", message(to, "Truce?"))
    for to in ("alice", "carol", ""):
        with pytest.raises(Refused, match=f"a message to {to!r}: expected another") as caught:
            write(talking, "alice", message(to, "Truce?"))
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
    bundle = passed(talking, "alice", message("bob", "Truce?", anonymous=anonymous))["bob"]
    got = take(talking, "bob", bundle)
    assert (got.text.body, got.text.anonymous) == ("Truce?", anonymous)
    assert got.letter.player == ("host" if anonymous else "alice")
    assert (got.own, got.noted, got.after) == (False, None, 0)
    assert letters.known(talking.seat("bob")) == {digest(got.text.render())}
    assert letters.known(talking.seat("alice")) == letters.known(talking.seat("bob"))
    talking.play(START)
    ledger = talking.copy_of("bob").ledger
    assert letters.noted(ledger) == {digest(got.text.render()): 1}
    (again,) = letters.kept(ledger, talking.seat("bob"))
    assert (again.text, again.letter, again.noted) == (got.text, got.letter, 1)
    (own,) = letters.kept(ledger, talking.seat("alice"))
    assert (own.own, own.text, own.noted, own.after) == (True, got.text, 1, None)
    assert take(talking, "bob", bundle).noted == 1
    assert len(talking.seat("bob").letters()) == 1


def test_a_message_for_another_does_not_open(talking: Table) -> None:
    """It is not kept."""
    bundle = passed(talking, "alice", message("bob", "Truce?"))["bob"]
    with pytest.raises(Refused, match="unopenable"):
        take(talking, "alice", bundle)
    ((kept, _),) = talking.seat("alice").letters()
    assert kept.startswith("out-")


def test_a_letter_after_another_entry_is_a_fork(talking: Table) -> None:
    """The host signed under it a history that this copy does not hold."""
    other = talking.copy(talking.root.parent / "other")
    talking.play(START)
    other.play({"alice": "start D4", "bob": "start C1"})
    bundle = passed(other, "alice", message("bob", "Truce?"))["bob"]
    with pytest.raises(Refused, match="was signed after another entry 1 than this") as caught:
        take(talking, "bob", bundle)
    assert caught.value.word == "fork"
    assert "keep this mail" in caught.value.hint
    assert talking.seat("bob").letters() == []


def test_a_letter_from_ahead_is_taken(talking: Table) -> None:
    """Mails come in any order: the entry that it names may be on its way."""
    behind = talking.copy(talking.root.parent / "behind")
    talking.play(START)
    bundle = passed(talking, "alice", message("bob", "Truce?"))["bob"]
    assert take(behind, "bob", bundle).after == 1
    assert letters.amiss(behind.copy_of("bob").ledger, behind.seat("bob")) == []
    behind.play({"alice": "start D4", "bob": "start C1"})
    told = letters.amiss(behind.copy_of("bob").ledger, behind.seat("bob"))
    assert "signed after another entry 1 than this: keep its mail" in told[0]


def test_a_message_that_no_entry_names_is_told(talking: Table) -> None:
    """Once an adjudication has come since; the copy is held against the host's own signature."""
    take(talking, "bob", passed(talking, "alice", message("bob", "Truce?"))["bob"])
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


def test_no_other_notice_comes_from_a_host(talking: Table) -> None:
    """Neither of its own, nor a player's own address passed on under their name."""
    host, opening = Letters(talking.host), talking.host.opening
    given = [host._say(Text(says)).passed["bob"] for says in (AWAY.says, "address shown")]
    sent = core_letters.own(write(talking, "alice", Text("address a@example.org")))[0]
    cover = host._of_host(7, sent.letter.text)
    file = LetterFile(cover, Signed.by(talking.signer, sshsig.LETTER, cover.render()))
    given.append(core_letters.pass_on(opening, file, host.open(sent), opening.joins["bob"], sent))
    for bundle in given:
        with pytest.raises(Refused, match="which is no notice of a host") as caught:
            take(talking, "bob", bundle)
        assert caught.value.word == "mismatch"
    assert talking.seat("bob").letters() == []
