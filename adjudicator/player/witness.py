"""The player's tool as a witness: it compares what the seat wrote and received with what the host
says.

What belongs here: everything that a player can notice alone and at once, a line each, with what to
do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from adjudicator.core import chain, deadlines, intake, receipts
from adjudicator.core.deadlines import span
from adjudicator.core.intake import Order
from adjudicator.core.ledger import Ledger
from adjudicator.core.link import Link
from adjudicator.core.receipts import OrderReceipt
from adjudicator.player.seated import Seated
from adjudicator.words import story
from adjudicator.words.spans import ReadAt
from orders.documents import LAST_STEP, Receipt
from orders.errors import Refused
from orders.fields import Time
from orders.order_file import read_order_file

if TYPE_CHECKING:
    from adjudicator.player.seat import Seat

TOLERANCE = 15 * 60
"""Seconds by which two clocks may differ without a warning."""

PATIENCE = 60 * 60
"""Seconds for which orders may wait for their receipt."""

_PROTEST = "protest with your next orders: --protest {}"


def no_report(step: int) -> str:
    """An entry came, and one's own report of it did not."""
    return (
        f"your report of entry {step} is not here (was the mail another player's?). Ask the host: "
        f"resend {step}"
    )


def given(
    ledger: Ledger,
    seat: Seat,
    since: int = 0,
    until: int = LAST_STEP,
    *,
    mine: Sequence[Order] | None = None,
    trusted: bool = True,
) -> list[OrderReceipt]:
    """The seat's receipts of this game for these steps, with the orders that they answer.

    `mine`: the seat's orders for these steps, if the caller has read them. A receipt is verified as
    it comes into the seat; `trusted` false: verify it again.
    """
    wrote = seat.orders(since, until) if mine is None else mine
    written = {order.file.digest: order for order in wrote}
    found = []
    for file in seat.receipts(since, until):
        try:
            one = receipts.read(ledger.opening, file, trusted=trusted)
        except Refused:
            continue
        found.append(OrderReceipt(one.receipt, file, written.get(one.receipt.slip)))
    return found


def of_seat(ledger: Ledger, seat: Seat, link: Link) -> Iterator[str]:
    """A ruling that gives this seat to somebody else, whoever signed that."""
    ruling = link.entry.ruling
    change = None if ruling is None else ruling.seat
    if ruling is None or change is None or change.player != seat.player:
        return
    if seat.sits(ledger.link(link.step - 1).joins) and not seat.sits(link.joins):
        signed = "your key signed" if change.agreed else "you did not sign"
        yield (
            f"entry {link.step} gives your seat to somebody else, and {signed} that; "
            f"the reason given: {ruling.reason!a}"
        )


def given_away(ledger: Ledger, seat: Seat) -> str:
    """That the seat has another key now, and its player did not sign that; "" if it has not."""
    if seat.sits(ledger.last.joins):
        return ""
    for link in reversed(ledger.links()):
        if any(of_seat(ledger, seat, link)):
            assert link.entry.ruling is not None  # noqa: S101 - `of_seat` found it
            assert link.entry.ruling.seat is not None  # noqa: S101 - the same
            if link.entry.ruling.seat.agreed:
                return ""
            key = link.key(seat.player).fingerprint
            return (
                f"YOUR SEAT was given to {key} in entry {link.step}; you did not sign that. "
                f"Reason given: {link.entry.ruling.reason!a}"
            )
    return ""


def of_step(ledger: Ledger, seat: Seat, link: Link) -> Iterator[str]:
    """All that a seat notices as an entry comes in: its orders, and its receipts for that step."""
    mine, answers = answered(ledger, seat, link)
    yield from story.without_nonce(ledger, link)
    yield from of_orders(ledger, seat, link, mine, answers)
    yield from of_receipts(ledger, seat, answers)


def answered(ledger: Ledger, seat: Seat, link: Link) -> tuple[list[Order], list[OrderReceipt]]:
    """The orders that the seat wrote for an entry, and its receipts for them."""
    since = ledger.link(max(link.step - 1, 0)).since + 1
    mine = seat.orders(since, link.step)
    return mine, given(ledger, seat, since, link.step, mine=mine)


def of_orders(
    ledger: Ledger, seat: Seat, link: Link, mine: Sequence[Order], answers: Sequence[OrderReceipt]
) -> Iterator[str]:
    """How an entry treats this seat's orders otherwise than the seat expects; `mine` and `answers`:
    as of `answered`."""
    entry, player = link.entry, seat.player
    if entry.ruling is not None or link.step == 0:
        return
    if not seat.sits(ledger.link(link.step - 1).joins):
        return
    used = entry.slips.get(player)
    if used is not None:
        yield from _used(link, mine, used.digest, answers)
    elif player in entry.missing:
        yield from _dropped(link, mine, answers)


def _dropped(link: Link, mine: Sequence[Order], answers: Sequence[OrderReceipt]) -> Iterator[str]:
    """Of the orders that nobody refused by their content the last, if an entry calls their author
    missing."""
    for order in reversed(mine):
        refusal = answer(order, answers)
        if refusal is None or refusal.receipt.status in ("accepted", "stale", "absent"):
            yield (
                f"entry {link.step} calls you missing, though you wrote revision "
                f"{order.slip.revision} for step {order.slip.step} {_answered(refusal)}"
            )
            return


