"""Machines with disks and clocks of their own, on which real commands run, in one process.

All disks are mounted at one path, the one in use, so that a copy of a machine finds its files where
the first one had them, and none can look into another's. A command runs with its machine's home
folder, working folder, clock and streams. Each call that writes, locks, sends or asks is a place at
which its process may end (`ends_at`) or at which another machine's may go on (`overlap`). Two
processes that overlap are two threads, of which one runs at a time, so a seed decides everything.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import hashlib
import io
import itertools
import os
import shutil
import socket
import sqlite3
import ssl
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

from adjudicator import cli
from adjudicator.store import clock
from orders import crypto

DAY, HOUR = 86_400, 3_600
START = 1_767_225_600
"""2026-01-01 in seconds since 1970: when every world begins."""


class Ended(BaseException):
    """A process ends here, as by `kill -9`: nothing that it still tries has an effect."""


@dataclass
class Done:
    """What a command did: its exit code (None: its process ended), and what it printed."""

    words: tuple[str, ...]
    code: int | None
    out: str
    err: str
    calls: int

    @property
    def told(self) -> str:
        """All that it printed."""
        return self.out + self.err


@dataclass
class Process:
    """A command under way on a machine."""

    machine: Machine
    folder: Path
    out: io.TextIOWrapper
    err: io.TextIOWrapper
    given: io.TextIOWrapper
    ends_at: int | None = None
    fills_at: int | None = None
    cut: bool = False
    """Whether it ends as by a power cut: what was not made durable is half there."""
    calls: int = 0
    dead: bool = False
    wet: set[str] = field(default_factory=set)
    """Files that were written and are not durable yet."""
    handles: dict[int, str] = field(default_factory=dict)


@dataclass
class Machine:
    """A disk, a clock that is `wrong` by so many seconds, and what its disk held on earlier days.

    `strobe`: seconds by which the clock jumps to and fro, at each look.
    """

    world: World
    name: str
    wrong: int = 0
    strobe: int = 0
    days: list[Path] = field(default_factory=list)

    @property
    def disk(self) -> Path:
        """Where its disk is now: mounted while it runs."""
        return self.world.here if self.world.mounted is self else self.world.root / self.name

    def run(
        self, *words: str, folder: str = "", given: str = "",
        ends_at: int | None = None, fills_at: int | None = None, cut: bool = False,
    ) -> Done:  # fmt: skip
        """Run `adjudicator WORDS` here, in that folder of the home folder.

        `ends_at`: its process ends at that call, with `cut` as by a power cut; `fills_at`: its disk
        is full from that call on.
        """
        return self.world.run(self, words, folder, given, ends_at, fills_at, cut=cut)

    def keep_day(self) -> None:
        """Remember what the disk holds now."""
        kept = self.world.root / f"{self.name}.day{len(self.days)}"
        shutil.rmtree(kept, ignore_errors=True)
        shutil.copytree(self.disk, kept, symlinks=True)
        self.days.append(kept)

    def put_back(self, day: int) -> None:
        """The disk is as it was on that day."""
        shutil.rmtree(self.disk)
        shutil.copytree(self.days[day], self.disk, symlinks=True)

    def twin(self, name: str) -> Machine:
        """Another machine with a copy of this disk."""
        shutil.copytree(self.disk, self.world.root / name, symlinks=True)
        self.world.machines[name] = made = Machine(self.world, name)
        return made

    def now(self) -> int:
        """What its clock shows, in seconds since 1970."""
        if self.strobe:
            self.strobe = -self.strobe
        return self.world.time + self.wrong + self.strobe


class World:
    """Machines, what surrounds them, and one source of chance for all of it."""

    def __init__(self, seed: str) -> None:
        self.seed = seed
        self.chance = Random(seed)  # noqa: S311 - draws what happens
        shared = Path("/dev/shm")  # noqa: S108 - a disk in memory, where there is one
        self.root = Path(
            tempfile.mkdtemp(prefix="voyage-", dir=shared if shared.is_dir() else None)
        )
        self.here = self.root / "here"
        self.time = START
        self.machines: dict[str, Machine] = {}
        self.mounted: Machine | None = None
        self.process: Process | None = None
        self.turn: Turnstile | None = None
        self.servers: dict[str, Callable[[], Any]] = {}
        """What answers at which host and port: `HOST:PORT` to a new connection's server."""
        self.secrets = 0
        self.commands = 0
        self.counts: Counter[str] = Counter()
        self.trace = hashlib.sha256()
        """A digest of all commands with all that they printed: the same for the same seed."""

    def draws(self, what: str, often: float) -> bool:
        """Whether this seed has something that not each has: a chance of its own, so that all else
        stays what it was."""
        return Random(f"{self.seed}/{what}").random() < often  # noqa: S311 - draws what happens

    def close(self) -> None:
        """Forget all disks."""
        shutil.rmtree(self.root, ignore_errors=True)

    def machine(self, name: str) -> Machine:
        """The machine of that name, made if there is none."""
        if name not in self.machines:
            (self.root / name).mkdir()
            self.machines[name] = Machine(self, name)
        return self.machines[name]

    # Commands.

    def run(
        self, machine: Machine, words: Sequence[str], folder: str = "", given: str = "",
        ends_at: int | None = None, fills_at: int | None = None, *, cut: bool = False,
    ) -> Done:  # fmt: skip
        """See `Machine.run`."""
        stream = io.TextIOWrapper(io.BytesIO(given.encode()), "utf-8")
        out, err = (io.TextIOWrapper(Paper(), "utf-8", newline="") for _ in range(2))
        process = Process(machine, self.here / folder, out, err, stream, ends_at, fills_at, cut)
        self.commands += 1
        before = self._away()
        code: int | None = 0
        try:
            self._in(process)
            try:
                cli.main(list(words))
            except SystemExit as error:
                code = int(error.code or 0)
            except Ended:
                code = None
            if process.dead:
                code = None
                self._cut(process)
        finally:
            self._away()
            if before is not None:
                self._in(before)
        told = [(one.flush(), one.buffer.getvalue().decode())[1] for one in (out, err)]  # type: ignore[attr-defined]
        done = Done(tuple(words), code, told[0], told[1], process.calls)
        line = f"{machine.name} {words} {code} {done.told}".replace(str(self.root), "")
        self.trace.update(line.encode())
        return done

    def _cut(self, process: Process) -> None:
        """After a power cut, files that were not made durable have half of their bytes."""
        for path in sorted(process.wet) if process.cut else ():
            if Path(path).exists():
                self.counts["half a file"] += 1
                os.truncate(path, Path(path).stat().st_size // 2)

    def _in(self, process: Process) -> None:
        """Let that process be the one that runs."""
        machine = process.machine
        machine.disk.rename(self.here)
        process.folder.mkdir(parents=True, exist_ok=True)
        self.mounted, self.process = machine, process
        os.environ["HOME"] = str(self.here)
        os.chdir(process.folder)
        sys.stdin, sys.stdout, sys.stderr = process.given, process.out, process.err

    def _away(self) -> Process | None:
        """Let no process run; returns the one that ran."""
        process, machine = self.process, self.mounted
        if process is not None and machine is not None:
            process.folder = Path.cwd()
            os.chdir(self.root)
            sys.stdin, sys.stdout, sys.stderr = STREAMS
            self.mounted = self.process = None
            self.here.rename(self.root / machine.name)
        return process

    # The calls of a process.

    def call(self, what: str) -> None:
        """A call of the process that runs: it may end here, its disk may be full, and another
        machine may go on."""
        process = self.process
        if process is None:
            return
        if process.dead:
            raise Ended
        process.calls += 1
        if process.calls == process.ends_at:
            process.dead = True
            self.counts[f"ended at {what}"] += 1
            raise Ended
        if process.fills_at is not None and process.calls >= process.fills_at and what in FILLS:
            self.counts["disk full"] += 1
            # Only of what is written the system names no file.
            name = None if what == "write" else what
            raise OSError(errno.ENOSPC, "No space left on device", name)
        if self.turn is not None:
            self.turn.switch()

    def secret(self) -> bytes:
        """32 fresh bytes."""
        self.secrets += 1
        return hashlib.sha256(f"{self.seed}/{self.secrets}".encode()).digest()

    def now(self) -> str:
        """What the clock shows to the process that runs, or else the true time."""
        seconds = self.time if self.process is None else self.process.machine.now()
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))

    def overlap(self, chance: Random, *acts: Callable[[], object]) -> None:
        """Do all these at once: at each call the others may go on first."""
        self.turn = Turnstile(self, chance, acts)
        try:
            self.turn.run()
        finally:
            self.turn = None


