"""The games in a folder: copies of records, the seats that joined them, and order forms.

They are found by their content, whatever they are called. A seat is a folder or in a safe.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from adjudicator.core import opening
from adjudicator.core.source import Held
from adjudicator.player import safe
from adjudicator.player.copy import Copy
from adjudicator.player.seat import Seat
from adjudicator.player.seated import Seated
from adjudicator.store import files
from adjudicator.store.clock import SystemClock
from adjudicator.store.record import Record
from adjudicator.words import form
from orders import names
from orders.bundle import Bundle
from orders.errors import Refused
from orders.fields import Digest, digest


def copies(folder: Path) -> list[Record]:
    """The records in a folder, sorted by name."""
    invites = sorted(folder.glob(f"*/{names.INVITE}"))
    return [Record(path.parent) for path in invites if path.is_file() and not path.is_symlink()]


def records(here: Path) -> list[Record]:
    """The records that a command in this folder means: the one in which the folder lies, or those
    that lie in it.

    As git does, it looks at the folder and then at its parents. What lies beside a parent is not
    looked at: it may be anybody's.
    """
    inside = (folder for folder in (here, *here.parents) if (folder / names.INVITE).is_file())
    own = next(inside, None)
    return copies(here) if own is None else [Record(own)]


def place_of(invite: Digest, folder: Path) -> Path | None:
    """The path of the seat that joined by the invite of that digest; None if there is none.

    It is the seat's folder, or else, of the safes that hold the seat, the one that was saved last.
    Raises Refused if two seats could be meant.
    """
    seats = [Seat.open(path.parent) for path in sorted(folder.glob("*.seat/seat.toml"))]
    mine = [seat.root for seat in seats if seat.invite == invite] or _safes(invite, folder)
    if len(mine) > 1:
        raise Refused("no-seat", "there are two seats for this game here", "name one: --seat")
    return mine[0] if mine else None


def _safes(invite: Digest, folder: Path) -> list[Path]:
    """The safes of that game, by what they say in the clear; of each player the last saved."""
    found: list[tuple[safe.SafeHead, Path]] = []
    for path in sorted(folder.glob(f"*{safe.ENDING}")):
        # A file that is no safe or cannot be read is skipped.
        with suppress(Refused):
            found.append((safe.read_head(files.read(path, safe.LARGEST)), path))
    mine = [(head, path) for head, path in found if head.invite == invite]
    return [
        path
        for head, path in mine
        if not any(other.same_seat(head) and other.saved > head.saved for other, _ in mine)
    ]


def seat_of(invite: Digest, folder: Path, ask: Callable[[str], str] | None = None) -> Seat | None:
    """The seat that `place_of` finds; None if there is none, or it is in a safe and `ask` is None.

    `ask` gets a prompt and returns a safe's passphrase. Raises Refused.
    """
    place = place_of(invite, folder)
    if place is None or (ask is None and place.is_file()):
        return None
    return Seat.open(place, ask)


def seated(folder: Path) -> list[tuple[Record, Path]]:
    """Each game of which a folder holds a copy and a seat, with the seat's folder or safe, sorted
    by the copy's name."""
    places = [(copy, place_of(invite_of(copy), folder)) for copy in copies(folder)]
    return [(copy, place) for copy, place in places if place is not None]


def invite_of(copy: Record) -> Digest:
    """The digest of a copy's invite, not verified yet, because one broken copy must not hide the
    others."""
    return digest(copy.read(names.INVITE))


def copy_of_invite(bundle: Bundle, folder: Path, record: Path | None = None) -> Record:
    """The copy in a folder that an invite starts, called as the game.

    A copy that this invite started before is used as it is. Raises Refused.
    """
    offer = opening.read_offer(Held(dict(bundle.files)))
    known = [one for one in copies(folder) if invite_of(one) == offer.digest]
    copy = Record(record) if record is not None else known[0] if known else None
    if copy is None:
        path = folder / offer.name
        copy = Record(path.with_name(f"{path.name}-{offer.digest[:8]}") if path.exists() else path)
    Copy(copy, None, SystemClock()).receive([bundle])
    return copy


def form_beside(copy: Record, own: Seated) -> Path:
    """The path of the order form for the coming step, next to the copy; the form is made if it is
    not there."""
    path = copy.root.with_name(f"{copy.root.name}-{own.step:04d}.toml")
    if not path.exists():
        files.write(path, form.template(own).encode())
    return path
