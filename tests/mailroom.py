"""What the tests of mail share: a host's office and players, all without a network."""

from __future__ import annotations

import contextlib
import copy
import email
import email.policy
import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import pytest

import games
from adjudicator.core import deadlines, opening
from adjudicator.core.bundles import about, ids_of
from adjudicator.host import begin
from adjudicator.host.begin import Secrets, Terms
from adjudicator.host.host import Host
from adjudicator.host.letters import Letters, TakenLetter
from adjudicator.mail import block, pasted
from adjudicator.mail import player as mail_player
from adjudicator.mail.mailboxes import Sort, StoredMail, Unreadable
from adjudicator.mail.mime import read_mail
from adjudicator.mail.outgoing import Outgoing
from adjudicator.mail.senders import NotSent
from adjudicator.office.game import HostMail
from adjudicator.office.office import Office, Settings, Turn
from adjudicator.office.outbox import Outbox, UnsentMail
from adjudicator.player import finding, letters, seated
from adjudicator.player.seat import Seat
from adjudicator.player.seated import Seated
from adjudicator.player.table import KINDS, Table, TakenBundles
from adjudicator.store.record import Record
from adjudicator.verifier.claims import Findings
from adjudicator.verifier.verify import verify
from games.game import Written
from orders import names
from orders.bundle import Bundle, encode
from orders.documents import Private, read_receipt
from orders.errors import Refused
from orders.keys import MemoryKey
from orders.letter import Text
from orders.order_file import compose
from orders.secrets import derive

HOST = "referee@example.net"


@dataclass
class Clock:
    """A clock that stands until it is moved."""

    time: str = "2026-11-21T18:00:00Z"

    def now(self) -> str:
        return self.time

    def skip(self, seconds: int) -> None:
        self.time = deadlines.add(self.time, seconds)


@dataclass
class Box:
    """A mailbox in memory; mails stay until they are put away. `broken` ones are not given out."""

    held: dict[str, bytes] = field(default_factory=dict)
    aside: dict[str, bytes] = field(default_factory=dict)
    broken: set[str] = field(default_factory=set)
    copies: list[bytes] = field(default_factory=list)
    clock: str | None = None
    count: int = 0

    def put(self, data: bytes) -> str:
        self.count += 1
        name = f"{self.count:05d}"
        self.held[name] = data
        return name

    def mails(self, sort: Sort = iter) -> Iterator[StoredMail]:
        yield from sort([self.arrived(name) for name in sorted(self.held)])

    def arrived(self, name: str) -> StoredMail:
        done, aside = partial(self.put_away, name), partial(self.set_aside, name)
        head = partial(bytes, self.held[name][:8192])
        return StoredMail(name, head, partial(self.read, name), done, aside)

    def close(self) -> None:
        pass

    def bring_back(self) -> int:
        self.held |= self.aside
        count = len(self.aside)
        self.aside.clear()
        return count

    def time(self) -> str | None:
        return self.clock

    def keep(self, mail: bytes) -> None:
        self.copies.append(mail)

    def kept(self, mark: str) -> tuple[str, list[bytes]]:
        return str(len(self.copies)), self.copies[int(mark or 0) :]

    def put_away(self, name: str) -> None:
        del self.held[name]

    def read(self, name: str) -> bytes:
        if name in self.broken:
            raise Unreadable("FETCH failed")
        return self.held[name]

    def set_aside(self, name: str) -> None:
        self.aside[name] = self.held.pop(name)


@dataclass
class Wire:
    """A way out that delivers at once; `fault` is raised instead while it is set.

    `refused` are addresses whose own servers take no mail now.
    """

    out: list[tuple[str, str, bytes]] = field(default_factory=list)
    fault: NotSent | None = None
    refused: set[str] = field(default_factory=set)

    def send(self, key: str, sender: str, to: str, data: bytes) -> None:
        if self.fault is not None:
            raise self.fault
        if to in self.refused:
            raise NotSent("450 mailbox unavailable")
        self.out.append((sender, to, data))

    def close(self) -> None:
        pass


