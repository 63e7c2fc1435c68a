"""The games in a folder: copies of records, and the seats that joined them.

What belongs here: looking for them by what they hold, whatever they are called. What it must not
know: how bundles travel.
"""

from __future__ import annotations

from pathlib import Path

from adjudicator.core.opening import Offer, read_offer
from adjudicator.player.seat import Seat
from adjudicator.store.record import Record
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
