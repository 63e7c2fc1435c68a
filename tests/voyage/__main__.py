"""`python -m tests.voyage --seconds N`: sails; its seed first, a table of events last."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter

from . import sail
from .hosted import Hosted

SCENES = {"mail": Hosted}


def main() -> int:
    """Sail for so long, or one seed again."""
    asked = argparse.ArgumentParser(prog="python -m tests.voyage", description=__doc__)
    asked.add_argument("--seconds", type=float, default=60)
    asked.add_argument("--seed", help="only this one, such as mail/17; or where to begin: 17")
    asked.add_argument("--without", default="", help="leave out these events: 3,4,9")
    asked.add_argument("--scene", choices=[*SCENES], help="only this way to play")
    given = asked.parse_args()
    if given.seed and "/" in given.seed:
        without = frozenset(int(one) for one in given.without.split(",") if one)
        log = sail.sail(given.seed, SCENES[given.seed.partition("/")[0]], without)
        print("\n".join(log.story), log.broken or "all promises held", log.trace, sep="\n")
        return log.broken is not None
    first = int(given.seed) if given.seed else time.time_ns() % 10**9
    print(f"seed {first}, commit {sail.commit()}", flush=True)
    end, events, turns, broken, sailed = time.monotonic() + given.seconds, Counter[str](), 0, 0, 0
    begun = time.process_time()
    while time.monotonic() < end:
        name = [given.scene] if given.scene else [*SCENES]
        kind = name[sailed % len(name)]
        log = sail.sail(f"{kind}/{first + sailed}", SCENES[kind])
        sailed, turns = sailed + 1, turns + log.turns
        events += log.events
        if log.broken is not None:
            broken += 1
            print(f"{log.broken}\n  {log.again}", flush=True)
            small = sail.smaller(log, SCENES[kind])
            print(f"  {small.again}\n    " + "\n    ".join(small.story), flush=True)
    for name, count in sorted(events.items()):
        print(f"{count:8} {name}")
    spent = (time.process_time() - begun) * 1000 / max(turns, 1)
    print(f"{sailed} seeds, {turns} turns, {spent:.0f} ms a turn, {broken} broken")
    return broken > 0


sys.exit(main())
