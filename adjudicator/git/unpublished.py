"""Entries that a sync of the host made and that have not left yet.

What belongs here: remembering them across a crash, and taking them back where another host of the
same game was first. An entry that was made in any other way may have left by another way, so it is
never taken back.
"""

from __future__ import annotations

from dataclasses import dataclass

from adjudicator import files, opening
from adjudicator.host_folder import HostFolder
from adjudicator.intake import Sent
from adjudicator.record import Record
from orders import names
from orders.documents import read_slip
from orders.entries import AnyEntry, Entry, Genesis, Reveal, read_entry
from orders.errors import Missing

NAME = "unpublished"
"""Of the file in the host's folder."""


@dataclass(frozen=True, slots=True)
class Made:
    """The first step of entries made, and the remote's `receipts` commit at that time, or `-`.

    Where that has moved, another host may have promised to use a slip that they do not use.
    """

    step: int
    receipts: str


@dataclass(frozen=True, slots=True)
class Unpublished:
    """The journal in a host's folder."""

    record: Record
    folder: HostFolder

    def read(self) -> Made | None:
        """What was made and has not left, as far as is known; None: nothing."""
        try:
            text = files.read(self.folder.root / NAME, 200).decode("ascii")
            step, receipts = text.split()
            made = Made(int(step), receipts)
        except (Missing, ValueError):
            return None
        last = self.record.last_step()
        return made if last is not None and last >= made.step else None

    def note(self, step: int, receipts: str | None) -> None:
        """Before entries are made."""
        text = f"{step} {receipts or '-'}\n"
        files.write(self.folder.root / NAME, text.encode(), 0o600)

    def clear(self) -> None:
        """Once they have left, or none was made."""
        (self.folder.root / NAME).unlink(missing_ok=True)

    def withdraw(self) -> None:
        """Take them back, the last first. Their slips wait again before anything is removed."""
        made = self.read()
        last = self.record.last_step()
        if made is not None and last is not None:
            for step in range(last, made.step - 1, -1):
                self._withdraw(step)
        self.clear()

    def _withdraw(self, step: int) -> None:
        path = names.entry(step)
        entry = read_entry(self.record.read(path))
        if isinstance(entry, Entry):
            self._wait_again(step, entry)
        players = opening.read_opening(self.record).players
        (self.record.root / path).unlink()
        files.sync_folder(self.record.root / "entries")
        self.record.clear_step(step, players)
        for other in self._left(entry):
            (self.record.root / other).unlink(missing_ok=True)

    def _left(self, entry: AnyEntry) -> list[str]:
        """What a genesis or a reveal named besides."""
        if isinstance(entry, Genesis):
            joins = [names.join(player) for player in entry.players]
            return [path for join in joins for path in (join, names.signature(join))]
        if not isinstance(entry, Reveal):
            return []
        parsed = ((path, names.parse(path)) for path in self.record.paths())
        return [path for path, name in parsed if name is not None and name.kind == "opened"]

    def _wait_again(self, step: int, entry: Entry) -> None:
        for player, used in entry.slips.items():
            known = self.folder.receipt(used.digest)
            if known is None:
                continue
            path = names.slip(step, player)
            data = self.record.read(path)
            signature = self.record.read(names.signature(path))
            sealed = self.record.read(names.sealed_order(step, player))
            sent = Sent(read_slip(data), data, signature, sealed)
            self.folder.keep(sent, *known, accepted=True)
