"""Two machines of one host on one mailbox, which take turns at any instant, and end at any."""

from __future__ import annotations

import contextlib
import random
import shutil
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from mailroom import HOST, Box, Clock, Mailroom, Wire

from adjudicator.core import deadlines, receipts
from adjudicator.core.ledger import Ledger
from adjudicator.mail.mailboxes import MailboxDown, Maildir, Sort, StoredMail
from adjudicator.mail.mime import read_mail
from adjudicator.office.game import HostMail
from adjudicator.office.office import Office, Settings, Turn
from adjudicator.office.outbox import Outbox
from adjudicator.player import letters
from adjudicator.store.record import Record
from adjudicator.verifier.verify import verify
from orders.documents import read_receipt
from orders.entries import read_entry
from orders.errors import Refused
from orders.letter import read_letter
from orders.sshsig import Signed

TURN = 3 * 86_400
"""Seconds that a player has for a turn in these games."""


class Killed(BaseException):
    """The process ends here."""


class Lockstep:
    """Threads of which one runs at a time; at each `point` chance says who goes on, and who ends.

    `switch` and `kill` are how likely that is at a point.
    """

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.switch = self.kill = 0.0
        self.gates: dict[str, threading.Semaphore] = {}
        self.alive: list[str] = []
        self.done = threading.Semaphore(0)
        self.faults: list[BaseException] = []

    def run(self, acts: Mapping[str, Callable[[], object]], switch: float, kill: float) -> None:
        """Let all of them run to their ends."""
        self.switch, self.kill = switch, kill
        self.gates = {name: threading.Semaphore(0) for name in acts}
        self.alive = sorted(acts)
        threads = [threading.Thread(target=self._run, name=name, args=(name, act))
                   for name, act in sorted(acts.items())]  # fmt: skip
        for one in threads:
            one.start()
        self.gates[self.chance.choice(self.alive)].release()
        self.done.acquire()
        for one in threads:
            one.join()
        if self.faults:
            raise self.faults[0]

    def _run(self, name: str, act: Callable[[], object]) -> None:
        self.gates[name].acquire()
        try:
            act()
        except Killed:
            pass
        except BaseException as error:  # it is raised again by `run`
            self.faults.append(error)
        if name in self.alive:
            self.alive.remove(name)
        if self.alive:
            self.gates[self.chance.choice(self.alive)].release()
        else:
            self.done.release()

    def point(self) -> None:
        """Here another one may go on, or this one end."""
        name = threading.current_thread().name
        if name not in self.alive:
            return
        if self.chance.random() < self.kill:
            # What is cleaned up on the way out is no act of its own.
            self.alive.remove(name)
            raise Killed
        if self.chance.random() < self.switch:
            other = self.chance.choice(self.alive)
            if other != name:
                self.gates[other].release()
                self.gates[name].acquire()


@dataclass
class Uids(Box):
    """A mailbox whose copies have numbers, as on an IMAP server. `full`: it takes no copy. `anew`:
    the folder is made anew with the next copy. `unseen`: the answer to the next copy is lost."""

    point: Callable[[], None] = lambda: None
    validity: int = 1
    full: bool = False
    anew: bool = False
    unseen: bool = False

    def mails(self, sort: Sort = iter) -> Iterator[StoredMail]:
        self.point()
        yield from sort([self.arrived(name) for name in sorted(self.held)])
        self.point()

    def read(self, name: str) -> bytes:
        self.point()
        if name not in self.held:
            raise Refused("missing", "the mail is gone")
        return self.held[name]

    def put_away(self, name: str) -> None:
        self.point()
        self.held.pop(name, None)

    def keep(self, mail: bytes) -> None:
        self.point()
        if self.full:
            raise MailboxDown("quota exceeded")
        self.copies.append(mail)
        self.validity += self.anew
        self.anew = False
        self.point()
        if self.unseen:
            self.unseen = False
            raise MailboxDown("timed out")

    def kept(self, mark: str) -> tuple[str, list[bytes]]:
        self.point()
        made, _, since = mark.partition(" ")
        first = int(since) - 1 if made == str(self.validity) else 0
        return f"{self.validity} {len(self.copies) + 1}", self.copies[first:]


@dataclass
class Folder(Uids):
    """The same, with its copies in a Maildir."""

    root: Path = Path()

    def keep(self, mail: bytes) -> None:
        self.point()
        Maildir(self.root).keep(mail)
        self.point()

    def kept(self, mark: str) -> tuple[str, list[bytes]]:
        self.point()
        mark, mails = Maildir(self.root).kept(mark)
        return mark, list(mails)


@dataclass
class Sent(Wire):
    point: Callable[[], None] = lambda: None

    def send(self, key: str, sender: str, to: str, data: bytes) -> None:
        self.point()
        super().send(key, sender, to, data)
        self.point()


@dataclass
class Skewed:
    """A machine's clock, some seconds off: what two machines sign differs."""

    clock: Clock
    skew: int

    def now(self) -> str:
        return deadlines.add(self.clock.time, self.skew)


@dataclass
class Machine:
    """A copy of the host's folders, and what works with it."""

    room: Mailroom
    root: Path
    skew: int
    log: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    kind: type[Office] = Office

    @property
    def record(self) -> Record:
        return Record(self.root / "friday")

    @property
    def folders(self) -> list[Path]:
        return [self.record.root, self.record.host, self.root / "state"]

    def copy_from(self, root: Path) -> None:
        for folder in self.folders:
            shutil.rmtree(folder, ignore_errors=True)
            if (root / folder.name).exists():
                shutil.copytree(root / folder.name, folder)

    @property
    def game(self) -> HostMail:
        clock = Skewed(self.room.clock, self.skew)
        return HostMail(self.record, self.room.signer, clock, HOST)

    def office(self, outbox: Outbox) -> Office:
        game, settings = self.game, Settings(clock_is_right=True)
        return self.kind([game], outbox, HOST, game.clock, self.log.append, settings=settings)

    def turn(self) -> Turn:
        with contextlib.closing(Outbox(self.root / "state")) as outbox:
            done = self.office(outbox).turn(self.room.box, self.room.wire)
        self.faults += done.faults
        return done


