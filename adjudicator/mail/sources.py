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

from adjudicator.mail import logins
from adjudicator.mail.logins import Place
from adjudicator.mail.mime import LARGEST
from adjudicator.mail.outbox import fault_of
from adjudicator.store import files
from orders.errors import Refused

SECONDS = 60
SCHEMES = ("imaps", "imap", "maildir", "mbox", "-")
DONE = "Adjudicated"
ASIDE = "Set-Aside"
"""The folders of the mailbox into which mails go: dealt with, or with which nothing can be done."""

HEAD = 2**16
"""Bytes of a mail that is too large in which its headers are looked for."""

_SIZE = re.compile(rb"RFC822\.SIZE (\d+)")


class Down(Exception):
    """A mailbox that cannot be reached or read now."""


class Unreadable(Exception):
    """One mail that the mailbox does not give out now; the others it may."""


class TooBig(Refused):
    """A mail that is too large to be read; `head` are its headers, as far as they are known."""

    def __init__(self, size: int | str, head: bytes) -> None:
        super().__init__("too-big", f"a mail of {size} bytes, at most {LARGEST} are taken",
                         "send it again without pictures or other attachments")  # fmt: skip
        self.head = head


@dataclass(frozen=True, slots=True)
class Arrived:
    """A mail in a mailbox.

    `read` gives its bytes, or raises Refused or Unreadable. `done` puts it away; `aside` puts it
    where a person finds it. Where that is None, whoever delivers the mail keeps it.
    """

    name: str
    read: Callable[[], bytes]
    done: Callable[[], None]
    aside: Callable[[], None] | None


class Source(Protocol):
    """A mailbox."""

    def mails(self) -> Iterator[Arrived]:
        """The mails that lie there, oldest first; raises Down."""


class Stdin:
    """One mail on standard input, as from a `.forward`, procmail or sieve."""

    def mails(self) -> Iterator[Arrived]:
        """See Source."""
        yield Arrived("standard input", self._read, lambda: None, None)

    def _read(self) -> bytes:
        data = sys.stdin.buffer.read(LARGEST + 1)
        if len(data) > LARGEST:
            # Read to its end all the same, so that whoever pipes is not left hanging.
            while sys.stdin.buffer.read(2**16):
                pass
            raise TooBig("more", data[:HEAD])
        return data


class Maildir:
    """A Maildir; mails dealt with go into its folder `.Adjudicated`, others into `.Set-Aside`."""

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
            done, aside = (partial(self._move, path, folder) for folder in (DONE, ASIDE))
            yield Arrived(path.name.partition(":")[0], partial(_read_file, path), done, aside)

    def _move(self, path: Path, folder: str) -> None:
        box = self.root / f".{folder}"
        for part in ("tmp", "new", "cur"):
            files.make_folder(box / part, 0o700)
        name = path.name.partition(":")[0]
        path.replace(box / "cur" / f"{name}:2,S")
        files.sync_folder(box / "cur")


def _read_file(path: Path) -> bytes:
    try:
        if path.is_file() and not path.is_symlink() and path.stat().st_size > LARGEST:
            with path.open("rb") as given:
                raise TooBig(path.stat().st_size, given.read(HEAD))
        return files.read(path, LARGEST)
    except OSError as error:
        raise Unreadable(fault_of(error)) from None
    except Refused as error:
        # A link, a pipe or a device is no mail and never will be; a file may be read tomorrow.
        if error.word == "unreadable" and path.is_file() and not path.is_symlink():
            raise Unreadable(error.message) from None
        raise


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
            done, aside = partial(left.discard, key), partial(self._aside, box, key, left)
            yield Arrived(f"mail {key}", partial(_read_bounded, box, key), done, aside)
        box.close()
        if not left:
            self.work.unlink()

    def _aside(self, box: mailbox.mbox, key: Any, left: set[Any]) -> None:
        """Keep a mail beside, in an mbox of its own."""
        with contextlib.closing(mailbox.mbox(self.work.with_name("set-aside"))) as other:
            other.add(box.get_bytes(key))
        left.discard(key)

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
            # Cut short only once the copy is durable. A crash in between delivers these mails
            # twice; the second time they are recognised.
            with self.path.open("r+b") as given:
                given.truncate(0)
        finally:
            box.unlock()
            box.close()


