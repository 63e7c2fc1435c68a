"""Mail servers behind sockets: IMAP (RFC 3501 with MOVE and UIDPLUS) and SMTP, as far as a mail
program asks; and the post that carries between them, which may lose, double, delay and reorder.
"""

from __future__ import annotations

import email
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random
from time import gmtime, strftime

from .world import World

HOST = "mail.example.org"


@dataclass
class Stored:
    """A mail in a folder."""

    uid: int
    data: bytes
    time: int
    flags: set[str] = field(default_factory=set)


@dataclass
class Folder:
    """A folder of a mailbox: its mails by rising number."""

    validity: int = 1
    next: int = 1
    mails: list[Stored] = field(default_factory=list)

    def put(self, data: bytes, time: int, flags: set[str] = frozenset()) -> int:  # type: ignore[assignment]
        """A mail at the end; its number."""
        self.mails.append(Stored(self.next, data, time, set(flags)))
        self.next += 1
        return self.next - 1


@dataclass
class Carried:
    """A mail on its way."""

    sender: str
    to: str
    data: bytes


class Post:
    """All mailboxes of a world, and the mails that are on their way.

    `left` is called with each mail that leaves for somebody else: whoever holds it can show it.
    """

    def __init__(self, world: World, left: Callable[[str, bytes], None]) -> None:
        self.world = world
        self.left = left
        self.boxes: dict[str, dict[str, Folder]] = {}
        self.way: list[Carried] = []
        self.stopped: set[str] = set()
        """Addresses to which nothing is delivered now; it waits."""
        self.refusing: set[str] = set()
        """Addresses whose server sends mails back."""
        self.full: set[str] = set()
        """Addresses whose mailbox takes no copy."""
        self.cut: Callable[[], int | None] = lambda: None
        """After how many bytes the next connection ends."""
        self.down = False
        self.serve()

    def serve(self) -> None:
        """Answer at the server's ports."""
        self.world.servers |= {f"{HOST}:993": lambda: Imap(self), f"{HOST}:465": lambda: Smtp(self)}

    def box(self, address: str) -> dict[str, Folder]:
        """The folders of an address, by name."""
        return self.boxes.setdefault(address, {"INBOX": Folder()})

    def inbox(self, address: str) -> Folder:
        """Where new mails of an address lie."""
        return self.box(address)["INBOX"]

    def mails(self, address: str) -> Iterator[bytes]:
        """All mails that an address ever got and still has."""
        for folder in self.box(address).values():
            yield from (one.data for one in folder.mails)

    def take(self, sender: str, to: str, data: bytes) -> None:
        """A mail is handed in: the server answers for it from now on."""
        self.way.append(Carried(sender, to, data))
        self.left(to, data)

    def deliver(self, chance: Random | None = None) -> int:
        """Mails arrive: all whose address is not stopped, or with `chance` some, in any order,
        some twice, and one in a hundred never. Returns how many arrived."""
        going = [one for one in self.way if one.to not in self.stopped]
        if chance is not None:
            going = [one for one in going if chance.random() < 0.6]
            chance.shuffle(going)
        count = 0
        for one in going:
            twice = chance is not None and chance.random() < 0.1
            lost = chance is not None and chance.random() < 0.01
            if not twice:
                self.way.remove(one)
            self.world.counts["mail doubled"] += twice
            self.world.counts["mail lost"] += lost
            if lost:
                continue
            count += 1
            if one.to in self.refusing:
                self._send_back(one)
            else:
                self.inbox(one.to).put(one.data, self.world.time)
        self.world.counts["mail delivered"] += count
        return count

    def _send_back(self, one: Carried) -> None:
        """The server's notice that a mail could not be delivered (RFC 3464)."""
        self.world.counts["mail sent back"] += 1
        if not one.sender:
            return
        head = one.data.partition(b"\r\n\r\n")[0].decode("ascii", "replace")
        text = (
            f"From: MAILER-DAEMON@example.org\r\nTo: {one.sender}\r\nSubject: returned\r\n"
            "MIME-Version: 1.0\r\nAuto-Submitted: auto-replied\r\n"
            'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n\r\n'
            "--b\r\nContent-Type: text/plain\r\n\r\nIt did not work.\r\n"
            "--b\r\nContent-Type: message/delivery-status\r\n\r\n"
            "Reporting-MTA: dns; example.org\r\n\r\n"
            f"Final-Recipient: rfc822; {one.to}\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n"
            f"--b\r\nContent-Type: text/rfc822-headers\r\n\r\n{head}\r\n\r\n--b--\r\n"
        )
        self.inbox(one.sender).put(text.encode(), self.world.time)


