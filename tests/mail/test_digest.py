"""The host's digest: what it tells, how often, to whom alone."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

from mail.conftest import CARL, to_carl, turn

from adjudicator.mail import wording
from adjudicator.mail.digest import MOST_LINES, Wanted
from adjudicator.mail.office import Manner

Mailroom = Any


HOUR = 3_600
DAY = 24 * HOUR


def test_a_daily_digest(mailroom: Callable[..., Mailroom], write: Any) -> None:
    """In, missing, refused, late: once a day, to the host alone, whatever strangers send."""
    room = mailroom().begin()
    manner = Manner(digest=Wanted(CARL))
    room.box.put(room.order("alice", "start C4"))
    room.box.put(room.order("bob", "start D4").replace(b"BEGIN ADJ", b"BEGIN ADJ "))
    for n in range(5):
        room.box.put(write(f"e{n}@example.com", "buy", mark=f"e{n}"))
    turn(room, manner)
    (first,) = to_carl(room)
    assert "in: alice (revision 1)" in first
    assert "missing: bob (in 3 d)" in first
    assert "friday: order of alice, step 1, revision 1: accepted" in first
    assert "other mails" in first
    assert "buy" not in first
    assert "C4" not in first
    for _ in range(3):
        room.clock.skip(7 * HOUR)
        turn(room, manner)
    assert len(to_carl(room)) == 1
    room.clock.skip(7 * HOUR)
    turn(room, manner)
    assert len(to_carl(room)) == 2
    room.clock.skip(3 * DAY)
    turn(room, manner)
    assert "friday: entry 1 told to 2: orders of alice; missing: bob" in to_carl(room)[-1]


def test_a_digest_at_once(mailroom: Callable[..., Mailroom], write: Any) -> None:
    """It comes when there is something of a game to tell, and never for strangers' mails."""
    room = mailroom().begin()
    manner = Manner(digest=Wanted(CARL, at_once=True))
    turn(room, manner)
    room.clock.skip(1)
    count = len(to_carl(room))
    room.box.put(write("eve@example.com", "hello"))
    turn(room, manner)
    assert len(to_carl(room)) == count
    room.clock.skip(1)
    room.box.put(room.order("alice", "start C4"))
    turn(room, manner)
    assert len(to_carl(room)) == count + 1
    room.clock.skip(1)
    turn(room, manner)
    assert len(to_carl(room)) == count + 1
    assert "order of alice" in to_carl(room)[-1]


def test_a_clock_that_is_set_back(mailroom: Callable[..., Mailroom]) -> None:
    """A digest from next year does not keep today's away."""
    room = mailroom().begin()
    manner = Manner(digest=Wanted(CARL))
    now = room.clock.now()
    room.clock.skip(300 * DAY)
    turn(room, manner)
    count = len(to_carl(room))
    room.clock.time = now
    turn(room, manner)
    assert len(to_carl(room)) == count + 1


def test_a_digest_that_fails(mailroom: Callable[..., Mailroom], monkeypatch: Any) -> None:
    """Whatever is wrong with it, receipts leave."""
    room = mailroom().begin()
    monkeypatch.setattr(wording, "since_last", lambda *given: 1 // 0)
    room.box.put(room.order("alice", "start C4"))
    before = len(room.got("alice"))
    assert "the digest: ZeroDivisionError" in turn(room, Manner(digest=Wanted(CARL))).faults[0]
    assert len(room.got("alice")) == before + 1
    assert to_carl(room) == []


def test_a_digest_is_bounded(mailroom: Callable[..., Mailroom]) -> None:
    """A flood of one player's mails fills no digest."""
    room = mailroom().begin()
    with contextlib.closing(room.outbox()) as outbox:
        for n in range(3 * MOST_LINES):
            outbox.note(f"friday: line {n}", room.clock.now())
    turn(room, Manner(digest=Wanted(CARL)))
    (digest,) = to_carl(room)
    assert digest.count("friday: line") <= MOST_LINES
    assert f"line {3 * MOST_LINES - 1}\n" in digest.replace("\r", "")
