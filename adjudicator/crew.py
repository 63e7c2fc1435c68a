"""Many pieces of work at the same time, in processes of this machine or on a cluster.

It gives out work, returns the results in the order in which the work came, and tries a piece again
if its process was killed. What it must not know: what the work is.
"""

from __future__ import annotations

import os
import signal
import sys
import traceback
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

T = TypeVar("T")
R = TypeVar("R")

AHEAD = 64
"""For each process, so many pieces may be out or done while an earlier one is not. This bounds the
results in memory, and one long piece keeps no process idle."""
WAITING = 1
"""Pieces that wait in a process, so that it is never without work."""
TRIES = 2
"""After its process has ended so often, a piece is given up."""


class Work(ABC, Generic[T, R]):
    """The work on each item. This object is sent to other processes.

    `together`: how many pieces go to a worker of a cluster at a time. They should take much longer
    than sending them, which takes some milliseconds.
    """

    together: ClassVar[int] = 16

    @abstractmethod
    def do(self, item: T) -> R:
        """Do one piece."""

    @abstractmethod
    def lost(self, item: T) -> R:
        """The result for a piece that was given up because its process was killed."""

    def carried(self, item: T) -> tuple[T, int] | None:
        """The item in the form for another machine, and its bytes; None: it is done on this
        machine."""
        return item, 0


class Failed(Exception):
    """A piece of work raised an unexpected error; holds the traceback of its process."""


class Hands(ABC, Generic[T, R]):
    """Does the work. Pieces have numbers; up to `ahead` of them may be out, or done before their
    turn."""

    ahead = 1

    @abstractmethod
    def free(self) -> bool:
        """Whether the next piece can be given now."""

    @abstractmethod
    def give(self, number: int, item: T) -> None:
        """Give a piece to a worker that is free."""

    @abstractmethod
    def take(self) -> Iterable[tuple[int, R]]:
        """The results since the last call; waits until there is one."""


class Alone(Hands[T, R]):
    """This process itself: a piece is done as it is given."""

    def __init__(self, work: Work[T, R]) -> None:
        self._work = work
        self._done: list[tuple[int, R]] = []

    def free(self) -> bool:
        """Whether the last result was taken."""
        return not self._done

    def give(self, number: int, item: T) -> None:
        """Do it."""
        self._done.append((number, self._work.do(item)))

    def take(self) -> Iterable[tuple[int, R]]:
        """The results since the last call."""
        done, self._done = self._done, []
        return done


class _Member(Generic[T]):
    """One process: its end of the pipe, and the pieces that it has; it does the first of them."""

    def __init__(self, process: BaseProcess, pipe: Connection[Any, Any]) -> None:
        self.process = process
        self.pipe = pipe
        self.has: deque[tuple[int, T]] = deque()

    def give(self, number: int, item: T) -> None:
        self.has.append((number, item))
        with suppress(OSError):  # it has ended, which `take` will see
            self.pipe.send(item)

    def end(self) -> None:
        """End the process, whatever it does."""
        self.process.terminate()
        self.process.join()
        self.pipe.close()


