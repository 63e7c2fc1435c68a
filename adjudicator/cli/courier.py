"""How a seat's bundles travel: by files, by mail or by git, whichever the copy is set up for.

One interface fetches new bundles and sends orders.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from adjudicator.cli.shared import open_seat, read_bundle, write_bundle
from adjudicator.player import finding
from adjudicator.player.seat import Seat
from adjudicator.player.seated import Ordered
from adjudicator.player.table import Table, Taken, harmless, memory
from adjudicator.store.clock import SystemClock
from adjudicator.store.record import Record
from orders.bundle import BEGIN, Bundle
from orders.errors import Refused
from orders.keys import Signer


class Courier(Protocol):
    """Moves bundles between a player's table and the host."""

    @property
    def table(self) -> Table:
        """The player's copy and seat."""

    def fetch(self) -> Taken:
        """Take in new bundles; raises Refused."""

    def send(self, ordered: Ordered, signer: Signer) -> Taken:
        """Send orders to the host; returns a line that says where they went. Raises Refused."""


def of(record: Record, seat: Seat) -> Courier:
    """The courier of a seat's copy of a game."""
    table = Table(record, seat, SystemClock())
    if (record.root / ".git").exists():
        return ByGit(table)
    if memory(record).root.is_dir():
        return ByMail(table)
    return ByFiles(table)


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

    table: Table

    def fetch(self) -> Taken:
        """Take in every bundle beside the copy that belongs to its game and is new.

        Each file is read once.
        """
        found: list[tuple[str, Bundle]] = []
        faults = Taken()
        for path in sorted(self.table.record.root.parent.glob("*.txt")):
            with harmless(path.name, faults):
                bundle = _bundle(path)
                if bundle is not None and not self.table.has(bundle):
                    found.append((path.name, bundle))
        taken = self.table.take(found)
        taken.warnings[:0] = faults.warnings
        return taken

    def send(self, ordered: Ordered, signer: Signer) -> Taken:
        """Write the bundle beside the copy."""
        name = self.table.name(ordered.bundle)
        where = self.table.record.root.with_name(f"{name}.txt")
        written = write_bundle(ordered.bundle, None, str(where))
        return Taken([f"{os.path.relpath(written)}: for the host"])


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

    table: Table

    def fetch(self) -> Taken:
        """Pull, and take in."""
        return self._sync(None)

    def send(self, ordered: Ordered, signer: Signer) -> Taken:
        """Push the orders that wait in the seat."""
        return self._sync(signer)

    def _sync(self, signer: Signer | None) -> Taken:
        from adjudicator.git.play_sync import PlaySync

        return PlaySync(self.table.record, self.table.seat, signer, self.table.clock).sync()


@dataclass(frozen=True, slots=True)
class ByMail:
    """The game came by mail. ADJUDICATOR_MAIL_IN names the mailbox, ADJUDICATOR_MAIL_OUT the way to
    send, as for `adjudicator mail sync`. Without them mails go in and out by hand."""

    table: Table

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
        ready = player.wrap(self.table.record, ordered.bundle, what, seat=self.table.seat)
        hand_on(ready, None, f"{ready.name}.eml", os.environ.get("ADJUDICATOR_SEND"))
        return Taken()

    def _sync(self) -> Taken:
        from adjudicator.mail import mailboxes, play_sync, senders

        box, way = os.environ["ADJUDICATOR_MAIL_IN"], os.environ.get("ADJUDICATOR_MAIL_OUT")
        source = mailboxes.open_source(box, None, play_sync.begins(self.table.record))
        sender = None if way is None else senders.open_sender(way, None)
        return play_sync.MailSync(self.table, source, sender).sync()
