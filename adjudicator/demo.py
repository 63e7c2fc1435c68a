"""A whole game between bots, through the real files: sealed orders, receipts, reports, bundles.

What belongs here: seating bots, carrying bundles between them and the host, telling what happens.
Every bot has a folder of its own, with its own copy of the record and its own seat, and sees
nothing but its own reports. With a seed, all secrets, keys and times come from it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import games
from adjudicator import host, opening, order_text, player
from adjudicator.clock import DemoClock
from adjudicator.host import Host, Secrets
from adjudicator.player import Report, Seated
from adjudicator.receive import receive
from adjudicator.record import Record
from adjudicator.seat import Seat
from games.dice import Dice
from games.game import Bot, Game, View
from orders import names
from orders.bundle import Bundle, decode, encode
from orders.documents import read_receipt
from orders.entries import Entry, read_entry
from orders.errors import Refused
from orders.keys import Signer, load_signer, write_key
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
    """What to play: `bots` by name of the game's bots in seat order; `seed` is 32 bytes."""

    game: Game[Any, Any]
    bots: Sequence[str]
    seed: bytes
    options: Mapping[str, Any]
    watch: int = 0


class _Seat:
    """A bot at its own table: key, seat folder, copy of the record."""

    def __init__(self, plan: Plan, folder: Path, name: str, bot: Bot) -> None:
        self.name = name
        self.bot = bot
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
        receive(self.record, [invite])
        offer = opening.read_offer(self.record)
        root = self.folder / f"{self.name}.seat"
        self.seat = Seat.create(root, self.name, offer.digest, self.key, self.seed)
        return player.join(offer, self.seat, self.signer)

    def take(self, bundles: Sequence[Bundle]) -> None:
        for received in receive(self.record, bundles, self.seat):
            if received.warnings:
                raise Refused("demo", f"{self.name}: {'; '.join(received.warnings)}")

    def hear(self) -> Report:
        """Let the bot hear each report once."""
        seated = Seated(self.record, self.seat)
        report = seated.report()
        if report.step > self.heard:
            self.bot.hear(report.view, report.events)
            self.heard = report.step
        return report

    def order(self) -> Bundle:
        """The bot's orders for the coming step, as a bundle."""
        seated = Seated(self.record, self.seat)
        step = seated.last().step + 1
        written = self.bot.order(Dice(derive(self.seed, f"bot/{step}")))
        text = order_text.order_text(seated.opening.id, step, self.name, written)
        return seated.order(text.encode(), self.signer)


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
    offered = host.invite(record, plan.game, plan.options, None, signer, key, secrets, clock)
    seats = [
        _Seat(plan, folder, name, plan.game.bots[kind](name))
        for name, kind in zip(NAMES, plan.bots, strict=False)
    ]
    invite = _mailed(offered)
    joins = [_mailed(seat.join(invite)) for seat in seats]
    genesis = _mailed(host.start(record, joins, signer, clock))
    for seat in seats:
        seat.take([genesis])
        seat.hear()
    referee = Host(record, signer, clock)
    yield Told(0, ("The game begins.",), None)
    while (link := referee.link()).clocks.awaited:
        if link.entry.step >= MOST_STEPS:
            raise Refused("demo", f"no end after {MOST_STEPS} steps")
        for seat in seats:
            if seat.name in link.clocks.awaited:
                _submit(referee, seat)
        advanced = referee.advance()
        for seat in seats:
            seat.take([_mailed(bundle) for bundle in advanced.bundles])
            seat.hear()
        step = advanced.steps[0]
        entry = read_entry(record.read(names.entry(step)))
        assert isinstance(entry, Entry)  # noqa: S101 - a step is no genesis and no reveal
        news = tuple(plan.game.news(event) for event in entry.events)
        yield Told(step, news, seats[plan.watch].hear().view, revealed=len(advanced.steps) > 1)


def _submit(referee: Host, seat: _Seat) -> None:
    receipt = _mailed(referee.submit(_mailed(seat.order())))
    seat.take([receipt])
    status = read_receipt(receipt.files[0][1]).status
    if status != "accepted":
        raise Refused("demo", f"the orders of {seat.name} were not accepted: {status}")


def _mailed(bundle: Bundle) -> Bundle:
    """The bundle as it comes out of the block in which it travels."""
    return decode(encode(bundle))


def seats_of(game: Game[Any, Any], players: int | None) -> int:
    """How many bots to seat; raises Refused for a number that the game does not take."""
    least, most = game.seats
    count = least if players is None else players
    if not least <= count <= min(most, len(NAMES)):
        raise Refused(
            "bad-option", f"{game.id} is played by {least} to {min(most, len(NAMES))}, not {count}"
        )
    return count


def load(game_id: str) -> Game[Any, Any]:
    """The game; raises Refused."""
    try:
        return games.load(game_id)
    except games.UnknownGame as error:
        raise Refused("unknown-game", str(error)) from None
