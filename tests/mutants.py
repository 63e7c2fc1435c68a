"""How strong the rule cases are: `python tests/mutants.py GAME...` changes the rules, one place at
a time, and lists the changes that no rule case notices.

A mutant is one small change of one rule module: of a comparison, a sum, a condition, a constant, or
a statement left out. It is killed if a case fails, raises or takes too long. It survives if all
cases of the game hold. Then a case is missing, or the change changes nothing. What changes nothing
stands in `tests/games/GAME/equivalent.toml`:

    [[same]]                  # one mutant, as it was listed
    at = "rules._run"
    line = "if len(way) == RUN:"
    change = "len(way) == RUN -> len(way) >= RUN"
    why = "a way has two cells at most"

    [[words]]                 # what words things for people, or no case can see: not changed
    at = "lines._hint"
    why = "a hint is no rule"

The command ends with code 1 if a mutant survives that is not listed, or if an entry fits none.
Each mutant runs in a forked process, with the game's modules made anew from code in memory; so
the command needs POSIX, and nothing else. It is slow and no part of the test suite.
"""

from __future__ import annotations

import argparse
import ast
import gc
import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import resource
import signal
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from mutations import Mutant, changed, mutants  # noqa: E402

import games  # noqa: E402 - the command runs without being installed
from games import cases  # noqa: E402

NO_RULES = (
    "__init__", "game", "bot", "deduced", "board", "duel",
)  # fmt: skip
"""Modules whose faults no rule case can see: they pass calls on, draw maps or choose orders."""
SLOW = 5
"""A mutant is killed when it has taken so many times what all cases take without it, and 1 s."""
MEMORY = 2**31
"""The most bytes that a mutant may fill."""


# Runs.


