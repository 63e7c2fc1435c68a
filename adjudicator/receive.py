"""Taking entries and receipts into a copy of a record, checking at once what can be checked.

What belongs here: what a player, or anyone with a copy, does with a bundle from the host.
Nothing is written that is not signed and does not follow; what is amiss beyond that is told.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from adjudicator import chain, files, intake, opening, player, receipts, replay
from adjudicator.chain import Link
from adjudicator.opening import Opening
from adjudicator.receipts import Given
from adjudicator.record import Held, Record
from adjudicator.seat import Seat
from orders import names
from orders.bundle import Bundle, decode
from orders.entries import Entry, Reveal
from orders.errors import Refused
from orders.fields import digest
from orders.secrets import Master


@dataclass(frozen=True, slots=True)
class Received:
    """What a bundle was (`entry 7`, `invite`), whether it was new, and what is amiss with it."""

    what: str
    new: bool
    warnings: tuple[str, ...] = ()
    step: int | None = None


def receive(record: Record, given: Iterable[Bundle], seat: Seat | None = None) -> list[Received]:
    """Take bundles into the copy, invites first, then entries by number; raises Refused.

    `seat`: its receipts are kept, its reports and slips checked.
    """
    ordered = sorted(given, key=_rank)
    out = []
    for bundle in ordered:
        if bundle.kind == "receipt":
            out.append(_receipt(record, bundle, seat))
            continue
        files.make_folder(record.root)
        with files.locked(record.root):
            if bundle.kind == "invite":
                out.append(_invite(record, bundle))
            elif bundle.kind == "entry":
                out.append(_entry(record, bundle, seat))
            else:
                raise Refused(
                    "bad-bundle",
                    f"a bundle of kind {bundle.kind} goes to the host",
                    "adjudicator submit (order) or adjudicator start (join)",
                )
    return out


def _rank(bundle: Bundle) -> tuple[int, int]:
    return ("invite", "entry").index(bundle.kind) if bundle.kind in ("invite", "entry") else 2, (
        _step(bundle)
    )


def _step(bundle: Bundle) -> int:
    parsed = [names.parse(path) for path, _ in bundle.files]
    steps = [name.step for name in parsed if name and name.kind == "entry" and not name.signature]
    return steps[0] or 0 if steps else 0


def _invite(record: Record, bundle: Bundle) -> Received:
    held = dict(bundle.files)
    offer = opening.read_offer(Held(held))
    allowed = {names.INVITE, names.signature(names.INVITE)}
    allowed |= set() if offer.table is None else {names.TABLE}
    _only(held, allowed)
    there = record.read_or_none(names.INVITE)
    if there is not None:
        if digest(there) != offer.digest:
            raise Refused("mismatch", "the copy is of another invite", "name another folder")
        return Received("invite", new=False)
    table = {names.TABLE: held[names.TABLE]} if offer.table is not None else {}
    record.append(names.INVITE, held[names.INVITE], held[names.signature(names.INVITE)], table)
    return Received("invite", new=True)


def _only(held: Mapping[str, bytes], allowed: Iterable[str]) -> None:
    foreign = sorted(set(held) - set(allowed))
    if foreign:
        raise Refused("bad-bundle", f"{foreign[0]} does not belong into this bundle")


@dataclass(frozen=True, slots=True)
class _Over:
    """A bundle's files laid over a record, so that it is checked before anything is written."""

    record: Record
    held: Mapping[str, bytes]

    def paths(self) -> tuple[str, ...]:
        return tuple(sorted(self.held))

    def read(self, path: str) -> bytes:
        return self.held[path] if path in self.held else self.record.read(path)


def _entry(record: Record, bundle: Bundle, seat: Seat | None) -> Received:
    held = dict(bundle.files)
    step = _step(bundle)
    path = names.entry(step)
    if path not in held or names.signature(path) not in held:
        raise Refused("bad-bundle", "no entry with its signature is in the bundle")
    there = record.read_or_none(path)
    if there is not None:
        if there != held[path]:
            raise Refused(
                "fork",
                f"{path}: another entry of this number is in the copy",
                "keep this bundle: if it is signed, adjudicator prove-fork shows two histories",
            )
        return Received(f"entry {step}", new=False, step=step)
    source = _Over(record, held)
    if step == 0:
        opened = opening.read_opening(source)
        chain.first(opened, source)
        signed = [names.join(name) for name in opened.players]
        _only(held, _with_signatures([path, *signed]))
        _append(record, path, held)
        return Received("genesis", new=True, step=0)
    opened = opening.read_opening(record)
    before = _last(opened, record, step)
    link = chain.follow(opened, before, source, lambda n: chain.standing(opened, record, n).clocks)
    warnings: list[str] = []
    if isinstance(link.entry, Reveal):
        _only(held, _with_signatures([path]))
        master = Master(bytes.fromhex(link.entry.master))
        held |= replay.opened_orders(opened, master, record, step - 1)
    elif isinstance(link.entry, Entry):
        _only(held, _named(link, opened))
        if seat is not None:
            warnings = _check_own(opened, link, seat, source)
    _append(record, path, held)
    return Received(f"entry {step}", new=True, warnings=tuple(warnings), step=step)