class Turnstile:
    """Threads of which one runs at a time; at a call, `chance` lets another go on."""

    def __init__(self, world: World, chance: Random, acts: Sequence[Callable[[], object]]) -> None:
        self.world, self.chance, self.acts = world, chance, acts
        self.doors = [threading.Semaphore(0) for _ in acts]
        self.left = set(range(len(acts)))
        self.ended = threading.Semaphore(0)
        self.at = 0
        self.errors: list[BaseException] = []
        self.often = chance.choice([0.02, 0.1, 0.3])

    def run(self) -> None:
        """All of them, to their ends; raises what one of them raised."""
        threads = [
            threading.Thread(target=self._one, args=(number,), daemon=True)
            for number in range(len(self.acts))
        ]
        for thread in threads:
            thread.start()
        self.doors[0].release()
        self.ended.acquire()
        for thread in threads:
            thread.join()
        if self.errors:
            raise self.errors[0]

    def _one(self, number: int) -> None:
        self.doors[number].acquire()
        self.at = number
        try:
            self.acts[number]()
        except BaseException as error:
            self.errors.append(error)
        self.left.discard(number)
        if self.left:
            self.doors[min(self.left)].release()
        else:
            self.ended.release()

    def switch(self, *, always: bool = False) -> None:
        """Perhaps let another go on, until this one is let on again."""
        others = sorted(self.left - {self.at})
        if not others or not (always or self.chance.random() < self.often):
            return
        mine = self.at
        before = self.world._away()
        self.doors[self.chance.choice(others)].release()
        self.doors[mine].acquire()
        self.at = mine
        if before is not None:
            self.world._in(before)


