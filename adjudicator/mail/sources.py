"""Where mails come from: standard input, a Maildir, an mbox, or IMAP over TLS.

Each mail is given out with a bound on its size, and is put away once it is dealt with. A mail that
is not put away comes again.
"""

from __future__ import annotations

import contextlib
import hashlib
import mailbox
import os
import shutil
import sys
import time
from collections.abc import Generator
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from adjudicator.mail import logins
from adjudicator.mail.arrived import (
    ASIDE,
    DONE,
    HEAD,
    Arrived,
    Down,
    Mailbox,
    Sort,
    TooBig,
    Unreadable,
)
from adjudicator.mail.imap import Imap
from adjudicator.mail.logins import Location
from adjudicator.mail.mime import LARGEST
from adjudicator.mail.outbox import fault_of
from adjudicator.store import files
from orders.errors import Refused
from orders.fields import Time

SCHEMES = ("imaps", "imap", "maildir", "mbox", "-")

STALE = 1_024
"""Seconds after which the lock file of an mbox counts as left behind; procmail waits as long."""


class Stdin(Mailbox):
    """One mail on standard input, as from a `.forward`, procmail or sieve."""

    def mails(self, sort: Sort = iter) -> Generator[Arrived, None, None]:
        """See Mailbox."""
        yield Arrived("standard input", bytes, self._read, lambda: None, None)

    def _read(self) -> bytes:
        data = sys.stdin.buffer.read(LARGEST + 1)
        if len(data) > LARGEST:
            # Read to the end anyway, so that the program that pipes does not hang.
            while sys.stdin.buffer.read(2**16):
                pass
            raise TooBig("more", data[:HEAD])
        return data


