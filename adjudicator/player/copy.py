"""Taking entries and receipts into a copy of a record, checking at once what can be checked.

What belongs here: what a player, or anyone with a copy, does with a bundle from the host. Bundles
come from anywhere, in any order, more than once. What is wrong with one has one of three ends:

    refused     an entry that the host did not sign, that does not follow the last one, or lacks
                what it names: nothing of it is written
    left out    a file beside an entry (a report, a sealed order, an opened one) that has not the
                digest that was signed for it: anybody on the way may have changed it, and the entry
                stands without it
    told        what a seat notices in an entry that holds (`player.witness`): it is evidence
                against the host, which a copy without that entry would not have

All that comes at once is taken in together, each kind of work for all entries in a row: whoever was
away for a hundred entries does not wait. Until it is written at the end, files are held in memory,
and the ledger is ahead of them. They are written in the order of `append`, so an entry that is
there is whole, wherever the process ended.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import NamedTuple

from adjudicator.core import bundles, opening, receipts
from adjudicator.core.ledger import Ledger
from adjudicator.core.report import Report
from adjudicator.core.source import (
    Files,
    ListedFiles,
    MemoryFiles,
    Overlay,
    StagedFiles,
    append,
    read_or_none,
)
from adjudicator.player import witness
from adjudicator.player.seat import Seat
from adjudicator.player.seated import Seated
from adjudicator.store.clock import Clock
from adjudicator.words import answers
from orders import names, sshsig
from orders.bundle import KINDS, Bundle
from orders.errors import Missing, Refused, at
from orders.fields import digest
from orders.sshsig import Signed


class ReceivedBundle(NamedTuple):
    """What a bundle was (`entry 7`, `invite`), whether it was new, and what is wrong with it.

    `report`: the seat's own, opened, if the bundle brought it. `told`: the line for a person, if
    there is more to say than that it was taken in.
    """

    what: str
    new: bool
    warnings: tuple[str, ...] = ()
    step: int | None = None
    report: Report | None = None
    told: str = ""


class Copy:
    """A copy of a record that grows by the host's bundles, for a player with a seat or for
    anybody."""

    def __init__(
        self, files: Files, seat: Seat | None, clock: Clock, ledger: Ledger | None = None
    ) -> None:
        """`ledger`: the game in these files, if the caller has verified it already."""
        self.files = files
        self._files = StagedFiles(files)
        self.seat = None if seat is None else replace(seat, files=ListedFiles(seat.files))
        self.clock = clock
        self._ledger = None if ledger is None else replace(ledger, source=self._files)
        self._seated: Seated | None = None

    @property
    def ledger(self) -> Ledger:
        """The game up to its last entry here; raises Missing or Refused."""
        if self._ledger is None:
            mark = None if self.seat is None else self.seat.mark(self._files)
            self._ledger = Ledger.read(self._files, mark)
        return self._ledger

    def receive(self, given: Iterable[Bundle]) -> list[ReceivedBundle]:
        """Take in bundles: invites first, then entries by number, then receipts; raises Refused.

        If the seat is not one of this game, the bundles are kept and `no-seat` is raised.
        """
        self._check_invite(read_or_none(self._files, names.INVITE))
        came = sorted(given, key=rank)
        with self._files.locked() if came else nullcontext():
            if self._ledger is not None:
                # Another process may have taken entries in since the ledger was read.
                self._ledger = self._ledger.further()
            try:
                # Each kind of work for all entries in a row takes less time than entry by entry.
                taken = [(self._receive(bundle), self._ledger) for bundle in came]
                opened = [(self._opened(one), ledger) for one, ledger in taken]
                out = [self._compared(one, ledger) for one, ledger in opened]
            finally:
                try:
                    self._files.flush()
                except Refused:
                    # The ledger has entries that the copy has not.
                    self._ledger = None
                    raise
        if self.seat is not None and self._ledger is not None:
            self._sit(self.seat)
            self.seat.keep_mark(self._ledger.mark)
        return out

    def _receive(self, bundle: Bundle) -> ReceivedBundle:
        takers = {"invite": self._invite, "entry": self._entry, "receipt": self._receipt}
        if bundle.kind not in takers:
            raise Refused(
                "bad-bundle",
                f"this block is for the host: it holds {KINDS[bundle.kind]}",
                "send it to the host",
            )
        return takers[bundle.kind](bundle)

    def late(self, new: Sequence[int]) -> list[str]:
        """Warnings about the deadlines that these entries give, which came together, if they have
        passed.

        A deadline that a later one of them settles gives no warning, unless that entry calls the
        player missing: a host may keep an entry back until its deadline is over.
        """
        seat = self.seat
        if seat is None or not new or seat.player not in self.ledger.opening.players:
            return []
        last = self.ledger.last.step
        missing = (
            step
            for step in range(last, min(new), -1)
            if seat.player in self.ledger.link(step).entry.missing
        )
        told = {last, *range(next(missing, 0))}
        return [
            line
            for step in new
            if step in told
            for line in witness.of_deadline(self.ledger.link(step), seat.player, self.clock.now())
        ]

    def _check_invite(self, invite: bytes | None) -> None:
        if self.seat is not None and invite is not None and digest(invite) != self.seat.invite:
            raise Refused("no-seat", "the seat is for another invite", "name the right --seat")

    def _invite(self, bundle: Bundle) -> ReceivedBundle:
        held = dict(bundle.files)
        offer = opening.read_offer(MemoryFiles(held))
        table = set() if offer.table is None else {names.TABLE}
        _only(held, {names.INVITE, names.signature(names.INVITE), names.TOKEN, *table})
        self._check_invite(held[names.INVITE])
        there = read_or_none(self._files, names.INVITE)
        if there is not None:
            if digest(there) != offer.digest:
                raise Refused("mismatch", "the copy is of another invite", "name another folder")
            return ReceivedBundle("invite", new=False)
        file = Signed(held[names.INVITE], held[names.signature(names.INVITE)])
        append(self._files, names.INVITE, file, {path: held[path] for path in table})
        return ReceivedBundle("invite", new=True)

    def _entry(self, bundle: Bundle) -> ReceivedBundle:
        held = dict(bundle.files)
        step = _step(bundle)
        path = names.entry(step)
        if path not in held or names.signature(path) not in held:
            raise Refused("bad-bundle", "this block holds no entry with its signature")
        if step and self._ledger is None and read_or_none(self._files, names.entry(0)) is None:
            offer = opening.read_offer(self._files)
            Signed(held[path], held[names.signature(path)]).verify(offer.host, sshsig.ENTRY)
            first = f"{offer.name}-0000.txt"
            raise Refused(
                "gap", f"the game's first file, {first}, is not here yet", "ask the host for it"
            )
        here = step == 0 or step <= self.ledger.last.step
        there = read_or_none(self._files, path) if here else None
        if there is not None and there != held[path]:
            file = Signed(held[path], held[names.signature(path)])
            with at(path):
                file.verify(self.ledger.opening.offer.host, sshsig.ENTRY)
            raise Refused(
                "fork",
                f"{path}: another entry of this number is in the copy, and the host signed both",
                "keep what came: adjudicator verify --against FILE writes the proof",
            )
        if there is None:
            self._ledger, besides = self._take(step, held)
        else:
            besides = _besides(self.ledger, held)
        warnings: list[str] = []
        new = there is None
        whose = "" if self.seat is None else others(held, self.seat.player)
        if whose and not new:
            # Another's report of an entry that is here brings nothing.
            besides = {}
        for other, right in besides.items():
            if not right:
                warnings.append(f"{other} is not the file that was signed: it is left out")
            elif there is not None and read_or_none(self._files, other) != held[other]:
                self._files.write(other, held[other])
                new = True
        what, told = f"entry {step}", ""
        mine = None if self.seat is None else names.report(step, self.seat.player)
        if whose and read_or_none(self._files, str(mine)) is None:
            told = f"{what} taken in; the report in it is {whose}'s, yours is still missing"
        return ReceivedBundle(what, new, tuple(warnings), step, told=told)

    def _take(self, step: int, held: Mapping[str, bytes]) -> tuple[Ledger, dict[str, bool]]:
        """Verify an entry with the files that it names, and add it with the other files of its
        bundle that are right.

        Returns the game with that entry, and `_besides`. Raises Missing or Refused.
        """
        path = names.entry(step)
        file = Signed(held[path], held[names.signature(path)])
        if step == 0:
            ledger = replace(Ledger.begin(Overlay(self._files, held)), source=self._files)
        else:
            last = self.ledger.last.step
            if step != last + 1:
                # Checked first, so that a caller who keeps entries that come too early keeps no
                # stranger's.
                file.verify(self.ledger.opening.offer.host, sshsig.ENTRY)
                one = step == last + 2
                lacks = f"entry {last + 1} is" if one else f"entries {last + 1} to {step - 1} are"
                raise Refused("gap", f"{lacks} missing", f"ask the host: resend {last + 1}")
            ledger = self.ledger.extend(held)
        named = bundles.named(Overlay(self._files, held), ledger.last.entry)
        besides = _besides(ledger, held)
        _only(held, {path, names.signature(path), *named, *besides})
        right = {other: held[other] for other, holds in besides.items() if holds}
        if self.seat is not None:
            report = names.report(step, self.seat.player)
            named |= {report: right.pop(report)} if report in right else {}
        append(self._files, path, file, named, right)
        return ledger, besides

    def _opened(self, one: ReceivedBundle) -> ReceivedBundle:
        """An entry, with the seat's report of it, or a warning if that is missing or wrong."""
        step, seat = one.step, self.seat
        if step is None or seat is None:
            return one
        link = self.ledger.link(step)
        if not link.entry.reports or not seat.sits(link.joins):
            return one
        try:
            return one._replace(report=self._sit(seat).report(step))
        except Missing:
            warning = witness.no_report(step)
        except Refused as error:
            warning = f"{error.message}; protest with your next orders: --protest report"
        return one._replace(warnings=(*one.warnings, warning))

    def _compared(self, one: ReceivedBundle, ledger: Ledger | None) -> ReceivedBundle:
        """A new entry, with warnings of all that the seat notices in it.

        `ledger`: the game up to this entry. A seat judges each entry by what was there with it.
        """
        step, seat = one.step, self.seat
        if step is None or seat is None or ledger is None or not one.new:
            return one
        link = ledger.link(step)
        noticed = [*witness.of_seat(ledger, seat, link)]
        if seat.sits(link.joins):
            noticed += witness.of_step(ledger, seat, link)
            noticed += witness.of_times(f"entry {step}", link.entry.time, self.clock.now())
        warnings = tuple(dict.fromkeys((*one.warnings, *noticed)))
        return one._replace(warnings=warnings) if noticed else one

    def _sit(self, seat: Seat) -> Seated:
        """The seat in this game; raises Refused if it is not one of its seats."""
        if self._seated is None:
            self._seated = Seated(self._files, seat, self.ledger)
        self._seated.ledger = self.ledger
        return self._seated

    def _receipt(self, bundle: Bundle) -> ReceivedBundle:
        if self.seat is None:
            raise Refused(
                "no-seat", "a receipt goes into the seat that sent the orders", "name --seat"
            )
        one = receipts.read(self.ledger.opening, bundles.read_one("receipt", bundle)[1])
        receipt = one.receipt
        if receipt.player != self.seat.player:
            raise Refused(
                "no-seat",
                f"this receipt is {receipt.player}'s, and your seat is {self.seat.player}'s",
                f"hand it to {receipt.player}",
            )
        self.seat.keep_receipt(receipt.step, receipt.revision, one.file)
        # After that the seat is listed anew: orders may have been written meanwhile.
        written = self.seat.orders(receipt.step, receipt.step)
        held = any(order.file.digest == receipt.slip for order in written)
        given = witness.given(self.ledger, self.seat, receipt.step)
        warnings = [
            *([] if held else [witness.unwritten(receipt)]),
            *witness.of_receipts(self.ledger, self.seat, given),
            *witness.of_times("the receipt", receipt.time, self.clock.now()),
        ]
        data = self.seat.order_file(receipt.step, receipt.revision) if held else None
        what = f"receipt for step {receipt.step}, revision {receipt.revision}"
        told = answers.received(self.ledger, receipt, data)
        return ReceivedBundle(what, new=True, warnings=tuple(warnings), told=told)


