"""A club on real servers: ten people begin ten games by mail alone, and play them to their ends."""

from __future__ import annotations

import contextlib
import email.utils
import imaplib
import json
import os
import random
import re
import shutil
import smtplib
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import mail_servers
import pytest
from mail_servers import Servers
from mailroom import is_over, take_in

import games
from adjudicator.core import bundles, opening
from adjudicator.mail import block
from adjudicator.mail import player as mail_player
from adjudicator.mail.mime import read_mail
from adjudicator.player import finding, seated
from adjudicator.player.seat import Seat
from adjudicator.player.seated import Seated
from adjudicator.store.clock import SystemClock
from adjudicator.store.pack import Pack
from adjudicator.store.record import Record
from adjudicator.verifier.verify import verify
from games.dice import Dice
from games.game import Bot, Written
from orders import names
from orders.bundle import Bundle, encode
from orders.documents import Private
from orders.entries import Entry, Reveal, read_entry
from orders.errors import Refused
from orders.keys import MemoryKey
from orders.order_file import compose
from orders.secrets import derive

REFEREE = "referee@example.org"
MEMBERS = (
    "alice", "bob", "carol", "dave", "erin", "frank", "grace", "heidi", "ivan", "judy",
)  # fmt: skip
SUBSTITUTE, OBSERVER = "heap", "token"
KILLS = 6
MINUTES = 4
LONGEST = 8
"""After so many entries whoever is awaited gives in, so that the test ends."""
ABSENT = ("frank", "ivan")
"""In a game that another begins with a short turn time they sit down, and never order."""


class Club:
    """The folder of the games, and the process that serves it."""

    def __init__(self, servers: Servers, root: Path, program: Path) -> None:
        self.servers, self.root, self.program = servers, root, program
        self.folder = root / "games"
        self.folder.mkdir()
        self.folder.joinpath("referee.toml").write_text(
            f'address = "{REFEREE}"\n'
            f'mail-in = "imaps://referee@localhost:{servers.imaps}/INBOX"\n'
            f'mail-out = "smtp://referee@localhost:{servers.smtp}"\n'
            f'ca = "{servers.ca}"\nfastest = "1s"\ngames = 3\nallow = ["*@example.org"]\n'
        )
        self.env = {
            **os.environ, "ADJUDICATOR_IMAP_PASSWORD": "secret",
            "ADJUDICATOR_SMTP_PASSWORD": "secret",
        }  # fmt: skip
        self.kills = 0
        self.stopped = threading.Event()
        self.over = threading.Event()
        self.idle = threading.Event()

    def run(self, *words: str, code: int | None = 0) -> str:
        done = subprocess.run([str(self.program), *words], cwd=self.folder, env=self.env,
                              capture_output=True, timeout=120, check=False)  # fmt: skip
        assert code is None or done.returncode == code, done.stdout + done.stderr
        return (done.stdout + done.stderr).decode()

    @contextlib.contextmanager
    def serving(self, seed: int) -> Iterator[None]:
        """Serve until left; the process is killed at instants that are drawn."""
        lots = random.Random(seed)  # noqa: S311 - instants, no secrets

        def loop() -> None:
            command = [sys.executable, "-m", "adjudicator", "referee", ".", "--every", "1s"]
            while not self.over.is_set():
                if self.stopped.is_set():
                    self.idle.set()
                    time.sleep(0.05)
                    continue
                with (self.root / "serve.log").open("ab") as log:
                    process = subprocess.Popen(command, cwd=self.folder, env=self.env, stderr=log,
                                               stdout=log)  # fmt: skip
                end = time.monotonic() + lots.uniform(1.0, 8.0)
                while process.poll() is None and not self.over.is_set():
                    if self.stopped.is_set() or (self.kills < KILLS and time.monotonic() > end):
                        break
                    time.sleep(0.05)
                process.kill()
                process.wait(10)
                self.kills += self.kills < KILLS

        thread = threading.Thread(target=loop)
        thread.start()
        try:
            yield
        finally:
            self.over.set()
            thread.join(30)

    @contextlib.contextmanager
    def resting(self) -> Iterator[None]:
        """The process stands still."""
        self.idle.clear()
        self.stopped.set()
        assert self.idle.wait(30)
        yield
        self.stopped.clear()

    def records(self) -> list[Record]:
        return finding.copies(self.folder)


