"""Work on many items by an executor: processes of this machine, or the workers of a cluster.

Both are `concurrent.futures.Executor`s, used in one way. Results come in the order of the items,
and what the executor fails to do this process does. What it must not know: what the work is.

Client, scheduler and workers of Dask send each other pickled objects: anybody who reaches one of
their ports can run any program there. So a cluster must be one's own, and strangers' records travel
as plain bytes. Rules of another version could give another verdict, so a worker does nothing unless
it has exactly the client's program.
"""

from __future__ import annotations

import hashlib
import importlib
import logging
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, Executor, Future, ProcessPoolExecutor
from concurrent.futures import wait as wait_for
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from multiprocessing import get_all_start_methods, get_context, parent_process, resource_tracker
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any, TypeVar

import games
from orders.errors import Refused

T = TypeVar("T")
R = TypeVar("R")

AHEAD = 64
"""For each process, so many items may be out or done while an earlier one is not. This bounds the
results in memory, and one long item keeps no process idle."""
CLUSTER_AHEAD = 512
"""The same for a whole cluster."""
PRELOADED = ["adjudicator.archive.archive", "adjudicator.authors.simulate"]
"""What processes of this machine are likely to need; loaded once for all of them."""
LONELY = 15
"""After so many seconds without the scheduler, or without a worker, the work does not begin."""
BEAT = 1
"""Each so many seconds one asks whether the executor is still there."""


@dataclass(frozen=True)
class Workers:
    """Who does the work; without an executor this process.

    `program`: if the workers are on other machines, what they must run, as `program()` tells it.
    `alive`: whether the executor still answers.
    """

    executor: Executor | None = None
    ahead: int = 0
    program: str = ""
    alive: Callable[[], bool] = lambda: True

    def spread(
        self,
        do: Callable[[T], R],
        items: Iterable[T],
        said: Callable[[str], object],
        carried: Callable[[T], T | None] = lambda item: item,
    ) -> Iterator[R]:
        """The result of each item, in the order of the items, as soon as it and those before are
        done. Items are read only as they can be given out, so there may be any number.

        `carried`: the item in the form for another machine, or None if it must stay on this one.
        What the executor fails to do is done here: a process was killed, or the scheduler has
        gone. This is said once, and nothing more is given to it. Raises Refused `cluster` for a
        worker with another program.
        """
        out: deque[tuple[T, Future[R] | None]] = deque()
        failed = False

        def first() -> R:
            nonlocal failed
            item, future = out.popleft()
            if future is None:
                return do(item)
            try:
                return self._result(future)
            except Refused:
                raise
            except Exception as error:
                if not failed:
                    said(f"workers failed ({type(error).__name__}): the rest is done without them")
                failed = True
            # If it was a fault of this program, it is raised here again.
            return do(item)

        for item in items:
            sent = None if failed else carried(item) if self.program else item
            out.append((item, None if sent is None else self._submit(do, sent)))
            while out and (len(out) > self.ahead or (one := out[0][1]) is None or one.done()):
                yield first()
        while out:
            yield first()

    def _result(self, future: Future[R]) -> R:
        """What came of it. Dask leaves futures open for ever that are given out in the moment in
        which its scheduler ends."""
        while not future.done():
            if not self.alive():
                raise CancelledError
            wait_for([future], BEAT)
        return future.result()

    def _submit(self, do: Callable[[T], R], item: T) -> Future[R] | None:
        if self.executor is None:
            return None
        try:
            with _undisturbed():
                return self.executor.submit(_do, self.program, do, item)
        except Exception as error:  # it is broken
            broken: Future[R] = Future()
            broken.set_exception(error)
            return broken


def _do(wanted: str, do: Callable[[T], R], item: T) -> R:
    """One item's result, on a worker."""
    if wanted and (own := program()) != wanted:
        address = importlib.import_module("distributed").get_worker().address
        raise Refused(
            "cluster",
            f"the worker {address} runs another version of this program: {own[:12]}, this machine "
            f"{wanted[:12]}",
            "install the same version on scheduler and workers, and start them again",
        )
    return do(item)


@contextmanager
def workers(jobs: int = 1, scheduler: str | None = None) -> Iterator[Workers]:
    """This process, `jobs` processes of this machine, or the cluster of the scheduler at that
    address; raises Refused `cluster`."""
    if scheduler is not None:
        with _cluster(scheduler) as client:
            there = client.get_executor(pure=False)
            yield Workers(there, CLUSTER_AHEAD, program(), lambda: client.status == "running")
    elif jobs == 1:
        yield Workers()
    else:
        # Afresh, so that a process inherits nothing half done.
        forks = "forkserver" in get_all_start_methods()
        context = get_context("forkserver" if forks else "spawn")
        context.set_forkserver_preload(PRELOADED)
        executor = ProcessPoolExecutor(jobs, context, _begin, (str(Path.cwd()),))
        try:
            if forks:
                resource_tracker.ensure_running()  # which would let Ctrl-C through below
            with _undisturbed():
                executor.submit(int)  # which starts the first processes
            yield Workers(executor, AHEAD * jobs)
        finally:
            executor.shutdown(cancel_futures=True)


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Ctrl-C is heard afterwards, so that no process is left half begun; and those that are started
    inside never hear it: this process ends them."""
    if os.name == "nt":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(folder: str) -> None:
    """Begin a process of this machine, in that folder; it ends when its parent ends."""
    os.chdir(folder)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    if (parent := parent_process()) is not None:
        wait([parent.sentinel])
        os._exit(1)


@contextmanager
def _cluster(address: str) -> Iterator[Any]:
    """A client of the scheduler there, once it has a worker; raises Refused."""
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
    try:
        # Dask takes an empty address as a request for a cluster of its own.
        client = distributed.Client(address or "tcp://", set_as_default=False, timeout=LONELY)
    except (OSError, ValueError, AssertionError) as error:
        # Dask asserts that whoever answers speaks as a scheduler does.
        raise Refused(
            "cluster",
            f"no scheduler answers at {address!a:.120}: {type(error).__name__}",
            "dask scheduler starts one; its first lines tell its address",
        ) from None
    try:
        try:
            client.wait_for_workers(1, timeout=LONELY)
        except TimeoutError:
            raise Refused(
                "cluster",
                f"the scheduler at {address!a:.120} has no worker",
                "dask worker ADDRESS starts one",
            ) from None
        yield client
    finally:
        with suppress(Exception):
            client.close(timeout=2)


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
