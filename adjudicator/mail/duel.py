"""A duel's mails: each brings one block from one of the two to the other.

Every mail of a duel says which in its subject, `[duel 0123abcd]`, the beginning of the offer's
digest; so it is found in a person's own mailbox, in which nothing is moved, marked or deleted. The
other's address is the one from which their first document came, unless the settings name one. In
the duel's folder `other` holds it, `thread` the Message-IDs of the last mails, and `seen` those of
mails that were looked at.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from adjudicator.core import deadlines
from adjudicator.duel.party import Party
from adjudicator.duel.row import Row
from adjudicator.mail import pasted
from adjudicator.mail.logins import fault_of
from adjudicator.mail.mailboxes import (
    EARLIER,
    MOST_SEEN,
    Mailbox,
    MailboxDown,
    Unreadable,
    unseen,
)
from adjudicator.mail.mime import Mail
from adjudicator.mail.outgoing import Outgoing, dated, render_from_player
from adjudicator.player.duel import Home
from adjudicator.words.duel import subject, tag
from orders.bundle import Bundle, decode
from orders.duel import of_bundle
from orders.errors import Refused
from orders.fields import Time
from orders.secrets import draw_secret

MOST_THREAD = 10

OTHER, THREAD, SEEN = "other", "thread", "seen"


def begins(row: Row) -> Time:
    """The earliest time at which mails of this duel can come, if the clock of who offered it was
    right."""
    return deadlines.add(row.offer.time, -EARLIER)


# In.


def fetch(
    home: Home, row: Row, source: Mailbox, faults: list[str]
) -> list[tuple[Mail, list[Bundle]]]:
    """The mails of this duel that were not looked at yet, with its blocks in each: a quoted one of
    one's own is among them. `faults` grows by what could not be read; a mailbox that cannot be
    reached is one of them."""
    seen, found = set(home.lines(SEEN)), []
    other = next(iter(home.lines(OTHER)), None)

    def ours(head: Mail) -> bool:
        return tag(row) in head.subject or (other is not None and head.sender == other)

    try:
        with contextlib.closing(source.mails(partial(unseen, seen, ours))) as stored:
            for one in stored:
                try:
                    paste = pasted.read(one.read())
                except (Refused, Unreadable) as error:
                    faults.append(f"{one.name}: {error}")
                    continue
                where = f"the mail {paste.mail.subject!a:.80}"
                faults += [f"{where}: a block in it is {lost.fault}" for lost in paste.damaged]
                found.append((paste.mail, [it for it in paste.bundles if _is_of(home, it)]))
    except (MailboxDown, OSError) as error:
        faults.append(f"the mailbox: {fault_of(error)}")
    return found


def _is_of(home: Home, bundle: Bundle) -> bool:
    """Whether a bundle is a block of this duel."""
    try:
        return bundle.kind == "duel" and home.id.startswith(of_bundle(bundle).about)
    except Refused:
        return False


def looked_at(home: Home, mails: Sequence[Mail]) -> None:
    """Remember that these mails need no second look: what they brought is kept, and answered."""
    ids = [one.message_id for one in mails if one.message_id is not None]
    home.note(SEEN, list(dict.fromkeys([*home.lines(SEEN), *ids]))[-MOST_SEEN:])


def remember(home: Home, mail: Mail, *, first: bool) -> None:
    """Remember the thread; with `first`, the address from which the other's first document came."""
    if mail.message_id is not None:
        home.note(THREAD, [*mail.references, mail.message_id][-MOST_THREAD:])
    if mail.sender is not None and first:
        home.note(OTHER, [mail.sender])


# Out.


class MailToOther(NamedTuple):
    """A mail to the other of the two, ready to be sent. `key` is its Message-ID: a block that is
    sent again goes by another mail."""

    key: str
    sender: str
    to: str
    data: bytes


def wrap(
    home: Home, party: Party, data: bytes, me: str, to: str, now: Time, what: str = ""
) -> MailToOther:
    """The mail from `me` that carries a block; the next one answers it. `what` is in the block, if
    it is not what its player signed last."""
    row, bundle, secret = party.row, decode(data), draw_secret()
    number = len(row.moves)
    offers = row.accept is None
    if not what and number:
        what = "the end" if party.ended else f"move {number}"
    what = what or ("an offer" if offers else "your offer is accepted")
    mail = Outgoing(
        bundle.digest,
        secret,
        to,
        subject(party, what),
        _OFFER.format(who=home.player, game=row.game.title) if offers else _MOVE,
        bundle=bundle,
        name=party.block_name,
        thread=tuple(home.lines(THREAD)),
    )
    key = mail.message_id(me)
    home.note(THREAD, [*home.lines(THREAD), key][-MOST_THREAD:])
    return MailToOther(key, me, to, dated(render_from_player(mail, me), now))


_OFFER = """{who} offers you a duel at {game}: two play, and nobody hosts.
To play, save this mail and say: adjudicator join FILE
"""
_MOVE = """In the attached block. To take it in: adjudicator sync, or save this mail and say
adjudicator take FILE
"""
