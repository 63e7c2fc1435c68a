"""A game whose files people hand on as they like: a post that loses, doubles, delays, reorders,
spoils and hands to the wrong person.

What is promised where: over files alone a machine of the host's that was put back to an older day
cannot know what it signed since. So its host first brings back what others have (`restore`), as
the pages say: copies, seats, and all that was ever handed over. The same holds for a host who
unpacks a backup.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Mapping
from functools import partial
from random import Random
from unittest import mock

from orders.fields import digest
from orders.keys import write_key
from orders.secrets import derive

from .sail import Broken, Event
from .table import GAME, NAMED, Person, Said, Table, consented, hand_on
from .world import DAY, Done, World

ORDER = re.compile(rf"{GAME}-([a-z]+)-([0-9]{{4}})-[0-9]+[.]txt")
NO_REPORT = re.compile("NO REPORT of entry ([0-9]+)")
INBOX = "in"
SAFE = "kept.safe"


class Files(Table):
    """The scene."""

    def __init__(self, world: World, chance: Random, said: Said | None = None) -> None:
        super().__init__(world, chance, said)
        self.way: list[tuple[str, str, bytes]] = []
        """What is under way: to whom, its name, and what it holds."""
        self.carried: dict[str, bytes] = {}
        """All that was ever handed over, by its digest."""
        self.orders: dict[str, tuple[str, int]] = {}
        """Player and step of the orders that left, by the digest of their file."""
        self.old = False
        """Whether the host's machine may lack what it signed."""
        self.safes: dict[str, bytes] = {}
        self.heirs = 0
        self.begin()

    def begin(self) -> None:
        """The host invites, all join, and the game begins."""
        named = ("--key", "host.key", "-o", GAME, "--name", GAME, *self.terms)
        reserved = self.world.chance.random() < 0.6
        self.act(
            self.host, "invite", self.game.id, *(self.players if reserved else ()), *named, "-y"
        )
        self.deliver_all()
        for name, person in self.players.items():
            offer = f"{GAME}-invite-{name}.txt" if reserved else f"{GAME}-invite.txt"
            done = self.act(person, "join", offer, "--name", name, "--key", f"{name}.key", "-y")
            assert done.code == 0, done.told
        self.deliver_all()
        self.act(self.host, "sync", "-g", GAME)
        done = self.act(self.host, "start", *self.players, "-y", "-g", GAME)
        assert done.code == 0, done.told
        self.deliver_all()
        for person in self.players.values():
            self.act(person, "sync", "-g", GAME)
        self.day(self.world.chance)

    # The post.

    def act(self, person: Person, *words: str, ends: Random | None = None) -> Done:
        """See Table."""
        done = self.run(person, *words, ends=ends)
        for name in dict.fromkeys(NAMED.findall(done.out)):
            path = person.at.disk / name
            if path.is_file():
                self.hand_over(person, name, path.read_bytes())
        return done

    def hand_over(self, person: Person, name: str, data: bytes) -> None:
        """A file leaves for whom it is."""
        self.carried[digest(data)] = data
        if person is not self.host:
            self.way.append(("host", name, data))
            if (found := ORDER.fullmatch(name)) is not None and found[1] == person.name:
                self.orders[digest(data)] = (found[1], int(found[2]))
            return
        to = [one for one in self.players if one in re.split("[-.]", name)]
        self.way += [(one, name, data) for one in to or self.players]

    def arrive(self, to: str, name: str, data: bytes, *, aside: bool = False) -> None:
        """A file is saved at somebody's machine: beside the record, or to be taken by hand."""
        person = self.host if to == "host" else self.players[to]
        folder = person.at.disk / INBOX if aside else person.at.disk
        folder.mkdir(exist_ok=True)
        (folder / name).write_bytes(data)
        self.world.counts["files delivered"] += 1

    def deliver_all(self) -> None:
        """Everything arrives."""
        for one in self.way:
            self.arrive(*one)
        self.way = []

    def post(self, chance: Random) -> None:
        """Some of it arrives, in any order, some of it twice, spoilt, elsewhere or never."""
        some = [one for one in self.way if chance.random() < 0.7]
        chance.shuffle(some)
        for one in some:
            to, name, data = one
            fate = chance.random()
            if fate >= 0.1:
                self.way.remove(one)
            if 0.1 <= fate < 0.14:
                self.world.counts["files lost"] += 1
                continue
            if 0.14 <= fate < 0.18:
                to = chance.choice(["host", *self.players])
                self.world.counts["files to the wrong person"] += 1
            if 0.18 <= fate < 0.22:
                at = chance.randrange(len(data))
                data = data[:at] + data[at + 1 + chance.randrange(30) :]
                self.world.counts["files spoilt"] += 1
            if fate < 0.1:
                self.world.counts["files doubled"] += 1
                name = f"{name.removesuffix('.txt')}-again.txt" if fate < 0.05 else name
            self.arrive(to, name, data, aside=chance.random() < 0.4)

    def post_all(self, _: Random) -> None:
        """All that is under way arrives."""
        self.deliver_all()

    # Events.

    def events(self) -> Mapping[str, Event]:
        """See Scene."""
        return {
            "order": (26, self.ordered),
            "sync of a player": (12, self.synced),
            "files are taken": (14, self.taken),
            "sync of the host": (20, self.some_host_sync),
            "late sync of the host": (8, self.late),
            "some files arrive": (20, self.post),
            "all files arrive": (12, self.post_all),
            "all goes well": (4, self.well),
            "another machine of a player": (3, self.other),
            "a disk is put back": (5, self.old_disk),
            "a backup": (2, self.backup),
            "a machine from a backup": (3, self.from_backup),
            "a clock is wrong": (3, self.clocks),
            "clocks are right": (3, self.right),
            "days pass": (5, self.day),
            "a player is away": (2, self.leave),
            "a ruling": (3, self.rule),
            "a seat is handed on": (3, self.hand_on),
            "an entry again": (5, self.resend),
            "a look": (3, self.status),
            "a message": (5 * self.talks, self.say),
        }

    def ordered(self, chance: Random) -> None:
        """A player writes orders, if they are awaited as far as they know."""
        who = self.player(chance)
        line = None if who.name in self.away else self.line(who, chance.randbytes(8))
        if line is not None:
            self.act(who, "play", line, "-g", GAME, "-y", ends=chance)

    def synced(self, chance: Random) -> None:
        """A player syncs."""
        who = self.player(chance)
        if who.name not in self.away:
            self.act(who, "sync", "-g", GAME, ends=chance)

    def taken(self, chance: Random) -> None:
        """Somebody takes in by hand what came."""
        who = self.person(chance)
        folder = who.at.disk / INBOX
        found = sorted(one.name for one in folder.glob("*.txt")) if folder.is_dir() else []
        if not found or (who is self.host and not self.knows()):
            return
        done = self.act(who, "take", *(f"{INBOX}/{one}" for one in found), "-g", GAME, ends=chance)
        if done.code is not None and "[clock]" not in done.told and "busy" not in done.told:
            shutil.rmtree(folder)

    def knows(self) -> bool:
        """See Table; what it may lack is brought back first."""
        if self.old:
            self.bring_back()
        return not self.old

    def lays(self) -> set[tuple[str, int]]:
        """Player and step of the orders that lie where the host looks now, or are accepted."""
        root = self.host.at.disk
        places = [*root.glob("*.txt"), *(root / f"{GAME}.host" / "inbox").glob("[0-9]*.txt")]
        lay = self.receipts()
        for path in places:
            held = self.orders.get(digest(path.read_bytes()))
            if path.parent.name == "inbox":
                step, name, _ = path.stem.split("-")
                held = (name, int(step))
            if held is not None:
                lay.add(held)
        return lay

    def hosted(self, chance: Random | None, *more: str) -> Done | None:
        """The host's sync; None if the host still gathers what was lost."""
        if not self.knows():
            return None
        before, lay = self.host.last(), self.lays()
        done = self.act(self.host, "sync", "-g", GAME, *more, ends=chance)
        self.kept(before, lay)
        return done

    def some_host_sync(self, chance: Random) -> None:
        """The host syncs."""
        self.hosted(chance)

    def late(self, chance: Random) -> None:
        """The deadline passes, and the host waits no longer."""
        self.world.time += chance.choice((4 * DAY, 4 * DAY, 11 * DAY))
        self.hosted(chance, "--late")

    def well(self, chance: Random) -> None:
        """For once, a player's letter and its answer travel well: then they have a receipt."""
        who = self.player(chance)
        if self.old or who.name in self.away:
            return
        self.deliver_all()
        self.act(who, "sync", "-g", GAME)
        self.deliver_all()
        host = self.hosted(None)
        self.deliver_all()
        done = self.act(who, "sync", "-g", GAME)
        if host is not None and host.code == done.code == 0 and who.last() == self.host.last():
            self.answered(who)

    def other(self, chance: Random) -> None:
        """A player goes on at another machine."""
        self.player(chance).another()

    def old_disk(self, chance: Random) -> None:
        """Somebody's disk is as on an earlier day."""
        person = self.person(chance)
        if person.at.days:
            del person.at.days[1 + chance.randrange(len(person.at.days)) :]
            person.at.put_back(-1)
            self.looked = {}
            self.old |= person is self.host

    def bring_back(self) -> None:
        """The host gathers what players have, and what was handed over."""
        folder = self.host.at.disk / "gathered"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for person in self.players.values():
            for machine in person.machines:
                for what in (GAME, f"{person.name}.seat"):
                    if (machine.disk / what).is_dir():
                        shutil.copytree(machine.disk / what, folder / f"{machine.name}-{what}")
        for number, data in enumerate(self.carried.values()):
            (folder / f"{number}.txt").write_bytes(data)
        done = self.act(self.host, "restore", "-g", GAME, "gathered")
        self.world.counts["restored from players"] += 1
        shutil.rmtree(folder)
        self.old = done.code != 0

    def safe(self, person: Person, *words: str) -> Done:
        """A command that asks for a passphrase."""
        path = self.world.root / "passphrase"
        path.write_text("correct horse battery staple\n")
        with mock.patch.dict(os.environ, ADJUDICATOR_PASSPHRASE_FILE=str(path)):
            return self.run(person, *words)

    def backup(self, chance: Random) -> None:
        """Somebody backs up by the program's own command."""
        person = self.person(chance)
        (person.at.disk / SAFE).unlink(missing_ok=True)
        done = self.safe(person, "backup", "-g", GAME, "-o", SAFE)
        if done.code == 0:
            self.safes[person.name] = (person.at.disk / SAFE).read_bytes()

    def from_backup(self, chance: Random) -> None:
        """Somebody's machine is gone, and they unpack their backup on an empty one."""
        person = self.person(chance)
        kept = self.safes.get(person.name)
        if kept is None:
            return
        key = (person.at.disk / person.key).read_bytes()
        shutil.rmtree(person.at.disk)
        person.at.disk.mkdir()
        (person.at.disk / person.key).write_bytes(key)
        (person.at.disk / person.key).chmod(0o600)
        (person.at.disk / SAFE).write_bytes(kept)
        done = self.safe(person, "restore", SAFE)
        self.looked = {}
        self.old |= person is self.host
        if done.code:
            raise Broken(5, f"{person.name}'s backup does not come back: {done.told}")

    def rule(self, chance: Random) -> None:
        """The host rules."""
        act, last = chance.random(), self.host.last()
        if not self.knows() or last < 0:
            return
        if act < 0.6:
            what = ("--until", "9d")
        elif act < 0.9 and last > 0:
            what = ("--annul", str(1 + chance.randrange(last)))
        else:
            return
        self.act(self.host, "rule", *what, "--reason", "so", "-g", GAME, "-y", ends=chance)

    def hand_on(self, chance: Random) -> None:
        """A player leaves, with their consent or without, and somebody else takes the seat."""
        person = self.player(chance)
        if self.heirs > 2 or not self.knows() or self.over():
            return
        self.heirs += 1
        heir = f"heir{self.heirs}"
        done = self.run(self.host, "invite", "--more", heir, "-g", GAME)
        offer = self.host.at.disk / f"{GAME}-invite-{heir}.txt"
        if done.code or not offer.is_file():
            # Where seats are not reserved nobody takes one over.
            return
        machine = self.world.machine(heir)
        write_key(machine.disk / f"{heir}.key", heir, derive(bytes(32), heir))
        (machine.disk / "invite.txt").write_bytes(offer.read_bytes())
        named = ("--name", person.name, "--key", f"{heir}.key")
        joined = machine.run("join", "invite.txt", *named, "-y")
        name = f"{GAME}-{person.name}-join.txt"
        if joined.code or not (machine.disk / name).is_file():
            raise Broken(5, f"the heir cannot join: {done.told} {joined.told}")
        data = (machine.disk / name).read_bytes()
        agrees = chance.random() < 0.6
        leave, rule = partial(self.run, person), partial(self.act, self.host, ends=chance)
        consent = consented(person.at, leave, data, GAME) if agrees else None
        before = self.host.last()
        hand_on(self.host.at, rule, data, consent, GAME)
        if self.host.last() == before:
            return
        self.world.counts["seats handed on"] += 1
        person.machines, person.at, person.key = [machine], machine, f"{heir}.key"
        self.safes.pop(person.name, None)
        self.all_again(person)

    def all_again(self, person: Person) -> None:
        """The host sends somebody every entry that they lack."""
        for step in range(person.last() + 1, self.host.last() + 1):
            self.act(self.host, "resend", person.name, str(step), "-g", GAME)

    def resend(self, chance: Random) -> None:
        """A player asks for what they lack, or the host sends one more time what they have."""
        person = self.player(chance)
        step = min(person.last() + 1, self.host.last())
        if chance.random() < 0.3 and step > 0:
            step = chance.randrange(step)
        if step >= 0 and not self.old:
            self.act(self.host, "resend", person.name, str(step), "-g", GAME, ends=chance)

    def status(self, chance: Random) -> None:
        """Somebody looks."""
        self.run(self.person(chance), chance.choice(("status", "show", "log")), "-g", GAME)

    # The end.

    def mend(self) -> None:
        """See Scene."""
        super().mend()
        self.way = []
        for person in self.people:
            shutil.rmtree(person.at.disk / INBOX, ignore_errors=True)

    def take_in(self, person: Person) -> Done:
        """See Table; a report that went to somebody else is asked for, as the player is told."""
        done = self.act(person, "sync", "-g", GAME)
        for step in [] if self.old else NO_REPORT.findall(done.told):
            self.act(self.host, "resend", person.name, step, "-g", GAME)
        self.deliver_all()
        return done

    def handed(self, person: Person) -> None:
        """See Table."""
        self.act(person, "sync", "-g", GAME)
        self.deliver_all()

    def go_on(self, quiet: int) -> None:
        """See Table."""
        more: tuple[str, ...] = ()
        for _ in range(4):
            done = self.hosted(None, *more)
            if done is None:
                raise Broken(6, "what players have does not bring the host's record back")
            if "--clock-is-right" in done.told and not more:
                more = ("--clock-is-right",)
            elif "adjudicator restore" in done.told:
                self.old = True
            else:
                break
        for person in self.players.values():
            self.all_again(person)
        self.deliver_all()

    def state(self) -> object:
        """See Table."""
        self.way = []
        return super().state()
