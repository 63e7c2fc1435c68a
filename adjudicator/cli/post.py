"""A player's mails, as the settings say how: the mailbox, and the ways by which mails leave."""

from __future__ import annotations

import os
from pathlib import Path

from adjudicator.cli import settings
from adjudicator.cli.shared import own_name, say, write_out
from adjudicator.core.opening import read_offer
from adjudicator.mail import mailboxes, player, senders
from adjudicator.mail.mailboxes import Mailbox
from adjudicator.mail.outgoing import PersonsMail
from adjudicator.mail.senders import NotSent, Sender
from adjudicator.player.seat import Seat
from adjudicator.store.record import Record
from orders.bundle import Bundle
from orders.errors import Refused


def own_address(record: Path | None) -> str:
    """One's own mail address, as the settings name it; raises Refused."""
    found = settings.get("address", record)
    if found is None:
        raise settings.lacking(record)[0]
    return found


def mailbox(record: Path) -> Mailbox:
    """A player's mailbox, as the settings name it, from the game's beginning on; raises Refused."""
    source, offered = settings.get("mail-in", record), read_offer(Record(record)).invite.date
    return mailboxes.open_source(source or "", authorities(record), offered)


def way_out(record: Path | None) -> Sender | None:
    """The way to send mails that the settings name; None if they name none. Raises Refused."""
    named = settings.get("mail-out", record)
    return None if named is None else senders.open_sender(named, authorities(record))


def authorities(record: Path | None) -> Path | None:
    """The file of certificates to trust for TLS, if the settings name one."""
    named = settings.get("ca", record)
    return None if named is None else Path(named)


def mail(
    record: Record, bundle: Bundle, what: str, seat: Seat | None, me: str | None = None
) -> None:
    """Send a bundle to the host: as the settings say, or as a file; raises Refused.

    `me`: one's own address, if it is not the one that the host was told.
    """
    if me is None and (seat is None or seat.address() is None):
        me = settings.get("address", record.root)
    ready = player.wrap(record, bundle, what, seat, me)
    if not leaves(record.root, ready):
        where = own_name(str(record.root.with_name(f"{ready.name}.eml")), bundle)
        write_out(where, ready.data, like=b"Date: ")
        say(f"{os.path.relpath(where)}: the mail to {ready.to}, ready to send")


def leaves(root: Path, ready: PersonsMail) -> bool:
    """Send a mail as the settings of that game say how; False if they name no way. Raises
    Refused."""
    way = way_out(root)
    if way is None:
        return False
    try:
        way.send(ready.key, ready.sender, ready.to, ready.data)
    except NotSent as error:
        raise Refused("busy", f"the mail is not sent: {error.fault}", "try again") from None
    finally:
        way.close()
    say(f"sent to {ready.to}")
    return True
