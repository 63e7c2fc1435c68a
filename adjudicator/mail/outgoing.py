"""One mail that is to go out, and its bytes.

What belongs here: headers, threads, the attached bundle. The bytes follow from the values alone,
so that a mail made again after a crash is the same mail; nothing is drawn and no clock is read.
What it must not know: what the words say, where mails go.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from datetime import datetime
from email import policy
from email.message import EmailMessage
from email.utils import format_datetime

from orders.bundle import Bundle, encode
from orders.fields import Time

WIDTH = 76

LONGEST_THREAD = 900
"""Characters of all Message-IDs in a header."""

_POLICY = policy.SMTP.clone(max_line_length=998)
"""As long as RFC 5322 section 2.1.1 allows: the library folds long Message-IDs into encoded words,
in which no mail program looks for a thread."""


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A mail to one address. `key` says which mail it is: no two of one key are ever sent.

    `bundle` travels as the attachment `name`.txt. `reply`: it answers a mail; `answers` is that
    mail's Message-ID if it has one, `thread` those before it. `stranger`: it goes to somebody
    unknown, with no sender to bounce to.
    """

    key: str
    to: str
    subject: str
    text: str
    date: Time
    bundle: Bundle | None = None
    name: str = "bundle"
    reply: bool = False
    answers: str | None = None
    thread: tuple[str, ...] = field(default=())
    stranger: bool = False


def message_id(key: str, address: str) -> str:
    """The Message-ID of the mail with that key, sent from that address."""
    name = hashlib.sha256(f"adjudicator mail\n{key}\n".encode()).hexdigest()[:40]
    return f"<{name}@{address.rpartition('@')[2]}>"


def render(mail: Outgoing, address: str) -> bytes:
    """The mail's bytes as sent from the host's address, lines ended by CRLF.

    Marked as a machine's (RFC 3834 section 5), so that no machine answers it.
    """
    message = _headers(mail, address)
    message["Auto-Submitted"] = "auto-replied" if mail.reply else "auto-generated"
    message["X-Auto-Response-Suppress"] = "All"
    message["X-Adjudicator"] = "host"
    return _body(message, mail)


def render_from_player(mail: Outgoing, address: str) -> bytes:
    """The mail's bytes as a player sends it: a person's mail, which is to be answered."""
    return _body(_headers(mail, address), mail)


def _headers(mail: Outgoing, address: str) -> EmailMessage:
    message = EmailMessage(policy=_POLICY)
    message["From"] = address
    message["To"] = mail.to
    message["Subject"] = mail.subject
    message["Date"] = format_datetime(datetime.fromisoformat(mail.date))
    message["Message-ID"] = message_id(mail.key, address)
    thread = list(dict.fromkeys([*mail.thread, *([mail.answers] if mail.answers else [])]))
    while len(" ".join(thread)) > LONGEST_THREAD and len(thread) > 1:
        # The first begins the thread, the last is answered: what is between may go.
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
        mark = hashlib.sha256(f"boundary\n{mail.key}".encode()).hexdigest()[:40]
        message.set_boundary(f"=_{mark}")
    return message.as_bytes()
