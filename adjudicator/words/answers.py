"""Receipts in words: the sentences by which host and player learn whether an order counts.

`core.receipts` judges whether the host was right.
"""

from __future__ import annotations

from typing import NamedTuple

from adjudicator.core import receipts
from adjudicator.core.ledger import Ledger
from adjudicator.core.link import Link
from adjudicator.core.link import counts as still_counts
from adjudicator.player import witness
from adjudicator.player.seated import Seated
from adjudicator.words.spans import ReadAt
from orders.documents import Receipt, Slip
from orders.order_file import OrderFile, read_order_file

_REFUSED = {
    "stale": "written after another entry than the last; take in what is new, then order again",
    "superseded": "a later revision counts; order again to replace that one",
    "absent": "its sealed orders did not come with it; send the whole bundle again",
    "unopenable": "its sealed orders do not open; order again",
    "malformed": "the host's program does not understand it; order again",
    "illegal": "it is not allowed in the position that you see; order again",
}


def answered(ledger: Ledger, receipt: Receipt) -> str:
    """What a receipt says, and why an accepted order no longer counts, if it does not."""
    if receipt.status == "stale" and receipt.entry >= receipt.step:
        return (
            f"too late: written after entry {receipt.step - 1}, the game is at {receipt.entry}; "
            "order again"
        )
    if receipt.status != "accepted":
        return f"{receipt.status}: {_REFUSED[receipt.status]}"
    answer = receipts.settled_by(ledger, receipt.step)
    if answer is None:
        return "accepted"
    return f"accepted{_became(ledger, receipt, answer)}"


def received(ledger: Ledger, receipt: Receipt, orders: bytes | None) -> str:
    """The same for the player whose orders it answers. `orders`: their order file, None if the seat
    does not have it."""
    what = f"your orders for step {receipt.step}"
    if orders is not None:
        what += f" ({in_words(read_order_file(orders)[1])})"
    answer = answered(ledger, receipt)
    return f"the host has {what}" if answer == "accepted" else f"{what}: {answer}"


def counts(ledger: Ledger, receipt: Receipt) -> bool:
    """Whether an order was accepted, and no ruling has voided or annulled it since."""
    answer = receipts.settled_by(ledger, receipt.step)
    if receipt.status != "accepted" or answer is None:
        return receipt.status == "accepted"
    return answer.entry.ruling is None and not _annulled(ledger, answer)


def _annulled(ledger: Ledger, link: Link) -> bool:
    return not still_counts(ledger.last, link.step, ledger.link)


def _became(ledger: Ledger, receipt: Receipt, answer: Link) -> str:
    entry = answer.entry
    anew = "" if ledger.last.over else f"; send orders for step {ledger.last.since + 1}"
    if entry.ruling is not None and entry.ruling.abandons:
        return f"; then entry {entry.step} abandoned the game"
    if entry.ruling is not None:
        return f" for step {receipt.step}, which the ruling in entry {entry.step} has voided{anew}"
    used = entry.slips.get(receipt.player)
    if used is None or used.digest != receipt.slip:
        return f", and not used in entry {entry.step}"
    if _annulled(ledger, answer):
        return f", and used in entry {entry.step}, which a ruling has annulled{anew}"
    return f", and used in entry {entry.step}"


class Pending(NamedTuple):
    """A seat's orders for the coming entry. `answer`: the receipt in words, "" for none."""

    slip: Slip
    file: OrderFile
    answer: str

    def text(self, reader: ReadAt) -> str:
        """The line for a person, with the orders."""
        verb = "Sent" if self.answer else "Signed"
        answer = {"": "No receipt yet", "accepted": "The host has it"}.get(self.answer, self.answer)
        orders = in_words(self.file, self.slip.protest)
        return f"{verb} {reader.day(self.slip.time)}: {orders}. {answer}"


def lines_of(file: OrderFile) -> list[str]:
    """All that an order file says: its lines but for blank ones."""
    return [line.strip() for line in file.orders if line.strip()]


def in_words(file: OrderFile, protest: str | None = None) -> str:
    """The same in one line, with the protest that goes with it."""
    also = f", with a protest: {protest}" if protest is not None else ""
    return f"{'; '.join(lines_of(file)) or 'no lines'}{also}"


def sent(seated: Seated) -> list[Pending]:
    """A seat's orders for the coming entry, by step and revision."""
    ledger, seat = seated.ledger, seated.seat
    since = ledger.last.since + 1
    given = witness.given(ledger, seat, since)
    found = []
    for order in seat.orders(since):
        slip = order.slip
        one = witness.answer(order, given)
        answer = "" if one is None else answered(ledger, one.receipt)
        _, file = read_order_file(seat.order_file(slip.step, slip.revision))
        found.append(Pending(slip, file, answer))
    return found
