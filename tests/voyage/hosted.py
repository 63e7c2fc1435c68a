"""Games that a host with a mailbox plays with people who have mailboxes, in bad weather."""

from __future__ import annotations

import contextlib
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from random import Random
from typing import Any

from adjudicator.core.ledger import Ledger
from adjudicator.mail.block import choose
from adjudicator.mail.mime import Mail, read_mail
from adjudicator.mail.outgoing import TOKEN
from adjudicator.player.seat import Seat
from adjudicator.player.seated import Seated
from adjudicator.store.record import Record
from adjudicator.verifier.verify import Asked, verify
from games.dice import Dice
from orders.documents import read_slip
from orders.entries import Genesis, read_entry
from orders.errors import Missing, Refused
from orders.fields import digest

from .post import HOST as SERVER
from .post import Post
from .promises import Seen, accusations
from .sail import LENGTH, SECRETS, Broken, Event, Log, drawn
from .table import consented, hand_on
from .world import DAY, HOUR, Done, Machine, World, surrounded

PLAYERS = ("alice", "bob", "carol", "dave", "erin")
KINDS: tuple[tuple[str, int, int, tuple[str, ...]], ...] = (
    ("sugar-dog", 2, 5, ("turn_time=1d",)),
    ("sugar-dog", 2, 3, ("turn_time=1d", "missed=resign", "misses=2")),
    ("sugar-dog", 2, 2, ("turn_time=2d", "reserve_time=1d", "press=public")),
    ("silent-ships", 2, 2, ("turn_time=1d", "edition=print", "speed=true")),
    ("silent-ships", 2, 2, ("turn_time=1d", "rest=sat,sun")),
    ("submarine-warfare", 2, 2, ("turn_time=1d", "reserve_time=0d", "missed=pass")),
)
"""Games with how few and how many play, and their options."""

REFEREES = 0.25
"""In so many seeds the games are a referee's, and people begin them by mail."""

HEIRS = 0.35
"""In so many seeds a seat is handed on."""

MOST_CALLS = 260
"""A process that ends does so within so many calls; a turn of a host makes some 150."""


def address(name: str) -> str:
    """Where somebody gets mails."""
    return f"{name}@example.org"


class Player:
    """Somebody with a machine and a seat in each game."""

    def __init__(self, machine: Machine, name: str) -> None:
        self.machine, self.name = machine, name
        self.restored = False
        self.seats: dict[str, str] = {}
        """By game, what the folder of their seat is called."""

    def record(self, game: str) -> Record:
        """Their copy of a game."""
        return Record(self.machine.disk / game)

    def seat(self, game: str) -> Seat:
        """Their seat in it."""
        return Seat.open(self.machine.disk / self.seats[game])


