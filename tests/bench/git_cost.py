"""What play by git costs: first syncs of a long game, idle syncs, closed requests, on a real disk.

`python tests/bench/git_cost.py [STEPS [SYNCS [REQUESTS]]]` publishes a game of STEPS quiet steps
(1,000), lets a player and a spectator take it in, syncs with REQUESTS closed pull requests (200)
and with a quarter of them, then SYNCS times (450) while nothing happens except that days pass.
Seconds are those of the clock on the wall: waiting for the disk is part of it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from git_table import Table

from adjudicator.git import setup
from adjudicator.git.play_sync import PlaySync
from adjudicator.player.table import Table as PlayerTable
from adjudicator.store.record import Record

DAY = 86_400
FSYNC = os.fsync


def main(steps: int, syncs: int, closed: int) -> None:
    """A line for each act."""
    os.environ.update({"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"})
    for who in ("AUTHOR", "COMMITTER"):
        os.environ.update({f"GIT_{who}_NAME": "b", f"GIT_{who}_EMAIL": "b@b.invalid"})
    folder = Path(tempfile.mkdtemp(prefix="adjudicator-bench-"))
    try:
        table = made(folder, steps)
        os.fsync = FSYNC
        timed(f"publish {steps} steps", table.sync_host)
        timed("first sync with a seat", lambda: table.sync("bob"))
        timed("first sync without", lambda: looking(table).sync())
        timed("idle sync, host", table.sync_host)
        timed("idle sync, player", lambda: table.sync("bob"))
        requests(table, closed)
        idle(table, syncs)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def made(folder: Path, steps: int) -> Table:
    """A game whose host has played on; waits for no disk."""
    os.fsync = lambda handle: None
    table = Table(folder / "table", "sugar-dog", ("alice", "bob"), {"first": "alice"})
    table.join()
    table.start()
    table.play_quietly(steps)
    return table


def looking(table: Table) -> PlaySync:
    """Somebody without a seat, whose clone is new."""
    record = Record(table.folder / "looker")
    setup.clone(record, table.site.address("looker"))
    return PlaySync(PlayerTable(record, None, table.clock))


def timed(what: str, act: Callable[[], Any]) -> None:
    """Do it and print how long it took."""
    began, cpu = time.monotonic(), sum(os.times()[:4])
    act()
    wall = time.monotonic() - began
    print(f"{what}: {wall:.2f} s, {sum(os.times()[:4]) - cpu:.2f} s of processors", flush=True)


def requests(table: Table, closed: int) -> None:
    """The host's sync after closed pull requests, each looked at once."""
    for number in (closed // 4, closed):
        for one in range(number):
            made = plain(table, "commit-tree", "main^{tree}", "-p", "main", "-m", str(one))
            plain(table, "update-ref", f"refs/pull/{one}/head", made)
        timed(f"first sync, host, {number} closed requests", table.sync_host)
        timed(f"idle sync, host, {number} closed requests", table.sync_host)


def plain(table: Table, *args: str) -> str:
    """Plain git in the server's repository."""
    return subprocess.check_output(["git", "-C", str(table.bare), *args], text=True).strip()


def idle(table: Table, syncs: int) -> None:
    """Bytes in each clone and at the server after half-hourly syncs of host and player."""
    plain(table, "gc", "-q", "--prune=now")
    places = {
        "host": table.record.root / ".git",
        "player": table.records["bob"].root / ".git",
        "server": table.bare,
    }
    before = {name: size(place) for name, place in places.items()}
    for number in range(syncs):
        table.clock.skip(1800)
        table.sync_host()
        table.sync("bob")
        if number == 47:
            plain(table, "gc", "-q")
            print(f"server after 48: {size(table.bare) - before['server']:+} bytes")
    plain(table, "gc", "-q")
    for name, place in places.items():
        now = size(place)
        print(f"{name} after {syncs}: {now} bytes, {now / before[name]:.2f} times those before")


def size(folder: Path) -> int:
    """Bytes of all files in a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:]]
    main(*(given + [1000, 450, 200][len(given) :]))
