"""Ways out: a Maildir, a program, a server that is not there. `real/` has servers."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from adjudicator.mail import logins, senders, sources
from adjudicator.mail.arrived import Down
from adjudicator.mail.senders import NotSent

MAIL = b"From: a@example.org\nMessage-ID: <1@x>\n\nhi\n"


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
