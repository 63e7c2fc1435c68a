"""Handing mails on, one at a time: to an SMTP server, a sendmail program or a Maildir."""

from __future__ import annotations

import base64
import hashlib
import smtplib
import socket
import subprocess
from pathlib import Path
from ssl import SSLContext
from typing import Protocol

from adjudicator.mail import logins
from adjudicator.mail.logins import Location, fault_of
from adjudicator.store import files

SECONDS = 60
SCHEMES = ("smtps", "smtp", "sendmail", "maildir")
_HOPELESS = (64, 65, 67, 68)
"""Exit codes of sendmail after which trying again is no use: usage, data, no user, no host."""


class NotSent(Exception):
    """A mail was not taken.

    `for_good`: trying again is useless. `down`: nothing can be sent now, so the next mail need not
    be tried.
    """

    def __init__(self, fault: str, *, for_good: bool = False, down: bool = False) -> None:
        super().__init__(fault)
        self.fault = fault
        self.for_good = for_good
        self.down = down


class Sender(Protocol):
    """A way to send mails."""

    def send(self, key: str, sender: str, to: str, data: bytes) -> None:
        """Hand on one mail; on return the server is responsible for it. Raises NotSent."""

    def close(self) -> None:
        """End the connection, if there is one: no more mails for now."""
        return


class Smtp:
    """An SMTP server over TLS: `smtps` from the start, `smtp` by STARTTLS, never without."""

    def __init__(self, place: Location, context: SSLContext) -> None:
        self.place = place
        self.context = context
        self.server: smtplib.SMTP | None = None

    def send(self, key: str, sender: str, to: str, data: bytes) -> None:
        """See Sender. Some servers end a connection after some mails: then the next one goes by
        another connection."""
        used = self.server is not None
        try:
            self._send(sender, to, data)
        except NotSent as error:
            if not error.down:
                raise
            self.close()
            if not used:
                raise
            self._send(sender, to, data)

    def _send(self, sender: str, to: str, data: bytes) -> None:
        try:
            if self.server is None:
                self.server = self._connect()
            self.server.sendmail(sender, [to], data)
        except smtplib.SMTPRecipientsRefused as error:
            code, text = next(iter(error.recipients.values()))
            said = ascii(text.decode("latin-1"))[1:-1]
            raise _refused(code, text, f"{code} {said:.150}", of_ours=code == 421) from None
        except smtplib.SMTPResponseException as error:
            # With 552 the mail is too large.
            of_mail = isinstance(error, smtplib.SMTPDataError) or error.smtp_code == 552
            told = error.smtp_error
            told = told if isinstance(told, bytes) else told.encode()
            raise _refused(error.smtp_code, told, fault_of(error), of_ours=not of_mail) from None
        except (OSError, smtplib.SMTPException) as error:
            raise NotSent(fault_of(error), down=True) from None

    def _connect(self) -> smtplib.SMTP:
        place = self.place
        server: smtplib.SMTP
        if place.scheme == "smtps":
            server = smtplib.SMTP_SSL(place.host, place.port, timeout=SECONDS, context=self.context)
        else:
            server = smtplib.SMTP(place.host, place.port, timeout=SECONDS)
        try:
            if place.scheme == "smtp":
                server.starttls(context=self.context)
            if place.user:
                _log_in(server, place)
        except BaseException:
            server.close()
            raise
        return server

    def close(self) -> None:
        """See Sender."""
        server, self.server = self.server, None
        if server is not None:
            try:
                server.quit()
            except (OSError, smtplib.SMTPException):
                server.close()


def _refused(code: int, text: bytes, fault: str, *, of_ours: bool) -> NotSent:
    """The error for a server's refusal; `of_ours`: it refuses the host's own address, or any mail
    now.

    5.4.5 says that the host has sent too many mails for today.
    """
    down = of_ours or text.startswith(b"5.4.5")
    return NotSent(fault, for_good=code >= 500 and not down, down=down)


def _log_in(server: smtplib.SMTP, place: Location) -> None:
    login = logins.login(place)
    if login.mechanism == "LOGIN":
        # In ASCII, by whichever mechanism the server offers.
        server.login(login.user, login.secret)
        return
    server.ehlo_or_helo_if_needed()
    answer = base64.b64encode(login.answer()).decode("ascii")
    code, text = server.docmd("AUTH", f"{login.mechanism} {answer}")
    if code == 334:
        # A server that refuses says why, and then expects an empty answer.
        code, text = server.docmd("")
    if code != 235:
        raise smtplib.SMTPAuthenticationError(code, text)


class Sendmail(Sender):
    """A program that takes mails as sendmail does."""

    def __init__(self, program: str) -> None:
        self.program = program or "/usr/sbin/sendmail"

    def send(self, key: str, sender: str, to: str, data: bytes) -> None:
        """See Sender."""
        command = [self.program, "-i", "-f", sender or "<>", "--", to]
        text = data.replace(b"\r\n", b"\n")
        try:
            done = subprocess.run(
                command, input=text, capture_output=True, timeout=SECONDS, check=False
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise NotSent(fault_of(error), down=True) from None
        if done.returncode:
            fault = f"exit {done.returncode}: {done.stderr[:150]!r}"
            hopeless = done.returncode in _HOPELESS
            # Any other fault is sendmail's own, and would hit every mail.
            raise NotSent(fault, for_good=hopeless, down=not hopeless)


class MaildirSender(Sender):
    """A Maildir; a mail that is there already is not put there twice."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def send(self, key: str, sender: str, to: str, data: bytes) -> None:
        """See Sender."""
        name = hashlib.sha256(key.encode()).hexdigest()[:32] + f".{socket.gethostname()}"
        name = name.replace("/", "_").replace(":", "_")
        try:
            for folder in ("tmp", "new", "cur"):
                files.make_folder(self.root / folder, 0o700)
            there = [self.root / "new" / name, *(self.root / "cur").glob(f"{name}*")]
            if any(path.exists() for path in there):
                return
            head = f"Return-Path: <{sender}>\nDelivered-To: {to}\n".encode()
            files.write(self.root / "tmp" / name, head + data.replace(b"\r\n", b"\n"), 0o600)
            (self.root / "tmp" / name).replace(self.root / "new" / name)
            files.sync_folder(self.root / "new")
        except OSError as error:
            raise NotSent(fault_of(error), down=True) from None


def open_sender(text: str, ca: Path | None) -> Sender:
    """The sender that a command line names; raises Refused."""
    place = logins.read_place(text, SCHEMES)
    if place.scheme == "sendmail":
        return Sendmail(place.path)
    if place.scheme == "maildir":
        return MaildirSender(Path(place.path))
    if place.user:
        logins.login(place)
    return Smtp(place, logins.context(ca))
