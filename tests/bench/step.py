"""What a step costs the host late in a game, against early: one command that takes an order in,
and one that adjudicates, each of which opens the game from its mark.

`python tests/bench/step.py [LATE]` prints the costs of step 10 and of step LATE (1,000), each the
median of the nine steps around it. `fsync` does nothing, as it would hide the rest.
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
    for at in (EARLY, late):
        around = costs[at - 2 - AROUND : at - 1 + AROUND]
        opening, submit, advance = (
            statistics.median(part) / unit for part in zip(*around, strict=True)
        )
        whole = 2 * opening + submit + advance
        print(
            f"step {at}: opening {opening:.0f} V, submit {submit:.0f} V, advance {advance:.0f} V; "
            f"two commands {whole:.0f} V"
        )


def step(table: Table) -> tuple[float, float, float]:
    """Play the next step, in which the awaited player does not move.

    Gives the host's seconds for opening the game, taking the order in, and adjudicating.
    """
    (name,) = table.entry().awaited
    bundle = table.order(name, "silent")
    opening = seconds(lambda: table.host)
    host = table.host
    submit = seconds(lambda: host.submit(bundle))
    host = table.host
    advance = seconds(host.advance)
    table.hand_out((host.last.step,))
    return opening, submit, advance


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
