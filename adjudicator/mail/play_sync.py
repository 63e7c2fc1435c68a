"""A player's game through their mailbox: the host's mails are taken in, orders that wait are sent.

The mailbox may be a person's own, so nothing in it is moved, marked or deleted.

In `RECORD.mail/` (see `mail.player`) it keeps `seen`, the Message-IDs of mails that were looked at;
`sent`, the digests of sent slips, each with the time at which it left; and `faults`, what went
wrong the last time.
"""

from __future__ import annotations

from contextlib import suppress

from adjudicator.core import bundles, deadlines, opening
from adjudicator.core.intake import Order
from adjudicator.mail import block, player
from adjudicator.mail.mailboxes import MOST_SEEN, Mailbox, read_new
from adjudicator.mail.mime import Mail, read_mail
from adjudicator.mail.senders import NotSent, Sender
from adjudicator.player import letters
from adjudicator.player.table import KINDS, Table, TakenBundles, harmless, memory
from adjudicator.store.record import PrivateFolder
from orders.bundle import Bundle
from orders.errors import Refused

AGAIN = 6 * 3_600
"""Seconds after which orders without a receipt are sent again."""


def fetch(table: Table, source: Mailbox, taken: TakenBundles) -> None:
    """Take in the host's mails; raises Refused."""
    notes = memory(table.record)
    host = letters.host_address(opening.read_offer(table.record), table.seat)

    def ours(head: Mail) -> bool:
        """Whether a mail claims to be a host's."""
        return head.by_host or (head.sender is not None and head.sender == host)

    mails: dict[str, Mail] = {}
    came: list[tuple[str, Bundle]] = []
    table.keeps = True
    with notes.locked():
        seen = dict.fromkeys(notes.lines("seen"))
        try:
            for name, data in read_new(source, seen, ours, taken.warnings):
                with harmless(name, taken):
                    mail = read_mail(data)
                    seen[str(mail.message_id)] = None
                    bundle = block.choose(mail.blocks, KINDS)
                    if bundle is not None and bundle.kind != "invite":
                        del seen[str(mail.message_id)]
                        mails[name] = mail
                        came.append((name, bundle))
                    elif bundle is None and mail.by_host and mail.sender == host:
                        taken.lines.append(f"a mail without a block: {ascii(mail.subject)[1:-1]}")
            table.take(came, taken)
            for where, mail in mails.items():
                if where not in taken.left:
                    seen[str(mail.message_id)] = None
                if where not in (*taken.left, *taken.foreign):
                    player.remember(table.record, mail)
            for where, bundle in () if table.begun else came:
                # Before genesis only the subject says which of the host's games a mail is of.
                if mails[where].subject.startswith(f"[{table.game}] "):
                    with suppress(Refused):
                        table.notice(bundle)
        finally:
            notes.keep_lines("seen", list(seen)[-MOST_SEEN:])
        _keep_faults(notes, "the mailbox: ", taken)


def send(table: Table, sender: Sender, taken: TakenBundles) -> None:
    """Send the orders that are due; raises Refused."""
    order, notes = table.due(), memory(table.record)
    with notes.locked():
        if order is not None:
            _send(table, order, sender, taken)
        _keep_faults(notes, "your orders ", taken)


def _send(table: Table, order: Order, sender: Sender, taken: TakenBundles) -> None:
    slip, now, notes = order.slip, table.clock.now(), memory(table.record)
    told = f"your orders for step {slip.step}, revision {slip.revision}"
    sent = dict(line.split(" ", 1) for line in notes.lines("sent") if " " in line)
    last = sent.get(order.file.digest)
    if last is not None and 0 <= deadlines.between(last, now) < AGAIN:
        taken.lines.append(f"{told}: sent {last}, no receipt yet")
        return
    bundle = bundles.pack("order", order.files())
    ready = player.wrap(table.record, bundle, "sealed orders", table.seat, clock=table.clock)
    try:
        sender.send(order.file.digest, ready.sender, ready.to, ready.data)
    except NotSent as error:
        taken.warnings.append(f"{told} are not sent, sync again: {error.fault}")
        return
    finally:
        sender.close()
    # If the program is killed before this line, the orders are sent twice; the host gives the same
    # answer again.
    notes.write("sent", f"{order.file.digest} {now}\n".encode())
    taken.lines.append(f"{told}: sent to {ready.to}")


def _keep_faults(notes: PrivateFolder, begins: str, taken: TakenBundles) -> None:
    """Keep the warnings that begin so for `status`, in `faults`, until it goes well."""
    lost = [one for one in notes.lines("faults") if not one.startswith(begins)]
    lost += [one for one in taken.warnings if one.startswith(begins)]
    notes.keep_lines("faults", lost)