def _used(
    link: Link, mine: Sequence[Order], used: str, answers: Sequence[OrderReceipt]
) -> Iterator[str]:
    order = next((one for one in mine if one.file.digest == used), None)
    if order is None:
        yield (
            f"entry {link.step} uses an order in your name that this seat did not write: is there "
            f"another copy of the seat, or does somebody else have your key?"
        )
        return
    for later in mine:
        if later.place <= order.place:
            continue
        refusal = answer(later, answers)
        if refusal is not None and refusal.receipt.status not in ("accepted", "absent"):
            continue
        yield (
            f"entry {link.step} uses orders that you had replaced (step {order.slip.step}, "
            f"revision {order.slip.revision}), and not those in their place (step "
            f"{later.slip.step}, revision {later.slip.revision}) {_answered(refusal)}"
        )


def _answered(refusal: OrderReceipt | None) -> str:
    """What receipt there is, and what to do. A seat knows what it signed, not what was sent; but a
    receipt shows that it arrived."""
    if refusal is None:
        return f"(no receipt); if you sent it in time, {_PROTEST.format('order')}"
    return f"(receipt: {refusal.receipt.status}); {_PROTEST.format('order')}"


def answer(order: Order, answers: Iterable[OrderReceipt]) -> OrderReceipt | None:
    """The most telling receipt for an order: `absent` only if there is no other."""
    held = [one for one in answers if one.receipt.slip == order.file.digest]
    return min(held, key=lambda one: one.receipt.status == "absent", default=None)


def unwritten(receipt: Receipt) -> str:
    """A receipt for orders that this seat did not write."""
    return (
        f"the receipt for step {receipt.step}, revision {receipt.revision} answers orders that "
        "this seat did not write: is there another copy of the seat, or does somebody else "
        "have your key?"
    )


def of_receipts(ledger: Ledger, seat: Seat, held: Sequence[OrderReceipt]) -> Iterator[str]:
    """Those of these receipts that contradict each other, the chain, or what was accepted."""
    for one, other in receipts.contradictions(held):
        yield (
            f"the host signed two answers to one slip: {one.place} says {one.receipt.status}, "
            f"then {other.receipt.status}. adjudicator verify --against writes the proof"
        )
    for one in held:
        judged = receipts.judge(ledger, one, held)
        if judged.status == "false":
            yield f"{judged.text}; {_PROTEST.format('order')}"
        elif one.receipt.entry > ledger.last.step:
            yield judged.text
        elif judged.status == "unknown":
            yield from of_refusal(ledger, seat, one)


def of_refusal(ledger: Ledger, seat: Seat, one: OrderReceipt) -> Iterator[str]:
    """A refusal of an order that is legal by this seat's own report. After the reveal everybody can
    judge that; the seat can at once."""
    receipt, order = one.receipt, one.order
    if order is None or receipt.status not in ("unopenable", "malformed", "illegal"):
        return
    slip = order.slip
    try:
        own = Seated(ledger.source, seat, ledger)
        chain.check_slip(ledger.opening, ledger.link(receipt.entry), seat.player, slip, ledger.link)
        data = intake.unseal_order(ledger.opening, own.shared(), slip, order.sealed or b"")
        intake.read_orders(ledger.opening, data, own.report(receipt.entry).view)
    except Refused:
        return
    yield (
        f"{one.place}: {receipt.status}, yet by your own report nothing is wrong with it; "
        f"{_PROTEST.format('order')}"
    )


def unanswered(ledger: Ledger, seat: Seat, reader: ReadAt) -> Iterator[str]:
    """Orders for the coming entry that have waited for a receipt for an hour, or for half the turn
    time where that is less."""
    if ledger.last.over:
        return
    since = ledger.last.since + 1
    waited = seat.orders(since)
    if not waited:
        return
    last, answers = waited[-1], given(ledger, seat, since, mine=waited)
    patience = min(PATIENCE, deadlines.turn_time(ledger.opening.setup) // 2)
    if answer(last, answers) is None and deadlines.between(last.slip.time, reader.now) > patience:
        data = seat.order_file(last.slip.step, last.slip.revision)
        _, file = read_order_file(data)
        lines = "; ".join(line for line in file.orders if line.strip()) or "no lines"
        yield f"NO RECEIPT yet for {lines} (sent {reader.day(last.slip.time)}). sync sends it again"


def of_times(what: str, time: Time | None, now: Time) -> Iterator[str]:
    """An entry or a receipt with a time that is still to come by this machine's clock."""
    if time is None:
        return
    ahead = deadlines.between(now, time)
    if ahead > TOLERANCE:
        yield (
            f"{what} is dated {time}, this machine's clock says {now}: {span(ahead)} ahead; "
            f"if your clock is right, {_PROTEST.format('time')}"
        )


def of_deadline(link: Link, player: str, now: Time) -> Iterator[str]:
    """An entry that newly awaits this player and came after the deadline that it gives."""
    prompt = link.entry.awaited.get(player)
    if prompt is None or prompt.since != link.entry.time:
        return
    if deadlines.between(prompt.until, now) > 0:
        yield (
            f"entry {link.step} awaits you until {prompt.until}, and this machine's clock says "
            f"{now}: if it came so late, {_PROTEST.format('time')}"
        )
