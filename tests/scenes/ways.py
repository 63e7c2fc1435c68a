"""A host and players at one table, whose files go by hand, by mail or over a repository.

Each has a machine in a simulated world (`voyage/world.py`) and types commands. What leaves arrives
at once, unless the post waits.
"""

from __future__ import annotations

import contextlib
import copy
import functools
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Protocol

from voyage.files import Files
from voyage.git import Git
from voyage.post import HOST, Post
from voyage.table import GAME, Person, Said
from voyage.world import START, Done, Machine, World, surrounded


class Way(Protocol):
    """A game that has begun, whatever carries its files."""

    waits: set[str]
    """Those whose post waits: what they send has not left yet."""

    def at(self, name: str) -> Machine:
        """Somebody's machine."""

    def run(self, name: str, *words: str) -> Done:
        """Somebody's command; what it sends arrives, unless their post waits."""

    def go(self) -> None:
        """Nobody's post waits any longer."""

    def bring_back(self) -> None:
        """The host brings back what others keep."""

    def comes(self, name: str, seat: str) -> bytes:
        """Somebody new joins under the name of that seat; their join."""


class ByHand:
    """Files that a command names are handed over, and lie beside the record when they have come."""

    def __init__(self, world: World, said: Said) -> None:
        self.table = Files(world, Random(1), said)  # noqa: S311 - nothing is drawn
        self.people = {one.name: one for one in self.table.people}
        self.waits: set[str] = set()
        self.later: list[tuple[str, str, bytes]] = []
        self.heirs: dict[str, str] = {}

    def at(self, name: str) -> Machine:
        """See Way."""
        return self.people[name].at

    def run(self, name: str, *words: str) -> Done:
        """See Way."""
        done = self.table.act(self.people[name], *words)
        # A letter that the host passes on is for whom its file is called last.
        self.table.way = [
            one for one in self.table.way
            if one[0] == "host" or "-letter-" not in one[1] or one[1].endswith(f"-{one[0]}.txt")
        ]  # fmt: skip
        heirs = self.heirs
        self.table.way += [(heirs[to], *one) for to, *one in self.table.way if to in heirs]
        if name in self.waits:
            self.later, self.table.way = self.later + self.table.way, []
        self.table.deliver_all()
        return done

    def go(self) -> None:
        """See Way."""
        self.waits, self.table.way, self.later = set(), self.later, []
        self.table.deliver_all()

    def bring_back(self) -> None:
        """See Way."""
        self.table.bring_back()
        self.table.deliver_all()

    def comes(self, name: str, seat: str) -> bytes:
        """See Way; all that the host sends to that seat comes to both."""
        self.people[name] = self.table.players[name] = Person(self.table.world, name)
        self.heirs[seat] = name
        self.run("host", "invite", "--more", name)
        offer = self.at("host").disk / f"{GAME}-invite-{name}.txt"
        if not offer.is_file():  # seats are not reserved
            offer = offer.with_name(f"{GAME}-invite.txt")
        (self.at(name).disk / "offer").write_bytes(offer.read_bytes())
        self.run(name, "join", "offer", "--name", seat, "--key", f"{name}.key", "-y")
        return (self.at(name).disk / f"{GAME}-{seat}-join.txt").read_bytes()


class ByGit:
    """A repository to which all may push; those whose post waits cannot reach it."""

    def __init__(self, world: World, said: Said) -> None:
        self.table = Git(world, Random(1), said)  # noqa: S311 - nothing is drawn
        self.people = {one.name: one for one in self.table.people}
        self.waits: set[str] = set()

    def at(self, name: str) -> Machine:
        """See Way."""
        return self.people[name].at

    def run(self, name: str, *words: str) -> Done:
        """See Way."""
        away = self.table.bare.with_suffix(".away")
        if name in self.waits:
            self.table.bare.rename(away)
        done = self.table.act(self.people[name], *words)
        if name in self.waits:
            away.rename(self.table.bare)
        return done

    def go(self) -> None:
        """See Way; they sync."""
        waited, self.waits = self.waits, set()
        for name in sorted(waited):
            self.run(name, "sync")

    def bring_back(self) -> None:
        """See Way."""
        self.table.bring_back()


