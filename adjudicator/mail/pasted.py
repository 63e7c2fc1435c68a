"""Reads pasted or dropped data: mails, blocks of text, links, several of them at once.

Bytes go in; the bundles in them and the mail around them come out. A link to the page may end with
a bundle: `#take=` and its payload in base64url without padding (RFC 4648 section 5). No browser
sends that part to the host of the page.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass

from adjudicator.mail import block
from adjudicator.mail.block import Block
from adjudicator.mail.mime import LARGEST as LARGEST_MAIL
from adjudicator.mail.mime import Mail, read_mail
from orders import bundle as armored
from orders.bundle import Bundle
from orders.errors import Refused

LARGEST = 12 * 2**20
"""Bytes of the largest paste: the largest bundle, and some text around it."""

LONGEST_LINK = 16_000
"""Characters of a bundle in a link: more than that few mail programs make a link of."""

_LINK = re.compile(r"#take=([A-Za-z0-9_-]+)")

_NO_MAIL = Mail("", None, (), None, "", False, False, False, "", ())


@dataclass(frozen=True, slots=True)
class Paste:
    """The content of a paste: each bundle once, blocks beyond repair, and the mail if it was
    one."""

    bundles: tuple[Bundle, ...]
    damaged: int
    blocks: tuple[Block, ...]
    mail: Mail


def read(data: bytes) -> Paste:
    """The content of a paste; raises Refused `too-big`, or the mail's own refusal if nothing else
    is in it."""
    if len(data) > LARGEST:
        raise Refused(
            "too-big",
            f"{len(data)} bytes: at most {LARGEST} are taken at once",
            "drop the mails one by one, without pictures",
        )
    text = data.decode("utf-8", "replace")
    found = list(block.find(text))
    mail = _NO_MAIL
    try:
        mail = read_mail(data)
    except Refused as error:
        if not found and len(data) <= LARGEST_MAIL:
            raise Refused(error.word, error.message, error.hint) from None
    blocks = (*found, *mail.blocks, *_linked(text), *_linked(mail.text))
    return Paste(*_each(blocks), blocks, mail)


def link(address: str, bundle: Bundle) -> str:
    """A link to the page at that address, which takes the bundle in; "" if it would be too long."""
    text = base64.urlsafe_b64encode(bundle.payload).rstrip(b"=").decode("ascii")
    return f"{address}#take={text}" if len(text) <= LONGEST_LINK else ""


def _linked(text: str) -> Iterator[Block]:
    """The blocks in the links of a text; what a mail program has cut off is damaged."""
    for found in _LINK.finditer(text):
        try:
            padded = found[1] + "=" * (-len(found[1]) % 4)
            bundle = armored.unpack(base64.urlsafe_b64decode(padded))
        except (binascii.Error, Refused):
            yield Block("", "", None)
        else:
            yield Block(bundle.kind, bundle.digest, bundle)


def _each(found: tuple[Block, ...]) -> tuple[tuple[Bundle, ...], int]:
    """Each whole bundle once, and the number of damaged blocks that have no whole copy."""
    whole = {one.bundle.digest: one.bundle for one in found if one.bundle is not None}
    broken = {one.digest for one in found if one.bundle is None}
    # A block that looks broken in a mail's text may be whole in a part.
    lost = broken - set(whole) - ({""} if whole else set())
    return tuple(whole.values()), len(lost)