class Hosted:
    """A host's machines over one mailbox, and players.

    `twisted`: one of two worlds of one seed that differ in what the first player hides alone: where
    they begin. They order nothing in the second world that they did not order in the first.
    """

    def __init__(self, world: World, chance: Random, *, twisted: bool | None = None) -> None:
        self.world, self.chance, self.twisted = world, chance, twisted
        self.seen, self.copied = Seen(), Seen()
        """What left, and what lies in the host's mailbox."""
        self.got: dict[str, list[bytes]] = defaultdict(list)
        """By address, all that ever left for it."""
        self.post = Post(world, self._left)
        self.hosts = [self._settled("host")]
        self.at = 0
        """Which of the host's machines is on."""
        self.games: dict[str, tuple[str, ...]] = {}
        """Who plays in each game, by its name."""
        self.records: dict[str, str] = {}
        """By game, what the host's folder of its record is called."""
        self.players: dict[str, Player] = {}
        self.lay: dict[tuple[str, str, int], int] = {}
        """By game, player and step the orders that lay in the mailbox when the host looked, and the
        last entry that the host had signed by then."""
        self.over: set[str] = set()
        self.healthy = False
        self.hands_on = world.draws("heirs", HEIRS)
        self.heirs: dict[tuple[str, str], list[Player]] = defaultdict(list)
        """By game and seat those who have joined to take it over, the last one last."""
        self.leaving: tuple[str, str, Player] | None = None
        """A seat that is being handed on: its game, its name, and who is to get it."""
        self.referee = world.draws("referee", REFEREES)
        self.answered: set[bytes] = set()
        """The referee's mails that somebody has looked at, to do what they ask."""
        if self.referee:
            (self.host.disk / "referee.toml").write_text("games = 9\n")
            self._must(self._serve(self.host))
            for name in PLAYERS:
                self._player(name)
        for number in range(chance.choice([1, 1, 1, 2])):
            self._begin(f"game{number}", chance)

    def _left(self, to: str, data: bytes) -> None:
        if to != address("host"):
            self.seen.mail(data)
            self.got[to].append(data)

    def _settled(self, name: str) -> Machine:
        """A machine with its settings."""
        machine = self.world.machine(name)
        user = address(name).partition("@")[0]
        for key, value in (
            ("address", address(name)),
            ("mail-in", f"imaps://{user}@{SERVER}"),
            ("mail-out", f"smtps://{user}@{SERVER}"),
            ("mail-state", "mail.state"),
        ):
            machine.run("config", key, value)
        return machine

    def _begin(self, game: str, chance: Random) -> None:
        """A game to which all are invited and which all have joined."""
        kind, few, many, options = chance.choice(KINDS)
        names = PLAYERS[: chance.randint(few, many)]
        if self.referee:
            self._seek(names, kind, options)
            return
        said = [word for one in options for word in ("--option", one)]
        self.games[game] = names
        done = self._must(
            self.host.run("invite", kind, *map(address, names), *said, "-y", "--name", game)
        )
        self.records[game] = re.findall("^(.*): the record", done.out, re.MULTILINE)[0]
        self._must(self.host.run("sync"))
        self.post.deliver()
        for name in names:
            mail = next(
                one.data for one in reversed(self.post.inbox(address(name)).mails)
                if f"[{game}]".encode() in one.data
            )  # fmt: skip
            self._must(self._join(self._player(name), game, mail))
        self.post.deliver()
        self._must(self.host.run("sync"))
        self.post.deliver()
        for name in names:
            self._must(self.players[name].machine.run("sync"))

    def _player(self, name: str) -> Player:
        """Somebody, who has a machine from now on."""
        if name not in self.players:
            self.players[name] = Player(self._settled(name), name)
        return self.players[name]

    def _join(self, player: Player, game: str, mail: bytes, seat: str = "") -> Done:
        """Somebody takes a seat by an invitation: one of their own, or somebody else's."""
        (player.machine.disk / "invitation.eml").write_bytes(mail)
        done = player.machine.run("join", "invitation.eml", "--name", seat or player.name, "-y")
        if found := re.findall("^(.*[.]seat): ", done.out, re.MULTILINE):
            player.seats[game] = found[0]
            self.heirs[game, seat] += [player] if seat else []
            # A seat is backed up by who gets it.
            player.machine.days.clear()
        return done

    def _at(self, game: str, name: str) -> Player:
        """Who sits in a seat, by the host's record."""
        for heir in reversed(self.heirs.get((game, name), [])):
            with contextlib.suppress(Refused, Missing):
                record = Record(self.host.disk / self.records[game])
                if heir.seat(game).sits(Ledger.read(record).last.joins):
                    return heir
        return self.players[name]

    def _must(self, done: Done) -> Done:
        if done.code:
            raise AssertionError(f"{done.words}: {done.code}: {done.told}")
        return done

    @property
    def host(self) -> Machine:
        """The host's machine that is on."""
        return self.hosts[self.at]

    # A referee.

    def _serve(self, machine: Machine, *more: str, **ways: Any) -> Done:
        """A turn of one of the host's machines."""
        words = ("referee", ".", "--once") if self.referee and not more else ("sync", *more)
        return machine.run(*words, **ways)

    def _seek(self, names: Sequence[str], kind: str, options: Sequence[str]) -> None:
        """All goes well for a game that the first asks for, until it begins."""
        self.write(names[0], _asking(kind, options, names[1:]))
        for _ in range(5):
            self._well(names)

    def _well(self, names: Iterable[str]) -> None:
        """A turn of the referee's after which all do what its mails ask."""
        self.post.deliver()
        self.turn(self.chance)
        self.post.deliver()
        for name in names:
            self._answer(self._player(name))
            self._ran(self.players[name], self.players[name].machine.run("sync"))
        self._look_for_games()

    def _look_for_games(self) -> None:
        """Games that have begun, as far as those know who play."""
        for player in self.players.values():
            for game in sorted(player.seats.keys() - self.games.keys()):
                if player.record(game).last_step() is not None:
                    begun = read_entry(player.record(game).read("entries/0000.toml"))
                    assert isinstance(begun, Genesis)
                    self.games[game], self.records[game] = tuple(begun.joins), game
                    self.world.counts["games begun by a referee"] += 1

    def _all_begin(self) -> None:
        """Raise Broken for a game that all have joined, and that does not begin though all is
        healthy."""
        for _ in range(4):
            self.world.time += HOUR
            self._well(PLAYERS)
        self.write(PLAYERS[0], "games")
        self._well(())
        mails = [read_mail(one.data) for one in self.post.inbox(address(PLAYERS[0])).mails]
        listed = next(one.text for one in reversed(mails) if one.subject == "the games here")
        if re.search(r"\b(\d+) of \1 joined", listed):
            raise Broken(6, f"all have joined a game, which does not begin: {listed}")

    def seek(self, chance: Random) -> None:
        """Somebody writes the referee what they want."""
        name, *others = chance.sample(PLAYERS, len(PLAYERS))
        kind, few, many, options = chance.choice(KINDS)
        game = chance.choice(sorted(self.records) or ["none"])
        new = _asking(kind, options, others[: chance.randint(few, many) - 1])
        words = [new, new, f"seek {kind} {' '.join(options)}", "games", f"join {self._sought()}",
                 f"watch {game}", f"leave {game}"]  # fmt: skip
        # In two worlds nobody takes the seat of who hides something.
        words += [f"standby {kind}"] * 3 if self.twisted is None else []
        self.write(name, chance.choice(words))

    def _sought(self) -> str:
        """A game that may seek players."""
        found = sorted(path.stem for path in self.host.disk.glob("*.host"))
        return next((one for one in found if one not in self.games), "none")

    def answer(self, chance: Random) -> None:
        """Somebody does what the referee's mails ask."""
        self._answer(self.players[chance.choice(sorted(self.players))])

    def _answer(self, player: Player) -> None:
        """Answer what can be answered, and take the seats that are offered."""
        mails = [one.data for one in self.post.inbox(address(player.name)).mails]
        for data in mails:
            if data in self.answered:
                continue
            self.answered.add(data)
            mail = read_mail(data)
            bundle = choose(mail.blocks, ("invite",))
            name = re.match(r"\[([^]]*)\]", mail.subject)
            if bundle is None and "answer with the word yes" in " ".join(mail.text.split()):
                self.write(player.name, "yes", f"Re: {mail.subject}", mail)
            elif bundle is not None and name is not None and name[1] not in player.seats:
                free = re.search(r"the seat of (\w+) is free", mail.subject)
                self._join(player, name[1], data, "" if free is None else free[1])

    # What players do.

    def _ran(self, player: Player, done: Done) -> Done:
        """Look at what a player's program said."""
        if done.code is None:
            return done
        found = accusations(done.told.splitlines())
        if any(self.heirs.values()):
            # Whose seat was handed on without their consent is told so.
            found = [one for one in found if not one.startswith("YOUR SEAT")]
        if found:
            raise Broken(3, f"{player.name} is told: {found[0]}")
        if done.code == 70:
            raise Broken(5, f"{player.name}, {done.words}: {done.told[-300:]}")
        return done

    def sync(self, chance: Random, **ways: Any) -> None:
        """A player takes in what came."""
        player = self.players[chance.choice(sorted(self.players))]
        self._ran(player, player.machine.run("sync", **ways))

    def order(self, chance: Random, **ways: Any) -> None:
        """A player whose turn it is writes orders; now and then a second time."""
        game = chance.choice(sorted(self.games))
        player = self._at(game, chance.choice(self.games[game]))
        self._ran(player, player.machine.run("sync"))
        self.play(player, game, chance, **ways)

    def play(self, player: Player, game: str, chance: Random, **ways: Any) -> bool:
        """Orders of a bot for what the copy here asks; whether there were any."""
        hides = self.twisted if player.name == PLAYERS[0] else None
        seat = player.seat(game)
        lines = ordered(player.record(game), seat, seat.player, chance, hides)
        if lines is None:
            return False
        self._ran(player, player.machine.run("play", lines, "-y", "-g", game, **ways))
        return True

    def say(self, chance: Random) -> None:
        """A player writes to the host."""
        game = chance.choice(sorted(self.games))
        player = self._at(game, chance.choice(self.games[game]))
        self._ran(player, player.machine.run("say", "hello", "--to", "host", "-g", game))

    def ask(self, chance: Random) -> None:
        """A player writes the mailbox a word that nobody signed."""
        game = chance.choice(sorted(self.games))
        name = chance.choice(self.games[game])
        word = chance.choice(["status", "resend", "resend 1", "history", "help", "who", "nonsense"])
        self.write(name, f"{word} {game}" if chance.random() < 0.5 else word)

    def write(self, name: str, text: str, subject: str = "", answers: Mail | None = None) -> None:
        """A plain mail to the host."""
        mark = self.world.secret().hex()[:20]
        thread = "" if answers is None else f"In-Reply-To: {answers.message_id}\r\n"
        data = (
            f"From: {address(name)}\r\nTo: {address('host')}\r\nSubject: {subject or text}\r\n"
            f"Message-ID: <{mark}@example.org>\r\n{thread}\r\n{text}\r\n"
        )
        self.post.take(address(name), address("host"), data.encode())

    def again(self, chance: Random) -> None:
        """A mail that the host got once comes once more, as it was or quoted."""
        box = self.post.box(address("host"))
        old = [one.data for name in sorted(box) for one in box[name].mails][-30:]
        if not old:
            return
        data = chance.choice(old)
        if chance.random() < 0.5:
            text = "".join(f"> {line}\r\n" for line in data.decode("utf-8", "replace").splitlines())
            mark = self.world.secret().hex()[:20]
            head = f"From: {address('zoe')}\r\nTo: {address('host')}\r\nSubject: fwd\r\n"
            data = f"{head}Message-ID: <{mark}@example.org>\r\n\r\n{text}".encode()
        self.post.take(address("zoe"), address("host"), data)

    # What the host does.

    def turn(self, chance: Random, *more: str, **ways: Any) -> Done:
        """A turn of the host."""
        self._look()
        return self._hosted(self._serve(self.host, *more, **ways), whole=not ways)

    def _look(self) -> None:
        """Note whose orders lie in the mailbox now."""
        for data in [one.data for one in self.post.inbox(address("host")).mails]:
            with contextlib.suppress(Refused):
                for block in read_mail(data).blocks:
                    if block.bundle is not None and block.bundle.kind == "order":
                        self._lies(dict(block.bundle.files))

    def _lies(self, files: Mapping[str, bytes]) -> None:
        for path, data in files.items():
            if path.startswith("slips/") and path.endswith(".toml"):
                slip = read_slip(data)
                key = slip.game, slip.player, slip.step
                if key not in self.lay:
                    self.lay[key] = self._ended(slip.game)

    def _ended(self, game: str) -> int:
        """The last entry of a game on any of the host's machines, or among the copies in its
        mailbox: where the line was cut after one had come, no machine has that entry yet."""
        last = [
            record.last_step() or 0
            for machine in self.hosts
            for folder in self.records.values()
            for record in [Record(machine.disk / folder)]
            if record.last_step() is not None and digest(record.read("entries/0000.toml")) == game
        ]
        for data in self.post.mails(address("host")):
            self.copied.mail(data)
        return max([*last, *self.copied.entries[game]], default=0)

    def _hosted(self, done: Done, *, whole: bool = True) -> Done:
        """Look at what the host's program said."""
        if done.code is None:
            return done
        if done.code == 70 or "this program failed" in done.err:
            raise Broken(5, f"host, {done.words}: {done.err[-400:]}")
        if done.code == 0 and whole and self.post.inbox(address("host")).mails:
            raise Broken(5, f"the host says nothing of a mail that it left: {done.told[-300:]}")
        if done.code and not re.search("^error: ", done.err, re.MULTILINE):
            raise Broken(5, f"the host's turn ends with {done.code} and says nothing")
        return done

    def late(self, chance: Random) -> None:
        """Days pass, and the host calls who is overdue missing."""
        self.world.time += chance.randint(1, 5) * DAY
        self.turn(chance, "--late")

    def ends(self, chance: Random) -> None:
        """A turn of the host's whose process ends somewhere."""
        late = ("--late",) if chance.random() < 0.3 else ()
        self.turn(chance, *late, ends_at=chance.randint(1, MOST_CALLS), cut=chance.random() < 0.5)

    def fills(self, chance: Random) -> None:
        """A turn of the host's during which the disk is full."""
        self.turn(chance, fills_at=chance.randint(1, MOST_CALLS))

    def both(self, chance: Random) -> None:
        """Two machines of the host's take a turn at one time, and either may end anywhere."""
        while len(self.hosts) < 2:
            self.hosts.append(self.host.twin(f"host{len(self.hosts) + 1}"))
        if chance.random() < 0.7:
            self._all_order(chance)
        self._look()
        done: list[Done] = []
        acts: list[Callable[[], None]] = []
        for machine in self.hosts[:2]:
            ends = chance.randint(1, MOST_CALLS) if chance.random() < 0.3 else None
            late = ("--late",) if chance.random() < 0.3 else ()
            acts.append(
                lambda m=machine, e=ends, w=late: done.append(self._serve(m, *w, ends_at=e))
            )
        self.world.overlap(chance, *acts)
        for one in done:
            self._hosted(one, whole=False)

    def _all_order(self, chance: Random) -> None:
        """Whoever is awaited orders, and the orders arrive."""
        for name in sorted(self.players):
            player = self.players[name]
            if self.referee:
                self._answer(player)
            self._ran(player, player.machine.run("sync"))
            for game, names in self.games.items():
                if any(self._at(game, one) is player for one in names):
                    self.play(player, game, chance)
        self.post.deliver()

    def other(self, chance: Random) -> None:
        """The host's other machine is on now; at the first time it is a copy of the one here."""
        if len(self.hosts) < 2:
            self.hosts.append(self.host.twin(f"host{len(self.hosts) + 1}"))
        self.at = 1 - self.at

    def until(self, chance: Random) -> None:
        """The host gives more time by a ruling, which leaves with the next turn."""
        game = chance.choice(sorted(self.games))
        self.host.run("rule", "--until", "3d", "--reason", "snow", "-y", "-g", self.records[game])

    def hand_on(self, chance: Random) -> None:
        """A seat goes to somebody else, by a step or more: the host invites them, they join, and
        the host rules, with the consent of who leaves or without."""
        while self._step(chance) and chance.random() < 0.6:
            self.turn(chance)
            self.post.deliver()

    def _step(self, chance: Random) -> bool:
        """The next step; whether there may be another."""
        if self.leaving is None:
            game = chance.choice(sorted(self.games))
            name = chance.choice(self.games[game])
            if self.twisted is not None and name == PLAYERS[0]:
                return False
            self.leaving = game, name, self._player(f"heir{len(self.players)}")
            self._more(*self.leaving)
            return True
        game, name, heir = self.leaving
        if game not in heir.seats:
            mails = [one.data for one in self.post.inbox(address(heir.name)).mails]
            if mails:
                self._join(heir, game, mails[-1], name)
            else:
                self._more(*self.leaving)
            return True
        place, who = self.records[game], self._at(game, name)
        joins = sorted((self.host.disk / f"{place}.host" / "joins").glob(f"*-{name}.txt"))
        if who is heir:
            self.leaving = None
        elif joins:
            data = joins[-1].read_bytes()
            agrees = chance.random() < 0.6
            consent = consented(who.machine, who.machine.run, data, game) if agrees else None
            ways = {"ends_at": chance.randint(1, 60)} if chance.random() < 0.2 else {}
            hand_on(self.host, partial(self.host.run, **ways), data, consent, place)
            self.world.counts["seats handed on"] += self._at(game, name) is heir
        return False

    def _more(self, game: str, name: str, heir: Player) -> None:
        """The host invites somebody to a seat that is handed on."""
        self.host.run("invite", "--more", address(heir.name), "-g", self.records[game])

    # Weather.

    def deliver(self, chance: Random) -> None:
        """Some mails arrive."""
        self.post.deliver(chance)

    def arrive(self, chance: Random) -> None:
        """All mails arrive, but for those that are stopped."""
        self.post.deliver()

    def hours(self, chance: Random) -> None:
        """Time passes."""
        self.world.time += chance.randint(1, 30) * HOUR

    def stop(self, chance: Random) -> None:
        """Mails to one address stop; they come, in another order, when it is let go."""
        names = ["host", *sorted(self.players)]
        self.post.stopped.add(address(chance.choice(names)))

    def let_go(self, chance: Random) -> None:
        """Mails to one address come again."""
        if self.post.stopped:
            self.post.stopped.remove(chance.choice(sorted(self.post.stopped)))
            chance.shuffle(self.post.way)

    def refuse(self, chance: Random) -> None:
        """A player's server sends mails back."""
        self.post.refusing ^= {address(chance.choice(sorted(self.players)))}

    def quota(self, chance: Random) -> None:
        """The host's mailbox is full, or no longer."""
        self.post.full ^= {address("host")}

    def down(self, chance: Random) -> None:
        """The mail server is away for a turn of the host's."""
        self.post.down = True
        self.turn(chance)
        self.post.down = False

    def cut(self, chance: Random) -> None:
        """A turn of the host's over a line that is cut."""
        self.post.cut = lambda: chance.randint(50, 30_000)
        self.turn(chance, *(("--late",) if chance.random() < 0.5 else ()))
        self.post.cut = lambda: None

    def anew(self, chance: Random) -> None:
        """The mail server numbers the host's mails anew (RFC 3501 section 2.3.1.1)."""
        for folder in self.post.box(address("host")).values():
            folder.validity += 1
            for number, one in enumerate(folder.mails, 1):
                one.uid = number
            folder.next = len(folder.mails) + 1

    def day(self, chance: Random) -> None:
        """Somebody's disk is backed up."""
        self._somebody(chance).keep_day()

    def old(self, chance: Random) -> None:
        """Somebody's disk is put back to an earlier day."""
        machine = self._somebody(chance)
        if machine.days:
            machine.put_back(chance.randrange(len(machine.days)))
            for player in self.players.values():
                player.restored |= player.machine is machine

    def clock(self, chance: Random) -> None:
        """Somebody's clock is wrong, by minutes, days or years; or it is right again."""
        machine = self._somebody(chance)
        machine.strobe = chance.choice([0, 0, 0, 200])
        machine.wrong = chance.choice([0, 0, 0, 0, 600, -600, 2 * DAY, -2 * DAY, 400 * DAY])

    def _somebody(self, chance: Random) -> Machine:
        people = [one.machine for _, one in sorted(self.players.items())]
        return chance.choice([self.host, self.host, *people])

    def restore(self, chance: Random) -> None:
        """The host brings back what its machine may have lost."""
        self._bring_back()

    def _bring_back(self) -> str:
        kept = f"imaps://host@{SERVER}/Adjudicated"
        named = [()] if self.referee else [("-g", self.records[game]) for game in self.games]
        return "".join(self.host.run("restore", kept, *one).told for one in named)

    def player_ends(self, chance: Random) -> None:
        """A player's command whose process ends somewhere."""
        self.order(chance, ends_at=chance.randint(1, 60), cut=chance.random() < 0.5)

    def all_read(self, name: str) -> None:
        """A player takes in all that ever left for them, whether it arrived or not."""
        machine = self.players[name].machine
        mails = {f"{number}.eml": data for number, data in enumerate(self.got[address(name)])}
        for path, data in mails.items():
            (machine.disk / path).write_bytes(data)
        machine.run("take", *mails)

    def events(self) -> Mapping[str, Event]:
        """See Scene."""
        return {
            "a player orders": (8, self.order), "a player syncs": (2, self.sync),
            "a player's process ends": (1, self.player_ends),
            "a player writes to the host": (0.5, self.say),
            "a word nobody signed": (0.7, self.ask), "an old mail comes again": (0.7, self.again),
            "the host's turn": (6, self.turn), "a late turn": (1.2, self.late),
            "the host's process ends": (3, self.ends), "the host's disk is full": (0.7, self.fills),
            "two machines at once": (3, self.both), "the other machine": (1, self.other),
            "a ruling gives time": (0.4, self.until), "some mails arrive": (4, self.deliver),
            "all mails arrive": (4, self.arrive), "hours pass": (2, self.hours),
            "mails stop": (0.6, self.stop), "mails go on": (0.8, self.let_go),
            "an address refuses": (0.4, self.refuse), "the quota is full": (0.4, self.quota),
            "the server is away": (0.4, self.down), "the line is cut": (1.2, self.cut),
            "numbers anew": (0.3, self.anew), "a backup": (1, self.day),
            "an old disk": (1, self.old), "a clock is wrong": (0.8, self.clock),
            "the host restores": (0.6, self.restore),
            "a seat is handed on": (6 * self.hands_on, self.hand_on),
            "a word to the referee": (4 * self.referee, self.seek),
            "the referee's mails are answered": (6 * self.referee, self.answer),
        }  # fmt: skip

    # Promises.

    def check(self, chance: Random) -> None:
        """See Scene."""
        self._look_for_games()
        self.seen.check(self.lay)
        if chance.random() < 0.5:
            game = chance.choice(sorted(self.games))
            self.judge(game, self._at(game, chance.choice(self.games[game])))

    def judge(self, game: str, player: Player) -> int:
        """The verdict of a player's copy with their seat, which is never against the host."""
        record, seat = player.record(game), player.seat(game)
        sits = all(player not in there for there in self.heirs.values())
        # An heir sits there once the ruling that says so has come.
        with contextlib.suppress(Refused, Missing):
            sits = sits or seat.sits(Ledger.read(record).last.joins)
        found = verify(record, Asked(seat if sits else None))
        if found.code not in (0, 3, 4):
            raise Broken(3, f"{player.name}'s copy of {game}: {found.verdict}: {found.marked}")
        return found.code

    # The end.

    def mend(self) -> None:
        """See Scene."""
        self.healthy = True
        self.post.stopped.clear()
        self.post.refusing.clear()
        self.post.full.clear()
        for machine in self.world.machines.values():
            machine.wrong = machine.strobe = 0
        self.post.deliver()

    def finish(self) -> None:
        """See Scene."""
        chance = Random(f"{self.world.seed}/end")  # noqa: S311
        if self.referee:
            self._all_begin()
        far = {game: self._last(game) for game in self.games}
        told = ""
        for number in range(8):
            self.world.time += (3 if number < 2 else 1) * DAY
            self.post.deliver()
            self._all_order(chance)
            told = self._healthy_turn(number)
            self.seen.check(self.lay)
        for game in self.games:
            if self._last(game) < far[game] + 2 and not self._over(game):
                raise Broken(6, f"{game} stands still at entry {self._last(game)}: {told[-600:]}")
            if not self._over(game):
                self.host.run("rule", "--end", "--reason", "time", "-y", "-g", self.records[game])
        for _ in range(3):
            self.world.time += DAY
            self.turn(chance, "--late")
            self.post.deliver()
            for name in sorted(self.players):
                self._ran(self.players[name], self.players[name].machine.run("sync"))
        self.seen.check(self.lay)
        for game, names in self.games.items():
            for name in names:
                player = self._at(game, name)
                if self.judge(game, player) == 4:
                    raise Broken(6, f"{name}'s copy of {game} does not come to its end")
        before = self._weight()
        for _ in range(2):
            done = self.turn(chance)
        hosted = len(list(self.host.disk.glob("*.host")))
        if done.calls > 150 + 40 * hosted or self._weight() > before + 4096:
            raise Broken(7, f"an idle turn: {done.calls} calls, {self._weight() - before} bytes")

    def _healthy_turn(self, number: int) -> str:
        """A turn, after which the host does what it is told to do."""
        done = self.turn(self.chance, "--late")
        told = done.told
        if "restore" in done.err:
            told += self._bring_back()
        if "--tell-again" in done.err:
            told += self.turn(self.chance, "--late", "--tell-again", "all").told
        if "--clock-is-right" in done.err and number > 2:
            told += self.turn(self.chance, "--late", "--clock-is-right").told
        self.host.run("sync", "--retry")
        self.post.deliver()
        for game, names in self.games.items():
            for name in names:
                player = self._at(game, name)
                if self._told_gap(game, player):
                    last = player.record(game).last_step()
                    first = 0 if last is None else last + 1
                    for step in range(first, self._last(game) + 1)[:3]:
                        self.world.time += HOUR + 60
                        self.write(player.name, f"resend {step}", f"[{game}] a question")
                        self.post.deliver()
                        self.host.run("sync")
                        self.post.deliver()
                    player.machine.run("sync")
        return told

    def _told_gap(self, game: str, player: Player) -> bool:
        """Whether a player's copy lacks entries."""
        last = player.record(game).last_step()
        return last is None or last < self._last(game)

    def _last(self, game: str) -> int:
        return Record(self.host.disk / self.records[game]).last_step() or 0

    def _over(self, game: str) -> bool:
        record = Record(self.host.disk / self.records[game])
        last = record.last_step()
        return last is not None and b"reveal" in record.read(f"entries/{last:04d}.toml")[:400]

    def _weight(self) -> int:
        return sum(path.stat().st_size for path in self.host.disk.rglob("*") if path.is_file())


