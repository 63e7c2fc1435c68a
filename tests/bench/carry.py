"""What carrying a game costs: by mail, mails and time in a mailbox; by git, syncs and bytes.

`python tests/bench/carry.py [WHAT [NUMBER...]]`, where WHAT is

- `mail [MAILS]`: the sizes of entry mails with three and with eight players, mails per step, and
  how a host fares with MAILS (10,000) mails in the mailbox: old ones that were dealt with, and
  junk before a real order. Mailboxes are a Maildir, and Dovecot's over TLS where it is installed
  and may be started;
- `git [STEPS [SYNCS [REQUESTS]]]`: publishes a game of STEPS quiet steps (1,000), lets a player
  and a spectator take it in, syncs with REQUESTS closed pull requests (200) and with a quarter of
  them, then SYNCS times (450) while nothing happens except that days pass.

Everything is written to disk as it is in earnest; seconds are those of the clock on the wall.
"""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from frame import called

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import mail_servers
import pytest
from git_table import Table
from mailroom import Mailroom, plain

from adjudicator.git import worktree
from adjudicator.git.play_sync import PlaySync
from adjudicator.mail import mailboxes
from adjudicator.mail.mailboxes import Mailbox
from adjudicator.mail.mime import read_mail
from adjudicator.player.table import Table as PlayerTable
from adjudicator.store.record import Record

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


def mail(mails: int = 10_000) -> None:
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


FSYNC = os.fsync


def git(steps: int = 1000, syncs: int = 450, closed: int = 200) -> None:
    """A line for each act."""
    os.environ.update({"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"})
    for who in ("AUTHOR", "COMMITTER"):
        os.environ.update({f"GIT_{who}_NAME": "b", f"GIT_{who}_EMAIL": "b@b.invalid"})
    folder = Path(tempfile.mkdtemp(prefix="adjudicator-bench-"))
    try:
        table = made(folder, steps)
        os.fsync = FSYNC
        timed(f"publish {steps} steps", table.sync_host)
        timed("first sync with a seat", lambda: table.sync("bob"))
        timed("first sync without", lambda: looking(table).sync())
        timed("idle sync, host", table.sync_host)
        timed("idle sync, player", lambda: table.sync("bob"))
        requests(table, closed)
        idle(table, syncs)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def made(folder: Path, steps: int) -> Table:
    """A game whose host has played on; waits for no disk."""
    os.fsync = lambda handle: None
    table = Table(folder / "table", "sugar-dog", ("alice", "bob"), {"first": "alice"})
    table.join()
    table.start()
    table.play_quietly(steps)
    return table


def looking(table: Table) -> PlaySync:
    """Somebody without a seat, whose clone is new."""
    record = Record(table.folder / "looker")
    worktree.clone(record, table.site.address("looker"))
    return PlaySync(PlayerTable(record, None, table.clock))


def timed(what: str, act: Callable[[], Any]) -> None:
    """Do it and print how long it took."""
    began, cpu = time.monotonic(), sum(os.times()[:4])
    act()
    wall = time.monotonic() - began
    print(f"{what}: {wall:.2f} s, {sum(os.times()[:4]) - cpu:.2f} s of processors", flush=True)


def requests(table: Table, closed: int) -> None:
    """The host's sync after closed pull requests, each looked at once."""
    for number in (closed // 4, closed):
        for one in range(number):
            made = bare_git(table, "commit-tree", "main^{tree}", "-p", "main", "-m", str(one))
            bare_git(table, "update-ref", f"refs/pull/{one}/head", made)
        timed(f"first sync, host, {number} closed requests", table.sync_host)
        timed(f"idle sync, host, {number} closed requests", table.sync_host)


def bare_git(table: Table, *args: str) -> str:
    """Plain git in the server's repository."""
    return subprocess.check_output(["git", "-C", str(table.bare), *args], text=True).strip()


def idle(table: Table, syncs: int) -> None:
    """Bytes in each clone and at the server after half-hourly syncs of host and player."""
    bare_git(table, "gc", "-q", "--prune=now")
    places = {
        "host": table.record.root / ".git",
        "player": table.records["bob"].root / ".git",
        "server": table.bare,
    }
    before = {name: size(place) for name, place in places.items()}
    for number in range(syncs):
        table.clock.skip(1800)
        table.sync_host()
        table.sync("bob")
        if number == 47:
            bare_git(table, "gc", "-q")
            print(f"server after 48: {size(table.bare) - before['server']:+} bytes")
    bare_git(table, "gc", "-q")
    for name, place in places.items():
        now = size(place)
        print(f"{name} after {syncs}: {now} bytes, {now / before[name]:.2f} times those before")


def size(folder: Path) -> int:
    """Bytes of all files in a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


if __name__ == "__main__":
    called(mail, git)
