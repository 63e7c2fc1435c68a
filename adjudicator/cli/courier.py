"""How a seat's bundles travel: by files, by mail or by git; the copy's folder says which.

What belongs here: fetching what came and sending what was written, behind one face. What it must
not know: boards, how orders are asked for.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from adjudicator.cli.shared import read_bundle, write_bundle
from adjudicator.core.opening import read_offer
from adjudicator.core.source import read_or_none
from adjudicator.mail.about import about
from adjudicator.player import finding
from adjudicator.player.copy import Copy
from adjudicator.player.seat import Seat
from adjudicator.player.seated import Ordered
from adjudicator.store.clock import SystemClock
from adjudicator.store.record import Record
from orders import names
from orders.bundle import BEGIN, Bundle
from orders.fields import digest
from orders.keys import Signer


@dataclass
class Fetched:
    """What came: `steps` are the new entries' numbers; `warnings` is what is amiss with it."""

    steps: list[int] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


class Courier(Protocol):
    """Moves bundles between a seat and the host."""

    def fetch(self) -> Fetched:
        """Take in what came; raises Refused."""

    def send(self, ordered: Ordered, signer: Signer) -> str:
        """Send orders to the host; where they went, in words. Raises Refused."""


def of(record: Record, seat: Seat) -> Courier:
    """The courier of a seat's copy of a game."""
    if (record.root / ".git").exists():
        return ByGit(record, seat)
    if record.root.with_name(f"{record.root.name}.mail").is_dir():
        return ByMail(record, seat)
    return ByFiles(record, seat)


def seat_of(record: Record) -> Seat | None:
    """The seat that belongs to a copy: beside it, or as its clone was set up."""
    if (record.root / ".git").exists():
        from adjudicator.git import setup
        from adjudicator.git.process import Repo

        own = setup.seat_of(Repo(record.root))
        if own is not None:
            return own
    return finding.seat_of(read_offer(record), record.root.parent)


@dataclass(frozen=True, slots=True)
class ByFiles:
    """Bundles lie as files beside the copy: people hand them on as they like."""

    record: Record
    seat: Seat

    def fetch(self) -> Fetched:
        """Take in every bundle beside the copy that belongs to its game and is new."""
        out = Fetched()
        copy = Copy(self.record, self.seat, SystemClock())
        wanted = {digest(data) for data in map(self._held, (names.INVITE, names.entry(0))) if data}
        given = []
        for path in sorted(self.record.root.parent.glob("*.txt")):
            bundle = _bundle(path)
            if bundle is not None and about(bundle) in wanted and not self._has(bundle):
                given.append(bundle)
        # An entry may lie there twice: as everybody gets it, and with the seat's own report.
        given.sort(key=lambda bundle: -len(bundle.files))
        for received in copy.receive(given) if given else ():
            out.warnings += received.warnings
            if received.new and received.step is not None and received.step not in out.steps:
                out.steps.append(received.step)
        return out

    def _held(self, path: str) -> bytes | None:
        return read_or_none(self.record, path)

    def _has(self, bundle: Bundle) -> bool:
        """Whether all of it was taken in before."""
        if bundle.kind == "entry":
            return all(self._held(path) == data for path, data in bundle.files)
        data = bundle.files[0][1]
        return any(file.data == data for file in self.seat.receipts())

    def send(self, ordered: Ordered, signer: Signer) -> str:
        """Write the bundle beside the copy."""
        slip = ordered.slip
        name = f"{slip.player}-{slip.step:04d}-{slip.revision}.txt"
        where = write_bundle(ordered.bundle, None, str(self.record.root.with_name(name)))
        return f"written to {os.path.relpath(where)}, which goes to the host"


def _bundle(path: Path) -> Bundle | None:
    """The entry or receipt in a file; None for any other file."""
    with path.open("rb") as file:
        head = file.read(len(BEGIN) + 16)
    if not head.startswith((BEGIN + b"kind: entry\n", BEGIN + b"kind: receipt\n")):
        return None
    return read_bundle(str(path))


@dataclass(frozen=True, slots=True)
class ByGit:
    """The copy is a clone: one sync takes in and hands in."""

    record: Record
    seat: Seat

    def fetch(self) -> Fetched:
        """Pull, and take in."""
        return self._sync(None)

    def send(self, ordered: Ordered, signer: Signer) -> str:
        """Push what lies in the seat."""
        self._sync(signer)
        return "pushed"

    def _sync(self, signer: Signer | None) -> Fetched:
        from adjudicator.git.play_sync import PlaySync

        taken = PlaySync(self.record, self.seat, signer, SystemClock()).sync()
        return Fetched(taken.steps, taken.warnings)


@dataclass(frozen=True, slots=True)
class ByMail:
    """The game is played by mail."""

    record: Record
    seat: Seat

    def fetch(self) -> Fetched:
        """Nothing: mails come in by `adjudicator mail read`."""
        return Fetched()

    def send(self, ordered: Ordered, signer: Signer) -> str:
        """Hand the mail to the program in ADJUDICATOR_SEND, or write it to a file."""
        from adjudicator.cli.mail_player import hand_on
        from adjudicator.mail import player

        slip = ordered.slip
        name = f"{slip.player}-{slip.step:04d}-{slip.revision}"
        ready = player.wrap(
            self.record, ordered.bundle, f"sealed orders for step {slip.step}", name
        )
        hand_on(ready, None, f"{name}.eml", os.environ.get("ADJUDICATOR_SEND"))
        return f"for {ready.to}"
