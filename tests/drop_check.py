"""What no fast test notices: `python tests/drop_check.py ROOM...` changes one check of the program
after the other, and names the changes that nothing misses.

Changes are of four kinds: `checks` (a refusal is taken out), `edges` (a bound moves by one),
`halves` (a part of a condition is taken out) and `words` (another word of refusal, another claim);
`mutations.py` makes them. First all tests that concern the room run once, with a probe at each
change, so that it is known in which tests which change would make a difference. Most that go
unnoticed make none in any, and need no run. For each other one a process, forked off where the
tests are collected and nothing has run, puts changed code into the loaded functions and runs those
tests, the quickest first, until one fails.

What may go unnoticed stands in `drop_check.toml` with the reason. The command ends with code 1 if
another change goes unnoticed, or if an entry fits none. `--sample N --seed S` draws so many of each
kind, the same each time: that is part of the slow tests.
"""

from __future__ import annotations

import argparse
import ast
import builtins
import contextlib
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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from types import CodeType, FunctionType
from typing import Any

import pytest
from mutations import KINDS, Mutant, changed, mutants, watched

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent

ROOMS: Mapping[str, tuple[str, ...]] = {
    "orders": ("orders", "core", "verifier", "duel"),
    "adjudicator/core": ("core", "verifier"),
    "adjudicator/verifier": ("verifier", "duel/test_vectors.py", "cli/test_verify.py"),
    "adjudicator/duel": ("duel", "player/test_duel.py", "cli/test_duel.py"),
    "adjudicator/host": ("host", "core", "scenes", "cli/test_host.py", "cli/test_seats.py"),
    "adjudicator/player": ("player", "host", "verifier", "scenes", "cli/test_play.py",
                           "cli/test_keep.py", "cli/test_look.py", "cli/test_seats.py",
                           "cli/test_amiss.py", "cli/test_duel.py"),
    "adjudicator/mail": ("mail", "office", "scenes", "cli/test_mail_host.py",
                         "cli/test_mail_player.py", "cli/test_duel.py"),
    "adjudicator/office": ("office", "mail", "scenes", "cli/test_mail_host.py",
                           "cli/test_office.py", "cli/test_referee.py"),
    "adjudicator/git": ("git", "scenes", "cli/test_git.py"),
}  # fmt: skip
"""The rooms that are looked at, and below `tests/` the tests that concern each."""

SLOW = 10
"""A change is noticed when its tests take so many times what they take without it, and 5 s."""
MEMORY = 2**32


# Changes.


@dataclass(frozen=True)
class Change:
    """One change: the `number`th of its file, kind by kind. `key` names it in `drop_check.toml`."""

    path: Path
    number: int
    kind: str
    mutant: Mutant
    key: tuple[str, str]


@dataclass(frozen=True)
class Source:
    """A file as it was when it was read, whatever is edited meanwhile, and its changes."""

    path: Path
    text: str
    kinds: tuple[str, ...]

    def changes(self) -> Iterator[Change]:
        """All changes of these kinds, numbered."""
        module = self.path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".")
        seen: Counter[tuple[str, str]] = Counter()
        every = [
            (kind, one) for kind in self.kinds for one in mutants(self.text, module, KINDS[kind])
        ]
        for number, (kind, mutant) in enumerate(every):
            at, what = f"{module}:{mutant.name}", mutant.change
            seen[at, what] += 1
            what += f"  # {seen[at, what]}" * (seen[at, what] > 1)
            yield Change(self.path, number, kind, mutant, (at, what))

    def code(self, change: Change) -> CodeType:
        """The file's code with that change."""
        return self._compiled(changed(ast.parse(self.text), change.mutant))

    def watched(self, first: int) -> CodeType:
        """Its code with a probe at each change; `first` is the number of the first."""
        kinds = [KINDS[kind] for kind in self.kinds]
        return self._compiled(watched(ast.parse(self.text), kinds, first))

    def _compiled(self, tree: ast.Module) -> CodeType:
        return compile(tree, str(self.path), "exec", dont_inherit=True)


