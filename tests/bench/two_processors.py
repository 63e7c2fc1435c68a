"""What verifying one long record costs on one processor and on two, in times V.

`python tests/bench/two_processors.py [STEPS]` plays a quiet game of Sugar Dog of STEPS steps (300),
and, unless that is less than 200, games of captains with four and eight players. For each game it
prints the time of one process and, with helpers, the time on the wall clock and the processor time
of this process and of all helpers. Where other work keeps the processors busy, the clock says
nothing. Two free processors would then take the larger of this process's time and half of the sum.
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable

import long
from games_played import KINDS, bare, held, no_disk, played

from adjudicator.cli.forks import Forks
from adjudicator.core.ledger import Ledger
from adjudicator.core.source import Held
from adjudicator.verifier.verify import Asked, verify

ROUNDS = 9


def main(steps: int) -> None:
    """A line for each game."""
    print("| game | entries | one process | two: clock | this process | helpers |")
    print("|---|---|---|---|---|---|")
    with no_disk() as folder:
        report(f"Sugar Dog, 2 players, {steps} quiet steps", long.played(folder, steps))
        for kind in KINDS[1:3] if steps >= 200 else ():
            report(kind.name, held(played(kind, 0, folder)))


def report(name: str, record: Held) -> None:
    """Verify a record both ways, and print what it costs."""
    links = Ledger.read(record).links()
    v = bare(sum(link.signatures for link in links))
    asked = Asked(helpers=Forks())
    assert verify(record, asked) == verify(record)
    rounds = [(*spent(v), *spent(lambda: verify(record)), *spent(lambda: verify(record, asked)))
              for _ in range(ROUNDS)]  # fmt: skip
    least = [min(part) for part in zip(*rounds, strict=True)]
    clock, unit = least[0], least[1]
    print(
        f"| {name} | {len(links)} | {least[4] / unit:.1f} | {least[6] / clock:.1f} | "
        f"{least[7] / unit:.1f} | {least[8] / unit:.1f} |",
        flush=True,
    )


def spent(act: Callable[[], object]) -> tuple[float, float, float]:
    """Seconds on the wall clock, then processor seconds of this process and of its children."""
    before = children()
    clock, own = time.perf_counter(), time.process_time()
    act()
    return time.perf_counter() - clock, time.process_time() - own, children() - before


def children() -> float:
    """The processor seconds of processes that have ended."""
    times = resource.getrusage(resource.RUSAGE_CHILDREN)
    return times.ru_utime + times.ru_stime


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 300)
