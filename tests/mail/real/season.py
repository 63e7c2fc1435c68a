"""A season of a club on real mail servers, in which days pass in seconds.

The referee is the command itself, `referee FOLDER --once`, at one turn after another; Postfix and
Dovecot carry and hold its mails. All clocks stand still while anybody acts, and each **tick** moves
them: people read what has come and act, the servers are waited for until nothing is on its way, the
referee takes its turn, the servers again, and eight hours pass. So a season is the same each time.

What is meant is written down where it is done: each mail that somebody writes is kept with what the
referee must say of it in its log, by Message-ID, and each order with the time at which it was sent.
What people are sent is read where it lies, with the time at which it came. All that a season claims
is judged by these two, and by the records.

Some people sit behind a `Provider`, which takes their mails from Postfix and does as such do:
rewrites Message-IDs, or says thank you and sends the mail back with words of its own.
"""

from __future__ import annotations

import email
import email.policy
import email.utils
import html
import random
import re
import smtplib
import socketserver
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from email.message import EmailMessage
from pathlib import Path
from typing import NamedTuple

from click.testing import CliRunner
from mail_servers import Servers
from mailroom import Clock
from servers import serving

import games
from adjudicator.cli import cli
from adjudicator.core import bundles, deadlines, opening
from adjudicator.core.ledger import Ledger
from adjudicator.mail import block
from adjudicator.mail import player as mail_player
from adjudicator.mail.mime import Mail, read_mail
from adjudicator.player import finding, seated
from adjudicator.player.seat import Seat
from adjudicator.player.seated import Seated
from adjudicator.player.table import KINDS, Table
from adjudicator.store.record import Record
from games.dice import Dice
from games.game import Bot, Written
from orders import crypto
from orders.bundle import Bundle, encode
from orders.documents import Private
from orders.entries import read_entry
from orders.errors import Refused
from orders.fields import Time
from orders.keys import MemoryKey
from orders.order_file import compose
from orders.secrets import derive

REFEREE = "referee@example.org"
TICK = 8 * 3_600
DAY_SECONDS = 3 * TICK
LONGEST = 14
"""After so many entries whoever is awaited gives in, so that a season ends."""

GAMES = "games"
"""The word that brings the list of games."""
NOTHING = r"(automatic|command |help |no yes |.* refused|.*: too many|from a )"
"""What a log says of a mail that does nothing."""

QMAIL = """\
Hi. This is the qmail-send program at mx.example.org.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<{to}>:
Sorry, no mailbox here by that name. (#5.1.1)

--- Below this line is a copy of the message.

{mail}"""

OUTLOOK = "-----Original Message-----\nFrom: Games\nSubject: your move"

EXCHANGE = """\
<html><body><p><b>Your message to {to} couldn't be delivered.</b></p>
<p>The recipient's mailbox isn't accepting messages now.</p>
<table><tr><td>Remote Server returned '554 5.2.0 STOREDRV.Deliver.Exception'</td></tr></table>
<p>Original message:</p><pre>{mail}</pre></body></html>"""