def rank(bundle: Bundle) -> tuple[int, int]:
    """The sort key of bundles: invites, then entries by number, then receipts, then letters."""
    kinds = ("invite", "entry", "receipt")
    kind = kinds.index(bundle.kind) if bundle.kind in kinds else len(kinds)
    return kind, _step(bundle)


def others(paths: Iterable[str], player: str) -> str:
    """Whose report is among these files of an entry, if none of them is this player's."""
    found = [names.parse(path) for path in paths if path.startswith("reports/")]
    whose = [name.player for name in found if name is not None]
    return "" if player in whose or not whose else whose[0]


def _step(bundle: Bundle) -> int:
    """The number of the entry in a bundle; 0 if it brings none."""
    for path, _ in bundle.files:
        name = names.parse(path) if path.startswith("entries/") else None
        if name is not None and not name.signature:
            return name.step
    return 0


def _only(held: Mapping[str, bytes], allowed: Iterable[str]) -> None:
    foreign = sorted(set(held) - set(allowed))
    if foreign:
        raise Refused("bad-bundle", f"{foreign[0]} does not belong in this block")


def _besides(ledger: Ledger, held: Mapping[str, bytes]) -> dict[str, bool]:
    """The files of a bundle whose digests its entry or its slips name and that not everybody has.

    These are reports and sealed orders, and with the reveal the opened order files. Each path has
    True if the file has the digest that is signed for it. Raises Refused for a file that no entry
    names.
    """
    found = {}
    for path, data in held.items():
        name = names.parse(path) if path.startswith(("reports/", "orders/")) else None
        wanted = None
        if name is None:
            continue
        link = ledger.link(min(name.step, ledger.last.step))
        if name.kind == "report" and name.player in link.entry.reports:
            wanted = link.entry.reports[name.player].sealed
        elif name.kind == "sealed" and name.player in link.slips:
            wanted = link.slips[name.player].sealed
        elif name.kind == "opened" and ledger.revealed and name.player in link.slips:
            wanted = link.slips[name.player].order
        if wanted is None or link.step != name.step:
            raise Refused("bad-bundle", f"{path}: no entry names it")
        found[path] = digest(data) == wanted
    return found
