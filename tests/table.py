"""A game at one table, played through the real files: what tests of several packages share."""

from __future__ import annotations

import copy
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from replacing import replace

import games
from adjudicator.core import bundles, opening
from adjudicator.core.receipts import OrderReceipt
from adjudicator.core.report import Report
from adjudicator.core.source import Source, signed
from adjudicator.host import begin
from adjudicator.host.begin import Secrets, Terms
from adjudicator.host.host import Host
from adjudicator.player import seated, witness
from adjudicator.player.copy import Copy
from adjudicator.player.seat import Seat
from adjudicator.player.seated import Seated
from adjudicator.store.clock import DemoClock
from adjudicator.store.record import Record
from adjudicator.verifier.claims import Findings
from adjudicator.verifier.verify import Asked, verify
from orders import names
from orders.bundle import Bundle, decode, encode
from orders.documents import Private, Receipt, read_receipt
from orders.entries import AnyEntry, Ruling
from orders.keys import MemoryKey
from orders.secrets import derive
from orders.sshsig import Signed

EXAMPLE: tuple[Mapping[str, str], ...] = (
    {"alice": "start C4", "bob": "start C1"},
    {"alice": "fire S"},
    {"bob": "silent"},
    {"alice": "silent"},
)
"""Alice fires south, Bob stays, the torpedo comes to Bob's cell: four steps and the reveal."""


def join_of(source: Source, player: str) -> Bundle:
    """The join that lies in a record, as its player sent it."""
    path = names.join(player)
    return bundles.pack("join", signed(source, path).files(path))


@dataclass
class Table:
    """A game at one table in `root`: a host, players with seats and copies, one clock.

    Everything follows from `seed`, `players`, `options`, the clock and what is ordered.
    """

    root: Path
    players: Sequence[str] = ("alice", "bob")
    options: Mapping[str, Any] | None = None
    game: str = "sugar-dog"
    seed: bytes = b"\x07" * 32
    clock: DemoClock = field(default_factory=DemoClock)
    warnings: dict[str, list[str]] = field(default_factory=dict)
    receipts: list[Signed] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.options is None:
            self.options = {"first": self.players[0]}
        self.signer = MemoryKey.from_seed(derive(self.seed, "key/host"))
        self.keys = {
            name: MemoryKey.from_seed(derive(self.seed, f"key/{name}")) for name in self.players
        }
        self.record = Record(self.root / "record")
        self.copies = {name: Record(self.root / name / "record") for name in self.players}

    # Before the game.

    def offer(self) -> Bundle:
        """Invite, and everybody's join."""
        self.root.mkdir(parents=True, exist_ok=True)
        secrets = Secrets(derive(self.seed, "master"), derive(self.seed, "letters"))
        terms = Terms(games.load(self.game), self.options or {})
        key = self.root / "host.key"
        offered = begin.invite(self.record, terms, self.signer, key, secrets, self.clock)
        self.joins = [self.join(name, offered) for name in self.players]
        return offered

    def join(self, name: str, offered: Bundle) -> Bundle:
        (self.root / name).mkdir()
        Copy(self.copies[name], None, self.clock).receive([offered])
        offer = opening.read_offer(self.copies[name])
        secret = derive(self.seed, f"seat/{name}")
        root = self.root / name / f"{name}.seat"
        seat = Seat.create(root, name, offer.digest, Path(f"/keys/{name}.key"), secret)
        return seated.join(offer, seat, self.keys[name], Private())

    def begin(self) -> Table:
        """Offer the game and begin it."""
        self.offer()
        genesis = begin.start(self.record, self.joins, self.signer, self.clock)
        for name in self.players:
            self.deliver(name, [genesis])
        return self

    def joins_again(self) -> list[Bundle]:
        """The joins that lie in the record, as they came."""
        return [join_of(self.record, name) for name in self.players]

    # Under way.

    @property
    def host(self) -> Host:
        return Host(self.record, self.signer, self.clock)

    def seat(self, name: str) -> Seat:
        return Seat.open(self.root / name / f"{name}.seat")

    def copy_of(self, name: str) -> Copy:
        return Copy(self.copies[name], self.seat(name), self.clock)

    def seated(self, name: str) -> Seated:
        return Seated(self.copies[name], self.seat(name))

    def report(self, name: str, step: int | None = None) -> Report:
        return self.seated(name).report(step)

    def order(self, name: str, lines: str, protest: str | None = None) -> Bundle:
        """A player's order bundle for the coming step."""
        own = self.seated(name)
        file = own.read(lines.encode(), protest)
        return own.order(file, self.keys[name], self.clock.now(), protest).bundle

    def send(self, bundle: Bundle) -> Receipt:
        """Submit a bundle; its receipt goes into the seat."""
        answer = self.host.submit(bundle)
        self.receipts.append(answer)
        receipt = read_receipt(answer.data)
        self.deliver(receipt.player, [bundles.of_receipt(answer)])
        return receipt

    def submit(self, name: str, lines: str, protest: str | None = None) -> str:
        """Order and submit; the receipt's status."""
        return self.send(self.order(name, lines, protest)).status

    def advance(self, *, late: bool = False) -> tuple[int, ...]:
        """Adjudicate, and bring everybody what came of it; the new steps."""
        return self.hand_out(self.host.advance(late=late))

    def rule(self, ruling: Ruling, until: Mapping[str, str] | str | None = None) -> tuple[int, ...]:
        return self.hand_out(self.host.rule(ruling, until))

    def hand_out(self, steps: tuple[int, ...]) -> tuple[int, ...]:
        """Bring everybody these entries as they go to each."""
        for name in self.players:
            self.deliver(name, self.host.bundles(steps, name))
        return steps

    def deliver(self, name: str, given: Sequence[Bundle]) -> None:
        """A player takes bundles in; what they are warned of is kept in `warnings`."""
        travelled = [decode(encode(bundle)) for bundle in given]
        copy = self.copy_of(name)
        came = copy.receive(travelled)
        new = [one.step for one in came if one.new and one.step is not None]
        warnings = [line for received in came for line in received.warnings] + copy.late(new)
        self.warnings.setdefault(name, []).extend(warnings)

    def play(self, *script: Mapping[str, str]) -> Table:
        """A step for each table of orders; who is awaited and has none misses the deadline."""
        for orders in script:
            for name, lines in orders.items():
                assert self.submit(name, lines) == "accepted"
            awaited = self.entry().awaited
            late = any(name not in orders for name in awaited)
            if late:
                self.clock.skip(10 * 86_400)
            self.advance(late=late)
        return self

    # Afterwards.

    def entry(self, step: int | None = None) -> AnyEntry:
        ledger = self.host.ledger
        return (ledger.last if step is None else ledger.link(step)).entry

    def given(self, name: str) -> list[OrderReceipt]:
        """A player's receipts, with the bundles that they answer."""
        return witness.given(self.host.ledger, self.seat(name))

    def verify(self, seat: str | None = None, *, copy: bool = False) -> Findings:
        """Verify the host's record, or that player's copy, with a player's seat."""
        source = self.copies[seat] if copy and seat is not None else self.record
        return verify(source, Asked(seat=None if seat is None else self.seat(seat)))

    def held(self) -> dict[str, bytes]:
        """All files of the host's record, by name."""
        return {path: self.record.read(path) for path in self.record.paths()}

    def copy(self, root: Path, each: Callable[..., object] = shutil.copy2) -> Table:
        """The same table in another folder, to go on in another way; `each` copies a file."""
        shutil.copytree(self.root, root, copy_function=each)
        return replace(self, root=root, clock=copy.copy(self.clock), warnings={}, receipts=[])
