"""Sending mails: budgets decide which go into the outbox, and due mails are sent from there.

With the budgets nobody can be flooded with answers to mails in their name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from adjudicator.core import deadlines
from adjudicator.mail.mime import Mail
from adjudicator.mail.outbox import Outbox
from adjudicator.mail.outgoing import Outgoing, dated, render
from adjudicator.mail.senders import NotSent, Sender
from adjudicator.store.clock import Clock
from orders.fields import Time

HOUR = 3_600

MOST = {
    "again": 3,
    "command": 5,
    "resend": 1,
    "join": 3,
    "joins": 60,
    "stranger": 1,
    "strangers": 60,
}
"""How many answers of each kind leave in an hour, by the word with which a budget begins. `again`:
mails that were answered before. `command`: words that nobody signed. `resend`: one entry to one
address. The first answer to an order is never limited."""


class Post:
    """Sends the host's mails from `address`."""

    def __init__(self, outbox: Outbox, address: str, clock: Clock) -> None:
        self.outbox = outbox
        self.address = address
        self.clock = clock

    def queue(self, mails: Sequence[Outgoing]) -> None:
        """Put mails into the outbox, all or none."""
        with self.outbox.act():
            self.put(self.chosen(mails))

    def chosen(self, mails: Sequence[Outgoing], answered: Mail | None = None) -> list[Outgoing]:
        """Those of the mails that may leave by their budgets.

        All these mails together use up one of each budget. A machine gets no answer, except the
        first one to something signed.
        """
        now = self.clock.now()
        given = [self._once(mail, answered) for mail in mails]
        if answered is not None and answered.automatic:
            given = [mail for mail in given if not (mail.reply and mail.budget)]
        spent = {one for mail in given for one in mail.budget if self._is_spent(one, now)}
        return [mail for mail in given if not spent.intersection(mail.budget)]

    def put(self, chosen: Sequence[Outgoing]) -> None:
        """Put mails into the outbox; to be called within `Outbox.act`."""
        now = self.clock.now()
        for mail in chosen:
            sender = "" if mail.stranger else self.address
            data, mark = render(mail, self.address), mail.message_id(self.address)
            self.outbox.queue(mail.key, mark, mail.to, sender, data, now)
        for budget in sorted({one for mail in chosen for one in mail.budget}):
            self.outbox.speak(budget, now)

    def _once(self, mail: Outgoing, answered: Mail | None) -> Outgoing:
        """The mail. If the same mail was answered before, it gets another key and a budget."""
        if answered is None or not mail.reply or not self.outbox.has(mail.key):
            return mail
        budget = (f"again/{mail.to.lower()}",)
        return replace(mail, key=f"{mail.key}/{answered.digest}", budget=budget)

    def _is_spent(self, budget: str, now: Time) -> bool:
        """Whether a budget is used up in this hour."""
        most = MOST[budget.partition("/")[0]]
        return self.outbox.spoken(budget, deadlines.add(now, -HOUR), now) >= most

    def flush(self, sender: Sender, faults: list[str]) -> int:
        """Send the due mails; a mail that is not taken stays, and is tried again after a pause.

        Raises Refused, before anything is sent, if the disk is too full to note it: the mails would
        be sent again each turn.
        """
        count = 0
        held = set()
        start = self.clock.now()
        due = self.outbox.due(start)
        self.outbox.check_noted(due, start)
        for key in due:
            mail = self.outbox.waiting(key)
            if mail.recipient in held:
                continue
            now = self.clock.now()
            try:
                sender.send(key, mail.sender, mail.recipient, dated(mail.data, now))
            except NotSent as error:
                self.outbox.failed(key, error.fault, now, for_good=error.for_good, ours=error.down)
                faults.append(f"a mail to {mail.recipient} was not sent: {error.fault}")
                held.add(mail.recipient)
                if error.down:
                    break
                continue
            self.outbox.sent(key, now)
            count += 1
        sender.close()
        return count