class Maildir:
    """A Maildir; mails dealt with go into its folder `.Adjudicated`, others into `.Set-Aside`."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def mails(self, sort: Sort = iter) -> Generator[Arrived, None, None]:
        """See Mailbox."""
        found: list[tuple[float, Path]] = []
        for folder in ("new", "cur"):
            try:
                found += [
                    (entry.stat(follow_symlinks=False).st_mtime, Path(entry.path))
                    for entry in os.scandir(self.root / folder)
                    if not entry.name.startswith(".")
                ]
            except OSError as error:
                raise Down(fault_of(error)) from None
        yield from sort([self._arrived(path) for _, path in sorted(found)])

    def _arrived(self, path: Path) -> Arrived:
        done, aside = (partial(self._move, path, folder) for folder in (DONE, ASIDE))
        head, read = partial(_read_head, path), partial(_read_file, path)
        return Arrived(path.name.partition(":")[0], head, read, done, aside)

    def forget(self, before: Time) -> int:
        """See Mailbox. A mail that is moved keeps its time."""
        then = datetime.fromisoformat(before).timestamp()
        old = [
            path
            for path in (self.root / f".{DONE}" / "cur").glob("*")
            if path.stat(follow_symlinks=False).st_mtime < then
        ]
        for path in old:
            path.unlink()
        return len(old)

    def _move(self, path: Path, folder: str) -> None:
        box = self.root / f".{folder}"
        for part in ("tmp", "new", "cur"):
            files.make_folder(box / part, 0o700)
        name = path.name.partition(":")[0]
        # This need not be durable: a mail that is back after a power cut is recognised.
        path.replace(box / "cur" / f"{name}:2,S")


def _read_head(path: Path) -> bytes:
    """The first bytes of a mail; none if it is no file."""
    if path.is_symlink() or not path.is_file():
        return b""
    with contextlib.suppress(OSError), path.open("rb") as given:
        return given.read(8192)
    return b""


def _read_file(path: Path) -> bytes:
    try:
        if path.is_file() and not path.is_symlink() and path.stat().st_size > LARGEST:
            with path.open("rb") as given:
                raise TooBig(path.stat().st_size, given.read(HEAD))
        return files.read(path, LARGEST)
    except OSError as error:
        raise Unreadable(fault_of(error)) from None
    except Refused as error:
        # A link, a pipe or a device is never a mail; a file may be readable tomorrow.
        if error.word == "unreadable" and path.is_file() and not path.is_symlink():
            raise Unreadable(error.message) from None
        raise


class Mbox(Mailbox):
    """An mbox file. Its mails are first taken out of it, under its locks, into the state folder:
    behind those that were left there, which hold no others up."""

    def __init__(self, path: Path, work: Path) -> None:
        self.path = path
        self.work = work

    def mails(self, sort: Sort = iter) -> Generator[Arrived, None, None]:
        """See Mailbox. Only what was not dealt with is kept."""
        self._take_out()
        if not self.work.exists():
            return
        with contextlib.closing(mailbox.mbox(self.work, create=False)) as box:
            yield from sort([self._arrived(box, key) for key in sorted(box.keys())])
        if not self.work.stat().st_size:
            self.work.unlink()

    def _arrived(self, box: mailbox.mbox, key: Any) -> Arrived:
        done, aside = partial(box.discard, key), partial(self._aside, box, key)
        head, read = partial(_read_some, box, key, 8192), partial(_read_bounded, box, key)
        # The key is its place, which changes once a mail before it is gone.
        return Arrived(
            f"mail {hashlib.sha256(head().rstrip()).hexdigest()[:8]}", head, read, done, aside
        )

    def _aside(self, box: mailbox.mbox, key: Any) -> None:
        """Keep a mail in a second mbox, for a person."""
        with contextlib.closing(mailbox.mbox(self.work.with_name("set-aside"))) as other:
            other.add(box.get_bytes(key))
        box.discard(key)

    def _take_out(self) -> None:
        if not self.path.is_file() or not self.path.stat().st_size:
            return
        self._sweep()
        with contextlib.closing(mailbox.mbox(self.path, create=False)) as box:
            try:
                box.lock()
            except mailbox.Error as error:
                raise Down(fault_of(error)) from None
            try:
                self._move_all()
            finally:
                box.unlock()

    def _move_all(self) -> None:
        draft = self.work.with_suffix(".part")
        with draft.open("wb") as taken:
            for path in (self.work, self.path):
                with contextlib.suppress(FileNotFoundError), path.open("rb") as given:
                    shutil.copyfileobj(given, taken)
                    # A last line that was cut off must not swallow the next mail's first one.
                    taken.write(b"\n")
            taken.flush()
            os.fsync(taken.fileno())
        draft.replace(self.work)
        files.sync_folder(self.work.parent)
        # Cut short only once the copy is durable. A crash in between delivers these mails twice;
        # the second time they are recognised.
        with self.path.open("r+b") as given:
            given.truncate(0)

    def _sweep(self) -> None:
        """Remove what a program that was killed left: drafts of ours, and anybody's lock."""
        for draft in self.work.parent.glob(f"{self.work.name}.*"):
            draft.unlink()
        lock = self.path.with_name(f"{self.path.name}.lock")
        with contextlib.suppress(FileNotFoundError):
            if time.time() - lock.stat().st_mtime > STALE:
                lock.unlink()


def _read_some(box: mailbox.mbox, key: Any, most: int) -> bytes:
    with contextlib.closing(box.get_file(key)) as file:
        data: bytes = file.read(most)
    return data


def _read_bounded(box: mailbox.mbox, key: Any) -> bytes:
    data = _read_some(box, key, LARGEST + 1)
    if len(data) > LARGEST:
        raise TooBig("more", data[:HEAD])
    return data


def open_source(text: str, ca: Path | None, work: Path) -> Mailbox:
    """The host's mailbox that a command line names; `work` is a private folder. Raises Refused."""
    place = logins.read_place(text, SCHEMES)
    if place.scheme == "-":
        return Stdin()
    if place.scheme == "maildir":
        return Maildir(Path(place.path))
    if place.scheme == "mbox":
        return Mbox(Path(place.path), work / "mbox")
    return _imap(text, place, ca)


def open_to_read(text: str, ca: Path | None, since: Time) -> Mailbox:
    """A player's mailbox, in which nothing is changed; on IMAP only mails since then."""
    place = logins.read_place(text, ("imaps", "imap", "maildir"))
    return Maildir(Path(place.path)) if place.scheme == "maildir" else _imap(text, place, ca, since)


def _imap(text: str, place: Location, ca: Path | None, since: Time | None = None) -> Imap:
    if not place.user:
        raise Refused("bad-option", f"{text!a:.90}: expected {place.scheme}://USER@HOST")
    logins.login(place)
    return Imap(place, logins.context(ca), since)
