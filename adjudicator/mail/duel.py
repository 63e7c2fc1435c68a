"""A duel's mails: each brings one block from one of the two to the other.

Every mail of a duel says which in its subject, `[duel 0123abcd]`, the beginning of the offer's
digest; so it is found in a person's own mailbox, in which nothing is moved, marked or deleted. The
other's address is the one from which their first document came, unless the settings name one. In
the duel's folder `other` holds it, `thread` the Message-IDs of the last mails, and `seen` those of
mails that were looked at.
"""

from __future__ import annotations

from collections.abc import Iterable

from adjudicator.mail import pasted
from adjudicator.mail.mailboxes import MOST_SEEN, Mailbox, read_new
from adjudicator.mail.mime import Mail
from adjudicator.mail.outgoing import Outgoing, PersonsMail, from_person
from adjudicator.player.duel import ANSWER, DuelTable, Home, Leaving
from adjudicator.player.table import TakenBundles
from adjudicator.words.duel import subject, tag
from orders.bundle import Bundle, decode
from orders.duel import of_bundle
from orders.errors import Refused
from orders.secrets import draw_secret

MOST_THREAD = 10

OTHER, THREAD, SEEN = "other", "thread", "seen"


# In.


def fetch(table: DuelTable, source: Mailbox, taken: TakenBundles) -> list[Mail]:
    """Take in the mails of this duel that were not looked at yet; returns those that need no second
    look, once all is kept and answered. A mailbox that cannot be reached is a warning."""
    home, read = table.home, []
    seen, other = set(home.lines(SEEN)), next(iter(home.lines(OTHER)), None)

    def ours(head: Mail) -> bool:
        return tag(table.party.row) in head.subject or (other is not None and head.sender == other)

    for name, data in read_new(source, seen, ours, taken.warnings):
        try:
            paste = pasted.read(data)
        except Refused as error:
            taken.warnings.append(f"{name}: {error}")
            continue
        where = f"the mail {paste.mail.subject!a:.80}"
        taken.warnings += [f"{where}: a block in it is {lost.fault}" for lost in paste.damaged]
        read.append(([it for it in paste.bundles if _is_of(home, it)], where, paste.mail))
    looked_at = []
    for blocks, where, mail in sorted(
        read, key=lambda one: [of_bundle(it).number for it in one[0]]
    ):
        came, before = TakenBundles(), table.here
        table.take([(where, one) for one in blocks], came)
        taken.warnings += came.warnings
        if table.here > before:
            remember(home, mail, before)
        if not came.left:
            looked_at.append(mail)
    return looked_at


def _is_of(home: Home, bundle: Bundle) -> bool:
    """Whether a bundle is a block of this duel."""
    try:
        return bundle.kind == "duel" and home.id.startswith(of_bundle(bundle).about)
    except Refused:
        return False


def looked_at(home: Home, mails: Iterable[Mail]) -> None:
    """Remember that these mails need no second look: what they brought is kept, and answered."""
    ids = [one.message_id for one in mails if one.message_id is not None]
    home.keep_lines(SEEN, list(dict.fromkeys([*home.lines(SEEN), *ids]))[-MOST_SEEN:])


def remember(home: Home, mail: Mail, before: int) -> None:
    """Remember a mail that brought what is new: the next mail to the other answers it. Where only
    `before` documents were here, the offer at most, or no address is known, it is the first of the
    other's, and came from their address."""
    if mail.message_id is not None:
        home.keep_lines(THREAD, [*mail.references, mail.message_id][-MOST_THREAD:])
    if mail.sender is not None and (before < 2 or not home.lines(OTHER)):
        home.keep_lines(OTHER, [mail.sender])


# Out.


def wrap(table: DuelTable, block: Leaving, me: str, to: str) -> PersonsMail:
    """The mail from `me` that carries a block; the next one answers it. A block that is sent again
    goes by another mail."""
    home, party, row = table.home, table.party, table.party.row
    bundle, secret, offers = decode(block.data), draw_secret(), row.accept is None
    what = block.what
    if what in ("", ANSWER):
        what = "an offer" if offers else "your offer is accepted"
        if number := len(row.moves):
            what = "the end" if party.ended else f"move {number}"
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
    home.keep_lines(THREAD, [*home.lines(THREAD), key][-MOST_THREAD:])
    return from_person(mail, me, table.clock.now())._replace(key=key)


_OFFER = """{who} offers you a duel at {game}: two play, and nobody hosts.
To play, save this mail and say: adjudicator join FILE
"""
_MOVE = """In the attached block. To take it in: adjudicator sync, or save this mail and say
adjudicator take FILE
"""
