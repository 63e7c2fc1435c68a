"""`python -m tests.generate [KIND...]` makes the suite anew: all of it, or some kinds.

All keys, secrets, orders and times are fixed, so the same bytes come out every time.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from generate import (
    breaks,
    duel_lies,
    duels,
    lies,
    packs,
    primitives,
    records,
    rules,
    suite,
    together,
    wycheproof,
)

KINDS = {
    "records": records.made,
    "breaks": breaks.made,
    "packs": packs.made,
    "lies": lies.made,
    "together": together.made,
    "duels": duels.made,
    "duels-told": duel_lies.made,
    "rules": rules.made,
    "values": primitives.made,
    "wycheproof": wycheproof.made,
}
"""What can be named, each with what makes it in an empty folder of its own."""


def main(named: list[str]) -> int:
    """Make what is named, or all; returns the exit code."""
    unknown = [one for one in named if one not in KINDS]
    if unknown:
        print(f"no such kind: {unknown[0]!a}; expected some of {', '.join(KINDS)}")
        return 2
    os.fsync = lambda handle: None  # what is played here need not outlive a power cut
    for number, kind in enumerate(named or KINDS):
        with tempfile.TemporaryDirectory() as folder:
            made = KINDS[kind](Path(folder))
        suite.write(made, anew=not named and number == 0)
        print(f"{kind}: {len(made.cases)} cases, {len(made.files)} files")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
