"""What a host's mail meets at a real relay: bounces, full mailboxes, greylisting, filters."""

from __future__ import annotations

import contextlib
import os
import random
import smtplib
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from mail_servers import Servers

from adjudicator.mail import mailboxes, senders
from adjudicator.mail.mailboxes import Mailbox, MailboxDown
from adjudicator.mail.mime import read_mail
from adjudicator.mail.senders import NotSent

pytestmark = pytest.mark.usefixtures("_passwords")
Mailroom = Any
REFEREE = "referee@example.org"
DAY = 86_400


def submit(servers: Servers, sender: str, data: bytes, to: str = REFEREE) -> None:
    """Hand a mail in as a user does, with a login."""
    with smtplib.SMTP("localhost", servers.smtp) as server:
        server.starttls(context=servers.context)
        server.login("alice", "secret")
        server.sendmail(f"{sender}@example.org", [to], data)


@pytest.fixture
def relayed(
    mailroom: Callable[..., Mailroom], postfix: Servers, tmp_path: Path
) -> Callable[..., Mailroom]:
    """A game that has begun, whose mails from now on go through Postfix and Dovecot."""

    def make(*players: str, **options: str) -> Mailroom:
        room = mailroom(players, options, mail=REFEREE, name="-".join(players))
        room.address_of_host = REFEREE
        room.begin()
        source = mailboxes.open_source(postfix.box("referee"), postfix.ca)
        for one in source.mails():
            one.done()
        room.box = source
        room.wire = senders.open_sender(postfix.way(), postfix.ca)
        return room

    return make


def until(room: Mailroom, what: Callable[[], bool]) -> None:
    """Take turns until that holds."""
    end = time.monotonic() + 60
    while not what():
        assert time.monotonic() < end, room.log
        room.turn()


def told(room: Mailroom, word: str) -> bool:
    """Whether the host's log holds that."""
    return any(word in line for line in room.log)


def play_a_step(room: Mailroom, postfix: Servers) -> None:
    """Both order, over the relay, until the host has told the entry."""
    first, second = room.players
    submit(postfix, first, room.order(first, "start C4"))
    submit(postfix, second, room.order(second, "start C1"))
    until(room, lambda: told(room, "entry 1 told"))


@pytest.mark.parametrize("player", ["nobody", "full"])
def test_a_mailbox_that_is_gone_or_full(
    relayed: Callable[..., Mailroom], postfix: Servers, player: str
) -> None:
    """Postfix takes the mail and sends it back: it is marked, and its reader is not late."""
    room = relayed(player, "alice")
    if player == "full":
        submit(postfix, "alice", b"Subject: x\r\n\r\n" + b"x\r\n" * 2_000, "full@example.org")
    play_a_step(room, postfix)
    # Each comes back in its own time; the entry's is the one whose reader would be late.
    until(room, lambda: room.game.entry_key(player, 1) in {one.key for one in room.listed()})
    lost = room.listed()
    assert {one.state for one in lost} == {"bounced"}
    assert all(("5.1.1" if player == "nobody" else "5.2.2") in one.fault for one in lost)
    assert told(room, f"a mail to {player}@example.org came back")
    room.clock.skip(3 * DAY)
    room.turn()
    assert f"could not be delivered to {player}" in room.host.last.entry.ruling.reason


def test_greylisting(relayed: Callable[..., Mailroom], postfix: Servers) -> None:
    """A relay that says 450 at first: the mail waits, the others do not, and then it leaves."""
    room = relayed("grey", "alice")
    play_a_step(room, postfix)
    with contextlib.closing(room.outbox()) as outbox:
        (waiting,) = {(one.state, one.recipient) for one in outbox.listed()}
    assert waiting == ("waiting", "grey@example.org")
    room.clock.skip(120)
    room.turn()
    with contextlib.closing(room.outbox()) as outbox:
        assert outbox.listed() == []
    subjects = [read_mail(one).subject for one in postfix.mails("grey", 2)]
    assert sorted(one.partition(":")[0] for one in subjects) == [
        "[friday] entry 1", "[friday] step 1",
    ]  # fmt: skip


