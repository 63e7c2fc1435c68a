"""Where a mailbox or a mail server is, how to log in there, and its faults in words.

What belongs here: addresses of servers as they are written on a command line, and finding passwords
in the environment or a netrc file, never on the command line. Instead of a password the user can
name a command that prints a token.
"""

from __future__ import annotations

import imaplib
import netrc
import os
import smtplib
import ssl
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urlsplit

from adjudicator.store import files
from orders.errors import Refused

PORTS = {"imaps": 993, "imap": 143, "smtps": 465, "smtp": 587}


@dataclass(frozen=True, slots=True)
class Location:
    """An address on the command line: `scheme` and a path, or a server with port and user ("" for
    none)."""

    scheme: str
    path: str
    host: str = ""
    port: int = 0
    user: str = ""


def read_place(text: str, schemes: tuple[str, ...]) -> Location:
    """`maildir:/path`, `imaps://user@host:993/INBOX` and the like; raises Refused."""
    scheme, colon, rest = text.partition(":")
    if not colon or scheme not in schemes:
        raise Refused(
            "bad-option", f"{text!a:.90}: expected one of {', '.join(schemes)}, as in {schemes[0]}:"
        )
    if scheme not in PORTS:
        return Location(scheme, rest)
    try:
        parts = urlsplit(text)
        port = parts.port or PORTS[scheme]
    except ValueError:
        parts, port = urlsplit(""), 0
    if parts.password is not None:
        raise Refused(
            "bad-option",
            "the address holds a password, which everybody who lists processes can see",
            f"put it into {variable(scheme)} or a netrc file",
        )
    if not parts.hostname:
        raise Refused("bad-option", f"{text!a:.90}: expected {scheme}://USER@HOST[:PORT]")
    user = unquote(parts.username or "")
    return Location(scheme, unquote(parts.path.lstrip("/")), parts.hostname, port, user)


def variable(scheme: str, what: str = "PASSWORD") -> str:
    """The environment variable for such a server's password, or for the command that prints a
    `TOKEN`."""
    return f"ADJUDICATOR_{scheme.rstrip('s').upper()}_{what}"


class NoToken(OSError):
    """The command for tokens printed none; it may print one next time."""


@dataclass(frozen=True, slots=True)
class Login:
    """How to log in as `user`: `secret` is a password, or for XOAUTH2 the command that prints a
    token."""

    mechanism: str
    user: str
    secret: str = field(repr=False)

    def answer(self) -> bytes:
        """The bytes that the mechanism sends; raises NoToken."""
        if self.mechanism == "XOAUTH2":
            # https://developers.google.com/workspace/gmail/imap/xoauth2-protocol
            return f"user={self.user}\x01auth=Bearer {_token(self.secret)}\x01\x01".encode()
        return f"\0{self.user}\0{self.secret}".encode()


def login(place: Location) -> Login:
    """How to log in there; raises Refused, which says where to put the password.

    XOAUTH2 is used if the environment names a command for tokens; otherwise LOGIN, or PLAIN (RFC
    4616) if the name or the password is not ASCII.
    """
    command = os.environ.get(variable(place.scheme, "TOKEN"))
    if command:
        return Login("XOAUTH2", place.user, command)
    password = os.environ.get(variable(place.scheme))
    if not password:
        file = os.environ.get("NETRC")
        try:
            known = netrc.netrc(file or str(Path.home() / ".netrc")).authenticators(place.host)
        except FileNotFoundError:
            known = None
        except (OSError, netrc.NetrcParseError) as error:
            raise Refused("bad-option", f"netrc file: {str(error)!a:.120}") from None
        if known is None or known[0] not in ("", place.user) or not known[2]:
            raise Refused(
                "bad-option",
                f"no password for {place.user!a} at {place.host}",
                f"set {variable(place.scheme)}, or write a line into ~/.netrc",
            )
        password = known[2]
    plain = (password + place.user).isascii()
    return Login("LOGIN" if plain else "PLAIN", place.user, password)


def _token(command: str) -> str:
    """The one line that a command prints. If the command fails, no error quotes its output."""
    try:
        done = subprocess.run(
            files.words(command) or [command], stdin=subprocess.DEVNULL, capture_output=True,
            timeout=60, check=False,
        )  # fmt: skip
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        raise NoToken(f"the command for tokens: {type(error).__name__}: {error}") from None
    token = done.stdout.decode("ascii", "replace").strip()
    if done.returncode or not token or not token.isprintable() or " " in token:
        raise NoToken(
            f"the command for tokens printed no token, exit code {done.returncode}: "
            f"{done.stderr[-150:].decode('latin-1')!a}"
        )
    return token


def context(ca: Path | None) -> ssl.SSLContext:
    """TLS that checks the server's certificate, against `ca` if that is given."""
    try:
        return ssl.create_default_context(cafile=None if ca is None else str(ca))
    except (OSError, ssl.SSLError) as error:
        raise Refused("bad-option", f"certificate file {str(ca)!a}: {error!s:.80}") from None


def fault_of(error: BaseException) -> str:
    """An error on one line of printable ASCII: a refusal in its own words, a server's and a
    system's in theirs; only a fault of this program is named by its kind."""
    if isinstance(error, Refused):
        return str(error)
    said = error.args[-1] if error.args else ""
    text = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
    ours = type(error).__module__.startswith("adjudicator.")
    known = ours or isinstance(error, (OSError, imaplib.IMAP4.error))
    if isinstance(error, smtplib.SMTPResponseException):
        text = f"{error.smtp_code} {text}"
    elif not known or not text:
        text = f"{type(error).__name__}: {error}"
    return ascii(text)[1:-1][:200]
