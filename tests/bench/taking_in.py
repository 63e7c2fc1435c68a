"""What commands verify late in a game, in signatures, and what taking a whole game in costs.

`python tests/bench/taking_in.py [ROUNDS]` plays a Sugar Dog game of captains, and prints for each
act how many signatures it verifies late in the game; and how long taking the whole game into a
player's copy takes, in times verifying its chain once: the median of ROUNDS (9).
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

from games_played import KINDS, median_ratio, no_disk, played

from adjudicator import Copy, Ledger, Record, Seat, Seated, SystemClock
from adjudicator.core import bundles
from orders import sshsig


def counted(act: Callable[[], Any]) -> int:
    """How many signatures an act verifies."""
    real, found = sshsig.verify, []

    def verify(*given: Any) -> None:
        found.append(given[1])
        real(*given)

    sshsig.verify = verify
    try:
        act()
    finally:
        sshsig.verify = real
    return len(found)


def main(rounds: int) -> None:
    """Two tables."""
    with no_disk() as folder:
        record = played(KINDS[0], 1, folder)
        root = record.root.parent
        last = record.last_step() or 0
        given = [bundles.of_invite(record)]
        for step in range(last + 1):
            given += bundles.of_entry(record, step, "alice")
        seat = Seat.open(root / "alice" / "alice.seat")
        known = Record(root / "alice" / "record")
        print(f"a game of {last + 1} entries")
        print("verifying its chain:", counted(lambda: Ledger.read(record)), "signatures")
        print("opening a seat late in it:", counted(lambda: Seated(known, seat)))
        places = (folder / f"{number}" for number in count())
        print("taking all of it in:", counted(lambda: take(next(places), seat, given)))
        ratio = median_ratio(
            lambda: take(next(places), seat, given), lambda: Ledger.read(record), rounds
        )
        print(f"taking all of it in / verifying its chain: {ratio:.1f}")


def take(folder: Path, seat: Seat, given: list[Any]) -> None:
    """All bundles into a new copy, without the mark that the seat has."""
    (seat.root / "mark").unlink(missing_ok=True)
    Copy(Record(folder), seat, SystemClock()).receive(given)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 9)