def take_in(mail: bytes, folder: Path, clock: Any) -> TakenBundles:
    """Somebody takes in a mail with the games in that folder, as `join` and `take` do.

    Raises Refused if it is of none of these games, or came before its game's first mail.
    """
    found = pasted.read(mail)
    bundle = block.choose(found.blocks, KINDS)
    if bundle is None:
        raise Refused("missing", "there is no block in this mail")
    taken = TakenBundles()
    if bundle.kind == "invite":
        mail_player.remember(finding.copy_of_invite(bundle, folder), found.mail)
        return taken
    copy = next((one for one in finding.copies(folder) if about(bundle) in ids_of(one)), None)
    if copy is None:
        raise Refused("missing", f"{folder} holds no copy of this game")
    place = finding.place_of(finding.invite_of(copy), folder)
    table = Table(copy, None if place is None else Seat.open(place), clock, keeps=True)
    table.take_one("this mail", bundle, taken)
    if taken.foreign or taken.left:
        raise Refused("mismatch", "it came before the first mail of its game")
    mail_player.remember(copy, found.mail)
    for kept in taken.letters:
        taken.lines += letters.in_words(table.ledger, table.seat, kept)
    taken.warnings += table.news()
    return taken


class Mailroom:
    """A game by mail: the host's office, and players who each have a folder, a key and mails.

    Where `keep` is a folder, games that have begun are kept in it, and `begun` tells of them.
    """

    keep: ClassVar[Path | None] = None
    begun: ClassVar[dict[str, tuple[Path, dict[str, Any]]]] = {}

    def __init__(
        self,
        root: Path,
        players: Sequence[str] = ("alice", "bob"),
        options: Mapping[str, Any] | None = None,
        open_for: Sequence[str] = (),
        game: str = "sugar-dog",
        seed: bytes = b"\x09" * 32,
        *,
        mail: str | None = HOST,
        reserved: bool = False,
    ) -> None:
        self.root, self.players, self.open_for, self.seed = root, players, open_for, seed
        self.kind = repr((tuple(players), options, open_for, game, seed, mail, reserved))
        self.clock, self.box, self.wire, self.log = Clock(), Box(), Wire(), list[str]()
        self.record = Record(root / "friday")
        root.mkdir(parents=True, exist_ok=True)
        given = {"first": players[0]} if game == "sugar-dog" else {}
        self.signer = MemoryKey.from_seed(derive(seed, "host"))
        terms = Terms(games.load(game), {**given, **(options or {})}, mail=mail, reserved=reserved)
        secrets = Secrets(derive(seed, "master"), derive(seed, "letters"))
        begin.invite(self.record, terms, self.signer, root / "host.key", secrets, self.clock)
        self.keys = {name: MemoryKey.from_seed(derive(seed, f"key/{name}")) for name in players}
        self.taken: dict[str, int] = dict.fromkeys(players, 0)
        self.reserved, self.tokens = reserved, dict[str, str]()
        self.address_of_host = HOST
        self.game.room.folder.set_seats(len(players))
        for name in players:
            (root / name).mkdir()

    # The host.

    @property
    def game(self) -> HostMail:
        return HostMail(self.record, self.signer, self.clock, self.address_of_host)

    def outbox(self) -> Outbox:
        return Outbox(self.root / "state")

    def office(self, outbox: Outbox, **more: Any) -> Office:
        made, address = [self.game], self.address_of_host
        # A clock that stands differs from a real server's.
        more.setdefault("settings", Settings(clock_is_right=True))
        return Office(made, outbox, address, self.clock, self.log.append, **more)

    def turn(self, **more: Any) -> Turn:
        """A turn of the office's; `more` is what it is given besides."""
        with contextlib.closing(self.outbox()) as outbox:
            return self.office(outbox, **more).turn(self.box, self.wire)

    def listed(self) -> list[UnsentMail]:
        """The mails that have not left, or came back."""
        with contextlib.closing(self.outbox()) as outbox:
            return outbox.listed()

    def queue(self, mails: Sequence[Outgoing]) -> None:
        with contextlib.closing(self.outbox()) as outbox:
            self.office(outbox).post.queue(mails)

    def say(self, to: str, body: str) -> None:
        """The host's own message, for the next turn to send."""
        self._leaves(Letters(self.game.begun()).announce(to, body))

    def move(self) -> None:
        """The host's new address, for the next turn to tell."""
        self._leaves(Letters(self.game.begun()).move(self.address_of_host))

    def _leaves(self, taken: TakenLetter) -> None:
        with contextlib.closing(self.outbox()) as outbox:
            self.office(outbox).copies.say(self.game, f"host-{taken.letter.number:04d}")

    @property
    def host(self) -> Host:
        return Host(self.record, self.signer, self.clock)

    def verify(self) -> Findings:
        return verify(self.record)

    # A player.

    def address(self, name: str) -> str:
        return f"{name}@example.org"

    def copy(self, name: str) -> Record:
        return Record(self.root / name / "friday")

    def seat(self, name: str) -> Seat:
        return Seat.open(self.root / name / f"{name}.seat")

    def seated(self, name: str) -> Seated:
        return Seated(self.copy(name), self.seat(name))

    def got(self, name: str) -> list[bytes]:
        """All mails that were sent to a player, in order."""
        return [data for _, to, data in self.wire.out if to == self.address(name)]

    def last(self, name: str) -> str:
        """The readable part of the last mail to a player."""
        return text_of(self.got(name)[-1])

    def read(self, name: str, mail: bytes) -> TakenBundles:
        """The player takes a mail in."""
        return take_in(mail, self.root / name, self.clock)

    def receive(self, name: str) -> list[TakenBundles]:
        """The player takes in every mail with a block that came since."""
        mails = self.got(name)
        new, self.taken[name] = mails[self.taken[name] :], len(mails)
        return [self.read(name, mail) for mail in new if b"ADJUDICATOR BUNDLE" in mail]

    def mail(self, name: str, bundle: Bundle, what: str = "orders") -> bytes:
        copy, me = self.copy(name), self.address(name)
        place = finding.place_of(finding.invite_of(copy), self.root / name)
        seat = None if place is None else Seat.open(place)
        return mail_player.wrap(copy, bundle, what, seat, me, self.clock).data

    def join(self, name: str, token: str | None = None) -> bytes:
        offer = opening.read_offer(self.copy(name))
        secret = derive(self.seed, f"seat/{name}")
        seat = Seat.create(
            self.root / name / f"{name}.seat", name, offer.digest, Path("key"), secret
        )
        mode = "open" if name in self.open_for else None
        private = Private(self.address(name), token)
        return self.mail(name, seated.join(offer, seat, self.keys[name], private, mail=mode))

    def stranger(
        self, who: str, player: str = "", address: str | None = "", token: str | None = None
    ) -> Bundle:
        """A join by somebody who is none of the players, as themselves or in a player's name."""
        offer = opening.read_offer(self.record)
        root, seed = self.root / f"{who}{token or ''}.seat", f"{who}{token}".encode()
        secret = derive(seed, "seat")
        seat = Seat.create(root, player or who, offer.digest, self.root / "key", secret)
        to = f"{who}@example.org" if address == "" else address
        return seated.join(
            offer, seat, MemoryKey.from_seed(derive(seed, "key")), Private(to, token)
        )

    def order(self, name: str, lines: str | Written) -> bytes:
        """A mail with a player's orders for the coming step."""
        return self.mail(name, self.sealed(name, lines))

    def sealed(self, name: str, lines: str | Written) -> Bundle:
        """A player's orders for the coming step."""
        own = self.seated(name)
        written = Written(lines) if isinstance(lines, str) else lines
        return own.order(compose(written.orders), self.keys[name], self.clock.now()).bundle

    def letter(self, name: str, text: Text) -> bytes:
        ledger = self.seated(name).ledger
        bundle = letters.write(ledger, self.seat(name), self.keys[name], text)
        return self.mail(name, bundle, "a letter")

    # Together.

    def begin(self) -> Mailroom:
        """Invitations, joins, and the genesis with everybody.

        Each kind of game is begun so once, and kept; the next of its kind is a copy.
        """
        if self.kind in self.begun:
            folder, kept = self.begun[self.kind]
            shutil.rmtree(self.root)
            shutil.copytree(folder, self.root)
            vars(self).update(copy.deepcopy(kept))
            return self
        self.invite()
        for name in self.players:
            self.box.put(self.join(name, self.tokens.get(name)))
        self.turn()
        for name in self.players:
            self.receive(name)
        if self.keep is not None:
            folder = self.keep / str(len(self.begun))
            shutil.copytree(self.root, folder)
            kept = {name: getattr(self, name) for name in ("clock", "box", "wire", "log", "taken")}
            self.begun[self.kind] = folder, copy.deepcopy(kept)
        return self

    def invite(self) -> None:
        """Invitations, which the players take in; with a token where seats are reserved."""
        now = self.clock.now()
        self.queue([self.game.invitation(self.address(n), now) for n in self.players])
        if self.reserved:
            self.tokens = {n: self.game.room.invite(self.address(n)) for n in self.players}
        self.turn()
        for name in self.players:
            self.receive(name)

    def play(self, *script: Mapping[str, str]) -> Mailroom:
        """A step for each table of orders."""
        for orders in script:
            for name, lines in orders.items():
                self.box.put(self.order(name, lines))
            self.turn()
            for name in self.players:
                self.receive(name)
        return self


