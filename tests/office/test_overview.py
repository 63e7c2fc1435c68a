"""The mail to a host when something needs a hand: what it tells, how often, to whom alone."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import pytest
from click.testing import CliRunner
from mailroom import CARL, HOST, to_carl

from adjudicator.cli import cli
from adjudicator.mail.mime import read_mail
from adjudicator.mail.senders import NotSent
from adjudicator.office import overview
from adjudicator.office.office import Settings

Mailroom = Any

HOUR = 3_600
DAY = 24 * HOUR


def subjects(room: Mailroom) -> list[str]:
    return [read_mail(data).subject for _, to, data in room.wire.out if to == CARL]


def test_nothing_is_told_while_nothing_needs_a_hand(
    mailroom: Callable[..., Mailroom], write: Any
) -> None:
    """Games that go on, orders, strangers' mails and a missed deadline are no host's work."""
    room = mailroom().begin()
    settings = Settings(alarm=CARL, clock_is_right=True)
    for n in range(4):
        room.box.put(write(f"e{n}@example.com", "buy", mark=f"e{n}"))
        room.turn(settings=settings)
        room.clock.skip(DAY)
    assert room.host.last.step > 0
    assert to_carl(room) == []


def test_what_needs_a_hand_is_told_at_once_and_then_daily(
    mailroom: Callable[..., Mailroom],
) -> None:
    """With that in the subject, and every game; other numbers in the same words are nothing new."""
    room = mailroom().begin()
    settings = Settings(alarm=CARL, clock_is_right=True)
    room.box.put(room.order("alice", "start C4"))
    room.wire.refused = {"alice@example.org"}
    room.turn(settings=settings)
    for _ in range(3):
        room.clock.skip(HOUR)
        room.turn(settings=settings)
    assert subjects(room) == ["1 needs a hand; 1 game"]
    said = to_carl(room)[0].replace("\r", "")
    assert said.startswith("1 needs a hand:\n  not sent yet: to alice@example.org, 1 tries, due ")
    assert "450 mailbox unavailable" in said
    assert "\nfriday: Sugar Dog, as host: bob's setup, until " in said
    assert "; in: alice\n" in said
    assert "Times are those of the host's machine" in said
    assert "C4" not in said
    room.clock.skip(DAY)
    room.turn(settings=settings)
    assert len(to_carl(room)) == 2
    room.wire.refused = set()
    room.clock.skip(DAY)
    room.turn(settings=settings)
    room.clock.skip(DAY)
    room.turn(settings=settings)
    assert len(to_carl(room)) == 3, "a mail that has left needs none"


def test_a_clock_that_is_set_back(mailroom: Callable[..., Mailroom]) -> None:
    """A mail from next year does not keep today's away."""
    room = mailroom().begin()
    settings = Settings(alarm=CARL, clock_is_right=True)
    with contextlib.closing(room.outbox()) as outbox:
        outbox.note("set aside: 00001: it cannot be read", "2030-01-01T00:00:00Z")
        outbox.mark("alarm", "2030-01-01T00:00:00Z")
        outbox.keep_note("alarm told", "set aside: 0: it cannot be read")
    room.turn(settings=settings)
    assert len(to_carl(room)) == 1


