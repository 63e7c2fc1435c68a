"""A bot for Sugar Dog that uses the Python interface: it creeps about and mines where it was.

`python drifter.py RECORD SEAT` prints an order bundle; nothing where the seat is not awaited.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from adjudicator.order_text import order_text
from adjudicator.player import Seated
from adjudicator.record import Record
from adjudicator.seat import Seat
from games.game import Written
from orders.bundle import encode
from orders.entries import Entry, Genesis
from orders.keys import load_signer


def choose(legal: Sequence[str], step: int) -> str:
    """One of the legal lines: a mine now and then, else a creep."""
    quiet = [line for line in legal if line.startswith(("start", "silent "))]
    return "mine" if "mine" in legal and step % 5 == 0 else quiet[step * 7 % len(quiet)]


def main(record: str, seat: str) -> None:
    """One order bundle to standard output."""
    seated = Seated(Record(Path(record)), Seat.open(Path(seat)))
    last, me = seated.last(), seated.seat.player
    if not isinstance(last, Genesis | Entry) or me not in last.awaited:
        return
    # The view is all that the host has told this seat; what is legal follows from it alone.
    view = seated.report().view
    line = choose(seated.opening.game.legal(view), last.step)
    text = order_text(seated.opening.id, last.step + 1, me, Written(line))
    bundle = seated.order(text.encode(), load_signer(seated.seat.key_path, None))
    sys.stdout.buffer.write(encode(bundle))


if __name__ == "__main__":
    main(*sys.argv[1:])
