"""The player of scenes.

A file of scenes is a text. A line at the left edge begins a scene and says what it holds. Below it,
by two, stand its lines:

    by hand, mail, git           the ways on which it is played; without it, all three
    with missed=resign           an option of the invite
    alice: play "start C4"       a command, as Alice types it on her machine
        accepted                   by four more: what it tells, in this order
        not late                   what it does not tell
        code 4                     its exit code, where that is not 0
    they play: alice start C4; bob start C1     these orders, an entry, and all take it in
    3 days pass
    host's clock is 4 hours ahead    or: behind, right
    host's disk is kept          and: put back, as it was then
    alice's post waits           and, for all: the post goes
    the host brings back what others have
    all sync                     every player takes in what has come
    bob is missing in entry 1    or: nobody
    orders of alice wait         what the host has accepted for the coming step; or: nobody
    entry 3 is the last          in the host's record
    (git) host: sync             a line for one way; (hand, git) for two

At its end the post goes, all take in what has come, and no copy of the game accuses anybody.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from voyage.table import GAME
from voyage.world import DAY, HOUR, Done, World

from adjudicator.core.ledger import Ledger
from adjudicator.host.folder import HostFolder
from adjudicator.store.record import Record
from orders import names
from orders.entries import read_entry

from .ways import NAMES, WAYS, Way, begun

HERE = Path(__file__).parent
SECONDS = {"minute": 60, "hour": HOUR, "day": DAY}


@dataclass
class Scene:
    """What it holds, and its lines with their numbers in the file."""

    name: str
    lines: list[tuple[int, str]] = field(default_factory=list)
    options: list[str] = field(default_factory=list)
    ways: Sequence[str] = tuple(WAYS)


def read(path: Path) -> Iterator[Scene]:
    """The scenes of a file."""
    scene = Scene("")
    for number, line in enumerate(path.read_text().splitlines(), 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        if not line.startswith(" "):
            if scene.name:
                yield scene
            scene = Scene(text)
        elif text.startswith("by "):
            scene.ways = text.removeprefix("by ").split(", ")
        elif text.startswith("with "):
            scene.options.append(text.removeprefix("with "))
        else:
            scene.lines.append((number, line))
    yield scene


class Stage:
    """One scene on one way."""

    def __init__(self, world: World, way: Way) -> None:
        self.world, self.way = world, way
        self.done = Done((), 0, "", "", 0)
        self.rest = ""
        """What the last command told, from behind what was found in it."""
        self.names = list(NAMES)
        """Who plays, or has played."""

    def line(self, text: str) -> None:
        """Do what a line says; AssertionError if it is not so."""
        self.settled()
        for pattern, act in LINES.items():
            if found := re.fullmatch(pattern, text):
                act(self, *found.groups())
                return
        raise AssertionError("no line of a scene")

    def settled(self) -> None:
        """The last command ended as it should."""
        assert self.done.code == 0, f"code {self.done.code}: {self.done.told}"

    def types(self, name: str, line: str) -> None:
        """A command."""
        self.done = self.way.run(name, *shlex.split(line))
        self.rest = " ".join(self.done.told.split())

    def tells(self, text: str) -> None:
        """What the last command told."""
        if found := re.fullmatch("code ([0-9]+)", text):
            assert self.done.code == int(found[1]), f"code {self.done.code}: {self.done.told}"
            self.done.code = 0
        elif text.startswith("not "):
            assert text.removeprefix("not ") not in " ".join(self.done.told.split())
        else:
            _, there, rest = self.rest.partition(text)
            assert there, self.done.told
            self.rest = rest

    def plays(self, orders: str) -> None:
        """A step: who plays, and what."""
        for one in orders.split("; "):
            name, line = one.split(" ", 1)
            self.types(name, f"play {shlex.quote(line)} -y")
            self.settled()
        self.types("host", "sync")
        self.settled()
        self.all_sync()

    def passes(self, number: str, unit: str) -> None:
        """Time passes."""
        self.world.time += int(number) * SECONDS[unit]

    def clock(self, name: str, number: str, unit: str, side: str) -> None:
        """Somebody's clock is wrong."""
        self.way.at(name).wrong = int(number) * SECONDS[unit] * (1 if side == "ahead" else -1)

    def right(self, name: str) -> None:
        """Somebody's clock is right."""
        self.way.at(name).wrong = 0

    def disk(self, name: str, back: str) -> None:
        """What somebody's disk holds is kept, or put back."""
        machine = self.way.at(name)
        if back == "put back":
            machine.put_back(-1)
        else:
            machine.keep_day()

    def wait(self, name: str) -> None:
        """What somebody sends waits."""
        self.way.waits.add(name)

    def go(self) -> None:
        """The post of all goes."""
        self.way.go()

    def bring_back(self) -> None:
        """The host restores what may be lost."""
        self.way.bring_back()

    def comes(self, name: str, seat: str) -> None:
        """Somebody joins as who plays already; their join lies with all."""
        join = self.way.comes(name, seat)
        for one in ("host", *self.names):
            (self.way.at(one).disk / f"{name}.join").write_bytes(join)
        self.names.append(name)

    def hands_over(self, name: str, path: str) -> None:
        """A file comes to the host, whatever way the game goes."""
        (self.way.at("host").disk / path).write_bytes((self.way.at(name).disk / path).read_bytes())

    def all_sync(self) -> None:
        """All players take in what has come."""
        for name in self.names:
            self.types(name, "sync")
            self.settled()

    @property
    def record(self) -> Record:
        (private,) = self.way.at("host").disk.glob("*.host")
        return Record(private.with_suffix(""))

    def missing(self, who: str, step: str) -> None:
        """Who is missing in an entry."""
        entry = read_entry(self.record.read(names.entry(int(step))))
        assert ", ".join(entry.missing) == who.replace("nobody", ""), entry.missing

    def orders(self, who: str) -> None:
        """Whose accepted orders the host has."""
        found = ", ".join(HostFolder(self.record.host).waiting())
        assert found == who.replace("nobody", ""), found

    def last(self, step: str) -> None:
        """How far the host's record goes."""
        assert self.record.last_step() == int(step), self.record.last_step()

    def end(self) -> None:
        """All arrives and is taken in, and nobody is accused."""
        self.settled()
        self.way.go()
        rulings = [link.entry.ruling for link in Ledger.read(self.record).links()]
        hands = any(one is not None and one.seat for one in rulings)
        for name in self.names:
            # Whoever takes a seat over may lack the first file.
            assert self.way.run(name, "sync").code in (0, 3, *[4] * hands)
            (seat,) = self.way.at(name).disk.glob("*.seat")
            done = self.way.run(name, "verify", GAME, "--seat", seat.name)
            assert done.code in (0, 3, 4), done.told


