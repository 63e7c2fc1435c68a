"""The mails that tell players of their game: invitations, threads, reminders."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from mail.conftest import turn

from adjudicator.mail import telling
from adjudicator.mail.mime import read_mail
from adjudicator.mail.office import Manner

Mailroom = Any


HOUR = 3_600


@pytest.mark.parametrize("count", [0, 1, 2])
def test_reminders_by_option(mailroom: Callable[..., Mailroom], count: int) -> None:
    """None; one when a quarter of the time is left; or another when half is left."""
    room = mailroom(options={"turn_time": "4d"}).begin()
    room.box.put(room.order("alice", "start C4"))
    sent = []
    for _ in range(15):
        room.clock.skip(6 * HOUR)
        before = len(room.got("bob"))
        turn(room, Manner(reminders=count))
        sent.append(len(room.got("bob")) - before)
    # Every six hours: half of the time is left at the eighth turn, a quarter at the twelfth.
    expected = {0: [], 1: [11], 2: [7, 11]}[count]
    assert [at for at, mails in enumerate(sent) if mails] == expected
    assert not any(b"Subject: [friday] step 1: your orders until" in m for m in room.got("alice"))


def test_threads(mailroom: Callable[..., Mailroom], example: Any) -> None:
    """Each entry's mail answers the one before, a receipt the mail that brought the orders."""
    room = mailroom().begin()
    sent = room.order("alice", "start C4")
    room.box.put(sent)
    room.turn()
    receipt = read_mail(room.got("alice")[-1])
    assert read_mail(sent).message_id in receipt.references
    room.play({"bob": "start C1"})
    told = [read_mail(one) for one in room.got("alice") if b"] entry " in one]
    assert told[0].message_id in told[1].references


def test_two_invitations(mailroom: Callable[..., Mailroom]) -> None:
    """A lost invitation is sent again as a mail of its own."""
    room = mailroom()
    for mark in ("1", "2"):
        room.queue([telling.invitation(room.desk, room.address("alice"), mark)])
    room.turn()
    assert len({read_mail(mail).message_id for mail in room.got("alice")}) == 2
