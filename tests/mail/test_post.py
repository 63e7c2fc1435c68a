"""Which mails leave: budgets in a flood, what waits while nothing goes out, what is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mail.conftest import receipts

from adjudicator.core import intake, opening
from adjudicator.mail import post
from adjudicator.mail.senders import NotSent
from adjudicator.player import seated
from adjudicator.player.seat import Seat
from orders.bundle import Bundle
from orders.documents import Private
from orders.keys import MemoryKey
from orders.secrets import derive

Mailroom = Any


def test_strangers_all_together(mailroom: Callable[..., Mailroom], write: Any) -> None:
    """However many addresses are forged, few are answered in an hour."""
    room = mailroom().begin()
    before = len(room.wire.out)
    for n in range(post.MOST["strangers"] + 40):
        room.box.put(write(f"e{n}@example.com", "hi", mark=str(n)))
    room.turn()
    assert len(room.wire.out) == before + post.MOST["strangers"]


def test_long_answers_are_seldom(mailroom: Callable[..., Mailroom], write: Any) -> None:
    """Mallory asks in Alice's name: the rules come to her once an hour."""
    room = mailroom().begin()
    before = len(room.got("alice"))
    for n in range(4):
        room.box.put(write("alice@example.org", "rules", mark=str(n)))
    room.box.put(write("alice@example.org", "status", mark="status"))
    room.turn()
    assert len(room.got("alice")) == before + 2


def test_a_machine_that_does_not_say_so(mailroom: Callable[..., Mailroom], write: Any) -> None:
    """It answers each mail of the host's: it gets one an hour, so the two do not talk for ever."""
    room = mailroom().begin()
    before = len(room.got("alice"))
    for n in range(4):
        room.box.put(write("alice@example.org", "I am on an island.", mark=str(n)))
        room.turn()
    room.box.put(write("alice@example.org", "status", mark="status"))
    room.turn()
    assert len(room.got("alice")) == before + 2


def test_receipts_in_a_flood(mailroom: Callable[..., Mailroom], write: Any) -> None:
    """Mallory writes forty mails in Alice's name: she gets few answers, and her receipt."""
    room = mailroom().begin()
    before = len(room.got("alice"))
    for n in range(40):
        room.box.put(write("alice@example.org", "status", mark=str(n)))
    room.turn()
    assert len(room.got("alice")) == before + post.MOST["command"]
    room.box.put(room.order("alice", "start C4"))
    room.turn()
    assert receipts(room.got("alice")) == ["accepted"]


def test_every_refused_order_is_answered(mailroom: Callable[..., Mailroom]) -> None:
    """Of 25 bad orders in an hour at least 20 get their receipts, and so does a good one."""
    room = mailroom().begin()
    own = room.sealed("alice", "start C4")
    for n in range(25):
        # Without its sealed file.
        slips = dict(room.sealed("alice", "start C4").files)
        slips.pop("orders/0001-alice.sealed")
        room.box.put(room.mail("alice", Bundle("order", tuple(slips.items())), f"try {n}"))
    room.box.put(room.mail("alice", own))
    room.turn()
    answers = receipts(room.got("alice"))
    assert answers.count("absent") >= 20
    assert answers[-1] == "accepted"


def test_replayed_orders(mailroom: Callable[..., Mailroom]) -> None:
    """Mallory sends Alice's own mail again and again, each time as a new one: few receipts."""
    room = mailroom().begin()
    mail = room.order("alice", "start C4")
    for n in range(30):
        room.box.put(mail.replace(b"Message-ID: <", b"Message-ID: <%d" % n))
    room.turn()
    assert receipts(room.got("alice")) == ["accepted"] * (1 + post.MOST["again"])


def test_outbox_waits_and_tries_again(mailroom: Callable[..., Mailroom]) -> None:
    """While nothing goes out mails wait, the pauses grow, and then each goes once, in order."""
    room = mailroom().begin()
    before = len(room.wire.out)
    room.wire.fault = NotSent("451 try later", down=True)
    for name, lines in (("alice", "start C4"), ("bob", "start C1")):
        room.box.put(room.order(name, lines))
    assert room.turn().faults
    pauses = []
    for _ in range(12):
        outbox = room.outbox()
        due = outbox.listed()[0].due
        outbox.close()
        pauses.append(due)
        room.clock.time = due
        room.turn()
    assert pauses == sorted(set(pauses))
    room.wire.fault = None
    room.clock.skip(7 * 3_600)
    room.turn()
    assert len(room.wire.out) == before + 4
    kinds = [b"] entry " in data for data in room.got("alice")[-2:]]
    assert kinds == [False, True]
    room.turn()
    assert len(room.wire.out) == before + 4


def test_refused_for_good(mailroom: Callable[..., Mailroom]) -> None:
    """A mail that is refused for good is listed, and holds no other up."""
    room = mailroom().begin()
    room.box.put(room.order("alice", "start C4"))
    room.wire.fault = NotSent("550 no such user", for_good=True)
    room.turn()
    outbox = room.outbox()
    assert [one.state for one in outbox.listed()] == ["failed"]
    outbox.retry(room.clock.now())
    outbox.close()
    room.wire.fault = None
    room.turn()
    assert receipts(room.got("alice")) == ["accepted"]


def test_joins_flood_nobody(mailroom: Callable[..., Mailroom]) -> None:
    """Mallory joins again and again in the name of a victim's address: few mails go there."""
    room = mailroom()
    room.invite()
    offer = opening.read_offer(room.copy("alice"))
    root = room.root / "mallory.seat"
    seat = Seat.create(root, "mallory", offer.digest, room.root / "key", derive(b"m" * 32, "seat"))
    key = MemoryKey.from_seed(derive(b"m" * 32, "key"))
    for _ in range(20):
        join = seated.join(offer, seat, key, Private("victim@example.org"))
        assert intake.read_join_bundle(offer, join)
        room.box.put(room.mail("bob", join))
    room.turn()
    assert len([to for _, to, _ in room.wire.out if to == "victim@example.org"]) == 3
