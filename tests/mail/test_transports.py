"""Mailboxes and ways out on disk, and where passwords may stand."""

from __future__ import annotations

import contextlib
import io
import mailbox
import os
import stat
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from adjudicator.mail import logins, senders, sources
from adjudicator.mail.arrived import Down
from adjudicator.mail.mime import LARGEST
from adjudicator.mail.senders import NotSent
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
    source = sources.open_source(f"maildir:{box}", None, tmp_path)
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
    for one in sources.Maildir(box).mails():
        with contextlib.suppress(Refused):
            read.append(one.read())
        one.done()
    assert read == [MAIL]
    assert list((box / "new").iterdir()) == []


def test_maildir_that_is_none(tmp_path: Path) -> None:
    """A folder that is no Maildir is told, and nothing is made there."""
    with pytest.raises(Down):
        list(sources.Maildir(tmp_path).mails())
    assert list(tmp_path.iterdir()) == []


def mbox(path: Path, *bodies: str) -> None:
    """An mbox with a mail for each body."""
    box = mailbox.mbox(path)
    for body in bodies:
        box.add(f"From: a@example.org\nSubject: x\n\n{body}\n")
    box.close()


def test_mbox(tmp_path: Path) -> None:
    """Mails are taken out under the lock; what was not dealt with comes again, later ones after."""
    mbox(tmp_path / "mbox", "one", "From here two", "three")
    source = sources.open_source(f"mbox:{tmp_path / 'mbox'}", None, tmp_path / "state")
    (tmp_path / "state").mkdir()
    found = []
    for one in source.mails():
        found.append(one.read())
        if b"three" not in found[-1]:
            one.done()
    assert len(found) == 3
    assert b"two" in found[1]
    assert (tmp_path / "mbox").stat().st_size == 0
    mbox(tmp_path / "mbox", "four")
    for one in source.mails():
        one.done()
    assert [one.read()[-5:] for one in source.mails()] == [b"four\n"]
    assert not list((tmp_path / "state").iterdir()) or (tmp_path / "state" / "mbox").exists()


def test_mbox_that_is_not_there(tmp_path: Path) -> None:
    """No mbox file: no mail."""
    assert list(sources.Mbox(tmp_path / "mbox", tmp_path / "work").mails()) == []


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    """One mail, bounded."""
    for data, fits in ((MAIL, True), (b"x" * (LARGEST + 5), False)):
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(data)))
        (one,) = sources.Stdin().mails()
        if fits:
            assert one.read() == data
        else:
            with pytest.raises(Refused, match="too-big"):
                one.read()


def test_into_a_maildir(tmp_path: Path) -> None:
    """A mail lies there whole, once, also when it is handed over again after it was read."""
    way = senders.open_sender(f"maildir:{tmp_path / 'out'}", None)
    way.send("key", "h@example.net", "a@example.org", MAIL.replace(b"\n", b"\r\n"))
    (path,) = (tmp_path / "out" / "new").iterdir()
    assert path.read_bytes().endswith(MAIL)
    path.rename(tmp_path / "out" / "cur" / f"{path.name}:2,S")
    way.send("key", "h@example.net", "a@example.org", MAIL)
    assert list((tmp_path / "out" / "new").iterdir()) == []
    assert list((tmp_path / "out" / "tmp").iterdir()) == []


def program(path: Path, text: str) -> Path:
    """A shell script in the place of sendmail."""
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def test_sendmail(tmp_path: Path) -> None:
    """The program gets sender, recipient and the mail; no shell reads what a player wrote."""
    script = program(tmp_path / "sendmail", f'echo "$@" > {tmp_path}/args; cat > {tmp_path}/mail')
    way = senders.open_sender(f"sendmail:{script}", None)
    way.send("key", "", "a;touch$IFS@example.org", MAIL.replace(b"\n", b"\r\n"))
    assert (tmp_path / "args").read_text() == "-i -f <> -- a;touch$IFS@example.org\n"
    assert (tmp_path / "mail").read_bytes() == MAIL


@pytest.mark.parametrize(("code", "for_good"), [(75, False), (1, False), (67, True), (65, True)])
def test_sendmail_that_fails(tmp_path: Path, code: int, for_good: bool) -> None:
    """Its exit code says whether to try again."""
    script = program(tmp_path / "sendmail", f"cat > /dev/null; echo why >&2; exit {code}")
    with pytest.raises(NotSent) as caught:
        senders.Sendmail(str(script)).send("k", "h@e.n", "a@b.c", MAIL)
    assert caught.value.for_good is for_good
    assert "why" in caught.value.fault


def test_no_server(tmp_path: Path) -> None:
    """Nobody listens: the mail waits, and so do all after it."""
    way = senders.Smtp(logins.Place("smtp", "", "127.0.0.1", 1), logins.context(None))
    with pytest.raises(NotSent) as caught:
        way.send("k", "h@e.n", "a@b.c", MAIL)
    assert caught.value.down
    place = logins.Place("imaps", "", "127.0.0.1", 1, "me")
    with pytest.raises(Down):
        list(sources.Imap(place, logins.context(None)).mails())


@pytest.mark.parametrize(
    "text",
    ["imaps://u:secret@example.org", "ftp://x", "imaps:", "smtp", "maildir", "imaps://u@h:99999"],
)
def test_places_refused(text: str) -> None:
    """A password in an address, an unknown scheme, no server: refused, the secret not repeated."""
    with pytest.raises(Refused) as caught:
        logins.read_place(text, ("imaps", "smtp", "maildir"))
    assert "secret" not in str(caught.value)


def test_passwords(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment comes first, then the netrc file, for that server and user only."""
    place = logins.read_place("imaps://me%40example.org@mail.example.org/INBOX", ("imaps",))
    assert (place.user, place.port, place.path) == ("me@example.org", 993, "INBOX")
    netrc = tmp_path / "netrc"
    netrc.write_text("machine mail.example.org login me@example.org password abc\n")
    netrc.chmod(0o600)
    monkeypatch.setenv("NETRC", str(netrc))
    monkeypatch.delenv("ADJUDICATOR_IMAP_PASSWORD", raising=False)
    assert logins.login(place).secret == "abc"
    monkeypatch.setenv("ADJUDICATOR_IMAP_PASSWORD", "def")
    assert logins.login(place).secret == "def"
    monkeypatch.delenv("ADJUDICATOR_IMAP_PASSWORD")
    other = logins.read_place("imaps://you@mail.example.org", ("imaps",))
    with pytest.raises(Refused, match="no password"):
        logins.login(other)
