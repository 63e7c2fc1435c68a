"""Where a mailbox or a mail server is, and the password for it.

What belongs here: addresses of servers as they are written on a command line, and finding
passwords where they may stand: the environment or a netrc file, never the command line.
"""

from __future__ import annotations

import netrc
import os
import ssl
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from orders.errors import Refused

PORTS = {"imaps": 993, "imap": 143, "smtps": 465, "smtp": 587}


@dataclass(frozen=True, slots=True)
class Place:
    """A place as written: `scheme` and a path, or a server with port and user ("" for none)."""

    scheme: str
    path: str
    host: str = ""
    port: int = 0
    user: str = ""


def read_place(text: str, schemes: tuple[str, ...]) -> Place:
    """`maildir:/path`, `imaps://user@host:993/INBOX`, `-` and the like; raises Refused."""
    if text == "-" and "-" in schemes:
        return Place("-", "")
    scheme, colon, rest = text.partition(":")
    if not colon or scheme not in schemes:
        raise Refused(
            "bad-option", f"{text!a:.90}: expected one of {', '.join(schemes)}, as in {schemes[0]}:"
        )
    if scheme not in PORTS:
        return Place(scheme, rest)
    try:
        parts = urlsplit(text)
        port = parts.port or PORTS[scheme]
    except ValueError:
        parts, port = urlsplit(""), 0
    if parts.password is not None:
        raise Refused(
            "bad-option",
            "a password stands in the address, for all to see who list processes",
            f"put it into {variable(scheme)} or a netrc file",
        )
    if not parts.hostname:
        raise Refused("bad-option", f"{text!a:.90}: expected {scheme}://USER@HOST[:PORT]")
    user = unquote(parts.username or "")
    return Place(scheme, unquote(parts.path.lstrip("/")), parts.hostname, port, user)


def variable(scheme: str) -> str:
    """The environment variable for the password of such a server."""
    return f"ADJUDICATOR_{scheme.rstrip('s').upper()}_PASSWORD"


def password(place: Place) -> str:
    """The password for the user there; raises Refused, saying where it may stand."""
    found = os.environ.get(variable(place.scheme))
    if found:
        return found
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
    return known[2]


def context(ca: Path | None) -> ssl.SSLContext:
    """TLS that checks the server's certificate, against `ca` where it is given."""
    try:
        return ssl.create_default_context(cafile=None if ca is None else str(ca))
    except (OSError, ssl.SSLError) as error:
        raise Refused("bad-option", f"certificate file {str(ca)!a}: {error!s:.80}") from None
