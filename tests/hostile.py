"""`python tests/hostile.py --n N [--seed S]`: hostile input to every reader and every command.

Each case is one hostile input and one reader or command that gets it. What comes must be an answer
or a refusal of one plain line, in time that grows with the size, without a control character.
Whatever else happens is reported, with the number by which `--only` makes the case again.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import signal
import sys
import tempfile
import time
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import click
import hostile_commands
import hostile_duels
import hostile_readers
from hostile_games import Played, play
from spoil import FORGED

from games.game import OrderError
from games.options import OfferRefused
from orders.errors import Refused

REFUSALS = (Refused, OrderError, OfferRefused, click.ClickException)
"""What a reader or a command may raise."""

ENOUGH = 0.1
"""Seconds of processor time below which nothing is looked at twice."""

MOST = 30
"""Seconds of processor time after which a case is ended."""


class Hangs(BaseException):
    """A case that took too long; no `except Exception` within it may swallow this."""


@dataclass(frozen=True)
class Case:
    """One hostile input, made again in any `scale` from its number, and what reads it.

    `run` returns what is shown to a person.
    """

    what: str
    make: Callable[[int], Any]
    run: Callable[[Any], str]


def case(number: int, seed: int, games: list[Played]) -> Case:
    """The case of that number."""
    rng = Random(f"{seed}/{number}")  # noqa: S311 - cases, no secrets
    kind = rng.choices((hostile_commands, hostile_readers, hostile_duels), (4, 5, 1))[0]
    what, make, run = kind.choose(rng, games)
    chosen = rng.getrandbits(64)

    def again(scale: int) -> Any:
        return make(Random(chosen), scale)  # noqa: S311 - the same case in another size

    return Case(what, again, run)


def judge(one: Case) -> str | None:
    """What is wrong with how a case ended; None where nothing is."""
    try:
        once, fault = measured(one, 1)
        if fault is None and once > ENOUGH:
            fault = _growth(one, once)
    except Hangs:
        return f"no end within {MOST} s of processor time"
    return fault


def measured(one: Case, scale: int) -> tuple[float, str | None]:
    """Processor time of a case, and what is wrong with what it says."""
    try:
        given = one.make(scale)
    except Refused:
        return 0.0, None  # such a bundle cannot even be written
    fault = None
    with _ended_after(MOST):
        begun = time.process_time()
        try:
            shown = one.run(given)
        except REFUSALS as error:
            shown = None
            refusal = error
        except Exception as error:
            fault = f"{type(error).__name__}: {error!s:.200} at {_place(error)}"
        spent = time.process_time() - begun
    if fault is None:
        fault = _odd_refusal(refusal) if shown is None else odd(shown)
    return spent, fault


def _growth(one: Case, once: float) -> str | None:
    """Whether twice the size takes much more than twice the time, in the best of some runs."""
    twice = measured(one, 2)[0]
    for _ in range(4):
        if twice <= 3 * once:
            return None
        once, twice = min(once, measured(one, 1)[0]), min(twice, measured(one, 2)[0])
    return f"{once:.2f} s, and {twice:.2f} s for twice the size"


@contextlib.contextmanager
def _ended_after(seconds: int) -> Iterator[None]:
    """Raise Hangs after so much processor time."""

    def end(number: int, frame: object) -> None:
        raise Hangs

    before = signal.signal(signal.SIGVTALRM, end)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _place(error: BaseException) -> str:
    """Where in this program an exception came up."""
    trace, place = error.__traceback__, "?"
    while trace is not None:
        file = Path(trace.tb_frame.f_code.co_filename)
        if "tests" not in file.parts and {"adjudicator", "orders", "games"} & set(file.parts):
            place = f"{file.name}:{trace.tb_lineno}"
        trace = trace.tb_next
    return place


def odd(shown: str) -> str | None:
    """What must not reach a terminal: control characters, forged lines, faults of this program."""
    for line in shown.split("\n"):
        bad = next((one for one in line if unicodedata.category(one)[0] == "C"), None)
        if bad is not None:
            return f"control character {bad!a} in {line!a:.120}"
        if line.strip().startswith(FORGED):
            return f"forged line {line!a:.120}"
        if "this program failed" in line:
            return line[:300]
    return None


def _odd_refusal(error: Exception) -> str | None:
    """What is wrong with the words of a refusal."""
    words = f"{error}{getattr(error, 'hint', '')}"
    if not (words.isascii() and words.isprintable()):
        return f"a refusal that is no plain line: {words!a:.300}"
    return f"a refusal of {len(words)} characters: {words:.100}" if len(words) > 4_000 else None


@contextlib.contextmanager
def games() -> Iterator[list[Played]]:
    """The games that hostile inputs are made from, in a folder that goes away."""
    memory = Path("/dev/shm")  # noqa: S108 - the folder in it is this run's own
    where = memory if os.access(memory, os.W_OK) else None
    root = Path(tempfile.mkdtemp(prefix="hostile-", dir=where))
    try:
        yield play(root)
    finally:
        shutil.rmtree(root)


def run(numbers: range, seed: int, played: list[Played]) -> Iterator[tuple[int, Case, str | None]]:
    """Every case, with what is wrong with how it ended."""
    for number in numbers:
        one = case(number, seed, played)
        yield number, one, judge(one)


def main() -> int:
    """Try hostile input; exit code 1 where any was not answered as it must be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, default=1_000, help="how many cases")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", type=int, help="the one case of this number")
    asked = parser.parse_args()
    only = asked.only
    numbers = range(asked.n) if only is None else range(only, only + 1)
    kinds: Counter[str] = Counter()
    faults = 0
    begun = time.process_time()
    with games() as played:
        for number, one, fault in run(numbers, asked.seed, played):
            kinds[one.what] += 1
            if fault is not None:
                faults += 1
                print(f"{number} {one.what}: {fault}", flush=True)
    for what, count in sorted(kinds.items()):
        print(f"{count:>7} {what}")
    print(f"{sum(kinds.values())} cases, {faults} faults, {time.process_time() - begun:.0f} s")
    return 1 if faults else 0


if __name__ == "__main__":
    os.fsync = lambda handle: None
    sys.exit(main())
