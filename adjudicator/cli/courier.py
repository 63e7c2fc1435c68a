"""How a seat's bundles travel: by files, by mail or by git, whichever the copy is set up for.

One interface does all that is due: it takes in what came and sends what must leave. And what came
is told in words here, whatever took it in.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Protocol

from adjudicator.cli import settings
from adjudicator.cli.shared import reader, say, warn, write_bundle
from adjudicator.core import bundles
from adjudicator.core.opening import read_offer
from adjudicator.mail import pasted
from adjudicator.mail.pasted import Paste
from adjudicator.player import finding, letters
from adjudicator.player.copy import others
from adjudicator.player.duel import homes
from adjudicator.player.seat import Seat
from adjudicator.player.table import Table, TakenBundles, by_mail
from adjudicator.store import files
from adjudicator.store.clock import SystemClock
from adjudicator.store.record import Record
from adjudicator.words import story
from orders import names
from orders.bundle import Bundle
from orders.duel import of_bundle
from orders.errors import Refused, pasteable
from orders.fields import HOST, Digest

LOOK, NOT_YET = 3, 4
"""Exit codes: done, but a person must look; not yet, or something is missing."""

_MOST = 10
"""So many of the last entries are told."""


class Courier(Protocol):
    """Moves bundles between a player's table and the host."""

    repeats: bool
    """Whether orders without an answer leave at every `send`."""

    @property
    def table(self) -> Table:
        """The player's copy and seat."""

    def fetch(self, here: Here | None = None) -> TakenBundles:
        """Take in new bundles; raises Refused. `here`: what lies beside the copy, if that was read
        already."""

    def send(self, taken: TakenBundles) -> None:
        """Send the orders that are due, after a fetch; `taken` grows by where they went. Raises
        Refused."""


def of(record: Record, seat: Seat | None) -> Courier:
    """The courier of a copy of a game."""
    table = Table(record, seat, SystemClock())
    if (record.root / ".git").exists():
        from adjudicator.git.play_sync import PlaySync

        return PlaySync(table)
    if by_mail(record):
        return ByMail(table)
    return ByFiles(table)


def send(carrier: Courier) -> None:
    """Send the orders that are due, and say where they went; raises Refused."""
    sent = TakenBundles()
    carrier.send(sent)
    say(*sent.lines)
    warn(*sent.warnings)


@dataclass(frozen=True, slots=True)
class ByFiles:
    """Bundles are files beside the copy; people hand them on as they like."""

    table: Table
    repeats = False

    def fetch(self, here: Here | None = None) -> TakenBundles:
        """Take in every bundle beside the copy that belongs to its game and is new; files in which
        nothing is of use any more are put away."""
        table, taken = self.table, TakenBundles()
        here = here or look(table.record.root.absolute().parent)
        came = self._beside(here)
        table.take(
            [(one.path.name, it) for one in came for it in one.mine if not table.has(it)], taken
        )
        if not table.record.host.is_dir():
            # Beside a host's record lies what its host hands out.
            clear(table.record.root, bundles.ids_of(table.record), came, self._is_used)
        self._note(here)
        return taken

    def _note(self, here: Here) -> None:
        """Let the table note the entries that lie here, whoever they are for."""
        ids = bundles.ids_of(self.table.record)
        for one in beside(here, lambda it: it.kind == "entry" and about(it) in ids):
            for bundle in one.mine:
                with suppress(Refused):
                    self.table.notice(bundle)

    def _beside(self, here: Here) -> list[Lying]:
        """The files beside the copy with bundles, of any game, that may be for this seat. Where it
        sits alone, another player's may be too: their entry is everybody's."""
        record, player, invites = self.table.record, self.table.player, here.invites
        shared = (
            record.host.is_dir()
            # A seat that does not open may be one of this game.
            or invites is None
            or invites.count(finding.invite_of(record)) > 1
        )
        kinds = ("entry", "receipt") if shared else ("entry", "receipt", "letter")

        def may_be_mine(bundle: Bundle) -> bool:
            others = shared and _is_others(bundle, player)
            return bundle.kind in kinds and not is_for_host(bundle) and not others

        return list(beside(here, may_be_mine))

    def _is_used(self, bundle: Bundle) -> bool:
        """Whether a bundle is of no use any more: what it brings is here, or it is another player's
        receipt, which was said."""
        player = self.table.player
        others = bool(player) and bundle.kind == "receipt" and _is_others(bundle, player)
        return others or self.table.has(bundle)

    def new(self, here: Here) -> list[str]:
        """The names of the files that `fetch` would take in; the table notes the entries."""
        ids = bundles.ids_of(self.table.record)
        self._note(here)
        return [
            one.path.name
            for one in self._beside(here)
            if any(about(it) in ids and not self._is_used(it) for it in one.mine)
        ]

    def send(self, taken: TakenBundles) -> None:
        """Write the orders that are due beside the copy."""
        order = self.table.due()
        if order is not None:
            bundle = bundles.pack("order", order.files())
            where = self.table.record.root.with_name(f"{self.table.name(bundle)}.txt")
            written = write_bundle(bundle, None, str(where))
            taken.lines.append(f"Send {os.path.relpath(written)} to the host")


