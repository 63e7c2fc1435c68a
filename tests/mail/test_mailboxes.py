"""Mailboxes on disk, and on an IMAP server, which is played here. `real/` has a Dovecot."""

from __future__ import annotations

import contextlib
import imaplib
import os
import re
import ssl
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from adjudicator.mail import mailboxes
from adjudicator.mail.logins import Location
from adjudicator.mail.mailboxes import Imap, MailboxDown, TooBig, Unreadable
from adjudicator.mail.mime import LARGEST
from adjudicator.store import files
from orders.errors import Refused

MAIL = b"From: a@example.org\nMessage-ID: <1@x>\n\nhi\n"


def maildir(root: Path) -> Path:
    """An empty Maildir."""
    for name in ("new", "cur", "tmp"):
        (root / name).mkdir(parents=True)
    return root


def test_maildir(tmp_path: Path) -> None:
    """Mails of both folders are given oldest first, put away only when done, others left alone."""
    box = maildir(tmp_path / "box")
    for at, name in enumerate(("new/b", "cur/a:2,S", "new/c")):
        (box / name).write_bytes(MAIL + name.encode())
        os.utime(box / name, (at, at))
    source = mailboxes.open_source(f"maildir:{box}", None)
    found = list(source.mails())
    assert [one.read()[-5:] for one in found] == [b"new/b", b"a:2,S", b"new/c"]
    found[0].done()
    assert [one.name for one in source.mails()] == ["a", "c"]
    assert [path.name for path in (box / ".Adjudicated" / "cur").iterdir()] == ["b:2,S"]


def test_maildir_with_odd_files(tmp_path: Path) -> None:
    """Row 25: links, pipes and devices in the place of mails are refused, the next mail is read."""
    box = maildir(tmp_path / "box")
    os.mkfifo(box / "new" / "1")
    (box / "new" / "2").symlink_to("/dev/zero")
    (box / "new" / "3").symlink_to(tmp_path)
    (box / "new" / "4").write_bytes(b"x" * (LARGEST + 1))
    (box / "new" / "5").write_bytes(MAIL)
    read = []
    for one in mailboxes.Maildir(box).mails():
        with contextlib.suppress(Refused):
            read.append(one.read())
        one.done()
    assert read == [MAIL]
    assert list((box / "new").iterdir()) == []