class Processes(Hands[T, R]):
    """Processes of this machine. Each is started afresh, so that it inherits nothing half done, and
    ends when this process ends, however that happens."""

    def __init__(self, work: Work[T, R], count: int) -> None:
        self.ahead = AHEAD * count
        self._work = work
        self._count = count
        self._members: list[_Member[T]] = []
        self._again: list[tuple[int, T]] = []
        self._tries: dict[int, int] = {}

    def free(self) -> bool:
        """Whether a process has fewer pieces than it may, or can be started."""
        return len(self._members) < self._count or any(
            len(one.has) <= WAITING for one in self._members
        )

    def give(self, number: int, item: T) -> None:
        """Give a piece to the process that has the fewest; raises OSError if none can be
        started."""
        if len(self._members) < self._count:
            self._members.append(self._start())
        min(self._members, key=lambda one: len(one.has)).give(number, item)

    def _start(self) -> _Member[T]:
        from multiprocessing import Pipe

        own, other = Pipe()
        with _deaf():
            process = _context(type(self._work).__module__).Process(
                target=_serve, args=(self._work, other, str(Path.cwd())), daemon=True
            )
            process.start()
        other.close()
        return _Member(process, own)

    @property
    def pipes(self) -> list[Connection[Any, Any]]:
        """The pipes that can be read once `collect` has something to return."""
        return [one.pipe for one in self._members if one.has]

    def take(self) -> Iterable[tuple[int, R]]:
        """The results since the last call; waits until there is one. Raises Failed."""
        from multiprocessing.connection import wait

        wait(self.pipes)
        return self.collect()

    def collect(self) -> list[tuple[int, R]]:
        """The results since the last call, without waiting; raises Failed."""
        from multiprocessing.connection import wait

        done: list[tuple[int, R]] = []
        for pipe in wait(self.pipes, 0):
            member = next(one for one in self._members if one.pipe is pipe)
            try:
                ended, result = member.pipe.recv()
            except (EOFError, OSError):
                done += self._bury(member)
                continue
            number, _ = member.has.popleft()
            self._tries.pop(number, None)
            if not ended:
                raise Failed(result)
            done.append((number, result))
        again, self._again = self._again, []
        for number, item in again:
            self.give(number, item)
        return done

    def _bury(self, member: _Member[T]) -> list[tuple[int, R]]:
        """Handle a process that has ended by itself: its piece is tried again, and so are its
        waiting ones."""
        self._members.remove(member)
        member.end()
        number, item = member.has[0]
        self._again += member.has
        self._tries[number] = self._tries.get(number, 0) + 1
        if self._tries[number] < TRIES:
            return []
        del self._again[-len(member.has)], self._tries[number]
        return [(number, self._work.lost(item))]

    def close(self) -> None:
        """End the processes, whatever they do."""
        for one in self._members:
            one.end()


def _context(module: str) -> Any:
    """How to start processes: if the system can, from one that has already loaded the module of the
    work."""
    import multiprocessing

    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([module])
    return context


def _serve(work: Work[T, R], pipe: Connection[Any, Any], folder: str) -> None:
    """The main function of a process: it does the pieces from the pipe, in that folder, until the
    pipe is closed."""
    os.chdir(folder)
    # Its work may have made folders that must be removed.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit())
    with suppress(EOFError, OSError):
        while True:
            item = pipe.recv()
            try:
                ended = True, work.do(item)
            except Exception:
                pipe.send((False, traceback.format_exc()))
            else:
                pipe.send(ended)


@contextmanager
def _deaf() -> Iterator[None]:
    """Processes started inside do not hear Ctrl-C: this process does, and ends them."""
    try:
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    except ValueError:  # not in the main thread, which alone hears it
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def crew(work: Work[T, R], jobs: int = 1, scheduler: str | None = None) -> Iterator[Hands[T, R]]:
    """The workers: this process, `jobs` of this machine, or the cluster of a scheduler.

    With a cluster, `jobs` processes here do the pieces that cannot be sent. Raises Refused
    `cluster`.
    """
    if scheduler is None and jobs == 1:
        yield Alone(work)
        return
    here = Processes(work, jobs)
    try:
        if scheduler is None:
            yield here
            return
        from adjudicator import cluster

        with cluster.reach(scheduler, work, here) as hands:
            yield hands
    finally:
        here.close()


def spread(hands: Hands[T, R], items: Iterable[T]) -> Iterator[R]:
    """The result of each item, in the order of the items, as soon as it and those before are done.

    Items are read only when they can be given out, so there may be any number of them.
    """
    waiting: dict[int, R] = {}
    left = iter(items)
    given = told = 0
    more = True
    while more or told < given:
        while more and given - told < hands.ahead and hands.free():
            try:
                item = next(left)
            except StopIteration:
                more = False
                break
            hands.give(given, item)
            given += 1
        if told < given:
            waiting.update(hands.take())
        while told in waiting:
            yield waiting.pop(told)
            told += 1
