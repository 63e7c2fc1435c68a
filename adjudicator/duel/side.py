"""One player's side of a duel: their half of the position, what they must tell, what they heard.

A duel is played in the steps of the hosted game, in their order, but on two halves of the position
(`games.duel`). A side runs each step as far as it can. It stops where its own player is awaited
for orders, or where the rules need a fact from the other side. Everything that it told up to there
is the content of its next move. So the two sides move in turn, and both go through the same steps:

    me: orders of step 7, facts ->          other: runs step 7 up to a fact that I hide
    me: goes on in step 7       <- facts    other: tells what it could, and stops
    me: facts; step 7 ends ->               other: step 7 ends; is awaited in step 8, ...

The other's move must bring this side further: it tells exactly what was asked, no less and no more.

A side is a function of its player's secret, of the orders, and of what the other told. It draws
nothing, reads no clock, and can be made again from these: that is the audit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from games.dice import Dice
from games.duel import Half, Secrets, Untrue, Waiting
from games.game import Game, Outcome, Player, Prompt, Setup, View, Written
from orders.doors import Doors
from orders.secrets import DuelSecret


class Heard(NamedTuple):
    """What a side heard of one step, as a host would have told it: the events in order, as
    `Event.whole` gives them, and the view after it, made when it is asked for: an audit asks for
    none. `half`: the side's half of the position after the step. `given`: the player's orders of
    it; None if they were not awaited."""

    step: int
    player: Player
    given: Written | None
    events: tuple[Mapping[str, Any], ...]
    game: Game[Any, Any]
    half: Any

    @property
    def view(self) -> View:
        """What the player sees after the step."""
        return self.game.view(self.half, self.player)

    @property
    def awaited(self) -> tuple[Prompt, ...]:
        """Who is awaited next."""
        return self.game.awaited(self.half)


class SideFacts(NamedTuple):
    """What a side tells in one move: facts in order, and its orders, each with its step."""

    facts: tuple[str, ...]
    orders: tuple[tuple[int, Written], ...]


def secrets_of(secret: DuelSecret, step: int) -> Secrets:
    """What the rules take from a player's secret in one step."""
    return Secrets(secret.release(step), lambda release: Dice(secret.draws(release)), Doors(secret))


class Side:
    """One player's side of a duel that has begun.

    `heard` are all reports so far. `step` is the step that now goes on, from 1: the setup.
    """

    def __init__(
        self,
        game: Game[Any, Any],
        setup: Setup,
        player: Player,
        secret: DuelSecret,
        nonce: str,
        first: Written,
    ) -> None:
        """`nonce`: what the other released for the setup. `first`: this player's orders of it.

        Raises Malformed or Illegal for these.
        """
        duel = game.duel
        if duel is None:
            raise ValueError(f"{game.id} is not played without a host")
        self.game, self.duel, self.setup, self.player = game, duel, setup, player
        self.secret = secret
        other = next(name for name in setup.players if name != player)
        self._released = {player: secret.release(1), other: nonce}
        self.step = 1
        self.state = game.start(setup)
        self.heard: list[Heard] = []
        self._orders: dict[Player, Any] = {}
        self._told: list[str] = []
        self._files = 1
        self._begun = False
        self._sent = 0
        self._facts: list[str] = []
        self._written: list[tuple[int, Written]] = []
        self._given: Written | None = None
        self._waits = False
        self.play(first)
        self._written.clear()

    @property
    def view(self) -> View:
        """What this player sees."""
        return self.game.view(self.state, self.player)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on, for all that this side knows."""
        return self.game.outcome(self.state)

    @property
    def prompt(self) -> Prompt | None:
        """What this player is now awaited for; None while the other must tell something first."""
        if self._waits or self._orders:
            return None
        asked = (one for one in self.game.awaited(self.state) if one.player == self.player)
        return next(asked, None)

    @property
    def facts(self) -> Sequence[str]:
        """The facts that are to be told now."""
        return tuple(self._facts)

    @property
    def tells(self) -> bool:
        """Whether there is anything to be told."""
        return bool(self._facts or self._written)

    @property
    def is_over(self) -> bool:
        """Whether the game is over for this side, and the other needs nothing of it any more: a
        player may know the result while they still have something to tell."""
        return self.outcome is not None and not self.tells

    def copy(self) -> Side:
        """The same side, which goes on apart."""
        twin: Side = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.heard, twin._told = self.heard[:], self._told[:]
        twin._facts, twin._written = self._facts[:], self._written[:]
        return twin

    def play(self, written: Written) -> None:
        """Carry out this player's orders. Raises Malformed, Illegal, and ValueError if nobody asked
        for them."""
        if self.prompt is None:
            raise ValueError(f"{self.player} is not awaited")
        self._orders = {self.player: self.duel.read(self.view, written)}
        self._written.append((self.step, written))
        self._given = written
        self._run()

    def take(self, facts: Sequence[str], files: int) -> None:
        """Take in what the other side told: facts, and that it began so many orders.

        Raises Untrue; then this side is of no more use.
        """
        if self.outcome is not None:
            raise Untrue("the game was over before it")
        self._told += facts
        self._files += files
        self._run()
        if self._told and not self._waits:
            raise Untrue(f"{self._told[0]!a:.80}: nothing more was asked")
        if self._files:
            raise Untrue(f"{files} order files: expected {files - self._files}")
        if not self._facts and self.prompt is None and self.outcome is None:
            raise Untrue("it ends before it has told what was asked")

    def say(self) -> SideFacts:
        """Everything that is to be told now; it counts as told from then on."""
        said = SideFacts(tuple(self._facts), tuple(self._written))
        self._facts.clear()
        self._written.clear()
        return said

    def half(self, secrets: Mapping[Player, Secrets]) -> Half:
        """What passes between this side and the rules in the step that now goes on."""
        return Half(secrets, self._told, self._released if self.step == 1 else {})

    def _run(self) -> None:
        """Run steps until this player's orders or the other's facts are needed."""
        while self.outcome is None:
            asked = [one.player for one in self.game.awaited(self.state)]
            if self.player in asked and not self._orders:
                return
            theirs = [player for player in asked if player != self.player]
            if theirs and not self._begun:
                if not self._files:
                    return
                self._files -= 1
                self._begun = True
            half = self.half({self.player: secrets_of(self.secret, self.step)})
            try:
                step = self.duel.step(self.state, self._orders, half)
            except Waiting:
                self._waits = True
                self._keep(half)
                return
            self._waits = False
            self._keep(half)
            del self._told[: half.used]
            self._sent, self._begun, self._orders = 0, False, {}
            self.state = step.state
            events = tuple(one.whole() for one in step.events if one.heard_by(self.player))
            heard = Heard(self.step, self.player, self._given, events, self.game, self.state)
            self.heard.append(heard)
            self._given = None
            self.step += 1

    def _keep(self, half: Half) -> None:
        """Keep the facts that this run of the step told for the first time."""
        self._facts += half.tells[self._sent :]
        self._sent = len(half.tells)
