"""Ways out: a Maildir, a program, a server that is not there. `real/` has servers."""

from __future__ import annotations

import smtplib
from pathlib import Path
from typing import Any, ClassVar

import pytest
from desks import program

from adjudicator.mail import logins, mailboxes, senders
from adjudicator.mail.mailboxes import MailboxDown
from adjudicator.mail.senders import NotSent
from orders.errors import Refused

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


class Server:
    """An SMTP server that takes as many mails over a connection as `most`; `refuses` any other."""

    most, refuses = 1, Exception()
    connections: ClassVar[list[Server]] = []

    def __init__(self, *args: Any, **options: Any) -> None:
        self.taken: list[str] = []
        self.connections.append(self)

    def starttls(self, context: Any) -> None:
        pass

    def sendmail(self, sender: str, to: list[str], data: bytes) -> None:
        if len(self.taken) >= self.most:
            raise self.refuses
        self.taken += to

    def quit(self) -> None:
        pass


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> type[Server]:
    """The server that will be reached."""
    monkeypatch.setattr(Server, "connections", [])
    monkeypatch.setattr(smtplib, "SMTP", Server)
    return Server


ENDED = smtplib.SMTPServerDisconnected("closed")
MANY = smtplib.SMTPSenderRefused(421, b"4.7.0 too many messages", "h@e.n")
RCPT = smtplib.SMTPRecipientsRefused({"a@b.c": (421, b"4.7.0 too many")})


@pytest.mark.parametrize("ended", [ENDED, MANY, RCPT])
def test_a_server_that_takes_few_mails_by_a_connection(
    server: type[Server], monkeypatch: pytest.MonkeyPatch, ended: Exception
) -> None:
    """The others go by connections of their own, in the same turn."""
    monkeypatch.setattr(server, "refuses", ended)
    way = senders.Smtp(logins.Location("smtp", "", "mail.example.org", 25), logins.context(None))
    for number in range(3):
        way.send(str(number), "h@e.n", f"{number}@b.c", MAIL)
    assert [one.taken for one in server.connections] == [["0@b.c"], ["1@b.c"], ["2@b.c"]]


@pytest.mark.parametrize(
    ("answer", "for_good", "down"),
    [
        (smtplib.SMTPRecipientsRefused({"a@b.c": (550, b"5.1.1 no such user")}), True, False),
        (smtplib.SMTPRecipientsRefused({"a@b.c": (450, b"4.2.0 greylisted")}), False, False),
        (smtplib.SMTPDataError(554, b"5.7.1 spam"), True, False),
        (smtplib.SMTPSenderRefused(552, b"5.3.4 too large", "h@e.n"), True, False),
        (smtplib.SMTPSenderRefused(553, b"5.7.1 not owned by user", "h@e.n"), False, True),
        (smtplib.SMTPDataError(550, b"5.4.5 Daily user sending limit exceeded"), False, True),
    ],
)
def test_whose_fault_a_refusal_is(
    server: type[Server], monkeypatch: pytest.MonkeyPatch,
    answer: Exception, for_good: bool, down: bool,
) -> None:  # fmt: skip
    """The recipient's, the mail's, or the host's own: for that no player is called late."""
    monkeypatch.setattr(server, "most", 0)
    monkeypatch.setattr(server, "refuses", answer)
    way = senders.Smtp(logins.Location("smtp", "", "mail.example.org", 25), logins.context(None))
    with pytest.raises(NotSent) as caught:
        way.send("k", "h@e.n", "a@b.c", MAIL)
    assert (caught.value.for_good, caught.value.down) == (for_good, down)
    assert len(server.connections) == 1


def test_ways_that_are_not_there(tmp_path: Path) -> None:
    """No such program, no folder in that place: all mails wait."""
    (tmp_path / "file").write_bytes(b"")
    for way in (
        senders.Sendmail(str(tmp_path / "nowhere")),
        senders.MaildirSender(tmp_path / "file"),
    ):
        with pytest.raises(NotSent) as caught:
            way.send("k", "h@e.n", "a@b.c", MAIL)
        assert caught.value.down


def test_a_login_that_is_refused(server: type[Server], monkeypatch: pytest.MonkeyPatch) -> None:
    """A password that is not ASCII, by AUTH PLAIN: the server says no, and nothing is sent."""
    said = []

    def answer(self: Server, *words: str) -> tuple[int, bytes]:
        said.append(words)
        return 535, b"5.7.8 wrong"

    monkeypatch.setattr(server, "docmd", answer, raising=False)
    monkeypatch.setattr(server, "ehlo_or_helo_if_needed", lambda self: None, raising=False)
    monkeypatch.setattr(server, "close", lambda self: None, raising=False)
    monkeypatch.setenv("ADJUDICATOR_SMTP_PASSWORD", "wörd")
    place = logins.Location("smtp", "", "mail.example.org", 25, "me")
    with pytest.raises(NotSent, match=r"535 5\.7\.8 wrong"):
        senders.Smtp(place, logins.context(None)).send("k", "h@e.n", "a@b.c", MAIL)
    assert said == [("AUTH", "PLAIN AG1lAHfDtnJk")] * len(said)
    assert [one.taken for one in server.connections] == [[]] * len(said)


def test_no_server(tmp_path: Path) -> None:
    """Nobody listens: the mail waits, and so do all after it."""
    way = senders.Smtp(logins.Location("smtp", "", "127.0.0.1", 1), logins.context(None))
    with pytest.raises(NotSent) as caught:
        way.send("k", "h@e.n", "a@b.c", MAIL)
    assert caught.value.down
    place = logins.Location("imaps", "", "127.0.0.1", 1, "me")
    with pytest.raises(MailboxDown):
        list(mailboxes.Imap(place, logins.context(None)).mails())


# Where servers are, and where passwords may stand.


@pytest.mark.parametrize(
    "text",
    ["imaps://u:secret@example.org", "ftp://x", "imaps:", "smtp", "maildir", "imaps://u@h:99999"],
)
def test_places_refused(text: str) -> None:
    """A password in an address, an unknown scheme, no server: refused, the secret not repeated."""
    with pytest.raises(Refused) as caught:
        logins.read_place(text, ("imaps", "smtp", "maildir"))
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("command", "fault"),
    [
        ("no-such-program", "the command for tokens: FileNotFoundError"),
        ("true", "printed no token, exit code 0"),
        ("sh -c 'echo token; echo why >&2; exit 3'", "exit code 3: 'why"),
        ("echo two words", "printed no token"),
    ],
)
def test_a_command_that_prints_no_token(
    monkeypatch: pytest.MonkeyPatch, command: str, fault: str
) -> None:
    """It is told why, without what it printed."""
    monkeypatch.setenv("ADJUDICATOR_IMAP_TOKEN", command)
    login = logins.login(logins.read_place("imaps://me@mail.example.org", ("imaps",)))
    with pytest.raises(logins.NoToken, match=fault):
        login.answer()


def test_files_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A netrc file, certificates: named, with what is wrong."""
    broken = tmp_path / "broken"
    broken.write_text("machine\n")
    monkeypatch.setenv("NETRC", str(broken))
    monkeypatch.delenv("ADJUDICATOR_IMAP_PASSWORD", raising=False)
    with pytest.raises(Refused, match="bad-option: netrc file"):
        logins.login(logins.read_place("imaps://me@mail.example.org", ("imaps",)))
    for path in (broken, tmp_path / "nowhere"):
        with pytest.raises(Refused, match="bad-option: certificate file"):
            logins.context(path)


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
