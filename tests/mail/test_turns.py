"""In which order mails are looked at: nobody's heap keeps another's mails waiting."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from itertools import count
from typing import Any

from mail.conftest import receipts

from adjudicator.mail import office

Mailroom = Any


def ticking(mails: int) -> Callable[[], float]:
    """A clock by which a turn's time is up after that many mails."""
    ticks = count()
    return lambda: next(ticks) * office.INTAKE / mails


def test_ten_thousand_junk_mails(mailroom: Callable[..., Mailroom], write: Any) -> None:
    """A heap of junk, half of it in Bob's name: the orders behind it are answered in one turn.

    A turn's time is up after sixty mails here. Bob's own mail answers one that only he got.
    """
    room = mailroom().begin()
    for n in range(10_000):
        sender = f"e{n}@example.com" if n % 2 else "bob@example.org"
        room.box.put(write(sender, "buy", mark=f"junk{n}"))
    room.box.put(room.order("alice", "start C4"))
    room.box.put(room.order("bob", "start C1"))
    with contextlib.closing(room.outbox()) as outbox:
        turn = room.office(outbox, timer=ticking(60)).turn(room.box, room.wire)
    assert turn.handled == 60
    assert turn.left == 10_002 - 60
    for name in room.players:
        assert "accepted" in receipts(room.got(name))
    assert room.record.last_step() == 1


def test_heads_that_come_slowly(mailroom: Callable[..., Mailroom], write: Any) -> None:
    """However long a server takes to tell whose the mails are, some of them are looked at."""
    room = mailroom().begin()
    for n in range(30):
        room.box.put(write("eve@example.com", "buy", mark=f"junk{n}"))
    time = [0.0]

    def slow(mails: Any, sort: Any) -> Any:
        time[0] += 10 * office.INTAKE
        for one in sort(mails):
            yield one
            time[0] += office.INTAKE / 10

    room.box.mails = lambda sort: slow([room.box.arrived(n) for n in sorted(room.box.held)], sort)
    with contextlib.closing(room.outbox()) as outbox:
        turn = room.office(outbox, timer=lambda: time[0]).turn(room.box, room.wire)
    assert 9 <= turn.handled <= 12
    assert turn.left == 30 - turn.handled


def test_nobody_is_late_behind_a_heap(mailroom: Callable[..., Mailroom], write: Any) -> None:
    """While mails are left unread their deadlines wait; then they pass."""
    room = mailroom().begin()
    for n in range(100):
        room.box.put(write("eve@example.com", "buy", mark=f"junk{n}"))
    room.clock.skip(4 * 86_400)
    for steps in (0, 0, 1):
        with contextlib.closing(room.outbox()) as outbox:
            room.office(outbox, timer=ticking(45)).turn(room.box, room.wire)
        assert room.record.last_step() == steps
