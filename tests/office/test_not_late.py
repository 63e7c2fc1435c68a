"""Nobody is late through the host's own fault: games left out, bounces, clocks, floods."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import pytest
from mailroom import CARL, to_carl
from office.test_delivery import DAY, bounce, missing

from adjudicator.mail.senders import NotSent
from adjudicator.office import office
from adjudicator.office.game import HostMail
from adjudicator.office.office import MOST_FLOODED, MOST_TURNS, Office, Settings, Turn
from adjudicator.player import letters
from orders.bundle import encode
from orders.letter import Text

Room = Any
SECOND = {"seed": b"\x0a" * 32, "name": "sunday"}


def serve(room: Room, *served: Room, timer: Callable[[], float] | None = None,
          **settings: Any) -> Turn:  # fmt: skip
    """A turn of `room`'s mailbox and state, with the games of these rooms."""
    games = [
        HostMail(r.record, r.signer, room.clock, room.address_of_host) for r in served or (room,)
    ]
    more = {} if timer is None else {"timer": timer}
    with contextlib.closing(room.outbox()) as outbox:
        made = Office(
            games, outbox, room.address_of_host, room.clock, room.log.append,
            settings=Settings(**settings), **more,
        )  # fmt: skip
        return made.turn(room.box, room.wire)


def called(room: Room) -> tuple[str, ...]:
    return missing(room)[-1]


@pytest.fixture
def rooms(mailroom: Any) -> tuple[Room, Room]:
    """Two games that have begun, of one mailbox."""
    one, two = mailroom().begin(), mailroom(**SECOND).begin()
    two.box = one.box
    return one, two


def test_a_game_left_off_the_command_line(rooms: tuple[Room, Room]) -> None:
    """Bob's order for it stays where it is, and each turn says so; once the game is served again
    the order is taken, though its deadline has passed."""
    one, two = rooms
    serve(one, one, two, tell_again="none")
    one.box.put(two.order("bob", "start C1"))
    for _ in range(MOST_TURNS + 2):
        (fault,) = serve(one, one).faults
        assert fault.endswith("order for a game that was served before, and is not now")
    assert len(one.box.held) == 1
    one.clock.skip(3 * DAY)
    assert serve(one, one, two).faults == []
    assert called(two) == ("alice",)


def test_a_game_that_appears(rooms: tuple[Room, Room]) -> None:
    """What was set aside before anybody knew of it is read again, and counts."""
    one, two = rooms
    one.box.put(two.order("bob", "start C1"))
    for _ in range(MOST_TURNS):
        (fault,) = serve(one, one).faults
        assert "order for a game that is not served here" in fault
    assert (len(one.box.held), len(one.box.aside)) == (0, 1)
    serve(one, one)
    one.clock.skip(3 * DAY)
    assert serve(one, one, two, tell_again="none").faults == []
    assert one.box.aside == {}
    assert called(two) == ("alice",)


def test_a_second_bounce_in_a_long_game(mailroom: Any) -> None:
    """Mails have reached Bob between the two: the second one, too, is one more turn."""
    room = mailroom().begin()
    room.box.put(bounce(room.got("bob")[-1]))
    room.box.put(room.order("alice", "start C4"))
    room.turn()
    room.clock.skip(3 * DAY)
    room.turn()
    room.receive("bob")
    room.box.put(room.order("bob", "start C1"))
    room.turn()
    room.receive("alice")
    room.clock.skip(DAY)
    room.box.put(room.order("alice", "silent"))
    room.turn()
    assert room.host.last.clocks.awaited.keys() == {"bob"}
    room.box.put(bounce(room.got("bob")[-1]))
    room.turn()
    room.clock.skip(3 * DAY)
    room.turn()
    assert "could not be delivered to bob" in room.host.last.entry.ruling.reason
    assert set(missing(room)) == {()}


