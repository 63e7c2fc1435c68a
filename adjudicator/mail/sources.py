"""Where mails come from: a Maildir, or IMAP over TLS.

Each mail is given out with a bound on its size, and is put away once it is dealt with. A mail that
is not put away comes again.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Generator, Iterable
from datetime import datetime
from functools import partial
from pathlib import Path

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
from adjudicator.mail.mime import LARGEST
from adjudicator.mail.outbox import fault_of
from adjudicator.store import files
from orders.errors import Refused
from orders.fields import Time

SCHEMES = ("imaps", "imap", "maildir")


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

    def keep(self, mail: bytes) -> None:
        """See Mailbox."""
        box = self.root / f".{DONE}"
        try:
            for part in ("tmp", "new", "cur"):
                files.make_folder(box / part, 0o700)
            name = f"{hashlib.sha256(mail).hexdigest()[:32]}.copy:2,S"
            files.write(box / "cur" / name, mail, 0o600)
        except (OSError, Refused) as error:
            raise Down(fault_of(error)) from None

    def kept(self, mark: str) -> tuple[str, Iterable[bytes]]:
        """See Mailbox. The mark is the time of the last change to any of these files."""
        since = int(mark) if mark.isdigit() else 0
        found = []
        box = self.root / f".{DONE}" / "cur"
        for entry in os.scandir(box) if box.is_dir() else ():
            changed = entry.stat(follow_symlinks=False).st_ctime_ns
            if entry.name.endswith(".copy:2,S"):
                found.append((changed, Path(entry.path)))
        new = [path for changed, path in sorted(found) if changed > since]
        return str(max((changed for changed, _ in found), default=since)), map(_read_file, new)

    def bring_back(self) -> int:
        """See Mailbox."""
        aside = list((self.root / f".{ASIDE}" / "cur").glob("*"))
        for path in aside:
            path.replace(self.root / "cur" / path.name)
        return len(aside)

    def time(self) -> None:
        """See Mailbox. Files of this machine have times by this machine's clock."""

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


def open_source(text: str, ca: Path | None, since: Time | None = None) -> Mailbox:
    """The mailbox that a command line names; raises Refused.

    A player's mailbox is read `since` a time, and nothing is changed in it.
    """
    place = logins.read_place(text, SCHEMES)
    if place.scheme == "maildir":
        return Maildir(Path(place.path))
    if not place.user:
        raise Refused("bad-option", f"{text!a:.90}: expected {place.scheme}://USER@HOST")
    logins.login(place)
    return Imap(place, logins.context(ca), since)