class _InMemory(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Makes modules from code that is in memory."""

    def __init__(self, codes: Mapping[str, CodeType]) -> None:
        self._codes = codes

    def find_spec(
        self, name: str, path: object = None, target: object = None
    ) -> importlib.machinery.ModuleSpec | None:
        code = self._codes.get(name)
        if code is None:
            return None
        file = Path(code.co_filename)
        inner = [str(file.parent)] if file.stem == "__init__" else None
        return importlib.util.spec_from_file_location(
            name, file, loader=self, submodule_search_locations=inner
        )

    def exec_module(self, module: ModuleType) -> None:
        exec(self._codes[module.__name__], module.__dict__)  # noqa: S102 - the game's own code


class Suite:
    """A game's rule modules and cases, and the runs of its mutants."""

    def __init__(self, game: str) -> None:
        self.game = game
        loaded = games.load(game)
        folder = games.own_cases(loaded).parent
        self.package = str(sys.modules[type(loaded).__module__].__package__)
        self.listed = _listed(ROOT / "tests" / "games" / folder.name / "equivalent.toml")
        self.cases = [cases.read(path) for path in cases.find(folder / "cases")]
        self.sources = {
            self.package + "." * (path.stem != "__init__") + path.stem.replace("__init__", ""): path
            for path in sorted(folder.glob("*.py"))
        }
        self.codes = {
            name: compile(path.read_bytes(), str(path), "exec", dont_inherit=True)
            for name, path in self.sources.items()
        }
        self.limit = 60.0

    def mutants(self, only: Sequence[str]) -> list[Mutant]:
        """All mutants of the rule modules, or of those named; none in wording."""
        found: list[Mutant] = []
        for name, path in self.sources.items():
            if path.stem in only or (not only and path.stem not in NO_RULES):
                found += mutants(path.read_text(encoding="utf-8"), name)
        words = {entry["at"] for entry in self.listed.get("words", ())}
        return [mutant for mutant in found if mutant.at not in words]

    def begin(self, mutant: Mutant | None) -> tuple[int, int]:
        """Fork a process that runs the cases; its id, and where its answer can be read."""
        answer, write = os.pipe()
        child = os.fork()
        if child:
            os.close(write)
            return child, answer
        told = b"?"
        try:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            signal.setitimer(signal.ITIMER_PROF, self.limit)  # ends this process if it is reached
            told = str(self._killer(mutant)).encode()
        finally:
            os.write(write, told)
            os._exit(0)

    def _killer(self, mutant: Mutant | None) -> int:
        """The place of the case that notices the mutant; -1: none does."""
        codes = dict(self.codes)
        if mutant is not None:
            path = self.sources[mutant.module]
            tree = changed(ast.parse(path.read_bytes()), mutant)
            codes[mutant.module] = compile(tree, str(path), "exec", dont_inherit=True)
        for name in self.sources:
            sys.modules.pop(name, None)
        sys.meta_path.insert(0, _InMemory(codes))
        for at, case in enumerate(self.cases):
            try:
                if cases.run(case).faults:
                    return at
            except Exception:
                return at
        return -1

    def end(self, answer: int) -> int | None:
        """What that process told: as `_killer`; None: it was ended for its time or memory."""
        with os.fdopen(answer, "rb") as file:
            told = file.read()
        return int(told) if told not in (b"", b"?") else None

    def prepare(self) -> None:
        """Run the cases without a mutant: they must hold, and tell how long they take."""
        before = os.times()
        child, answer = self.begin(None)
        told = self.end(answer)
        os.waitpid(child, 0)
        after = os.times()
        if told != -1:
            which = "their time" if told is None else self.cases[told].id
            raise SystemExit(f"{self.game}: the cases do not hold without a change: {which}")
        spent = after.children_user + after.children_system
        self.limit = SLOW * (spent - before.children_user - before.children_system) + 1

    def survivors(self, found: Sequence[Mutant], jobs: int) -> Iterator[Mutant]:
        """The mutants that no case notices; the case that noticed one is tried first next."""
        running: dict[int, tuple[Mutant, int, list[cases.Case]]] = {}
        waiting = list(reversed(found))
        while waiting or running:
            while waiting and len(running) < jobs:
                mutant = waiting.pop()
                child, answer = self.begin(mutant)
                running[child] = (mutant, answer, list(self.cases))
            child, _ = os.wait()
            mutant, answer, order = running.pop(child)
            told = self.end(answer)
            if told == -1:
                yield mutant
            elif told is not None:
                self.cases.remove(order[told])
                self.cases.insert(0, order[told])


def _listed(path: Path) -> Mapping[str, Any]:
    """`equivalent.toml`, its entries checked for their keys."""
    if not path.exists():
        return {}
    listed = tomllib.loads(path.read_text(encoding="utf-8"))
    keys = {"same": {"at", "line", "change", "why"}, "words": {"at", "why"}}
    for kind, entries in listed.items():
        for entry in entries:
            if kind not in keys or entry.keys() != keys[kind] or not entry["why"]:
                raise SystemExit(f"{path}: {kind} {entry}: expected {sorted(keys.get(kind, keys))}")
    return listed


# The command.


def check(game: str, only: Sequence[str], jobs: int) -> bool:
    """Run a game's mutants and print the survivors; whether all is accounted for."""
    suite = Suite(game)
    suite.prepare()
    found = suite.mutants(only)
    same = {(entry["at"], entry["line"], entry["change"]) for entry in suite.listed.get("same", ())}
    if only:
        same = {key for key in same if key[0].partition(".")[0] in only}
    gc.collect()
    gc.freeze()
    survivors, unfit = 0, set(same)
    alive = 0
    for mutant in suite.survivors(found, jobs):
        alive += 1
        unfit.discard(mutant.key)
        if mutant.key not in same:
            survivors += 1
            print(_entry(mutant), flush=True)
    for key in sorted(unfit):
        print(f"equivalent.toml: no mutant survives as {' | '.join(key)}")
    nothing = alive - survivors
    score = 100 * (len(found) - alive) / max(1, len(found) - nothing)
    print(
        f"{game}: {len(found)} mutants, {len(found) - alive} killed, "
        f"{nothing} change nothing, {survivors} survive: {score:.1f} %"
    )
    return not survivors and not unfit


def _entry(mutant: Mutant) -> str:
    """A survivor as an entry of `equivalent.toml`, but for the reason."""
    at, line, change = map(json.dumps, mutant.key)
    return f"[[same]]  # line {mutant.number}\nat = {at}\nline = {line}\nchange = {change}\n"


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="Which changes of the rules no rule case notices.")
    parser.add_argument("game", nargs="+", help="sugar-dog, ...")
    parser.add_argument("--module", action="append", default=[], help="these modules alone: rules")
    parser.add_argument("--jobs", type=int, default=1, help="processes at a time")
    given = parser.parse_args()
    done = [check(game, given.module, given.jobs) for game in given.game]
    sys.exit(not all(done))


if __name__ == "__main__":
    main()
