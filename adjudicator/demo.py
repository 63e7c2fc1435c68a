"""A whole game on one machine, through the real files: sealed orders, receipts, reports, bundles.

What belongs here: seating bots, and people beside them, carrying bundles between them and the host,
telling what happens. Each has a folder of their own, with a copy of the record and a seat, and sees
nothing but their own reports. With a seed, all secrets, keys and times come from it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from adjudicator.core import bundles, opening
from adjudicator.core.report import Report
from adjudicator.host import begin
from adjudicator.host.begin import Secrets, Terms
from adjudicator.host.host import Host
from adjudicator.player import seated
from adjudicator.player.copy import Copy
from adjudicator.player.seat import Seat
from adjudicator.player.seated import Seated
from adjudicator.store.clock import Clock, DemoClock
from adjudicator.store.record import Record
from games.dice import Dice
from games.game import Bot, Game, View
from orders.bundle import Bundle, decode, encode
from orders.documents import Private, read_receipt
from orders.errors import Refused
from orders.fields import Time
from orders.keys import Signer, load_signer, write_key
from orders.order_file import compose
from orders.secrets import derive

NAMES = ("alice", "bob", "carol", "dave", "erin", "frank", "grace", "heidi")

MOST_STEPS = 5_000


@dataclass(frozen=True, slots=True)
class Told:
    """A moment of the demo: an entry, its public news, and the board from one side."""

    step: int
    news: tuple[str, ...]
    view: View | None
    revealed: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """What to play: `bots` by name of the game's bots in seat order; `seed` is 32 bytes.

    `people`: by player, who plays a seat in place of its bot.
    """

    game: Game[Any, Any]
    bots: Sequence[str]
    seed: bytes
    options: Mapping[str, Any]
    people: Mapping[str, Bot] = field(default_factory=dict)


class _Glance:
    """A player's look at the demo's clock, which does not make it go on."""

    def __init__(self, clock: DemoClock) -> None:
        self.clock = clock

    def now(self) -> Time:
        """The minute that was told last."""
        return self.clock.last()


class _Seat:
    """A bot at its own table: key, seat folder, copy of the record."""

    def __init__(self, plan: Plan, folder: Path, name: str, bot: Bot, clock: Clock) -> None:
        self.name = name
        self.bot = bot
        self.clock = clock
        self.seed = derive(plan.seed, f"seat/{name}")
        self.folder = folder / name
        self.record = Record(self.folder / "record")
        self.folder.mkdir(parents=True)
        key = self.folder / "key"
        write_key(key, name, derive(plan.seed, f"key/{name}"))
        self.signer: Signer = load_signer(key, None)
        self.key = key
        self.heard = -1

    def join(self, invite: Bundle) -> Bundle:
        Copy(self.record, None, self.clock).receive([invite])
        offer = opening.read_offer(self.record)
        root = self.folder / f"{self.name}.seat"
        self.seat = Seat.create(root, self.name, offer.digest, self.key, self.seed)
        self.copy = Copy(self.record, self.seat, self.clock)
        return seated.join(offer, self.seat, self.signer, Private())

    def take(self, given: Sequence[Bundle]) -> None:
        for received in self.copy.receive(given):
            if received.warnings:
                raise Refused("demo", f"{self.name}: {'; '.join(received.warnings)}")

    def hear(self) -> Report:
        """Let the bot hear each report once."""
        told = self._seated().report()
        if told.step > self.heard:
            self.bot.hear(told.view, told.events)
            self.heard = told.step
        return told

    def _seated(self) -> Seated:
        return Seated(self.record, self.seat, self.copy.ledger)

    def order(self) -> Bundle:
        """The bot's orders for the coming step, as a bundle."""
        own = self._seated()
        written = self.bot.order(Dice(derive(self.seed, f"bot/{own.step}")))
        lines, tables = written.orders.split("\n"), own.opening.game.tables
        file = compose(own.opening.id, own.step, self.name, lines, written.tables, tables)
        return own.order(file, self.signer, self.clock.now()).bundle


def play(plan: Plan, folder: Path) -> Iterator[Told]:
    """Play the game in `folder` (`record/` is the host's), telling each entry as it comes.

    Raises Refused where anything is not taken, which with sound code nothing is.
    """
    clock = DemoClock()
    record = Record(folder / "record")
    key = folder / "host.key"
    folder.mkdir(parents=True, exist_ok=True)
    write_key(key, "host", derive(plan.seed, "key/host"))
    signer = load_signer(key, None)
    secrets = Secrets(derive(plan.seed, "master"), derive(plan.seed, "letters"))
    terms = Terms(plan.game, plan.options)
    offered = begin.invite(record, terms, signer, key, secrets, clock)
    seats = [
        _Seat(plan, folder, name, _player(plan, name, kind), _Glance(clock))
        for name, kind in zip(NAMES, plan.bots, strict=False)
    ]
    invite = _mailed(offered)
    joins = [_mailed(seat.join(invite)) for seat in seats]
    genesis = _mailed(begin.start(record, joins, signer, clock))
    for seat in seats:
        seat.take([genesis])
        seat.hear()
    referee = Host(record, signer, clock)
    yield Told(0, ("The game begins.",), None)
    while referee.last.clocks.awaited:
        if referee.last.step >= MOST_STEPS:
            raise Refused("demo", f"no end after {MOST_STEPS} steps")
        for seat in seats:
            if seat.name in referee.last.clocks.awaited:
                _submit(referee, seat)
        steps = _go_on(referee)
        for seat in seats:
            seat.take([_mailed(bundle) for bundle in referee.bundles(steps, seat.name)])
            seat.hear()
        entry = referee.ledger.link(steps[0]).entry
        news = tuple(plan.game.news(event) for event in entry.events)
        view = seats[0].hear().view
        yield Told(entry.step, news, view, revealed=len(steps) > 1)


def _player(plan: Plan, name: str, kind: str) -> Bot:
    return plan.people[name] if name in plan.people else plan.game.bots[kind](name)


def _go_on(referee: Host) -> range:
    """The new steps; bots are never away, so no absence is granted."""
    before = referee.last.step
    referee.go_on(lambda: False)
    return range(before + 1, referee.last.step + 1)


def _submit(referee: Host, seat: _Seat) -> None:
    order = _mailed(seat.order())
    file = referee.submit(order)
    receipt = read_receipt(file.data)
    answer = bundles.of_receipt(receipt.step, seat.name, receipt.revision, file)
    seat.take([_mailed(answer)])
    if receipt.status != "accepted":
        raise Refused("demo", f"the orders of {seat.name} were not accepted: {receipt.status}")


def _mailed(bundle: Bundle) -> Bundle:
    """The bundle as it comes out of the block in which it travels."""
    return decode(encode(bundle))


def seats_of(game: Game[Any, Any], players: int | None) -> int:
    """How many bots to seat; raises Refused for a number that the game does not take."""
    least, most = game.seats
    count = least if players is None else players
    if not least <= count <= min(most, len(NAMES)):
        raise Refused(
            "bad-option",
            f"a demo of {game.id} seats {least} to {min(most, len(NAMES))} bots, not {count}",
            f"adjudicator demo {game.id} --players {least}",
        )
    return count
