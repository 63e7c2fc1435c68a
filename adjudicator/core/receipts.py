"""Receipts against a chain: was each accepted order used, and was each refused one rightly refused?

What belongs here: judging what a host answered, as far as chain, receipts and master allow. The
player's tool asks as each receipt comes in, the verifier over a whole record.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from adjudicator.core import chain, intake
from adjudicator.core.engine import UnlockedGame
from adjudicator.core.intake import Order, ViewOf
from adjudicator.core.ledger import Ledger
from adjudicator.core.link import Link
from adjudicator.core.opening import Opening
from orders import sshsig
from orders.documents import Receipt, Slip, read_receipt
from orders.errors import Refused
from orders.fields import digest
from orders.sshsig import Signed


class OrderReceipt(NamedTuple):
    """A validly signed receipt, and the order that it answers, if the holder still has that."""

    receipt: Receipt
    file: Signed
    order: Order | None = None

    @property
    def place(self) -> str:
        """Which order it answers, in words."""
        one = self.receipt
        return f"receipt for {one.player}, step {one.step}, revision {one.revision}"


class ReceiptVerdict(NamedTuple):
    """`status`: "true" (the host was right), "false" or "unknown" (cannot be told yet); and why.

    `used`: the order was accepted and used, the usual case, which is not reported.
    """

    status: str
    text: str
    used: bool = False


class RevealedGame(NamedTuple):
    """What is needed to judge a refusal by an order's content: the master, and views of earlier
    positions.

    `views` raises Refused for an entry whose position could not be replayed.
    """

    game: UnlockedGame
    views: Callable[[int], ViewOf]


def read(
    opening: Opening, file: Signed, order: Order | None = None, *, trusted: bool = False
) -> OrderReceipt:
    """The receipt, if the host signed it in this game; raises Refused.

    `trusted`: its signature was verified when it came in.
    """
    if not trusted:
        file.verify(opening.offer.host, sshsig.RECEIPT)
    receipt = read_receipt(file.data)
    if receipt.game != opening.id:
        raise Refused("mismatch", f"the receipt is of game {receipt.game}")
    held = order is not None and order.file.digest == receipt.slip
    return OrderReceipt(receipt, file, order if held else None)


def contradictions(given: Sequence[OrderReceipt]) -> list[tuple[OrderReceipt, OrderReceipt]]:
    """Pairs of receipts that contradict each other about one slip: proof that the host lied once.

    Only `absent` may be replaced: the file that was not there may have come later.
    """
    first: dict[str, OrderReceipt] = {}
    found = []
    for one in sorted(given, key=lambda one: (one.receipt.status == "absent", one.receipt.time)):
        other = first.setdefault(one.receipt.slip, one)
        if other.receipt.status != one.receipt.status and one.receipt.status != "absent":
            found.append((other, one))
    return found


def judge(
    ledger: Ledger,
    one: OrderReceipt,
    others: Sequence[OrderReceipt],
    revealed: RevealedGame | None = None,
) -> ReceiptVerdict:
    """Whether the host was right; `others` are all receipts held for the game."""
    judged = _judged(ledger, one, others, revealed)
    return judged._replace(text=f"{one.place}: {judged.text}")


def _judged(
    ledger: Ledger, one: OrderReceipt, others: Sequence[OrderReceipt], revealed: RevealedGame | None
) -> ReceiptVerdict:
    receipt, order = one.receipt, one.order
    fault = "" if order is None else _misnamed(ledger, receipt, order.slip)
    if fault:
        return ReceiptVerdict("false", f"{receipt.status}, yet {fault}")
    if receipt.entry > ledger.last.step:
        if ledger.revealed:
            return ReceiptVerdict(
                "false", f"names entry {receipt.entry}, and nothing follows the reveal"
            )
        return ReceiptVerdict(
            "unknown", f"{receipt.status}; it names entry {receipt.entry}, which is not here yet"
        )
    link = ledger.link(receipt.entry)
    if link.digest != receipt.head:
        return ReceiptVerdict("false", f"names an entry {receipt.entry} that is not the record's")
    if receipt.status == "accepted":
        return _accepted(ledger, receipt)
    if receipt.status == "absent":
        return ReceiptVerdict(
            "true", "absent: the sealed orders never came, which proves nothing for either side"
        )
    return _refused(ledger, link, one, others, revealed)


def _misnamed(ledger: Ledger, receipt: Receipt, slip: Slip) -> str:
    """A false statement of a receipt about its slip, or about the host's last entry at the time; ""
    if nothing.

    By an entry from before the one that the slip answers every order would look stale.
    """
    if (receipt.step, receipt.player, receipt.revision) != (slip.step, slip.player, slip.revision):
        return f"its slip is of {slip.player}, step {slip.step}, revision {slip.revision}"
    answered = slip.step - 1
    if receipt.entry < answered <= ledger.last.step and (slip.head == ledger.link(answered).digest):
        return f"it names entry {receipt.entry} as the last, and its slip answers entry {answered}"
    return ""


def _accepted(ledger: Ledger, receipt: Receipt) -> ReceiptVerdict:
    answer = settled_by(ledger, receipt.step)
    if answer is None:
        return ReceiptVerdict("unknown", "accepted; its entry is not there yet")
    entry = answer.entry
    used = entry.slips.get(receipt.player)
    if voided := _voided(answer):
        return ReceiptVerdict("true", f"accepted, then {voided}")
    if used is None:
        missing = receipt.player in entry.missing
        where = "has missing" if missing else "lists no order of"
        return ReceiptVerdict("false", f"accepted, yet entry {entry.step} {where} {receipt.player}")
    if used.digest != receipt.slip:
        slip = answer.slips[receipt.player]
        if (slip.step, slip.revision) > (receipt.step, receipt.revision):
            return ReceiptVerdict("true", f"accepted, then replaced by revision {slip.revision}")
        return ReceiptVerdict(
            "false", f"accepted, yet entry {entry.step} uses revision {slip.revision}"
        )
    if used.received != receipt.time:
        return ReceiptVerdict(
            "false", f"received at {receipt.time}, entry {entry.step} says {used.received}"
        )
    return ReceiptVerdict("true", "accepted and used", used=True)


def _voided(answer: Link) -> str:
    """How an entry voided the orders that were accepted for it, in words; "" if it must name them,
    as an end before the first adjudication does too."""
    ruling = answer.entry.ruling
    if ruling is None or (ruling.abandons and answer.first is None):
        return ""
    if ruling.abandons:
        return "the game was abandoned"
    return f"voided by the ruling in {answer.step}"


def settled_by(ledger: Ledger, step: int) -> Link | None:
    """The entry that used or voided the order accepted for that step."""
    for number in range(step, ledger.last.step + 1):
        link = ledger.link(number)
        ruling = link.entry.ruling
        if ruling is None or not ruling.moves_only:
            return link
    return None


def _refused(
    ledger: Ledger,
    link: Link,
    one: OrderReceipt,
    others: Sequence[OrderReceipt],
    revealed: RevealedGame | None,
) -> ReceiptVerdict:
    receipt, order = one.receipt, one.order
    if order is None:
        return ReceiptVerdict("unknown", f"{receipt.status}; its order bundle is not given")
    if _stale(ledger, link, order):
        if receipt.status == "stale":
            return ReceiptVerdict("true", "stale, as the chain shows")
        return ReceiptVerdict("false", f"{receipt.status}, yet after entry {link.step} it is stale")
    if receipt.status == "stale":
        return ReceiptVerdict(
            "false",
            f"stale, yet it answers entry {order.slip.step - 1}, which is allowed "
            f"after entry {link.step}",
        )
    if receipt.status == "superseded":
        return _superseded(ledger, receipt, order, others)
    if revealed is None:
        return ReceiptVerdict("unknown", f"{receipt.status}; cannot be judged before the reveal")
    if order.sealed is None or digest(order.sealed) != order.slip.sealed:
        return ReceiptVerdict("unknown", f"{receipt.status}; its sealed file is not given")
    try:
        view = revealed.views(link.step)
    except Refused:
        text = f"{receipt.status}; the position of entry {link.step} is not known"
        return ReceiptVerdict("unknown", text)
    status = intake.judge(revealed.game, link, ledger.link, view, order, (0, 0))
    if status == receipt.status:
        return ReceiptVerdict("true", f"{receipt.status}, and judged again it is the same")
    return ReceiptVerdict("false", f"{receipt.status}, but judged again it is {status}")


def _stale(ledger: Ledger, link: Link, order: Order) -> bool:
    if link.over:
        return True
    slip = order.slip
    try:
        chain.check_slip(ledger.opening, link, slip.player, slip, ledger.link)
    except Refused as error:
        return error.word != "nonce"
    return False


def _superseded(
    ledger: Ledger, receipt: Receipt, order: Order, others: Sequence[OrderReceipt]
) -> ReceiptVerdict:
    """Whether there was an order to which this one gave way.

    It need not be here: another copy of the seat may have written it, or this one, before an old
    disk took its place. But the entry uses it, or one that is later still.
    """
    held = [one.receipt for one in others if one.receipt.player == receipt.player]
    accepted = [
        (one.step, one.revision)
        for one in held
        if one.status == "accepted" and one.time <= receipt.time
    ]
    answer = settled_by(ledger, receipt.step)
    place = (0, 0)
    if answer is not None and receipt.player in answer.slips:
        slip = answer.slips[receipt.player]
        place = (slip.step, slip.revision)
        # An order accepted only afterwards does not justify this refusal.
        if answer.entry.slips[receipt.player].received <= receipt.time:
            accepted.append(place)
    last = max(accepted, default=(0, 0))
    if order.place <= last:
        return ReceiptVerdict("true", f"superseded by step {last[0]}, revision {last[1]}")
    unknown = ReceiptVerdict("unknown", "superseded, by an order that is not here")
    if answer is None or order.place < place or _voided(answer):
        return unknown
    return ReceiptVerdict(
        "false", f"superseded, yet entry {answer.step} uses no order to which it gave way"
    )
