"""The games in a folder: copies of records, the seats that joined them, and order forms.

What belongs here: looking for them by what they hold, whatever they are called. What it must not
know: how bundles travel.
"""

from __future__ import annotations

from pathlib import Path

from adjudicator.core.opening import Offer, read_offer
from adjudicator.player.seat import Seat
from adjudicator.player.seated import Seated
from adjudicator.store import files
from adjudicator.store.record import Record
from adjudicator.words import form
from orders import names
from orders.errors import Refused


def copies(folder: Path) -> list[Record]:
    """The records in a folder, by name."""
    return [Record(path.parent) for path in sorted(folder.glob(f"*/{names.INVITE}"))]


def seat_of(offer: Offer, folder: Path) -> Seat | None:
    """The one seat in a folder that joined this game; None where there is none."""
    seats = [Seat.open(path.parent) for path in sorted(folder.glob("*.seat/seat.toml"))]
    mine = [seat for seat in seats if seat.invite == offer.digest]
    if len(mine) > 1:
        raise Refused("no-seat", "there are two seats for this game here", "name one: --seat")
    return mine[0] if mine else None


def seated(folder: Path) -> list[tuple[Record, Seat]]:
    """The games of which a folder holds a copy and a seat, by the copy's name."""
    found = []
    for copy in copies(folder):
        seat = seat_of(read_offer(copy), folder)
        if seat is not None:
            found.append((copy, seat))
    return found


def form_beside(copy: Record, own: Seated) -> Path:
    """The order form for the coming step, which lies beside the copy; it is made if need be."""
    path = copy.root.with_name(f"{copy.root.name}-{own.step:04d}.toml")
    if not path.exists():
        files.write(path, form.template(own).encode())
    return path
