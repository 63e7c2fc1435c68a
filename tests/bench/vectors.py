"""What verifying the finished records of the vectors costs, in times V: quick, and always the same.

`python tests/bench/vectors.py [ROUNDS]` prints for each record its entries, its signatures, and the
median of full verifications over as many bare ones: of the files in memory, and of the pack.
"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

from games_played import bare, median_ratio

from adjudicator import Ledger, Pack, verify
from adjudicator.core.source import Held, Source

RECORDS = Path(__file__).parents[1] / "vectors" / "records"


def main(rounds: int) -> None:
    """A line for each record."""
    print("| record | entries | signatures | files | pack | pack bytes an entry |")
    print("|---|---|---|---|---|---|")
    for path in sorted(RECORDS.glob("*.zip")):
        pack = Pack.open(path)
        held = Held({name: pack.read(name) for name in pack.paths()})
        links = Ledger.read(held).links()
        signatures = sum(link.signatures for link in links)
        v = bare(signatures)
        files = median_ratio(partial(judged, held), v, rounds)
        packed = median_ratio(partial(judged, pack), v, rounds)
        print(
            f"| {path.stem} | {len(links)} | {signatures} | {files:.1f} | {packed:.1f} | "
            f"{len(pack.data) // len(links)} |"
        )


def judged(source: Source) -> None:
    """Verify it; it is true, or true with open protests."""
    assert verify(source).code in (0, 3)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 9)
