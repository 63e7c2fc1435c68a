"""How a seat's bundles travel: by files, by mail or by git, whichever the copy is set up for.

One interface does all that is due: it takes in what came and sends what must leave.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Protocol

from adjudicator.cli import settings
from adjudicator.cli.shared import say, write_bundle
from adjudicator.core import bundles
from adjudicator.mail import pasted
from adjudicator.mail.pasted import Paste
from adjudicator.mail.player import message
from adjudicator.player import finding
from adjudicator.player.copy import others
from adjudicator.player.duel import homes
from adjudicator.player.seat import Seat
from adjudicator.player.table import Table, TakenBundles, by_mail
from adjudicator.store import files
from adjudicator.store.clock import SystemClock
from adjudicator.store.record import Record
from adjudicator.words import answers
from orders import names
from orders.bundle import Bundle
from orders.duel import of_bundle
from orders.errors import Refused, pasteable
from orders.fields import HOST
from orders.order_file import OrderFile


class Courier(Protocol):
    """Moves bundles between a player's table and the host."""

    @property
    def table(self) -> Table:
        """The player's copy and seat."""

    def fetch(self) -> TakenBundles:
        """Take in new bundles; raises Refused."""

    def sync(self) -> TakenBundles:
        """Take in new bundles, and send what waits in the seat; says where it went. Raises
        Refused."""


def of(record: Record, seat: Seat | None) -> Courier:
    """The courier of a copy of a game."""
    table = Table(record, seat, SystemClock())
    if (record.root / ".git").exists():
        return ByGit(table)
    if by_mail(record):
        return ByMail(table)
    return ByFiles(table)


@dataclass(frozen=True, slots=True)
class ByFiles:
    """Bundles are files beside the copy; people hand them on as they like."""

    table: Table

    def fetch(self) -> TakenBundles:
        """Take in every bundle beside the copy that belongs to its game and is new; files in which
        nothing is new any more are put away."""
        table, taken = self.table, TakenBundles()
        came = list(self._lying(taken.warnings))
        new = [(one.path.name, it) for one, mine in came for it in mine if not table.has(it)]
        table.take(new, taken)
        taken.lines += [line for kept in taken.letters for line in message(table, kept)]
        ids = bundles.ids_of(table.record)
        for one, mine in came if not table.record.host.is_dir() else ():
            # Beside a host's record lies what its host hands out.
            if one.is_only(ids) and all(map(table.has, mine)):
                put_away(table.record.root, one.path)
        return taken

    def _lying(self, faults: list[str]) -> Iterator[tuple[Lying, list[Bundle]]]:
        """The files beside the copy with bundles, of any game, that may be for this seat; `faults`
        grows by those that bring only another's report."""
        root = self.table.record.root.absolute()
        shared = self.table.record.host.is_dir() or len(list(root.parent.glob("*.seat"))) > 1
        for one in lying(root.parent):
            kinds = ("entry", "receipt") if shared else ("entry", "receipt", "letter")
            held = [it for it in one.paste.bundles if it.kind in kinds and not is_own(it)]
            mine = [it for it in held if not _of_others(it, self.table.player)]
            if mine:
                yield one, mine
            elif held and not shared:
                faults.append(f"{one.path.name}: it is another player's, not {self.table.player}'s")

    def new(self) -> list[str]:
        """The names of the files that `fetch` would take in."""
        ids, has = bundles.ids_of(self.table.record), self.table.has
        return [
            one.path.name
            for one, mine in self._lying([])
            if any(bundles.about(it) in ids and not has(it) for it in mine)
        ]

    def sync(self) -> TakenBundles:
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
    ids = bundles.ids_of(table.record)
    for one in lying(table.record.root.absolute().parent):
        for bundle in one.of(ids, ("entry",)):
            with suppress(Refused):
                table.notice(bundle)


def is_own(bundle: Bundle) -> bool:
    """Whether a bundle is a player's letter: the host's brings one of the host's too."""
    return bundle.kind == "letter" and not any(
        path.startswith(f"letters/{HOST}-") for path, _ in bundle.files
    )


def _of_others(bundle: Bundle, player: str) -> bool:
    """Whether a bundle brings a report or a receipt, and none for this player."""
    if bundle.kind == "receipt":
        return f"-{player}-" not in bundle.files[0][0]
    return bool(others(dict(bundle.files), player))


class Lying(NamedTuple):
    """A file beside a game, and what is in it."""

    path: Path
    paste: Paste

    def of(self, ids: Collection[str], kinds: Collection[str]) -> list[Bundle]:
        """The bundles of these kinds in it that are of the game, or of the duel, with these ids."""
        return [one for one in self.paste.bundles if one.kind in kinds and _about(one) in ids]

    def is_only(self, ids: Collection[str]) -> bool:
        """Whether nothing else is in it."""
        return not self.paste.damaged and all(_about(one) in ids for one in self.paste.bundles)


def lying(folder: Path, faults: list[str] | None = None) -> Iterator[Lying]:
    """The files in a folder with a block in them, whatever they are called and whatever stands
    around it. `faults` grows by those that may have one and cannot be read."""
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") or not path.is_file():
            continue
        try:
            paste = _look(path)
        except Refused as error:
            if faults is not None:
                faults.append(f"{path.name}: {error}")
        else:
            if paste is not None and (paste.bundles or paste.damaged):
                yield Lying(path, paste)


def _look(path: Path) -> Paste | None:
    """What is in a file; None if it is no text, or none with a block. Raises Refused."""
    try:
        with path.open("rb") as file:
            head = file.read(pasted.HEAD)
            data = head + file.read(pasted.LARGEST + 1) if pasted.is_text(head) else b""
    except OSError as error:
        raise Refused("unreadable", f"{error.strerror}") from None
    return pasted.read(data) if pasted.may_hold(data) else None


def _about(bundle: Bundle) -> str:
    """Of which game, or of which duel, a bundle is; "" if it does not say so."""
    with suppress(Refused):
        return of_bundle(bundle).about if bundle.kind == "duel" else bundles.about(bundle)
    return ""


def strays(folder: Path) -> list[str]:
    """What lies in a folder and no game there can take: blocks that are damaged, or of a game that
    is not there; a line each."""
    faults: list[str] = []
    ids = {one for copy in finding.copies(folder) for one in bundles.ids_of(copy)}
    with suppress(Refused):
        ids |= {home.id[:16] for home in homes(folder)}
    for path, paste in lying(folder, faults):
        faults += [f"{path.name}: a block in it is {one.fault}" for one in paste.damaged]
        for bundle in paste.bundles:
            if _about(bundle) not in ids:
                begins = bundle.kind == "invite" or bundle.files[0][0] == names.OFFER
                how = f"it offers a game: adjudicator join {pasteable(path.name)}"
                what = f"a bundle of kind {bundle.kind} of no game that has begun here"
                faults.append(f"{path.name}: {how if begins else what}")
    return faults


def was_put_away(root: Path, path: Path) -> bool:
    """Whether the same file was used before, so it came again."""
    used = root.with_name(f"{root.name}.done") / path.name
    return used.is_file() and used.read_bytes() == path.read_bytes()


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
        return self._sync(hands_in=False)

    def sync(self) -> TakenBundles:
        """The same, and push the orders that wait in the seat."""
        return self._sync(hands_in=True)

    def _sync(self, *, hands_in: bool) -> TakenBundles:
        from adjudicator.git.play_sync import PlaySync

        return PlaySync(self.table).sync(hands_in=hands_in)


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
            came.letters[:0] = taken.letters
            return came
        return taken

    def sync(self) -> TakenBundles:
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
