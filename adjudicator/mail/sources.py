"""Where mails come from: standard input, a Maildir, an mbox, or IMAP over TLS.

What belongs here: giving out mails one by one, bounded, and putting each away once it is dealt
with. A mail that is not put away comes again. What it must not know: what mails say.
"""

from __future__ import annotations

import contextlib
import imaplib
import mailbox
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from ssl import SSLContext
from typing import Any, Protocol

from adjudicator import files
from adjudicator.mail import logins
from adjudicator.mail.logins import Place
from adjudicator.mail.reading import LARGEST
from adjudicator.mail.state import fault_of
from orders.errors import Refused

SECONDS = 60
SCHEMES = ("imaps", "imap", "maildir", "mbox", "-")
DONE = "Adjudicated"
"""The folder of the mailbox into which mails go that are dealt with."""

_SIZE = re.compile(rb"RFC822\.SIZE (\d+)")


class Down(Exception):
    """A mailbox that cannot be reached or read now."""


@dataclass(frozen=True, slots=True)
class Arrived:
    """A mail in a mailbox: `read` gives its bytes or raises Refused, `done` puts it away."""

    name: str
    read: Callable[[], bytes]
    done: Callable[[], None]


class Source(Protocol):
    """A mailbox."""

    def mails(self) -> Iterator[Arrived]:
        """The mails that lie there, oldest first; raises Down."""


class Stdin:
    """One mail on standard input, as from a `.forward`, procmail or sieve."""

    def mails(self) -> Iterator[Arrived]:
        """See Source."""
        yield Arrived("standard input", self._read, lambda: None)

    def _read(self) -> bytes:
        data = sys.stdin.buffer.read(LARGEST + 1)
        if len(data) > LARGEST:
            # Read to its end all the same, so that whoever pipes is not left hanging.
            while sys.stdin.buffer.read(2**16):
                pass
            raise Refused("too-big", f"a mail of more than {LARGEST} bytes")
        return data