def probes(
    passed: dict[int, set[int]], now: Sequence[int]
) -> tuple[Callable[..., bool], Callable[..., object]]:
    """`__passed__` and `__either__` of watched code: `passed` notes of each change the tests, the
    number in `now`, in which it makes a difference."""

    def differs(number: int) -> bool:
        passed.setdefault(number, set()).add(now[0])
        return True

    def either(old: object, *asked: Any) -> object:
        for number, new in zip(asked[::2], asked[1::2], strict=True):
            if now[0] not in passed.get(number, ()):
                try:
                    same = bool(new() == old)
                except Exception:
                    same = False
                if not same:
                    differs(number)
        return old

    return differs, either


# Code into functions that are loaded.


Place = tuple[str, str, int, int]
"""A function's file, name and first line, and which one it is of those that have the same."""


def placed(code: CodeType, seen: Counter[tuple[str, str, int]]) -> Iterator[tuple[Place, CodeType]]:
    """All functions inside that code, in their order."""
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            key = inner.co_filename, inner.co_qualname, inner.co_firstlineno
            seen[key] += 1
            yield (*key, seen[key]), inner
            yield from placed(inner, seen)


def functions(sources: Iterable[Source]) -> dict[Place, list[FunctionType]]:
    """All functions of those files that exist now."""
    known = {}
    for source in sources:
        made = compile(source.text, str(source.path), "exec", dont_inherit=True)
        for place, code in placed(made, Counter()):
            known[(*place[:3], code.co_linetable)] = place
    found: dict[Place, list[FunctionType]] = {}
    for one in gc.get_objects():
        if isinstance(one, FunctionType):
            code = one.__code__
            key = code.co_filename, code.co_qualname, code.co_firstlineno, code.co_linetable
            if key in known:
                found.setdefault(known[key], []).append(one)
    return found


def put_in(code: CodeType, there: Mapping[Place, list[FunctionType]]) -> None:
    """Give each loaded function its code anew."""
    for place, inner in placed(code, Counter()):
        for function in there.get(place, ()):
            if function.__code__.co_freevars == inner.co_freevars:
                function.__code__ = inner


# Runs.


@dataclass(eq=False)
class Check:
    """A plugin of pytest: in place of the tests' one run it runs them once for each change."""

    sources: Mapping[Path, Source]
    found: Sequence[Change]
    reasons: Mapping[tuple[str, str], str]
    jobs: int
    tell: Callable[[str], None]
    unnoticed: list[Change] = field(default_factory=list)
    _failing: bool = False

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Everything, after the tests are collected."""
        items = session.items
        gc.unfreeze()  # what is frozen is not listed
        there = functions(self.sources.values())
        gc.collect()
        gc.freeze()
        begun = time.monotonic()
        told = self._forked(lambda: self._probed(items, there))
        ((_, answer),) = self._finished(told)
        if answer is None:
            raise SystemExit("the tests did not run without a change")
        passed, times, broken = answer
        for one in broken:
            self.tell(f"fails by itself, and is left out: {one}")
        self.tell(
            f"{len(items)} tests, {len(self.found)} changes, {time.monotonic() - begun:.0f} s"
        )
        waiting, running = list(reversed(self.found)), {}
        first = self._first()
        while waiting or running:
            while waiting and len(running) < self.jobs:
                one = waiting.pop()
                by = sorted(passed.get(first[one.path] + one.number, ()), key=times.__getitem__)
                if not by:
                    self._lost(one)
                    continue
                limit = 5 + SLOW * sum(times[each] for each in by)
                child = self._forked(
                    lambda one=one, by=by, limit=limit: self._changed(items, one, by, there, limit)
                )
                running |= {child[0]: (one, *child)}
            if running:
                for pid, noticed in self._finished(*[each[1:] for each in running.values()]):
                    one = running.pop(pid)[0]
                    if noticed is False:
                        self._lost(one)
        return True

    def _lost(self, one: Change) -> None:
        """Note what goes unnoticed, and name it if there is no reason."""
        self.unnoticed.append(one)
        if one.key not in self.reasons:
            where = f"{one.path.relative_to(ROOT)}:{one.mutant.number}"
            self.tell(f"{where}: {one.kind}: {one.mutant.name}: {one.key[1]}")

    def _first(self) -> dict[Path, int]:
        """The number of each file's first probe."""
        return {path: number * 100_000 for number, path in enumerate(self.sources)}

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
        self, items: Sequence[pytest.Item], there: Mapping[Place, list[FunctionType]]
    ) -> Any:
        """In which tests which change makes a difference, the seconds of each test, those that
        fail."""
        passed: dict[int, set[int]] = {}
        times: dict[int, float] = {}
        broken: list[str] = []
        now = [0]
        builtins.__passed__, builtins.__either__ = probes(passed, now)  # type: ignore[attr-defined]
        for path, first in self._first().items():
            put_in(self.sources[path].watched(first), there)
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

    def _changed(
        self,
        items: Sequence[pytest.Item],
        change: Change,
        by: Sequence[int],
        there: Mapping[Place, list[FunctionType]],
        limit: float,
    ) -> bool:
        """Whether one of those tests fails with that change."""
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        signal.setitimer(signal.ITIMER_PROF, limit)
        put_in(self.sources[change.path].code(change), there)
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
        if entry.keys() != {"at", "change", "why"} or not entry["why"]:
            raise SystemExit(f"drop_check.toml: {entry}: expected at, change and why")
        found[entry["at"], entry["change"]] = entry["why"]
    return found