class Member:
    """Somebody with a mailbox on the real server, and bots that play for them."""

    def __init__(self, servers: Servers, root: Path, name: str) -> None:
        self.servers, self.name, self.folder = servers, name, root / name
        self.address = f"{name}@example.org"
        self.folder.mkdir()
        self.key = MemoryKey.from_seed(derive(b"k" * 32, f"key/{name}"))
        self.seen: set[bytes] = set()
        self.mails: list[bytes] = []
        self.waiting: list[bytes] = []
        self.asked: list[str] = []
        self.bots: dict[str, tuple[Bot, int]] = {}
        self.answered: dict[str, int] = {}
        self.looked: dict[str, int] = {}

    @contextlib.contextmanager
    def mailbox(self) -> Iterator[None]:
        self.box = imaplib.IMAP4_SSL(
            "localhost", self.servers.imaps, ssl_context=self.servers.context
        )
        self.box.login(self.name, "secret")
        self.box.select("INBOX")
        try:
            yield
        finally:
            self.box.logout()

    # Mails.

    def ask(self, line: str) -> None:
        """A word to the referee, proven by an answer to its answer."""
        self.asked.append(line)
        self.post(line, "hello")

    def post(self, text: str, subject: str, answers: str | None = None) -> None:
        message = EmailMessage()
        message["From"], message["To"] = self.address, REFEREE
        message["Subject"] = subject
        message["Message-ID"] = email.utils.make_msgid(domain="example.org")
        if answers is not None:
            message["In-Reply-To"] = message["References"] = answers
        message.set_content(text)
        self.submit(message.as_bytes())

    def submit(self, data: bytes) -> None:
        with smtplib.SMTP("localhost", self.servers.smtp) as server:
            server.starttls(context=self.servers.context)
            server.login(self.name, "secret")
            server.sendmail(self.address, [REFEREE], data)

    def send(self, copy: Record, bundle: Bundle, what: str) -> None:
        """The mail that the program writes."""
        self.submit(mail_player.wrap(copy, bundle, what, None, self.address).data)

    def has(self, subject: str) -> bool:
        """Whether a mail with that subject came."""
        return any(read_mail(one).subject == subject for one in self.mails)

    def fetch(self) -> None:
        """Take in what came, answer what asks for it, join what invites."""
        self.box.noop()
        for number in self.box.uid("SEARCH", "ALL")[1][0].split():
            if number not in self.seen:
                self.seen.add(number)
                data = self.box.uid("FETCH", number.decode(), "(BODY[])")[1][0][1]
                self.mails.append(data)
                self._look(data)
        held, self.waiting = self.waiting, []
        for data in held:
            try:
                take_in(data, self.folder, SystemClock())
            except Refused:
                # The servers bring mails out of order; what is before it is still to come.
                self.waiting.append(data)

    def _look(self, data: bytes) -> None:
        mail = read_mail(data)
        asked = next((line for line in self.asked if f": {line} (" in mail.subject), None)
        if asked is not None:
            self.asked.remove(asked)
            quoted = "".join(f"> {line}\n" for line in mail.text.splitlines())
            self.post(f"On some day somebody wrote:\n{quoted}\nyes\n", f"Re: {mail.subject}",
                      mail.message_id)  # fmt: skip
            return
        invite = block.choose(mail.blocks, ("invite",))
        if invite is not None:
            self._invited(invite, mail.text)
        elif mail.blocks:
            self.waiting.append(data)

    def _invited(self, invite: Bundle, text: str) -> None:
        copy = finding.copy_of_invite(invite, self.folder)
        offer, token = opening.read_offer(copy), bundles.token_in(invite)
        if token is None or (self.folder / f"{offer.name}.seat").exists():
            return
        taken = re.search(r"join\s+under\s+the\s+name\s+(\w+)", text)
        name = taken[1] if taken else self.name
        seat = Seat.create(self.folder / f"{offer.name}.seat", name, offer.digest,
                           self.folder / "key", os.urandom(32))  # fmt: skip
        join = seated.join(offer, seat, self.key, Private(self.address, token))
        self.send(copy, join, "a join")

    # Playing.

    def play(self) -> None:
        """Order in each game that awaits this member."""
        for copy in finding.copies(self.folder):
            name = copy.root.name
            seat = self.folder / f"{name}.seat"
            last = copy.last_step()
            if last is None or not seat.exists() or self.looked.get(name) == last:
                continue
            self.looked[name] = last
            try:
                own = Seated(copy, Seat.open(seat))
            except Refused:
                # A substitute's seat is theirs only from the ruling on.
                continue
            awaited = own.seat.player in own.last.clocks.awaited
            if not awaited or self.answered.get(name, 0) >= own.step or self._is_away(own):
                continue
            self.answered[name] = own.step
            written = self._written(own, name)
            file = compose(written.orders)
            self.send(copy, own.order(file, self.key, SystemClock().now()).bundle, "orders")

    def _is_away(self, own: Seated) -> bool:
        return _is_short(own) and self.name in ABSENT

    def _written(self, own: Seated, name: str) -> Written:
        kind = own.opening.game.id
        stands_in = own.seat.player != self.name
        if stands_in or own.step > LONGEST:
            return Written("resign")
        if _is_short(own) and own.last.entry.awaited[own.seat.player].what != "setup":
            # No torpedo ends the game of somebody who is away before a substitute has come.
            return Written("silent")
        bot, heard = self.bots.get(name, (games.load(kind).bots["mate"](own.seat.player), -1))
        report = own.report()
        if report.step > heard:
            bot.hear(report.view, report.events)
        self.bots[name] = bot, report.step
        return bot.order(Dice(derive(b"b" * 32, f"{self.name}/{name}/{report.step}")))