class Provider:
    """A mail server in front of some mailboxes. `rewrites`: whose mails get Message-IDs of its own.
    `returns`: whose mails go back to the envelope's sender, each with the text of the notice."""

    def __init__(self) -> None:
        self.rewrites: set[str] = set()
        self.returns: dict[str, str] = {}
        self.returned: Counter[str] = Counter()
        self.count = 0
        self.faults: list[str] = []
        self.servers: Servers

    def listening(self) -> AbstractContextManager[int]:
        """Its port, while it listens."""
        provider = self

        class Session(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                provider.answer(self)

        return serving(socketserver.ThreadingTCPServer(("127.0.0.1", 0), Session))

    def answer(self, session: socketserver.StreamRequestHandler) -> None:
        """As much of SMTP as Postfix speaks."""
        sender, to, answer = "", "", b"220 mx.example.org"
        while True:
            session.wfile.write(answer + b"\r\n")
            line = session.rfile.readline().decode("ascii")
            word = line[:4].upper()
            answer = b"250 ok"
            if word == "MAIL":
                sender = line.partition("<")[2].partition(">")[0]
            elif word == "RCPT":
                to = line.partition("<")[2].partition(">")[0]
            elif word == "DATA":
                session.wfile.write(b"354 go on\r\n")
                lines = iter(session.rfile.readline, b".\r\n")
                data = b"".join(one.removeprefix(b".") for one in lines)
                try:
                    self.take(sender, to, data)
                except Exception as error:  # the season's end tells it
                    self.faults.append(repr(error))
            elif word in ("QUIT", ""):
                session.wfile.write(b"221 bye\r\n")
                return

    def take(self, sender: str, to: str, data: bytes) -> None:
        """Deliver a mail, or send it back; Postfix answers for it until this is done."""
        notice = self.returns.get(to)
        if notice is not None:
            self.returned[to] += 1
            if sender:
                self._send_back(sender, to, notice, data)
            return
        if to in self.rewrites:
            mark = b"Message-ID: <%d.rewritten@mx.example.org>" % self.count
            found = rb"(?im)^Message-ID:[^\r\n]*(?:\r\n[ \t][^\r\n]*)*"
            data, many = re.subn(found, mark, data, count=1)
            self.count += many
        with smtplib.LMTP(str(self.servers.root / "lmtp")) as server:
            server.sendmail(sender, [to], data)

    def _send_back(self, sender: str, to: str, notice: str, data: bytes) -> None:
        is_html = notice.startswith("<html>")
        mail = data.decode("ascii", "replace").replace("\r\n", "\n")
        message = EmailMessage()
        message["From"] = "MicrosoftExchange329e71ec@example.org" if is_html else \
                          "MAILER-DAEMON@mx.example.org"  # fmt: skip
        message["To"], message["Subject"] = sender, "Undeliverable" if is_html else "failure notice"
        message["Message-ID"] = email.utils.make_msgid(domain="mx.example.org")
        text = notice.format(to=to, mail=html.escape(mail) if is_html else mail)
        message.set_content(text, subtype="html" if is_html else "plain")
        with smtplib.SMTP("localhost", self.servers.smtp) as server:
            server.sendmail("", [sender], message.as_bytes())


class Order(NamedTuple):
    """An order that somebody sent: for which step of which game, and when."""

    game: str
    player: str
    step: int
    time: Time


class Sent(NamedTuple):
    """A mail that somebody wrote: when, what the log must say that it is, as a pattern, and the
    order in it."""

    by: str
    time: Time
    means: str
    order: Order | None = None


class Came(NamedTuple):
    """A mail in somebody's mailbox: when it came, where answers go, and whether it answers a mail
    of theirs."""

    time: Time
    mail: Mail
    back: str
    answers: bool


def game_of(mail: Mail) -> str:
    """The game that a subject names, "" for none."""
    found = re.match(r"\[([^\[\]]+)\]", mail.subject)
    return found[1] if found else ""


def step_of(mail: Mail) -> int | None:
    """The number of the entry that a mail brings, None for none."""
    bundle = block.choose(mail.blocks, ("entry",))
    return None if bundle is None else read_entry(bundles.document(bundle)[1]).step


def turn_of(mail: Mail) -> int:
    """The entry that a mail is about: that it brings, that a reminder waits for an answer to, that
    calls somebody missing; -1 for an invitation."""
    step = step_of(mail)
    if step is not None:
        return step
    reminds = re.search(r"step (\d+): your orders until", mail.subject)
    told = re.search(r"for\s+entry\s+(\d+)\s+of", mail.text)
    return int(reminds[1]) - 1 if reminds else int(told[1]) if told else -1


class Missing(NamedTuple):
    """Somebody whom an entry calls missing: the seconds that counted from the mail that asked to
    the deadline, and whether they had sent orders before it."""

    game: str
    step: int
    name: str
    had: int
    sent: bool


@dataclass
class Manners:
    """What somebody and their mail program do.

    `threads`: answers name what they answer. `quotes`: what stands before each line of the answered
    mail, None where it is left out. `knows_reply_to`: answers go where they are asked to go.
    `away`: from which tick until which nothing is read; with `returns` no longer than until a mail
    warns of a missed deadline. `robot`: meanwhile each mail is answered under its own subject.
    `late`: how likely it is that an order takes a day more.
    """

    threads: bool = True
    quotes: str | None = "> "
    knows_reply_to: bool = True
    away: tuple[int, int] = (0, 0)
    returns: bool = False
    robot: bool = False
    late: float = 0.2


class Person:
    """Somebody with a mailbox, a key, a folder of games, and bots that play for them."""

    def __init__(self, season: Season, name: str, manners: Manners) -> None:
        self.season, self.name, self.manners = season, name, manners
        self.address = f"{name}@example.org"
        self.folder = season.root / name
        self.folder.mkdir()
        self.key = MemoryKey.from_seed(derive(b"k" * 32, f"key/{name}"))
        self.chance = random.Random(name)  # noqa: S311 - manners, no secrets
        self.hour = self.chance.randrange(3)
        """At which tick of a day this person plays."""
        self.seen: set[str] = set()
        self.ids, self.texts = set[str](), set[str]()
        self.unread: list[Came] = []
        self.came: list[Came] = []
        self.lacking: set[tuple[str, int, str]] = set()
        """Games, entries and days on which one was asked for again."""
        self.asked: list[str] = []
        self.confirmed: list[Came] = []
        self.warned = False
        self.seeks = False
        """Whether this person asks for the list, to join a game that seeks players."""
        self.own: set[str] = set()
        """The Message-IDs of the mails that this person wrote."""
        self.orders: list[Order] = []
        self.due: dict[tuple[str, int], int] = {}
        """By game and step the tick at which this person orders."""
        self.bots: dict[str, tuple[Bot, int]] = {}
        self.warnings: list[tuple[Time, str]] = []

    # Mails.

    @property
    def is_away(self) -> bool:
        """Whether nothing is read now; who comes back does so once they are warned."""
        first, last = self.manners.away
        return first <= self.season.ticks < last and not (self.manners.returns and self.warned)

    def post(
        self, text: str, subject: str, means: str, answers: Came | None = None, sender: str = ""
    ) -> None:
        """Write a mail, or an answer; `sender`: in whose name, if not one's own."""
        to = REFEREE if answers is None else answers.back
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = sender or self.address, to, subject
        message["Message-ID"] = f"<{len(self.own)}.{self.name}@example.org>"
        if answers is not None and self.manners.threads:
            mark = answers.mail.message_id
            message["In-Reply-To"] = message["References"] = mark
        if answers is not None and self.manners.quotes is not None:
            who = f"On {answers.time} the games wrote:" if self.manners.quotes else OUTLOOK
            lines = [f"{self.manners.quotes}{line}" for line in answers.mail.text.splitlines()]
            text = "\n".join([text, "", who, *lines, ""])
        message.set_content(text)
        self.submit(message.as_bytes(), means, to)

    def submit(self, data: bytes, means: str, to: str = REFEREE) -> None:
        """Hand a mail in, as its writer."""
        mail = read_mail(data)
        mark = mail.message_id
        assert mark is not None
        self.own.add(mark)
        last = self.orders[-1] if block.choose(mail.blocks, ("order",)) else None
        # One that is sent again has the receipt that it had.
        order = next((one for one in self.orders if last and one[:3] == last[:3]), None)
        self.season.sent[mark] = Sent(self.name, self.season.clock.now(), means, order)
        with smtplib.SMTP("localhost", self.season.servers.smtp) as server:
            server.starttls(context=self.season.servers.context)
            server.login(self.name, "secret")
            server.sendmail(self.address, [to], data)
        # So mails come to the referee in the order in which they were written.
        self.season.settle()

    def send(self, copy: Record, bundle: Bundle, what: str, means: str) -> None:
        """The mail that the program writes, or, where threads are lost, a block that is pasted."""
        if self.manners.threads:
            self.submit(mail_player.wrap(copy, bundle, what, None, self.address).data, means)
        else:
            self.post(f"Hello,\n\n{encode(bundle).decode()}\n", "my move", means)

    def ask(self, line: str) -> None:
        """A word to the referee, to be proven by an answer to its answer."""
        self.asked.append(line)
        self.post(line, "hello", rf"{line.split()[0]}\? of {self.address}")

    def look_around(self) -> None:
        """Ask for the list of games, to join one that seeks players."""
        self.seeks = True
        self.post(GAMES, "hello", rf"{GAMES} of {self.address}")

    def fetch(self) -> None:
        """See what came; read it, unless one is away."""
        box = self.season.servers.maildir(self.name)
        new = {path.name.partition(":")[0]: path.read_bytes()
               for part in ("new", "cur") for path in (box / part).glob("*")}  # fmt: skip
        held = [(read_mail(data), data) for name, data in new.items() if name not in self.seen]
        self.seen |= {*new}
        # They came at once, in an order that the servers' processes made.
        for mail, data in sorted(held, key=lambda one: (one[0].subject, one[0].text)):
            head = email.message_from_bytes(data, policy=email.policy.default)
            # Two machines of a host may both send a mail. A mailbox drops the second by its
            # Message-ID; where a relay writes that anew, its reader sees that it is the same.
            if mail.message_id in self.ids:
                continue
            again, self.ids = mail.text in self.texts, self.ids | {str(mail.message_id)}
            self.texts.add(mail.text)
            back = head["Reply-To"] if self.manners.knows_reply_to else None
            answers = head["In-Reply-To"] in self.own
            came = Came(self.season.clock.now(), mail, back or REFEREE, answers)
            self.came.append(came)
            if again:
                continue
            self.unread.append(came)
            self.warned |= "you missed a deadline" in came.mail.subject
            if self.is_away and self.manners.robot:
                self.post("I am out of the office and have no access to my mail.\n",
                          f"Re: {came.mail.subject}", NOTHING, came)  # fmt: skip
        if self.is_away:
            return
        unread, self.unread = self.unread, []
        for one in unread:
            self._look(one)
        # Each game's mails at once, as the program does.
        given: dict[str, list[tuple[Mail, Bundle]]] = {}
        for one in unread:
            bundle, name = block.choose(one.mail.blocks, KINDS), game_of(one.mail)
            if bundle is not None and bundle.kind != "invite":
                given.setdefault(name, []).append((one.mail, bundle))
        for name, came in given.items():
            table = self.table(name)
            taken = table.take((str(mail.message_id), bundle) for mail, bundle in came)
            for mail, _ in came:
                mail_player.remember(table.record, mail)
            self.warnings += [(self.season.clock.now(), line) for line in taken.warnings]
            self._mend(table)

    def table(self, name: str) -> Table:
        """The copy of a game, and the seat at it."""
        copy, place = Record(self.folder / name), self.folder / f"{name}.seat"
        seat = Seat.open(place) if place.exists() else None
        return Table(copy, seat, self.season.clock, keeps=True)

    def _mend(self, table: Table) -> None:
        """Ask for entries that are lacking."""
        name, today = table.game, self.season.clock.now()[:10]
        for step in table.gap()[1]:
            if (name, step, today) not in self.lacking:
                self.lacking.add((name, step, today))
                means = rf"command resend in the name of {self.name}"
                self.post(f"resend {step}", f"Re: [{name}] entry {step}", means)

    def _look(self, came: Came) -> None:
        mail = came.mail
        line = next((one for one in self.asked if one in mail.subject), None)
        invite = block.choose(mail.blocks, ("invite",))
        if line is not None:
            self.asked.remove(line)
            self.confirmed.append(came)
            self.agree(came, rf"{line.split()[0]} of {self.address}")
        elif self.seeks and (found := re.search(r"Seeking players:\s+(\S+):", mail.text)):
            self.seeks = False
            self.ask(f"join {found[1]}")
        elif "you missed a deadline" in mail.subject:
            self.agree(came, rf"stay of {self.address}")
        elif invite is not None:
            self._invited(invite, mail.text)

    def agree(self, came: Came, means: str) -> None:
        """Answer `yes`."""
        self.post("yes", f"Re: {came.mail.subject}", means, came)

    def _invited(self, invite: Bundle, text: str) -> None:
        copy = finding.copy_of_invite(invite, self.folder)
        offer, token = opening.read_offer(copy), bundles.token_in(invite)
        place = self.folder / f"{offer.name}.seat"
        if token is None or place.exists():
            return
        taken = re.search(r"join\s+under\s+the\s+name\s+(\w+)", text)
        name = taken[1] if taken else self.name
        seat = Seat.create(place, name, offer.digest, self.folder / "key", crypto.fresh())
        join = seated.join(offer, seat, self.key, Private(self.address, token))
        self.send(copy, join, "a join", rf"{offer.name}: (join as|a new player for) {name}")

    # Playing.

    def act(self) -> None:
        """Order in each game that awaits this person, in their own time."""
        for copy in [] if self.is_away else finding.copies(self.folder):
            name, place = copy.root.name, self.folder / f"{copy.root.name}.seat"
            if copy.last_step() is None or not place.exists():
                continue
            try:
                own = Seated(copy, Seat.open(place))
            except Refused:
                # A substitute's seat is theirs only from the ruling on.
                continue
            me, step = own.seat.player, own.step
            if me not in own.last.clocks.awaited:
                continue
            if (name, step) not in self.due:
                day = 3 if self.chance.random() < self.manners.late else 0
                self.due[name, step] = self.season.ticks + (self.hour - self.season.ticks) % 3 + day
            if self.due[name, step] > self.season.ticks or self.season.is_free:
                continue
            sent = [one for one in self.orders if (one.game, one.step) == (name, step)]
            if sent:
                self._send_again(own, sent)
                continue
            file = compose(self._written(own, name).orders)
            self._order(own, own.order(file, self.key, self.season.clock.now()).bundle)

    def _order(self, own: Seated, made: Bundle) -> None:
        name, me = own.opening.offer.name, own.seat.player
        self.orders.append(Order(name, me, own.step, self.season.clock.now()))
        means = rf"{name}: order of {me}, step {own.step}, revision 1: "
        self.send(Record(self.folder / name), made, "orders", means)

    def _send_again(self, own: Seated, sent: Sequence[Order]) -> None:
        """Send orders again that have no receipt for a day."""
        due = self.table(own.opening.offer.name).due()
        now = self.season.clock.now()
        if due is not None and deadlines.between(sent[-1].time, now) >= DAY_SECONDS:
            self._order(own, bundles.pack("order", due.files()))

    def _written(self, own: Seated, name: str) -> Written:
        if own.step > LONGEST:
            return Written("resign")
        kind = games.load(own.opening.game.id)
        bot, heard = self.bots.get(name, (kind.bots["mate"](own.seat.player), -1))
        report = own.report()
        if report.step > heard:
            bot.hear(report.view, report.events)
        self.bots[name] = bot, report.step
        return bot.order(Dice(derive(b"b" * 32, f"{self.name}/{name}/{report.step}")))


@dataclass
class Season:
    """A club's folder, its people, and the time.

    `free`: whether nobody plays at a time.
    """

    servers: Servers
    root: Path
    provider: Provider
    settings: str
    free: Callable[[Time], bool]
    clock: Clock = field(default_factory=lambda: Clock("2026-11-30T07:00:00Z"))
    ticks: int = 0
    people: dict[str, Person] = field(default_factory=dict)
    sent: dict[str, Sent] = field(default_factory=dict)
    read: dict[str, list[str]] = field(default_factory=dict)
    """By Message-ID what the log said of that mail, each time it was read."""
    said: list[str] = field(default_factory=list)
    down: bool = False

    def __post_init__(self) -> None:
        self.folder = self.root / "games"
        self.folder.mkdir()
        self.machines = [self.folder]

    def add(self, name: str, manners: Manners | None = None) -> Person:
        self.people[name] = Person(self, name, manners or Manners())
        return self.people[name]

    @property
    def is_free(self) -> bool:
        return self.free(self.clock.now())

    def tick(self) -> None:
        """People act, the referee's machines take their turns, and time passes."""
        for one in self.people.values():
            one.fetch()
        for one in self.people.values():
            one.act()
        self.settle()
        for machine in self.machines:
            self.turn(machine)
            self.settle()
        self.clock.skip(TICK)
        self.ticks += 1

    def turn(self, folder: Path) -> None:
        """One turn of the referee's command; while `down`, nothing listens where mails leave."""
        port = 1 if self.down else self.servers.smtp
        (folder / "referee.toml").write_text(
            f'address = "{REFEREE}"\n'
            f'mail-in = "imaps://referee@localhost:{self.servers.imaps}/INBOX"\n'
            f'mail-out = "smtp://referee@localhost:{port}"\n'
            f'ca = "{self.servers.ca}"\nallow = ["*@example.org"]\n{self.settings}'
        )
        done = CliRunner().invoke(cli, ["referee", str(folder), "--once"])
        assert done.exit_code in (0, 1), done.output
        for line in done.stderr.splitlines():
            self.said.append(f"{self.clock.now()} {folder.name} {line}")
            found = re.fullmatch(r"\S+ uid \d+: (.*) (<[^<>]+>)", line)
            if found:
                self.read.setdefault(found[2], []).append(found[1])

    def settle(self) -> None:
        """Wait until nothing is on its way: Postfix's queue is empty, and was at a second look, as
        a notice is written before what it is about is removed."""
        end = time.monotonic() + 60
        empty = 0
        while empty < 2:
            queued = [
                path for name in ("deferred", "maildrop", "incoming", "active")
                for path in (self.servers.root / "spool" / name).rglob("*") if path.is_file()
            ]  # fmt: skip
            empty = 0 if queued else empty + 1
            assert time.monotonic() < end, f"{queued}\n{self.servers.told()}"
            time.sleep(0.01 if queued else 0)

    def records(self) -> list[Record]:
        return finding.copies(self.folder)

    # What is judged.

    def misread(self) -> list[str]:
        """Mails that the referee took for something else than was meant, or never read."""
        found = []
        for mark, one in self.sent.items():
            said = [line for line in self.read.get(mark, []) if line != "dealt with before"]
            means = one.means if one.order is None else one.means + self.status(one.order)
            if not said or not all(re.match(means, line) for line in said):
                found.append(f"{one.time} {one.by} meant {means}: read as {said}")
        return found

    def status(self, order: Order) -> str:
        """The status that an order must have: `stale` if the game had gone on without its writer,
        who had not heard of it yet."""
        links = Ledger.read(Record(self.folder / order.game)).links()
        before = [one for one in links if one.entry.time and one.entry.time < order.time]
        return "accepted" if before[-1].since == order.step - 1 else "stale"

    def missing(self) -> Iterator[Missing]:
        """Everybody whom an entry calls missing."""
        holders = {one.key.public.fingerprint: one for one in self.people.values()}
        for record in self.records():
            ledger = Ledger.read(record)
            links, calendar = ledger.links(), deadlines.calendar(ledger.opening.setup)
            for link in links[1:]:
                for player in link.entry.missing:
                    before = links[link.step - 1]
                    prompt = before.clocks.awaited[player]
                    person = holders[before.key(player).fingerprint]
                    asked = [
                        one.step for one in links[: link.step]
                        if (awaits := one.clocks.awaited.get(player)) is not None
                        and (awaits.what, awaits.since) == (prompt.what, prompt.since)
                    ]  # fmt: skip
                    came = [
                        one.time for one in person.came
                        if game_of(one.mail) == record.root.name and step_of(one.mail) in asked
                    ]  # fmt: skip
                    had = calendar.counted(min(came), prompt.until) if came else 0
                    sent = any(
                        one.game == record.root.name and prompt.since <= one.time < prompt.until
                        for one in person.orders
                    )
                    yield Missing(record.root.name, link.step, person.name, had, sent)

    def mails_of(self, person: Person) -> Counter[tuple[str, int]]:
        """How many mails that answer nothing came to somebody, by game and the entry that they are
        about; -1 before the first."""
        found: Counter[tuple[str, int]] = Counter()
        for one in person.came:
            if (game := game_of(one.mail)) and not one.answers:
                found[game, turn_of(one.mail)] += 1
        return found
