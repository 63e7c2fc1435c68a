"""Bad days of mail: what never left, what came back, what nobody can read; and who pays for it."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable
from typing import Any

import pytest

from adjudicator.core import deadlines
from adjudicator.mail.mime import read_mail
from adjudicator.mail.senders import NotSent
from adjudicator.office.office import MOST_TURNS
from adjudicator.store.record import Record
from adjudicator.verifier.verify import verify
from orders.letter import Text

Mailroom = Any
DAY = 86_400
EXPIRED = NotSent("535 password expired", down=True)

BOUNCE = """\
From: MAILER-DAEMON@mail.example.org
To: referee@example.net
Subject: Undelivered Mail Returned to Sender
Message-ID: <{mark}@mail.example.org>
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="=b"

--=b
Content-Type: text/plain

I'm sorry to have to inform you that your message could not be delivered.

--=b
Content-Type: message/delivery-status

Reporting-MTA: dns; mail.example.org

Final-Recipient: rfc822; bob@example.org
Action: {action}
Status: 5.1.1
Diagnostic-Code: smtp; 550 no such user

--=b
Content-Type: {kind}

"""


def bounce(data: bytes, mark: str = "1", action: str = "failed", *, whole: bool = True) -> bytes:
    """The report of a mail server about a mail that it could not deliver (RFC 3464)."""
    kind = "message/rfc822" if whole else "text/rfc822-headers"
    given = data if whole else data.partition(b"\r\n\r\n")[0] + b"\r\n"
    text = BOUNCE.format(mark=mark, action=action, kind=kind).encode()
    return text + given.replace(b"\r\n", b"\n") + b"\n--=b--\n"


def missing(room: Mailroom) -> list[tuple[str, ...]]:
    """Who was called missing, entry by entry."""
    return [link.entry.missing for link in room.host.ledger.links()]


# Mails that do not leave.


def test_a_password_that_expires_over_a_weekend(mailroom: Callable[..., Mailroom]) -> None:
    """Nothing leaves for nine days: nobody is missing in a game of which nobody was told."""
    room = mailroom(options={"turn_time": "2d"})
    room.invite()
    for name in room.players:
        room.box.put(room.join(name))
    room.wire.fault = EXPIRED
    for _ in range(9):
        assert room.turn().faults
        room.clock.skip(DAY)
    assert set(missing(room)) == {()}
    room.wire.fault = None
    room.turn()
    until = room.host.last.clocks.awaited["bob"].until
    assert until > room.clock.now()
    for name in room.players:
        assert room.receive(name)
    room.play({"alice": "start C4", "bob": "start C1"})
    assert room.host.last.entry.missing == ()
    assert room.host.last.entry.slips.keys() == {"alice", "bob"}


def test_who_was_told_is_late_all_the_same(mailroom: Callable[..., Mailroom]) -> None:
    """Mails left in time: whoever does not answer is missing, and the others are not held up."""
    room = mailroom().begin()
    room.clock.skip(3 * DAY)
    room.turn()
    assert missing(room)[-1] == ("alice", "bob")


def begun_without_bob(mailroom: Callable[..., Mailroom]) -> Mailroom:
    """A game that has begun, of which Bob does not hear: his own server turns mails away."""
    room = mailroom()
    room.invite()
    for name in room.players:
        room.box.put(room.join(name))
    room.wire.refused = {"bob@example.org"}
    room.turn()
    return room


def test_a_mail_that_left_late(mailroom: Callable[..., Mailroom]) -> None:
    """A player's time begins when the mail leaves; the others' time began before."""
    room = begun_without_bob(mailroom)
    room.clock.skip(2 * DAY)
    room.wire.refused = set()
    room.turn()
    room.clock.skip(DAY + 1)
    room.receive("alice")
    room.box.put(room.order("alice", "start C4"))
    room.turn()
    ruling = room.host.last.entry.ruling
    assert ruling.reason == "entry 0 left late for bob"
    # Two days after genesis the mail left, and bob has three from then on.
    assert room.host.last.clocks.awaited["bob"].until == "2026-11-26T18:00:00Z"
    room.clock.skip(2 * DAY)
    room.turn()
    assert missing(room)[-1] == ("bob",)
    assert verify(room.record).code == 4


def test_a_mailbox_that_refuses_for_ever(mailroom: Callable[..., Mailroom]) -> None:
    """Bob's own server turns every mail away: he gets one turn more, and no endless game."""
    room = begun_without_bob(mailroom)
    room.receive("alice")
    room.box.put(room.order("alice", "start C4"))
    for _ in range(8):
        room.clock.skip(DAY)
        room.turn()
    assert missing(room)[:3] == [(), (), ("bob",)]
    rulings = [link.entry.ruling for link in room.host.ledger.links() if link.entry.ruling]
    assert [one.reason for one in rulings] == ["entry 0 could not be delivered to bob"]


