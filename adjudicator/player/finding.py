"""The games in a folder: copies of records, the seats that joined them, and order forms.

What belongs here: looking for them by what they hold, whatever they are called. A seat is a folder,
or lies in a safe. What it must not know: how bundles travel.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from adjudicator.player import safe
from adjudicator.player.seat import Seat
from adjudicator.player.seated import Seated
from adjudicator.store import files
from adjudicator.store.record import Record
from adjudicator.words import form
from orders import names
from orders.errors import Refused
from orders.fields import Digest, digest


def copies(folder: Path) -> list[Record]:
    """The records in a folder, sorted by name."""
    invites = sorted(folder.glob(f"*/{names.INVITE}"))
    return [Record(path.parent) for path in invites if path.is_file() and not path.is_symlink()]


def place_of(invite: Digest, folder: Path) -> Path | None:
    """Where in a folder the seat lies that joined by the invite of that digest; None: nowhere.

    It is the seat's own folder; without one, of the safes that hold the seat, the one that was
    saved last. Raises Refused where two could be meant.
    """
    seats = [Seat.open(path.parent) for path in sorted(folder.glob("*.seat/seat.toml"))]
    mine = [seat.root for seat in seats if seat.invite == invite] or _safes(invite, folder)
    if len(mine) > 1:
        raise Refused("no-seat", "there are two seats for this game here", "name one: --seat")
    return mine[0] if mine else None


def _safes(invite: Digest, folder: Path) -> list[Path]:
    """The safes of that game, by what they say in the clear; of each player the last saved."""
    found: list[tuple[safe.Head, Path]] = []
    for path in sorted(folder.glob(f"*{safe.ENDING}")):
        # A file that is no safe, or that cannot be read, hides no other.
        with suppress(Refused):
            found.append((safe.read_head(files.read(path, safe.LARGEST)), path))
    mine = [(head, path) for head, path in found if head.invite == invite]
    return [
        path
        for head, path in mine
        if not any(other.same_seat(head) and other.saved > head.saved for other, _ in mine)
    ]


def seat_of(invite: Digest, folder: Path, ask: Callable[[str], str] | None = None) -> Seat | None:
    """The seat that `place_of` finds; None: there is none, or it is in a safe and nobody to `ask`.

    `ask` gets a prompt and returns a safe's passphrase. Raises Refused.
    """
    place = place_of(invite, folder)
    if place is None or (ask is None and place.is_file()):
        return None
    return Seat.open(place, ask)


def seated(folder: Path) -> list[tuple[Record, Path]]:
    """The games of which a folder holds a copy and a seat, sorted by the copy's name, each with the
    seat's folder or safe."""
    places = [(copy, place_of(invite_of(copy), folder)) for copy in copies(folder)]
    return [(copy, place) for copy, place in places if place is not None]


def invite_of(copy: Record) -> Digest:
    """The digest of a copy's invite. Nobody has verified the invite yet: another copy may be
    broken."""
    return digest(copy.read(names.INVITE))


def form_beside(copy: Record, own: Seated) -> Path:
    """The order form for the coming step, which lies beside the copy; it is made if it is not
    there."""
    path = copy.root.with_name(f"{copy.root.name}-{own.step:04d}.toml")
    if not path.exists():
        files.write(path, form.template(own).encode())
    return path
