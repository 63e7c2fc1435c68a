"""How mails read."""

from __future__ import annotations

import email
import email.policy
from collections.abc import Callable
from typing import Any

from mail.conftest import OTHERWISE

from adjudicator.mail.mime import read_mail

Mailroom = Any


def test_sealed_is_sealed(mailroom: Callable[..., Mailroom]) -> None:
    """By default no cell of a player's own submarine stands readable in any mail."""
    room = mailroom().begin().play(*OTHERWISE)
    for name in room.players:
        for data in room.got(name):
            assert "C4" not in read_mail(data).text
            assert "F6" not in read_mail(data).text


def test_open_is_open(mailroom: Callable[..., Mailroom]) -> None:
    """Who asked for it in the signed join reads their board and their own news, nobody else's."""
    room = mailroom(open_for=("alice",)).begin().play(*OTHERWISE)
    told = [read_mail(one).text for one in room.got("alice") if b"] entry 1" in one]
    assert "The board as you see it" in told[0]
    assert "Your submarine starts in C4" in told[0]
    assert "Your first line can be one of these" in told[0]
    assert not any("F6" in one for one in told)
    assert all("The board" not in read_mail(one).text for one in room.got("bob"))


def test_plain_text(mailroom: Callable[..., Mailroom], example: Any) -> None:
    """Every mail is ASCII in lines of at most 78 columns, fit for any client."""
    room = mailroom(open_for=("alice",)).begin().play(*example)
    for _, _, data in room.wire.out:
        assert data.isascii()
        for line in read_mail(data).text.splitlines():
            assert len(line) <= 78
        message = email.message_from_bytes(data)
        assert message["Auto-Submitted"].startswith("auto-")
        assert message["Cc"] is None
        assert message["Bcc"] is None
        assert len(message.get_all("To")) == 1


def test_what_is_awaited(mailroom: Callable[..., Mailroom], example: Any) -> None:
    """A mail says what happened, who is awaited until when, and has an order form for who is."""
    room = mailroom().begin().play(*example[:2])
    assert "bob: turn, until Tue 24 Nov 2026, 18:00 UTC" in room.last("bob")
    form = room.last("bob")
    assert "adjudicator order friday orders.txt --seat bob.seat --mail" in form
    assert "adjudicator order" not in room.last("alice")
