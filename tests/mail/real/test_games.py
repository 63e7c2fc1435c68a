"""Whole games through real servers, the host's process killed again and again."""

from __future__ import annotations

import contextlib
import email.utils
import imaplib
import os
import random
import smtplib
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from mailroom import is_over, take_in

import games
from adjudicator.core import opening
from adjudicator.core.source import read_or_none
from adjudicator.mail import block
from adjudicator.mail import player as mail_player
from adjudicator.mail.mime import read_mail
from adjudicator.player import seated
from adjudicator.player.seat import Seat
from adjudicator.player.seated import Seated
from adjudicator.store.clock import SystemClock
from adjudicator.store.record import Record
from adjudicator.verifier.verify import verify
from games.dice import Dice
from games.game import Bot, Written
from orders import names
from orders.bundle import Bundle, encode
from orders.documents import Private
from orders.entries import Entry, read_entry
from orders.errors import Refused
from orders.fields import digest
from orders.keys import MemoryKey, write_key
from orders.order_file import compose
from orders.secrets import derive

Servers = Any
REFEREE = "referee@example.org"
KILLS, FEW_KILLS = 12, 6
STEPS = 12
MINUTES = 8


class Host:
    """`adjudicator sync --every` as a process of its own; `program` does what ends by itself."""

    def __init__(
        self, program: Path, servers: Servers, root: Path, game: str, options: Mapping[str, str]
    ) -> None:
        self.program, self.root = program, root
        self.env = {
            **os.environ,
            "ADJUDICATOR_IMAP_PASSWORD": "secret",
            "ADJUDICATOR_SMTP_PASSWORD": "secret",
            "ADJUDICATOR_MAIL_ADDRESS": REFEREE,
            "ADJUDICATOR_CA": str(servers.ca),
            "ADJUDICATOR_MAIL_IN": f"imaps://referee@localhost:{servers.imaps}/INBOX",
            "ADJUDICATOR_MAIL_OUT": f"smtp://referee@localhost:{servers.smtp}",
        }
        root.mkdir()
        write_key(root / "host.key", "host")
        given = [word for key, value in options.items() for word in ("--option", f"{key}={value}")]
        self.run(
            "invite", game, "--key", "host.key", "-o", "friday", "--address", REFEREE, *given
        )  # fmt: skip
        self.record = Record(root / "friday")
        self.kills = 0

    def run(self, *words: str) -> None:
        done = subprocess.run(
            [str(self.program), *words],
            cwd=self.root,
            env=self.env,
            capture_output=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stderr.decode()

    def serve(self) -> subprocess.Popen[bytes]:
        command = [
            sys.executable, "-m", "adjudicator",
            "sync", "-g", "friday", "--every", "1s",
        ]  # fmt: skip
        with (self.root / "serve.log").open("ab") as log:
            return subprocess.Popen(command, cwd=self.root, env=self.env, stderr=log, stdout=log)

    @contextlib.contextmanager
    def serving(self, kills: int, seed: int) -> Iterator[None]:
        """Serve until left; the process is killed that often, at instants that are drawn."""
        lots = random.Random(seed)  # noqa: S311 - instants, no secrets
        over = threading.Event()

        def loop() -> None:
            while not over.is_set():
                process = self.serve()
                left = lots.uniform(0.2, 2.0) if self.kills < kills else 0.2
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(left)
                while self.kills >= kills and not over.is_set() and process.poll() is None:
                    over.wait(0.2)
                process.kill()
                process.wait(10)
                self.kills += self.kills < kills

        thread = threading.Thread(target=loop)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join(30)


class Player:
    """A player with a mailbox on the real server, a folder, a key, and their own way to send."""

    def __init__(self, servers: Servers, root: Path, name: str) -> None:
        self.servers, self.name, self.folder = servers, name, root / name
        self.address = f"{name}@example.org"
        self.folder.mkdir()
        self.key = MemoryKey.from_seed(derive(b"k" * 32, f"key/{name}"))
        write_key(self.folder / "key", name, derive(b"k" * 32, f"key/{name}"))
        self.copy = Record(self.folder / "friday")
        self.mails: list[bytes] = []
        self.seen: set[str] = set()
        self.answered = 0
        self.due: int | None = None
        self.sent: list[str] = []

    def seated(self) -> Seated:
        return Seated(self.copy, Seat.open(self.folder / f"{self.name}.seat"))

    @contextlib.contextmanager
    def mailbox(self) -> Iterator[None]:
        """The player's mail program stays logged in as long as this goes on."""
        self.box = imaplib.IMAP4_SSL(
            "localhost", self.servers.imaps, ssl_context=self.servers.context
        )
        self.box.login(self.name, "secret")
        self.box.select("INBOX")
        try:
            yield
        finally:
            self.box.logout()

    def fetch(self) -> None:
        """Take in what has come; mails that the servers bring out of order are taken in again."""
        self.box.noop()
        came = False
        for number in self.box.uid("SEARCH", "ALL")[1][0].split():
            if number.decode() not in self.seen:
                self.seen.add(number.decode())
                self.mails.append(self.box.uid("FETCH", number.decode(), "(BODY[])")[1][0][1])
                came = True
        if not came:
            return
        for mail in list(self.mails):
            if b"ADJUDICATOR BUNDLE" in mail and digest(mail) not in self.seen:
                with contextlib.suppress(Refused):
                    found = take_in(mail, self.folder, SystemClock())
                    # Servers bring mails out of order.
                    assert all(one.startswith("OLD BOARD") for one in found.warnings)
                    self.seen.add(digest(mail))
        self.due = self.step()

    def join(self) -> None:
        offer = opening.read_offer(self.copy)
        seat = Seat.create(
            self.folder / f"{self.name}.seat", self.name, offer.digest, self.folder / "key",
            derive(b"s" * 32, self.name),
        )  # fmt: skip
        self.send(seated.join(offer, seat, self.key, Private(self.address)), "a join")

    def send(self, bundle: Bundle, what: str) -> None:
        self.submit(
            mail_player.wrap(
                self.copy, bundle, what, Seat.open(self.folder / f"{self.name}.seat")
            ).data
        )

    def submit(self, data: bytes) -> None:
        """Hand a mail to the real SMTP server, by STARTTLS."""
        with smtplib.SMTP("localhost", self.servers.smtp) as server:
            server.starttls(context=self.servers.context)
            server.login(self.name, "secret")
            server.sendmail(self.address, [REFEREE], data)

    def step(self) -> int | None:
        """The step for which this player is awaited and has not ordered yet."""
        if self.copy.last_step() is None:
            return None
        own = self.seated()
        if self.name not in own.last.clocks.awaited or self.answered >= own.step:
            return None
        return own.step

    def order(self, written: Written) -> None:
        own = self.seated()
        bundle = own.order(compose(written.orders), self.key, SystemClock().now()).bundle
        self.answered, self.due = own.step, None
        self.sent.append(digest(dict(bundle.files)[names.slip(own.step, self.name)]))
        self.send(bundle, "orders")


class PlainPlayer(Player):
    """Nothing but plain messages made with the standard library, the block pasted into the text."""

    def send(self, bundle: Bundle, what: str) -> None:
        message = EmailMessage()
        message["From"] = self.address
        message["To"] = REFEREE
        message["Subject"] = "my move"
        message["Message-ID"] = email.utils.make_msgid(domain="example.org")
        message.set_content(f"Hello,\n\n{encode(bundle).decode()}\nYours, {self.name}\n")
        with smtplib.SMTP_SSL(
            "localhost", self.servers.smtps, context=self.servers.context
        ) as server:
            server.login(self.name, "secret")
            server.send_message(message)


class MuttPlayer(Player):
    """mutt in batch mode, the block as an attachment."""

    def __init__(self, servers: Servers, root: Path, name: str, mutt: str) -> None:
        super().__init__(servers, root, name)
        self.mutt = mutt
        (self.folder / "muttrc").write_text(
            f'set from="{self.address}"\nset realname="Carol"\nset use_from=yes\nset copy=no\n'
            f'set smtp_url="smtp://{name}@localhost:{servers.smtp}/"\nset smtp_pass="secret"\n'
            f"set ssl_starttls=yes\nset ssl_force_tls=yes\n"
            f'set ssl_ca_certificates_file="{servers.ca}"\n'
            f'set certificate_file="{servers.ca}"\nset ssl_usesystemcerts=no\nset charset=utf-8\n'
            f'set header_cache=""\nset record=""\nset tmpdir="{self.folder}"\nset edit_headers=no\n'
        )

    def send(self, bundle: Bundle, what: str) -> None:
        path = self.folder / "bundle.txt"
        path.write_bytes(encode(bundle))
        done = subprocess.run(
            [self.mutt, "-n", "-F", str(self.folder / "muttrc"), "-s", "Re: [friday] my move",
             "-a", str(path), "--", REFEREE],
            input=b"My move.\n", capture_output=True, timeout=60, check=False,
            env={**os.environ, "HOME": str(self.folder)},
        )  # fmt: skip
        assert done.returncode == 0, done.stderr + done.stdout


def sealed_game(
    host: Host, players: list[Any], moves: Callable[[Any], Written | None], kills: int, seed: int
) -> None:
    """From invitations to the reveal, every player polling their mailbox.

    `moves` gives the orders of a player who is awaited, or None to think about it.
    """
    host.run(
        "invite", "-g", "friday", "--open", "--players", str(len(players)),
        *(word for p in players for word in ("--more", p.address)),
    )  # fmt: skip
    end = time.monotonic() + MINUTES * 60
    joined = set()
    with contextlib.ExitStack() as stack:
        for one in players:
            stack.enter_context(one.mailbox())
        stack.enter_context(host.serving(kills, seed))
        # Servers bring mails out of order: a receipt may come after the reveal.
        while not all(is_over(p.copy) and len(receipts(p)) >= len(p.sent) for p in players):
            assert time.monotonic() < end, (host.root / "serve.log").read_text()[-3000:]
            for one in players:
                one.fetch()
                if one.name not in joined and read_or_none(one.copy, names.INVITE) is not None:
                    joined.add(one.name)
                    one.join()
                elif one.due is not None and (written := moves(one)) is not None:
                    one.order(written)
            time.sleep(0.1)


def receipts(one: Any) -> set[str]:
    """The Message-IDs of the receipts that came to a player."""
    mails = map(read_mail, one.mails)
    return {mail.message_id for mail in mails if block.choose(mail.blocks, ("receipt",))}


def check(host: Host, players: list[Any]) -> None:
    """The record is true, alike everywhere; each order was used once; mails came as themselves."""
    found = verify(host.record)
    assert found.code == 0, found.verdict
    used: dict[str, list[str]] = {one.name: [] for one in players}
    for step in range(1, (host.record.last_step() or 0) + 1):
        entry = read_entry(host.record.read(names.entry(step)))
        if isinstance(entry, Entry):
            assert entry.missing == ()
            for name, slip in entry.slips.items():
                used[name].append(slip.digest)
    for one in players:
        assert used[one.name] == one.sent
        held = {path: one.copy.read(path) for path in one.copy.paths()}
        others = {f"-{other.name}.sealed" for other in players if other is not one}
        assert held == {
            path: host.record.read(path)
            for path in host.record.paths()
            if not (path.startswith("orders/") and path.endswith(".sealed"))
            and not any(path.endswith(other) for other in others)
        }
        mails = [read_mail(data) for data in one.mails]
        ids = {mail.message_id for mail in mails}
        assert len({mail.digest for mail in mails}) == len(ids)
        assert len(receipts(one)) == len(one.sent)


ROUNDS = 5


def script(name: str) -> list[str]:
    """Quiet rounds; then Alice fires at Bob, and Carol gives in."""
    quiet = ["silent"] * ROUNDS
    return {
        "alice": ["start C4", *quiet, "fire S", "silent"],
        "bob": ["start C1", *quiet, "silent"],
        "carol": ["start F6", *quiet, "silent", "resign"],
    }[name]


@pytest.fixture
def mutt() -> str:
    """Where mutt is."""
    import shutil

    found = shutil.which("mutt")
    if found is None:
        if os.environ.get("CI") == "true":
            pytest.fail("CI must have mutt")
        pytest.skip("not here: mutt")
    return found


def test_three_players(servers: Servers, program: Path, tmp_path: Path, mutt: str) -> None:
    """Sugar Dog by three: plain mails, the tool's mails and mutt, the host killed twelve times."""
    host = Host(program, servers, tmp_path / "host", "sugar-dog", {"first": "alice"})
    players = [
        PlainPlayer(servers, tmp_path, "alice"),
        Player(servers, tmp_path, "bob"),
        MuttPlayer(servers, tmp_path, "carol", mutt),
    ]
    scripts = {one.name: script(one.name) for one in players}

    def move(one: Player) -> Written | None:
        # The game must not end before the host has been killed often enough.
        if scripts[one.name] == ["resign"] and host.kills < KILLS:
            return None
        return Written(scripts[one.name].pop(0))

    sealed_game(host, players, move, KILLS, 1)
    assert host.kills == KILLS
    check(host, players)
    assert verify(host.record).verdict == "true: alice won"


def test_silent_ships(postfix: Servers, program: Path, tmp_path: Path) -> None:
    """Silent Ships between two bots over Postfix and sieve, the host killed now and then.

    Once it has been killed often enough and has gone on for a while, somebody resigns.
    """
    host = Host(program, postfix, tmp_path / "host", "silent-ships", {})
    players = [PlainPlayer(postfix, tmp_path, "dave"), Player(postfix, tmp_path, "erin")]
    bots: dict[str, Bot] = {
        one.name: games.load("silent-ships").bots["captain"](one.name) for one in players
    }
    heard = dict.fromkeys(bots, -1)

    def move(one: Player) -> Written | None:
        report = one.seated().report()
        # A step for each kill: the game must not end before the host has been killed often enough.
        if host.kills < FEW_KILLS and report.step > host.kills:
            return None
        if report.step > heard[one.name]:
            heard[one.name] = report.step
            bots[one.name].hear(report.view, report.events)
        if host.kills == FEW_KILLS and report.step >= STEPS:
            return Written("resign")
        return bots[one.name].order(Dice(derive(b"b" * 32, f"{one.name}/{report.step}")))

    sealed_game(host, players, move, FEW_KILLS, 2)
    assert host.kills == FEW_KILLS
    check(host, players)