class Server:
    """Lines in, bytes out."""

    def __init__(self, post: Post) -> None:
        self.post = post
        self.cut = 0 if post.down else post.cut()
        self.waits = b""

    def greeting(self) -> bytes:
        """What it says first."""
        raise NotImplementedError

    def feed(self, data: bytes) -> bytes:
        """What it answers to these bytes."""
        self.waits += data
        out = b""
        while (found := self.line()) is not None:
            out += found
        return out

    def line(self) -> bytes | None:
        """The answer to the next line; None if it is not whole yet."""
        raise NotImplementedError


class Smtp(Server):
    """A server that takes mails."""

    def greeting(self) -> bytes:
        """See Server."""
        self.sender, self.to, self.body = "", "", False
        return b"220 ready\r\n"

    def line(self) -> bytes | None:
        """See Server."""
        end = b"\r\n.\r\n" if self.body else b"\r\n"
        text, there, rest = self.waits.partition(end)
        if not there:
            return None
        self.waits = rest
        if self.body:
            self.body = False
            data = text.replace(b"\r\n..", b"\r\n.") + b"\r\n"
            self.post.take(self.sender, self.to, data)
            return b"250 taken\r\n"
        said = text.decode("ascii", "replace")
        word = said.upper()
        if word.startswith("EHLO"):
            return b"250-here\r\n250 AUTH PLAIN LOGIN\r\n"
        if word.startswith("AUTH"):
            return b"235 welcome\r\n"
        if word.startswith("MAIL"):
            self.sender = said.partition("<")[2].partition(">")[0]
        elif word.startswith("RCPT"):
            self.to = said.partition("<")[2].partition(">")[0]
        elif word.startswith("DATA"):
            self.body = True
            return b"354 go on\r\n"
        elif word.startswith("QUIT"):
            return b"221 bye\r\n"
        return b"250 well\r\n"


_WORD = re.compile(rb'"((?:[^"\\]|\\.)*)"|(\([^)]*\))|([^ ]+)')


