"""`python -m tests.voyage --seconds N`: sails; its seed first, a table of events last."""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
from collections import Counter
from collections.abc import Sequence
from functools import partial

from . import sail
from .scenes import SCENES, pair

CYCLE = ("mail", "duel", "files", "mail", "duel", "files", "git")
"""The ways to play in their order: by git a turn takes thrice as long as by any other."""
EVERY = 10
"""Of so many seeds by mail one is sailed as two worlds."""


def sailed(end: float, first: int, jobs: int, scenes: Sequence[str], job: int) -> Counter[str]:
    """Sail every so many seeds until that time; how often each event came, with how many seeds and
    turns, and how many broke. What breaks is printed at once, then the fewest events that bring
    it."""
    counts = Counter[str]()
    number = first + job
    while time.monotonic() < end:
        kind = scenes[number % len(scenes)]
        seed = f"{kind}/{number}"
        if kind == "mail" and number // len(scenes) % EVERY == 0:
            log = pair(seed)
        else:
            log = sail.sail(seed, SCENES[kind])
        counts += log.events
        counts[" turns"] += log.turns
        counts[" seeds"] += 1
        if log.broken is not None:
            counts[" broken"] += 1
            print(f"{log.broken}\n  {log.again}", flush=True)
            if log.broken.promise != sail.SECRETS:
                small = sail.smaller(log, SCENES[kind])
                print("\n    ".join([f"  {small.again}", *small.story]), flush=True)
        number += jobs
    counts[" ms"] = int(time.process_time() * 1000)
    return counts


def main() -> int:
    """Sail for so long, or one seed again."""
    asked = argparse.ArgumentParser(prog="python -m tests.voyage", description=__doc__)
    asked.add_argument("--seconds", type=float, default=60, help="for how long to sail")
    asked.add_argument("--jobs", type=int, default=1, help="in so many processes")
    asked.add_argument("--scene", choices=[*SCENES], help="only this way to play")
    asked.add_argument("--seed", help="where to begin: 17; or only this one: mail/17")
    asked.add_argument("--without", default="", help="leave out these events: 3,4,9")
    given = asked.parse_args()
    if given.seed and "/" in given.seed:
        without = frozenset(int(one) for one in given.without.split(",") if one)
        kind = given.seed.partition("/")[0]
        log = sail.sail(given.seed, SCENES[kind], without)
        if kind == "mail" and log.broken is None and not without:
            log.broken = pair(given.seed).broken
        print("\n".join(log.story), log.broken or "all promises held", log.trace, sep="\n")
        return log.broken is not None
    first = int(given.seed) if given.seed else time.time_ns() % 10**9
    print(f"seed {first}, commit {sail.commit()}", flush=True)
    scenes = [given.scene] if given.scene else CYCLE
    end = time.monotonic() + given.seconds
    counts = Counter[str]()
    with multiprocessing.Pool(given.jobs) as pool:
        work = partial(sailed, end, first, given.jobs, scenes)
        for found in pool.imap_unordered(work, range(given.jobs)):
            counts += found
    told = {name: counts.pop(f" {name}", 0) for name in ("seeds", "turns", "broken", "ms")}
    for name, count in sorted(counts.items()):
        print(f"{count:8} {name}")
    turn = told["ms"] / max(told["turns"], 1)
    print(f"{told['seeds']} seeds, {told['turns']} turns, {turn:.0f} ms of processor a turn, "
          f"{told['broken']} broken")  # fmt: skip
    return told["broken"] > 0


if __name__ == "__main__":
    sys.exit(main())