def _append(record: Record, path: str, held: Mapping[str, bytes]) -> None:
    named = {other: data for other, data in held.items() if not other.startswith(path)}
    record.append(path, held[path], held[names.signature(path)], named)


def _with_signatures(paths: Iterable[str]) -> list[str]:
    return [name for path in paths for name in (path, names.signature(path))]


def _named(link: Link, opened: Opening) -> list[str]:
    step = link.entry.step
    signed = _with_signatures([names.entry(step), *(names.slip(step, who) for who in link.slips)])
    sealed = [names.sealed_order(step, who) for who in link.slips]
    return signed + sealed + [names.report(step, who) for who in opened.players]


def _last(opened: Opening, record: Record, step: int) -> Link:
    """The copy's last entry, which was checked as it came in."""
    last = record.last_step()
    if last is None or step != last + 1:
        raise Refused(
            "gap",
            f"entry {step} does not follow: the copy's last is {last}",
            "ask for what is missing: adjudicator bundle RECORD N",
        )
    return chain.standing(opened, record, last)


def _check_own(opened: Opening, link: Link, seat: Seat, source: _Over) -> list[str]:
    """What is amiss with an entry as this player sees it, a line each."""
    entry = link.entry
    if not isinstance(entry, Entry) or seat.player not in opened.players:
        return []
    warnings = []
    try:
        report = player.read_report(opened, seat, source, entry.step)
        player.check_report(report, entry, seat.player)
    except Refused as error:
        warnings.append(f"{error.message}; protest with your next orders: --protest report")
    given = load_receipts(seat, opened, entry.step)
    for one in given:
        receipt = receipts.read(opened, one)
        if receipt.step != entry.step or receipt.status != "accepted":
            continue
        links = [link] * (entry.step + 1)
        status, text = receipts.check(opened, links, None, one, given)
        if status == "false":
            warnings.append(f"{text}; protest with your next orders: --protest order")
    return warnings


def load_receipts(seat: Seat, opened: Opening, step: int | None = None) -> list[Given]:
    """The seat's receipts that the host of this game signed, with the bundles they answer.

    `step`: only those of one step.
    """
    sent = {}
    for path in seat.sent(step):
        try:
            order = intake.read_order_bundle(opened, decode(files.read(path, 2**22)))
        except Refused:
            continue
        sent[digest(order.slip_data)] = order
    out = []
    for path in seat.receipts(step):
        data, signature = files.read(path, 2**16), files.read(Path(f"{path}.sig"), 2**16)
        given = Given(data, signature)
        try:
            receipt = receipts.read(opened, given)
        except Refused:
            continue
        out.append(Given(data, signature, sent.get(receipt.slip)))
    return out


def _receipt(record: Record, bundle: Bundle, seat: Seat | None) -> Received:
    if seat is None:
        raise Refused("no-seat", "a receipt is for the seat that sent the orders", "name --seat")
    opened = opening.read_opening(record)
    given = read_receipt_files(bundle.files)
    receipt = receipts.read(opened, given)
    if receipt.player != seat.player:
        raise Refused("no-seat", f"the receipt is for {receipt.player}, the seat {seat.player}")
    seat.keep_receipt(receipt.step, receipt.revision, given.data, given.signature)
    what = f"receipt for step {receipt.step}, revision {receipt.revision}: {receipt.status}"
    return Received(what, new=True)


def read_receipt_files(held: Sequence[tuple[str, bytes]]) -> Given:
    """The receipt in a bundle's files; raises Refused."""
    if len(held) != 2 or names.signature(held[0][0]) != held[1][0]:
        raise Refused("bad-bundle", "expected a receipt and its signature")
    return Given(held[0][1], held[1][1])