def _asking(kind: str, options: Iterable[str], others: Iterable[str]) -> str:
    """The line that asks a referee for a game with these people."""
    given = [*options, *(() if "missed=resign" in options else ("away=1",))]
    return f"new {kind} {' '.join(given)} with {' '.join(map(address, others))}"


def ordered(
    record: Record, seat: Seat, name: str, chance: Random, twisted: bool | None = None
) -> str | None:
    """What a bot orders in a player's seat now; None where nothing is awaited, or nothing new.

    `twisted`: the setup differs if it is true, and then the same is ordered in both worlds.
    """
    dice = Dice(b"%d" % chance.getrandbits(40))
    kind = chance.choice(["random", "captain"])
    try:
        own = Seated(record, seat)
        if name not in own.last.entry.awaited:
            return None
        report = own.report()
    except (Refused, Missing):
        return None
    setup = own.last.entry.awaited[name].what == "setup"
    if twisted is not None and not setup and own.opening.game.id == "sugar-dog":
        return "silent"
    if twisted and setup:
        dice = Dice(b"another")
    bot = own.opening.game.bots[kind](name)
    bot.hear(report.view, report.events)
    try:
        return bot.order(dice).orders.replace("\n", "; ")
    except ValueError:
        return None


# Two worlds of one seed.


