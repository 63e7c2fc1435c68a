"""A seed becomes events, and a failure the fewest events that bring it.

Event number i draws from `SEED/i` alone, so that events can be left out and the others stay what
they were. A seed that fails is sailed again without more and more of its events, by halves, for as
long as the same promise breaks; what is left is the story to read.
"""

from __future__ import annotations

import subprocess
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Protocol

from .world import World, surrounded

LENGTH = 40
"""So many events a seed."""
MOST_SAILS = 60
"""So many times a seed is sailed again to make its failure smaller."""
SECRETS = 4
"""The promise that is asked of two worlds at once."""


class Broken(Exception):
    """A promise does not hold: its number in `promises`, and what was seen."""

    def __init__(self, promise: int, what: str) -> None:
        super().__init__(promise, what)
        self.promise, self.what = promise, what

    def __str__(self) -> str:
        return f"promise {self.promise}: {self.what}"


Event = tuple[float, Callable[[Random], None]]


class Scene(Protocol):
    """A way to play: some machines, games, and what may happen to them."""

    def events(self) -> Mapping[str, Event]:
        """What can happen, by name: how often, and what it does. The names never change."""

    def check(self, chance: Random) -> None:
        """Raise Broken where a promise does not hold now."""

    def mend(self) -> None:
        """From now on all is healthy: clocks right, lines whole, one machine for each person."""

    def finish(self) -> None:
        """Play to the end; raise Broken where that takes too long, or what is left is not true."""


@dataclass
class Log:
    """What was sailed: commands run, how often each event came, and what broke."""

    seed: str
    without: frozenset[int] = frozenset()
    turns: int = 0
    events: Counter[str] = field(default_factory=Counter)
    story: list[str] = field(default_factory=list)
    broken: Broken | None = None
    trace: str = ""

    @property
    def again(self) -> str:
        """How to sail it once more."""
        some = ",".join(map(str, sorted(self.without)))
        return f"python -m tests.voyage --seed {self.seed}" + (f" --without {some}" if some else "")


def drawn(scene: Scene, seed: str, number: int) -> tuple[str, Callable[[Random], None], Random]:
    """An event of a seed by its number: its name, what it does, and the chance it draws from."""
    chance = Random(f"{seed}/{number}")  # noqa: S311 - draws what happens
    events = scene.events()
    name = chance.choices(list(events), [often for often, _ in events.values()])[0]
    return name, events[name][1], chance


def sail(
    seed: str, scene: Callable[[World, Random], Scene], without: frozenset[int] = frozenset(),
    length: int = LENGTH,
) -> Log:  # fmt: skip
    """One seed, to the end or to what breaks."""
    log = Log(seed, without)
    with surrounded(World(seed)) as world:
        try:
            made = scene(world, Random(f"{seed}/begin"))  # noqa: S311 - draws what happens
            for number in range(length):
                if number in without:
                    continue
                name, act, chance = drawn(made, seed, number)
                log.events[name] += 1
                log.story.append(f"{number}: {name}")
                act(chance)
                made.check(chance)
            log.story.append("mended")
            made.mend()
            made.finish()
        except Broken as error:
            log.broken = error
        log.turns = world.commands
        log.events += world.counts
        log.trace = world.trace.hexdigest()
    return log


def smaller(log: Log, scene: Callable[[World, Random], Scene], length: int = LENGTH) -> Log:
    """The same failure with as few events as this finds in some dozens of sails."""
    assert log.broken is not None
    best, size, left = log, length // 2, MOST_SAILS
    while size and left:
        for first in range(0, length, size):
            without = best.without | set(range(first, first + size))
            if without == best.without or not left:
                continue
            left -= 1
            tried = sail(log.seed, scene, without, length)
            if tried.broken is not None and tried.broken.promise == log.broken.promise:
                best = tried
        size //= 2
    return best


def commit() -> str:
    """The commit that is sailed."""
    here = Path(__file__).parent
    done = subprocess.run(
        ["git", "-C", str(here), "describe", "--always", "--dirty"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.stdout.strip() or "unknown"
