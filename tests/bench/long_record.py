"""What the benches share: a finished Sugar Dog record of many quiet steps, quickly made, and V.

Everything goes through the real host and player but for `fsync`, which waits for a disk.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

import games
from adjudicator import host, opening, player
from adjudicator.clock import DemoClock
from adjudicator.host import Host, Secrets
from adjudicator.order_text import order_text
from adjudicator.player import Seated
from adjudicator.record import Record
from adjudicator.seat import Seat
from games.game import Written
from orders import crypto
from orders.keys import MemoryKey

PLAYERS = ("alice", "bob")


def without_fsync() -> None:
    """Let `fsync` do nothing for the rest of this process."""
    os.fsync = lambda _: None  # type: ignore[assignment]


@dataclass
class Table:
    """A game under way, its host and its seats around one record."""

    record: Record
    referee: Host
    keys: dict[str, MemoryKey]
    seats: dict[str, Seat]

    @classmethod
    def lay(cls, folder: Path) -> Table:
        """A game of two that has begun."""
        record, clock, key = Record(folder / "record"), DemoClock(), MemoryKey.from_seed(b"h" * 32)
        secrets = Secrets(b"m" * 32, b"l" * 32)
        options = {"first": PLAYERS[0], "players": len(PLAYERS)}
        game = games.load("sugar-dog")
        host.invite(record, game, options, None, key, folder / "key", secrets, clock)
        offer = opening.read_offer(record)
        keys = {name: MemoryKey.from_seed(name.encode().ljust(32)) for name in PLAYERS}
        seats = {
            name: Seat.create(
                folder / f"{name}.seat", name, offer.digest, folder / name, name.encode().rjust(32)
            )
            for name in PLAYERS
        }
        joins = [player.join(offer, seats[name], keys[name]) for name in PLAYERS]
        host.start(record, joins, key, clock)
        return cls(record, Host(record, key, clock), keys, seats)

    def step(self, line: str = "silent") -> float:
        """The next step, in which who is awaited orders `line`; the host's seconds for it."""
        step = (self.record.last_step() or 0) + 1
        bundles = []
        for number, name in enumerate(PLAYERS):
            if name in self.referee.link().clocks.awaited:
                seated = Seated(self.record, self.seats[name])
                orders = f"start {'AF'[number]}1" if step == 1 else line
                text = order_text(seated.opening.id, step, name, Written(orders))
                bundles.append(seated.order(text.encode(), self.keys[name]))
        start = time.perf_counter()
        for bundle in bundles:
            self.referee.submit(bundle)
        self.referee.advance()
        return time.perf_counter() - start


def finished(folder: Path, steps: int) -> Record:
    """The record of a game that ends at entry `steps`, by a resignation, and is revealed."""
    table = Table.lay(folder)
    for _ in range(steps - 1):
        table.step()
    table.step("resign")
    return table.record


def best(function: Callable[[], object], rounds: int) -> float:
    """Seconds of the quickest of several calls."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)


def raw_verifications(count: int) -> Callable[[], object]:
    """As many bare Ed25519 verifications of different 150-byte messages (as SSHSIG signs)."""
    key = MemoryKey.from_seed(b"v" * 32)
    public = Ed25519PublicKey.from_public_bytes(key.public.raw)
    signed = [
        (m := os.urandom(150), crypto.ed25519_sign(key.seed, m)) for _ in range(min(count, 500))
    ]

    def verify() -> None:
        for at in range(count):
            message, signature = signed[at % len(signed)]
            public.verify(signature, message)

    return verify
