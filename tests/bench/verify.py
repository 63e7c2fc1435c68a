"""What verifying real games costs, and how large they are.

`python tests/bench/verify.py [GAMES [KIND]]` plays GAMES games (1) of captains of each kind, and
prints for each kind, in times the bare Ed25519 verifications of the same run: full verification
(everything adjudicated and sealed again) of the folder in memory and of the pack; and the bytes of
an entry in the folder and in the pack, with the files that belong to it. The sixth figure is the
least of the verifications of the folder over the least of the bare ones, which a busy machine
disturbs less than the median of their ratios.
"""

from __future__ import annotations

import sys

from games_played import KINDS, Kind, bare, held, median_ratio, no_disk, played, seconds

from adjudicator.core.ledger import Ledger
from adjudicator.core.source import Held
from adjudicator.store import pack
from adjudicator.store.pack import Pack
from adjudicator.verifier.packing import kept
from adjudicator.verifier.verify import verify

ROUNDS = 15


def main(games: int, only: str) -> None:
    """A line for each kind of game."""
    print("| game | entries | signatures | folder | pack | folder, least | folder B | pack B |")
    print("|---|---|---|---|---|---|---|---|")
    for kind in KINDS:
        if only in ("", kind.name):
            measure(kind, games)


def measure(kind: Kind, games: int) -> None:
    """Play games of a kind, and print what verifying them costs."""
    with no_disk() as folder:
        sources = [held(played(kind, number, folder)) for number in range(games)]
    packs = [Pack.of(pack.write(kept(source))) for source in sources]
    for source in [*sources, *packs]:
        assert verify(source).code == 0, verify(source).verdict
    entries, signatures = counted(sources)
    v = bare(signatures)

    def folders() -> None:
        for source in sources:
            verify(source)

    def packed() -> None:
        for source in packs:
            verify(source)

    ratios = median_ratio(folders, v, ROUNDS), median_ratio(packed, v, ROUNDS)
    least = min(seconds(folders) for _ in range(ROUNDS)) / min(seconds(v) for _ in range(ROUNDS))
    size = sum(len(data) for source in sources for data in source.held.values())
    small = sum(len(one.data) for one in packs)
    print(
        f"| {kind.name} | {entries / games:.0f} | {signatures / games:.0f} | "
        f"{ratios[0]:.1f} | {ratios[1]:.1f} | {least:.1f} | "
        f"{size / entries:.0f} | {small / entries:.0f} |",
        flush=True,
    )


def counted(sources: list[Held]) -> tuple[int, int]:
    """How many entries and signatures these records hold."""
    links = [link for source in sources for link in Ledger.read(source).links()]
    return len(links), sum(link.signatures for link in links)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1, *(sys.argv[2:] or [""]))
