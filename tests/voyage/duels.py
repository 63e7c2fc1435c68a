"""Two people play a duel, by mail and by files carried by hand; one of them may be a liar.

Each has a home folder with their side of the duel, on a machine or on two. They give the commands
that a person gives, and bots choose their orders. A liar has the same program, and signs whatever
they like beside it, with their own key and secret: other moves from any row, false facts, ends at
any move.

All documents that exist anywhere are *the pool*: of every disk, of every mail and of every block
that was handed over, which this module opens with both secrets. Of the pool drawn subsets are
judged: none may name who followed the program. `tests/duel/search.py` judges every subset of a
game so small that this can be done; its `Along` makes each side once here too.
"""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from copy import copy
from dataclasses import dataclass, field
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

sys.path.insert(0, str(Path(__file__).parents[1]))

from duel.search import Along

import games
from adjudicator.core.source import MemoryFiles
from adjudicator.duel import again, audit, documents
from adjudicator.duel.audit import AuditVerdict
from adjudicator.duel.documents import Documents
from adjudicator.duel.party import Party, signed
from adjudicator.mail import pasted
from adjudicator.player.duel import Home
from adjudicator.words.adviser import taken
from adjudicator.words.form import NO_LINES
from games.dice import Dice
from games.game import Written
from orders import names, sshsig
from orders.duel import End, Move, Request, of_bundle, seal_orders, sealed_block, unseal
from orders.errors import Refused
from orders.fields import Digest
from orders.keys import load_signer
from orders.secrets import DuelSecret
from orders.sshsig import Signed

from .post import HOST, Post
from .sail import Broken, Event
from .world import DAY, HOUR, Done, Machine, World

SETS = 50
"""So many subsets of the pool are judged after an event that made a document."""
PATIENCE = 40
"""So many times both play on, once all is mended, before one of them gives the duel up."""
ROUNDS = 80
"""In so many a duel comes to its end: each is some commands of either."""
STILL = 8
"""So many rounds may pass in which nothing comes or is made, a part of the turn time each."""
NOWHERE = "ab" * 32
HANDED = ("as it is", "quoted", "in a chat", "cut", "crlf", "several", "indented")
FAR = (0, 0, 0, 60, 7 * 60, HOUR, DAY, 9 * DAY, 400 * DAY, 3000 * DAY)
"""Seconds by which clocks are wrong."""
PHRASE = "phrase"
_READY = re.compile(r"ready: send (\S+) to |^(\S+): for .*; send it", re.MULTILINE)
_ACCUSED = re.compile(r"signed by (\S+): .*: your side opens, which proves it")
_TODO = re.compile(r"adjudicator ([a-z]+(?: --[a-z-]+)*)")


@dataclass
class Person:
    """Somebody who plays: on one machine, or in turns on two with one mailbox."""

    name: str
    machines: list[Machine]
    by_mail: bool
    lies: bool = False
    bot: str = "captain"
    at: int = 0
    restored: bool = False
    """Whether a disk of theirs was ever put back, copied, or made anew from a backup."""
    ready: list[bytes] = field(default_factory=list)
    """The blocks that their program told them to send by hand, oldest first."""
    safes: list[bytes] = field(default_factory=list)

    @property
    def machine(self) -> Machine:
        """The machine that they use now."""
        return self.machines[self.at]

    @property
    def address(self) -> str:
        """Their mail address."""
        return f"{self.name}@example.org"

    def root(self, machine: Machine | None = None) -> Path:
        """Their side of the duel on that machine, or on the one in use."""
        return (machine or self.machine).disk / f"{self.name}.duel"


