"""Reading one mail: from bytes to a frozen value. Each limit is checked before the work that it
limits.

What belongs here: headers that matter to a host, parts decoded to text, whether a machine wrote the
mail. A part that cannot be read is skipped; a mail beyond the limits is refused. No header is
believed here.
"""

from __future__ import annotations

import codecs
import hashlib
import html
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from email import message_from_bytes, policy, utils
from email.header import decode_header
from email.message import Message
from itertools import islice
from typing import Any

from adjudicator.mail import block
from adjudicator.mail.block import Block
from adjudicator.mail.outgoing import TOKEN
from orders.errors import Refused
from orders.fields import is_address

LARGEST = 4 * 2**20
"""The most bytes of a mail that is read."""

MOST_LINES = 120_000
MOST_HEADER_BYTES = 128 * 2**10
MOST_PARTS = 100
MOST_NESTED = 20
LARGEST_PART = 3 * 2**20
MOST_TOKENS = 500
LONGEST_HEADER = 2_000
"""The most characters of a header that are read, also of a header of a part; the rest is cut off.
"""

_NESTING = re.compile(rb"multipart/|message/", re.IGNORECASE)
_BOUNDARY = re.compile(rb"(?m)^--")
_BODY = re.compile(rb"\r?\n\r?\n")
_MESSAGE_ID = re.compile(r"<[!-;=?-~]{1,240}>", re.ASCII)
_CHARSETS = re.compile(
    r"ascii|utf-?8(-sig)?|utf-?16.*|utf-?7|iso8859.*|latin.*|cp\d+|windows.*|koi8.*|mac[-_].*"
    r"|gb.*|big5.*|euc.*|iso2022.*|shift.*|hz|johab|tis.*|ptcp.*|kz.*"
)
_ADDRESSED = ("To", "Cc", "Delivered-To", "X-Original-To")
"""Headers that name the address to which a mail was sent, or arrived."""
_SERVERS = re.compile(r"([^<>]*<)?\s*(mailer-daemon|postmaster)\b", re.IGNORECASE)
_DELAY = re.compile(r"\b(delay|delayed|warning|still being)\b", re.IGNORECASE)
_ROBOTS = re.compile(r"(mailer-daemon|postmaster|no-?reply|do-?not-?reply|bounces?)([+.-].*)?@.*")
_BREAKS = re.compile(
    r"<(?:br|/?p|/?div|/tr|/li|/h[1-6]|/?pre|/?blockquote|hr)\b[^<>]*>", re.IGNORECASE
)
_TAG = re.compile(r"<[^<>]*>")
_HIDING = re.compile(r"<(?:(style|script|head|title)(?=[\s/>])[^<>]*>|!--)", re.IGNORECASE)
_HIDDEN_UNTIL = {
    "": re.compile(r"-->"),
    **{
        element: re.compile(rf"</{element}[^<>]*>", re.IGNORECASE)
        for element in ("style", "script", "head", "title")
    },
}
"""Elements of HTML that are not shown, and how each ends; "" is a comment."""


class _ShortHeaders(policy.Compat32):
    """Headers cut off at a length: the library takes quadratic time to read a header's
    parameters."""

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        name, value = super().header_source_parse(sourcelines)
        return name, value[:LONGEST_HEADER]