def tell(table: Table, taken: TakenBundles, *, named: bool = False, quiet: bool = False) -> int:
    """Say what came and what its player must see to, the most urgent last; the exit code.

    `named`: with the game's name. `quiet`: only what they must see to.
    """
    if not quiet:
        say(*(f"{table.game}: {line}" if named else line for line in taken.lines))
        for kept in taken.letters:
            say(*letters.in_words(table.ledger, table.seat, kept))
        _tell_steps(table, taken.steps)
    news = list(table.news(reader()))
    warnings = table.not_news(taken.warnings)
    warn(*(one for one in warnings if one not in news), *reversed(news), *taken.evidence)
    warn(*table.not_mine(taken))
    if taken.evidence:
        return 1
    if table.old() or table.lacking():
        return NOT_YET
    return LOOK if warnings or news else 0


def _tell_steps(table: Table, steps: Sequence[int]) -> None:
    """What these entries told this player, or else everybody."""
    own = None
    with suppress(Refused):
        own = table.seated()
    for step in steps[-_MOST:]:
        entry = table.ledger.link(step).entry
        if len(steps) > 1 and entry.ruling is None:
            say(f"entry {step}: {story.title(entry)}")
        told = story.heard(table.ledger.opening, entry) if own is None else story.told(own, step)
        say(*(f"  {line}" for line in told))
    if steps:
        say(*story.whose_turn(table.ledger.last.entry, reader(), table.player))


def is_for_host(bundle: Bundle) -> bool:
    """Whether a bundle is a join, orders, or a player's letter: the host's brings one of the host's
    too."""
    return bundle.kind in ("join", "order") or (
        bundle.kind == "letter"
        and not any(path.startswith(f"letters/{HOST}-") for path, _ in bundle.files)
    )


def _is_others(bundle: Bundle, player: str) -> bool:
    """Whether a bundle brings a report or a receipt, and none for this player."""
    if bundle.kind == "receipt":
        return f"-{player}-" not in bundle.files[0][0]
    return bool(others(dict(bundle.files), player))


class Lying(NamedTuple):
    """A file beside a game, what is in it, and what of that is for who looks."""

    path: Path
    paste: Paste
    mine: Sequence[Bundle]

    def is_only(self, ids: Collection[str]) -> bool:
        """Whether all in it is of the game, or of the duel, with these ids."""
        return not self.paste.damaged and all(about(one) in ids for one in self.paste.bundles)


class Here(NamedTuple):
    """What lies in a folder, read once: the files with a block in them, and why others, which may
    have one, cannot be read; by which `invites` the seats there joined, None if one does not
    open."""

    files: Sequence[Lying]
    faults: Sequence[str]
    invites: Sequence[Digest] | None = ()


def beside(here: Here, wanted: Callable[[Bundle], bool]) -> Iterator[Lying]:
    """The files in which something is wanted."""
    for one in here.files:
        mine = [bundle for bundle in one.paste.bundles if wanted(bundle)]
        if mine:
            yield one._replace(mine=mine)


def clear(
    root: Path, ids: Collection[str], came: Iterable[Lying], has: Callable[[Bundle], bool]
) -> None:
    """Move those files into ROOT.done/ in which nothing is new any more, nor of anything else,
    unless they stand inside a record."""
    for one in came:
        here = (one.path.parent / names.INVITE).exists()
        used = one.is_only(ids) and all(map(has, one.mine))
        if used and not here and one.path.exists():
            files.make_folder(done(root))
            one.path.replace(done(root) / one.path.name)