def _is_short(own: Seated) -> bool:
    """Whether it is a game with somebody who stays away."""
    return bool(own.opening.setup.options["turn_time"] != "3d")


class PlainMember(Member):
    """Nothing but plain messages, the block pasted below a greeting."""

    def send(self, copy: Record, bundle: Bundle, what: str) -> None:
        self.post(f"Hello,\n\n{encode(bundle).decode()}\nYours, {self.name}\n", "my move")


class HtmlMember(Member):
    """A mail program that sends HTML alone, each line of the block in an element of its own."""

    def send(self, copy: Record, bundle: Bundle, what: str) -> None:
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = self.address, REFEREE, what
        message["Message-ID"] = email.utils.make_msgid(domain="example.org")
        lines = "".join(f"<div>{line}</div>" for line in encode(bundle).decode().splitlines())
        message.set_content(f"<html><body><p>Hello,</p>{lines}</body></html>", subtype="html")
        self.submit(message.as_bytes())


@pytest.fixture
def servers() -> Iterator[Servers]:
    """Of its own: what ten people are sent would lie in the mailboxes of other tests."""
    with mail_servers.postfix() as made:
        yield made


@pytest.fixture
def club(servers: Servers, tmp_path: Path, program: Path) -> Club:
    return Club(servers, tmp_path, program)