LINES: Mapping[str, Callable[..., None]] = {
    r"they play: (.*)": Stage.plays,
    r"(\w+): (.*)": Stage.types,
    r"(\d+) (minute|hour|day)s? pass(?:es)?": Stage.passes,
    r"(\w+)'s clock is (\d+) (minute|hour|day)s? (ahead|behind)": Stage.clock,
    r"(\w+)'s clock is right": Stage.right,
    r"(\w+)'s disk is (kept|put back)": Stage.disk,
    r"(\w+)'s post waits": Stage.wait,
    r"the post goes": Stage.go,
    r"the host brings back what others have": Stage.bring_back,
    r"(\w+) joins as (\w+)": Stage.comes,
    r"(\w+) hands over (\S+)": Stage.hands_over,
    r"all sync": Stage.all_sync,
    r"(nobody|[\w, ]+) (?:is|are) missing in entry (\d+)": Stage.missing,
    r"orders of (nobody|[\w, ]+) wait": Stage.orders,
    r"entry (\d+) is the last": Stage.last,
}
"""What a line may be, and what it does."""


def play(scene: Scene, way: str) -> None:
    """Play a scene on one way; AssertionError, with its line, where it is not as the scene says."""
    with begun(way, tuple(scene.options) or ("first=alice",)) as (world, made):
        stage = Stage(world, made)
        number, line, typed = 0, "", True
        try:
            for number, text in scene.lines:  # noqa: B007 - told where it is not so
                deep, alone, line = re.fullmatch(r"( *)(?:\(([\w, ]+)\) )?(.*)", text).groups()
                here = alone is None or way in alone.split(", ")
                if len(deep) == 2:
                    typed = here
                    if here:
                        stage.line(line)
                elif here and typed:
                    stage.tells(line)
            line = "the end"
            stage.end()
        except AssertionError as error:
            raise AssertionError(f"line {number}: {line}: {error}") from error