class Machines:
    """A game whose host works on two machines, and its players."""

    def __init__(self, room: Mailroom, seed: int, box: Uids) -> None:
        self.chance = random.Random(seed)  # noqa: S311
        self.lockstep = Lockstep(self.chance)
        self.room = room.begin()
        box.point = self.lockstep.point
        box.held, box.count = room.box.held, room.box.count
        room.box, room.wire = box, Sent(point=self.lockstep.point, out=room.wire.out)
        (room.root / "state").rename(room.root / "old")
        # Both know all that was signed before, but not by the mailbox.
        self.machines = [Machine(room, room.root / name, skew)
                         for skew, name in enumerate(("one", "two"))]  # fmt: skip
        (room.root / "old").rename(room.root / "state")
        with contextlib.closing(room.outbox()) as outbox:
            for name, _ in outbox.notes("copies"):
                outbox.keep_note(f"copies{name}", "")
        for one in self.machines:
            one.root.mkdir()
            one.copy_from(room.root)
        self.outage = 0
        self.whole = room.clock.now()
        self.told: dict[str, str] = {}
        self.set_up: set[str] = set()
        """Who has sent their setup."""

    def sail(self, turns: int, kill: float = 0.0) -> None:
        """That many turns of both at once; after each, nothing is told twice."""
        one, two = self.machines
        for _ in range(turns):
            self._players()
            switch = self.chance.choice((0.02, 0.1, 0.5))
            ends = kill if self.chance.random() < 0.5 else 0.0
            self.lockstep.run({"one": one.turn, "two": two.turn}, switch, ends)
            if not ends:
                now = self.room.clock.now()
                self.outage, self.whole = deadlines.between(self.whole, now), now
            self.check()
            self.room.clock.skip(self.chance.choice((0, 1, 3600, 3600, 90_000)))

    def _players(self) -> None:
        """Players take in what came, and most of them answer; some write."""
        for name in self.room.players:
            taken = self.room.receive(name)
            # A receipt may come in a later turn, and who has not answered misses the setup; an
            # entry comes after its deadline, if no turn was whole for so long.
            known = ["no receipt", f"{name} missed step 1"][: 2 - (name in self.set_up)]
            known += ["if it came so late"] * (self.outage > TURN)
            warnings = [
                line
                for one in taken
                for line in one.warnings
                if not any(part in line.lower() for part in known)
            ]
            assert not warnings, "; ".join(warnings)
            own = self.room.seated(name)
            last, setup = own.ledger.last, own.ledger.last.step == 0
            if name in last.clocks.awaited and self.chance.random() < 0.7:
                where = {"alice": "C4", "bob": "F6"}[name]
                self.set_up.add(name)
                self.room.box.put(self.room.order(name, f"start {where}" if setup else "silent"))
            if not last.over and self.chance.random() < 0.2:
                text = letters.message("all", f"words {self.chance.random()}")
                self.room.box.put(self.room.letter(name, text))

    def check(self) -> None:
        """Of all that left there are no two of anything."""
        for _, _, data in self.room.wire.out:
            for block in read_mail(data).blocks:
                for path, held in block.bundle.files if block.bundle else ():
                    key = ""
                    if path.startswith("entries/") and path.endswith(".toml"):
                        key = f"entry {read_entry(held).step}"
                    elif path.startswith("receipts/") and path.endswith(".toml"):
                        one = read_receipt(held)
                        key = "" if one.status == "absent" else f"receipt for {one.slip}"
                    elif path.startswith("letters/host-") and path.endswith(".toml"):
                        key = f"letter {read_letter(held).number}"
                    if key:
                        digest = Signed(held, b"").digest
                        assert self.told.setdefault(key, digest) == digest, f"two of {key}"

    def end(self) -> None:
        """Both machines are well again: they agree, whoever plays is right, and so is the host."""
        for _ in range(3):
            for one in self.machines:
                one.turn()
            self.check()
        first, second = (one.record for one in self.machines)
        held = [{path: one.read(path) for path in one.paths()} for one in (first, second)]
        differ = sorted({path for path, _ in held[0].items() ^ held[1].items()})
        logs = [
            [len(h), *one.faults[-4:], *one.log[-12:]]
            for h, one in zip(held, self.machines, strict=True)
        ]
        assert not differ, f"{differ} differ {logs}"
        assert verify(first).code in (0, 4), verify(first)
        assert all("stands still" not in line for one in self.machines for line in one.faults)
        ledger = Ledger.read(first)
        given = []
        for name in self.room.players:
            warnings = [line for one in self.room.receive(name) for line in one.warnings]
            assert [one for one in warnings if "no receipt" not in one.lower()] == []
            for data in self.room.got(name):
                for block in read_mail(data).blocks:
                    if block.bundle is not None and block.bundle.kind == "receipt":
                        held = dict(block.bundle.files)
                        (path,) = (one for one in held if one.endswith(".toml"))
                        given.append(
                            receipts.read(ledger.opening, Signed(held[path], held[path + ".sig"]))
                        )
        assert receipts.contradictions(given) == []
        for one in given:
            verdict = receipts.judge(ledger, one, given)
            assert verdict.status != "false", verdict.text
        used = {one.digest for link in ledger.links() for one in link.entry.slips.values()}
        assert used <= {one.receipt.slip for one in given}
