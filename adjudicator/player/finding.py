"""The games in a folder: copies of records, the seats that joined them, and order forms.

They are found by their content, whatever they are called. Every command asks which game is meant,
also those that need no seat: so what a seat is gets loaded only where one is opened.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from adjudicator.core import opening
from adjudicator.core.source import MemoryFiles
from adjudicator.store import files
from adjudicator.store.clock import SystemClock
from adjudicator.store.record import Record
from orders import names
from orders.bundle import Bundle
from orders.errors import Refused, pasteable
from orders.fields import Digest, digest

if TYPE_CHECKING:
    from adjudicator.player.seat import Seat
    from adjudicator.player.seated import Seated


def copies(folder: Path) -> list[Record]:
    """The records in a folder, sorted by name."""
    invites = sorted(folder.glob(f"*/{names.INVITE}"))
    return [Record(path.parent) for path in invites if path.is_file() and not path.is_symlink()]


def records(here: Path) -> list[Record]:
    """The records that a command in this folder means.

    As git does, it looks at the folder and then at its parents: the first that is a record, or
    holds one. Of the parents, only those of the user's own may hold one, because what lies in a
    folder of all users may be anybody's.
    """
    for folder in (here, *here.parents):
        if (folder / names.INVITE).is_file():
            return [Record(folder)]
        if (folder == here or files.is_own(folder)) and (found := copies(folder)):
            return found
    return []


def seats(folder: Path) -> list[Seat]:
    """The seats in a folder, of all games; raises Refused."""
    from adjudicator.player.seat import Seat

    return [Seat.open(path.parent) for path in sorted(folder.glob("*.seat/seat.toml"))]


def place_of(
    invite: Digest, folder: Path, seats: Callable[[Path], Sequence[Seat]] = seats
) -> Path | None:
    """The folder of the seat that joined by the invite of that digest; None if there is none.
    `seats`: how those of a folder are found, for who asks about many games.

    Raises Refused if two seats could be meant.
    """
    mine = [seat.root for seat in seats(folder) if seat.invite == invite]
    if len(mine) > 1:
        raise Refused(
            "no-seat",
            f"{len(mine)} seats for this game are here: {', '.join(one.name for one in mine)}",
            f"say which: --seat {pasteable(mine[-1].name)}",
        )
    return mine[0] if mine else None


def invite_of(copy: Record) -> Digest:
    """The digest of a copy's invite, not verified yet, because one broken copy must not hide the
    others."""
    return digest(copy.read(names.INVITE))


def whose(copy: Record) -> str | None:
    """The player whose copy it is, by the reports in it or the join beside it; None if that cannot
    be told."""
    reports = copy.root.joinpath(names.report(0, "x")).parent
    found = {path.stem.partition("-")[2] for path in reports.glob("*.sealed")}
    joins = copy.root.parent.glob(f"{copy.root.name}-*-join.txt")
    found = found or {path.stem.split("-")[-2] for path in joins}
    return next(iter(found)) if len(found) == 1 else None


def copy_of_invite(bundle: Bundle, folder: Path, record: Path | None = None) -> Record:
    """The copy in a folder that an invite starts, called as the game.

    A copy that this invite started before is used as it is. Raises Refused.
    """
    offer = opening.read_offer(MemoryFiles(dict(bundle.files)))
    known = [one for one in copies(folder) if invite_of(one) == offer.digest]
    copy = Record(record) if record is not None else known[0] if known else None
    if copy is None:
        path = folder / offer.name
        copy = Record(path.with_name(f"{path.name}-{offer.digest[:8]}") if path.exists() else path)
    from adjudicator.player.copy import Copy

    Copy(copy, None, SystemClock()).receive([bundle])
    return copy


def form_beside(copy: Record, own: Seated) -> Path:
    """The path of the order form for the coming step, next to the copy; the form is made if it is
    not there."""
    path = copy.root.with_name(f"{copy.root.name}-{own.step:04d}-orders.txt")
    if not path.exists():
        from adjudicator.words import form

        files.write(path, form.template(own).encode())
    return path