_POLICY = _ShortHeaders()
_LENIENT: dict[str, Any] = {"strict": False} if hasattr(utils, "supports_strict_parsing") else {}
"""Newer versions of the library refuse a name that is an address without quotes."""


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail as a host or player looks at it.

    `digest` is that of its Message-ID and body, the same each time the mail is delivered. `sender`
    is the From address, used only to answer a sender who is unknown. `automatic`: a machine wrote
    it; `by_host`: it claims to be a host's. `listed`: it came over a mailing list. `text` is its
    first readable part. `tokens`: what in it may be the token of a mail that it answers, or brings
    back. `returned`: why another mail was lost, as a mail server tells it; "": none was; then a
    block in it is only quoted. `zone`: seconds by which its writer's clock is ahead of UTC.
    """

    digest: str
    message_id: str | None
    references: tuple[str, ...]
    sender: str | None
    subject: str
    automatic: bool
    by_host: bool
    listed: bool
    text: str
    blocks: tuple[Block, ...]
    tokens: tuple[str, ...] = ()
    returned: str = ""
    zone: int | None = None


def read_mail(data: bytes) -> Mail:
    """A mail from its bytes; raises Refused `too-big`, `too-deep` or `unreadable`."""
    _check_size(data)
    try:
        return _read(data)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        # Some version of the library fails with each of these.
        raise Refused("unreadable", f"no mail that can be read: {str(error)!a:.80}") from None


def _read(data: bytes) -> Mail:
    message = message_from_bytes(data, policy=_POLICY)
    parts = list(_leaves(message))
    texts = [(kind, text) for part in parts for kind, text in _decoded(part)]
    readable = [text for wanted in ("plain", "html") for kind, text in texts if kind == wanted]
    message_id = _one_id(message)
    body = _BODY.split(data, 1)[-1].replace(b"\r\n", b"\n").rstrip()
    report = message.get_content_type() == "multipart/report"
    returned, text, subject = _returned(message), readable[0] if readable else "", _subject(message)
    references = _ids(message, "References") or _ids(message, "In-Reply-To")
    to = [str(one) for name in _ADDRESSED for one in message.get_all(name, [])]
    places = [*to, subject, text, *reversed(references)]
    if returned:
        # What it brings back lies in any part, whole or cut, as it is or decoded.
        places += [text for _, text in texts] + [data.decode("latin-1")]
    return Mail(
        digest=hashlib.sha256(f"{message_id}\n".encode() + body).hexdigest(),
        message_id=message_id,
        references=references,
        sender=_sender(message),
        subject=subject,
        automatic=_automatic(message),
        by_host=_word(message, "X-Adjudicator") == "host",
        listed=_header(message, "List-Id") != "" or _word(message, "Precedence") == "list",
        text=text,
        blocks=() if report else tuple(found for _, text in texts for found in block.find(text)),
        tokens=_tokens(places),
        zone=_zone(_header(message, "Date")),
        returned=returned,
    )


def _zone(date: str) -> int | None:
    """How many seconds a writer's clock is ahead of UTC by the Date header; None if it tells no
    zone (RFC 5322 section 3.3)."""
    found = utils.parsedate_tz(date)
    zone = None if found is None else found[9]
    return zone if zone is not None and abs(zone) <= 14 * 3600 else None


def _tokens(places: Iterable[str]) -> tuple[str, ...]:
    """What may be tokens in these texts, each once, in their order."""
    found = (one[0].lower() for text in places for one in TOKEN.finditer(text))
    return tuple(dict.fromkeys(islice(found, MOST_TOKENS)))


def read_head(data: bytes) -> Mail:
    """A mail that is too large, of which only the head is read; raises Refused."""
    head = _BODY.search(data, 0, MOST_HEADER_BYTES)
    return read_mail(data[: MOST_HEADER_BYTES if head is None else head.start()] + b"\n\n")


def _returned(message: Message) -> str:
    """Why a mail server says that another mail was lost; "" if it does not.

    It says so by a report whose action is `failed` (RFC 3464 section 2.3.3), or in its own words,
    as many do: then it has no return path or writes as postmaster, and is neither a notice of a
    delay nor a machine's answer for somebody (RFC 3834).
    """
    if _disposition(message):
        return ""
    parts = list(islice(message.walk(), MOST_PARTS))
    acts = {_word(part, "Action"): part for part in reversed(parts) if _word(part, "Action")}
    if acts and "failed" not in acts:
        return ""
    server = _header(message, "Return-Path") == "<>" or _SERVERS.match(_header(message, "From"))
    lost = message.get("X-Failed-Recipients") is not None or (
        server
        and _word(message, "Auto-Submitted") != "auto-replied"
        and not _DELAY.search(_subject(message))
    )
    if not acts and not lost:
        return ""
    told = acts.get("failed", message)
    why = " ".join(_header(told, name) for name in ("Status", "Diagnostic-Code")).strip()
    return ascii(why or _subject(message) or "failed")[1:-1][:200]


def _disposition(message: Message) -> bool:
    """Whether it tells that a mail was read, or deleted unread (RFC 8098)."""
    kind = str(message.get_param("report-type", "")).lower()
    return kind == "disposition-notification"


def _check_size(data: bytes) -> None:
    """Refuse a mail that would overload the parser, by counting its bytes and lines only."""
    if len(data) > LARGEST:
        raise Refused("too-big", f"a mail of {len(data)} bytes, at most {LARGEST} are taken")
    if data.count(b"\n") + data.count(b"\r") > 2 * MOST_LINES:
        raise Refused("too-big", f"a mail of more than {MOST_LINES} lines")
    head = _BODY.search(data)
    if (len(data) if head is None else head.start()) > MOST_HEADER_BYTES:
        raise Refused("too-big", f"headers of more than {MOST_HEADER_BYTES} bytes")
    if sum(1 for _ in _NESTING.finditer(data)) > 2 * MOST_NESTED:
        raise Refused("too-deep", f"parts within parts, more than {MOST_NESTED} deep")
    if sum(1 for _ in _BOUNDARY.finditer(data)) > 20 * MOST_PARTS:
        raise Refused("too-big", f"more than {MOST_PARTS} parts")


def _leaves(message: Message) -> Iterator[Message]:
    """The parts that hold content; attached mails are looked into."""
    waiting: list[tuple[Message, int]] = [(message, 0)]
    count = 0
    while waiting:
        part, deep = waiting.pop(0)
        count += 1
        if count > MOST_PARTS:
            raise Refused("too-big", f"more than {MOST_PARTS} parts")
        if deep > MOST_NESTED:
            raise Refused("too-deep", f"parts within parts, more than {MOST_NESTED} deep")
        payload = part.get_payload()
        if isinstance(payload, list):
            waiting[:0] = [(one, deep + 1) for one in payload if isinstance(one, Message)]
        else:
            yield part


def _decoded(part: Message) -> Iterator[tuple[str, str]]:
    """The kind (`plain`, `html`, `other`) and text of a part; empty for a part that is no text."""
    content = part.get_payload(decode=True)
    if not isinstance(content, bytes) or len(content) > LARGEST_PART:
        return
    kind = part.get_content_type()
    if not kind.startswith("text/") and b"ADJUDICATOR" not in content:
        return
    charset = str(part.get_content_charset("us-ascii"))
    text = _decode(content, charset)
    if text is None:
        return
    attached = part.get_content_disposition() == "attachment"
    if kind == "text/html":
        yield "html", html_to_text(text)
    else:
        yield "plain" if kind == "text/plain" and not attached else "other", text


def _decode(content: bytes, charset: str) -> str | None:
    """The text, with marks for bytes that do not decode; None if the charset is unknown."""
    try:
        name = codecs.lookup(charset).name
    except (LookupError, ValueError):
        return None
    if _CHARSETS.fullmatch(name) is None:
        return None
    # A text with a wrong charset is mostly UTF-8.
    for attempt in (name, "utf-8"):
        try:
            return content.decode(attempt)
        except UnicodeError:
            continue
    return content.decode("latin-1")


def html_to_text(page: str) -> str:
    """The words of an HTML mail, a line for each line that it shows."""
    return html.unescape(_TAG.sub("", _BREAKS.sub("\n", _without_hidden(page))))


def _without_hidden(page: str) -> str:
    """The page without comments and elements that are not shown; an element that never ends is
    shown.

    It takes linear time: each search begins where the last one ended, and an end tag that was not
    found once is not searched again.
    """
    kept, at = [], 0
    never: set[str] = set()
    for begin in _HIDING.finditer(page):
        what = (begin[1] or "").lower()
        if begin.start() < at or what in never:
            continue
        # `<!-->` is a whole comment (HTML Living Standard, "comment start state").
        end = _HIDDEN_UNTIL[what].search(page, begin.end() if what else begin.start() + 2)
        if end is None:
            never.add(what)
            continue
        kept.append(page[at : begin.start()])
        at = end.end()
    return "".join([*kept, page[at:]])


def _header(message: Message, name: str) -> str:
    """The first header of that name, on one line; "" if there is none."""
    value = message.get(name)
    return "" if value is None else " ".join(str(value).split())


def _word(message: Message, name: str) -> str:
    return _header(message, name).partition(";")[0].strip().lower()


def _ids(message: Message, name: str) -> tuple[str, ...]:
    return tuple(_MESSAGE_ID.findall(_header(message, name)))[-10:]


def _one_id(message: Message) -> str | None:
    found = _ids(message, "Message-ID")
    return found[0] if found else None


def _sender(message: Message) -> str | None:
    """The From address; None if there is not exactly one."""
    if len(message.get_all("From", [])) != 1:
        return None
    written = utils.getaddresses([_header(message, "From")], **_LENIENT)
    found = {address for _, one in written if (address := check_address(one))}
    return found.pop() if len(found) == 1 else None


def check_address(text: str) -> str | None:
    """The text if it is a mail address that headers and envelopes can hold as it is; else None."""
    return text if is_address(text) and text[0] != "-" else None


def _subject(message: Message) -> str:
    raw = _header(message, "Subject")
    try:
        pieces = decode_header(raw)
    except ValueError:
        pieces = [(raw, None)]
    words = [
        (piece if isinstance(piece, str) else _decode(piece, charset or "us-ascii") or "")
        for piece, charset in pieces
    ]
    return "".join(one if one.isprintable() else " " for one in "".join(words)).strip()[:200]


def _automatic(message: Message) -> bool:
    """Whether a machine wrote it (RFC 3834 section 2, and what mailers did before it)."""
    if _word(message, "Auto-Submitted") not in ("", "no"):
        return True
    if message.get("Return-Path") is not None and _header(message, "Return-Path") == "<>":
        return True
    if message.get_content_type() in ("multipart/report", "message/delivery-status"):
        return True
    if _word(message, "Precedence") in ("bulk", "junk", "auto_reply", "auto-reply"):
        return True
    named = ("X-Autoreply", "X-Autorespond", "X-Auto-Reply", "X-Adjudicator", "X-Failed-Recipients")
    if any(message.get(name) is not None for name in named):
        return True
    return _ROBOTS.fullmatch((_sender(message) or "").lower()) is not None