# Mails that come back.


@pytest.mark.parametrize("whole", [True, False])
def test_a_dead_address_is_noticed(mailroom: Callable[..., Mailroom], whole: bool) -> None:
    """The relay takes the mail and sends it back: it is told, and its reader has time once more."""
    room = mailroom().begin()
    room.box.put(bounce(room.got("bob")[-1], whole=whole))
    room.turn()
    (listed,) = room.listed()
    assert (listed.state, listed.recipient) == ("bounced", "bob@example.org")
    assert "550 no such user" in listed.fault
    assert any("bob@example.org came back" in line for line in room.log)
    room.box.put(room.order("alice", "start C4"))
    room.clock.skip(3 * DAY)
    room.turn()
    assert "could not be delivered to bob" in room.host.last.entry.ruling.reason
    room.clock.skip(3 * DAY)
    room.turn()
    assert missing(room)[-1] == ("bob",)


def test_a_bounce_is_no_letter(mailroom: Callable[..., Mailroom]) -> None:
    """The original that a server gives back is not taken for a player's mail or answered."""
    room = mailroom(options={"press": "private"}).begin()
    room.say("bob", "Hello")
    room.turn()
    before = len(room.wire.out)
    mail = read_mail(bounce(room.got("bob")[-1]))
    assert mail.blocks == ()
    room.box.put(bounce(room.got("bob")[-1]))
    room.turn()
    assert len(room.wire.out) == before
    assert not any("refused" in line for line in room.log)


def test_the_writer_of_a_message_is_told(mailroom: Callable[..., Mailroom]) -> None:
    """Alice was told "passed on"; when the mail comes back she hears that too."""
    from adjudicator.player.letters import message

    room = mailroom(options={"press": "private"}).begin()
    room.box.put(room.letter("alice", message("bob", "Truce?")))
    room.turn()
    room.box.put(bounce(room.got("bob")[-1]))
    room.turn()
    told = " ".join(room.last("alice").split())
    assert "sent your message to bob back" in told
    assert "no such user" not in told, "the server's words name bob's address"


@pytest.mark.parametrize("action", ["delayed", "relayed"])
def test_a_mail_that_is_only_late(mailroom: Callable[..., Mailroom], action: str) -> None:
    """A report of anything but a failure changes nothing."""
    room = mailroom().begin()
    room.box.put(bounce(room.got("bob")[-1], action=action))
    room.turn()
    assert room.listed() == []


def test_one_bounce_is_one_turn(mailroom: Callable[..., Mailroom]) -> None:
    """However often Bob moves: with bounces that he writes himself he could hold the game up."""
    room = mailroom().begin()
    room.box.put(bounce(room.got("bob")[-1]))
    room.box.put(room.order("alice", "start C4"))
    for number in range(3):
        room.box.put(room.letter("bob", Text(f"address bob+{number}@example.org")))
        room.clock.skip(3 * DAY)
        room.turn()
    assert missing(room)[:3] == [(), (), ("bob",)]


def test_a_mail_that_left_while_the_clock_was_ahead(mailroom: Callable[..., Mailroom]) -> None:
    """It does not move a deadline by as long as the clock was wrong, but by one turn."""
    room = begun_without_bob(mailroom)
    room.wire.refused = set()
    now = room.clock.time
    room.clock.skip(400 * DAY)
    with contextlib.closing(room.outbox()) as outbox:
        room.office(outbox).post.flush(room.wire, [])
    room.clock.time = deadlines.add(now, 3 * DAY)
    room.turn()
    assert room.host.last.entry.ruling.reason == "entry 0 left late for bob"
    assert room.host.last.clocks.awaited["bob"].until == deadlines.add(now, 6 * DAY)
    room.clock.skip(3 * DAY)
    room.turn()
    assert missing(room)[-1] == ("alice", "bob")


