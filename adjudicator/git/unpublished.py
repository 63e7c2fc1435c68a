"""Entries that a sync of the host made and did not push yet.

They are remembered across a crash, and taken back if another host of the same game was first.
Entries that no sync made are never taken back, because they may have been handed out.
"""

from __future__ import annotations

from dataclasses import dataclass

from adjudicator.core.intake import Order
from adjudicator.core.source import read_or_none, signed
from adjudicator.host.folder import HostFolder
from adjudicator.store import files
from adjudicator.store.record import Record
from orders import names
from orders.documents import read_slip
from orders.entries import AnyEntry, Genesis, Reveal, read_entry


@dataclass(frozen=True, slots=True)
class Made:
    """The first step of the entries made, and the remote's `receipts` commit at that time, or `-`.

    If `receipts` has moved since, another host may have promised to use a slip that these entries
    do not use.
    """

    step: int
    receipts: str


@dataclass(frozen=True, slots=True)
class Unpublished:
    """The journal in a host's folder."""

    record: Record
    folder: HostFolder

    def read(self) -> Made | None:
        """The entries made and not pushed, as far as is known; None if there are none."""
        step, _, receipts = self.folder.unpublished().strip().partition(" ")
        if not (step.isascii() and step.isdigit()):
            return None
        last = self.record.last_step()
        return Made(int(step), receipts) if last is not None and last >= int(step) else None

    def note(self, step: int, receipts: str | None) -> None:
        """Note, before entries are made, which step comes first."""
        self.folder.keep_unpublished(f"{step} {receipts or '-'}\n")

    def clear(self) -> None:
        """Forget the note, once the entries are pushed or none was made."""
        self.folder.keep_unpublished("")

    def withdraw(self) -> None:
        """Take the entries back, the last one first, after their slips are put back to wait."""
        made = self.read()
        last = self.record.last_step()
        if made is not None and last is not None:
            # The mark names an entry that is removed now; without it the record is verified anew.
            self.folder.drop_mark()
            players = _players(self.record)
            for step in range(last, made.step - 1, -1):
                self._withdraw(step, players)
        self.clear()

    def _withdraw(self, step: int, players: tuple[str, ...]) -> None:
        path = names.entry(step)
        entry = read_entry(self.record.read(path))
        if entry.ruling is None:
            self._wait_again(entry)
        files.remove(self.record.root / path)
        files.sync_folder(self.record.root / "entries")
        self.record.clear_step(step, players)
        for other in self._left(entry):
            files.remove(self.record.root / other)

    def _left(self, entry: AnyEntry) -> list[str]:
        """The other files that a genesis or a reveal named."""
        if isinstance(entry, Genesis):
            joins = [names.join(player) for player in entry.players]
            return [path for join in joins for path in (join, names.signature(join))]
        if not isinstance(entry, Reveal):
            return []
        parsed = ((path, names.parse(path)) for path in self.record.paths())
        return [path for path, name in parsed if name is not None and name.kind == "opened"]

    def _wait_again(self, entry: AnyEntry) -> None:
        for player, used in entry.slips.items():
            known = self.folder.receipt(used.digest)
            if known is not None:
                file = signed(self.record, names.slip(entry.step, player))
                sealed = read_or_none(self.record, names.sealed_order(entry.step, player))
                self.folder.accept(Order(read_slip(file.data), file, sealed), known)


def _players(record: Record) -> tuple[str, ...]:
    genesis = read_entry(record.read(names.entry(0)))
    return genesis.players if isinstance(genesis, Genesis) else ()
