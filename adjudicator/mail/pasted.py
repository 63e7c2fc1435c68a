"""Reads pasted or dropped data: mails, blocks of text, links, several of them at once.

Bytes go in; the bundles in them and the mail around them come out. A link to the page may end with
a bundle: `#g=`, the first digits of its game's id, `&take=`, and its payload in base64url without
padding (RFC 4648 section 5). No browser sends that part to the host of the page.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from adjudicator.core import bundles as packing
from adjudicator.mail import block
from adjudicator.mail.block import Block
from adjudicator.mail.mime import LARGEST as LARGEST_MAIL
from adjudicator.mail.mime import Mail, html_to_text, read_mail
from orders import bundle as armored
from orders.bundle import Bundle
from orders.duel import of_bundle
from orders.errors import Refused

LARGEST = 12 * 2**20
"""Bytes of the largest paste: the largest bundle, and some text around it."""

LONGEST_LINK = 16_000
"""Characters of a bundle in a link: more than that few mail programs make a link of. Chats take
4,000, as an invitation has, or a move of a duel; an entry with its sealed report has 7,000 to
12,000."""

HEAD = 4_096
"""By so many of its first bytes a file is known as no text."""

_ENCODED = re.compile(rb"(?i)transfer-encoding")
_LINK = re.compile(r"[#&;]take=([A-Za-z0-9_-]+)")

_NO_MAIL = Mail("", None, (), None, "", False, False, False, "", ())


@dataclass(frozen=True, slots=True)
class Paste:
    """The content of a paste: each bundle once, blocks beyond repair of which no whole copy is in
    it, all blocks as they were found, and the mail if it was one."""

    bundles: tuple[Bundle, ...]
    damaged: tuple[Block, ...]
    blocks: tuple[Block, ...]
    mail: Mail


def read(data: bytes) -> Paste:
    """The content of a paste; raises Refused `too-big`, or the mail's own refusal if nothing else
    is in it."""
    if len(data) > LARGEST:
        raise Refused(
            "too-big",
            f"{len(data):,} bytes are too many: at most {LARGEST:,} are read at once",
            "drop the mails one by one, without pictures",
        )
    with suppress(Refused):
        # Most files beside a game are as a program wrote them, and there may be many.
        whole = armored.decode(data)
        return Paste((whole,), (), (Block(whole.kind, whole.digest, whole),), _NO_MAIL)
    data = _in_utf_8(data)
    text = data.decode("utf-8", "replace")
    readings = [block.find(text)]
    if b"ADJUDICATOR" in data and not any(one.bundle for one in readings[0]):
        readings.append(block.find(html_to_text(text)))
    mail = _NO_MAIL
    try:
        mail = read_mail(data)
    except Refused as error:
        if not any(readings) and len(data) <= LARGEST_MAIL:
            raise Refused(error.word, error.message, error.hint) from None
    readings += [mail.blocks, tuple(_linked(text)), tuple(_linked(mail.text))]
    blocks = tuple(one for reading in readings for one in reading)
    found = {one.bundle.digest: one.bundle for one in blocks if one.bundle is not None}
    broken = {one.digest: one for one in blocks if one.digest not in found}
    # What looks broken in one reading may be whole in another, or in another part of a mail.
    nameless = all("" in {one.digest for one in reading} for reading in readings if reading)
    if found and (mail.sender is not None or not nameless):
        broken.pop("", None)
    return Paste(tuple(found.values()), tuple(broken.values()), blocks, mail)


def is_text(head: bytes) -> bool:
    """Whether a file that begins so may hold text: UTF-16 has a zero in every second byte, and a
    mail may have some that do no harm."""
    return not 0 < head.count(0) <= len(head) // 3 or b"ADJUDICATOR" in head


def may_hold(data: bytes) -> bool:
    """Whether a block may be in a text: it is named there, or may be an encoded part of a mail.
    That is said faster than a text is read."""
    plain = data.replace(b"\0", b"") if b"\0" in data[:HEAD] else data
    if b"ADJUDICATOR" in plain or b"take=" in plain:
        return True
    return len(data) <= LARGEST_MAIL and _ENCODED.search(data) is not None


def _in_utf_8(data: bytes) -> bytes:
    """The same text, if it was in UTF-16."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "replace").encode("utf-8", "replace")
    # Without a mark at its beginning; what is not ASCII is of no use in a block.
    return data.replace(b"\0", b"") if b"\0" in data[:HEAD] else data


def about(bundle: Bundle) -> str:
    """The id of a bundle's game, or how it begins; raises Refused."""
    return of_bundle(bundle).about if bundle.kind == "duel" else packing.about(bundle)


def link(address: str, bundle: Bundle) -> str:
    """A link to the page at that address, which takes the bundle in; "" if it would be too long.

    It names its game before, so that the page knows whose board to show while it begins.
    """
    text = base64.urlsafe_b64encode(bundle.payload).rstrip(b"=").decode("ascii")
    return f"{address}#g={about(bundle)[:8]}&take={text}" if len(text) <= LONGEST_LINK else ""


def _linked(text: str) -> Iterator[Block]:
    """The blocks in the links of a text; what a mail program has cut off is damaged."""
    for found in _LINK.finditer(text):
        try:
            padded = found[1] + "=" * (-len(found[1]) % 4)
            bundle = armored.unpack(base64.urlsafe_b64decode(padded))
        except (binascii.Error, Refused):
            yield Block("", "", None, "damaged: a link that is cut off")
        else:
            yield Block(bundle.kind, bundle.digest, bundle)
