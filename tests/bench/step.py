"""What a step costs the host late in a game, against early: submit and advance.

`python tests/bench/step.py [LATE]` prints the cost of step LATE (1,000) over that of step 10, each
the median of the nine steps around it. `fsync` does nothing, as it would hide the rest.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path

from long_record import Table, best, raw_verifications, without_fsync


def main() -> None:
    """Measure and print."""
    without_fsync()
    late = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    unit = best(raw_verifications(1000), 5) / 1000
    with tempfile.TemporaryDirectory() as folder:
        table = Table.lay(Path(folder))
        costs = [table.step() for _ in range(late + 4)]
    early, then = (statistics.median(costs[at - 5 : at + 4]) for at in (10, late))
    print(f"step 10: {early / unit:.1f} V ({early * 1e3:.2f} ms)")
    print(f"step {late}: {then / unit:.1f} V ({then * 1e3:.2f} ms)")
    print(f"{then / early:.2f} times")


if __name__ == "__main__":
    main()
