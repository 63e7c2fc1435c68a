"""A whole game on one machine, through the real files: sealed orders, receipts, reports, bundles.

It seats bots and people, carries bundles between them and the host, and tells what happens. Each
has a folder of their own, with a copy of the record and a seat, and sees only their own reports.
With a seed, all secrets, keys and times come from it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from adjudicator.core import bundles, deadlines, opening
from adjudicator.core.ledger import Ledger
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
from adjudicator.words import adviser
from adjudicator.words.adviser import usual_bot
from games.dice import Dice
from games.game import Bot, Game, View, Written
from orders.bundle import Bundle, decode, encode
from orders.documents import Private, read_receipt
from orders.errors import Refused
from orders.fields import Time
from orders.keys import Signer, load_signer, write_key
from orders.order_file import compose
from orders.secrets import derive

NAMES = (
    "alice", "bob", "carol", "dave", "erin", "frank", "grace", "heidi", "ivan", "judy", "karl",
    "laura", "mike", "nina", "oscar", "peggy", "quentin", "rosa", "steve", "trudy", "ursula",
    "victor", "wendy", "xavier", "yvonne", "zoe",
)  # fmt: skip
"""What the players of a demo are called, in seat order."""

MOST_STEPS = 5_000
PAUSE = 3600
"""Seconds of the demo's clock between leaving a game and going on."""


class Turn(NamedTuple):
    """What a bot is asked for: the number of the step, for what it is awaited and until when (None:
    no deadline), and who raises Refused or OrderError for orders that cannot stand."""

    step: int
    what: str
    until: Time | None
    judge: Callable[[Written], object]


def ordered(bot: Bot, turn: Turn, dice: Dice) -> Written:
    """A bot's orders. One with a method `asked`, such as a program of somebody's, is told first
    what it is asked for."""
    if tell := getattr(bot, "asked", None):
        tell(turn)
    return bot.order(dice)


class Moment(NamedTuple):
    """A moment of the demo: an entry, its public news, and the board from one side."""

    step: int
    news: tuple[str, ...]
    view: View | None
    revealed: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """What to play: `bots` by name of the game's bots in seat order; `seed` is 32 bytes.

    `people`: by player, the person who plays the seat in place of its bot. `guests`: players who
    keep their own seats elsewhere. `by`: the program that genesis names; all chance follows from
    genesis, so a game that is to be the same with every version names none.
    """

    game: Game[Any, Any]
    bots: Sequence[str]
    seed: bytes
    options: Mapping[str, Any]
    people: Mapping[str, Bot] = field(default_factory=dict)
    guests: tuple[str, ...] = ()
    by: str = begin.PROGRAM


class _Glance:
    """The demo's clock for players to look at: reading it does not move it on."""

    def __init__(self, clock: DemoClock) -> None:
        self.clock = clock

    def now(self) -> Time:
        """The last minute that the demo's clock gave."""
        return self.clock.last()


