"""What verifying real games costs, and how large they are.

`python tests/bench/verify.py [GAMES [KIND [ROUNDS]]]` plays GAMES games (1) of captains of each
kind, and prints the table of `docs/performance.md`. Its unit is the bare Ed25519 verifications of
the same run; each figure is measured ROUNDS (15) times: full verification (everything adjudicated
and sealed again) of the folder in memory and of the pack; the least time for the folder over the
least of the bare ones, which a busy machine disturbs less than the median of ratios; and the bytes
of an entry in the folder and in the pack, with the files that belong to it. Below stand one call of
`ssh-keygen -Y verify` and one of `git verify-commit`, in the same unit.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from games_played import KINDS, Kind, bare, held, median_ratio, no_disk, played, seconds

from adjudicator.core.ledger import Ledger
from adjudicator.core.source import MemoryFiles
from adjudicator.store import pack
from adjudicator.store.pack import Pack
from adjudicator.verifier.packing import kept
from adjudicator.verifier.verify import verify


def main(count: int, only: str, rounds: int) -> None:
    """The table."""
    print("| game | entries | signatures | folder | pack | folder, least | folder B | pack B |")
    print("|---|---|---|---|---|---|---|---|")
    for kind in KINDS:
        if only in ("", kind.name):
            print(measure(kind, count, rounds), flush=True)
    unit = min(seconds(bare(500)) for _ in range(rounds)) / 500
    print(f"V: {unit * 1e6:.0f} us")
    for name, least in others(rounds).items():
        print(f"{name}: {least / unit:.0f} V, {least * 1e3:.1f} ms")


def others(rounds: int) -> dict[str, float]:
    """The least processor seconds of programs that verify one signature by the same kind of key."""
    with tempfile.TemporaryDirectory() as folder:
        for command in (
            "ssh-keygen -q -t ed25519 -N  -f key",
            "ssh-keygen -q -Y sign -f key -n file file",
            "git init -q",
            "git add file",
            "git commit -q -m signed",
        ):
            Path(folder, "file").write_text("signed")
            _run(folder, command)
            if command.startswith("ssh-keygen -q -t"):
                key = Path(folder, "key.pub").read_text()
                Path(folder, "signers").write_text(f"me@example.org {key}")
        timed = {
            "ssh-keygen -Y verify": "ssh-keygen -Y verify -f signers -I me@example.org -n file "
            "-s file.sig",
            "git verify-commit": "git verify-commit HEAD",
        }
        return {
            name: min(_run(folder, command) for _ in range(rounds))
            for name, command in timed.items()
        }


def _run(folder: str, command: str) -> float:
    """Processor seconds of a command there, which must succeed; it reads `file`."""
    config = {
        "user.name": "me", "user.email": "me@example.org", "gpg.format": "ssh",
        "user.signingkey": f"{folder}/key", "commit.gpgsign": "true",
        "gpg.ssh.allowedSignersFile": f"{folder}/signers",
    }  # fmt: skip
    env = {**os.environ, "GIT_CONFIG_COUNT": str(len(config))}
    for at, (key, value) in enumerate(config.items()):
        env |= {f"GIT_CONFIG_KEY_{at}": key, f"GIT_CONFIG_VALUE_{at}": value}
    start = _used()
    with Path(folder, "file").open("rb") as given:
        subprocess.run(
            command.split(" "), cwd=folder, env=env, stdin=given, check=True, capture_output=True
        )
    return _used() - start


def _used() -> float:
    times = resource.getrusage(resource.RUSAGE_CHILDREN)
    return times.ru_utime + times.ru_stime


def measure(kind: Kind, count: int, rounds: int) -> str:
    """Play games of a kind, and measure what verifying them costs: their row of the table."""
    with no_disk() as folder:
        sources = [held(played(kind, number, folder)) for number in range(count)]
    written = [pack.write(kept(source)) for source in sources]
    packs = [Pack.of(data) for data in written]
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
    small = sum(map(len, written))
    return (
        f"| {kind.name} | {entries / count:.0f} | {signatures / count:.0f} | "
        f"{ratios[0]:.1f} | {ratios[1]:.1f} | {least:.1f} | "
        f"{size / entries:.0f} | {small / entries:.0f} |"
    )


def counted(sources: list[MemoryFiles]) -> tuple[int, int]:
    """How many entries and signatures these records hold."""
    links = [link for source in sources for link in Ledger.read(source).links()]
    return len(links), sum(link.signatures for link in links)


if __name__ == "__main__":
    given = [*sys.argv[1:], *["1", "", "15"][len(sys.argv) - 1 :]]
    main(int(given[0]), given[1], int(given[2]))
