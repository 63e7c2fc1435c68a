"""What a player's seat and receipts add to a verification: they are compared with the record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from adjudicator.core import receipts
from adjudicator.core.ledger import Ledger
from adjudicator.core.receipts import OrderReceipt, RevealedGame
from adjudicator.core.replay import Replay
from adjudicator.core.source import Source
from adjudicator.player import witness
from adjudicator.player.seated import Seated
from adjudicator.verifier import rulings
from adjudicator.verifier.claims import Inquiry
from orders.errors import Missing, Refused
from orders.sshsig import Signed

if TYPE_CHECKING:
    from adjudicator.player.seat import Seat


def check_seat(found: Inquiry, source: Source, ledger: Ledger, seat: Seat) -> str:
    """Compare the record with what a seat wrote, and open the reports that are its own. Returns in
    words what holds; "" if the seat is of another game."""
    try:
        seated = Seated(source, seat, ledger)
    except Refused as error:
        # A wrong seat says nothing about the record.
        found.misused = error.message
        if seat.invite != ledger.opening.offer.digest:
            found.way_out = f"{seat.root.name or 'the seat'} is of another game. Leave out --seat"
        return ""
    read = own = 0
    for link in ledger.links():
        if link.entry.reports and seat.sits(link.joins):
            own += 1
            try:
                seated.report(link.step)
                read += 1
            except Missing as error:
                found.note("receipts", f"missing: {error.path}")
            except Refused as error:
                text = f"your report of entry {link.step} is not what was signed"
                found.fault("receipts", error.message, text)
        for text in witness.of_seat(ledger, seat, link):
            signed = link.entry.ruling and link.entry.ruling.seat and link.entry.ruling.seat.agreed
            (found.note if signed else found.look)("host", text)
        for text in witness.of_orders(ledger, seat, link, *witness.answered(ledger, seat, link)):
            found.look("receipts", text)
    return f"{seat.player}: {read} of {own} reports here, each as signed"


def check_receipts(
    found: Inquiry,
    ledger: Ledger,
    seat: Seat | None,
    files: Sequence[Signed],
    replay: Replay | None,
) -> str:
    """Compare the record with receipts: those in a seat, and others that were given. Returns in
    words what holds; "" without any."""
    held = [] if seat is None else witness.given(ledger, seat, trusted=False)
    wrote = {} if seat is None else {order.file.digest: order for order in seat.orders()}
    for file in files:
        try:
            one = receipts.read(ledger.opening, file)
        except Refused as error:
            found.note("receipts", f"a receipt that does not count: {error.message}")
        else:
            held.append(one._replace(order=wrote.get(one.receipt.slip)))
    if not held:
        return ""
    for one, other in receipts.contradictions(held):
        found.fault(
            "receipts",
            f"{one.place}: the host signed {one.receipt.status}, then {other.receipt.status}",
            "the host answered one order in two ways",
        )
    revealed = None if replay is None else RevealedGame(replay.game, replay.views)
    used = 0
    for given in held:
        judged = receipts.judge(ledger, given, held, revealed)
        used += judged.used
        if judged.status == "false":
            found.fault("receipts", judged.text, "the record is not what a receipt promised")
        elif not judged.used:
            found.note("receipts", judged.text)
        if judged.status == "unknown" and seat is not None:
            for text in witness.of_refusal(ledger, seat, given):
                found.look("receipts", text)
    for text in _present(ledger, held):
        found.look("receipts", text)
    found.note("receipts", f"{used} of {len(held)} receipts accepted, and used")
    return f"{len(held)} receipt{'s' * (len(held) != 1)}, all honoured"


def _present(ledger: Ledger, held: Sequence[OrderReceipt]) -> Iterator[str]:
    """Seats that were handed on as the invite says, though orders of theirs had been accepted since
    the last deadline that they missed."""
    for link in ledger.links():
        count, step = rulings.handed_on_as_agreed(ledger.opening.setup, link, ledger.link)
        change = link.entry.ruling.seat if count and link.entry.ruling else None
        for one in held:
            told = one.receipt
            if change and (told.player, told.status) == (change.player, "accepted") and (
                step <= told.entry < link.step
            ):  # fmt: skip
                yield (
                    f"entry {link.step} hands on the seat of {change.player} as one who missed "
                    f"deadlines, yet {one.place} was accepted after entry {step}, the last of them"
                )
