"""What the benches share: how they are called, games in memory, and V, one bare verification.

Everything goes through the real host and players but for `fsync`, which waits for a disk.
"""

from __future__ import annotations

import os
import resource
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

import games
from adjudicator.core.source import MemoryFiles
from adjudicator.machine.demo import Plan, play
from adjudicator.store.record import Record
from orders.secrets import derive


@dataclass(frozen=True)
class Kind:
    """A kind of game to play: its name here, and what to play."""

    name: str
    game: str
    players: int = 2
    options: Mapping[str, Any] = field(default_factory=dict)


KINDS = (
    Kind("Sugar Dog, 2 players", "sugar-dog"),
    Kind("Sugar Dog, 4 players", "sugar-dog", 4),
    Kind("Sugar Dog, 8 players", "sugar-dog", 8),
    Kind("Submarine Warfare", "submarine-warfare"),
    Kind("Silent Ships, print", "silent-ships", options={"edition": "print"}),
    Kind("Silent Ships, 2021-09-12", "silent-ships", options={"edition": "2021-09-12"}),
    Kind("Silent Ships, 2021-09-17", "silent-ships", options={"edition": "2021-09-17"}),
)


@contextmanager
def no_disk() -> Iterator[Path]:
    """A folder in memory where there is such a place; nothing waits for a disk in it."""
    real = os.fsync, os.sync
    os.fsync, os.sync = lambda handle: None, lambda: None
    memory = Path("/dev/shm")  # noqa: S108 - a folder of its own is made in it
    folder = Path(tempfile.mkdtemp(dir=memory if os.access(memory, os.W_OK) else None))
    try:
        yield folder
    finally:
        os.fsync, os.sync = real
        shutil.rmtree(folder, ignore_errors=True)


def played(kind: Kind, number: int, folder: Path) -> Record:
    """A whole game between captains; the host's record."""
    game = games.load(kind.game)
    seed = derive(b"bench", f"{kind.name}/{number}")
    plan = Plan(game, ["captain"] * kind.players, seed, dict(kind.options))
    root = folder / f"{kind.name}-{number}".replace(" ", "-")
    for _ in play(plan, root):
        pass
    return Record(root / "record")


def held(record: Record) -> MemoryFiles:
    """The record's files in memory."""
    return MemoryFiles({path: record.read(path) for path in record.paths()})


def bare(count: int) -> Callable[[], None]:
    """That many bare Ed25519 verifications of short messages."""
    key = Ed25519PrivateKey.from_private_bytes(bytes(32))
    message = bytes(150)
    signature, public = key.sign(message), key.public_key()

    def run() -> None:
        for _ in range(count):
            public.verify(signature, message)

    return run


def median_ratio(one: Callable[[], object], other: Callable[[], object], rounds: int = 5) -> float:
    """How many times as long `one` takes as `other`: the median of pairs timed in turn."""
    return sorted(seconds(one) / seconds(other) for _ in range(rounds))[rounds // 2]


def seconds(function: Callable[[], object]) -> float:
    """Processor seconds of one call."""
    start = time.process_time()
    function()
    return time.process_time() - start


def used() -> float:
    """The processor seconds of all programs that this one started and that have ended."""
    times = resource.getrusage(resource.RUSAGE_CHILDREN)
    return times.ru_utime + times.ru_stime


def called(*measures: Callable[..., None]) -> None:
    """Measure all, or what is named first on the command line, with its numbers after it."""
    known = {one.__name__: one for one in measures}
    if not sys.argv[1:]:
        for measure in measures:
            print(f"== {measure.__name__}", flush=True)
            measure()
    elif sys.argv[1] in known:
        known[sys.argv[1]](*map(int, sys.argv[2:]))
    else:
        sys.exit(f"expected one of {', '.join(known)}; {(sys.modules['__main__'].__doc__ or '')}")