class Maildir:
    """A Maildir; mails dealt with go into its folder `.Adjudicated`."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def mails(self) -> Iterator[Arrived]:
        """See Source."""
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
        for _, path in sorted(found):
            yield Arrived(path.name, partial(files.read, path, LARGEST), partial(self._done, path))

    def _done(self, path: Path) -> None:
        box = self.root / f".{DONE}"
        for folder in ("tmp", "new", "cur"):
            files.make_folder(box / folder, 0o700)
        name = path.name.partition(":")[0]
        path.replace(box / "cur" / f"{name}:2,S")
        files.sync_folder(box / "cur")


class Mbox:
    """An mbox file; its mails are first taken out of it, under its locks, into the state folder."""

    def __init__(self, path: Path, work: Path) -> None:
        self.path = path
        self.work = work

    def mails(self) -> Iterator[Arrived]:
        """See Source. The file taken out is removed once all its mails were dealt with."""
        if not self.work.exists():
            self._take_out()
        if not self.work.exists():
            return
        box = mailbox.mbox(self.work, create=False)
        left = set(box.keys())
        for key in sorted(left):
            yield Arrived(
                f"mail {key}", partial(_read_bounded, box, key), partial(left.discard, key)
            )
        box.close()
        if not left:
            self.work.unlink()

    def _take_out(self) -> None:
        if not self.path.is_file() or not self.path.stat().st_size:
            return
        box = mailbox.mbox(self.path, create=False)
        try:
            box.lock()
        except mailbox.Error as error:
            raise Down(fault_of(error)) from None
        try:
            draft = self.work.with_suffix(".part")
            with self.path.open("rb") as given, draft.open("wb") as taken:
                shutil.copyfileobj(given, taken)
                taken.flush()
                os.fsync(taken.fileno())
            draft.replace(self.work)
            files.sync_folder(self.work.parent)
            # Cut short only now: after a crash in between, what comes twice is taken once.
            with self.path.open("r+b") as given:
                given.truncate(0)
        finally:
            box.unlock()
            box.close()


def _read_bounded(box: mailbox.mbox, key: Any) -> bytes:
    with contextlib.closing(box.get_file(key)) as file:
        data: bytes = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise Refused("too-big", f"a mail of more than {LARGEST} bytes")
    return data


class Imap:
    """A folder on an IMAP server over TLS; mails dealt with are moved into `Adjudicated`."""

    def __init__(self, place: Place, context: SSLContext) -> None:
        self.place = place
        self.context = context
        self.folder = place.path or "INBOX"
        self.abilities: frozenset[str] = frozenset()
        self.done = DONE

    def mails(self) -> Iterator[Arrived]:
        """See Source."""
        try:
            server = self._connect()
        except (OSError, imaplib.IMAP4.error) as error:
            raise Down(fault_of(error)) from None
        try:
            for uid in _ok(server.uid("SEARCH", "UNDELETED"))[0].split():
                number = uid.decode("ascii")
                yield Arrived(
                    f"uid {number}",
                    partial(self._read, server, number),
                    partial(self._done, server, number),
                )
        except (OSError, imaplib.IMAP4.error) as error:
            raise Down(fault_of(error)) from None
        finally:
            with contextlib.suppress(OSError, imaplib.IMAP4.error):
                server.logout()

    def _connect(self) -> imaplib.IMAP4:
        place = self.place
        server: imaplib.IMAP4
        if place.scheme == "imaps":
            server = imaplib.IMAP4_SSL(
                place.host, place.port, ssl_context=self.context, timeout=SECONDS
            )
        else:
            server = imaplib.IMAP4(place.host, place.port, timeout=SECONDS)
        try:
            self._log_in(server)
        except BaseException:
            server.shutdown()
            raise
        return server

    def _log_in(self, server: imaplib.IMAP4) -> None:
        place = self.place
        if place.scheme == "imap":
            server.starttls(self.context)
        server.login(place.user, logins.password(place))
        # Many servers tell only now all that they can do; the library asks before.
        told = _joined(_ok(server.capability())).decode("ascii", "replace")
        self.abilities = frozenset(told.upper().split())
        self.done = _made_folder(server)
        _ok(server.select(f'"{self.folder}"'))

    def _read(self, server: imaplib.IMAP4, number: str) -> bytes:
        try:
            size = _SIZE.search(_joined(_ok(server.uid("FETCH", number, "(RFC822.SIZE)"))))
            if size is not None and int(size[1]) > LARGEST:
                raise Refused("too-big", f"a mail of {int(size[1])} bytes")
            for part in _ok(server.uid("FETCH", number, "(BODY.PEEK[])")):
                if isinstance(part, tuple):
                    return bytes(part[1])
        except (OSError, imaplib.IMAP4.error) as error:
            raise Down(fault_of(error)) from None
        raise Refused("missing", f"mail {number} is gone")

    def _done(self, server: imaplib.IMAP4, number: str) -> None:
        try:
            if "MOVE" in self.abilities:
                _ok(server.uid("MOVE", number, self.done))
                return
            _ok(server.uid("COPY", number, self.done))
            _ok(server.uid("STORE", number, "+FLAGS.SILENT", r"(\Deleted)"))
            if "UIDPLUS" in self.abilities:
                _ok(server.uid("EXPUNGE", number))
        except (OSError, imaplib.IMAP4.error) as error:
            raise Down(fault_of(error)) from None


def _made_folder(server: imaplib.IMAP4) -> str:
    """The folder for what is dealt with, made if need be; some servers want all under INBOX."""
    for name in (DONE, f"INBOX.{DONE}", f"INBOX/{DONE}"):
        # It is there already, all but the first time.
        server.create(name)
        if server.status(name, "(MESSAGES)")[0] == "OK":
            return name
    raise imaplib.IMAP4.error(f"the server makes no folder {DONE}")


def _ok(answer: tuple[str, Any]) -> list[Any]:
    status, data = answer
    if status != "OK":
        raise imaplib.IMAP4.error(f"{status} {data!r:.120}")
    return [part for part in data if part is not None] or [b""]


def _joined(parts: list[Any]) -> bytes:
    return b" ".join(part if isinstance(part, bytes) else part[0] for part in parts)


def open_source(text: str, ca: Path | None, work: Path) -> Source:
    """The mailbox that a command line names; `work` is a private folder. Raises Refused."""
    place = logins.read_place(text, SCHEMES)
    if place.scheme == "-":
        return Stdin()
    if place.scheme == "maildir":
        return Maildir(Path(place.path))
    if place.scheme == "mbox":
        return Mbox(Path(place.path), work / "mbox")
    if not place.user:
        raise Refused("bad-option", f"{text!a:.90}: expected {place.scheme}://USER@HOST")
    logins.password(place)
    return Imap(place, logins.context(ca))
