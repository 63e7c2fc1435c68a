"""What no fast test notices: `python tests/drop_check.py ROOM...` takes one check after the other
out of the program, and names those that nothing misses.

A *drop* is a `raise` that is passed over, or a branch that is never taken though it leads to a
refusal, a claim or a verdict: it raises, it tells findings something (`fault`, `look` and so on),
or it returns words. First all tests that concern the room run once, with a probe at each drop, so
that it is known which tests come by which. Then a process for each drop, forked off where the tests
are collected and nothing has run, puts changed code into the loaded functions and runs the tests
that come by, the quickest first, until one fails.

What may go unnoticed stands in `drop_check.toml` with the reason. The command ends with code 1 if
another drop goes unnoticed, or if an entry fits none. `--sample N` tries every so many of them, the
same each time: that is part of the slow tests.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import functools
import gc
import os
import pickle
import resource
import selectors
import shutil
import signal
import sys
import tempfile
import time
import tomllib
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent

ROOMS: Mapping[str, tuple[str, ...]] = {
    "orders": ("orders", "core", "verifier", "duel"),
    "adjudicator/core": ("core", "verifier"),
    "adjudicator/verifier": ("verifier", "cli/test_verify.py", "cli/test_findings.py"),
    "adjudicator/host": ("host", "core", "cli/test_host.py", "cli/test_seats.py"),
    "adjudicator/player": ("player", "host", "verifier", "cli/test_play.py", "cli/test_turn.py",
                           "cli/test_keep.py", "cli/test_look.py", "cli/test_seats.py",
                           "cli/test_amiss.py", "cli/test_duel.py"),
    "adjudicator/mail": ("mail", "cli/test_mail_host.py", "cli/test_mail_player.py",
                         "cli/test_duel.py"),
    "adjudicator/git": ("git", "cli/test_git.py", "cli/test_git_server.py"),
}  # fmt: skip
"""The rooms that are looked at, and below `tests/` the tests that concern each."""

TELLS = {"fault", "look", "note", "lack", "hold", "refuse", "warn"}
"""What a branch calls that tells findings something."""

SLOW = 10
"""A drop is noticed when its tests take so many times what they take without it, and 5 s."""
MEMORY = 2**32


# Drops.


@dataclass(frozen=True)
class Drop:
    """A statement that can be dropped: the `number`th of its file, as `ast.walk` comes to them.

    `at`: the module and the function; `what`: the statement in one line, or the branch's condition.
    """

    path: Path
    number: int
    line: int
    at: str
    what: str

    @property
    def key(self) -> tuple[str, str]:
        return self.at, self.what


@functools.cache
def source(path: Path) -> bytes:
    """A file as it was when it was first read, whatever is edited meanwhile."""
    return path.read_bytes()


def drops(path: Path) -> Iterator[Drop]:
    """The drops of a file."""
    module = path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".")
    tree = ast.parse(source(path))
    where: dict[ast.AST, str] = {}
    _name(tree, "", where)
    seen: Counter[tuple[str, str]] = Counter()
    for number, node in enumerate(_droppable(tree)):
        if where[node]:
            shown = ast.unparse(node.test) if isinstance(node, ast.If) else ast.unparse(node)
            what = " ".join((f"if {shown}" if isinstance(node, ast.If) else shown).split())
            at = f"{module}:{where[node]}"
            seen[at, what] += 1
            if seen[at, what] > 1:
                what += f"  # {seen[at, what]}"
            yield Drop(path, number, node.lineno, at, what)


def _name(node: ast.AST, name: str, where: dict[ast.AST, str], *, inside: bool = False) -> None:
    """Note of each node in which function or method it stands; "" outside of any."""
    for child in ast.iter_child_nodes(node):
        where[child] = name if inside else ""
        if isinstance(child, ast.FunctionDef | ast.ClassDef):
            own = f"{name}.{child.name}" if name else child.name
            _name(child, own, where, inside=inside or isinstance(child, ast.FunctionDef))
        else:
            _name(child, name, where, inside=inside)


def _droppable(tree: ast.AST) -> Iterator[ast.stmt]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise) and node.exc is not None:
            yield node
        elif isinstance(node, ast.If) and not isinstance(node.body[0], ast.Raise):
            if any(_leads(one) for part in node.body for one in ast.walk(part)):
                yield node
        elif isinstance(node, ast.Expr) and _tells(node.value):
            yield node


def _leads(node: ast.AST) -> bool:
    """Whether that is a refusal, a claim or a verdict."""
    if isinstance(node, ast.Return):
        value = node.value
        return isinstance(value, ast.JoinedStr) or (
            isinstance(value, ast.Constant) and isinstance(value.value, str) and bool(value.value)
        )
    return isinstance(node, ast.Raise) or _tells(node)


def _tells(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in TELLS
    )


def changed(path: Path, drop: Drop | None, first: int) -> CodeType:
    """The code of a file without that statement; of all with a probe at each, if `drop` is None.

    `first` is the number of the file's first probe.
    """
    tree = ast.parse(source(path))
    nodes = {node: number for number, node in enumerate(_droppable(tree))}
    for parent in list(ast.walk(tree)):
        for name in ("body", "orelse", "finalbody"):
            block = getattr(parent, name, None)
            if isinstance(block, list):
                setattr(parent, name, [
                    one for node in block for one in _put(node, nodes.get(node), drop, first)
                ])  # fmt: skip
    return compile(ast.fix_missing_locations(tree), str(path), "exec", dont_inherit=True)


def _put(node: ast.stmt, number: int | None, drop: Drop | None, first: int) -> list[ast.stmt]:
    """What stands in the place of a statement."""
    if number is None:
        return [node]
    if drop is None:
        probe: ast.stmt = ast.copy_location(
            ast.Expr(
                ast.Call(ast.Name("__passed__", ast.Load()), [ast.Constant(first + number)], [])
            ),
            node,
        )
        if isinstance(node, ast.If):
            node.body.insert(0, probe)
            return [node]
        return [probe, node]
    if number != drop.number:
        return [node]
    no = ast.copy_location(ast.Constant(False), node)
    if isinstance(node, ast.If):
        # The condition is asked all the same: it may do something.
        node.test = ast.copy_location(ast.BoolOp(ast.And(), [node.test, no]), node)
        return [node]
    # Not `pass`: what names a function needs from around it stays the same.
    return [ast.copy_location(ast.If(no, [node], []), node)]


# Code into functions that are loaded.


def functions(paths: Sequence[Path]) -> dict[tuple[str, str, int], list[FunctionType]]:
    """All functions of those files that exist now, by file, name and first line."""
    known = {str(path) for path in paths}
    found: dict[tuple[str, str, int], list[FunctionType]] = {}
    for one in gc.get_objects():
        if isinstance(one, FunctionType) and one.__code__.co_filename in known:
            code = one.__code__
            key = code.co_filename, code.co_qualname, code.co_firstlineno
            found.setdefault(key, []).append(one)
    return found


def put_in(code: CodeType, there: Mapping[tuple[str, str, int], list[FunctionType]]) -> None:
    """Give each loaded function its code anew."""
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            key = inner.co_filename, inner.co_qualname, inner.co_firstlineno
            for function in there.get(key, ()):
                if function.__code__.co_freevars == inner.co_freevars:
                    function.__code__ = inner
            put_in(inner, there)


# Runs.


@dataclass(eq=False)
class Check:
    """A plugin of pytest: in place of the tests' one run it runs them once for each drop."""

    found: Sequence[Drop]
    jobs: int
    tell: Callable[[str], None]
    unnoticed: list[Drop] = field(default_factory=list)
    failed: bool = False
    _failing: bool = False

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Everything, after the tests are collected."""
        items = session.items
        paths = sorted({drop.path for drop in self.found})
        gc.unfreeze()  # what is frozen is not listed
        there = functions(paths)
        gc.collect()
        gc.freeze()
        begun = time.monotonic()
        told = self._forked(lambda: self._probed(items, paths, there))
        ((_, answer),) = self._finished(told)
        if answer is None:
            raise SystemExit("the tests did not run without a change")
        passed, times, broken = answer
        for one in broken:
            self.tell(f"fails by itself, and is left out: {one}")
        self.tell(f"{len(items)} tests, {len(self.found)} drops, {time.monotonic() - begun:.0f} s")
        waiting, running = list(reversed(self.found)), {}
        first = self._first(paths)
        while waiting or running:
            while waiting and len(running) < self.jobs:
                drop = waiting.pop()
                by = sorted(passed.get(first[drop.path] + drop.number, ()), key=times.__getitem__)
                if not by:
                    self.unnoticed.append(drop)
                    continue
                limit = 5 + SLOW * sum(times[one] for one in by)
                child = self._forked(
                    lambda drop=drop, by=by, limit=limit: self._dropped(
                        items, drop, by, there, limit
                    )
                )
                running |= {child[0]: (drop, *child)}
            if running:
                for pid, noticed in self._finished(*[one[1:] for one in running.values()]):
                    drop = running.pop(pid)[0]
                    if noticed is False:
                        self.unnoticed.append(drop)
        return True

    def _first(self, paths: Sequence[Path]) -> dict[Path, int]:
        """The number of each file's first probe."""
        return {path: number * 100_000 for number, path in enumerate(paths)}

    # A process of its own.

    def _forked(self, run: Callable[[], Any]) -> tuple[int, int]:
        """Fork a process that runs that; its id, and where what it returns can be read."""
        answer, write = os.pipe()
        child = os.fork()
        if child:
            os.close(write)
            return child, answer
        code = 1
        os.close(answer)
        try:
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            told = pickle.dumps(run())
            with os.fdopen(write, "wb") as file:
                file.write(told)
            code = 0
        except BaseException:
            self.tell(traceback.format_exc())
        finally:
            os._exit(code)

    def _finished(self, *children: tuple[int, int]) -> Iterator[tuple[int, Any]]:
        """What each process that has ended now returned, at least one's; None if it was ended."""
        with selectors.DefaultSelector() as some:
            for pid, answer in children:
                some.register(answer, selectors.EVENT_READ, pid)
            for key, _ in some.select():
                with os.fdopen(int(key.fd), "rb") as file:
                    told = file.read()
                os.waitpid(key.data, 0)
                yield key.data, pickle.loads(told) if told else None  # noqa: S301 - our own

    def _probed(
        self,
        items: Sequence[pytest.Item],
        paths: Sequence[Path],
        there: Mapping[tuple[str, str, int], list[FunctionType]],
    ) -> Any:
        """Which tests pass by which probe, the seconds of each, and those that fail."""
        passed: dict[int, set[int]] = {}
        times: dict[int, float] = {}
        broken: list[str] = []
        now = [0]
        import builtins

        builtins.__passed__ = lambda number: passed.setdefault(number, set()).add(now[0])  # type: ignore[attr-defined]
        for path, first in self._first(paths).items():
            put_in(changed(path, None, first), there)
        with self._alone(items[0].config):
            for at, item in enumerate(items):
                now[0], begun = at, time.process_time()
                self._failing = False
                following = items[at + 1] if at + 1 < len(items) else None
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                times[at] = time.process_time() - begun
                if self._failing:
                    broken.append(item.nodeid)
                    for by in passed.values():
                        by.discard(at)
        return passed, times, broken

    def _dropped(
        self,
        items: Sequence[pytest.Item],
        drop: Drop,
        by: Sequence[int],
        there: Mapping[tuple[str, str, int], list[FunctionType]],
        limit: float,
    ) -> bool:
        """Whether one of those tests fails without that statement."""
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        signal.setitimer(signal.ITIMER_PROF, limit)
        put_in(changed(drop.path, drop, 0), there)
        chosen = [items[at] for at in by]
        with self._alone(chosen[0].config):
            for at, item in enumerate(chosen):
                following = chosen[at + 1] if at + 1 < len(chosen) else None
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                if self._failing:
                    return True
        return False

    @contextlib.contextmanager
    def _alone(self, config: pytest.Config) -> Iterator[None]:
        """A temporary folder of this process's own, and no word on any terminal."""
        folder = Path(tempfile.mkdtemp())
        config._tmp_path_factory._basetemp = folder  # type: ignore[attr-defined]
        try:
            yield
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Whether a test failed."""
        self._failing = self._failing or report.failed


# The command.


def listed() -> dict[tuple[str, str], str]:
    """What may go unnoticed, and why."""
    data = tomllib.loads((HERE / "drop_check.toml").read_text("utf-8"))
    found = {}
    for entry in data.get("unnoticed", ()):
        if entry.keys() != {"at", "drop", "why"} or not entry["why"]:
            raise SystemExit(f"drop_check.toml: {entry}: expected at, drop and why")
        found[entry["at"], entry["drop"]] = entry["why"]
    return found


def check(rooms: Sequence[str], only: Sequence[str], sample: int, jobs: int) -> bool:
    """Look at those rooms and print what goes unnoticed; whether each has its reason."""
    every = [
        (room, drop)
        for room in rooms
        for path in sorted((ROOT / room).rglob("*.py"))
        if not only or path.stem in only
        for drop in drops(path)
    ]
    chosen = every[:: max(1, len(every) // sample)] if sample else every
    tests = sorted({str(HERE / one) for room in rooms for one in ROOMS[room]})
    console = os.dup(1)
    plugin = Check([drop for _, drop in chosen], jobs,
                   lambda text: os.write(console, text.encode() + b"\n") and None)  # fmt: skip
    options = "-p no:terminal -p no:cacheprovider --import-mode=importlib -o addopts="
    code = pytest.main([*options.split(), "-m", "not slow", *tests], [plugin])
    if code:
        raise SystemExit(f"the tests cannot be collected: {code}")
    reasons = listed()
    alone = [drop for drop in plugin.unnoticed if drop.key not in reasons]
    for drop in sorted(alone, key=lambda one: (one.path, one.line)):
        print(
            f"{drop.path.relative_to(ROOT)}:{drop.line}: {drop.at.partition(':')[2]}: {drop.what}"
        )
    unnoticed = {drop.key for drop in plugin.unnoticed}
    unfit = [drop.key for _, drop in chosen if drop.key in reasons and drop.key not in unnoticed]
    known = {drop.key for _, drop in every}
    starts = tuple(room.replace("/", ".") + "." for room in rooms)
    unfit += [key for key in reasons if not only and key not in known and key[0].startswith(starts)]
    for at, what in unfit:
        print(f"drop_check.toml: {at}: {what}: is noticed, or is not there")
    print("| room | drops | noticed | with a reason | unnoticed |\n|---|---|---|---|---|")
    for room in rooms:
        own = [drop for one, drop in chosen if one == room]
        lost = [drop for drop in own if drop.key in unnoticed]
        left = sum(drop in alone for drop in lost)
        print(f"| {room} | {len(own)} | {len(own) - len(lost)} | {len(lost) - left} | {left} |")
    return not alone and not unfit


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="Which checks no fast test notices.")
    parser.add_argument("room", nargs="*", help="core, orders, ...; all of them if none is named")
    parser.add_argument("--module", action="append", default=[], help="these modules alone: chain")
    parser.add_argument("--sample", type=int, default=0, help="so many of all, evenly spread")
    parser.add_argument("--jobs", type=int, default=1, help="processes at a time")
    given = parser.parse_args()
    rooms = [room for room in ROOMS if not given.room or room.rpartition("/")[2] in given.room]
    os.environ["CI"] = "true"
    sys.exit(not check(rooms, given.module, given.sample, given.jobs))


if __name__ == "__main__":
    main()