def check(
    rooms: Sequence[str], only: Sequence[str], kinds: Sequence[str],
    sample: int, seed: int, jobs: int,
) -> bool:  # fmt: skip
    """Change those rooms and print what goes unnoticed; whether each has its reason."""
    sources = {
        path: Source(path, path.read_text("utf-8"), tuple(kinds))
        for room in rooms
        for path in sorted((ROOT / room).rglob("*.py"))
        if not only or path.stem in only
    }
    every = [one for source in sources.values() for one in source.changes()]
    chosen = [one for kind in kinds for one in _drawn(every, kind, sample, seed)]
    tests = sorted({str(HERE / one) for room in rooms for one in ROOMS[room]})
    console = os.dup(1)
    reasons = listed()
    plugin = Check(sources, chosen, reasons, jobs,
                   lambda text: os.write(console, text.encode() + b"\n") and None)  # fmt: skip
    options = "-p no:terminal -p no:cacheprovider --import-mode=importlib -o addopts="
    code = pytest.main([*options.split(), "-m", "not slow", *tests], [plugin])
    if code:
        raise SystemExit(f"the tests cannot be collected: {code}")
    alone = {one for one in plugin.unnoticed if one.key not in reasons}
    unnoticed = {one.key for one in plugin.unnoticed}
    unfit = [one.key for one in chosen if one.key in reasons and one.key not in unnoticed]
    known = {one.key for one in every}
    starts = tuple(room.replace("/", ".") + "." for room in rooms)
    if not only and len(kinds) == len(KINDS):
        unfit += [key for key in reasons if key not in known and key[0].startswith(starts)]
    for at, what in unfit:
        print(f"drop_check.toml: {at}: {what}: is noticed, or is not there")
    print(
        "| room | kind | changes | noticed | with a reason | unnoticed |\n|---|---|---|---|---|---|"
    )
    for room in rooms:
        for kind in kinds:
            own = [one for one in chosen if one.kind == kind and ROOT / room in one.path.parents]
            lost = [one for one in own if one.key in unnoticed]
            left = sum(one in alone for one in lost)
            told = (room, kind, len(own), len(own) - len(lost), len(lost) - left, left)
            print(f"| {' | '.join(map(str, told))} |")
    return not alone and not unfit


def _drawn(every: Sequence[Change], kind: str, sample: int, seed: int) -> list[Change]:
    """So many changes of a kind, or all."""
    own = [one for one in every if one.kind == kind]
    return own if not sample else Random(seed).sample(own, min(sample, len(own)))  # noqa: S311


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="Which changed checks no fast test notices.")
    parser.add_argument("room", nargs="*", help="core, orders, ...; all of them if none is named")
    parser.add_argument("--module", action="append", default=[], help="these modules alone: chain")
    parser.add_argument("--kind", action="append", choices=KINDS, help="this kind alone")
    parser.add_argument("--sample", type=int, default=0, help="so many of each kind, drawn")
    parser.add_argument("--seed", type=int, default=0, help="by this number")
    parser.add_argument("--jobs", type=int, default=1, help="processes at a time")
    given = parser.parse_args()
    rooms = [room for room in ROOMS if not given.room or room.rpartition("/")[2] in given.room]
    os.environ["CI"] = "true"
    kinds = given.kind or list(KINDS)
    sys.exit(not check(rooms, given.module, kinds, given.sample, given.seed, given.jobs))


if __name__ == "__main__":
    main()
