"""What a step costs the host late in a game, against early: one command that takes an order in,
and one that adjudicates.

`python tests/bench/step.py [LATE]` prints the cost of step LATE (1,000) over that of step 10, each
the median of the nine steps around it. `fsync` does nothing, as it would hide the rest.
"""

from __future__ import annotations

import statistics
import sys
from pathlib import Path

from games_played import bare, no_disk, seconds

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from table import Table

AROUND = 4
"""Steps on either side that the median takes in."""
EARLY = 10


def main(late: int) -> None:
    """Measure and print."""
    unit = min(seconds(bare(1000)) for _ in range(5)) / 1000
    with no_disk() as folder:
        table = Table(folder / "game").begin()
        table.play({"alice": "start A1", "bob": "start F1"})
        costs = [step(table) for _ in range(1, late + AROUND)]
    early, then = (
        statistics.median(costs[at - 2 - AROUND : at - 1 + AROUND]) for at in (EARLY, late)
    )
    print(f"step {EARLY}: {early / unit:.0f} V ({early * 1e3:.1f} ms)")
    print(f"step {late}: {then / unit:.0f} V ({then * 1e3:.1f} ms)")
    print(f"{then / early:.2f} times")


def step(table: Table) -> float:
    """The next step, in which who is awaited stays where they are; the host's seconds for it."""
    (name,) = table.entry().awaited
    bundle = table.order(name, "silent")
    spent = seconds(lambda: table.host.submit(bundle))
    spent += seconds(table.host.advance)
    last = table.host.last.step
    table.hand_out((last,))
    return spent


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
