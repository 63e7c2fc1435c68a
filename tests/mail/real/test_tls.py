"""What the real servers show of TLS, logins and refusals, each way in and out."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

import pytest

from adjudicator.core import deadlines
from adjudicator.mail import logins, mailboxes, senders
from adjudicator.mail.mailboxes import ASIDE, DONE, MailboxDown, TooBig, Unreadable
from adjudicator.mail.mime import read_head
from adjudicator.mail.senders import NotSent
from adjudicator.store.clock import SystemClock

Servers = Any
MAIL = b"From: referee@example.org\r\nMessage-ID: <%s@x>\r\n\r\nhi\r\n"


pytestmark = pytest.mark.usefixtures("_passwords")


@pytest.mark.parametrize(("out", "into"), [("smtp", "imaps"), ("smtps", "imap")])
def test_there_and_back(servers: Servers, tmp_path: Path, out: str, into: str) -> None:
    """A mail goes out and comes in over TLS, from the start or by STARTTLS, and is put away."""
    user = {"smtp": "frank", "smtps": "grace"}[out]
    way = senders.open_sender(servers.way(scheme=out), servers.ca)
    for number in (b"1", b"2"):
        way.send("k", "referee@example.org", f"{user}@example.org", MAIL % number)
    way.close()
    source = mailboxes.open_source(servers.box(user, scheme=into), servers.ca)
    got: list[bytes] = []
    while len(got) < 2:
        for one in source.mails():
            got.append(one.read())
            one.done()
    assert all(mail.endswith(b"\r\n\r\nhi\r\n") for mail in got)
    assert list(source.mails()) == []
    put_away = servers.box(user, DONE, into)
    assert len(list(mailboxes.open_source(put_away, servers.ca).mails())) == 2


def test_unknown_certificate(servers: Servers, tmp_path: Path) -> None:
    """A server whose certificate nobody vouches for gets no password and no mail."""
    with pytest.raises(NotSent, match="CERTIFICATE") as caught:
        senders.open_sender(servers.way(scheme="smtp"), None).send("k", "", "a@b.c", MAIL)
    assert caught.value.down
    with pytest.raises(MailboxDown, match="CERTIFICATE"):
        list(mailboxes.open_source(servers.box("frank"), None).mails())


def test_wrong_password(servers: Servers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A refused login closes the way for now; nothing is given up."""
    monkeypatch.setenv("ADJUDICATOR_SMTP_PASSWORD", "wrong")
    monkeypatch.setenv("ADJUDICATOR_IMAP_PASSWORD", "wrong")
    with pytest.raises(NotSent) as caught:
        senders.open_sender(servers.way(scheme="smtp"), servers.ca).send("k", "", "a@b.c", MAIL)
    assert caught.value.down
    assert not caught.value.for_good
    with pytest.raises(MailboxDown):
        list(mailboxes.open_source(servers.box("x"), servers.ca).mails())


def test_refused_recipient(servers: Servers) -> None:
    """The server's 550 is for good, and the next mail goes all the same."""
    way = senders.Smtp(
        logins.read_place(servers.way(scheme="smtps"), ("smtps",)), logins.context(servers.ca)
    )
    with pytest.raises(NotSent) as caught:
        way.send("k", "", "a@elsewhere.example", MAIL)
    assert caught.value.for_good
    assert not caught.value.down
    way.send("k", "", "karl@example.org", MAIL % b"3")
    way.close()


def test_a_mail_that_dovecot_cannot_read(servers: Servers, tmp_path: Path) -> None:
    """The server ends the connection over one mail: it is named, and the next one comes."""
    user = "heidi"
    way = senders.open_sender(servers.way(scheme="smtps"), servers.ca)
    for number in (b"1", b"2", b"3"):
        way.send("k", "referee@example.org", f"{user}@example.org", MAIL % number)
    way.close()
    servers.mails(user, 3)
    box = servers.maildir(user)
    broken = min((box / "new").iterdir(), key=lambda path: path.stat().st_mtime_ns)
    broken.chmod(0)
    source = mailboxes.open_source(servers.box(user), servers.ca)
    read, failed = [], []
    for one in source.mails():
        try:
            read.append(one.read())
        except Unreadable:
            failed.append(one)
    assert (len(read), len(failed)) == (2, 1)
    for one in source.mails():
        if one.name == failed[0].name and one.aside is not None:
            one.aside()
    assert len(list(source.mails())) == 2
    aside = servers.box(user, ASIDE)
    assert len(list(mailboxes.open_source(aside, servers.ca).mails())) == 1


