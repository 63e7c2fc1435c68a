"""Logins at real servers: tokens from a command, passwords and folders in any script."""

from __future__ import annotations

import imaplib
from pathlib import Path
from typing import Any

import mail_servers
import pytest
from mail_servers import Servers

from adjudicator.mail import mailboxes, senders
from adjudicator.mail.mailboxes import MailboxDown
from adjudicator.mail.senders import NotSent

MAIL = b"From: referee@example.org\r\nMessage-ID: <%s@x>\r\n\r\nhi\r\n"


def deliver(servers: Servers, user: str, *marks: str) -> None:
    """Mails for a user, at the MX."""
    way = senders.Smtp(
        senders.logins.read_place(f"smtp://localhost:{servers.smtp}", ("smtp",)),
        senders.logins.context(servers.ca),
    )
    before = len(servers.mails(user, 0))
    for at, mark in enumerate(marks, 1):
        way.send("k", "x@example.org", f"{user}@example.org", MAIL % mark.encode())
        servers.mails(user, before + at)
    way.close()


def test_tokens(postfix: Servers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """XOAUTH2 both ways, with the token that the user's command prints at each login."""
    token = tmp_path / "token"
    for name in ("IMAP", "SMTP"):
        monkeypatch.setenv(f"ADJUDICATOR_{name}_TOKEN", f"cat {token}")
        monkeypatch.delenv(f"ADJUDICATOR_{name}_PASSWORD", raising=False)
    box, place = postfix.box("token"), postfix.way("token")
    for text in ("first-token", "second-token"):
        token.write_text(f"{text}\n")
        postfix.tokens.clear()
        postfix.tokens[text] = "token"
        way = senders.open_sender(place, postfix.ca)
        way.send("k", "token@example.org", "token@example.org", MAIL % text.encode())
        way.close()
        postfix.mails("token", 1)
        (found,) = mailboxes.open_source(box, postfix.ca).mails(put_away)
        assert text in found.name
    # A token that has expired, a token of somebody else, and a command that fails.
    for text, user in (("third", None), ("fourth", "alice"), (None, None)):
        postfix.tokens.clear()
        if user is not None:
            postfix.tokens[text] = user
        token.write_text(text) if text else token.unlink()
        with pytest.raises(MailboxDown) as caught:
            list(mailboxes.open_source(box, postfix.ca).mails())
        assert text is None or text not in str(caught.value)
        with pytest.raises(NotSent) as refused:
            senders.open_sender(place, postfix.ca).send("k", "", "token@example.org", MAIL % b"no")
        assert refused.value.down
        assert not refused.value.for_good


def put_away(mails: list[Any]) -> Any:
    """Each mail, put away at once; the name tells the first Message-ID of its text."""
    for one in mails:
        data = one.read()
        one.done()
        yield type(one)(data.decode(), one.head, one.read, one.done, one.aside)


def test_a_password_in_another_script(
    postfix: Servers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is sent in UTF-8 (RFC 4616), both ways."""
    monkeypatch.setenv("ADJUDICATOR_IMAP_PASSWORD", mail_servers.FOREIGN)
    monkeypatch.setenv("ADJUDICATOR_SMTP_PASSWORD", mail_servers.FOREIGN)
    way = senders.open_sender(postfix.way("umlaut"), postfix.ca)
    way.send("k", "umlaut@example.org", "umlaut@example.org", MAIL % b"umlaut")
    way.close()
    postfix.mails("umlaut", 1)
    assert len(list(mailboxes.open_source(postfix.box("umlaut"), postfix.ca).mails())) == 1
    monkeypatch.setenv("ADJUDICATOR_SMTP_PASSWORD", "fälsch")
    with pytest.raises(NotSent, match="535"):
        senders.open_sender(postfix.way("umlaut"), postfix.ca).send("k", "", "a@b.c", MAIL % b"2")


@pytest.mark.usefixtures("_passwords")
@pytest.mark.parametrize("folder", ["Züge & Räte", 'Two "words"'])
def test_a_folder_in_another_script(postfix: Servers, tmp_path: Path, folder: str) -> None:
    """It is opened under its own name."""
    server = imaplib.IMAP4_SSL("localhost", postfix.imaps, ssl_context=postfix.context)
    server.login("carol", "secret")
    name = mailboxes._quoted(mailboxes._utf7(folder))
    assert server.create(name)[0] == "OK"
    assert server.append(name, "", "", MAIL % b"folder")[0] == "OK"
    server.logout()
    source = mailboxes.open_source(postfix.box("carol", folder.replace('"', "%22")), postfix.ca)
    (one,) = source.mails()
    assert one.name == "uid 1"


@pytest.mark.usefixtures("_passwords")
def test_heads_come_in_one_go(postfix: Servers, tmp_path: Path) -> None:
    """They tell whose each mail may be, without reading the mails one by one."""
    deliver(postfix, "heap", "a", "b", "c")
    source = mailboxes.open_source(postfix.box("heap"), postfix.ca)
    heads = [one.head() for one in source.mails()]
    assert all(head.startswith(b"From: referee@example.org") for head in heads)
    assert len(heads) == 3
