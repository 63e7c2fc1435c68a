"""A referee's mailbox without a network, and people who write to it."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterable
from email import message_from_bytes
from functools import cached_property
from pathlib import Path
from typing import Any

from mailroom import Box, Clock, Wire, take_in, text_of

from adjudicator.core import bundles, opening
from adjudicator.mail import block
from adjudicator.mail import player as mail_player
from adjudicator.mail.mime import read_mail
from adjudicator.mail.senders import NotSent
from adjudicator.office.game import HostMail
from adjudicator.office.house import House
from adjudicator.office.office import Office, Settings, Turn
from adjudicator.office.outbox import Outbox
from adjudicator.office.referee import Referee
from adjudicator.player import finding, letters, seated
from adjudicator.player.letters import message
from adjudicator.player.seat import Seat
from adjudicator.player.seated import Seated
from adjudicator.store.record import Record
from orders.bundle import Bundle
from orders.documents import Private
from orders.errors import Refused
from orders.fields import HOST
from orders.keys import MemoryKey
from orders.order_file import compose
from orders.secrets import derive

ADDRESS = "games@example.net"


class Loop(Wire):
    """A way out by which mails to the own mailbox come back; `tagged`: it takes addresses with a
    token in them. `relay` does something to each mail on its way."""

    def __init__(self, club: Club, *, tagged: bool) -> None:
        super().__init__()
        self.club, self.tagged, self.relay = club, tagged, bytes

    def send(self, key: str, sender: str, to: str, data: bytes) -> None:
        if "+" in to and to.endswith(ADDRESS.partition("@")[2]) and not self.tagged:
            raise NotSent("550 no such mailbox", for_good=True)
        super().send(key, sender, to, self.relay(data))
        if to.partition("+")[0] == ADDRESS.partition("@")[0] or to == ADDRESS:
            self.club.box.put(self.out.pop()[2])


class Club:
    """A folder of games that is served, its mailbox, and who writes to it.

    `tagged`: the mailbox takes addresses with a token in them.
    """

    def __init__(self, root: Path, house: House | None = None, *, tagged: bool = False) -> None:
        self.root, self.house = root, house or House()
        self.folder = root / "games"
        self.folder.mkdir(parents=True)
        self.clock, self.box, self.log = Clock(), Box(), list[str]()
        self.wire = Loop(self, tagged=tagged)
        self.signer = MemoryKey.from_seed(derive(b"r" * 32, "host"))
        self.people: dict[str, Person] = {}
        self.count = 0

    def desk(self, record: Record) -> HostMail:
        return HostMail(record, self.signer, self.clock, ADDRESS)

    def referee(self) -> Referee:
        key = self.folder / "referee.key"
        return Referee(self.folder, self.house, self.desk, self.signer, key, ADDRESS, self.clock)

    @contextlib.contextmanager
    def office(self, **more: Any) -> Any:
        with contextlib.closing(Outbox(self.folder / "mail.state")) as outbox:
            games = [self.desk(one) for one in finding.copies(self.folder)]
            more.setdefault("settings", Settings(clock_is_right=True))
            yield Office(games, outbox, ADDRESS, self.clock, self.log.append,
                         referee=self.referee(), **more)  # fmt: skip

    def turn(self, times: int = 1, **more: Any) -> Turn:
        """Turns, after each of which people take in what came for them."""
        for _ in range(times):
            with self.office(**more) as office:
                done: Turn = office.turn(self.box, self.wire)
            self.clock.skip(1)
        return done

    def person(self, name: str) -> Person:
        if name not in self.people:
            self.people[name] = Person(self, name)
        return self.people[name]

    def write(
        self, sender: str, text: str, *, subject: str = "hello", answers: bytes | None = None,
        head: str = "", mark: str = "", threads: bool = True, quotes: bool = True,
    ) -> bytes:  # fmt: skip
        """A plain mail that somebody sends; `answers`: to that mail of ours. `threads`, `quotes`:
        whether their client names the mail that it answers, and quotes it."""
        self.count += 1
        to = ADDRESS
        if answers is not None:
            found = read_mail(answers)
            to = message_from_bytes(answers)["Reply-To"] or ADDRESS
            if threads:
                head += f"In-Reply-To: {found.message_id}\nReferences: {found.message_id}\n"
            subject = f"Re: {found.subject}" if subject == "hello" else subject
            if quotes:
                quoted = "".join(f"> {line}\n" for line in found.text.splitlines())
                text += f"\n\nOn Tue, 24 Nov 2026, {ADDRESS} wrote:\n\n{quoted}"
        data = (
            f"From: {sender}\nTo: {to}\nSubject: {subject}\n"
            f"Message-ID: <{mark or self.count}@example.org>\n{head}\n{text}\n"
        ).encode()
        self.box.put(data)
        return data

    def got(self, address: str) -> list[bytes]:
        return [data for _, to, data in self.wire.out if to == address]

    def ask(self, sender: str, line: str) -> bytes:
        """A word, and the answer that proves who wrote it; the last mail that came back."""
        self.write(sender, line)
        self.turn()
        self.write(sender, "yes", answers=self.got(sender)[-1])
        self.turn()
        return self.got(sender)[-1]

    @property
    def games(self) -> list[str]:
        return [one.root.name for one in finding.copies(self.folder)]

    def host(self, name: str) -> HostMail:
        return self.desk(Record(self.folder / name))


class Person:
    """Somebody with an address, a key and a folder for their games."""

    def __init__(self, club: Club, name: str) -> None:
        self.club, self.name, self.address = club, name, f"{name}@example.org"
        self.folder = club.root / name
        self.folder.mkdir()
        self.taken = 0

    @cached_property
    def key(self) -> MemoryKey:
        return MemoryKey.from_seed(derive(b"k" * 32, f"key/{self.name}"))

    @property
    def mails(self) -> list[bytes]:
        return self.club.got(self.address)

    def invitations(self) -> Iterable[tuple[bytes, Bundle]]:
        for mail in self.mails:
            found = block.choose(read_mail(mail).blocks, ("invite",))
            if found is not None and bundles.token_in(found) is not None:
                yield mail, found

    def join(self, game: str = "", name: str = "") -> None:
        """Answer the last invitation, or that to a game."""
        mail, bundle = next(
            (mail, one) for mail, one in reversed(list(self.invitations()))
            if not game or game in text_of(mail)
        )  # fmt: skip
        copy = finding.copy_of_invite(bundle, self.folder)
        mail_player.remember(copy, read_mail(mail))
        offer = opening.read_offer(copy)
        seat = Seat.create(
            self.folder / f"{offer.name}.seat", name or self.name, offer.digest,
            self.folder / "key", derive(os.urandom(32), "seat"),
        )  # fmt: skip
        private = Private(self.address, bundles.token_in(bundle))
        self.send(copy, seated.join(offer, seat, self.key, private), "a join")

    def send(self, copy: Record, bundle: Bundle, what: str) -> None:
        me, clock = self.address, self.club.clock
        self.club.box.put(mail_player.wrap(copy, bundle, what, None, me, clock).data)

    def take(self) -> None:
        """Take in what came since, also again what came too early."""
        for mail in self.mails:
            if b"ADJUDICATOR BUNDLE" in mail:
                with contextlib.suppress(Refused):
                    take_in(mail, self.folder, self.club.clock)

    def seated(self, game: str) -> Seated:
        return Seated(Record(self.folder / game), Seat.open(self.folder / f"{game}.seat"))

    def order(self, game: str, lines: str) -> None:
        self.take()
        own = self.seated(game)
        made = own.order(compose(lines), self.key, self.club.clock.now()).bundle
        self.send(Record(self.folder / game), made, "orders")

    def say(self, game: str, text: str) -> None:
        """Write the host a signed message."""
        self.take()
        own = self.seated(game)
        bundle = letters.write(own.ledger, own.seat, self.key, message(HOST, text))
        self.send(Record(self.folder / game), bundle, "a letter")


def begun(club: Club, *players: str) -> str:
    """A game that the first of these asks for (Alice, with Bob) and all join; its name."""
    first, *others = players or ("alice", "bob")
    before = set(club.games)
    with_them = " ".join(f"{who}@example.org" for who in others)
    club.ask(f"{first}@example.org", f"new sugar-dog first=1 with {with_them}")
    (name,) = set(club.games) - before
    for who in (first, *others):
        club.person(who).join(name)
        club.turn()
    return name


def words(mail: bytes) -> str:
    """What a mail says, on one line."""
    return re.sub(r"\s+", " ", text_of(mail))