def test_a_mail_that_is_too_large(servers: Servers, tmp_path: Path) -> None:
    """An order with a photo of five megabytes: its headers come, so that its sender is told."""
    user = "ivan"
    way = senders.open_sender(servers.way(scheme="smtps"), servers.ca)
    photo = b"From: ivan@example.org\r\nMessage-ID: <p@x>\r\n\r\n" + (b"x" * 76 + b"\r\n") * 70_000
    way.send("k", "referee@example.org", f"{user}@example.org", photo)
    way.close()
    source = mailboxes.open_source(servers.box(user), servers.ca)
    found: list[TooBig] = []
    while not found:
        for one in source.mails():
            with pytest.raises(TooBig) as caught:
                one.read()
            found.append(caught.value)
    assert read_head(found[0].head).sender == "ivan@example.org"


@pytest.mark.parametrize("together", [1, 2, 100])
def test_mails_are_put_away_together(
    servers: Servers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, together: int
) -> None:
    """However many at once, also where the reader stops early; what nobody dealt with stays."""
    monkeypatch.setattr(mailboxes, "TOGETHER", together)
    way = senders.open_sender(servers.way(scheme="smtps"), servers.ca)
    before = len(servers.mails("judy", 0))
    for number in (b"1", b"2", b"3", b"4"):
        way.send("k", "referee@example.org", "judy@example.org", MAIL % number)
    way.close()
    servers.mails("judy", before + 4)
    source = mailboxes.open_source(servers.box("judy"), servers.ca)
    with contextlib.closing(source.mails()) as mails:
        for at, one in enumerate(mails):
            if at == 3:
                break
            one.done()
    assert len(list(source.mails())) == before + 1


def test_a_mail_that_cannot_be_put_away(
    servers: Servers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others are, whatever the server says of it; it comes again."""
    way = senders.open_sender(servers.way(scheme="smtps"), servers.ca)
    for number in (b"1", b"2", b"3"):
        way.send("k", "referee@example.org", "stuck@example.org", MAIL % number)
    way.close()
    servers.mails("stuck", 3)
    source = mailboxes.open_source(servers.box("stuck"), servers.ca)
    real = type(source)._move

    def failing(self: Any, numbers: Any, folder: str) -> None:
        if "2" in numbers:
            raise MailboxDown("NO [SERVERBUG] Internal error occurred")
        real(self, numbers, folder)

    monkeypatch.setattr(type(source), "_move", failing)
    for one in source.mails():
        one.done()
    assert [one.name for one in source.mails()] == ["uid 2"]


def test_what_a_host_keeps_and_asks(servers: Servers, tmp_path: Path) -> None:
    """Its copies are found again, the new ones only; mails set aside come back; and the server says
    what time it is."""
    source = mailboxes.open_source(servers.box("erin"), servers.ca)
    none, before = source.kept("")
    copies = [MAIL.replace(b"From", b"X-Adjudicator: copy\r\nFrom") % b"copy%d" % n for n in (1, 2)]
    source.keep(copies[0])
    source.keep(MAIL % b"another")
    mark, found = source.kept(none)
    assert list(found) == copies[:1]
    assert list(source.kept(mark)[1]) == []
    source.keep(copies[1])
    assert list(source.kept("")[1]) == [*before, *copies]
    now = source.time()
    assert now is not None
    assert abs(deadlines.between(now, SystemClock().now())) < 60
    assert list(source.kept("")[1]) == [*before, *copies]
    way = senders.open_sender(servers.way(scheme="smtps"), servers.ca)
    way.send("k", "referee@example.org", "erin@example.org", MAIL % b"aside")
    way.close()
    while not (mails := list(source.mails())):
        pass
    for one in source.mails():
        one.aside()
    assert list(source.mails()) == []
    assert source.bring_back() == len(mails)
    assert len(list(source.mails())) == len(mails)
    source.close()
