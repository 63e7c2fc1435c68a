"""Mails that a mailbox does not give out, or that are too large."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from adjudicator.mail.office import MOST_TURNS

Mailroom = Any


DAY = 86_400


def test_a_mail_that_the_server_does_not_give(mailroom: Callable[..., Mailroom]) -> None:
    """It is named, the mails behind it are read at once; after three turns it is set aside."""
    room = mailroom().begin()
    name = room.box.put(b"From: a@example.com\n\nhi\n")
    room.box.broken.add(name)
    room.box.put(room.order("alice", "start C4"))
    for turn in range(MOST_TURNS):
        (fault,) = room.turn().faults
        assert name in fault
        assert list(room.host.folder.waiting()) == ["alice"]
        assert ("set aside" in fault) == (turn == MOST_TURNS - 1)
    assert room.turn().faults == []
    assert list(room.box.aside) == [name]
    assert room.box.held == {}


def test_deadlines_pass_behind_a_broken_mail(mailroom: Callable[..., Mailroom]) -> None:
    """It may be Bob's order, so they wait for three turns; then they pass."""
    room = mailroom().begin()
    room.box.broken.add(room.box.put(b"From: a@example.com\n\nhi\n"))
    room.clock.skip(3 * DAY)
    for _ in range(MOST_TURNS - 1):
        room.turn()
        assert room.record.last_step() == 0
    room.turn()
    assert room.record.last_step() == 1


def test_a_mail_that_cannot_be_moved_either(mailroom: Callable[..., Mailroom]) -> None:
    """A server that neither gives a mail out nor moves it stops nothing, and is asked no more."""
    from adjudicator.mail.mailboxes import Down

    room = mailroom().begin()
    name = room.box.put(b"From: a@example.com\n\nhi\n")
    room.box.broken.add(name)

    def fails(name: str) -> None:
        raise Down("MOVE failed")

    room.box.set_aside = fails
    for _ in range(MOST_TURNS):
        assert room.turn().faults
    assert room.turn().faults == []
    room.box.put(room.order("alice", "start C4"))
    room.turn()
    assert list(room.host.folder.waiting()) == ["alice"]


def test_an_order_with_a_photo(mailroom: Callable[..., Mailroom]) -> None:
    """Too large to be read: the player is told at once, and can send it without."""
    from adjudicator.mail.mailboxes import TooBig

    room = mailroom().begin()
    mail = room.order("alice", "start C4") + b"x" * 5_000_000
    name = room.box.put(mail)

    def read(asked: str) -> bytes:
        if asked == name:
            raise TooBig(len(mail), mail[:65_536])
        return bytes(room.box.held[asked])

    room.box.read = read
    room.turn()
    assert "too-big" in room.last("alice")
    assert list(room.box.aside) == [name]
