"""One mail that goes out, and its bytes.

What belongs here: headers, threads, the attached bundle. The bytes follow from the values alone,
without chance or clock, so a mail that is made again after a crash is the same mail. When a mail
leaves, its date is put in front.

Each mail has a **token**: 80 bits that only its reader can know. It is its Message-ID, and stands
in its last line too, as relays write Message-IDs anew, and clients drop references. So whoever
names it has read that mail, and what comes back from a mail server says which mail was lost.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import textwrap
from dataclasses import dataclass, field, replace
from datetime import datetime
from email import policy
from email.message import EmailMessage
from email.utils import format_datetime
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from orders.bundle import Bundle, encode
from orders.fields import Time

if TYPE_CHECKING:
    from adjudicator.mail.mime import Mail

WIDTH = 76

COPY = "copy"
"""Marks the copies that a host keeps in its own mailbox, of what it signed (`office.copies`)."""

LONGEST_THREAD = 900
"""The most characters of all Message-IDs in a header."""

LONGEST_SUBJECT = 120
"""The most characters of a subject in front of its token."""

_POLICY = policy.SMTP.clone(max_line_length=998)
"""The longest line that RFC 5322 section 2.1.1 allows. With shorter lines the library folds long
Message-IDs into encoded words, in which no mail program finds the thread."""


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A mail to one address. `key` names it: no two mails of one key are ever sent.

    `secret` is the key of its Message-ID. `bundle` travels as the attachment `name`.txt. `reply`:
    it answers a mail; `answers` is that mail's Message-ID if it has one, `thread` those before it.
    `budget` names the hourly limit under which it leaves; empty for no limit. `stranger`: it goes
    to somebody unknown, with no sender to bounce to. `copy`: it is the host's own, for its mailbox.
    `attached`: a ZIP that travels with it, by its name. `act`: the line of words that is done once
    its reader answers `yes`; "": an answer does nothing by itself. `does`: the token of the mail
    whose act was done, which this one tells.
    """

    key: str
    secret: bytes = field(repr=False)
    to: str
    subject: str
    text: str
    bundle: Bundle | None = None
    name: str = "bundle"
    reply: bool = False
    answers: str | None = None
    thread: tuple[str, ...] = ()
    budget: tuple[str, ...] = ()
    stranger: bool = False
    copy: bool = False
    attached: tuple[str, bytes] | None = None
    act: str = ""
    does: str = ""

    @property
    def token(self) -> str:
        """Its token."""
        return token(self.secret, self.key)

    def message_id(self, address: str) -> str:
        """Its Message-ID, sent from that address."""
        return message_id(self.secret, self.key, address)

    def answering(self, mail: Mail) -> Outgoing:
        """The same as an answer to that mail."""
        return replace(self, reply=True, answers=mail.message_id, thread=mail.references)


TOKEN = re.compile(r"(?<![a-z2-7])[a-z2-7]{16}(?![a-z2-7])", re.IGNORECASE)
"""What may be a token: its 80 bits in base32 (RFC 4648 section 6), small letters."""


def token(secret: bytes, key: str) -> str:
    """The token of the mail with that key."""
    mark = hmac.new(secret, f"token\n{key}\n".encode(), hashlib.sha256).digest()
    return base64.b32encode(mark[:10]).decode("ascii").lower()


def message_id(secret: bytes, key: str, address: str) -> str:
    """The Message-ID of the mail with that key, sent from that address.

    Without the secret nobody can predict it. Mailboxes drop a second mail with a known Message-ID,
    so anybody who could predict it could make them drop this mail.
    """
    return f"<{token(secret, key)}@{address.rpartition('@')[2]}>"


def plus(address: str, token: str) -> str:
    """The address with the token in it, where a mailbox takes such ones (RFC 5233 section 1)."""
    name, _, domain = address.rpartition("@")
    return f"{name}+{token}@{domain}"


def render(mail: Outgoing, address: str, *, tagged: bool = False) -> bytes:
    """The mail's bytes without the date, sent from the host's address; lines end in CRLF.

    It is marked as a machine's (RFC 3834 section 5), so that no machine answers it. `tagged`: the
    mailbox takes mails to the address with a token in it, so answers go there.
    """
    if not mail.copy:
        back = plus(address, mail.token) if tagged else address
        # Some programs cut subjects off at 255 characters.
        short = textwrap.shorten(mail.subject, LONGEST_SUBJECT, placeholder=" ...")
        subject = f"{short} ({mail.token})" if mail.act else mail.subject
        mail = replace(mail, subject=subject, text=f"{mail.text.rstrip()}\n{_foot(mail, back)}")
    message = _headers(mail, address)
    if tagged and not mail.copy:
        message["Reply-To"] = back
    message["Auto-Submitted"] = "auto-replied" if mail.reply else "auto-generated"
    message["X-Auto-Response-Suppress"] = "All"
    message["X-Adjudicator"] = COPY if mail.copy else "host"
    return _body(message, mail)


def _foot(mail: Outgoing, back: str) -> str:
    """What stands below the words: how to answer, and the token."""
    link = f"mailto:{back}?subject={quote(f'yes {mail.token}')}&body=yes"
    yes = f"\nThis link writes the answer:\n\n  {link}\n" if mail.act else ""
    return f"{yes}\nLeave this line in an answer: {mail.token}\n"


class PersonsMail(NamedTuple):
    """A mail of a person's, ready to be sent from the address `sender` to the address `to`.

    `key` names it: it is that of no other mail. `name`: what its file is called, without ending.
    """

    key: str
    sender: str
    to: str
    subject: str
    name: str
    data: bytes


def from_person(mail: Outgoing, address: str, now: Time) -> PersonsMail:
    """The mail as a person sends it from that address, which machines may answer."""
    data = dated(_body(_headers(mail, address), mail), now)
    return PersonsMail(mail.key, address, mail.to, mail.subject, mail.name, data)


def dated(data: bytes, time: Time) -> bytes:
    """A mail's bytes with the date."""
    return f"Date: {format_datetime(datetime.fromisoformat(time))}\r\n".encode("ascii") + data


def _headers(mail: Outgoing, address: str) -> EmailMessage:
    message = EmailMessage(policy=_POLICY)
    message["From"] = address
    message["To"] = mail.to
    message["Subject"] = mail.subject
    message["Message-ID"] = mail.message_id(address)
    thread = list(dict.fromkeys([*mail.thread, *([mail.answers] if mail.answers else [])]))
    while len(" ".join(thread)) > LONGEST_THREAD and len(thread) > 1:
        # The first one begins the thread, and the last one is answered; those between may be
        # dropped.
        thread.pop(1 if len(thread) > 2 else 0)
    if thread:
        message["In-Reply-To"] = thread[-1]
        message["References"] = " ".join(thread)
    return message


def _body(message: EmailMessage, mail: Outgoing) -> bytes:
    plain = mail.text.isascii() and all(len(line) < 900 for line in mail.text.split("\n"))
    message.set_content(
        mail.text,
        charset="us-ascii" if plain else "utf-8",
        cte="7bit" if plain else "quoted-printable",
    )
    if mail.bundle is not None:
        message.add_attachment(
            encode(mail.bundle).decode("ascii"),
            charset="us-ascii",
            cte="7bit",
            filename=f"{mail.name}.txt",
        )
    if mail.attached is not None:
        name, data = mail.attached
        message.add_attachment(data, maintype="application", subtype="zip", filename=name)
    if message.is_multipart():
        message.set_boundary(f"=_{token(mail.secret, f'boundary/{mail.key}')}")
    return message.as_bytes()
