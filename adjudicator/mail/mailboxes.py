"""Mailboxes, a host's and a player's: a Maildir, or a folder on an IMAP server over TLS.

A mailbox gives out its mails one by one, each with a bound on its size, and a mail that is not put
away comes again. It has two folders of its own. `Adjudicated` holds what was dealt with, and the
host's copies of what it signed (`kept`), which decide between two machines (`office.copies`).
`Set-Aside` holds what could not be dealt with, for a person.

What is hard here is IMAP. One connection does everything, and is made again after it broke, since
some servers end it over one mail that they cannot give out. The numbers of mails (UIDs) hold only
while the folder's UIDVALIDITY does. Each question names at most a few hundred mails, and heads are
fetched for many mails at once: with one question for each, a full mailbox takes minutes.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import imaplib
import os
import re
import time
from collections.abc import Callable, Container, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from itertools import zip_longest
from pathlib import Path
from ssl import SSLContext
from typing import Any, Protocol, TypeAlias

from adjudicator.core import deadlines
from adjudicator.mail import logins
from adjudicator.mail.logins import Location, fault_of
from adjudicator.mail.mime import LARGEST, Mail, read_head
from adjudicator.mail.outgoing import COPY
from adjudicator.store import files
from orders.errors import Refused
from orders.fields import Time

SCHEMES = ("imaps", "imap", "maildir")

DONE = "Adjudicated"
ASIDE = "Set-Aside"
"""The mailbox's folders for mails that were dealt with, and for mails that could not be."""

HEAD = 2**16
"""Of a mail that is too large, only so many bytes are searched for headers."""

EARLIER = 2 * deadlines.DAY
"""A person's own mailbox is looked at from so many seconds before a game on: clocks differ."""

MOST_SEEN = 10_000
"""How many Message-IDs of a person's own mails are remembered for a game."""


class MailboxDown(Exception):
    """The mailbox cannot be reached or read now."""


class Unreadable(Exception):
    """The mailbox does not give out this mail now; it may give out others."""


class TooBig(Refused):
    """A mail that is too large to be read; `head` holds its headers, as far as they are known."""

    def __init__(self, size: int, head: bytes) -> None:
        super().__init__("too-big", f"a mail of {size} bytes, at most {LARGEST} are taken",
                         "send it again without pictures or other attachments")  # fmt: skip
        self.head = head


@dataclass(frozen=True, slots=True)
class StoredMail:
    """A mail in a mailbox.

    `head` returns, at little cost, the headers that tell who may have written it, or b"". `read`
    returns its bytes, or raises Refused or Unreadable. `done` puts it away. `aside` puts it where a
    person finds it.
    """

    name: str
    head: Callable[[], bytes]
    read: Callable[[], bytes]
    done: Callable[[], None]
    aside: Callable[[], None]


Sort: TypeAlias = Callable[[list[StoredMail]], Iterable[StoredMail]]
"""Takes the mails of the mailbox, oldest first, and returns them in the order in which to read
them."""


def read_new(
    box: Mailbox, seen: Container[str], ours: Callable[[Mail], bool], warnings: list[str]
) -> Iterator[tuple[str, bytes]]:
    """Of a person's own mails those that are `ours` by their head and were not looked at before,
    by their names; of the others nothing is read but the head. `warnings` grows by those that
    cannot be read; a mailbox that cannot be reached is one of them."""

    def unseen(mails: Iterable[StoredMail]) -> Iterator[StoredMail]:
        for one in mails:
            with contextlib.suppress(Refused):
                head = read_head(one.head())
                if ours(head) and head.message_id is not None and head.message_id not in seen:
                    yield one

    try:
        with contextlib.closing(box.mails(unseen)) as stored:
            for one in stored:
                try:
                    data = one.read()
                except Unreadable as error:
                    warnings.append(f"{one.name}: it cannot be read: {error}")
                except Refused as error:
                    warnings.append(f"{one.name}: {error}")
                else:
                    yield one.name, data
    except (MailboxDown, OSError) as error:
        warnings.append(f"the mailbox: {fault_of(error)}")


