"""A whole duel on one machine, through its real blocks: two bots, and nobody hosts.

Each bot has a key, a secret and its own documents, and gets nothing but the other's blocks. All
their chance comes from what they are given.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from adjudicator.core.source import MemoryFiles
from adjudicator.duel import again, documents, party
from adjudicator.duel.party import Party
from adjudicator.machine.demo import NAMES, Plan, Turn, ordered
from adjudicator.store.clock import Clock, DemoClock
from adjudicator.words.adviser import taken
from games.dice import Dice
from games.game import EVERYONE, Bot, Game, Player, View, Written
from orders.duel import read_block
from orders.errors import Refused
from orders.keys import MemoryKey, Signer
from orders.secrets import DuelSecret, derive
from orders.sshsig import Signed

MOST_BLOCKS = 10_000


@dataclass
class Person:
    """Somebody who plays a duel: a name, a key, a secret, and a bot that decides."""

    name: Player
    bot: Bot
    signer: Signer
    secret: DuelSecret
    dice: Dice
    clock: Clock
    party: Party | None = None
    heard: int = 0

    @property
    def at(self) -> Party:
        """Their party; raises ValueError before they have offered or accepted."""
        if self.party is None:
            raise ValueError(f"{self.name} plays no duel yet")
        return self.party

    def offer(self, game: Game[Any, Any], options: Mapping[str, Any]) -> None:
        """Offer a duel; raises Refused."""
        first = self._first(game, options)
        begun = party.offer(
            game, self.name, self.signer, self.secret, options, first, self.clock.now()
        )
        self.party = Party(begun, self.name, self.secret)

    def accept(self, block: bytes) -> None:
        """Accept the duel that a block offers; raises Refused."""
        there = documents.read(MemoryFiles(read_block(block).files))
        first = self._first(there.offered.game, there.offered.offer.options)
        begun = party.accept(there, self.name, self.signer, self.secret, first)
        self.party = Party(begun, self.name, self.secret)

    def take(self, block: bytes) -> None:
        """Take in a block of the other; raises Refused."""
        self.at.take_block(read_block(block), self.clock.now())

    def go_on(self) -> Mapping[str, Signed]:
        """Order what is asked, and make what is due."""
        while self.at.prompt is not None:
            self.order()
        return self.at.go_on(self.signer, self.clock.now())

    def order(self) -> None:
        """Let the bot hear what came since it ordered last, and order what is asked."""
        heard = self.at.side.heard
        for report in heard[self.heard :]:
            self.bot.hear(report.view, report.events)
        self.heard = len(heard)
        step, prompt = self.at.side.step, self.at.prompt
        assert prompt is not None  # noqa: S101 - `go_on` asked
        turn = Turn(step, prompt.what, None, self.at.judge)

        def order(number: int) -> Written:
            return ordered(self.bot, turn, Dice(derive(self.dice.seed, f"{step}/{number}")))

        taken(order, self.at.order)

    def _first(self, game: Game[Any, Any], options: Mapping[str, Any]) -> Written:
        view, duel = party.setup_view(game, options, self.name), game.duel
        assert duel is not None  # noqa: S101 - such a game has no setup view
        self.bot.hear(view, ())
        turn = Turn(1, "setup", None, lambda given: duel.read(view, again.plain(given)))
        return ordered(self.bot, turn, self.dice)


class Moment(NamedTuple):
    """What passed: who sent a block, what everybody could hear since the last, and the first
    player's view of it; None before the game has begun."""

    sender: Player
    block: bytes
    news: tuple[str, ...]
    view: View | None


def people_of(plan: Plan) -> tuple[Person, Person]:
    """The two who play a plan; all that is drawn comes from its seed. Raises Refused."""
    if len(plan.bots) != 2:
        raise Refused(
            "bad-option",
            f"{len(plan.bots)} bots: a duel is for two",
            "--players 2; for more somebody must host: leave out --duel",
        )
    clock = DemoClock()

    def person(name: Player, bot: str) -> Person:
        key, secret, dice = (
            derive(plan.seed, f"adjudicator/4/demo/{name}/{use}") for use in ("key", "duel", "dice")
        )
        signer = MemoryKey.from_seed(key)
        made = plan.people.get(name) or plan.game.bots[bot](name)
        return Person(name, made, signer, DuelSecret(secret), Dice(dice), clock)

    one, other = map(person, NAMES, plan.bots)
    return one, other


def play(
    one: Person, other: Person, game: Game[Any, Any], options: Mapping[str, Any]
) -> Iterator[Moment]:
    """A duel that `one` offers, block for block; raises Refused."""
    one.offer(game, options)
    yield Moment(one.name, one.at.block(), (), None)
    other.accept(one.at.block())
    sender, reader = other, one
    told = 0
    for _ in range(MOST_BLOCKS):
        block = sender.at.block()
        reader.take(block)
        news: list[str] = []
        view = None
        if one.at.can_begin:
            heard = one.at.side.heard
            for report in heard[told:]:
                news += [game.news(event) for event in report.events if event["for"] == EVERYONE]
            told, view = len(heard), one.at.side.view
        yield Moment(sender.name, block, tuple(news), view)
        sender, reader = reader, sender
        if not sender.go_on():
            return


def files_of(*people: Person) -> dict[str, bytes]:
    """The files of their duel by name, as they lie in its pack, of whoever has more of it."""
    last = max((person.at for person in people), key=lambda at: len(at.documents.files))
    return last.documents.held(last.row.accepted)
