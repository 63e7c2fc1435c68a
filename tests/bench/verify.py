"""What verifying real games costs, where the time goes, and how large they are.

`python tests/bench/verify.py [GAMES [KIND [ROUNDS]]]` plays GAMES games (1) of captains of each
kind, and prints the two tables of `docs/performance.md`. Their unit is the bare Ed25519
verifications of the same run; each figure is measured ROUNDS (15) times. The first table: full
verification (everything adjudicated and sealed again) of the folder in memory and of the pack; the
least time for the folder over the least of the bare ones, which a busy machine disturbs less than
the median of ratios; and the bytes of an entry in the folder and in the pack, with the files that
belong to it. The second table: the layers of verifying the folder, the least of each layer over as
many runs, in percent of their sum.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

from games_played import KINDS, Kind, bare, held, median_ratio, no_disk, played, seconds
from layers import LAYERS, REST, Layers, wrapping

import games
from adjudicator.core.ledger import Ledger
from adjudicator.core.source import Held
from adjudicator.store import pack
from adjudicator.store.pack import Pack
from adjudicator.verifier.packing import kept
from adjudicator.verifier.verify import verify


@dataclass(frozen=True)
class Measured:
    """A kind's line of the first table, and its column of the second."""

    kind: Kind
    line: str
    layers: dict[str, float]


def main(count: int, only: str, rounds: int) -> None:
    """Both tables."""
    found = []
    print("| game | entries | signatures | folder | pack | folder, least | folder B | pack B |")
    print("|---|---|---|---|---|---|---|---|")
    for kind in KINDS:
        if only in ("", kind.name):
            found.append(measure(kind, count, rounds))
            print(found[-1].line, flush=True)
    print()
    print(f"| layer, percent | {' | '.join(one.kind.name for one in found)} |")
    print("|---" * (len(found) + 1) + "|")
    for layer in (*LAYERS, REST):
        shares = [100 * one.layers[layer] / sum(one.layers.values()) for one in found]
        print(f"| {layer} | {' | '.join(f'{share:.0f}' for share in shares)} |")
    print(f"| all, times V | {' | '.join(f'{sum(one.layers.values()):.1f}' for one in found)} |")


def measure(kind: Kind, count: int, rounds: int) -> Measured:
    """Play games of a kind, and measure what verifying them costs."""
    with no_disk() as folder:
        sources = [held(played(kind, number, folder)) for number in range(count)]
    packs = [Pack.of(pack.write(kept(source))) for source in sources]
    for source in [*sources, *packs]:
        assert verify(source).code == 0, verify(source).verdict
    entries, signatures = counted(sources)
    v = bare(signatures)

    def folders() -> None:
        for source in sources:
            assert verify(source).code == 0

    def packed() -> None:
        for source in packs:
            verify(source)

    ratios = median_ratio(folders, v, rounds), median_ratio(packed, v, rounds)
    unit = min(seconds(v) for _ in range(rounds))
    least = min(seconds(folders) for _ in range(rounds)) / unit
    size = sum(len(data) for source in sources for data in source.held.values())
    small = sum(len(one.data) for one in packs)
    line = (
        f"| {kind.name} | {entries / count:.0f} | {signatures / count:.0f} | "
        f"{ratios[0]:.1f} | {ratios[1]:.1f} | {least:.1f} | "
        f"{size / entries:.0f} | {small / entries:.0f} |"
    )
    cost = wrapping()
    runs = [Layers.of(folders, games.load(kind.game), cost) for _ in range(rounds)]
    layers = {layer: min(run.get(layer, 0.0) for run in runs) / unit for layer in (*LAYERS, REST)}
    return Measured(kind, line, layers)


def counted(sources: list[Held]) -> tuple[int, int]:
    """How many entries and signatures these records hold."""
    links = [link for source in sources for link in Ledger.read(source).links()]
    return len(links), sum(link.signatures for link in links)


if __name__ == "__main__":
    given = [*sys.argv[1:], *["1", "", "15"][len(sys.argv) - 1 :]]
    main(int(given[0]), given[1], int(given[2]))