def pair(seed: str, length: int = LENGTH) -> Log:
    """Sail a seed twice, with another setup of the first player's; broken, if what the others hold
    differs though nothing may.

    What a player holds is compared for as long as their reports are the same in both worlds, and of
    a game until it is revealed: what the rules tell, they tell. Of each thing its size, its words
    and its values count; digests and signatures differ, as they are promises about what is hidden.
    """
    log = Log(seed)
    held: list[dict[str, list[str]]] = []
    told: list[dict[tuple[str, str], list[str]]] = []
    for twisted in (False, True):
        with surrounded(World(seed)) as world:
            made = Hosted(world, Random(f"{seed}/begin"), twisted=twisted)  # noqa: S311
            for number in range(length):
                name, act, chance = drawn(made, seed, number)
                act(chance)
                log.events[name] += 1
            keys = [(game, name) for game, names in made.games.items()
                    for name in names if name != PLAYERS[0]]  # fmt: skip
            for name in sorted({name for _, name in keys}):
                made.all_read(name)
            held.append({name: [*map(_masked, made.got[address(name)])] for _, name in keys})
            told.append({key: _reports(made.players[key[1]], key[0]) for key in keys})
            log.turns += world.commands
    for name, mails in held[0].items():
        parts = [
            (f"[{game}]", f"entries/{step:04d}")
            for (game, of), reports in told[0].items() if of == name
            for step, (one, two) in enumerate(zip(reports, told[1][game, of], strict=False))
            if one != two
        ]  # fmt: skip
        tags = [f"[{game}]" for game, of in told[0] if of == name]
        over: set[str] = set()
        for one, two in zip(mails, held[1][name], strict=False):
            if any(game in one and entry in one + two for game, entry in parts):
                break
            if "[reveal]" in one:
                over.update(tag for tag in tags if tag in one)
            if any(tag in one for tag in over):
                continue
            log.events["things of two worlds compared"] += 1
            if one != two:
                log.broken = Broken(SECRETS, f"{name}: {_first_difference(one, two)}")
    return log