def test_who_is_on_holiday(relayed: Callable[..., Mailroom], postfix: Servers) -> None:
    """Bob's server answers people for him, and no mail of the host's."""
    room = relayed("away", "alice")
    play_a_step(room, postfix)
    letter = b"From: alice@example.org\r\nTo: away@example.org\r\nSubject: hi\r\n\r\nThere?\r\n"
    submit(postfix, "alice", letter, "away@example.org")
    end = time.monotonic() + 60
    while not any(b"on an island" in one for one in postfix.mails("alice", 0)):
        assert time.monotonic() < end, postfix.told()
    before = len(room.log)
    room.turn()
    assert len(room.log) == before


def test_the_same_mail_twice(postfix: Servers) -> None:
    """After a crash a mail goes out again: the common sieve line drops the copy, and no other."""
    way = senders.open_sender(postfix.way(), postfix.ca)
    for mark in (b"1", b"1", b"2"):
        data = b"From: referee@example.org\r\nMessage-ID: <twice%s@x>\r\n\r\nhi\r\n" % mark
        way.send("k", REFEREE, "twice@example.org", data)
        postfix.mails("twice", int(mark))
    way.close()
    assert len(postfix.mails("twice", 2)) == 2


def test_too_large_for_the_relay(postfix: Servers) -> None:
    """552 at MAIL FROM is final for that mail; the next one goes."""
    way = senders.open_sender(postfix.way(), postfix.ca)
    head = b"From: referee@example.org\r\nMessage-ID: <large%d@x>\r\n\r\n"
    with pytest.raises(NotSent, match="552") as caught:
        way.send("k", REFEREE, "judy@example.org", head % 1 + b"x" * 76 * 500_000)
    assert caught.value.for_good
    assert not caught.value.down
    way.send("k", REFEREE, "judy@example.org", head % 2 + b"hi\r\n")
    way.close()
    assert len(postfix.mails("judy", 1)) == 1


def test_mails_are_put_away_over_quota(postfix: Servers, tmp_path: Path) -> None:
    """A host's full mailbox: what came is read and put away all the same."""
    submit(postfix, "alice", b"Subject: a\r\n\r\n" + b"x\r\n" * 1_500, "full@example.org")
    postfix.mails("full", 1)
    source = mailboxes.open_source(postfix.box("full"), postfix.ca)
    for one in source.mails():
        one.read()
        one.done()
    assert list(source.mails()) == []


def test_a_turn_by_sync(relayed: Callable[..., Mailroom], postfix: Servers, program: Path) -> None:
    """A player's whole turn is an edit and `sync`, with a token for both servers; their own
    mailbox stays as it is."""
    # The command has the machine's clock, by which no deadline of this game may be over.
    room = relayed("oauth", "alice", turn_time="3000d")
    folder = room.root / "oauth"
    postfix.tokens["by-sync"] = "oauth"
    env = {name: value for name, value in os.environ.items() if not name.startswith("ADJUD")}
    env |= {
        "ADJUDICATOR_IMAP_TOKEN": "echo by-sync",
        "ADJUDICATOR_SMTP_TOKEN": "echo by-sync",
        "ADJUDICATOR_MAIL_IN": postfix.box("oauth"),
        "ADJUDICATOR_MAIL_OUT": postfix.way("oauth"),
        "ADJUDICATOR_CA": str(postfix.ca),
    }

    def sync(code: int = 0) -> str:
        done = subprocess.run(
            [program, "sync", "-g", "friday"],
            cwd=folder, env=env, capture_output=True, check=False, timeout=60,
        )  # fmt: skip
        assert done.returncode == code, done.stderr.decode()
        assert bool(done.stderr) == bool(code), done.stderr.decode()
        return done.stdout.decode()

    # Written days ago by this machine's clock, and no receipt yet: a person must look.
    room.sealed("oauth", "start C4")
    assert f"sent to {REFEREE}" in sync(3)
    submit(postfix, "alice", room.order("alice", "start C1"))
    before = len(postfix.mails("oauth", 0))
    until(room, lambda: told(room, "entry 1 told"))
    postfix.mails("oauth", before + 2)
    shown = sync()
    assert "your orders for step 1 (start C4)" in shown
    assert "Your submarine starts in C4." in shown
    assert sync() == ""
    box = postfix.maildir("oauth")
    assert not [path for path in (box / "cur").iterdir() if "S" in path.name.partition(":2,")[2]]
    assert not list(box.glob(".[A-Z]*"))


