"""How a seat's bundles travel: by files, by mail or by git, whichever the copy is set up for.

One interface does all that is due: it takes in what came and sends what must leave.
"""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from adjudicator.cli import settings
from adjudicator.cli.shared import read_bundle, say, write_bundle
from adjudicator.core import bundles
from adjudicator.player.copy import others
from adjudicator.player.seat import Seat
from adjudicator.player.table import Table, TakenBundles, harmless, memory
from adjudicator.store import files
from adjudicator.store.clock import SystemClock
from adjudicator.store.record import Record
from adjudicator.words import answers
from orders import names
from orders.bundle import BEGIN, Bundle
from orders.errors import Refused
from orders.keys import Signer
from orders.order_file import OrderFile


class Courier(Protocol):
    """Moves bundles between a player's table and the host."""

    @property
    def table(self) -> Table:
        """The player's copy and seat."""

    def fetch(self) -> TakenBundles:
        """Take in new bundles; raises Refused."""

    def sync(self, signer: Signer | None) -> TakenBundles:
        """Take in new bundles, and send what waits in the seat; says where it went. Raises
        Refused. `signer`: for carriers that sign what they carry."""


def of(record: Record, seat: Seat | None) -> Courier:
    """The courier of a copy of a game."""
    table = Table(record, seat, SystemClock())
    if (record.root / ".git").exists():
        return ByGit(table)
    if memory(record).root.is_dir():
        return ByMail(table)
    return ByFiles(table)


@dataclass(frozen=True, slots=True)
class ByFiles:
    """Bundles are files beside the copy; people hand them on as they like."""

    table: Table

    def fetch(self) -> TakenBundles:
        """Take in every bundle beside the copy that belongs to its game and is new; those that were
        taken in whole are put away."""
        faults = TakenBundles()
        found = self._lying(faults)
        folder = self.table.record.root.parent
        taken = self.table.take([one for one in found if not self.table.has(one[1])])
        taken.warnings[:0] = faults.warnings
        for name, bundle in found if not self.table.record.host.is_dir() else ():
            # Beside a host's record lies what its host hands out.
            if name not in taken.foreign and self.table.has(bundle):
                put_away(self.table.record.root, folder / name)
        return taken

    def _lying(self, faults: TakenBundles) -> list[tuple[str, Bundle]]:
        """The bundles beside the copy, of any game, that may be for this seat, by their files'
        names; `faults` gets what cannot be read."""
        found: list[tuple[str, Bundle]] = []
        for path in sorted(self.table.record.root.absolute().parent.glob("*.txt")):
            with harmless(path.name, faults):
                bundle = bundle_in(path, ("entry", "receipt"))
                if bundle is not None and not _of_others(bundle, self.table.player):
                    found.append((path.name, bundle))
        return found

    def new(self) -> list[str]:
        """The names of the files that `fetch` would take in."""
        ids = bundles.ids_of(self.table.record)
        return [
            name
            for name, bundle in self._lying(TakenBundles())
            if bundles.about(bundle) in ids and not self.table.has(bundle)
        ]

    def sync(self, signer: Signer | None) -> TakenBundles:
        """The same; orders that are due are written beside the copy."""
        taken = self.fetch()
        order = self.table.due()
        if order is not None:
            bundle = bundles.pack("order", order.files())
            where = self.table.record.root.with_name(f"{self.table.name(bundle)}.txt")
            written = write_bundle(bundle, None, str(where))
            file = answers.written(self.table.seated(), order.slip)
            taken.lines.append(ready(file, order.slip.protest, os.path.relpath(written)))
        return taken


def announce(carrier: Courier, file: OrderFile, protest: str | None = None) -> None:
    """Say which orders are about to leave; by files `ready` says it, with the file's name."""
    if not isinstance(carrier, ByFiles):
        say(f"Ready: {answers.in_words(file, protest)}.")


def ready(file: OrderFile, protest: str | None, where: str) -> str:
    """That orders are sealed and signed, and lie in a file for the host."""
    named = "it" if where == "-" else where
    return f"Ready: {answers.in_words(file, protest)}. Send {named} to the host"


def notice(table: Table) -> None:
    """Let a table see the entries that lie beside the copy, for who looks and takes nothing in."""
    for path in sorted(table.record.root.absolute().parent.glob("*.txt")):
        with suppress(Refused):
            bundle = bundle_in(path, ("entry",))
            if bundle is not None and bundles.about(bundle) in bundles.ids_of(table.record):
                table.notice(bundle)


def _of_others(bundle: Bundle, player: str) -> bool:
    """Whether a bundle brings a report or a receipt, and none for this player."""
    if bundle.kind == "receipt":
        return f"-{player}-" not in bundle.files[0][0]
    return bool(others(dict(bundle.files), player))


def bundle_in(path: Path, kinds: tuple[str, ...]) -> Bundle | None:
    """The bundle in a file, if it is of these kinds; None for any other file, a folder or a
    pipe."""
    if not path.is_file():
        return None
    heads = tuple(BEGIN + f"kind: {kind}\n".encode("ascii") for kind in kinds)
    try:
        with path.open("rb") as file:
            head = file.read(len(BEGIN) + 16)
    except OSError as error:
        raise Refused("unreadable", f"{path.name!a}: {error.strerror}") from None
    return read_bundle(str(path)) if head.startswith(heads) else None


def put_away(root: Path, path: Path) -> None:
    """Move a used file into ROOT.done/, beside a game's folder, unless it stands inside a
    record."""
    if (path.parent / names.INVITE).exists():
        return
    folder = root.with_name(f"{root.name}.done")
    files.make_folder(folder)
    path.replace(folder / path.name)


@dataclass(frozen=True, slots=True)
class ByGit:
    """The copy is a clone."""

    table: Table

    def fetch(self) -> TakenBundles:
        """Pull, and take in."""
        return self.sync(None)

    def sync(self, signer: Signer | None) -> TakenBundles:
        """The same, and push the orders that wait in the seat."""
        from adjudicator.core import opening
        from adjudicator.git import setup
        from adjudicator.git.play_sync import PlaySync

        playing = PlaySync(self.table, signer)
        taken = playing.sync()
        ledger = self.table.ledger if self.table.begun else None
        setup.allow_signers(playing.repo, opening.read_offer(self.table.record), ledger)
        return taken


@dataclass(frozen=True, slots=True)
class ByMail:
    """The game came by mail. The settings name the mailbox and the way to send; without them mails
    go in and out by hand."""

    table: Table

    def fetch(self) -> TakenBundles:
        """Take in the mails in the mailbox, and the bundles beside the copy."""
        from adjudicator.cli import post
        from adjudicator.mail import play_sync

        taken = ByFiles(self.table).fetch()
        root = self.table.record.root
        if settings.get("mail-in", root):
            came = play_sync.MailSync(self.table, post.mailbox(root), post.way_out(root)).sync()
            came.lines[:0] = taken.lines
            came.warnings[:0] = taken.warnings
            came.steps[:0] = taken.steps
            return came
        return taken

    def sync(self, signer: Signer | None) -> TakenBundles:
        """The same, and send the orders that wait in the seat: by the mail server, by the program
        in the settings, or as a file to send."""
        from adjudicator.cli import post

        taken = self.fetch()
        order, root = self.table.due(), self.table.record.root
        if order is not None and not (settings.get("mail-in", root) and post.way_out(root)):
            bundle = bundles.pack("order", order.files())
            post.mail(self.table.record, bundle, f"sealed orders for step {order.slip.step}",
                      self.table.seat)  # fmt: skip
        return taken
