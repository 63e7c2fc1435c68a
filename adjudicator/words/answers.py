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
from orders.documents import Receipt, Slip
from orders.order_file import read_order_file

_REFUSED = {
    "stale": "it answers an older entry; take in the newer ones, then order again",
    "superseded": "a later revision counts; order again to replace that one",
    "absent": "its sealed orders did not come with it; send the whole bundle again",
    "unopenable": "its sealed orders do not open; order again",
    "malformed": "the host's program does not understand it; order again",
    "illegal": "it is not allowed in the position that you see; order again",
}


def answered(ledger: Ledger, receipt: Receipt) -> str:
    """What a receipt says, and why an accepted order no longer counts, if it does not."""
    if receipt.status != "accepted":
        return f"{receipt.status}: {_REFUSED[receipt.status]}"
    answer = receipts.settled_by(ledger, receipt.step)
    if answer is None:
        return "accepted"
    return f"accepted{_became(ledger, receipt, answer)}"


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
    lines: tuple[str, ...]
    answer: str

    def text(self) -> str:
        """The line for a person, with the orders."""
        slip = self.slip
        protest = f", with a protest: {slip.protest}" if slip.protest is not None else ""
        what = "; ".join(self.lines) or "no lines"
        return (
            f"you wrote revision {slip.revision} for step {slip.step} at {slip.time}: {what}"
            f"{protest}; {self.answer or 'no receipt yet'}"
        )


def sent(seated: Seated) -> list[Pending]:
    """A seat's orders for the coming entry, by step and revision."""
    ledger, seat = seated.ledger, seated.seat
    since = ledger.last.since + 1
    given = witness.given(ledger, seat, since)
    found = []
    for order in seat.orders(since):
        slip = order.slip
        data = seat.order_file(slip.step, slip.revision)
        _, file = read_order_file(data, ledger.opening.game.tables)
        one = witness.answer(order, given)
        answer = "" if one is None else answered(ledger, one.receipt)
        found.append(Pending(slip, tuple(line for line in file.orders if line.strip()), answer))
    return found
