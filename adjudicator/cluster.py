"""A cluster's workers, reached through a scheduler of Dask distributed.

It gives them pieces of work and handles their failures. A worker does nothing unless it runs
exactly the client's program, because rules of another version could give another verdict. What it
must not know: what the work is.

Client, scheduler and workers of Dask send each other pickled objects: anybody who reaches one of
their ports can run any program there. So a cluster must be one's own, and strangers' records travel
as plain bytes.
"""

from __future__ import annotations

import gc
import hashlib
import importlib
import logging
import warnings
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import CancelledError, Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import entry_points
from multiprocessing import Pipe
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any, Generic, TypeVar

import games
from adjudicator.crew import Hands, Processes, Work
from orders.errors import Refused

T = TypeVar("T")
R = TypeVar("R")

A_THREAD = 3
"""Parcels that are out at a time, for each thread of the workers: one in work and two that wait."""
PARCEL_BYTES = 2**20
"""A parcel with so many bytes is sent at once, however few pieces it holds."""
MOST_BYTES = 2**26
"""Bytes of pieces that are out at a time. A piece that alone is larger is done on this machine."""
LITTER = 2**24
"""After so many bytes of finished pieces, memory is cleared of them."""
LONELY = 15
"""After so many seconds without a worker, or without the scheduler, the work is given up."""
QUIET = 5
"""After so many seconds in which no piece ends, the scheduler is asked for its workers."""


@cache
def program() -> str:
    """A digest of this program as it is installed here: its code, its tables, installed games."""
    digest = hashlib.sha256()
    for package in ("adjudicator", "games", "orders"):
        for folder in importlib.import_module(package).__path__:
            for path in sorted(Path(folder).rglob("*")):
                if path.suffix in (".py", ".toml") and path.is_file():
                    name = path.relative_to(folder).as_posix()
                    data = hashlib.sha256(path.read_bytes()).hexdigest()
                    digest.update(f"{package}/{name} {data}\n".encode("utf-8", "surrogateescape"))
    found = entry_points(group=games.GROUP)
    for line in sorted(f"{one.name} {one.value} {one.dist and one.dist.version}" for one in found):
        digest.update(f"{line}\n".encode())
    return digest.hexdigest()


def _do(work: Work[T, R], parcel: Sequence[T], wanted: str) -> tuple[str, list[R]]:
    """A parcel's results, on a worker; if the worker runs another program, its address and that
    program."""
    own = program()
    if own == wanted:
        return "", [work.do(item) for item in parcel]
    return f"{importlib.import_module('distributed').get_worker().address} runs {own[:12]}", []


@dataclass
class _Parcel(Generic[T]):
    """Pieces that go to a worker together, because sending many costs no more than sending one."""

    pieces: list[tuple[int, T]] = field(default_factory=list)
    bytes: int = 0


@contextmanager
def reach(address: str, work: Work[T, R], here: Processes[T, R]) -> Iterator[Hands[T, R]]:
    """The workers of the scheduler at that address; raises Refused `cluster`."""
    try:
        distributed = importlib.import_module("distributed")
    except ImportError:
        raise Refused(
            "cluster",
            "--scheduler needs Dask distributed, which is not installed",
            "install this program with its extra `cluster`",
        ) from None
    # Faults are told in one line; the logs of Dask's thread would mix with the results.
    logging.disable(logging.CRITICAL)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            client = _client(distributed, address)
        except (OSError, ValueError) as error:
            raise Refused(
                "cluster",
                f"no scheduler answers at {address!a:.120}: {type(error).__name__}",
                "dask scheduler starts one; its first lines tell its address",
            ) from None
        try:
            yield Cluster(client, address, work, here)
        finally:
            with suppress(Exception):
                client.close(timeout=2)


def _client(distributed: Any, address: str) -> Any:
    """A client of the scheduler there; raises OSError and ValueError."""
    if not address:  # which Dask takes as a request for a cluster of its own
        raise ValueError
    return distributed.Client(address, set_as_default=False, timeout=LONELY)