def test_a_mail_that_another_machine_put_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before it is looked at or afterwards: it is gone, and the others are given."""
    box = maildir(tmp_path / "box")
    for name in "abc":
        (box / "new" / name).write_bytes(MAIL)
    first, second, _ = mailboxes.Maildir(box).mails()
    (box / "new" / "a").unlink()
    first.done()
    second.done()
    assert [path.name for path in (box / ".Adjudicated" / "cur").iterdir()] == ["b:2,S"]
    (box / "new" / "d").write_bytes(MAIL)
    listed = list(os.scandir(box / "new"))
    (box / "new" / "c").unlink()
    scandir = os.scandir
    monkeypatch.setattr(os, "scandir", lambda path: (
        iter(listed) if path == box / "new" else scandir(path)))  # fmt: skip
    assert [one.name for one in mailboxes.Maildir(box).mails()] == ["d"]


def test_maildir_that_is_none(tmp_path: Path) -> None:
    """A folder that is no Maildir is told, and nothing is made there."""
    with pytest.raises(MailboxDown):
        list(mailboxes.Maildir(tmp_path).mails())
    assert list(tmp_path.iterdir()) == []


def test_a_mail_on_disk_that_is_too_large(tmp_path: Path) -> None:
    """Its head is read, so that its sender can be told."""
    root = maildir(tmp_path / "box")
    (root / "new" / "1").write_bytes(MAIL + b"x" * LARGEST)
    (one,) = mailboxes.Maildir(root).mails()
    with pytest.raises(TooBig) as caught:
        one.read()
    assert caught.value.head.startswith(MAIL)


@pytest.mark.parametrize("fault", [OSError(5, "broken"), Refused("unreadable", "broken")])
def test_a_disk_that_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    """The mail may be readable tomorrow; a copy that cannot be written stops the turn."""

    def fail(*args: Any) -> None:
        raise fault

    root = maildir(tmp_path / "box")
    (root / "new" / "1").write_bytes(MAIL)
    monkeypatch.setattr(files, "read", fail)
    monkeypatch.setattr(files, "write", fail)
    (one,) = mailboxes.Maildir(root).mails()
    with pytest.raises(Unreadable, match="broken"):
        one.read()
    with pytest.raises(MailboxDown, match="broken"):
        mailboxes.Maildir(root).keep(MAIL)


def test_copies_that_cannot_be_listed(tmp_path: Path) -> None:
    """They are not taken for none."""
    root = maildir(tmp_path / "box")
    assert mailboxes.Maildir(root).kept("")[0] == "0"
    (root / ".Adjudicated").mkdir()
    (root / ".Adjudicated" / "cur").touch()
    with pytest.raises(MailboxDown, match="Not a directory"):
        mailboxes.Maildir(root).kept("")


MAIL = b"From: a@example.org\nMessage-ID: <1@x>\n\nhi\n"


class Server:
    """An IMAP server's answers, as `imaplib` gives them. `said` are the commands that came.

    `broken`: mails over which it ends the connection. `gone`: mails that somebody else deleted.
    `denied`: commands that it refuses. `under`: where it wants folders. `numbers`: what it tells of
    a folder's.
    """

    def __init__(self, abilities: str = "IMAP4REV1 UIDPLUS MOVE", under: str = "") -> None:
        self.mails = {"1": MAIL, "2": MAIL + b"two\n", "3": MAIL + b"three\n"}
        self.abilities, self.under = abilities, under
        self.said: list[tuple[str, ...]] = []
        self.broken: set[str] = set()
        self.folders: set[str] = set()
        self.sizes: dict[str, int | str] = {}
        self.denied: set[str] = set()
        self.gone: set[str] = set()
        self.connections = 0
        self.made = self.made_next = b"1"
        self.numbers = b""

    def connect(self, *args: Any, **options: Any) -> Server:
        self.connections += 1
        return self

    def login(self, user: str, secret: str) -> None:
        assert secret == "pass"

    def capability(self) -> Any:
        return "OK", [self.abilities.encode()]

    def append(self, *args: Any) -> Any:
        return "OK", [b""]

    def select(self, folder: str, readonly: bool = False) -> Any:
        self.said.append(("SELECT", folder))
        return "OK", [b"3"]

    def response(self, code: str) -> Any:
        return code, [self.made]

    def status(self, folder: str, what: str) -> Any:
        return ("OK" if folder in self.folders else "NO"), [self.numbers]

    def create(self, folder: str) -> Any:
        if folder.startswith(self.under):
            self.folders.add(folder)
        return "OK", [b""]

    def expunge(self) -> Any:
        self.said.append(("EXPUNGE",))
        return "OK", [b""]

    def logout(self) -> None:
        pass

    shutdown = logout

    def uid(self, command: str, *args: str) -> Any:
        self.said.append((command, *args))
        if command in self.denied:
            return "NO", [b"not now"]
        if command == "SEARCH":
            return "OK", [" ".join(self.mails).encode()]
        if command != "FETCH":
            return "OK", [b""]
        number, what = args
        if number in self.broken:
            self.made = self.made_next
            raise imaplib.IMAP4.abort("connection closed")
        if ":" in number:
            # As some servers tell it: the number behind the headers.
            told = [((b"1 (BODY[] {9}", mail), b" UID %s)" % n.encode())
                    for n, mail in self.mails.items()]  # fmt: skip
            return "OK", [part for both in told for part in both]
        data = self.mails[number]
        if number in self.gone:
            return "OK", [None]
        if what == "(RFC822.SIZE)":
            size = self.sizes.get(number, len(data))
            return "OK", [f"{number} (RFC822.SIZE {size})".encode()]
        return "OK", [(b"1 (UID %s BODY[] {%d}" % (number.encode(), len(data)), data), b")"]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Server:
    """The server that will be reached."""
    made = Server()
    monkeypatch.setattr(imaplib, "IMAP4_SSL", made.connect)
    monkeypatch.setenv("ADJUDICATOR_IMAP_PASSWORD", "pass")
    monkeypatch.delenv("ADJUDICATOR_IMAP_TOKEN", raising=False)
    return made


def box() -> Imap:
    place = Location("imaps", "INBOX", "mail.example.org", 993, "me")
    return Imap(place, ssl.create_default_context())


def said(server: Server, *words: str) -> list[tuple[str, ...]]:
    return [one for one in server.said if one[0] in words]


@pytest.mark.parametrize(
    ("abilities", "expected"),
    [
        ("MOVE UIDPLUS", [("MOVE", "1,2,3", "Adjudicated")]),
        ("UIDPLUS", [("COPY", "1,2,3", "Adjudicated"), ("EXPUNGE", "1,2,3")]),
        # A plain EXPUNGE would remove what others have marked.
        ("IMAP4REV1", [("COPY", "1,2,3", "Adjudicated")]),
    ],
)
def test_mails_are_put_away_together(
    server: Server, abilities: str, expected: list[tuple[str, ...]]
) -> None:
    """By one command where the server has it, and otherwise without a mail of others."""
    server.abilities = abilities
    for one in box().mails():
        assert one.read().startswith(MAIL)
        one.done()
    assert said(server, "MOVE", "COPY", "EXPUNGE") == expected


@pytest.mark.parametrize("under", ["", "INBOX.", "INBOX/"])
def test_folders_where_the_server_wants_them(server: Server, under: str) -> None:
    """Some servers keep all of them under INBOX."""
    server.under = under
    for one in box().mails():
        one.done()
    assert said(server, "MOVE") == [("MOVE", "1,2,3", f"{under}Adjudicated")]


def test_a_server_that_makes_no_folder(server: Server) -> None:
    """That is told; the mails stay, and are recognised the next time."""
    server.under = "elsewhere"
    for one in box().mails():
        one.done()
    assert said(server, "MOVE", "COPY") == []
    with pytest.raises(MailboxDown, match="the server cannot make the folder Adjudicated"):
        box().keep(MAIL)


def test_a_server_that_loses_what_it_is_given(server: Server) -> None:
    """No time can be read from it, and that is told."""
    server.mails.clear()
    with pytest.raises(MailboxDown, match="the server lost a mail that was put there"):
        box().time()


@pytest.mark.parametrize(
    "ask",
    [
        lambda box: box.keep(MAIL),
        lambda box: box.kept(""),
        lambda box: box.bring_back(),
        lambda box: box.time(),
        lambda box: next(box.mails()).aside(),
    ],
)
def test_each_question_that_fails_is_told(server: Server, ask: Callable[[Imap], object]) -> None:
    """As a mailbox that is down, in the server's or the reader's words."""
    server.under = "elsewhere"
    with pytest.raises(MailboxDown, match="the server cannot make the folder"):
        ask(box())


@pytest.mark.parametrize(
    ("command", "numbers", "ask"),
    [
        ("SEARCH", b"", lambda box: list(box.mails())),
        ("", b"", lambda box: box.kept("")),
        ("", b"Adjudicated (UIDVALIDITY 0 UIDNEXT 1)", lambda box: box.kept("")),
        ("", b"Adjudicated (UIDVALIDITY 7 UIDNEXT 0)", lambda box: box.kept("")),
    ],
)
def test_answers_that_are_none(
    server: Server, command: str, numbers: bytes, ask: Callable[[Imap], object]
) -> None:
    """A command that is refused; a folder of which no numbers are told, or none that can be."""
    server.denied, server.folders = {command}, {"Adjudicated", '"Adjudicated"'}
    server.numbers = numbers
    told = "not now" if command else f"STATUS {numbers.decode()}"
    with pytest.raises(MailboxDown, match=re.escape(told)):
        ask(box())


def test_a_mail_that_somebody_deleted_meanwhile(server: Server) -> None:
    """It is not there to be read; the others are."""
    server.gone = {"2"}
    found = list(box().mails(lambda mails: [mails[1]]))
    with pytest.raises(Refused, match="missing: mail 2 is gone"):
        found[0].read()


def test_a_server_is_asked_for_its_user(server: Server) -> None:
    """Before anything is connected."""
    with pytest.raises(Refused, match=r"bad-option: .*expected imaps://USER@HOST"):
        mailboxes.open_source("imaps://mail.example.org", None)
    assert server.connections == 0


def test_a_connection_that_ends_over_one_mail(server: Server) -> None:
    """The others are fetched over another connection."""
    server.broken = {"2"}
    found: list[bytes | str] = []
    for one in box().mails():
        try:
            found.append(one.read())
        except Unreadable as error:
            found.append(str(error))
    assert found == [MAIL, "connection closed", MAIL + b"three\n"]
    assert server.connections == 2


def test_a_folder_that_was_made_anew(server: Server) -> None:
    """Its numbers are those of other mails now: none of these is put away unread."""
    server.broken, server.made_next = {"2"}, b"2"
    with pytest.raises(MailboxDown, match="made anew"):
        for one in box().mails():
            one.read()
            one.done()
    assert said(server, "MOVE") == []


def test_headers_whichever_way_the_server_tells_them(server: Server) -> None:
    """A player looks only at mails whose headers say that they are of the game."""
    heads = [[one.head() for one in found] for found in box().mails(lambda found: [found])]
    assert heads == [list(server.mails.values())]


@pytest.mark.parametrize("size", [LARGEST + 1, "9" * 5_000], ids=["mail", "number"])
def test_a_mail_that_is_too_large_is_not_fetched(server: Server, size: int | str) -> None:
    """Its size is asked for first; its headers come, so that its sender can be told.

    A server that lies may tell more digits than Python reads as a number.
    """
    server.sizes["2"] = size
    read = {}
    for one in box().mails():
        try:
            read[one.name] = one.read()
        except TooBig as error:
            assert error.head == server.mails["2"]
    assert len(read) == 2
    assert ("FETCH", "2", "(BODY.PEEK[])") not in server.said


@pytest.mark.parametrize(
    ("folder", "written"),
    [
        ("~peter/mail/台北/日本語", "~peter/mail/&U,BTFw-/&ZeVnLIqe-"),  # RFC 3501 section 5.1.3
        ("Züge & Räte", "Z&APw-ge &- R&AOQ-te"),
        ("😀", "&2D3eAA-"),
        ("INBOX", "INBOX"),
    ],
)
def test_folders_as_imap_writes_them(folder: str, written: str) -> None:
    """Modified UTF-7."""
    assert mailboxes._utf7(folder) == written