class _Seat:
    """A bot with its own key, seat folder and copy of the record."""

    def __init__(self, plan: Plan, folder: Path, name: str, bot: Bot, clock: Clock) -> None:
        self.name = name
        self.bot = bot
        self.clock = clock
        self.seed = derive(plan.seed, f"seat/{name}")
        self.folder = folder / name
        self.root = self.folder / f"{name}.seat"
        self.record = Record(self.folder / "record")
        key = self.folder / "key"
        if not self.root.exists():
            self.folder.mkdir(parents=True)
            write_key(key, name, derive(plan.seed, f"key/{name}"))
        self.signer: Signer = load_signer(key, None)
        self.key = key
        self.heard = -1

    def join(self, invite: Bundle) -> Bundle:
        Copy(self.record, None, self.clock).receive([invite])
        offer = opening.read_offer(self.record)
        self.seat = Seat.create(self.root, self.name, offer.digest, self.key, self.seed)
        self.copy = Copy(self.record, self.seat, self.clock)
        return seated.join(offer, self.seat, self.signer, Private())

    def sit(self, referee: Host) -> None:
        """Sit down again in a game that was left: take in what is new, and let the bot hear every
        report and remember every order."""
        self.seat = Seat.open(self.root)
        self.seed = bytes.fromhex(self.seat.secret.hex)
        self.copy = Copy(self.record, self.seat, self.clock)
        behind = range(self.copy.ledger.last.step + 1, referee.last.step + 1)
        self.take([_mailed(bundle) for bundle in referee.bundles(behind, self.name)])
        self.heard = adviser.brief(self.bot, self.seated())

    def take(self, given: Sequence[Bundle]) -> None:
        for received in self.copy.receive(given):
            if received.warnings:
                raise Refused("demo", f"{self.name}: {'; '.join(received.warnings)}")

    def hear(self) -> Report:
        """Let the bot hear each report once."""
        told = self.seated().report()
        if told.step > self.heard:
            self.bot.hear(told.view, told.events)
            self.heard = told.step
        return told

    def seated(self) -> Seated:
        """The seat in the game as it is now."""
        return Seated(self.record, self.seat, self.copy.ledger)

    def order(self) -> Bundle:
        """The bot's orders for the coming step, as a bundle."""
        own = self.seated()
        prompt = own.last.entry.awaited[self.name]
        turn = Turn(
            own.step, prompt.what, prompt.until, lambda given: own.read(given.orders.encode())
        )
        file = compose(ordered(self.bot, turn, self._dice(own.step)).orders)
        return own.order(file, self.signer, self.clock.now()).bundle

    def _dice(self, step: int) -> Dice:
        return Dice(derive(self.seed, f"bot/{step}"))


class House:
    """A host on this machine, with bots in folders of their own; guests may play too."""

    def __init__(self, plan: Plan, folder: Path, clock: Clock, glance: Clock) -> None:
        """Offer the game: `invite` is the bundle. `record/` in the folder is the host's. A game
        that was begun in this folder goes on: then of the plan only its bots count.

        `glance`: the clock as the bots see it. The players in `plan.guests` get no bot.
        """
        self.plan = plan
        self.clock = clock
        self.record = Record(folder / "record")
        key = folder / "host.key"
        begun = self.record.last_step() is not None
        if not begun:
            folder.mkdir(parents=True, exist_ok=True)
            write_key(key, "host", derive(plan.seed, "key/host"))
        self.signer = load_signer(key, None)
        if not begun:
            secrets = Secrets(derive(plan.seed, "master"), derive(plan.seed, "letters"))
            terms = Terms(plan.game, plan.options, name=plan.game.id)
            invite = begin.invite(self.record, terms, self.signer, key, secrets, clock)
            self.invite = _mailed(invite)
        self.seats = [
            _Seat(plan, folder, name, plan.people.get(name) or plan.game.bots[kind](name), glance)
            for name, kind in zip(NAMES, plan.bots, strict=False)
            if name not in plan.guests
        ]
        if begun:
            self.referee = Host(self.record, self.signer, clock)
            for seat in self.seats:
                seat.sit(self.referee)

    def begin(self, guests: Mapping[str, Bundle] | None = None) -> Bundle:
        """Begin the game with the joins of guests, by name; the genesis. Raises Refused."""
        joins = dict(guests or {})
        joins |= {seat.name: _mailed(seat.join(self.invite)) for seat in self.seats}
        seated = [joins[name] for name, _ in zip(NAMES, self.plan.bots, strict=False)]
        started = begin.start(self.record, seated, self.signer, self.clock, self.plan.by)
        genesis = _mailed(started)
        for seat in self.seats:
            seat.take([genesis])
            seat.hear()
        self.referee = Host(self.record, self.signer, self.clock)
        return genesis

    def round(self) -> range:
        """Let every bot order that has not yet, and advance if all orders are in; returns the new
        steps."""
        if self.referee.last.step >= MOST_STEPS:
            raise Refused("demo", f"no end after {MOST_STEPS} steps")
        missing = self.referee.missing()
        for seat in self.seats:
            if seat.name in missing:
                file = self.referee.submit(_mailed(seat.order()))
                seat.take([_mailed(bundles.of_receipt(file))])
                status = read_receipt(file.data).status
                if status != "accepted":
                    raise Refused("demo", f"the orders of {seat.name} were not accepted: {status}")
        before = self.referee.last.step
        self.referee.go_on(lambda: False)  # Bots are never away, so no absence is granted.
        steps = range(before + 1, self.referee.last.step + 1)
        for seat in self.seats:
            seat.take([_mailed(bundle) for bundle in self.referee.bundles(steps, seat.name)])
            seat.hear()
        return steps

    def rounds(self, guest: str) -> list[Bundle]:
        """Go on until a guest is awaited or the game is over; returns the entries for that
        guest."""
        found: list[Bundle] = []
        while self.referee.last.clocks.awaited and (steps := self.round()):
            found += self.referee.bundles(steps, guest)
        return [_mailed(bundle) for bundle in found]

    def answer(self, order: Bundle) -> list[Bundle]:
        """Take in a guest's order; returns its receipt, and the entries that follow. Raises
        Refused."""
        file = self.referee.submit(_mailed(order))
        return [_mailed(bundles.of_receipt(file)), *self.rounds(read_receipt(file.data).player)]