# What surrounds the commands.

STREAMS = (sys.stdin, sys.stdout, sys.stderr)
SLEEP = time.sleep
CALLS = ("mkdir", "replace", "rename", "unlink", "link", "rmdir")
FILLS = ("open", "write", "mkdir", "link", "sqlite")


@contextlib.contextmanager
def surrounded(world: World) -> Iterator[World]:
    """Let this world surround all commands."""
    with contextlib.ExitStack() as stack:
        stack.callback(os.chdir, Path.cwd())
        stack.callback(world.close)
        for name in CALLS:
            stack.enter_context(
                mock.patch.object(os, name, _called(world, name, getattr(os, name)))
            )
        stack.enter_context(mock.patch.object(os, "open", _opened(world, os.open)))
        stack.enter_context(mock.patch.object(os, "write", _written(world, os.write)))
        stack.enter_context(mock.patch.object(os, "fsync", lambda handle: _synced(world, handle)))
        stack.enter_context(mock.patch.object(os, "sync", lambda: _synced(world, None)))
        sleeping = mock.patch.object(time, "sleep", lambda seconds: _sleep(world, seconds))
        named = mock.patch.object(socket, "getfqdn", lambda name="": "machine.example.org")
        joined = mock.patch.object(socket, "create_connection", lambda *a, **_: _connect(world, *a))
        trusted = mock.patch.object(ssl, "create_default_context", lambda **_: Plain())
        stored = mock.patch.object(sqlite3, "connect", _base(world, sqlite3.connect))
        told = mock.patch.object(clock.SystemClock, "now", lambda _: world.now())
        fresh = mock.patch.object(crypto, "fresh", world.secret)
        once = mock.patch.object(functools.cached_property, "__get__", _kept)
        bare = {"HOME": str(world.here), "PATH": os.environ["PATH"], "TZ": "UTC",
                "ADJUDICATOR_IMAP_PASSWORD": "x", "ADJUDICATOR_SMTP_PASSWORD": "x",
                "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}  # fmt: skip
        around = mock.patch.dict(os.environ, bare, clear=True)
        started = mock.patch.object(subprocess, "Popen", _child(world))
        aside = mock.patch.object(tempfile, "tempdir", str(world.root / "tmp"))
        called = mock.patch.object(tempfile, "_name_sequence", map(str, itertools.count()))
        (world.root / "tmp").mkdir()
        for one in (
            sleeping, named, joined, trusted, stored, told, fresh, once, around, started, aside,
            called,
        ):  # fmt: skip
            stack.enter_context(one)
        os.chdir(world.root)
        yield world


def _called(world: World, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
    def call(*given: Any, **named: Any) -> Any:
        world.call(name)
        done = real(*given, **named)
        if name in ("replace", "rename") and world.process is not None:
            old, new = (os.path.abspath(path) for path in given[:2])  # noqa: PTH100 - of no link
            if old in world.process.wet:
                world.process.wet -= {old}
                world.process.wet |= {new}
        return done

    return call


def _synced(world: World, handle: int | None) -> None:
    """A file, or (None) all that was written is durable."""
    world.call("fsync")
    process = world.process
    if process is not None and handle is None:
        process.wet.clear()
    elif process is not None and handle is not None:
        process.wet.discard(process.handles.get(handle, ""))


def _opened(world: World, real: Callable[..., int]) -> Callable[..., int]:
    def call(path: Any, flags: int, *given: Any, **named: Any) -> int:
        if flags & os.O_CREAT:
            world.call("open")
        handle = real(path, flags, *given, **named)
        if world.process is not None:
            world.process.handles[handle] = os.path.abspath(path)  # noqa: PTH100 - of no link
        return handle

    return call


def _written(world: World, real: Callable[[int, bytes], int]) -> Callable[[int, bytes], int]:
    def call(handle: int, data: bytes) -> int:
        try:
            world.call("write")
        except (Ended, OSError):
            # What ends or fills up here has written a half.
            if world.process is not None and world.process.calls == world.process.ends_at:
                real(handle, data[: len(data) // 2])
            raise
        if world.process is not None:
            world.process.wet.add(world.process.handles.get(handle, ""))
        return real(handle, data)

    return call


def _child(world: World) -> type[subprocess.Popen[bytes]]:
    """A process of another program's: before it acts and once it has acted, who waits for it may
    end. One that lasts, to answer questions, changes nothing."""

    class Child(subprocess.Popen):  # type: ignore[type-arg]
        def __init__(self, words: Sequence[str], *given: Any, **named: Any) -> None:
            self.what = "" if named.get("stdin") == subprocess.PIPE else _program(words)
            if self.what:
                world.call(f"{self.what} begins")
            super().__init__(words, *given, **named)

        def wait(self, timeout: float | None = None) -> int:
            code = super().wait(timeout)
            what, self.what = self.what, ""
            if what:
                world.call(f"{what} is done")
            return code

    return Child


def _program(words: Sequence[str]) -> str:
    """A program's name, and git's command."""
    left = list(words)
    if left[0] != "git":
        return left[0]
    while len(left) > 2 and left[1] in ("-c", "-C"):
        del left[1:3]
    return " ".join(left[:2])


def _kept(self: Any, instance: Any, owner: Any = None) -> Any:
    """What `cached_property` gives from Python 3.12 on. Before, it held a lock meanwhile, at which
    one of two processes here would wait for the other for ever."""
    if instance is None:
        return self
    if self.attrname not in instance.__dict__:
        instance.__dict__[self.attrname] = self.func(instance)
    return instance.__dict__[self.attrname]


def _sleep(world: World, seconds: float) -> None:
    """Time passes; whoever waits for another lets it go on. A part of a second is a look at
    whether a real process has ended, which takes no time of this world's."""
    if 0 < seconds < 1:
        SLEEP(seconds)
        return
    world.time += max(1, int(seconds))
    world.call("sleep")
    if world.turn is not None:
        world.turn.switch(always=True)


def _base(world: World, real: Callable[..., Any]) -> Callable[..., Any]:
    """A database whose every statement is a call, as slow disks are not what is asked here."""

    class Base(sqlite3.Connection):
        def execute(self, sql: str, *given: Any) -> Any:
            if sql.startswith("PRAGMA synchronous"):
                sql = "PRAGMA synchronous = OFF"
            elif not sql.startswith("SELECT"):
                try:
                    world.call("sqlite")
                except OSError as error:
                    full = sqlite3.OperationalError("database or disk is full")
                    full.sqlite_errorcode = sqlite3.SQLITE_FULL
                    raise full from error
            return super().execute(sql, *given)

    return lambda *given, **named: real(*given, **named, factory=Base)


class Paper(io.BytesIO):
    """What a command prints on."""

    def fileno(self) -> int:
        """A number that a command may close or put something else on."""
        return os.open(os.devnull, os.O_WRONLY)


class Plain:
    """Stands for TLS, which these servers need none of."""

    check_hostname = True

    def wrap_socket(self, line: Any, **_: Any) -> Any:
        """The same line."""
        return line


def _connect(world: World, address: tuple[str, int], *_: Any) -> Line:
    world.call("connect")
    host, port = address
    make = world.servers.get(f"{host}:{port}")
    if make is None:
        raise ConnectionRefusedError(errno.ECONNREFUSED, "Connection refused")
    return Line(world, make())


class Line:
    """A connection: what is sent is answered at once. `cut` ends it after so many more bytes."""

    def __init__(self, world: World, server: Any) -> None:
        self.world, self.server = world, server
        self.came = io.BytesIO(bytes(server.greeting()))
        self.open = True
        self.cut: int | None = server.cut

    def sendall(self, data: bytes, *_: Any) -> None:
        """Send to the server, which answers."""
        self.world.call("send")
        self._check(len(data))
        rest = self.came.read()
        self.came = io.BytesIO(rest + self.server.feed(bytes(data)))

    send = sendall

    def _check(self, count: int) -> None:
        if self.cut is not None:
            self.cut -= count
        if not self.open or (self.cut is not None and self.cut < 0):
            self.world.counts["line cut"] += self.open
            self.open = False
            raise ConnectionResetError(errno.ECONNRESET, "Connection reset by peer")

    def readline(self, limit: int = -1) -> bytes:
        """A line of the answer."""
        found = self.came.readline(limit)
        self._check(len(found))
        return found

    def read(self, size: int = -1) -> bytes:
        """So many bytes of the answer."""
        found = self.came.read(size)
        self._check(len(found))
        return found

    recv = read

    def recv_into(self, buffer: Any) -> int:
        """The same, for readers with buffers of their own."""
        found = self.read(len(buffer))
        buffer[: len(found)] = found
        return len(found)

    def makefile(self, *_: Any, **__: Any) -> Line:
        """Itself: it is read like a file."""
        return self

    def settimeout(self, *_: Any) -> None:
        """No answer is late."""

    def shutdown(self, *_: Any) -> None:
        """See `close`."""

    def close(self) -> None:
        """The end."""
