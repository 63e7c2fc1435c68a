"""A real scheduler of Dask distributed on loopback, and real workers, for tests and benches."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[1]


@dataclass
class Cluster:
    """A scheduler and its workers; what they say lies in `folder`."""

    folder: Path
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)
    address: str = ""

    def start(self, program: str, *arguments: str, **environment: str) -> subprocess.Popen[bytes]:
        """One process of Dask's, which runs the sources that this test run tests."""
        log = self.folder / f"{program}-{len(self.processes)}.log"
        command = [sys.executable, "-m", f"distributed.cli.{program}", *arguments]
        around = {"PYTHONPATH": str(ROOT), **os.environ, **environment}
        with log.open("wb") as said:
            process = subprocess.Popen(
                [*command, "--no-dashboard"],
                env=around, cwd=self.folder, stdout=said, stderr=said, stdin=subprocess.DEVNULL,
            )  # fmt: skip
        self.processes.append(process)
        return process

    def scheduler(self) -> subprocess.Popen[bytes]:
        """Start it, on a port that is free; returns once it listens."""
        file = self.folder / "scheduler.json"
        place = ("--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(file))
        process = self.start("dask_scheduler", *place)
        end = time.monotonic() + 60
        while time.monotonic() < end and process.poll() is None:
            with contextlib.suppress(OSError, ValueError):
                self.address = json.loads(file.read_text())["address"]
                return process
            time.sleep(0.05)
        raise AssertionError((self.folder / "dask_scheduler-0.log").read_text())

    def worker(self, environment: Mapping[str, str] | None = None) -> subprocess.Popen[bytes]:
        """Start a worker, which does one piece at a time; it reports to the scheduler by itself."""
        return self.start(
            "dask_worker", self.address, "--nthreads", "1", "--no-nanny", "--host", "127.0.0.1",
            "--local-directory", str(self.folder), **(environment or {}),
        )  # fmt: skip

    def registered(self) -> None:
        """Return once the scheduler has the worker that was started last."""
        log = self.folder / f"dask_worker-{len(self.processes) - 1}.log"
        end = time.monotonic() + 60
        while "Registered to" not in log.read_text() and time.monotonic() < end:
            time.sleep(0.05)

    def seconds(self) -> float:
        """Seconds of processors that all of them have used."""
        ticks = 0
        for process in self.processes:
            fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")

    def stop(self) -> None:
        """End what is still there."""
        for process in reversed(self.processes):
            process.kill()
            process.wait()


@contextlib.contextmanager
def cluster(folder: Path, workers: int) -> Iterator[Cluster]:
    """A scheduler with so many workers, gone afterwards."""
    made = Cluster(folder)
    try:
        made.scheduler()
        for _ in range(workers):
            made.worker()
            made.registered()
        yield made
    finally:
        made.stop()