def is_over(record: Record) -> bool:
    """Whether a game has ended, by its last entry alone."""
    last = record.last_step()
    return last is not None and b"[reveal]" in record.read(names.entry(last))


def text_of(data: bytes) -> str:
    """A mail's readable part, without its last line, which says how to answer."""
    message = email.message_from_bytes(data, policy=email.policy.default)
    part = message.get_body(("plain",))
    assert part is not None
    return LAST.sub("", str(part.get_content()))


LAST = re.compile(r"\r?\nLeave this line in an answer: [a-z2-7]{16}\s*\Z")


def plain(
    sender: str, body: str, *, subject: str = "hello", head: str = "", mark: str = "1"
) -> bytes:
    """A mail as anybody may send it."""
    return (
        f"From: {sender}\nTo: {HOST}\nSubject: {subject}\nMessage-ID: <{mark}@example.org>\n"
        f"{head}\n{body}\n"
    ).encode()


EXAMPLE = (
    {"alice": "start C4", "bob": "start C1"},
    {"alice": "fire S"},
    {"bob": "silent"},
    {"alice": "silent"},
)


@pytest.fixture
def mailroom(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Mailroom]:
    """Open a mailroom of this test's own."""
    if Mailroom.keep is None:
        Mailroom.keep = tmp_path_factory.mktemp("begun")

    def make(*args: Any, name: str = "room", **options: Any) -> Mailroom:
        return Mailroom(tmp_path / name, *args, **options)

    return make