def test_a_mail_that_cannot_be_made(mailroom: Callable[..., Mailroom], monkeypatch: Any) -> None:
    """Whatever is wrong with it, receipts leave."""
    room = mailroom().begin()
    monkeypatch.setattr(overview, "undelivered", lambda *given: 1 // 0)
    room.box.put(room.order("alice", "start C4"))
    before = len(room.got("alice"))
    found = room.turn(settings=Settings(alarm=CARL)).faults
    assert "the mail to the host: ZeroDivisionError" in found[0]
    assert len(room.got("alice")) == before + 1
    assert to_carl(room) == []


def test_a_server_that_names_each_try(mailroom: Callable[..., Mailroom]) -> None:
    """Its words are other ones each time, and tell nothing new."""
    room = mailroom().begin()
    room.box.put(room.order("alice", "start C4"))
    for mark in ("a640c23", "ffacd0b", "77b012a"):
        room.wire.fault = NotSent(f"421 4.7.0 Later. {mark} - gsmtp", down=True)
        room.turn(settings=Settings(alarm=CARL, clock_is_right=True))
        room.clock.skip(HOUR)
    room.wire.fault = None
    room.turn()
    assert len(to_carl(room)) == 1


def test_the_same_trouble_of_two_games(mailroom: Callable[..., Mailroom]) -> None:
    """Numbers in their names tell them apart: one after the other, both are told at once."""
    room = mailroom().begin()
    for name in ("sugar-dog-1234", "sugar-dog-9876"):
        with contextlib.closing(room.outbox()) as outbox:
            outbox.keep_note("games under way", f'{{"gone": "{name}"}}')
        room.turn(settings=Settings(alarm=CARL, clock_is_right=True))
    assert [said.count("left out now") for said in to_carl(room)] == [1, 1]


def test_it_is_bounded(mailroom: Callable[..., Mailroom]) -> None:
    """A flood of mails that nobody can read fills no mail, and faults that change send few."""
    room = mailroom().begin()
    settings = Settings(alarm=CARL, clock_is_right=True)
    with contextlib.closing(room.outbox()) as outbox:
        for n in range(3 * overview.MOST):
            outbox.note(f"set aside: {n}: unreadable", room.clock.now())
    room.turn(settings=settings)
    (said,) = to_carl(room)
    assert said.count("set aside") == overview.MOST
    assert f"set aside: {3 * overview.MOST - 1}: " in said
    for n in range(20):
        with contextlib.closing(room.outbox()) as outbox:
            outbox.note(f"set aside: {chr(97 + n)}: unreadable", room.clock.now())
        room.turn(settings=settings)
    assert len(to_carl(room)) == 4


def test_a_way_out_that_is_closed_is_told_later(mailroom: Callable[..., Mailroom]) -> None:
    """The mail waits with the others, and what failed stays in the state for `status`."""
    room = mailroom().begin()
    room.box.put(room.order("alice", "start C4"))
    room.wire.fault = NotSent("535 authentication failed", down=True)
    room.turn(settings=Settings(alarm=CARL, clock_is_right=True))
    assert to_carl(room) == []
    with contextlib.closing(room.outbox()) as outbox:
        _, faults = overview.last_turn(outbox)
        assert faults == ["a mail to alice@example.org was not sent: 535 authentication failed"]
        told = overview.hand(outbox, room.clock.now(), [room.game.id], faults)
        assert ["535 authentication failed" in one for one in told] == [True]
    assert HOST not in {to for _, to, _ in room.wire.out}


# What a host sees and sets: the log, digests, reminders, bounces in `status`.


REPORT = b"""\
From: MAILER-DAEMON@mail.example.org
Content-Type: multipart/report; report-type=delivery-status; boundary="=b"

--=b
Content-Type: message/delivery-status

Action: failed
Status: 5.1.1

--=b
Content-Type: message/rfc822

%s
--=b--
"""


def command(room: Mailroom, monkeypatch: pytest.MonkeyPatch, *words: str, code: int = 0) -> str:
    """What a command prints in the host's folder; it ends with that code."""
    monkeypatch.chdir(room.root)
    monkeypatch.setenv("ADJUDICATOR_MAIL_STATE", "state")
    done = CliRunner().invoke(cli, words, prog_name="adjudicator")
    assert done.exit_code == code, done.output
    return done.stdout


def test_the_log(mailroom: Callable[..., Mailroom], write: Any, monkeypatch: Any) -> None:
    """Did Bob's order come, and was it good? Who, game, step, revision, status, Message-ID."""
    room = mailroom().begin()
    order = room.order("bob", "start C1")
    mark = read_mail(order).message_id
    room.box.put(order)
    room.box.put(write("eve@example.com", "hello", mark="eve"))
    room.turn()
    room.box.put(order)
    room.turn()
    # By this machine's clock the mailbox was read long ago.
    told = command(room, monkeypatch, "status", "-v", code=3).splitlines()
    assert f"{room.clock.now()} friday: order of bob, step 1, revision 1: accepted {mark}" in told
    assert f"{room.clock.now()} from a stranger <eve@example.org>" in told
    assert f"{room.clock.now()} dealt with before {mark}" in told
    assert f"{room.clock.now()} friday: entry 0 told to 2: the game begins: alice, bob" in told


def test_a_mail_set_aside_is_one_thing(mailroom: Callable[..., Mailroom]) -> None:
    """Once in what needs a hand, in the turn that sets it aside and after it; and told once."""
    room = mailroom().begin()
    room.box.put(b"From: x@example.org\n" + b"--\n" * 5000)
    settings = Settings(alarm=CARL)
    room.turn(settings=settings)
    (told,) = to_carl(room)
    assert "1 needs a hand" in told
    assert told.count("set aside") == 1
    for _ in range(3):
        room.turn(settings=settings)
    assert len(to_carl(room)) == 1


def test_bounces_are_seen(mailroom: Callable[..., Mailroom], monkeypatch: Any) -> None:
    """Whoever is quiet hears of it, and `status` and the mail to the host show it."""
    room = mailroom().begin()
    assert "mails not sent" not in command(room, monkeypatch, "status", "-g", "friday")
    room.box.put(REPORT % room.got("bob")[-1].replace(b"\r\n", b"\n"))
    faults = room.turn(settings=Settings(alarm=CARL)).faults
    line = "came back: to bob@example.org, 0 tries: 5.1.1"
    assert ["a mail to bob@example.org came back: 5.1.1" in one for one in faults] == [True]
    assert line in command(room, monkeypatch, "status", "-g", "friday").splitlines()
    assert '"state": "bounced"' in command(room, monkeypatch, "status", "-g", "friday", "--json")
    (told,) = to_carl(room)
    assert f"  {line}" in told
