"""What verifying real games costs, and how large they are.

`python tests/bench/verify.py [GAMES]` plays games of captains of each kind and prints, for each, in
times the bare Ed25519 verifications of the same run: full verification (everything adjudicated and
sealed again) of the folder in memory and of the pack; and the bytes of a pack for each entry.
"""

from __future__ import annotations

import sys

from games_played import KINDS, bare, held, median_ratio, no_disk, played

from adjudicator.core.ledger import Ledger
from adjudicator.core.source import Held
from adjudicator.store import pack
from adjudicator.store.pack import Pack
from adjudicator.verifier.packing import kept
from adjudicator.verifier.verify import verify


def main(games: int) -> None:
    """A line for each kind of game."""
    print("kind | entries | signatures | folder / V | pack / V | pack bytes an entry")
    for kind in KINDS:
        with no_disk() as folder:
            sources = [held(played(kind, number, folder)) for number in range(games)]
        packs = [Pack.of(pack.write(kept(source))) for source in sources]
        entries, signatures = counted(sources)
        v = bare(signatures)
        for source in [*sources, *packs]:
            assert verify(source).code == 0, verify(source).verdict
        folders = median_ratio(lambda: [verify(source) for source in sources], v)  # noqa: B023
        packed = median_ratio(lambda: [verify(source) for source in packs], v)  # noqa: B023
        size = sum(len(one.data) for one in packs) / entries
        print(
            f"{kind.name} | {entries / games:.0f} | {signatures / games:.0f} | "
            f"{folders:.1f} | {packed:.1f} | {size:.0f}"
        )


def counted(sources: list[Held]) -> tuple[int, int]:
    """How many entries and signatures these records hold."""
    links = [link for source in sources for link in Ledger.read(source).links()]
    return len(links), sum(link.signatures for link in links)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