def done(root: Path) -> Path:
    """Where the used files beside a game's folder are put away."""
    return root.with_name(f"{root.name}.done")


def look(folder: Path) -> Here:
    """The files in a folder with a block in them, whatever they are called and whatever stands
    around it, and the seats there."""
    found, faults = [], []
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") or not path.is_file():
            continue
        try:
            paste = _read(path)
        except Refused as error:
            faults.append(f"{path.name}: {error.message}")
        else:
            if paste is not None and (paste.bundles or paste.damaged):
                found.append(Lying(path, paste, paste.bundles))
    invites = None
    with suppress(Refused):
        invites = [seat.invite for seat in finding.seats(folder)]
    return Here(found, faults, invites)


def _read(path: Path) -> Paste | None:
    """What is in a file; None if it is no text, or none with a block. Raises Refused."""
    try:
        with path.open("rb") as file:
            head = file.read(pasted.HEAD)
            data = head + file.read(pasted.LARGEST + 1) if pasted.is_text(head) else b""
    except OSError as error:
        raise Refused("unreadable", f"{error.strerror}") from None
    return pasted.read(data) if pasted.may_hold(data) else None


def about(bundle: Bundle) -> str:
    """Of which game, or of which duel, a bundle is; "" if it does not say so."""
    with suppress(Refused):
        return of_bundle(bundle).about if bundle.kind == "duel" else bundles.about(bundle)
    return ""


def strays(folder: Path, here: Here) -> tuple[list[str], int]:
    """What lies in a folder and no game there can take: blocks that are damaged, or of a game that
    is not there; a line each, and the exit code."""
    if not here.files and not here.faults:
        return [], 0
    faults, code, known = list(here.faults), 0, finding.copies(folder)
    ids = {one for copy in known for one in bundles.ids_of(copy)}
    with suppress(Refused):
        ids |= {home.id[:16] for home in homes(folder)}
    for path, paste, _ in here.files:
        faults += [f"{path.name}: a block in it is {one.fault}" for one in paste.damaged]
        for bundle in paste.bundles:
            if about(bundle) not in ids:
                error = of_no_game(path.name, bundle, known)
                code = NOT_YET if error.word == "gap" else code
                faults.append(f"{error.message}; {error.hint}")
    return faults, code or (LOOK if faults else 0)


def of_no_game(path: str, bundle: Bundle, known: Sequence[Record]) -> Refused:
    """Why a bundle in that file is of none of the games here, and how to go on."""
    if bundle.kind == "invite" or bundle.files[0][0] == names.OFFER:
        return Refused("missing", f"{path!a} offers a game", f"adjudicator join {pasteable(path)}")
    early = [one for one in known if one.last_step() is None]
    if len(early) == 1 and bundle.kind in ("entry", "receipt"):
        return Refused(
            "gap",
            f"{path!a}: it is of another game, or the first file of {early[0].root.name} is not "
            "here yet",
            f"ask the host for {read_offer(early[0]).name}-0000.txt",
        )
    named = ", ".join(sorted({one.root.name for one in known}))
    return Refused(
        "other-game" if named else "missing",
        f"{path!a} is of another game" + (f", not of {named}" if named else
                                           ": no copy of it is here"),
        "to get a copy: adjudicator join INVITATION",
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class ByMail:
    """The game came by mail. The settings name the mailbox and the way to send; without them mails
    go in and out by hand."""

    table: Table
    repeats = False

    def fetch(self, here: Here | None = None) -> TakenBundles:
        """Take in the bundles beside the copy, and the mails in the mailbox."""
        taken, root = ByFiles(self.table).fetch(here), self.table.record.root
        if settings.get("mail-in", root):
            from adjudicator.cli import post
            from adjudicator.mail import play_sync

            play_sync.fetch(self.table, post.mailbox(root), taken)
        return taken

    def send(self, taken: TakenBundles) -> None:
        """Send the orders that are due, as the settings say or as a file to send."""
        from adjudicator.cli import post

        root = self.table.record.root
        way = post.way_out(root) if settings.get("mail-in", root) else None
        if way is not None:
            from adjudicator.mail import play_sync

            play_sync.send(self.table, way, taken)
        elif (order := self.table.due()) is not None:
            bundle = bundles.pack("order", order.files())
            post.mail(self.table.record, bundle, f"sealed orders for step {order.slip.step}",
                      self.table.seat)  # fmt: skip
