"""What a host sees and sets: the log, digests, reminders, bounces in `status`, old mails."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import pytest
from click.testing import CliRunner

from adjudicator.cli import cli
from adjudicator.mail import wording
from adjudicator.mail.digest import MOST_LINES, Wanted
from adjudicator.mail.mime import read_mail
from adjudicator.mail.office import Manner, Turn

Mailroom = Any
HOUR = 3_600
DAY = 24 * HOUR
CARL = "carl@example.net"

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


def turn(room: Mailroom, manner: Manner) -> Turn:
    """A turn of a host who works so."""
    with contextlib.closing(room.outbox()) as outbox:
        return room.office(outbox, manner=manner).turn(room.box, room.wire)


def to_carl(room: Mailroom) -> list[str]:
    """The digests that were sent."""
    return [read_mail(data).text for _, to, data in room.wire.out if to == CARL]


def command(room: Mailroom, monkeypatch: pytest.MonkeyPatch, *words: str) -> str:
    """What a command prints in the host's folder."""
    monkeypatch.chdir(room.root)
    done = CliRunner().invoke(cli, [*words, "--state", "state"], prog_name="adjudicator")
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
    told = command(room, monkeypatch, "mail", "log").splitlines()
    assert f"{room.clock.now()} friday: order of bob, step 1, revision 1: accepted {mark}" in told
    assert f"{room.clock.now()} from a stranger <eve@example.org>" in told
    assert f"{room.clock.now()} dealt with before {mark}" in told
    assert f"{room.clock.now()} friday: entry 0 told to 2: genesis: alice, bob" in told


def test_bounces_are_seen(mailroom: Callable[..., Mailroom], monkeypatch: Any) -> None:
    """Whoever is quiet hears of it, and `outbox`, `status` and the digest show it."""
    room = mailroom().begin()
    assert "mails not sent" not in command(room, monkeypatch, "status", "friday")
    room.box.put(REPORT % room.got("bob")[-1].replace(b"\r\n", b"\n"))
    faults = turn(room, Manner(digest=Wanted(CARL))).faults
    line = "bounced: to bob@example.org, 0 tries: 5.1.1"
    assert ["a mail to bob@example.org came back: 5.1.1" in one for one in faults] == [True]
    assert line in command(room, monkeypatch, "mail", "outbox").splitlines()
    assert line in command(room, monkeypatch, "status", "friday").splitlines()
    assert '"state": "bounced"' in command(room, monkeypatch, "status", "friday", "--json")
    (digest,) = to_carl(room)
    assert line in digest
    assert "a mail to bob@example.org came back" in digest.partition("Since the last")[2]


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


def test_old_mails_go_once_a_day(mailroom: Callable[..., Mailroom]) -> None:
    """The mailbox is asked to forget what is older than the host says, and only then."""
    room = mailroom().begin()
    asked: list[str] = []
    room.box.forget = lambda before: asked.append(before) or 2
    turn(room, Manner())
    assert asked == []
    for _ in range(30):
        turn(room, Manner(keep=90 * DAY))
        room.clock.skip(HOUR)
    assert asked == ["2026-08-23T18:00:00Z", "2026-08-24T18:00:00Z"]
    assert "2 old mails deleted" in room.log


def test_a_maildir_forgets(tmp_path: Any) -> None:
    """What was dealt with long ago; nothing else."""
    import os

    from adjudicator.mail.sources import Maildir

    for name in ("new", "cur", "tmp"):
        (tmp_path / name).mkdir()
    for at, name in enumerate(("old", "young", "left")):
        (tmp_path / "new" / name).write_bytes(b"x")
        os.utime(tmp_path / "new" / name, (at * 10**9, at * 10**9))
    box = Maildir(tmp_path)
    for one in box.mails():
        if one.name != "left":
            one.done()
    os.utime(tmp_path / "new" / "left", (0, 0))
    assert box.forget("1990-01-01T00:00:00Z") == 1
    assert [one.name for one in box.mails()] == ["left"]
    assert [path.name for path in (tmp_path / ".Adjudicated" / "cur").iterdir()] == ["young:2,S"]