class Mailbox(Protocol):
    """A mailbox."""

    def mails(self, sort: Sort = iter) -> Generator[StoredMail, None, None]:
        """The mails in it; raises Down."""

    def keep(self, mail: bytes) -> None:
        """Put a copy of the host's own among the mails that were dealt with; raises Down. It gets a
        number higher than that of every copy that was there."""

    def kept(self, mark: str) -> tuple[str, Iterable[bytes]]:
        """The host's copies that were put there since `mark`, "" for all, by their numbers; and the
        mark of now, whose last word is a number that grows, while what stands before it stays as
        long as the numbers mean the same. Raises Down."""

    def bring_back(self) -> int:
        """Put the mails that were set aside where new ones come; returns how many. Raises Down."""

    def time(self) -> Time | None:
        """The mail server's own time; None if there is no server to ask. Raises Down."""
        return None

    def close(self) -> None:
        """End the connection, if there is one: no more questions for now."""
        return


# A Maildir.


_INFO = "!" if os.name == "nt" else ":"
"""What parts a mail's name from its flags; Windows has no names with colons."""


class Maildir(Mailbox):
    """A Maildir; mails dealt with go into its folder `.Adjudicated`, others into `.Set-Aside`."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def mails(self, sort: Sort = iter) -> Generator[StoredMail, None, None]:
        """See Mailbox."""
        found: list[tuple[float, Path]] = []
        for folder in ("new", "cur"):
            try:
                for entry in os.scandir(self.root / folder):
                    # Another machine may put a mail away meanwhile.
                    with contextlib.suppress(FileNotFoundError):
                        if not entry.name.startswith("."):
                            time = entry.stat(follow_symlinks=False).st_mtime
                            found.append((time, Path(entry.path)))
            except OSError as error:
                raise MailboxDown(f"maildir:{self.root}: {fault_of(error)}") from None
        yield from sort([
            StoredMail(
                path.name.partition(_INFO)[0],
                partial(_read_head, path),
                partial(_read_file, path),
                partial(self._move, path, DONE),
                partial(self._move, path, ASIDE),
            )
            for _, path in sorted(found)
        ])  # fmt: skip

    def keep(self, mail: bytes) -> None:
        """See Mailbox. Copies have numbers for names. A link is made or is not, so two machines
        never give one number."""
        box = self.root / f".{DONE}"
        try:
            for part in ("tmp", "new", "cur"):
                files.make_folder(box / part, 0o700)
            draft = box / "tmp" / f"{os.getpid()}.{hashlib.sha256(mail).hexdigest()[:32]}"
            files.write(draft, mail, 0o600)
            number, made = max(self._numbers(), default=0), False
            while not made:
                number += 1
                with contextlib.suppress(FileExistsError):
                    (box / "cur" / _copy_name(number)).hardlink_to(draft)
                    made = True
            files.sync_folder(box / "cur")
            draft.unlink()
        except (OSError, Refused) as error:
            raise MailboxDown(fault_of(error)) from None

    def kept(self, mark: str) -> tuple[str, Iterable[bytes]]:
        """See Mailbox. The mark is the last number."""
        # A copy whose number is below another's was there before it, but a list that is read
        # meanwhile may have the later one alone.
        last = max(self._numbers(), default=0)
        since = int(mark) if mark.isdigit() and int(mark) <= last else 0
        new = sorted(number for number in self._numbers() if since < number <= last)
        box = self.root / f".{DONE}" / "cur"
        return str(last), (_read_file(box / _copy_name(number)) for number in new)

    def _numbers(self) -> list[int]:
        box = self.root / f".{DONE}" / "cur"
        try:
            found = map(_COPY_NAME.fullmatch, os.listdir(box))  # noqa: PTH208 - called often
        except FileNotFoundError:
            return []
        except OSError as error:
            raise MailboxDown(fault_of(error)) from None
        return [int(one[1]) for one in found if one is not None]

    def bring_back(self) -> int:
        """See Mailbox."""
        aside = list((self.root / f".{ASIDE}" / "cur").glob("*"))
        for path in aside:
            path.replace(self.root / "cur" / path.name)
        return len(aside)

    def _move(self, path: Path, folder: str) -> None:
        box = self.root / f".{folder}"
        for part in ("tmp", "new", "cur"):
            files.make_folder(box / part, 0o700)
        name = path.name.partition(_INFO)[0]
        # This need not be durable: a mail that is back after a power cut is recognised.
        with contextlib.suppress(FileNotFoundError):
            path.replace(box / "cur" / f"{name}{_INFO}2,S")


_COPY_NAME = re.compile(rf"0*([1-9][0-9]{{0,17}})\.copy{_INFO}2,S", re.ASCII)


def _copy_name(number: int) -> str:
    return f"{number:08d}.copy{_INFO}2,S"


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


# A folder on an IMAP server.


SECONDS = 60
CHUNK = 500
"""Mails whose headers are fetched by one command."""

TOGETHER = 100
"""Mails that are put away by one command."""

_SIZE = re.compile(rb"RFC822\.SIZE (\d{1,20})")
_UID = re.compile(rb"\bUID (\d+)")
_NUMBERS = (b"UIDVALIDITY", b"UIDNEXT")
_FAULTS = (OSError, imaplib.IMAP4.error)
_NEEDED = "FROM MESSAGE-ID IN-REPLY-TO REFERENCES SUBJECT X-ADJUDICATOR"
_HEADS = f"(RFC822.SIZE BODY.PEEK[HEADER.FIELDS ({_NEEDED})])"


class Imap:
    """A folder on an IMAP server over TLS; mails dealt with are moved into `Adjudicated`.

    If a server ends the connection over one mail that it cannot give out, the others are fetched
    over a new one. With `since` the folder is only read, and only mails of that day or later, or
    with `about` in their subject.
    """

    def __init__(
        self, place: Location, context: SSLContext, since: Time | None = None, about: str = ""
    ) -> None:
        self.place = place
        self.since, self.about = since, about
        self.context = context
        self.folder = place.path or "INBOX"
        self.abilities: frozenset[str] = frozenset()
        self.server: imaplib.IMAP4 | None = None
        self.folders: dict[str, str] = {}
        self.sizes: dict[str, int] = {}
        self.dealt_with: list[str] = []
        self.made: Any = None

    def mails(self, sort: Sort = iter) -> Generator[StoredMail, None, None]:
        """See Mailbox."""
        self.sizes.clear()
        self.dealt_with.clear()
        if self.server is None:
            self.made = None
        try:
            wanted = ["UNDELETED", *([] if self.since is None else ["SINCE", _day(self.since)])]
            if self.about:
                wanted[1:1] = ["OR", "SUBJECT", _quoted(self.about)]
            found = _ok(self._open().uid("SEARCH", *wanted))[0].split()
            numbers = [uid.decode("ascii") for uid in found]
            heads: dict[str, bytes] = {}
            stored = [
                StoredMail(
                    f"uid {number}",
                    partial(self._head, heads, numbers[at - at % CHUNK :][:CHUNK], number),
                    partial(self._read, number),
                    partial(self._done, number),
                    partial(self._move, [number], ASIDE),
                )
                for at, number in enumerate(numbers)
            ]
            yield from sort(stored)
            self._put_away()
        except GeneratorExit:
            # A mail that is not put away comes again and is recognised then.
            with contextlib.suppress(MailboxDown):
                self._put_away()
            raise
        except _FAULTS as error:
            raise MailboxDown(fault_of(error)) from None
        finally:
            self.close()

    def keep(self, mail: bytes) -> None:
        """See Mailbox."""
        with self._asked() as server:
            target = _quoted(self._folder(server, DONE))
            _ok(server.append(target, r"(\Seen)", None, mail))

    def kept(self, mark: str) -> tuple[str, list[bytes]]:
        """See Mailbox. The mark is the folder's UIDVALIDITY and UIDNEXT; the connection stays open
        for `mails`."""
        with self._asked() as server:
            folder = _quoted(self._folder(server, DONE))
            told = _joined(_ok(server.status(folder, "(UIDVALIDITY UIDNEXT)")))
            # Dovecot tells 0 while another connection makes the folder.
            made, after = (re.search(rb"%s ([1-9]\d*)" % name, told) for name in _NUMBERS)
            if made is None or after is None:
                raise imaplib.IMAP4.error(f"STATUS {told.decode('latin-1'):.120}")
            now = f"{int(made[1])} {int(after[1])}"
            if now == mark:
                return now, []
            same, _, since = mark.partition(" ")
            known = int(made[1]) == int(same or 0) and int(since) <= int(after[1])
            first = since if known else "1"
            _ok(server.select(folder, readonly=True))
            found = _ok(server.uid("SEARCH", "UID", f"{first}:*", "HEADER", "X-Adjudicator", COPY))
            numbers = found[0].decode("ascii").split()
            mails = [self._fetch(server, number, "(BODY.PEEK[])") for number in numbers]
            _ok(server.select(_quoted(_utf7(self.folder)), readonly=self.since is not None))
        return now, mails

    def bring_back(self) -> int:
        """See Mailbox."""
        with self._asked() as server:
            here = _quoted(_utf7(self.folder))
            _ok(server.select(_quoted(self._folder(server, ASIDE))))
            numbers = _ok(server.uid("SEARCH", "UNDELETED"))[0].decode("ascii").split()
            for at in range(0, len(numbers), CHUNK):
                self._move_here(server, ",".join(numbers[at : at + CHUNK]), here)
            _ok(server.select(here))
        return len(numbers)

    def time(self) -> Time | None:
        """See Mailbox. It is the date of a mail that is put there and removed again."""
        with self._asked() as server:
            folder = _quoted(self._folder(server, DONE))
            ask = b"Subject: what time is it?\r\n\r\n"
            _ok(server.append(folder, r"(\Seen \Deleted)", None, ask))
            _ok(server.select(folder))
            found = _ok(server.uid("SEARCH", "DELETED", "SUBJECT", '"what time is it?"'))[0].split()
            if not found:
                raise imaplib.IMAP4.error("the server lost a mail that was put there")
            number = found[-1].decode("ascii")
            told = _joined(_ok(server.uid("FETCH", number, "(INTERNALDATE)")))
            _ok(server.expunge())
            _ok(server.select(_quoted(_utf7(self.folder))))
        at = imaplib.Internaldate2tuple(told)
        if at is None:
            return None
        return datetime.fromtimestamp(time.mktime(at), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")

    # The connection.

    @contextlib.contextmanager
    def _asked(self) -> Iterator[imaplib.IMAP4]:
        """The connection, for some questions; a fault ends it, and raises Down."""
        try:
            yield self._open()
        except _FAULTS as error:
            self.close()
            raise MailboxDown(fault_of(error)) from None

    def _open(self) -> imaplib.IMAP4:
        if self.server is not None:
            return self.server
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
        self.server = server
        return server

    def close(self) -> None:
        """See Mailbox."""
        server, self.server = self.server, None
        if server is not None:
            try:
                server.logout()
            except _FAULTS:
                server.shutdown()

    def _log_in(self, server: imaplib.IMAP4) -> None:
        place = self.place
        if place.scheme == "imap":
            server.starttls(self.context)
        login = logins.login(place)
        if login.mechanism == "LOGIN":
            server.login(place.user, login.secret)
        else:
            # A server that refuses expects an empty answer first.
            server.authenticate(login.mechanism, lambda asked: b"" if asked else login.answer())
        # Many servers list all their capabilities only after the login; the library asks before it.
        told = _joined(_ok(server.capability())).decode("ascii", "replace")
        self.abilities = frozenset(told.upper().split())
        _ok(server.select(_quoted(_utf7(self.folder)), readonly=self.since is not None))
        made = server.response("UIDVALIDITY")[1]
        if self.made not in (None, made):
            # The numbers of this turn may now be those of other mails (RFC 3501 section 2.3.1.1).
            raise imaplib.IMAP4.abort("the folder was made anew meanwhile")
        self.made = made

    # One mail.

    def _head(self, heads: dict[str, bytes], chunk: Sequence[str], number: str) -> bytes:
        """The headers that tell who may have written a mail; those of its whole chunk are fetched
        at once."""
        if number not in heads:
            heads.update(dict.fromkeys(chunk, b""))
            try:
                found = _ok(self._open().uid("FETCH", f"{chunk[0]}:{chunk[-1]}", _HEADS))
            except _FAULTS:
                self.close()
                found = []
            for part, rest in zip_longest(found, found[1:], fillvalue=b""):
                if not isinstance(part, tuple):
                    continue
                # A server tells the parts of its answer in any order (RFC 3501 section 7.4.2).
                told = part[0] + b" " + (rest if isinstance(rest, bytes) else b"")
                uid, size = _UID.search(told), _SIZE.search(told)
                if uid is not None:
                    heads[uid[1].decode("ascii")] = part[1]
                if uid is not None and size is not None:
                    self.sizes[uid[1].decode("ascii")] = int(size[1])
        return heads[number]

    def _read(self, number: str) -> bytes:
        try:
            server = self._open()
            if number not in self.sizes:
                found = _SIZE.search(_joined(_ok(server.uid("FETCH", number, "(RFC822.SIZE)"))))
                self.sizes[number] = 0 if found is None else int(found[1])
            size = self.sizes[number]
            if size > LARGEST:
                raise TooBig(size, self._fetch(server, number, "(BODY.PEEK[HEADER])"))
            return self._fetch(server, number, "(BODY.PEEK[])")
        except _FAULTS as error:
            fault = fault_of(error)
        self.close()
        self._reconnect()
        raise Unreadable(fault)

    def _reconnect(self) -> None:
        """Connect again; raises Down if the server cannot be reached."""
        try:
            self._open()
        except _FAULTS as error:
            raise MailboxDown(fault_of(error)) from None

    def _fetch(self, server: imaplib.IMAP4, number: str, what: str) -> bytes:
        for part in _ok(server.uid("FETCH", number, what)):
            if isinstance(part, tuple):
                return bytes(part[1])
        raise Refused("missing", f"mail {number} is gone")

    def _done(self, number: str) -> None:
        """Put a mail away, together with others, because such a command is slow on some servers."""
        self.dealt_with.append(number)
        if len(self.dealt_with) >= TOGETHER:
            self._put_away()

    def _put_away(self) -> None:
        numbers, self.dealt_with = self.dealt_with, []
        try:
            self._move(numbers, DONE)
        except MailboxDown:
            # Perhaps only one of them failed; it stays, and is recognised next time.
            for number in numbers:
                self._reconnect()
                with contextlib.suppress(MailboxDown):
                    self._move([number], DONE)

    def _move(self, numbers: Sequence[str], folder: str) -> None:
        if not numbers:
            return
        with self._asked() as server:
            self._move_here(server, ",".join(numbers), self._folder(server, folder))

    def _move_here(self, server: imaplib.IMAP4, some: str, target: str) -> None:
        """Move mails of the selected folder."""
        if "MOVE" in self.abilities:
            _ok(server.uid("MOVE", some, target))
            return
        _ok(server.uid("COPY", some, target))
        _ok(server.uid("STORE", some, "+FLAGS.SILENT", r"(\Deleted)"))
        if "UIDPLUS" in self.abilities:
            _ok(server.uid("EXPUNGE", some))

    def _folder(self, server: imaplib.IMAP4, folder: str) -> str:
        """A folder of the mailbox, made if need be; some servers allow folders only under INBOX."""
        if folder not in self.folders:
            for name in (folder, f"INBOX.{folder}", f"INBOX/{folder}"):
                if server.status(name, "(MESSAGES)")[0] == "OK":
                    break
                server.create(name)
                if server.status(name, "(MESSAGES)")[0] == "OK":
                    break
            else:
                raise imaplib.IMAP4.error(f"the server cannot make the folder {folder}")
            self.folders[folder] = name
        return self.folders[folder]


def _day(time: Time) -> str:
    """A day as IMAP writes it, whatever the locale."""
    day = datetime.fromisoformat(time)
    months = "JanFebMarAprMayJunJulAugSepOctNovDec"
    return f"{day.day}-{months[3 * day.month - 3 :][:3]}-{day.year}"


def _quoted(folder: str) -> str:
    return '"' + folder.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _utf7(folder: str) -> str:
    """A folder's name as IMAP writes it (RFC 3501 section 5.1.3)."""
    out = []
    for piece in re.split(r"([^ -~]+)", folder):
        if piece and not " " <= piece[0] <= "~":
            coded = base64.b64encode(piece.encode("utf-16-be")).decode("ascii")
            out.append("&" + coded.rstrip("=").replace("/", ",") + "-")
        else:
            out.append(piece.replace("&", "&-"))
    return "".join(out)


def _ok(answer: tuple[str, Any]) -> list[Any]:
    status, data = answer
    if status != "OK":
        told = _joined([part for part in data if part is not None])
        raise imaplib.IMAP4.error(f"{status} {told.decode('latin-1'):.120}")
    return [part for part in data if part is not None] or [b""]


def _joined(parts: list[Any]) -> bytes:
    return b" ".join(part if isinstance(part, bytes) else part[0] for part in parts)


def open_source(
    text: str, ca: Path | None, offered: Time | None = None, about: str = ""
) -> Mailbox:  # fmt: skip
    """The mailbox that a command line names; raises Refused.

    A player's mailbox is read from when their game was `offered`, and nothing is changed in it.
    Mails with `about` in their subject are read, whatever their time: somebody's clock may have
    said it.
    """
    place = logins.read_place(text, SCHEMES)
    if place.scheme == "maildir":
        return Maildir(Path(place.path))
    if not place.user:
        raise Refused("bad-option", f"{text!a:.90}: expected {place.scheme}://USER@HOST")
    logins.login(place)
    since = None if offered is None else deadlines.add(offered, -EARLIER)
    return Imap(place, logins.context(ca), since, about)