class Cluster(Hands[T, R]):
    """The workers of one scheduler, and `here` for the pieces that stay on this machine."""

    def __init__(self, client: Any, address: str, work: Work[T, R], here: Processes[T, R]) -> None:
        self._client = client
        self._address = address
        self._work = work
        self._here = here
        self._executor = client.get_executor(pure=False)
        self._killed = importlib.import_module("distributed").KilledWorker
        self._wanted = program()
        self._parcel: _Parcel[T] = _Parcel()
        self._out: dict[int, tuple[Future[tuple[str, list[R]]], _Parcel[T]]] = {}
        self._pieces = self._bytes = self._litter = 0
        # The client's thread rings it for each parcel that has ended.
        self._ended, self._bell = Pipe(duplex=False)
        self._most = work.together * A_THREAD * self._threads()
        self.ahead = 4 * self._most

    def free(self) -> bool:
        """Whether workers and this machine can take more work."""
        return self._pieces < self._most and self._bytes < MOST_BYTES and self._here.free()

    def give(self, number: int, item: T) -> None:
        """Put a piece into the parcel for the next worker, or give it to this machine if it does
        not travel."""
        carried = self._work.carried(item)
        if carried is None or carried[1] > MOST_BYTES:
            self._here.give(number, item)
            return
        self._pieces += 1
        self._bytes += carried[1]
        self._parcel.pieces.append((number, carried[0]))
        self._parcel.bytes += carried[1]
        if len(self._parcel.pieces) == self._work.together or self._parcel.bytes > PARCEL_BYTES:
            self._flush()

    def _flush(self) -> None:
        if self._parcel.pieces:
            self._send(self._parcel)
            self._parcel = _Parcel()

    def _send(self, parcel: _Parcel[T]) -> None:
        key = parcel.pieces[0][0]
        items = [item for _, item in parcel.pieces]
        future = self._executor.submit(_do, self._work, items, self._wanted)
        self._out[key] = future, parcel
        future.add_done_callback(lambda _: self._ring(key))

    def _ring(self, key: int) -> None:
        with suppress(OSError):  # nobody listens any more
            self._bell.send(key)

    def take(self) -> Iterable[tuple[int, R]]:
        """The results since the last call; waits until there is one. Raises Failed and Refused
        `cluster`."""
        self._flush()
        done: list[tuple[int, R]] = []
        while not done:
            if not wait([self._ended, *self._here.pipes], QUIET) and self._out:
                self._threads()
            done += self._here.collect()
            while self._ended.poll():
                done += self._unpack(self._ended.recv())
        return done

    def _unpack(self, key: int) -> Iterable[tuple[int, R]]:
        """The results of a parcel that has ended."""
        future, parcel = self._out.pop(key)
        numbers = [number for number, _ in parcel.pieces]
        try:
            other, results = future.result()
        except self._killed:
            if len(numbers) > 1:
                for piece in parcel.pieces:
                    self._send(_Parcel([piece]))
                return []
            other, results = "", [self._work.lost(parcel.pieces[0][1])]
        except CancelledError:
            raise self._refused("has gone", "start it again, then the command") from None
        except Exception as error:
            told = f"has a worker that fails: {type(error).__name__}: {str(error)!a:.200}"
            raise self._refused(told, _SAME) from None
        if other:
            told = f"has a worker with another version of this program: {other}"
            raise self._refused(f"{told}, this machine {self._wanted[:12]}", _SAME)
        self._pieces -= len(numbers)
        self._bytes -= parcel.bytes
        self._litter += parcel.bytes
        if self._litter > LITTER:
            # Dask's futures hold each other in a circle, and what was sent with them.
            self._litter = 0
            gc.collect()
        return zip(numbers, results, strict=True)

    def _threads(self) -> int:
        """How many pieces the workers can do at a time; raises Refused if there is no worker."""
        try:
            self._client.wait_for_workers(1, timeout=LONELY)
            return sum(self._client.nthreads().values())
        except TimeoutError:
            raise self._refused("has no worker", "dask worker ADDRESS starts one") from None
        except (OSError, ValueError, CancelledError):
            raise self._refused("has gone", "start it again, then the command") from None

    def _refused(self, told: str, hint: str) -> Refused:
        return Refused("cluster", f"the scheduler at {self._address!a:.120} {told}", hint)


_SAME = "install the same version of this program on scheduler and workers, and start them again"