class Duels:
    """A duel, what may happen to it, and what must hold (see sail.Scene)."""

    def __init__(self, world: World, chance: Random) -> None:
        self.world = world
        self.post = Post(world, lambda to, data: self._left(data))
        ways = chance.choice([(True, True), (False, False), (True, False), (False, True)])
        ways = (True, True) if chance.random() < 0.5 else ways
        self.people = [
            Person(name, [world.machine(name)], by_mail)
            for name, by_mail in zip(("ann", "ben"), ways, strict=True)
        ]
        if chance.random() < 0.5:
            chance.choice(self.people).lies = True
        self.game = games.load(chance.choice(["sugar-dog", "silent-ships"]))
        for one in self.people:
            one.bot = chance.choice(["captain", "mate", "random"])
        self.turn_time = chance.choice([HOUR, DAY, 3 * DAY])
        self.patience = chance.choice([2, 5, PATIENCE])
        self.goes_on = chance.random() < 0.5
        """Whether a liar plays on once all is mended."""
        self.healthy = True
        """Whether mails come and go."""
        self.chance = chance
        self.id: Digest = ""
        self.secrets: dict[str, DuelSecret] = {}
        self.pool: Documents | None = None
        self.early: list[tuple[str, Signed]] = []
        """Documents that follow what is not in the pool."""
        self.closed: list[bytes] = []
        """Blocks that were sent before both secrets were known."""
        self.seen: set[Any] = set()
        self.opened: dict[bytes, list[tuple[str, Signed]]] = {}
        """The documents in mails that were opened, by the mail's digest."""
        self.judged = 0
        self.along = Along()
        self._cached = {
            (sshsig, "verify"): cache(sshsig.verify),
            (documents, "read_move"): cache(documents.read_move),
            (documents, "read_end"): cache(documents.read_end),
        }
        self._begin(chance)

    # The beginning.

    def _begin(self, chance: Random) -> None:
        ann, ben = self.people
        for one in self.people:
            (one.machine.disk / PHRASE).write_text("the sea is wide\n")
            if one.by_mail:
                for key, value in (
                    ("address", one.address),
                    ("mail-in", f"imaps://{one.name}@{HOST}"),
                    ("mail-out", f"smtps://{one.name}@{HOST}"),
                ):
                    self._run(one, "config", key, value)
        self._draw_clocks(chance)
        offer = ["duel", self.game.id, "--name", "ann", "-y"]
        if all(one.by_mail for one in self.people):
            offer.insert(2, ben.address)
        turn_time = f"{self.turn_time // HOUR}h"
        for option in (f"turn_time={turn_time}", *self._options(chance)):
            offer += ["--option", option]
        self._twice(ann, chance, *offer, *self._setup(chance))
        self.post.deliver()
        block = self._block_of(ann)
        (ben.machine.disk / "offer.txt").write_bytes(block)
        self._twice(ben, chance, "join", "offer.txt", "--name", "ben", "-y", *self._setup(chance))
        self.id = Home.open(ann.root()).id
        for one in self.people:
            home = Home.open(one.root())
            self.secrets[one.name] = home.secret
            self._hold(5, home.id == self.id, "both have a side, of two duels")
        with self._fast():
            self.pool = documents.read(Home.open(ben.root()).source)
        for data in self.closed:
            self._left(data)

    def _options(self, chance: Random) -> list[str]:
        """Options by which a game is short, most often."""
        short = chance.random() < 0.8
        if self.game.id == "sugar-dog":
            return [f"quiet={chance.randint(2, 8)}"] if short else []
        edition = chance.choice(["print", "2021-09-12", "2021-09-17"])
        first = chance.choice([[], ["first=1"], ["first=2"]])
        speed = ["speed=true"] if edition == "print" and chance.random() < 0.5 else []
        idle = [f"stalemate={chance.randint(1, 4)}"] if short else []
        return [f"edition={edition}", *first, *speed, *idle]

    def _setup(self, chance: Random) -> list[str]:
        if self.game.id != "sugar-dog":
            return []
        return ["--setup", f"start {chance.choice('ABCDEF')}{chance.randint(1, 6)}"]

    def _twice(self, one: Person, chance: Random, *words: str) -> None:
        """A command that begins a side; its process may end, and then its person does what the
        program says."""
        ends_at = chance.randint(1, 60) if chance.random() < 0.2 else None
        done = self._run(one, *words, ends_at=ends_at)
        for _ in range(4):
            if done.code == 0:
                return
            begun = (one.root() / names.OFFER).is_file()
            done = self._run(one, "resend") if begun else self._run(one, *words)
        raise Broken(5, f"{one.name} cannot begin: {words} {done.told}")

    def _block_of(self, one: Person) -> bytes:
        """The block that they sent last, by whatever way."""
        return [*self.post.mails(self._other(one).address), *one.ready][-1]

    # Commands.

    def _run(self, one: Person, *words: str, machine: Machine | None = None, **how: Any) -> Done:
        """A command of that person; what no command may ever do is Broken."""
        there = machine or one.machine
        done = there.run(*words, **how)
        for found in _READY.finditer(done.out):
            path = there.disk / (found[1] or found[2])
            with suppress(OSError):
                one.ready.append(path.read_bytes())
                self._left(one.ready[-1])
        self._hold(5, done.code != 70, f"{one.name} {words}: {done.told}")
        for accused in _ACCUSED.findall(done.told):
            self._hold(3, self._person(accused).lies, f"{one.name} {words}: {done.told}")
        return done

    def _person(self, name: str) -> Person:
        return next(one for one in self.people if one.name == name)

    def _other(self, one: Person) -> Person:
        return self.people[self.people[0] is one]

    def _hold(self, promise: int, holds: bool, what: str) -> None:
        if not holds:
            raise Broken(promise, what)

    def _party(self, one: Person, machine: Machine | None = None) -> Party | None:
        """Their side as it lies on that machine's disk; None if it cannot be read, or is a liar's
        and does not fit what they signed."""
        try:
            with self._fast():
                party = Home.open(one.root(machine)).party()
                if party.can_begin:
                    party.made  # noqa: B018 - it may be refused
                return party
        except Refused as error:
            self._hold(3, one.lies or error.word != "mismatch", f"{one.name}: {error}")
            return None

    def _orders(self, one: Person, chance: Random) -> str | None:
        """What their bot would write now; None if nothing is asked."""
        party = self._party(one)
        if party is None or not party.can_begin or party.prompt is None:
            return None
        bot = self.game.bots[one.bot](one.name)
        side = party.side
        bot.hear(self.game.view(self.game.start(side.setup), one.name), ())
        for heard in side.heard:
            bot.hear(heard.view, heard.events)
        dice = Dice(chance.randbytes(16))
        with suppress(Refused, ValueError, games.game.OrderError):
            text = taken(lambda _: bot.order(dice), party.judge).orders
            return text.strip().replace("\n", "; ") or NO_LINES
        return None

    def _turn(self, one: Person, chance: Random, **how: Any) -> Done:
        """Take in what came, and play if something is asked."""
        done = self._run(one, "sync", **how)
        while done.code is not None and (orders := self._orders(one, chance)) is not None:
            done = self._run(one, "play", orders, "-y", **how)
            if done.code:
                break
        self._took(one, done)
        return done

    # Events.

    def events(self) -> Mapping[str, Event]:
        """See Scene."""
        return {
            "turn": (10, self._a_turn),
            "round": (10, self._a_round),
            "sync": (3, lambda chance: self._synced(self._one(chance))),
            "look": (2, self._looks),
            "resend": (1.5, self._resends),
            "deliver some": (3, self._arrive),
            "hand over": (4, self._hands),
            "process ends": (5, self._ends),
            "disk full": (1, self._fills),
            "overlap": (4, self._overlaps),
            "clocks": (2, self._draw_clocks),
            "days pass": (2, self._days),
            "mail stops": (1, lambda chance: self.post.stopped.add(self._one(chance).address)),
            "mail goes": (1.5, lambda chance: self.post.stopped.clear()),
            "mail is sent back": (0.4, self._bounces),
            "lines are cut": (1, self._lines),
            "keep day": (2, lambda chance: self._one(chance).machine.keep_day()),
            "put back": (1, self._puts_back),
            "other machine": (1.5, self._other_machine),
            "back up": (0.3, self._backs_up),
            "restore": (0.3, self._restores),
            "anyway": (0.5, lambda chance: self._run(self._one(chance), "play", "--anyway")),
            "pack": (0.7, self._packs),
            "end": (0.7, lambda chance: self._run(self._one(chance), "duel", "--end", "-y")),
            "give up": (0.3, self._gives_up),
            "lie in a move": (3, self._lies_in_move),
            "lie by an end": (1, self._lies_by_end),
            "show one's own": (2, self._shows),
            "ask oddly": (0.7, self._asks),
        }

    def _one(self, chance: Random) -> Person:
        return chance.choice(self.people)

    def _a_turn(self, chance: Random) -> None:
        self.world.time += chance.randint(60, 3 * HOUR)
        one = self._one(chance)
        self._turn(one, chance)
        if chance.random() < 0.8:
            self._arrive(chance if chance.random() < 0.3 else None)

    def _a_round(self, chance: Random) -> None:
        for one in chance.sample(self.people, 2):
            self.world.time += chance.randint(60, HOUR)
            self._turn(one, chance)
            self._arrive(None)

    def _arrive(self, chance: Random | None) -> None:
        """What was sent comes: all of it, or with `chance` some."""
        self.post.deliver(chance)
        for one in self.people:
            if one.ready and (chance is None or chance.random() < 0.6):
                self._hand(one, [one.ready.pop()], "came.txt")
                del one.ready[:-3]

    def _hand(self, sender: Person, blocks: Sequence[bytes], name: str) -> None:
        """The other saves that beside their side, on the machine in use."""
        path = self._other(sender).machine.disk / name
        number = 0
        while path.exists():
            number += 1
            path = path.with_name(f"{number}-{name}")
        path.write_bytes(b"\n".join(blocks))

    def _hands(self, chance: Random) -> None:
        """Somebody hands over blocks of theirs, as people do it."""
        one = self._one(chance)
        how = chance.choice(HANDED)
        held = self._blocks(one)
        if not held:
            return
        data = held[-1] if chance.random() < 0.6 else chance.choice(held)
        self.world.counts[f"handed over {how}"] += 1
        if how == "quoted":
            data = b"\n".join(b"> " + line for line in data.splitlines())
        elif how == "in a chat":
            data = b"Hi,\nhere is mine.\n\n" + data + b"\nBye\n"
        elif how == "cut":
            data = data[: len(data) * 2 // 3]
        elif how == "crlf":
            data = data.replace(b"\n", b"\r\n")
        elif how == "several":
            data = b"\n".join([data, *chance.sample(held, min(2, len(held)))])
        elif how == "indented":
            data = b"".join(b"    " + line + b"\n" for line in data.splitlines())
        self._hand(one, [data], f"{how.replace(' ', '-')}.txt")

    def _blocks(self, one: Person) -> list[bytes]:
        """The files with blocks that this person's program wrote on the machine in use."""
        found = sorted(one.machine.disk.glob(f"{self.game.id}-{one.name}-*.txt"))
        return [path.read_bytes() for path in found]

    def _synced(self, one: Person) -> None:
        self._took(one, self._run(one, "sync"))

    def _looks(self, chance: Random) -> None:
        one = self._one(chance)
        words = chance.choice(
            [("status",), ("show",), ("log",), ("verify",), ("pack",), ("play",), ("replay",)]
        )
        done = self._run(one, *words)
        if words == ("verify",):
            self._hold(3, done.code != 1 or self._liar is not None, f"{one.name}: {done.told}")

    def _resends(self, chance: Random) -> None:
        self._run(self._one(chance), "resend")

    def _ends(self, chance: Random) -> None:
        """A process ends at one of its calls."""
        one = self._one(chance)
        at = chance.randint(1, 25) if chance.random() < 0.5 else chance.randint(1, 80)
        words = self._words(one, chance)
        if chance.random() < 0.6:
            self.post.deliver()
        self._run(one, *words, ends_at=at)

    def _words(self, one: Person, chance: Random) -> tuple[str, ...]:
        """A command that this person may well give."""
        orders = self._orders(one, chance)
        if orders is not None and chance.random() < 0.7:
            return "play", orders, "-y"
        return (chance.choice(["sync", "sync", "sync", "play", "resend"]),)

    def _fills(self, chance: Random) -> None:
        one = self._one(chance)
        self._run(one, *self._words(one, chance), fills_at=chance.randint(1, 40))

    def _overlaps(self, chance: Random) -> None:
        """Two commands at once: of both, or of one on two machines or on one."""
        one = self._one(chance)
        other = self._other(one) if chance.random() < 0.5 else one
        acts = []
        for at, whose in enumerate((one, other)):
            machine = whose.machines[-1 if at else 0] if whose is one else whose.machine
            words = self._words(whose, chance)
            acts.append(partial(self._run, whose, *words, machine=machine))
        self.world.overlap(chance, *acts)

    def _draw_clocks(self, chance: Random) -> None:
        for one in self.people:
            for machine in one.machines:
                machine.wrong = chance.choice(FAR) * chance.choice([-1, 1])
                machine.strobe = chance.choice([0, 0, 0, 120, 2 * DAY])

    def _days(self, chance: Random) -> None:
        self.world.time += chance.choice([HOUR, DAY, 2 * DAY, 5 * DAY, 40 * DAY])

    def _bounces(self, chance: Random) -> None:
        self.post.refusing ^= {self._one(chance).address}

    def _lines(self, chance: Random) -> None:
        """Connections break, or there are none, until the next such event."""
        how = chance.choice(["whole", "cut", "down"])
        often, most = chance.random() * 0.5, chance.choice([200, 2_000, 20_000])
        self.post.down, self.healthy = how == "down", how == "whole"
        # What breaks is a matter of the world's chance: connections are not events.
        drawn = Random(chance.random())  # noqa: S311 - draws what happens
        self.post.cut = (
            (lambda: drawn.randint(0, most) if drawn.random() < often else None)
            if how == "cut"
            else lambda: None
        )

    def _puts_back(self, chance: Random) -> None:
        one = self._one(chance)
        if one.machine.days:
            one.restored = True
            one.machine.put_back(chance.randrange(len(one.machine.days)))

    def _other_machine(self, chance: Random) -> None:
        """From now on this person uses their other machine; the first time it is a copy."""
        one = self._one(chance)
        if len(one.machines) == 1:
            one.restored = True
            one.machines.append(one.machine.twin(f"{one.name}2"))
        one.at = 1 - one.at

    def _backs_up(self, chance: Random) -> None:
        one = self._one(chance)
        name = f"{len(one.safes)}.safe"
        if self._protected(one, "backup", "-o", name).code == 0:
            one.safes.append((one.machine.disk / name).read_bytes())

    def _restores(self, chance: Random) -> None:
        """The disk is lost: what is left is a safe, and what others send."""
        one = self._one(chance)
        if not one.safes:
            return
        data = chance.choice(one.safes)
        one.restored = True
        there = one.machine.disk
        (there / "old.safe").write_bytes(data)
        shutil.rmtree(one.root(), ignore_errors=True)
        done = self._protected(one, "restore", "old.safe")
        self._hold(5, done.code == 0, f"{one.name} restores: {done.told}")

    def _protected(self, one: Person, *words: str) -> Done:
        path = str(self.world.here / PHRASE)
        with mock.patch.dict("os.environ", ADJUDICATOR_PASSPHRASE_FILE=path):
            return self._run(one, *words)

    def _packs(self, chance: Random) -> None:
        """Somebody packs what they have, and the other takes it in."""
        one = self._one(chance)
        if self._run(one, "pack", "-o", "mine.zip").code != 0:
            return
        other = self._other(one)
        (other.machine.disk / "theirs.zip").write_bytes(
            (one.machine.disk / "mine.zip").read_bytes()
        )
        self._run(other, "take", "theirs.zip")

    def _gives_up(self, chance: Random) -> None:
        self._run(self._one(chance), "duel", "--end", "--give-up", "-y")

    # A liar.

    @property
    def _liar(self) -> Person | None:
        return next((one for one in self.people if one.lies), None)

    def _lies_in_move(self, chance: Random) -> None:
        """A move from any row: with other orders, with false facts, or wrong otherwise."""
        liar, pool = self._liar, self.pool
        draws = Random(chance.random())  # noqa: S311 - draws what happens
        if liar is None or pool is None or not pool.begun:
            return
        accept = next(iter(pool.begun))
        row = pool.begun[accept]
        after = [
            one for one in (accept, *pool.moves)
            if row.author_of((pool.number(one) or 0) + 1) == liar.name
        ]  # fmt: skip
        if not after:
            return
        last = after[-1] if draws.random() < 0.5 else draws.choice(after)
        move = self._false(liar, pool.row(last), last, draws)
        if move is None:
            return
        file = self._sign(liar, move.render())
        self._add(names.move(move.number, file.digest), file)
        if draws.random() < 0.8:
            self._slip(liar, {names.move(move.number, file.digest): file}, move.number, draws)

    def _false(self, liar: Person, row: Any, last: Digest, draws: Random) -> Move | None:
        made = self._side(row, liar.name)
        side = None if made is None or made.lie is not None else made.copy().side
        if side is None:
            return None
        for _ in range(40):
            if side.prompt is None:
                break
            legal = self.game.legal(side.view)
            with suppress(games.game.OrderError, Refused):
                side.play(Written(draws.choice(legal)))
        number = len(row.moves) + 1
        if side.prompt is not None or (not side.tells and number > 1):
            return None
        move = again.make(side, number, last)
        facts, how = (
            list(move.facts),
            draws.choice(
                ["true", "true", "fact", "fact", "fewer", "more", "swapped", "orders", "no orders"]
            ),
        )
        self.world.counts[f"a lie: {how}"] += 1
        if how == "fact" and facts:
            at = draws.randrange(len(facts))
            word = facts[at].partition(" ")[0]
            told = [
                one for it in self.pool.moves.values() for one in it.facts
                if one.startswith(word) and one != facts[at]
            ]  # fmt: skip
            facts[at] = draws.choice(told) if told else facts[at][:-1] + "7"
        elif how == "fewer":
            facts = facts[:-1]
        elif how == "more":
            facts += facts[-1:] or ["mine"]
        elif how == "swapped":
            facts.reverse()
        orders = move.orders
        if how == "orders" and orders:
            sealed = seal_orders(self.secrets[liar.name], draws.randint(1, 9), b"-", row.room)
            orders = (sealed, *orders[1:])
        elif how == "no orders":
            orders = orders[1:]
        return move._replace(facts=tuple(facts), orders=orders)

    def _lies_by_end(self, chance: Random) -> None:
        """An end at any move, or at none."""
        liar, pool = self._liar, self.pool
        if liar is None or pool is None or not pool.begun:
            return
        accept = next(iter(pool.begun))
        draws = Random(chance.random())  # noqa: S311 - draws what happens
        last = draws.choice([accept, NOWHERE, *pool.moves, *[*pool.moves][-3:]])
        number = (pool.number(last) or 0) + draws.choice([0, 0, 0, 1])
        up, secret = draws.random() < 0.4, self.secrets[liar.name].hex
        end = End(liar.name, accept, number, last, up, secret)
        file = self._sign(liar, end.render())
        self._add(names.end(liar.name, file.digest), file)
        if draws.random() < 0.7:
            self._slip(liar, {names.end(liar.name, file.digest): file}, number, draws)

    def _shows(self, chance: Random) -> None:
        """A liar shows some documents of the pool, in one block."""
        liar, pool = self._liar, self.pool
        if liar is None or pool is None or not pool.moves:
            return
        draws = Random(chance.random())  # noqa: S311 - draws what happens
        held = [pool.files[one] for one in (*pool.moves, *pool.ends)]
        some = draws.sample(held, min(len(held), draws.randint(1, 6)))
        self._slip(liar, {one.path: one.file for one in some}, draws.randint(1, 40), draws)

    def _asks(self, chance: Random) -> None:
        """A liar asks for what comes behind any document."""
        liar, pool = self._liar, self.pool
        if liar is None or pool is None or not pool.begun:
            return
        draws = Random(chance.random())  # noqa: S311 - draws what happens
        last = draws.choice([NOWHERE, *pool.begun, *pool.moves])
        request = Request(draws.randint(0, 20), last)
        held = {names.REQUEST: request.render()}
        if draws.random() < 0.2:
            held |= self._some(draws)
        self._deliver_block(liar, held, request.number, draws)

    def _some(self, draws: Random) -> dict[str, bytes]:
        """A document of the pool, as a block holds it."""
        held = [self.pool.files[one] for one in (*self.pool.moves, *self.pool.ends)]
        one = draws.choice(held) if held else None
        return {} if one is None else one.file.files(one.path)

    def _sign(self, liar: Person, data: bytes) -> Signed:
        home = Home.open(liar.root(liar.machines[0]))
        return Signed.by(load_signer(home.key, None), sshsig.DUEL, data)

    def _slip(self, liar: Person, shown: Mapping[str, Signed], number: int, draws: Random) -> None:
        """Let the other have documents in a block."""
        held: dict[str, bytes] = {}
        for path, file in shown.items():
            held |= file.files(path)
        self._deliver_block(liar, held, number, draws)

    def _deliver_block(
        self, liar: Person, held: Mapping[str, bytes], number: int, draws: Random
    ) -> None:
        other, secret = self._other(liar), self.secrets[liar.name]
        to = self.secrets[other.name].sealing().public
        block = sealed_block(secret, to, self.id, number, held)
        if other.by_mail and liar.by_mail and draws.random() < 0.8:
            self.world.secrets += 1
            head = (
                f"From: {liar.address}\r\nTo: {other.address}\r\n"
                f"Subject: [duel {self.id[:8]}] look\r\n"
                f"Message-ID: <{self.world.secrets}@example.org>\r\n\r\n"
            )
            data = head.encode() + block.replace(b"\n", b"\r\n")
            self.post.take(liar.address, other.address, data)
        else:
            self._hand(liar, [block], "look.txt")

    # The pool.

    def _left(self, data: bytes) -> None:
        """Take in the documents of a block, a mail or a file, into the pool."""
        key = sha256(data).digest()
        if self.pool is None:
            self.closed.append(data)
        elif key not in self.seen:
            self.seen.add(key)
            for path, file in self._inside(data):
                self._add(path, file)

    def _inside(self, data: bytes) -> Iterator[tuple[str, Signed]]:
        """The documents of this duel in a block, a mail or a file."""
        try:
            bundles = pasted.read(data).bundles
        except Refused:
            return
        for bundle in bundles:
            with suppress(Refused):
                block = of_bundle(bundle)
                if not block.sealed:
                    yield from signed(block.files).items()
                for secret in self.secrets.values() if block.sealed else ():
                    with suppress(Refused):
                        held = dict(unseal(secret, self.id, block))
                        held.pop(names.REQUEST, None)
                        yield from signed(held).items()

    def _add(self, path: str, file: Signed) -> None:
        assert self.pool is not None
        try:
            with self._fast():
                self.pool.add(path, file)
        except Refused as error:
            if error.word == "not-yet":
                self.early.append((path, file))

    def _gather(self) -> None:
        """Take in the documents on all disks."""
        for one in self.people:
            for machine in one.machines:
                for kind in ("moves", "ends"):
                    for path in sorted((one.root(machine) / kind).glob("*.toml")):
                        sig = path.with_name(f"{path.name}.sig")
                        key = (kind, path.name)
                        if key not in self.seen and sig.is_file():
                            self.seen.add(key)
                            file = Signed(path.read_bytes(), sig.read_bytes())
                            self._add(f"{kind}/{path.name}", file)
        waiting, self.early = self.early, []
        for path, file in sorted(waiting, key=lambda one: names.in_duel(one[0])):
            self._add(path, file)

    # What must hold.

    def check(self, chance: Random) -> None:
        """See Scene."""
        assert self.pool is not None
        before = len(self.pool.files)
        self._gather()
        self._one_of_each()
        grown = len(self.pool.files) > before or not self.judged
        with self._fast():
            for _ in range(SETS if grown else 3):
                self._judge(chance)

    def _one_of_each(self) -> None:
        """Promise 1."""
        for one in self.people:
            if one.lies or one.restored:
                continue
            row = next(iter(self.pool.begun.values()), None)
            mine = sorted(
                move.number for move in self.pool.moves.values()
                if row is not None and row.author_of(move.number) == one.name
            )  # fmt: skip
            twice = [number for number in mine if mine.count(number) > 1]
            self._hold(1, not twice, f"{one.name} signed two moves {twice}")
            ends = [end for end in self.pool.ends.values() if end.player == one.name]
            self._hold(1, len(ends) < 2, f"{one.name} signed {len(ends)} ends")

    def _took(self, one: Person, done: Done) -> None:
        """Promise 2: after a sync or play without a warning, all that had come is taken in."""
        party = None if one.lies else self._party(one)
        if done.code != 0 or not self.healthy or party is None or party.row.accept is None:
            return
        if party.ended and party.is_left:
            return
        held = party.documents.files
        came = [*self.post.mails(one.address)] if one.by_mail else []
        for data in came:
            key = sha256(data).digest()
            if key not in self.opened:
                self.opened[key] = list(self._inside(data))
            for path, file in self.opened[key]:
                if path in (names.OFFER, names.ACCEPT) or file.digest in held:
                    continue
                kept = self.pool.files.get(file.digest)
                if kept is None or kept.accept != party.row.accepted:
                    continue
                before = self.pool.moves.get(file.digest)
                if before is None or before.last in held:
                    raise Broken(2, f"{one.name} had {path} in the mailbox, and did not take it in")

    def _judge(self, chance: Random) -> None:
        """Promise 3, of a drawn subset."""
        pool = self.pool
        kept = self._subset(chance)
        for judged in self._verdicts(pool, kept, chance):
            self._fair(judged, kept)
            if judged.word == "true":
                self._stays(judged, kept, chance)

    def _subset(self, chance: Random) -> list[Digest]:
        """Moves that hang together, and ends, in a drawn order."""
        pool = self.pool
        often = chance.choice([0.0, 0.3, 0.8, 1.0])
        moves = [*pool.moves]
        way: set[Digest] = set()
        if moves and often < 1:
            last = moves[-1] if chance.random() < 0.5 else chance.choice(moves)
            while last in pool.moves:
                way.add(last)
                last = pool.moves[last].last
        kept: list[Digest] = []
        there = {*pool.begun}
        for one in sorted(moves, key=lambda one: pool.moves[one].number):
            if pool.moves[one].last in there and (one in way or chance.random() < often):
                there.add(one)
                kept.append(one)
        few = chance.choice([0.3, 0.7, 1.0])
        ends = [one for one in pool.ends if chance.random() < few]
        if chance.random() < 0.5:
            kept.sort(key=lambda one: (pool.moves[one].number, chance.random()))
            chance.shuffle(ends)
        return [*kept, *ends]

    def _verdicts(
        self, pool: Documents, kept: Sequence[Digest], chance: Random
    ) -> Sequence[AuditVerdict]:
        """What a verifier says of these documents of the pool."""
        self.judged += 1
        whole = copy(pool)
        there = {*kept}
        whole.files = {
            one: file for one, file in pool.files.items()
            if one in there or not (one in pool.moves or one in pool.ends)
        }  # fmt: skip
        whole.moves = {one: pool.moves[one] for one in kept if one in pool.moves}
        whole.ends = {one: pool.ends[one] for one in kept if one in pool.ends}
        found = audit.judge(whole)
        if chance.random() < 0.04:
            again_ = audit.judge(self._read(whole, chance))
            same = [(one.word, one.text) for one in found] == [(o.word, o.text) for o in again_]
            self._hold(3, same, f"read as files: {again_[0].text}; as a set: {found[0].text}")
        return found

    def _read(self, whole: Documents, chance: Random) -> Documents:
        """The same documents, read from two folders."""
        one: dict[str, bytes] = {}
        other: dict[str, bytes] = {}
        for kept in whole.files.values():
            held = kept.file.files(kept.path)
            where = chance.choice([(one,), (other,), (one, other)])
            for place in where if kept.accept else (one, other):
                place.update(held)
        return documents.read(*(MemoryFiles(held) for held in (one, other)))

    def _fair(self, judged: AuditVerdict, kept: Sequence[Digest]) -> None:
        """No verdict is against who followed the program."""
        pool = self.pool
        honest = [one.name for one in self.people if not one.lies]
        told = f"{judged.text}; of {len(kept)} documents"
        if judged.lie is not None:
            self._hold(3, judged.lie.player not in honest, told)
        ends = [pool.ends[one] for one in kept if one in pool.ends]
        up = {end.player for end in ends if end.gives_up}
        if judged.word in ("gave-up", "gave-up-closed", "both-gave-up"):
            both = judged.word == "both-gave-up"
            named = [name for name in honest if both or f"{name} gave it up" in judged.text]
            self._hold(3, all(name in up for name in named), told)
        if judged.word in ("true", "won") and judged.outcome is not None:
            winner = judged.outcome.winner
            for name in honest:
                if winner not in (None, name):
                    self._hold(3, self._lost(judged, name, ends), f"{name} never lost: {told}")

    def _lost(self, judged: AuditVerdict, name: str, ends: Sequence[End]) -> bool:
        """Whether that player signed the move, or an end at it, and their own side knows that the
        other won."""
        row = judged.row
        by = row.author_of(len(row.moves)) == name
        at = any(end.player == name and end.last == row.last for end in ends)
        made = self._side(row, name)
        knows = made is not None and made.side is not None and made.side.outcome is not None
        return (by or at) and knows

    def _side(self, row: Any, name: str) -> Any:
        """That player's side along a row, made once; None before it can begin."""
        try:
            secret = self.secrets[name]
            offers = self.secrets[row.offer.player]
            nonce = offers.release(1)
            made = self.along.begin(row, name, secret, nonce)
            for move in row.moves:
                if made.side is None or made.lie is not None:
                    return made
                made = self.along.follow(made, move, row.author_of(move.number))
        except Refused:
            return None
        return made

    def _stays(self, judged: AuditVerdict, kept: Sequence[Digest], chance: Random) -> None:
        """A finished duel is not less with more documents of the honest."""
        pool, there = self.pool, {*kept}
        honest = {one.name for one in self.people if not one.lies}
        more = [*kept]
        for one in sorted(pool.moves, key=lambda one: pool.moves[one].number):
            move = pool.moves[one]
            author = judged.row.author_of(move.number)
            hangs = move.last in there or move.last in pool.begun
            if one not in there and author in honest and hangs:
                there.add(one)
                more.append(one)
        more += [one for one, end in pool.ends.items() if end.player in honest and one not in there]
        clean = not any(one.restored for one in self.people if not one.lies)
        for found in self._verdicts(pool, more, chance):
            if found.row.accepted == judged.row.accepted:
                same = found.word == "true" and found.outcome == judged.outcome
                twice = found.word == "twice" and not clean
                self._hold(3, same or twice, f"{judged.text} -> {found.text}")

    @contextmanager
    def _fast(self) -> Iterator[None]:
        """Each signature is checked once, each document read once, each side made once."""
        whole = {**self._cached, (audit, "begin"): self.along.begin,
                 (audit, "follow"): self.along.follow}  # fmt: skip
        before = {(where, name): getattr(where, name) for where, name in whole}
        for (where, name), value in whole.items():
            setattr(where, name, value)
        try:
            yield
        finally:
            for (where, name), value in before.items():
                setattr(where, name, value)

    # The end.

    def mend(self) -> None:
        """See Scene."""
        self.post.down, self.post.cut, self.healthy = False, lambda: None, True
        self.post.stopped.clear()
        self.post.refusing.clear()
        for one in self.people:
            for machine in one.machines:
                machine.wrong = machine.strobe = 0
        self.post.deliver()

    def finish(self) -> None:
        """See Scene."""
        chance, still = self.chance, 0
        for number in range(ROUNDS):
            before = self._state()
            for one in self.people:
                if one.lies and not self.goes_on:
                    continue
                self._turn(one, chance)
                if number == self.patience and not one.lies:
                    self._run(one, "duel", "--end", "--give-up", "-y")
                self._carried()
            if self._is_over():
                break
            self.world.time += HOUR
            still = 0 if self._state() != before else still + 1
            if still:
                self.world.time += self.turn_time // 2
                self._does_what_is_said(still)
            self._hold(6, still < STILL, f"nothing moves: {self._told()}")
        else:
            raise Broken(6, f"{ROUNDS} rounds, and no end: {self._told()}")
        self.check(chance)
        self._at_the_end()

    def _state(self) -> Any:
        """What both hold."""
        found = []
        for one in self.people:
            party = self._party(one)
            found.append(None if party is None else (
                frozenset(party.documents.files), len(party.pending), party.asking
            ))  # fmt: skip
        return found

    def _carried(self) -> None:
        """All that was sent comes."""
        self.post.deliver()
        for one in self.people:
            for block in one.ready:
                self._hand(one, [block], "came.txt")
            one.ready.clear()

    def _is_over(self) -> bool:
        """Whether each who follows the program has ended; of two of them both know it."""
        for one in self.people:
            party = self._party(one)
            if one.lies:
                continue
            left = party is not None and (party.is_left or not self.goes_on)
            if left and self._liar is not None and not party.row.begun:
                # There is nothing to end: who was left makes a new offer.
                continue
            if party is None or not party.ended:
                return False
            if self._liar is None and not party.is_left:
                return False
        return True

    def _told(self) -> str:
        """What each is told now."""
        return " / ".join(
            f"{one.name}: {self._run(one, 'status').told}" for one in self.people if not one.lies
        )

    def _does_what_is_said(self, still: int) -> None:
        """Each does what their program says; what cannot be taken back only at last."""
        for one in self.people:
            if one.lies and not self.goes_on:
                continue
            done = self._run(one, "status")
            for words in _TODO.findall(done.told):
                if words == "duel --end" and still > STILL // 2:
                    self._run(one, "duel", "--end", "-y")
                elif words in ("resend", "play --anyway"):
                    self._run(one, *words.split())
                self._carried()

    def _at_the_end(self) -> None:
        """Of a duel of two who follow the program the result stands; nothing grows any more."""
        word = audit.judge(self.pool)[0].word
        if self._liar is None:
            fine = ("true", "gave-up", "both-gave-up", "disputed", "twice", "absent")
            self._hold(6, word in fine, word)
        for one in self.people:
            if one.lies:
                continue
            # A mail that came before what it follows is looked at by the next sync again.
            for _ in range(2):
                self._run(one, "sync")
            size = _size(one.machine.disk)
            for _ in range(2):
                self._run(one, "sync")
            now = _size(one.machine.disk)
            self._hold(7, now == size, f"{one.name}'s folder grows by sync: {now} after {size}")


def _size(folder: Path) -> Mapping[str, int]:
    """The files of a folder with their sizes."""
    return {
        str(path.relative_to(folder)): path.stat().st_size
        for path in folder.rglob("*")
        if path.is_file()
    }
