"""One sync of one game through the player's mailbox: take in the host's mails, send waiting orders.

The mailbox may be a person's own, so nothing in it is moved, marked or deleted.

In `RECORD.mail/` (see `mail.player`) it keeps `seen`, the Message-IDs of mails that were looked at,
and `sent`, the digests of sent slips, each with the time at which it left.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from adjudicator.core import bundles, deadlines, opening
from adjudicator.core.bundles import about, ids_of
from adjudicator.core.intake import Order
from adjudicator.core.source import read_or_none
from adjudicator.mail import block, player
from adjudicator.mail.arrived import Arrived, Down, Mailbox, Unreadable
from adjudicator.mail.mime import Mail, read_head, read_mail
from adjudicator.mail.outbox import fault_of
from adjudicator.mail.senders import NotSent, Sender
from adjudicator.player import letters
from adjudicator.player.copy import Copy
from adjudicator.player.seat import Seat
from adjudicator.player.taken import Taken
from adjudicator.store.clock import Clock
from adjudicator.store.record import Record
from orders.documents import read_receipt
from orders.errors import TEMPORARY, Refused
from orders.fields import Time

AGAIN = 6 * 3_600
"""Seconds after which orders without a receipt are sent again."""

EARLIER = 2 * 86_400
"""Mails are looked at from so many seconds before the invite's date on, because clocks differ."""

MOST_SEEN = 10_000
"""How many Message-IDs are remembered."""


def begins(record: Record) -> Time:
    """The earliest time at which mails of this game can come; raises Missing or Refused."""
    return deadlines.add(opening.read_offer(record).invite.date, -EARLIER)


class MailSync:
    """A copy of the record and a seat in it. Without `sender` nothing is sent."""

    def __init__(
        self, record: Record, seat: Seat, source: Mailbox, sender: Sender | None, clock: Clock
    ) -> None:
        self.record = record
        self.seat = seat
        self.source = source
        self.sender = sender
        self.clock = clock
        self.copy = Copy(record, seat, clock)
        self.memory = player.memory(record)
        self.host = letters.host_address(opening.read_offer(record), seat)
        self.seen = dict.fromkeys(self._lines("seen"))

    def _lines(self, name: str) -> list[str]:
        return (read_or_none(self.memory, name) or b"").decode("ascii", "replace").splitlines()

    def sync(self) -> Taken:
        """Take in, then send; raises Refused."""
        taken = Taken()
        with self.memory.locked():
            try:
                self._take_in(taken)
            except (Down, OSError) as error:
                # Orders that wait in the seat can still be sent.
                taken.warnings.append(f"the mailbox: {fault_of(error)}")
            finally:
                seen = list(self.seen)[-MOST_SEEN:]
                self.memory.write("seen", "".join(f"{one}\n" for one in seen).encode())
            if taken.steps:
                player.show(self.copy, self.seat, taken)
            self._send(taken)
        return taken

    # In.

    def _take_in(self, taken: Taken) -> None:
        begun = self._begun()
        with contextlib.closing(self.source.mails(self._new)) as mails:
            for arrived in mails:
                try:
                    mail = read_mail(arrived.read())
                    again = not self._take(mail, taken)
                except Unreadable as error:
                    taken.warnings.append(f"{arrived.name}: it cannot be read: {error}")
                    continue
                except Refused as error:
                    if error.word in TEMPORARY:
                        raise
                    taken.warnings.append(f"{arrived.name}: {error}")
                    again = error.word == "gap"
                if not again:
                    self.seen[str(read_head(arrived.head()).message_id)] = None
        if self._begun() and not begun:
            # The mails that came before the genesis.
            self._take_in(taken)

    def _begun(self) -> bool:
        return self.record.last_step() is not None

    def _new(self, mails: list[Arrived]) -> Iterator[Arrived]:
        """The mails that claim to be a host's and were not looked at before."""
        for one in mails:
            with contextlib.suppress(Refused):
                head = read_head(one.head())
                ours = head.by_host or (head.sender is not None and head.sender == self.host)
                if ours and head.message_id is not None and head.message_id not in self.seen:
                    yield one

    def _take(self, mail: Mail, taken: Taken) -> bool:
        """Take a mail in if it is this game's; raises Refused.

        Returns False if that cannot be told yet, because a game without genesis has no id.
        """
        bundle = block.choose(mail.blocks, player.KINDS)
        if bundle is None:
            if mail.by_host and mail.sender == self.host:
                taken.lines.append(f"a mail without a block: {ascii(mail.subject)[1:-1]}")
            return True
        if bundle.kind == "invite":
            return True
        if about(bundle) not in ids_of(self.record):
            return self._begun()
        found = player.take(mail, bundle, self.copy, self.seat)
        taken.lines += found.lines
        taken.warnings += found.warnings
        taken.steps += found.steps
        return True

    # Out.

    def _send(self, taken: Taken) -> None:
        """Send the last orders for the coming entry, if no receipt answers them."""
        order = self._waiting()
        if order is None:
            return
        slip, now = order.slip, self.clock.now()
        told = f"your orders for step {slip.step}, revision {slip.revision}"
        sent = dict(line.split(" ", 1) for line in self._lines("sent") if " " in line)
        last = sent.get(order.file.digest)
        if last is not None and 0 <= deadlines.between(last, now) < AGAIN:
            taken.lines.append(f"{told}: sent {last}, no receipt yet")
            return
        if self.sender is None:
            taken.warnings.append(f"{told} are not sent: no way to send is named")
            return
        bundle = bundles.pack("order", order.files())
        ready = player.wrap(self.record, bundle, "sealed orders", clock=self.clock, seat=self.seat)
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

    def _waiting(self) -> Order | None:
        """The seat's last orders for the coming step, unless they are answered."""
        if not self._begun():
            return None
        ledger = self.copy.ledger
        if ledger.last.over or not self.seat.sits(ledger.last.joins):
            return None
        since = ledger.last.since + 1
        written = self.seat.orders(since)
        answered = {read_receipt(one.data).slip for one in self.seat.receipts(since)}
        return written[-1] if written and written[-1].file.digest not in answered else None