@pytest.fixture(scope="session")
def write() -> Callable[..., bytes]:
    """Write a mail as anybody may send it."""
    return plain


@pytest.fixture(scope="session")
def words() -> Callable[[bytes], str]:
    """The readable part of a mail."""
    return text_of


@pytest.fixture(scope="session")
def example() -> tuple[Mapping[str, str], ...]:
    """Alice fires south, Bob stays, the torpedo comes to Bob's cell."""
    return EXAMPLE


@pytest.fixture(scope="session")
def armored() -> Callable[[Bundle], str]:
    """A bundle's block."""
    return lambda bundle: encode(bundle).decode()


CARL = "carl@example.net"


def to_carl(room: Mailroom) -> list[str]:
    """The digests that were sent to Carl, the host."""
    return [read_mail(data).text for _, to, data in room.wire.out if to == CARL]


def receipts(mails: list[bytes]) -> list[str]:
    """The statuses of the receipts in some mails."""
    found = [block.choose(read_mail(mail).blocks, ("receipt",)) for mail in mails]
    return [read_receipt(one.files[0][1]).status for one in found if one is not None]


OTHERWISE = (
    {"alice": "start C4", "bob": "start F6"},
    {"alice": "silent C3"},
    {"bob": "silent"},
    {"alice": "silent"},
)