class ByMail:
    """Everybody has a mailbox at one server."""

    def __init__(self, world: World, said: Said) -> None:
        self.mails = Post(world, lambda to, data: None)
        self.waits: set[str] = set()
        self.world, self.names = world, said.names
        for name in ("host", *said.names):
            self._set_up(name)
        people = [f"{name}@example.org" for name in said.names]
        options = [word for one in said.options for word in ("--option", one)]
        self._must("host", "invite", said.game, *people, *options, "--name", GAME, "-y")
        self._must("host", "sync")
        for name in said.names:
            self._joins(name, name)
        self._must("host", "sync")
        for name in said.names:
            self._must(name, "sync")

    def _set_up(self, name: str) -> None:
        for key, value in (
            ("address", f"{name}@example.org"), ("mail-in", f"imaps://{name}@{HOST}"),
            ("mail-out", f"smtps://{name}@{HOST}"), ("mail-state", "mail.state"),
        ):  # fmt: skip
            self._must(name, "config", key, value)

    def _joins(self, name: str, seat: str) -> None:
        (mail,) = self.mails.inbox(f"{name}@example.org").mails
        (self.at(name).disk / "invite.eml").write_bytes(mail.data)
        self._must(name, "join", "invite.eml", "--name", seat, "-y")

    def _must(self, name: str, *words: str) -> None:
        done = self.run(name, *words)
        assert done.code == 0, (name, words, done.told)

    def at(self, name: str) -> Machine:
        """See Way."""
        return self.world.machine(name)

    def run(self, name: str, *words: str) -> Done:
        """See Way."""
        done = self.at(name).run(*words)
        held = [one for one in self.mails.way if one.sender.partition("@")[0] in self.waits]
        self.mails.way = [one for one in self.mails.way if one not in held]
        self.mails.deliver()
        self.mails.way = held
        return done

    def go(self) -> None:
        """See Way."""
        self.waits = set()
        self.mails.deliver()

    def bring_back(self) -> None:
        """See Way; the host's mailbox keeps copies of all that was sent."""
        self._must("host", "restore", f"imaps://host@{HOST}/Adjudicated")

    def comes(self, name: str, seat: str) -> bytes:
        """See Way; the host's next sync keeps the join."""
        self._set_up(name)
        self._must("host", "invite", "--more", f"{name}@example.org")
        self._must("host", "sync")
        self._joins(name, seat)
        self._must("host", "sync")
        *_, kept = sorted(self.at("host").disk.glob(f"*.host/joins/*-{seat}.txt"))
        return kept.read_bytes()


WAYS: Mapping[str, type[ByHand | ByGit | ByMail]] = {
    "hand": ByHand, "mail": ByMail, "git": ByGit,
}  # fmt: skip
"""The ways to play, by the words with which a scene names them."""


NAMES = ("alice", "bob")


@functools.cache
def _begun(way: str, options: tuple[str, ...]) -> tuple[World, Way, Path]:
    """A game after its genesis, and a copy of all disks; not to be changed."""
    world = World(way)
    kept = Path(tempfile.mkdtemp(prefix="scenes-")) / "disks"
    with surrounded(world):
        made = WAYS[way](world, Said("sugar-dog", NAMES, options))
        world.time = START
        shutil.rmtree(world.root / "tmp")
        shutil.copytree(world.root, kept, symlinks=True)
    return world, made, kept


@contextlib.contextmanager
def begun(way: str, options: tuple[str, ...]) -> Iterator[tuple[World, Way]]:
    """A world with a game that has begun, on that way, to go on in: played once, then copied."""
    first, _, kept = (whole := _begun(way, options))
    world, made, _ = copy.deepcopy(whole, {id(first.trace): first.trace})
    if isinstance(made, ByMail):
        made.mails.serve()
    shutil.copytree(kept, world.root, symlinks=True)
    with surrounded(world):
        yield world, made
