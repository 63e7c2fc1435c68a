"""How a seat's bundles travel: by files, by mail or by git, whichever the copy is set up for.

One interface fetches new bundles and sends orders.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Set
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from adjudicator.cli.shared import open_seat, read_bundle, write_bundle
from adjudicator.core import bundles, opening
from adjudicator.core.bundles import about, ids_of
from adjudicator.core.source import read_or_none
from adjudicator.player import finding
from adjudicator.player.copy import Copy
from adjudicator.player.seat import Seat
from adjudicator.player.seated import Ordered
from adjudicator.player.taken import Taken
from adjudicator.store.clock import SystemClock
from adjudicator.store.record import Record
from orders.bundle import BEGIN, Bundle
from orders.errors import TEMPORARY, Refused
from orders.keys import Signer


class Courier(Protocol):
    """Moves bundles between a seat and the host."""

    def fetch(self) -> Taken:
        """Take in new bundles; raises Refused."""

    def send(self, ordered: Ordered, signer: Signer) -> Taken:
        """Send orders to the host; returns a line that says where they went. Raises Refused."""


def of(record: Record, seat: Seat) -> Courier:
    """The courier of a seat's copy of a game."""
    if (record.root / ".git").exists():
        return ByGit(record, seat)
    if record.root.with_name(f"{record.root.name}.mail").is_dir():
        return ByMail(record, seat)
    return ByFiles(record, seat)


def seat_of(record: Record) -> Seat | None:
    """The seat of a copy: the one with which its clone was set up, or the one beside it; raises
    Refused."""
    if (record.root / ".git").exists():
        from adjudicator.git import setup
        from adjudicator.git.process import Repo

        own = setup.seat_of(Repo(record.root))
        if own is not None:
            return own
    return open_seat(finding.place_of(finding.invite_of(record), record.root.parent))


@dataclass(frozen=True, slots=True)
class ByFiles:
    """Bundles are files beside the copy; people hand them on as they like."""

    record: Record
    seat: Seat

    def fetch(self) -> Taken:
        """Take in every bundle beside the copy that belongs to its game and is new.

        Each file is read once.
        """
        taken = Taken()
        found: list[tuple[Bundle, Path]] = []
        for path in sorted(self.record.root.parent.glob("*.txt")):
            with _one_file(path, taken):
                bundle = _bundle(path)
                if bundle is not None:
                    found.append((bundle, path))
        copy = Copy(self.record, self.seat, SystemClock())
        ids = ids_of(self.record)
        receipts = {file.data for file in self.seat.receipts()}
        for bundle, path in sorted(found, key=_rank):
            with _one_file(path, taken):
                if about(bundle) not in ids or self._has(bundle, receipts):
                    continue
                (received,) = copy.receive([bundle])
                ids = ids_of(self.record)
                taken.warnings += received.warnings
                if received.new and received.step is not None and received.step not in taken.steps:
                    taken.steps.append(received.step)
        return taken

    def _has(self, bundle: Bundle, receipts: Set[bytes]) -> bool:
        """Whether the whole bundle was taken in before; `receipts` are those of the seat."""
        if bundle.kind == "entry":
            return all(read_or_none(self.record, path) == data for path, data in bundle.files)
        return bundle.files[0][1] in receipts

    def send(self, ordered: Ordered, signer: Signer) -> Taken:
        """Write the bundle beside the copy."""
        name = bundles.name(opening.read_offer(self.record).name, ordered.bundle)
        where = self.record.root.with_name(f"{name}.txt")
        write_bundle(ordered.bundle, None, str(where))
        return Taken([f"{os.path.relpath(where)}: for the host"])


@contextmanager
def _one_file(path: Path, taken: Taken) -> Iterator[None]:
    """Take in one file. Its fault is told and harms no other file, but a full disk ends
    everything."""
    try:
        yield
    except Refused as error:
        if error.word in TEMPORARY:
            raise
        taken.warnings.append(f"{ascii(path.name)[1:-1]}: {error}")


def _rank(given: tuple[Bundle, Path]) -> tuple[str, str, int]:
    """The sort key: entries before receipts, by number; of one entry first the bundle with the
    seat's report."""
    bundle, _ = given
    return bundle.kind, bundle.files[0][0], -len(bundle.files)


def _bundle(path: Path) -> Bundle | None:
    """The bundle in a file, if it is an entry or a receipt; None for any other file, a folder or a
    pipe."""
    if not path.is_file():
        return None
    try:
        with path.open("rb") as file:
            head = file.read(len(BEGIN) + 16)
    except OSError as error:
        raise Refused("unreadable", f"{path.name!a}: {error.strerror}") from None
    if not head.startswith((BEGIN + b"kind: entry\n", BEGIN + b"kind: receipt\n")):
        return None
    return read_bundle(str(path))


@dataclass(frozen=True, slots=True)
class ByGit:
    """The copy is a clone."""

    record: Record
    seat: Seat

    def fetch(self) -> Taken:
        """Pull, and take in."""
        return self._sync(None)

    def send(self, ordered: Ordered, signer: Signer) -> Taken:
        """Push the orders that wait in the seat."""
        return self._sync(signer)

    def _sync(self, signer: Signer | None) -> Taken:
        from adjudicator.git.play_sync import PlaySync

        return PlaySync(self.record, self.seat, signer, SystemClock()).sync()


@dataclass(frozen=True, slots=True)
class ByMail:
    """The game came by mail. ADJUDICATOR_MAIL_IN names the mailbox, ADJUDICATOR_MAIL_OUT the way to
    send, as for `adjudicator mail sync`. Without them mails go in and out by hand."""

    record: Record
    seat: Seat

    def fetch(self) -> Taken:
        """Take in the mails in the mailbox."""
        return self._sync() if os.environ.get("ADJUDICATOR_MAIL_IN") else Taken()

    def send(self, ordered: Ordered, signer: Signer) -> Taken:
        """Send the mail, or hand it to the program in ADJUDICATOR_SEND, or write it to a file."""
        if os.environ.get("ADJUDICATOR_MAIL_IN") and os.environ.get("ADJUDICATOR_MAIL_OUT"):
            return self._sync()
        from adjudicator.cli.mail_player import hand_on
        from adjudicator.mail import player

        what = f"sealed orders for step {ordered.slip.step}"
        ready = player.wrap(self.record, ordered.bundle, what, seat=self.seat)
        hand_on(ready, None, f"{ready.name}.eml", os.environ.get("ADJUDICATOR_SEND"))
        return Taken()

    def _sync(self) -> Taken:
        from adjudicator.mail import play_sync, senders, sources

        box, way = os.environ["ADJUDICATOR_MAIL_IN"], os.environ.get("ADJUDICATOR_MAIL_OUT")
        source = sources.open_source(box, None, play_sync.begins(self.record))
        sender = None if way is None else senders.open_sender(way, None)
        return play_sync.MailSync(self.record, self.seat, source, sender, SystemClock()).sync()