def test_a_bounce_before_the_host_cannot_send(mailroom: Any) -> None:
    """Bob's mail came back, and the ruling that gives him the turn once more does not leave: he is
    not missing before it has, and a whole turn has passed. If it comes back as well, he is."""
    room = mailroom().begin()
    room.box.put(bounce(room.got("bob")[-1]))
    room.box.put(room.order("alice", "start C4"))
    room.turn()
    room.clock.skip(3 * DAY)
    room.wire.fault = NotSent("refused", down=True)
    room.turn()
    assert "entry 0 could not be delivered to bob" in room.host.last.entry.ruling.reason
    room.clock.skip(3 * DAY)
    room.turn()
    assert "entry 1 has not left for bob" in room.host.last.entry.ruling.reason
    room.wire.fault = None
    room.clock.skip(2 * DAY)
    room.turn()
    room.clock.skip(DAY)
    room.turn()
    assert "entry 1 left late for bob" in room.host.last.entry.ruling.reason
    assert set(missing(room)) == {()}
    for mail in room.got("bob")[-3:]:
        room.box.put(bounce(mail))
    room.clock.skip(2 * DAY)
    room.turn()
    assert missing(room)[-1] == ("bob",)


def test_a_mailbox_that_is_dead(mailroom: Any) -> None:
    """Nothing reaches Bob: he has the turn once more, twice in the game; then he is missing like
    anybody else, and the host is told what can be done."""
    room = mailroom().begin()
    room.wire.refused = {"bob@example.org"}
    room.box.put(bounce(room.got("bob")[-1]))
    room.box.put(room.order("alice", "start C4"))
    told = []
    for _ in range(3):
        told += room.turn().faults
        room.clock.skip(3 * DAY)
    room.turn()
    assert missing(room)[:3] == [(), (), ("bob",)]
    for many in (2, 3):
        room.receive("alice")
        room.box.put(room.order("alice", "silent"))
        for _ in range(3 if many == 2 else 2):
            told = room.turn().faults
            assert missing(room).count(("bob",)) == many - 1
            room.clock.skip(3 * DAY)
            told = room.turn().faults
            if missing(room).count(("bob",)) == many:
                break
        assert missing(room).count(("bob",)) == many
    rulings = [one.entry.ruling for one in room.host.ledger.links() if one.entry.ruling]
    assert len(rulings) == 2
    assert any("mails do not reach bob, who was given more time for it 2" in one for one in told)
    assert any("adjudicator rule" in one for one in told)


@pytest.mark.parametrize("hours", [4, -4])
def test_a_clock_that_is_hours_off(mailroom: Any, hours: int) -> None:
    """The mail server knows better: Carl is told before anything is signed, and nobody is called
    missing; by a clock that is right they are."""
    room = mailroom().begin()
    until = room.host.last.clocks.awaited["bob"].until
    room.clock.time = until
    room.box.clock = office.deadlines.add(until, -3_600 * hours)
    told = serve(room).faults
    assert f"the mail server's time is {room.box.clock}" in told[0]
    assert "this machine's clock, " in told[0]
    assert ": nobody is called missing until they agree" in told[0]
    assert called(room) == ()
    assert serve(room, clock_is_right=True).faults == []
    assert called(room) == ("alice", "bob")


@pytest.mark.parametrize("served", [True, False])
def test_a_clock_of_2099(mailroom: Any, *, served: bool) -> None:
    """Also where no server tells the time, as with a Maildir: Alice's slip does. Nothing is signed
    or sent, her mail stays, Carl gets a mail; with the right clock the game goes on."""
    room = mailroom().begin()
    room.box.put(room.order("alice", "start C4"))
    right = room.clock.now()
    room.box.clock = right if served else None
    room.clock.time = "2099-01-01T00:00:00Z"
    sent = len(room.wire.out)
    for _ in range(MOST_TURNS + 1):
        done = serve(room, alarm=CARL)
        assert "--clock-is-right" in done.faults[-1]
        assert (done.handled, room.host.last.step) == (0, 0)
    assert not any("alice" in to or "bob" in to for _, to, _ in room.wire.out[sent:])
    assert "nothing is signed" in " ".join(" ".join(to_carl(room)).split())
    assert len(to_carl(room)) == 1
    assert (len(room.box.held), room.box.aside) == (1, {})
    assert room.host.folder.waiting() == {}
    room.clock.time = right
    room.box.put(room.order("bob", "start C1"))
    assert serve(room).faults == []
    assert (room.host.last.step, room.host.last.entry.missing) == (1, ())


