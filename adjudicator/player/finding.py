"""The games in a folder: copies of records, the seats that joined them, and order forms.

What belongs here: looking for them by what they hold, whatever they are called. What it must not
know: how bundles travel.
"""

from __future__ import annotations

from pathlib import Path

from adjudicator.player.seat import Seat
from adjudicator.player.seated import Seated
from adjudicator.store import files
from adjudicator.store.record import Record
from adjudicator.words import form
from orders import names
from orders.errors import Refused
from orders.fields import Digest, digest


def copies(folder: Path) -> list[Record]:
    """The records in a folder, by name."""
    invites = sorted(folder.glob(f"*/{names.INVITE}"))
    return [Record(path.parent) for path in invites if path.is_file() and not path.is_symlink()]


def seat_of(invite: Digest, folder: Path) -> Seat | None:
    """The one seat in a folder that joined by the invite of that digest; None: there is none."""
    seats = [Seat.open(path.parent) for path in sorted(folder.glob("*.seat/seat.toml"))]
    mine = [seat for seat in seats if seat.invite == invite]
    if len(mine) > 1:
        raise Refused("no-seat", "there are two seats for this game here", "name one: --seat")
    return mine[0] if mine else None


def seated(folder: Path) -> list[tuple[Record, Seat]]:
    """The games of which a folder holds a copy and a seat, by the copy's name."""
    seats = [(copy, seat_of(invite_of(copy), folder)) for copy in copies(folder)]
    return [(copy, seat) for copy, seat in seats if seat is not None]


def invite_of(copy: Record) -> Digest:
    """The digest of a copy's invite, which nobody has verified yet: a copy beside may be broken."""
    return digest(copy.read(names.INVITE))


def form_beside(copy: Record, own: Seated) -> Path:
    """The order form for the coming step, which lies beside the copy; it is made if need be."""
    path = copy.root.with_name(f"{copy.root.name}-{own.step:04d}.toml")
    if not path.exists():
        files.write(path, form.template(own).encode())
    return path
