"""The order in which mails are looked at: one sender's many mails must not delay everybody
else's."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from adjudicator.mail.answering import Answering
from adjudicator.mail.arrived import Arrived
from adjudicator.mail.mime import read_head
from adjudicator.mail.outbox import Outbox
from orders.errors import Refused

FEW = 20
"""Up to so many mails are simply looked at in their order."""


def in_turns(answering: Answering, outbox: Outbox, mails: list[Arrived]) -> Iterator[Arrived]:
    """One mail of each writer in turn, oldest first.

    The writer is known by the Message-ID that the mail answers, which only its recipient has seen,
    or else by the From line. All strangers together count as one writer.
    """
    heaps: dict[str, list[Arrived]] = {}
    for one in mails:
        writer = whose(answering, outbox, one) if len(mails) > FEW else ""
        heaps.setdefault(writer, []).append(one)
    for rank in zip_longest(*heaps.values()):
        yield from (one for one in rank if one is not None)


def whose(answering: Answering, outbox: Outbox, arrived: Arrived) -> str:
    """By whom a mail may be, in words; "" for strangers."""
    try:
        mail = read_head(arrived.head())
    except Refused:
        return ""
    for one in reversed(mail.references):
        recipient = outbox.recipient(one)
        if recipient is not None:
            return f"answers {recipient}"
    return f"from {mail.sender}".lower() if answering.known(mail) else ""
