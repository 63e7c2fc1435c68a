"""One hosted game and the people at it, whatever carries their files."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import games
from adjudicator.core.ledger import Ledger
from adjudicator.player.seat import Seat
from adjudicator.player.seated import Seated
from adjudicator.store.record import Record
from adjudicator.words.form import in_one_line
from games.dice import Dice
from orders import names
from orders.documents import Receipt, read_receipt
from orders.entries import AnyEntry, Entry, Reveal, read_entry
from orders.errors import Refused
from orders.keys import write_key
from orders.secrets import derive

from .promises import Seen, moves_only
from .sail import Broken
from .world import DAY, Done, Machine, World

PLAYERS = ("alice", "bob", "carol", "dave", "erin")
GAMES = ("sugar-dog", "sugar-dog", "silent-ships", "submarine-warfare")
GAME = "friday"
NAMED = re.compile(rf"\b{GAME}-[\w.-]*\.txt\b")
"""A file that a command names, for somebody else."""
PRESS = ("public", "private", "anonymous")
TALKS = 0.4
"""In so many seeds people write to each other."""


class Person:
    """The host or a player, with one machine or more, of which one is in use."""

    def __init__(self, world: World, name: str) -> None:
        self.world, self.name = world, name
        self.machines = [world.machine(name)]
        self.at = self.machines[0]
        self.key = f"{name}.key"
        write_key(self.at.disk / self.key, name, derive(bytes(32), f"key/{name}"))

    @property
    def record(self) -> Record:
        """The record on the machine in use."""
        return Record(self.at.disk / GAME)

    def last(self) -> int:
        """The last entry there, -1 for none."""
        step = self.record.last_step()
        return -1 if step is None else step

    def seat(self) -> Seat:
        """A player's seat."""
        return Seat.open(self.at.disk / f"{self.name}.seat")

    def another(self) -> None:
        """Go on at another machine, which has a copy of this one's disk: the third is the first."""
        if len(self.machines) < 2:
            self.machines.append(self.at.twin(f"{self.at.name}{len(self.machines)}"))
        self.at = next(one for one in self.machines if one is not self.at)


def consented(machine: Machine, run: Callable[..., Done], join: bytes, game: str) -> bytes | None:
    """The consent of who leaves a seat to who wrote that join; None if they cannot give it."""
    (machine.disk / "heir.txt").write_bytes(join)
    done = run("consent", "heir.txt", "-g", game, "-o", "consent.txt")
    path = machine.disk / "consent.txt"
    data = path.read_bytes() if done.code == 0 else None
    (machine.disk / "heir.txt").unlink()
    path.unlink(missing_ok=True)
    return data


def hand_on(
    machine: Machine, run: Callable[..., Done], join: bytes, consent: bytes | None, game: str
) -> Done:
    """The host gives a seat to who wrote that join."""
    held = {"heir.txt": join} if consent is None else {"heir.txt": join, "consent.txt": consent}
    for name, data in held.items():
        (machine.disk / name).write_bytes(data)
    words = ("--consent", "consent.txt") if consent is not None else ()
    done = run("rule", "--hand-on", "heir.txt", *words, "--reason", "so", "-g", game, "-y")
    for name in held:
        (machine.disk / name).unlink()
    return done


@dataclass(frozen=True)
class Said:
    """A table that chance does not draw: its game, who plays, and the invite's options."""

    game: str
    names: Sequence[str]
    options: Sequence[str]


