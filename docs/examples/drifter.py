"""A bot for Sugar Dog that uses the Python interface: it creeps about and mines where it was.

`python drifter.py RECORD SEAT` prints an order bundle; nothing where the seat is not awaited.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from adjudicator import Record, Seat, Seated, encode, load_signer, now


def choose(legal: Sequence[str], step: int) -> str:
    """One of the legal lines: a mine now and then, else a creep."""
    quiet = [line for line in legal if line.startswith(("start", "silent "))]
    return "mine" if "mine" in legal and step % 5 == 0 else quiet[step * 7 % len(quiet)]


def main(record: str, seat: str) -> None:
    """One order bundle to standard output."""
    seated = Seated(Record(Path(record)), Seat.open(Path(seat)))
    if seated.seat.player not in seated.last.entry.awaited:
        return
    # The view is all that the host has told this seat; what is legal follows from it alone.
    view = seated.report().view
    line = choose(seated.opening.game.legal(view), seated.last.step)
    file = seated.read(line.encode())
    signer = load_signer(seated.seat.key_path, None)
    ordered = seated.order(file, signer, now())
    sys.stdout.buffer.write(encode(ordered.bundle))


if __name__ == "__main__":
    main(*sys.argv[1:])