def test_a_bounce_that_is_made_up(mailroom: Callable[..., Mailroom], write: Any) -> None:
    """Mallory cannot call a mail undelivered whose token she does not know."""
    room = mailroom().begin()
    (token, *_) = read_mail(room.got("bob")[-1]).tokens
    forged = room.got("bob")[-1].replace(token.encode(), b"a" * 16)
    room.box.put(bounce(forged))
    room.turn()
    assert room.listed() == []
    assert any("did not leave here" in line for line in room.log)


# Games that are not there, and records that do not hold.


def test_unclaimed_mails_stop_no_clock(mailroom: Callable[..., Mailroom]) -> None:
    """Mallory sends orders for games of her own without end: deadlines pass here all the same."""
    one, two = mailroom(name="one").begin(), mailroom(name="two", seed=b"\x0a" * 32).begin()
    one.clock.skip(3 * DAY)
    one.box.put(two.order("bob", "start C1"))
    one.turn()
    assert missing(one)[-1] == ("alice", "bob")


@pytest.mark.parametrize("damaged", ["entries/0000.toml", "joins/alice.toml", "entries/0001.toml"])
def test_a_damaged_record(mailroom: Callable[..., Mailroom], damaged: str) -> None:
    """Its own orders wait until it is mended; the other game's are taken, its players answered."""
    from adjudicator.office.game import HostMail
    from adjudicator.office.office import Office, Settings

    rooms = [mailroom(name="one"), mailroom(name="two", seed=b"\x0a" * 32)]
    for room in rooms:
        room.begin().play({"alice": "start C4", "bob": "start C1"})
    broken, sound = rooms
    path = broken.root / "friday" / damaged
    for room in rooms:
        sound.box.put(room.order("alice", "silent"))
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b"\n", b"\n\n", 1))
    outbox = sound.outbox()

    def turn() -> Any:
        games = [HostMail(r.record, r.signer, sound.clock, sound.address_of_host) for r in rooms]
        address, settings = sound.address_of_host, Settings(tell_again="none")
        office = Office(games, outbox, address, sound.clock, sound.log.append, settings=settings)
        return office.turn(sound.box, sound.wire)

    for _ in range(MOST_TURNS + 2):
        assert turn().faults
    assert sound.record.last_step() == 2
    assert len(sound.box.held) == 1 if damaged != "entries/0000.toml" else sound.box.aside
    path.write_bytes(whole)
    for data in sound.box.aside.values():
        sound.box.put(data)
    assert turn().faults == []
    outbox.close()
    assert broken.record.last_step() == 2


def test_a_host_restored_from_an_older_backup(mailroom: Callable[..., Mailroom]) -> None:
    """What players were told of is not adjudicated anew, whatever the record has forgotten."""
    room = mailroom().begin().play({"alice": "start C4", "bob": "start C1"})
    for name in ("friday", "friday.host"):
        shutil.copytree(room.root / name, room.root / "backup" / name)
    room.box.put(room.order("alice", "silent"))
    room.turn()
    room.receive("bob")
    lost = room.record.root.rename(room.root / "lost")
    shutil.rmtree(room.root / "friday.host")
    for name in ("friday", "friday.host"):
        (room.root / "backup" / name).rename(room.root / name)
    room.clock.skip(30 * DAY)
    room.box.put(room.order("bob", "silent"))
    assert "told of entry 2, but the record ends at entry 1" in room.turn().faults[0]
    assert room.record.last_step() == 1
    # Put back from the players' copies; the order file that entry 2 used comes last.
    late = "orders/0002-alice.sealed"
    for path in Record(lost).paths():
        if path != late:
            room.record.write(path, Record(lost).read(path))
    assert f"{late} is not there" in room.turn().faults[0]
    room.record.write(late, Record(lost).read(late))
    assert room.turn().faults == []
    assert room.host.ledger.last.entry.slips.keys() == {"bob"}