def _read_bounded(box: mailbox.mbox, key: Any) -> bytes:
    with contextlib.closing(box.get_file(key)) as file:
        data: bytes = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise TooBig("more", data[:HEAD])
    return data


class Imap:
    """A folder on an IMAP server over TLS; mails dealt with are moved into `Adjudicated`.

    A server may end the connection over one mail that it cannot give out: then the others are
    fetched over another.
    """

    def __init__(self, place: Place, context: SSLContext) -> None:
        self.place = place
        self.context = context
        self.folder = place.path or "INBOX"
        self.abilities: frozenset[str] = frozenset()
        self.server: imaplib.IMAP4 | None = None
        self.folders: dict[str, str] = {}

    def mails(self) -> Iterator[Arrived]:
        """See Source."""
        try:
            for uid in _ok(self._open().uid("SEARCH", "UNDELETED"))[0].split():
                number = uid.decode("ascii")
                yield Arrived(
                    f"uid {number}",
                    partial(self._read, number),
                    partial(self._move, number, DONE),
                    partial(self._move, number, ASIDE),
                )
        except (OSError, imaplib.IMAP4.error) as error:
            raise Down(fault_of(error)) from None
        finally:
            self._close()

    def _open(self) -> imaplib.IMAP4:
        if self.server is None:
            self.server = self._connect()
        return self.server

    def _close(self) -> None:
        server, self.server = self.server, None
        if server is not None:
            try:
                server.logout()
            except (OSError, imaplib.IMAP4.error):
                server.shutdown()

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
        _ok(server.select(f'"{self.folder}"'))

    def _read(self, number: str) -> bytes:
        try:
            server = self._open()
            size = _SIZE.search(_joined(_ok(server.uid("FETCH", number, "(RFC822.SIZE)"))))
            if size is not None and int(size[1]) > LARGEST:
                raise TooBig(int(size[1]), self._fetch(server, number, "(BODY.PEEK[HEADER])"))
            return self._fetch(server, number, "(BODY.PEEK[])")
        except (OSError, imaplib.IMAP4.error) as error:
            fault = fault_of(error)
        self._close()
        try:
            self._open()
        except (OSError, imaplib.IMAP4.error) as error:
            raise Down(fault_of(error)) from None
        raise Unreadable(fault)

    def _fetch(self, server: imaplib.IMAP4, number: str, what: str) -> bytes:
        for part in _ok(server.uid("FETCH", number, what)):
            if isinstance(part, tuple):
                return bytes(part[1])
        raise Refused("missing", f"mail {number} is gone")

    def _move(self, number: str, folder: str) -> None:
        try:
            server = self._open()
            if folder not in self.folders:
                self.folders[folder] = _made_folder(server, folder)
            target = self.folders[folder]
            if "MOVE" in self.abilities:
                _ok(server.uid("MOVE", number, target))
                return
            _ok(server.uid("COPY", number, target))
            _ok(server.uid("STORE", number, "+FLAGS.SILENT", r"(\Deleted)"))
            if "UIDPLUS" in self.abilities:
                _ok(server.uid("EXPUNGE", number))
        except (OSError, imaplib.IMAP4.error) as error:
            self._close()
            raise Down(fault_of(error)) from None


def _made_folder(server: imaplib.IMAP4, folder: str) -> str:
    """A folder of the mailbox, made if need be; some servers want all of them under INBOX."""
    for name in (folder, f"INBOX.{folder}", f"INBOX/{folder}"):
        if server.status(name, "(MESSAGES)")[0] == "OK":
            return name
        server.create(name)
        if server.status(name, "(MESSAGES)")[0] == "OK":
            return name
    raise imaplib.IMAP4.error(f"the server makes no folder {folder}")


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
