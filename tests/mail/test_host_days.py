"""What a host sees and sets: the log, digests, reminders, bounces in `status`, old mails."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from click.testing import CliRunner
from mail.conftest import CARL, to_carl, turn

from adjudicator.cli import cli
from adjudicator.mail.mime import read_mail
from adjudicator.mail.office import Settings

Mailroom = Any
HOUR = 3_600
DAY = 24 * HOUR

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


def command(room: Mailroom, monkeypatch: pytest.MonkeyPatch, *words: str) -> str:
    """What a command prints in the host's folder."""
    monkeypatch.chdir(room.root)
    monkeypatch.setenv("ADJUDICATOR_MAIL_STATE", "state")
    done = CliRunner().invoke(cli, words, prog_name="adjudicator")
    assert done.exit_code == 0, done.output
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
    told = command(room, monkeypatch, "status", "-v").splitlines()
    assert f"{room.clock.now()} friday: order of bob, step 1, revision 1: accepted {mark}" in told
    assert f"{room.clock.now()} from a stranger <eve@example.org>" in told
    assert f"{room.clock.now()} dealt with before {mark}" in told
    assert f"{room.clock.now()} friday: entry 0 told to 2: genesis: alice, bob" in told


def test_bounces_are_seen(mailroom: Callable[..., Mailroom], monkeypatch: Any) -> None:
    """Whoever is quiet hears of it, and `status` and the mail to the host show it."""
    room = mailroom().begin()
    assert "mails not sent" not in command(room, monkeypatch, "status", "-g", "friday")
    room.box.put(REPORT % room.got("bob")[-1].replace(b"\r\n", b"\n"))
    faults = turn(room, Settings(alarm=CARL)).faults
    line = "bounced: to bob@example.org, 0 tries: 5.1.1"
    assert ["a mail to bob@example.org came back: 5.1.1" in one for one in faults] == [True]
    assert line in command(room, monkeypatch, "status", "-g", "friday").splitlines()
    assert '"state": "bounced"' in command(room, monkeypatch, "status", "-g", "friday", "--json")
    (told,) = to_carl(room)
    assert f"  {line}" in told


def test_old_mails_go_once_a_day(mailroom: Callable[..., Mailroom]) -> None:
    """The mailbox is asked to forget what is older than the host says, and only then."""
    room = mailroom().begin()
    asked: list[str] = []
    room.box.forget = lambda before: asked.append(before) or 2
    turn(room, Settings())
    assert asked == []
    for _ in range(30):
        turn(room, Settings(keep=90 * DAY))
        room.clock.skip(HOUR)
    assert asked == ["2026-08-23T18:00:00Z", "2026-08-24T18:00:00Z"]
    assert "2 old mails deleted" in room.log