def again(plan: Plan, folder: Path) -> House:
    """The game in `folder`, begun there or going on where it was left; its clock goes on too."""
    record = Record(folder / "record")
    begun = record.last_step() is not None
    clock = DemoClock()
    if begun:
        # After all that was dated before the game was left, and before any deadline.
        ledger = Ledger.read(record, None)
        time = ledger.last.entry.time or ledger.link(ledger.last.step - 1).entry.time
        clock = DemoClock(deadlines.add(str(time), PAUSE))
    house = House(plan, folder, clock, _Glance(clock))
    if not begun:
        house.begin()
    return house


def play(plan: Plan, folder: Path) -> Iterator[Moment]:
    """Play the game in `folder` (`record/` is the host's), telling each entry as it comes.

    Raises Refused if the host refuses something, which would be a fault of this program.
    """
    house = again(plan, folder)
    yield Moment(0, ("The game begins.",), None)
    while house.referee.last.clocks.awaited:
        steps = house.round()
        entry = house.referee.ledger.link(steps[0]).entry
        news = tuple(plan.game.news(event) for event in entry.events)
        view = house.seats[0].hear().view
        yield Moment(entry.step, news, view, revealed=len(steps) > 1)


def _mailed(bundle: Bundle) -> Bundle:
    """The bundle as it comes out of the block in which it travels."""
    return decode(encode(bundle))


def seats_of(game: Game[Any, Any], players: int | None, hint: str = "") -> int:
    """How many players to seat; raises Refused with that hint if the game seats fewer or more."""
    least, most = game.seats[0], min(game.seats[1], len(NAMES))
    count = least if players is None else players
    if least <= count <= most:
        return count
    many = f"{least}" if least == most else f"{least} to {most}"
    who = "1 player is" if count == 1 else f"{count} players are"
    wrong = "few" if count < least else "many"
    raise Refused("bad-option", f"{who} too {wrong} for {game.id}, which seats {many}", hint)


def seated_bots(
    game: Game[Any, Any], named: Sequence[str], count: int, hint: str = ""
) -> tuple[str, ...]:
    """The bots named, and the usual one for the rest of `count` seats; raises Refused with that
    hint."""
    bots = (*named, *[usual_bot(game)] * (count - len(named)))
    for bot in bots:
        if bot not in game.bots:
            raise Refused("bad-option", f"no bot {bot!a}: {', '.join(game.bots)}", hint)
    return bots