class Table:
    """A game, its host and its players; without what is `said`, `chance` draws them."""

    def __init__(self, world: World, chance: Random, said: Said | None = None) -> None:
        self.world = world
        self.game = games.load(chance.choice(GAMES) if said is None else said.game)
        if said is None:
            most = chance.choice((2, 2, 2, 3, 4, 5)) if self.game.id == "sugar-dog" else 2
            names = PLAYERS[:most]
        else:
            names = said.names
        self.players = {name: Person(world, name) for name in names}
        self.host = Person(world, "host")
        self.calls: dict[str, int] = {}
        self.seen = Seen()
        self.away: set[str] = set()
        self.looked: dict[Path, tuple[int, ...]] = {}
        self.talks = said is None and world.draws("press", TALKS)
        self.terms = ("--option", f"press={chance.choice(PRESS)}") if self.talks else ()
        if said is not None:
            self.terms = tuple(word for one in said.options for word in ("--option", one))
        """What the invite says besides."""

    @property
    def people(self) -> list[Person]:
        """All of them, the host first."""
        return [self.host, *self.players.values()]

    def player(self, chance: Random) -> Person:
        """Any of the players."""
        return self.players[chance.choice(sorted(self.players))]

    def person(self, chance: Random) -> Person:
        """Anybody."""
        return chance.choice(self.people)

    # What people do.

    def run(self, person: Person, *words: str, ends: Random | None = None, **named: str) -> Done:
        """A command at the machine in use; with `ends` its process ends early, one time of five, or
        its disk is full."""
        usual = self.calls.get(words[0], 40)
        at = None
        if ends is not None and ends.random() < 0.2:
            at = 1 + ends.randrange(usual)
        fills = ends is not None and at is not None and ends.random() < 0.15
        cut = ends is not None and at is not None and ends.random() < 0.3
        done = person.at.run(
            *words, ends_at=None if fills else at, fills_at=at if fills else None, cut=cut, **named
        )
        if done.code is not None:
            self.calls[words[0]] = max(1, done.calls)
        said = " ".join(done.words)
        if done.code not in (None, 0, 1, 2, 3, 4) or "Traceback" in done.told:
            raise Broken(5, f"{person.name}: {said}: code {done.code}: {done.told[-600:]}")
        if done.code and not done.told.strip():
            raise Broken(5, f"{person.name}: {said}: code {done.code}, and not a word")
        return done

    def line(self, person: Person, seed: bytes, bot: str = "random") -> str | None:
        """Orders of a bot that knows the last report at this player's machine; None if they are not
        awaited there, or know nothing."""
        try:
            seated = Seated(person.record, person.seat())
            if person.name not in seated.last.clocks.awaited:
                return None
            report = seated.report()
        except (Refused, OSError):
            return None
        made = self.game.bots[bot](person.name)
        made.hear(report.view, report.events)
        return in_one_line(made.order(Dice(seed)).orders)

    def order(self, chance: Random, person: Person | None = None) -> Done | None:
        """A player plays, if it is their turn as far as they know."""
        who = self.player(chance) if person is None else person
        if who.name in self.away:
            return None
        line = self.line(who, chance.randbytes(8))
        if line is None:
            return None
        return self.run(who, "play", line, "-g", GAME, "-y", ends=chance)

    def say(self, chance: Random) -> None:
        """Somebody writes a message."""
        who = self.person(chance)
        to = chance.choice([one for one in ("host", "all", *self.players) if one != who.name])
        hidden = ("--anonymous",) if "anonymous" in self.terms[-1] and chance.random() < 0.5 else ()
        if who.name not in self.away and (who is not self.host or self.knows()):
            words = ("hello", "--to", to, *(() if who is self.host else hidden))
            self.act(who, "say", *words, "-g", GAME, ends=chance)

    def knows(self) -> bool:
        """Whether the host's machine has what it signed."""
        raise NotImplementedError

    def act(self, person: Person, *words: str, ends: Random | None = None) -> Done:
        """A command, whose person hands over the files that it names."""
        raise NotImplementedError

    # What happens to machines.

    def day(self, chance: Random) -> None:
        """A day or more pass, at whose beginning all disks are kept."""
        for person in self.people:
            for machine in person.machines:
                machine.keep_day()
        self.world.time += chance.choice((DAY // 4, DAY, DAY, 4 * DAY))

    def clocks(self, chance: Random) -> None:
        """Somebody's clock is wrong by minutes, days or years, or jumps."""
        machine = self.person(chance).at
        if chance.random() < 0.3:
            machine.strobe = chance.choice((60, 3 * DAY))
        else:
            span = chance.choice((300, DAY // 2, 5 * DAY, 100 * DAY, 1000 * DAY))
            machine.wrong = chance.choice((-1, 1)) * span

    def right(self, _: Random) -> None:
        """All clocks are right."""
        for person in self.people:
            for machine in person.machines:
                machine.wrong = machine.strobe = 0

    def leave(self, chance: Random) -> None:
        """A player does nothing for a while, or is back."""
        self.away ^= {self.player(chance).name}

    # What must hold.

    def look(self, person: Person) -> None:
        """Look through the disks of a player for what the host signed."""
        for machine in person.machines:
            seat = f"{person.name}.seat"
            for folder, name in ((GAME, "slips"), (GAME, "entries"), (seat, "receipts")):
                for path in sorted((machine.disk / folder / name).glob("*.toml")):
                    stat = path.stat()
                    mark = (stat.st_ino, stat.st_mtime_ns, stat.st_size)
                    if not path.name.startswith(".") and self.looked.get(path) != mark:
                        self.looked[path] = mark
                        self.seen.files({f"{name}/{path.name}": path.read_bytes()})

    def check(self, chance: Random) -> None:
        """See Scene."""
        for person in self.players.values():
            self.look(person)
        self.seen.check()
        person = self.person(chance)
        if chance.random() < 0.5 and person.last() >= 0:
            self.verified(person)

    def verified(self, person: Person) -> Done:
        """Somebody verifies what is on their machine, with their seat: that accuses nobody."""
        own = (person.at.disk / f"{person.name}.seat").is_dir()
        words = ("--seat", f"{person.name}.seat") if own else ()
        done = self.run(person, "verify", GAME, *words)
        if done.code == 1:
            raise Broken(3, f"{person.name}: {' '.join(done.words)}: {done.told[-900:]}")
        return done

    def kept(self, before: int, lay: Collection[tuple[str, int]]) -> None:
        """Raise Broken if an entry that the host made after that one calls somebody missing whose
        orders lay where the host looked: player and step of all that lay."""
        entries = [self.entry(step) for step in range(self.host.last() + 1)]
        for entry in entries[before + 1 :]:
            if isinstance(entry, Entry) and entry.missing:
                at = entry.step - 1
                while at and moves_only(entries[at]):
                    at -= 1
                if lost := [one for one in entry.missing if (one, at + 1) in lay]:
                    raise Broken(2, f"{lost} missing in entry {entry.step}, whose orders lay there")

    def entry(self, step: int) -> AnyEntry:
        """An entry of the host's record."""
        return read_entry(self.host.record.read(names.entry(step)))

    def promised(self) -> list[Receipt]:
        """The receipts that players hold of orders that were accepted."""
        places = [
            machine.disk / f"{person.name}.seat" / "receipts"
            for person in self.players.values() for machine in person.machines
        ]  # fmt: skip
        paths = [path for place in places for path in sorted(place.glob("*.toml"))]
        found = [read_receipt(path.read_bytes()) for path in paths]
        return [one for one in found if one.status == "accepted"]

    def receipts(self) -> set[tuple[str, int]]:
        """Player and step of all orders of which a player holds a receipt that accepts."""
        return {(one.player, one.step) for one in self.promised()}

    # The end.

    def mend(self) -> None:
        """See Scene."""
        for person in self.people:
            for machine in person.machines:
                machine.wrong = machine.strobe = 0
        self.away = set()

    def finish(self) -> None:
        """See Scene."""
        quiet = 0
        for turn in range(60):
            before = self.host.last()
            awaited = set() if before < 0 else self.ledger().last.clocks.awaited
            for name, person in self.players.items():
                self.take_in(person)
                line = self.line(person, b"%d" % turn, "mate") if name in awaited else None
                if line is not None and turn > 1:
                    line = line if turn < 6 else "resign"
                    self.run(person, "play", line, "-g", GAME, "-y")
                    self.handed(person)
            self.go_on(quiet)
            self.check(self.world.chance)
            for person in self.players.values() if turn == 1 else ():
                self.take_in(person)
                self.answered(person)
            quiet = 0 if self.host.last() > before else quiet + 1
            if self.over():
                break
            if quiet > 6:
                raise Broken(6, f"all is healthy, and the game stands at {before}: {self.said()}")
        else:
            raise Broken(6, "the game does not end")
        for turn in range(3):
            for person in self.players.values():
                self.take_in(person)
            self.go_on(turn)
        for person in self.people:
            done = self.verified(person)
            if done.code not in (0, 3):
                raise Broken(3, f"{person.name} at the end: {done.told[-600:]}")
        self.idle()

    def take_in(self, person: Person) -> Done:
        """A player takes in what came, when all is healthy."""
        return self.run(person, "sync", "-g", GAME)

    def answered(self, person: Person) -> None:
        """Raise Broken if the host has not answered the orders that somebody's seat holds."""
        last = self.ledger().last
        held = person.seat().orders()
        if not held or held[-1].slip.step != last.since + 1 or last.over:
            return
        slip = held[-1].file.digest
        if all(read_receipt(one.data).slip != slip for one in person.seat().receipts()):
            said = " | ".join(
                self.run(one, "status", "-g", GAME).told for one in (person, self.host)
            )
            raise Broken(5, f"{person.name}'s last orders get no receipt: {said}")

    def handed(self, person: Person) -> None:
        """What a player's command left for others leaves."""

    def go_on(self, quiet: int) -> None:
        """The host's turn when all is healthy, as the program says; for so many turns nothing
        happened."""
        raise NotImplementedError

    def state(self) -> object:
        """What must not grow: by person how many files and bytes they hold."""
        out = {}
        for person in self.people:
            found = [path for path in person.at.disk.rglob("*") if path.is_file()]
            out[person.name] = len(found), sum(path.stat().st_size for path in found)
        return out

    def idle(self) -> None:
        """Turns with nothing to do leave everything as it is."""
        found = []
        for _ in range(3):
            for person in self.players.values():
                self.take_in(person)
            self.go_on(0)
            found.append(self.state())
        if found[1] != found[2]:
            raise Broken(7, f"idle turns leave something: {found[1]} then {found[2]}")

    def ledger(self) -> Ledger:
        """The host's record, verified."""
        return Ledger.read(self.host.record)

    def over(self) -> bool:
        """Whether everything is revealed."""
        return self.host.last() >= 0 and isinstance(self.ledger().last.entry, Reveal)

    def said(self) -> str:
        """What everybody is told."""
        return " | ".join(self.run(one, "status", "-g", GAME).told[-400:] for one in self.people)
