"""One sync of one game through the player's mailbox: take in the host's mails, send waiting orders.

The mailbox may be a person's own, so nothing in it is moved, marked or deleted.

In `RECORD.mail/` (see `mail.player`) it keeps `seen`, the Message-IDs of mails that were looked at,
and `sent`, the digests of sent slips, each with the time at which it left.
"""

from __future__ import annotations

import contextlib
from functools import partial

from adjudicator.core import bundles, deadlines, opening
from adjudicator.core.source import read_or_none
from adjudicator.mail import block, player
from adjudicator.mail.logins import fault_of
from adjudicator.mail.mailboxes import (
    EARLIER,
    MOST_SEEN,
    Mailbox,
    MailboxDown,
    StoredMail,
    Unreadable,
    unseen,
)
from adjudicator.mail.mime import Mail, read_mail
from adjudicator.mail.senders import NotSent, Sender
from adjudicator.player import letters
from adjudicator.player.table import KINDS, Table, TakenBundles, harmless, memory
from adjudicator.store.record import Record
from orders.bundle import Bundle
from orders.fields import Time

AGAIN = 6 * 3_600
"""Seconds after which orders without a receipt are sent again."""


def begins(record: Record) -> Time:
    """The earliest time at which mails of this game can come; raises Missing or Refused."""
    return deadlines.add(opening.read_offer(record).invite.date, -EARLIER)


_FAILED = ("the mailbox: ", "your orders ")
"""Warnings that begin so are kept for `status`, in `faults`, until a sync is without them."""


class MailSync:
    """A player's table, fed by a mailbox. Without `sender` nothing is sent."""

    def __init__(self, table: Table, source: Mailbox, sender: Sender | None) -> None:
        self.table = table
        table.keeps = True
        self.source = source
        self.sender = sender
        self.memory = memory(table.record)
        self.host = letters.host_address(opening.read_offer(table.record), table.seat)
        self.seen = dict.fromkeys(self._lines("seen"))

    def _lines(self, name: str) -> list[str]:
        return (read_or_none(self.memory, name) or b"").decode("ascii", "replace").splitlines()

    def sync(self) -> TakenBundles:
        """Take in, then send; raises Refused."""
        with self.memory.locked():
            taken = TakenBundles()
            try:
                self._take_in(taken)
            finally:
                seen = list(self.seen)[-MOST_SEEN:]
                self.memory.write("seen", "".join(f"{one}\n" for one in seen).encode())
            player.tell(self.table, taken)
            self._send(taken)
            lost = [one for one in taken.warnings if one.startswith(_FAILED)]
            if lost or self._lines("faults"):
                self.memory.write("faults", "".join(f"{one}\n" for one in lost).encode())
        return taken

    # In.

    def _take_in(self, taken: TakenBundles) -> None:
        mails: dict[str, Mail] = {}
        came: list[tuple[str, Bundle]] = []
        try:
            new = partial(unseen, self.seen, self._is_ours)
            with contextlib.closing(self.source.mails(new)) as stored:
                for one in stored:
                    with harmless(one.name, taken):
                        self._read(one, mails, came, taken)
        except (MailboxDown, OSError) as error:
            # What has come is taken in, and orders that wait in the seat can still be sent.
            taken.warnings.append(f"the mailbox: {fault_of(error)}")
        self.table.take(came, taken)
        for where, mail in mails.items():
            if where not in taken.left:
                self.seen[str(mail.message_id)] = None
            if where not in (*taken.left, *taken.foreign):
                player.remember(self.table.record, mail)

    def _read(
        self,
        stored: StoredMail,
        mails: dict[str, Mail],
        came: list[tuple[str, Bundle]],
        taken: TakenBundles,
    ) -> None:
        """Read a mail of a host's; raises Refused."""
        try:
            mail = read_mail(stored.read())
        except Unreadable as error:
            taken.warnings.append(f"{stored.name}: it cannot be read: {error}")
            return
        self.seen[str(mail.message_id)] = None
        bundle = block.choose(mail.blocks, KINDS)
        if bundle is None:
            if mail.by_host and mail.sender == self.host:
                taken.lines.append(f"a mail without a block: {ascii(mail.subject)[1:-1]}")
        elif bundle.kind != "invite":
            del self.seen[str(mail.message_id)]
            mails[stored.name] = mail
            came.append((stored.name, bundle))

    def _is_ours(self, head: Mail) -> bool:
        """Whether a mail claims to be a host's."""
        return head.by_host or (head.sender is not None and head.sender == self.host)

    # Out.

    def _send(self, taken: TakenBundles) -> None:
        """Send the orders that are due."""
        order = self.table.due()
        if order is None:
            return
        slip, now = order.slip, self.table.clock.now()
        told = f"your orders for step {slip.step}, revision {slip.revision}"
        sent = dict(line.split(" ", 1) for line in self._lines("sent") if " " in line)
        last = sent.get(order.file.digest)
        if last is not None and 0 <= deadlines.between(last, now) < AGAIN:
            taken.lines.append(f"{told}: sent {last}, no receipt yet")
            return
        if self.sender is None:
            taken.warnings.append(f"{told} are not sent: no way to send is named")
            return
        table, bundle = self.table, bundles.pack("order", order.files())
        ready = player.wrap(
            table.record, bundle, "sealed orders", clock=table.clock, seat=table.seat
        )
        try:
            self.sender.send(order.file.digest, ready.sender, ready.to, ready.data)
        except NotSent as error:
            taken.warnings.append(f"{told} are not sent, sync again: {error.fault}")
            return
        finally:
            self.sender.close()
        # If the program is killed before this line, the orders are sent twice; the host gives the
        # same answer again.
        self.memory.write("sent", f"{order.file.digest} {now}\n".encode())
        taken.lines.append(f"{told}: sent to {ready.to}")
