"""Whether verifying a record takes time in proportion to its length, and how much memory it takes.

`python tests/bench/long.py [STEPS]` plays a game of Sugar Dog of STEPS steps (2,000), in which both
players stay where they are, and verifies its first tenth, its first half, and all of it before and
after the reveal. It prints how many times as long that takes as the bare Ed25519 verifications of
the same entries, and the most memory that `adjudicator verify` holds over a pack of it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from games_played import bare, held, median_ratio, no_disk

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from table import Table

from adjudicator.core.ledger import Ledger
from adjudicator.core.source import MemoryFiles
from adjudicator.store import pack
from adjudicator.verifier.verify import verify
from orders import names


def main(steps: int) -> None:
    """A line for each length."""
    with no_disk() as folder:
        whole = played(folder, steps)
    print("entries | revealed | times the bare verifications | MiB")
    for count in (steps // 10, steps // 2, steps):
        report(cut(whole, count))
    report(whole)


def report(record: MemoryFiles) -> None:
    """Verify a record and print what it costs."""
    links = Ledger.read(record).links()
    v = bare(sum(link.signatures for link in links))
    ratio = median_ratio(lambda: verify(record), v, 3)
    revealed = "yes" if verify(record).code == 0 else "no"
    print(f"{len(links)} | {revealed} | {ratio:.1f} | {memory(record):.0f}", flush=True)


def memory(record: MemoryFiles) -> float:
    """The most MiB that a new process holds while it verifies a pack of the record."""
    with tempfile.NamedTemporaryFile(suffix=".zip") as file:
        file.write(pack.write(record.held))
        file.flush()
        command = [sys.executable, "-m", "adjudicator", "verify", file.name]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode in (0, 4), process.returncode
    return used.ru_maxrss / 1024


def played(folder: Path, steps: int) -> MemoryFiles:
    """A game that ends at entry `steps`, by a resignation."""
    table = under_way(folder, steps - 1)
    (name,) = table.entry().awaited
    return held(table.play({name: "resign"}).record)


def under_way(folder: Path, steps: int) -> Table:
    """A game with so many entries after genesis, and no end yet."""
    table = Table(folder / "game").begin()
    table.play({"alice": "start A1", "bob": "start F1"})
    for _ in range(2, steps + 1):
        (name,) = table.entry().awaited
        table.play({name: "silent"})
    return table


def cut(record: MemoryFiles, steps: int) -> MemoryFiles:
    """The same record as it was once it had that many entries after genesis."""
    kept = {}
    for path, data in record.held.items():
        name = names.parse(path)
        of_a_step = name is not None and name.kind not in ("invite", "table", "attributes", "join")
        if name is None or not of_a_step or (name.step <= steps and name.kind != "opened"):
            kept[path] = data
    return MemoryFiles(kept)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