def _reports(player: Player, game: str) -> list[str]:
    """What each entry told a player."""
    own = Seated(player.record(game), player.seat(game))
    out = []
    for link in own.ledger.links():
        with contextlib.suppress(Refused, Missing):
            report = own.report(link.step)
            out.append(repr((report.step, report.view, report.events)))
    return out


_DIGEST = re.compile(rf"[0-9a-f]{{40,64}}|[A-Za-z0-9+/=]{{60,}}|{TOKEN.pattern}")


def _masked(data: bytes) -> str:
    """A mail as its reader sees it, with the files in its blocks, by name and size; promises and
    signatures are masked."""
    mail = read_mail(data)
    lines = [str(len(data)), _DIGEST.sub("*", mail.subject), _DIGEST.sub("*", mail.text)]
    for block in mail.blocks:
        for path, file in () if block.bundle is None else block.bundle.files:
            text = file.decode("ascii", "replace") if path.endswith(".toml") else ""
            lines.append(f"{path} {len(file)} {_DIGEST.sub('*', text)}")
    return "\n".join(lines)


def _first_difference(one: str, two: str) -> str:
    rows = zip(one.splitlines(), two.splitlines(), strict=False)
    return next((f"{a!r} and {b!r}" for a, b in rows if a != b), "lengths")
