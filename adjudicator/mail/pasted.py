"""Reads pasted or dropped data: mails, blocks of text, several of them at once.

Bytes go in; the bundles in them and the mail around them come out.
"""

from __future__ import annotations

from dataclasses import dataclass

from adjudicator.mail import block
from adjudicator.mail.block import Block
from adjudicator.mail.mime import LARGEST as LARGEST_MAIL
from adjudicator.mail.mime import Mail, read_mail
from orders.bundle import Bundle
from orders.errors import Refused

LARGEST = 12 * 2**20
"""Bytes of the largest paste: the largest bundle, and some text around it."""

_NO_MAIL = Mail("", None, (), None, "", False, False, False, "", ())


@dataclass(frozen=True, slots=True)
class Pasted:
    """The content of a paste: each bundle once, blocks beyond repair, and the mail if it was
    one."""

    bundles: tuple[Bundle, ...]
    damaged: int
    blocks: tuple[Block, ...]
    mail: Mail


def read(data: bytes) -> Pasted:
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
    blocks = (*found, *mail.blocks)
    return Pasted(*_each(blocks), blocks, mail)


def _each(found: tuple[Block, ...]) -> tuple[tuple[Bundle, ...], int]:
    """Each whole bundle once, and the number of damaged blocks that have no whole copy."""
    whole = {one.bundle.digest: one.bundle for one in found if one.bundle is not None}
    broken = {one.digest for one in found if one.bundle is None}
    # A block that looks broken in a mail's text may be whole in a part.
    lost = broken - set(whole) - ({""} if whole else set())
    return tuple(whole.values()), len(lost)