def test_a_club(club: Club, servers: Servers, tmp_path: Path) -> None:
    """Ten games begun by mail alone, killed again and again, put back to an older copy in the
    middle: all end, all are true, two seats were handed on, and the table counts them."""
    makes = [Member, PlainMember, HtmlMember]
    members = [makes[n % 3](servers, tmp_path, name) for n, name in enumerate(MEMBERS)]
    helper, observer = (Member(servers, tmp_path, name) for name in (SUBSTITUTE, OBSERVER))
    everybody = [*members, helper, observer]
    end = time.monotonic() + MINUTES * 60
    with contextlib.ExitStack() as stack:
        for one in everybody:
            stack.enter_context(one.mailbox())
        stack.enter_context(club.serving(7))

        def go(until: Any) -> None:
            while not until():
                assert time.monotonic() < end, (tmp_path / "serve.log").read_text()[-6000:]
                for one in everybody:
                    one.fetch()
                    one.play()
                time.sleep(0.1)

        helper.ask("standby sugar-dog")
        for number, one in enumerate(members):
            other = MEMBERS[(number + 1) % len(MEMBERS)]
            if other not in ABSENT:
                one.ask(f"new sugar-dog first=1 with {other}@example.org")
        first = len(MEMBERS) - len(ABSENT)
        go(lambda: sum(one.last_step() is not None for one in club.records()) == first)
        watched = next(one.root.name for one in club.records())
        observer.ask(f"watch {watched}")
        go(lambda: all((one.last_step() or 0) >= 2 for one in club.records()))
        # What is asked of the referee is in its folder alone: the backup must hold it.
        go(lambda: observer.has(f"[{watched}] you watch") and len(helper.mails) >= 2)
        with club.resting():
            shutil.copytree(club.folder, tmp_path / "backup", symlinks=True)
        before = {one.root.name: one.last_step() or 0 for one in club.records()}

        def ahead() -> set[str]:
            """Games of which somebody was told more than the backup holds."""
            copies = (copy for one in members for copy in finding.copies(one.folder))
            return {one.root.name for one in copies if (one.last_step() or 0)
                    > before[one.root.name]}  # fmt: skip

        go(lambda: len(ahead()) >= 4)
        with club.resting():
            shutil.rmtree(club.folder)
            shutil.copytree(tmp_path / "backup", club.folder, symlinks=True)
            told = club.run("referee", ".", "--once", code=None)
            # It takes what it lost from its own mailbox, with nobody's hand.
            assert "taken from copies in the mailbox" in told
        for absent in ABSENT:
            asks = members[MEMBERS.index(absent) - 1]
            asks.ask(f"new sugar-dog first=1 away=1 turn_time=30s with {absent}@example.org")
        go(lambda: len(club.records()) == len(MEMBERS)
           and all(is_over(one) for one in club.records())
           and len(list((club.folder / "packs").glob("*.zip"))) == len(MEMBERS)
           and any(b"application/zip" in one for one in observer.mails))  # fmt: skip
    assert club.kills == KILLS
    check(club, observer, watched)


def check(club: Club, observer: Member, watched: str) -> None:
    """Records are true; nobody was missing but who was away; the table counts all of them."""
    handed_on = []
    for record in club.records():
        found = verify(record)
        last = record.last_step() or 0
        entries = [read_entry(record.read(names.entry(step))) for step in range(1, last + 1)]
        ruled = [one.ruling.seat for one in entries if isinstance(one, Entry) and one.ruling]
        handed_on += [(record.root.name, one.player) for one in ruled if one is not None]
        used = {name for one in entries if isinstance(one, Entry) for name in one.slips}
        assert {one.player for one in ruled if one is not None} <= used, record.root
        missing = {name for one in entries if isinstance(one, Entry) for name in one.missing}
        assert missing <= {*ABSENT}, record.root
        assert found.code == (3 if ruled else 0), (record.root, found.verdict)
        assert isinstance(entries[-1], Reveal)
    assert sorted(player for _, player in handed_on) == [*ABSENT]
    packs = sorted((club.folder / "packs").iterdir())
    assert len(packs) == len(MEMBERS)
    # A mail that left just before the process was killed leaves again, as the same mail.
    came = {read_mail(one).message_id: one for one in observer.mails if b"application/zip" in one}
    (pack,) = came.values()
    message = email.message_from_bytes(pack)
    (part,) = [one for one in message.walk() if one.get_content_type() == "application/zip"]
    data = part.get_payload(decode=True)
    assert isinstance(data, bytes)
    assert data == (club.folder / "packs" / f"{watched}.zip").read_bytes()
    assert verify(Pack.of(data)).code == 0
    said = club.run("club", "packs", "--no-pages")
    assert said.splitlines()[-1].startswith("8 games counted; 2 left out")
    looked_at = [opening.read_opening(Record(club.folder / name)).id[:8] for name, _ in handed_on]
    (club.folder / "packs" / "club.toml").write_text(f"accept = {json.dumps(looked_at)}\n")
    club.run("club", "packs", "--no-pages")
    told = json.loads((club.folder / "packs" / "standings.json").read_text())
    assert len(told["games"]) == len(MEMBERS)
    assert sorted(told["players"].values()) == sorted([*MEMBERS[:-2], "ivan", "judy"]) or (
        len(told["players"]) == len(MEMBERS) + 1
    )
    assert club.run("status", code=None).count(": Sugar Dog, as host: over: ") == len(MEMBERS)
