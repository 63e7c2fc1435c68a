"""Receipts against a record: was what was accepted used, and was what was refused rightly refused?

What it must not know: how a verdict is worded, where receipts lie.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from adjudicator import intake
from adjudicator.chain import Link
from adjudicator.intake import Sent
from adjudicator.opening import Opening
from adjudicator.replay import Replay
from games.game import View
from orders import sshsig
from orders.documents import Receipt, read_receipt
from orders.entries import Entry
from orders.errors import Refused
from orders.fields import digest


@dataclass(frozen=True, slots=True)
class Given:
    """A receipt that somebody holds, its signature, and the order bundle that it answers."""

    data: bytes
    signature: bytes
    sent: Sent | None = None


def read(opening: Opening, given: Given) -> Receipt:
    """The receipt, if the host signed it in this game; raises Refused."""
    sshsig.verify(opening.offer.host, sshsig.RECEIPT, given.data, given.signature)
    receipt = read_receipt(given.data)
    if receipt.game != opening.id:
        raise Refused("mismatch", f"the receipt is of game {receipt.game}")
    return receipt


def check(
    opening: Opening,
    links: Sequence[Link],
    replay: Replay | None,
    given: Given,
    others: Sequence[Given],
) -> tuple[str, str]:
    """("true" or "false" or "unknown", a text); `others` are all receipts held."""
    try:
        receipt = read(opening, given)
    except Refused as error:
        return "unknown", f"a receipt that does not count: {error.message}"
    place = f"receipt for {receipt.player}, step {receipt.step}, revision {receipt.revision}"
    if receipt.step >= len(links):
        return "unknown", f"{place}: {receipt.status}; its entry is not there yet"
    if receipt.status == "accepted":
        return _check_used(links[receipt.step], receipt, place)
    return _check_refused(opening, links, replay, given, receipt, place, others)


def _check_used(link: Link, receipt: Receipt, place: str) -> tuple[str, str]:
    entry = link.entry
    if not isinstance(entry, Entry) or entry.ruling is not None:
        return "true", f"{place}: accepted; entry {receipt.step} is a ruling"
    used = entry.slips.get(receipt.player)
    if used is None:
        return "false", f"{place}: accepted, yet entry {receipt.step} has {receipt.player} missing"
    if used.digest != receipt.slip:
        later = link.slips[receipt.player].revision
        if later > receipt.revision:
            return "true", f"{place}: accepted, then replaced by revision {later}"
        return "false", f"{place}: accepted, yet entry {receipt.step} uses revision {later}"
    if used.received != receipt.time:
        return (
            "false",
            f"{place}: received at {receipt.time}, entry {receipt.step} says {used.received}",
        )
    return "true", f"{place}: accepted and used"


def _check_refused(
    opening: Opening,
    links: Sequence[Link],
    replay: Replay | None,
    given: Given,
    receipt: Receipt,
    place: str,
    others: Sequence[Given],
) -> tuple[str, str]:
    sent, entry = given.sent, links[receipt.step].entry
    if sent is None or digest(sent.slip_data) != receipt.slip:
        return "unknown", f"{place}: {receipt.status}; its order bundle is not given"
    if replay is None or receipt.step - 1 >= len(replay.heads):
        return "unknown", f"{place}: {receipt.status}; cannot be judged before the reveal"
    if replay.heads[receipt.step - 1] is None:
        return "unknown", f"{place}: {receipt.status}; its position could not be made again"
    # After its entry a slip can be nothing but stale.
    if receipt.time > entry.time and receipt.status == "stale":
        return "true", f"{place}: {receipt.status}, and it came after its entry"
    last = _last_accepted(opening, links[receipt.step], receipt, others)

    def view(player: str) -> View:
        return opening.game.view(replay.head(receipt.step - 1).state, player)

    status = intake.judge(opening, replay.key, links[receipt.step - 1], view, sent, last)
    if status == "accepted":
        return "false", f"{place}: {receipt.status}, yet the reveal shows nothing wrong with it"
    return "true", f"{place}: {receipt.status}; judged again: {status}"


def _last_accepted(opening: Opening, link: Link, receipt: Receipt, others: Sequence[Given]) -> int:
    """The highest revision that the host had accepted when it refused this one."""
    revisions = [0]
    used = link.slips.get(receipt.player)
    if used is not None and isinstance(link.entry, Entry):
        came = link.entry.slips[receipt.player].received
        # What was accepted only afterwards justifies no refusal.
        revisions.append(used.revision if came <= receipt.time else 0)
    for other in others:
        try:
            held = read(opening, other)
        except Refused:
            continue
        same = (held.step, held.player) == (receipt.step, receipt.player)
        if same and held.status == "accepted" and held.time <= receipt.time:
            revisions.append(held.revision)
    return max(revisions)
