"""What verifying an archive costs: one process, two, and the workers of a scheduler.

`python tests/bench/archive.py [PACKS [ROUNDS]]` plays PACKS short games of Sugar Dog, at most 100,
each with a host and players of its own, and lays their packs out as PACKS (1,000) files.
`adjudicator verify FOLDER` verifies them in one process, in two, and, where Dask distributed is
installed, on a scheduler on loopback with two workers: ROUNDS (1) times in turn. It prints the
least seconds on the clock, packs a second, and how many times faster than one process that is; the
processor seconds of the command's own process, and of all processes, the scheduler's too; and the
most memory that the command's own process held. Processor seconds tell what an idle machine would
do: two free cores need at least half of those of all processes. One verification uses nothing of
another, so copies cost what originals cost.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib.util
import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from games_played import no_disk
from workers import Cluster, cluster

import games
from adjudicator.league.demo import NAMES, Plan, play
from adjudicator.store import pack
from adjudicator.store.record import Record
from adjudicator.verifier.packing import kept
from games.dice import Dice
from games.game import Written
from games.sugar_dog.bot import Random
from orders.secrets import derive

DISTINCT = 100
PR_SET_CHILD_SUBREAPER = 36
SOURCE = Path(__file__).resolve().parents[2]

_CALL = """
import resource, sys
from adjudicator.cli import main
try:
    main(sys.argv[1:])
finally:
    own = resource.getrusage(resource.RUSAGE_SELF)
    print(own.ru_maxrss, own.ru_utime + own.ru_stime, file=sys.stderr)
"""


@dataclass(order=True)
class Cost:
    """Seconds on the clock, of the command's own process and of all; its most memory, in MB."""

    seconds: float
    own: float
    all: float
    memory: float


class Leaver(Random):
    """Plays any legal line, and resigns when its game has lasted so many turns."""

    turns = 0

    def order(self, dice: Dice) -> Written:
        """Its line."""
        return (
            Written("resign") if self.view.shown.get("n", 0) > self.turns else super().order(dice)
        )


def packs(folder: Path, count: int) -> list[bytes]:
    """Packs of so many short games, of 4 to 8 entries."""
    game = games.load("sugar-dog")
    made = []
    for number in range(count):
        people = {name: Leaver(name) for name in NAMES[:2]}
        for one in people.values():
            one.turns = number % 5
        plan = Plan(game, ["random"] * 2, derive(b"archive", str(number)), {}, people)
        root = folder / str(number)
        for _ in play(plan, root):
            pass
        made.append(pack.write(kept(Record(root / "record"))))
    return made


def verified(archive: Path, count: int, there: Cluster | None, *arguments: str) -> Cost:
    """What one call of the command costs."""
    before = of_children() + (0.0 if there is None else there.seconds())
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", _CALL, "verify", str(archive), *arguments],
        capture_output=True, check=True, text=True, cwd=SOURCE,
    )  # fmt: skip
    seconds = time.perf_counter() - start
    all_of_them = of_children() + (0.0 if there is None else there.seconds()) - before
    last = done.stdout.splitlines()[-1]
    assert last.startswith(f"{count} records of "), last
    assert last.endswith(f": {count} true"), last
    memory, own = map(float, done.stderr.splitlines()[-1].split())
    return Cost(seconds, own, all_of_them, memory / 1024)


def of_children() -> float:
    """Seconds of processors of all that this process started and that has ended."""
    end = time.monotonic() + 1
    while time.monotonic() < end:  # what the command leaves behind ends soon after it
        with contextlib.suppress(ChildProcessError):
            os.waitpid(-1, os.WNOHANG)
        time.sleep(0.02)
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


def main(count: int, rounds: int) -> None:
    """Measure and print."""
    # What the command's children leave behind becomes this process's, which counts it.
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    with no_disk() as folder:
        held = packs(folder / "games", min(count, DISTINCT))
        archive = folder / "archive"
        for number in range(count):
            file = archive / f"{number // 1000:03}" / f"{number:06}.zip"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(held[number % len(held)])
        print(f"{count} packs, {sum(map(len, held)) // len(held)} bytes on average", flush=True)
        if importlib.util.find_spec("distributed") is None:
            measure(archive, count, None, rounds)
            return
        with tempfile.TemporaryDirectory() as said, cluster(Path(said), 2) as there:
            measure(archive, count, there, rounds)


def measure(archive: Path, count: int, there: Cluster | None, rounds: int) -> None:
    """A line for each way."""
    ways: dict[str, tuple[str, ...]] = {"one process": (), "two processes": ("--jobs", "2")}
    if there is not None:
        ways["two workers"] = ("--scheduler", there.address)
    least: dict[str, Cost] = {}
    for _ in range(rounds):
        for name, arguments in ways.items():
            at = there if "--scheduler" in arguments else None
            now = verified(archive, count, at, *arguments)
            least[name] = min(least.get(name, now), now)
    print("| | seconds | a second | times one | own processor s | all processor s | memory, MB |")
    print("|---|---|---|---|---|---|---|")
    for name, cost in least.items():
        rate = least["one process"].seconds / cost.seconds
        print(
            f"| {name} | {cost.seconds:.1f} | {count / cost.seconds:.0f} | {rate:.2f} | "
            f"{cost.own:.1f} | {cost.all:.1f} | {cost.memory:.0f} |"
        )


if __name__ == "__main__":
    numbers = [int(one) for one in sys.argv[1:]]
    main(*(numbers + [1000, 1][len(numbers) :]))