def test_a_clock_four_hours_ahead_without_a_server(mailroom: Any) -> None:
    """A slip that is hours old is told before anything is signed, and kept in the log; the order
    counts, as mail may be slow."""
    room = mailroom().begin()
    room.box.put(room.order("alice", "start C4"))
    room.clock.skip(4 * 3_600)
    assert serve(room).faults == []
    (line,) = [one for one in room.log if "clock" in one]
    assert "friday: the time in the slip of alice is 2026-11-21T18:00:00Z, 4 h earlier" in line
    assert line.endswith("is the clock right?")
    assert list(room.host.folder.waiting()) == ["alice"]


def test_an_order_and_a_letter_in_one_mail(mailroom: Any, write: Any) -> None:
    """Taking the letter in does not put the mail away before the order is taken in too."""
    room = mailroom().begin()
    order = room.sealed("alice", "start C4")
    told = Text("address a@example.org")
    letter = letters.write(
        room.seated("alice").ledger, room.seat("alice"), room.keys["alice"], told
    )
    room.box.put(write("alice@example.org", (encode(order) + encode(letter)).decode()))
    right, room.clock.time = room.clock.time, "2099-01-01T00:00:00Z"
    assert "left where it is: order for " in serve(room).faults[0]
    assert len(room.box.held) == 1
    room.clock.time = right
    assert serve(room).faults == []
    assert list(room.host.folder.waiting()) == ["alice"]
    assert room.game.addresses()["alice"] == "a@example.org"


def slow() -> Callable[[], float]:
    """A timer by which each look costs so long that time is up after the first mail."""
    now = iter(range(0, 100_000, int(office.INTAKE)))
    return lambda: float(next(now))


def flood(room: Room, write: Any, sender: str) -> None:
    for number in range(4):
        room.box.put(write(sender, "hello", mark=f"{room.box.count}-{number}"))


def test_a_strangers_flood_stops_no_deadline_for_ever(mailroom: Any, write: Any) -> None:
    """Mails without end that nobody can have read: for some turns they may hold orders, then the
    game goes on."""
    room = mailroom().begin()
    room.clock.skip(3 * DAY)
    for _ in range(MOST_FLOODED):
        flood(room, write, "mallory@example.com")
        assert serve(room, timer=slow()).left
        assert called(room) == ()
    flood(room, write, "mallory@example.com")
    serve(room, timer=slow())
    assert called(room) == ("alice", "bob")


def test_players_mails_that_are_left_hold_deadlines(mailroom: Any, write: Any) -> None:
    """However long it takes to read them."""
    room = mailroom().begin()
    room.clock.skip(3 * DAY)
    for _ in range(MOST_FLOODED + 2):
        flood(room, write, "bob@example.org")
        assert serve(room, timer=slow()).left
    assert called(room) == ()


# What the host reads.


def test_what_failed_is_not_hidden(rooms: tuple[Room, Room]) -> None:
    """A game whose record does not hold, a login that fails and a game left out are told at once,
    with the game that goes on."""
    one, two = rooms
    serve(one, one, two, tell_again="none", alarm=CARL)
    path = two.record.root / "entries" / "0000.toml"
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b"\n", b"\n\n", 1))
    assert to_carl(one) == []
    serve(one, one, two, alarm=CARL)
    (news,) = to_carl(one)
    assert news.splitlines()[1].startswith("  friday: its record does not hold: ")
    assert news.count("friday: Sugar Dog, as host: ") == 1
    serve(one, one, two, alarm=CARL)
    assert len(to_carl(one)) == 1, "told once"
    path.write_bytes(whole)
    serve(one, one, two, alarm=CARL)
    serve(one, one, alarm=CARL)
    assert "friday: it was served before, and is left out now" in to_carl(one)[-1]
    one.box.put(two.order("bob", "start C1"))
    serve(one, one, alarm=CARL)
    assert "left where it is: order for a game" in to_carl(one)[-1]
    from office.test_office import Broken

    one.box = Broken()
    one.clock.skip(DAY)
    serve(one, one, alarm=CARL)
    assert "the mailbox: nobody there" in to_carl(one)[-1]
