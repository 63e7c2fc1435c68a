"""What a game by mail costs: mails and bytes for a step, and time for mails in a mailbox.

`python tests/bench/by_mail.py [MAILS]` prints the sizes of entry mails with three and with eight
players, mails per step, and how a host fares with MAILS (10,000) mails in the mailbox: old ones
that were dealt with, and junk before a real order. Mailboxes are a Maildir, and Dovecot's over TLS
where it is installed and may be started. Everything is written to disk as it is in earnest.
"""

from __future__ import annotations

import contextlib
import os
import pwd
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import mail_servers
import pytest
from mail.conftest import Mailroom, plain

from adjudicator.mail import mailboxes
from adjudicator.mail.mailboxes import Mailbox
from adjudicator.mail.mime import read_mail

NAMES = ("alice", "bob", "carol", "dave", "erin", "frank", "grace", "heidi")
STEPS = 12
"""Steps over which sizes are taken; fewer where few mails are asked for."""


def sizes(folder: Path, count: int, steps: int) -> None:
    """Bytes of entry mails, and mails per step, while everybody is alive."""
    room = Mailroom(folder / str(count), NAMES[:count], {"turn_time": "3d"}).begin()
    cells = [f"{'ABCDEFGH'[n % 4 * 2]}{1 + n // 4 * 4}" for n in range(count)]
    room.play({name: f"start {cell}" for name, cell in zip(room.players, cells, strict=True)})
    before, orders, found = len(room.wire.out), 0, []
    for _ in range(steps):
        awaited = list(room.host.last.clocks.awaited)
        orders += len(awaited)
        room.play(dict.fromkeys(awaited, "ping"))
    for _, _, data in room.wire.out[before:]:
        if "] entry " in read_mail(data).subject:
            found.append(len(data))
    mails = len(room.wire.out) - before
    print(
        f"{count} players: an entry mail has {statistics.median(found):.0f} bytes (median), "
        f"{max(found)} at most; a step has {orders / steps:.1f} mails of players and "
        f"{mails / steps:.1f} of the host"
    )


def heaps(name: str, room: Mailroom, box: Path, source: Mailbox, mails: int, user: str) -> None:
    """Time for polls over old mails and over junk."""
    room.box = source
    print(f"{name}: an idle poll takes {took(room.turn) * 1e3:.0f} ms")
    fill(box / ".Adjudicated" / "cur", mails, user)
    took(room.turn)
    idle = min(took(room.turn) for _ in range(3))
    print(f"{name}: with {mails} mails that were dealt with {idle * 1e3:.0f} ms")
    fill(box / "new", mails // 2, user)
    put(box / "new" / "real", room.order("alice", "start C4"), user)
    fill(box / "new", mails // 2, user, "later")
    turns, spent, handled, answered = 0, 0.0, 0, 0
    while True:
        turns += 1
        with contextlib.closing(room.outbox()) as outbox:
            office = room.office(outbox)
            begun = time.perf_counter()
            done = office.turn(room.box, room.wire)
            spent += time.perf_counter() - begun
        handled += done.handled
        if not answered and any(b"are accepted" in data for data in room.got("alice")):
            answered = turns
            print(f"{name}: a real order among {mails} is answered in turn 1, after {spent:.1f} s"
                  if turns == 1 else f"{name}: a real order waited for turn {turns}")  # fmt: skip
        if not done.left:
            break
    print(f"{name}: all of them took {turns} turns, {spent / handled * 1e3:.1f} ms a mail")


def took(work: Callable[[], object]) -> float:
    """Seconds that something takes."""
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def fill(folder: Path, mails: int, user: str, mark: str = "junk") -> None:
    """Mails of strangers of about 4 KB."""
    folder.mkdir(parents=True, exist_ok=True)
    body = ("Buy more of what nobody needs, today and for ever! " * 2 + "\n") * 40
    for n in range(mails):
        one = plain(f"e{n}@example.com", body, mark=f"{mark}{n}")
        put(folder / f"{mark}{n:06d}{':2,S' if folder.name == 'cur' else ''}", one, user)


def put(path: Path, data: bytes, user: str) -> None:
    """A mail as a server puts it down."""
    path.write_bytes(data)
    if user:
        account = pwd.getpwnam(user)
        for one in (path, path.parent, path.parent.parent):
            os.chown(one, account.pw_uid, account.pw_gid)


def main(mails: int) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as root:
        folder = Path(root)
        for count in (3, 8):
            sizes(folder, count, min(STEPS, mails // 20))
        box = folder / "box"
        for name in ("new", "cur", "tmp"):
            (box / name).mkdir(parents=True)
        room = Mailroom(folder / "maildir").begin()
        heaps("Maildir", room, box, mailboxes.Maildir(box), mails, "")
        try:
            with mail_servers.postfix() as made:
                os.environ["ADJUDICATOR_IMAP_PASSWORD"] = mail_servers.PASSWORD
                room = Mailroom(folder / "imap").begin()
                source = mailboxes.open_source(made.box("heap"), made.ca)
                heaps("Dovecot", room, made.maildir("heap"), source, mails, mail_servers.ACCOUNT)
        except pytest.skip.Exception as reason:
            print(f"Dovecot: {reason}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
