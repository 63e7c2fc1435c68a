"""One hosted game and the people at it, whatever carries their files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import games
from adjudicator.cli.prompt import in_one_line
from adjudicator.core.ledger import Ledger
from adjudicator.player.seat import Seat
from adjudicator.player.seated import Seated
from adjudicator.store.record import Record
from games.dice import Dice
from orders.documents import read_receipt
from orders.errors import Refused
from orders.keys import write_key
from orders.secrets import derive

from . import promises
from .sail import Broken
from .world import DAY, Done, Machine, World

PLAYERS = ("alice", "bob", "carol", "dave", "erin")
GAMES = ("sugar-dog", "sugar-dog", "silent-ships", "submarine-warfare")
GAME = "friday"


class Person:
    """The host or a player, with one machine or more, of which one is in use."""

    def __init__(self, world: World, name: str) -> None:
        self.world, self.name = world, name
        self.machines = [world.machine(name)]
        self.at = self.machines[0]
        write_key(self.at.disk / f"{name}.key", name, derive(bytes(32), f"key/{name}"))

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
            self.machines.append(self.at.twin(f"{self.name}{len(self.machines)}"))
        self.at = next(one for one in self.machines if one is not self.at)


class Table:
    """A game, its host and its players."""

    def __init__(self, world: World, chance: Random) -> None:
        self.world = world
        self.game = games.load(chance.choice(GAMES))
        most = chance.choice((2, 2, 2, 3, 4, 5)) if self.game.id == "sugar-dog" else 2
        self.players = {name: Person(world, name) for name in PLAYERS[:most]}
        self.host = Person(world, "host")
        self.calls: dict[str, int] = {}
        self.seen = promises.Seen()
        self.away: set[str] = set()
        self.looked: dict[Path, tuple[int, ...]] = {}

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
        done = person.at.run(
            *words, ends_at=None if fills else at, fills_at=at if fills else None, **named
        )
        if done.code is not None:
            self.calls[words[0]] = max(1, done.calls)
        promises.told(done)
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
        return in_one_line(made.order(Dice(seed)))

    def order(self, chance: Random, person: Person | None = None) -> Done | None:
        """A player plays, if it is their turn as far as they know."""
        who = self.player(chance) if person is None else person
        if who.name in self.away:
            return None
        line = self.line(who, chance.randbytes(8))
        if line is None:
            return None
        return self.run(who, "play", line, "-g", GAME, "-y", ends=chance)

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

    def look(self, person: Person, *, entries: bool = True) -> None:
        """Look through the disks of a person for what the host signed."""
        for machine in person.machines:
            root = machine.disk / GAME
            if entries and (root / "entries").is_dir():
                self._each(
                    root / "entries", ".toml",
                    lambda path, data: self.seen.entry("", int(path.stem), data, str(path)),
                )  # fmt: skip
            seat = machine.disk / f"{person.name}.seat" / "receipts"
            if seat.is_dir():
                self._each(
                    seat, ".toml", lambda path, data: self.seen.receipt(data, str(path))
                )

    def _each(self, folder: Path, ending: str, do: Callable[[Path, bytes], None]) -> None:
        """Do that for each file in a folder that is new since the last look."""
        for path in sorted(folder.glob(f"*{ending}")):
            if path.name.startswith("."):
                continue
            stat = path.stat()
            mark = (stat.st_ino, stat.st_mtime_ns, stat.st_size)
            if self.looked.get(path) == mark:
                continue
            self.looked[path] = mark
            do(path, path.read_bytes())

    def verified(self, person: Person, seat: Person | None = None) -> Done:
        """A person verifies what is on their machine, with a player's seat, if it is theirs."""
        own = seat is not None and (person.at.disk / f"{seat.name}.seat").is_dir()
        words = ("--seat", f"{seat.name}.seat") if own and seat is not None else ()
        done = self.run(person, "verify", GAME, *words)
        promises.honest(done, person.name)
        return done

    def drawn(self, chance: Random) -> None:
        """Somebody verifies what they have."""
        person = self.person(chance)
        if person.last() >= 0:
            self.verified(person, None if person is self.host else person)

    def kept_promises(self, entries: range, there: set[tuple[str, int]]) -> None:
        """No entry among these calls anybody missing whose orders were `there`: name and step."""
        if not entries:
            return
        try:
            ledger = Ledger.read(self.host.record)
        except Refused:
            return
        for step in entries:
            entry = ledger.link(step).entry
            since = ledger.link(step - 1).since if step else 0
            lost = [
                name for name in getattr(entry, "missing", ())
                if any((name, one) in there for one in range(since + 1, step + 1))
            ]  # fmt: skip
            if lost:
                raise Broken(2, f"entry {step}: missing {lost}, whose orders were there")

    def receipts(self) -> set[tuple[str, int]]:
        """Who holds a receipt that accepts orders, and for which step."""
        held = set()
        for person in self.players.values():
            for machine in person.machines:
                place = machine.disk / f"{person.name}.seat" / "receipts"
                for path in place.glob("*.toml") if place.is_dir() else ():
                    one = read_receipt(path.read_bytes())
                    if one.status == "accepted":
                        held.add((person.name, one.step))
        return held

    def size(self) -> dict[str, tuple[int, int]]:
        """How many files and bytes each machine in use holds."""
        out = {}
        for person in self.people:
            found = [path for path in person.at.disk.rglob("*") if path.is_file()]
            out[person.name] = (len(found), sum(path.stat().st_size for path in found))
        return out
