"""What the tests of mail share: a host's office and players, all without a network."""

from __future__ import annotations

import email
import email.policy
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import games
from adjudicator import host, opening, order_text, player, times
from adjudicator.host import Host, Secrets
from adjudicator.mail import reader
from adjudicator.mail.desk import Desk
from adjudicator.mail.office import Office, Turn
from adjudicator.mail.reader import Read
from adjudicator.mail.senders import NotSent
from adjudicator.mail.sources import Arrived
from adjudicator.mail.state import State
from adjudicator.player import Seated
from adjudicator.record import Record
from adjudicator.seat import Seat
from adjudicator.verify import Findings, verify
from games.game import Written
from orders.bundle import Bundle, encode
from orders.keys import MemoryKey
from orders.secrets import derive

HOST = "referee@example.net"


@dataclass
class Clock:
    """A clock that stands until it is moved."""

    time: str = "2026-11-21T18:00:00Z"

    def now(self) -> str:
        return self.time

    def skip(self, seconds: int) -> None:
        self.time = times.add(self.time, seconds)


@dataclass
class Box:
    """A mailbox in memory; mails stay until they are put away."""

    held: dict[str, bytes] = field(default_factory=dict)
    count: int = 0

    def put(self, data: bytes) -> None:
        self.count += 1
        self.held[f"{self.count:05d}"] = data

    def mails(self) -> Iterator[Arrived]:
        for name in sorted(self.held):
            yield Arrived(name, partial(self.held.__getitem__, name), partial(self.held.pop, name))


@dataclass
class Wire:
    """A way out that delivers at once; `fault` is raised instead while it is set."""

    out: list[tuple[str, str, bytes]] = field(default_factory=list)
    fault: NotSent | None = None

    def send(self, key: str, sender: str, to: str, data: bytes) -> None:
        if self.fault is not None:
            raise self.fault
        self.out.append((sender, to, data))

    def close(self) -> None:
        pass


class Mailroom:
    """A game by mail: the host's office, and players who each have a folder, a key and mails."""

    def __init__(
        self,
        root: Path,
        players: Sequence[str] = ("alice", "bob"),
        options: Mapping[str, Any] | None = None,
        open_for: Sequence[str] = (),
        game: str = "sugar-dog",
        seed: bytes = b"\x09" * 32,
    ) -> None:
        self.root, self.players, self.open_for, self.seed = root, players, open_for, seed
        self.clock, self.box, self.wire, self.log = Clock(), Box(), Wire(), list[str]()
        self.record = Record(root / "friday")
        root.mkdir(parents=True, exist_ok=True)
        given = {"first": players[0], "players": len(players)} if game == "sugar-dog" else {}
        self.signer = MemoryKey.from_seed(derive(seed, "host"))
        host.invite(
            self.record, games.load(game), {**given, **(options or {})}, None, self.signer,
            root / "host.key", Secrets(derive(seed, "master"), derive(seed, "letters")), self.clock,
        )  # fmt: skip
        self.keys = {name: MemoryKey.from_seed(derive(seed, f"key/{name}")) for name in players}
        self.read: dict[str, int] = dict.fromkeys(players, 0)
        self.desk = Desk(self.record, self.signer, self.clock, HOST)
        self.desk.set_seats(len(players))
        for name in players:
            (root / name).mkdir()

    # The host.

    def state(self) -> State:
        return State(self.root / "state")

    def office(self, state: State) -> Office:
        desk = Desk(self.record, self.signer, self.clock, HOST)
        return Office([desk], state, HOST, self.clock, self.log.append)

    def turn(self) -> Turn:
        state = self.state()
        try:
            return self.office(state).turn(self.box, self.wire)
        finally:
            state.close()

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

    def receive(self, name: str) -> list[Read]:
        """The player takes in every mail with a block that came since."""
        mails = self.got(name)
        new, self.read[name] = mails[self.read[name] :], len(mails)
        folder = self.root / name
        return [
            reader.read(mail, folder, None, None) for mail in new if b"ADJUDICATOR BUNDLE" in mail
        ]

    def mail(self, name: str, bundle: Bundle, what: str = "orders") -> bytes:
        return reader.wrap(self.copy(name), bundle, what, "bundle", HOST, self.address(name))

    def join(self, name: str) -> bytes:
        offer = opening.read_offer(self.copy(name))
        secret = derive(self.seed, f"seat/{name}")
        seat = Seat.create(
            self.root / name / f"{name}.seat", name, offer.digest, Path("key"), secret
        )
        mode = "open" if name in self.open_for else None
        bundle = player.join(offer, seat, self.keys[name], address=self.address(name), mail=mode)
        return self.mail(name, bundle, "a join")

    def order(self, name: str, lines: str | Written) -> bytes:
        """A mail with a player's orders for the coming step."""
        seated = self.seated(name)
        step = seated.last().step + 1
        written = Written(lines) if isinstance(lines, str) else lines
        text = order_text.order_text(seated.opening.id, step, name, written).encode()
        return self.mail(name, seated.order(text, self.keys[name]))

    def letter(self, name: str, **what: Any) -> bytes:
        _, bundle = reader.write_letter(self.copy(name), self.seat(name), self.keys[name], **what)
        return self.mail(name, bundle, "a letter")

    # Together.

    def begin(self) -> Mailroom:
        """Invitations, joins, and the genesis with everybody."""
        state = self.state()
        self.office(state).queue([self.desk.invitation(self.address(n)) for n in self.players])
        state.close()
        self.turn()
        for name in self.players:
            self.receive(name)
            self.box.put(self.join(name))
        self.turn()
        for name in self.players:
            self.receive(name)
        return self

    def play(self, *script: Mapping[str, str]) -> Mailroom:
        """A step for each table of orders."""
        for orders in script:
            for name, lines in orders.items():
                self.box.put(self.order(name, lines))
            self.turn()
            for name in self.players:
                self.receive(name)
        return self


def text_of(data: bytes) -> str:
    """A mail's readable part."""
    message = email.message_from_bytes(data, policy=email.policy.default)
    part = message.get_body(("plain",))
    assert part is not None
    return str(part.get_content())


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
def mailroom(tmp_path: Path) -> Callable[..., Mailroom]:
    """Open a mailroom of this test's own."""

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