class Imap(Server):
    """A server that gives out mails."""

    def greeting(self) -> bytes:
        """See Server."""
        self.user, self.folder = "", ""
        self.literal: tuple[bytes, int] | None = None
        return b"* OK ready\r\n"

    def line(self) -> bytes | None:
        """See Server."""
        if self.literal is not None:
            head, size = self.literal
            if len(self.waits) < size + 2:
                return None
            data, self.waits = self.waits[:size], self.waits[size + 2 :]
            self.literal = None
            return self._append(head, data)
        text, there, rest = self.waits.partition(b"\r\n")
        if not there:
            return None
        self.waits = rest
        found = re.fullmatch(rb"(.*) \{(\d+)\+?\}", text)
        if found is not None:
            self.literal = found[1], int(found[2])
            return b"+ go on\r\n"
        return self._answer(text)

    @property
    def box(self) -> dict[str, Folder]:
        return self.post.box(self.user)

    @property
    def mails(self) -> list[Stored]:
        return self.box[self.folder].mails

    def _append(self, head: bytes, data: bytes) -> bytes:
        tag, _, name, *rest = self._words(head)
        if self.user in self.post.full:
            self.post.world.counts["quota full"] += 1
            return tag.encode() + b" NO [OVERQUOTA] the mailbox is full\r\n"
        flags = set(rest[0].strip("()").split()) if rest else set()
        folder = self.box[name]
        uid = folder.put(data, self.post.world.time, flags)
        return f"{tag} OK [APPENDUID {folder.validity} {uid}] put\r\n".encode()

    def _words(self, text: bytes) -> list[str]:
        return [(a or b or c).decode() for a, b, c in _WORD.findall(text)]

    def _answer(self, text: bytes) -> bytes:
        tag, word, *rest = self._words(text)
        if word.upper() == "UID":
            word, rest = f"uid_{rest[0]}", rest[1:]
        out: list[str | bytes] = []
        verdict = getattr(self, f"_{word.lower()}")(out, *rest) or "OK done"
        told = b"".join(
            b"* " + (one if isinstance(one, bytes) else one.encode()) + b"\r\n" for one in out
        )
        return told + f"{tag} {verdict}\r\n".encode()

    def _capability(self, out: list[str | bytes]) -> None:
        out.append("CAPABILITY IMAP4rev1 MOVE UIDPLUS")

    def _login(self, out: list[str | bytes], user: str, _: str) -> None:
        self.user = user if "@" in user else f"{user}@example.org"

    def _noop(self, out: list[str | bytes]) -> None:
        return

    def _logout(self, out: list[str | bytes]) -> None:
        out.append("BYE")

    def _select(self, out: list[str | bytes], name: str) -> str | None:
        if name not in self.box:
            return "NO there is no such folder"
        self.folder = name
        folder = self.box[name]
        out += [f"{len(folder.mails)} EXISTS", f"OK [UIDVALIDITY {folder.validity}] numbers",
                f"OK [UIDNEXT {folder.next}] next"]  # fmt: skip
        return None

    _examine = _select

    def _status(self, out: list[str | bytes], name: str, what: str) -> str | None:
        if name not in self.box:
            return "NO there is no such folder"
        folder = self.box[name]
        known = {"MESSAGES": len(folder.mails), "UIDVALIDITY": folder.validity,
                 "UIDNEXT": folder.next}  # fmt: skip
        told = " ".join(f"{one} {known[one]}" for one in what.strip("()").split())
        out.append(f'STATUS "{name}" ({told})')
        return None

    def _create(self, out: list[str | bytes], name: str) -> None:
        self.box.setdefault(name, Folder())

    def _uids(self, text: str) -> list[Stored]:
        """The mails of a set of numbers, such as 3:7,9 or 5:*."""
        top = max((one.uid for one in self.mails), default=0)
        wanted = []
        for part in text.split(","):
            low, _, high = part.partition(":")
            ends = [top if end == "*" else int(end) for end in (low, high or low)]
            wanted.append((min(ends), max(ends)))
        return [one for one in self.mails if any(low <= one.uid <= high for low, high in wanted)]

    def _uid_search(self, out: list[str | bytes], *words: str) -> None:
        left = list(words)
        found = list(self.mails)
        while left:
            found = self._sought(found, left)
        out.append("SEARCH " + " ".join(str(one.uid) for one in found))

    _search = _uid_search

    def _sought(self, found: list[Stored], left: list[str]) -> list[Stored]:
        """Of these mails those that fit the next key of a search."""
        word = left.pop(0).upper()
        if word == "ALL":
            return found
        if word in ("DELETED", "UNDELETED"):
            return [one for one in found if ("\\Deleted" in one.flags) == (word == "DELETED")]
        if word == "UID":
            wanted = {one.uid for one in self._uids(left.pop(0))}
            return [one for one in found if one.uid in wanted]
        if word in ("SINCE", "BEFORE"):
            day = _date(left.pop(0))
            return [one for one in found if (one.time // 86_400 >= day) == (word == "SINCE")]
        if word == "SUBJECT":
            return _holding(found, "subject", left.pop(0))
        if word == "HEADER":
            return _holding(found, left.pop(0), left.pop(0))
        if word == "NOT":
            out = {one.uid for one in self._sought(found, left)}
            return [one for one in found if one.uid not in out]
        if word == "OR":
            ways = {one.uid for _ in range(2) for one in self._sought(found, left)}
            return [one for one in found if one.uid in ways]
        raise AssertionError(f"a search for {word}")

    def _uid_fetch(self, out: list[str | bytes], numbers: str, *what: str) -> None:
        asked = " ".join(what)
        for one in self._uids(numbers):
            told = f"UID {one.uid}"
            if "RFC822.SIZE" in asked:
                told += f" RFC822.SIZE {len(one.data)}"
            if "INTERNALDATE" in asked:
                told += f' INTERNALDATE "{strftime("%d-%b-%Y %H:%M:%S +0000", gmtime(one.time))}"'
            part = None
            if "HEADER" in asked:
                part = one.data.partition(b"\r\n\r\n")[0] + b"\r\n\r\n"
            elif "BODY.PEEK[]" in asked:
                part = one.data
            place = self.mails.index(one) + 1
            if part is None:
                out.append(f"{place} FETCH ({told})")
            else:
                head = f"{place} FETCH ({told} BODY[] {{{len(part)}}}\r\n".encode()
                out.append(head + part + b")")

    def _uid_copy(self, out: list[str | bytes], numbers: str, name: str) -> str | None:
        if self.user in self.post.full:
            return "NO [OVERQUOTA] the mailbox is full"
        for one in self._uids(numbers):
            self.box[name].put(one.data, one.time, one.flags)
        return None

    def _uid_move(self, out: list[str | bytes], numbers: str, name: str) -> str | None:
        for one in self._uids(numbers):
            self.box[name].put(one.data, one.time, one.flags)
            self.mails.remove(one)
        return None

    def _uid_store(self, out: list[str | bytes], numbers: str, _: str, flags: str) -> None:
        for one in self._uids(numbers):
            one.flags |= set(flags.strip("()").split())

    def _expunge(self, out: list[str | bytes], *_: str) -> None:
        self.box[self.folder].mails = [one for one in self.mails if "\\Deleted" not in one.flags]

    _uid_expunge = _expunge


def _holding(found: list[Stored], name: str, text: str) -> list[Stored]:
    """Mails that have that text in that header."""
    return [
        one for one in found
        if any(
            text.lower() in str(value).lower()
            for value in email.message_from_bytes(one.data).get_all(name, [])
        )
    ]  # fmt: skip


def _date(text: str) -> int:
    """A day as IMAP writes it, in days since 1970."""
    from calendar import timegm
    from time import strptime

    return timegm(strptime(text, "%d-%b-%Y")) // 86_400