# Connections that break.


class Proxy:
    """Between a client and Dovecot: hides MOVE, and drops connections at one command in twelve."""

    def __init__(self, servers: Servers, seed: int) -> None:
        self.servers, self.lots = servers, random.Random(seed)  # noqa: S311 - no secrets
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        self.context.load_cert_chain(servers.ca, servers.root / "key.pem")
        self.dropped = 0

    def serve(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self.listener.accept()
                threading.Thread(target=self._between, args=(client,), daemon=True).start()

    def _between(self, raw: socket.socket) -> None:
        with contextlib.suppress(OSError), contextlib.ExitStack() as stack:
            client = stack.enter_context(self.context.wrap_socket(raw, server_side=True))
            plain = socket.create_connection(("127.0.0.1", self.servers.imaps))
            context = self.servers.context
            server = stack.enter_context(context.wrap_socket(plain, server_hostname="localhost"))
            back = threading.Thread(target=self._back, args=(server, client), daemon=True)
            back.start()
            while data := client.recv(65536):
                if self.lots.random() < 1 / 12:
                    self.dropped += 1
                    break
                server.sendall(data)
            for one in (client, server):
                with contextlib.suppress(OSError):
                    one.shutdown(socket.SHUT_RDWR)
            back.join(10)

    @staticmethod
    def _back(server: ssl.SSLSocket, client: ssl.SSLSocket) -> None:
        with contextlib.suppress(OSError):
            while data := server.recv(65536):
                client.sendall(data.replace(b" MOVE", b""))


@pytest.fixture
def proxy(postfix: Servers) -> Iterator[Proxy]:
    """A proxy before this test's Dovecot."""
    made = Proxy(postfix, 3)
    thread = threading.Thread(target=made.serve, daemon=True)
    thread.start()
    yield made
    made.listener.shutdown(socket.SHUT_RDWR)
    made.listener.close()
    thread.join(10)


def test_a_connection_that_drops(
    relayed: Callable[..., Mailroom], postfix: Servers, proxy: Proxy, tmp_path: Path
) -> None:
    """Connections break at any command, there is no MOVE: each mail is dealt with, once."""
    room = relayed("carol", "erin")
    place = f"imaps://proxied@localhost:{proxy.port}/INBOX"
    room.box = mailboxes.open_source(place, postfix.ca)
    # Revisions of one order: each has a receipt of its own.
    for n in range(5):
        submit(postfix, "carol", room.order("carol", f"start C{n + 1}"), "proxied@example.org")
        postfix.mails("proxied", n + 1)
    before = len(postfix.mails("carol", 0))
    direct = mailboxes.open_source(postfix.box("proxied"), postfix.ca)
    until(room, lambda: not list(direct.mails()))
    assert proxy.dropped > 2
    receipts = [read_mail(one) for one in postfix.mails("carol", before + 5)[before:]]
    assert len(receipts) == len({one.message_id for one in receipts}) == 5
    assert all("your orders are accepted" in one.subject for one in receipts)
    assert room.host.folder.waiting()["carol"].order.slip.revision == 5


def test_a_server_that_says_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes the connection and is silent: both ways give up after their time."""
    monkeypatch.setattr(mailboxes, "SECONDS", 0.2)
    monkeypatch.setattr(senders, "SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        box: Mailbox = mailboxes.open_source(f"imaps://a@localhost:{port}/INBOX", None)
        with pytest.raises(MailboxDown):
            list(box.mails())
        with pytest.raises(NotSent) as caught:
            way = senders.open_sender(f"smtps://a@localhost:{port}", None)
            way.send("k", REFEREE, "alice@example.org", b"x")
        assert caught.value.down
