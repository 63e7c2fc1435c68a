"""Whole games between bots, step by step: the one player of games for tests of games."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import reported

import games
from games.bots import Listener
from games.dice import Dice
from games.game import Event, Game, Setup, View, Written
from games.promises import heard_by

BOTS = (("random", "random"), ("captain", "random"), ("captain", "captain"))
"""Bots that lead to different kinds of games."""
NAMES = ("alice", "bob", "carol", "dave", "erin", "frank", "grace", "heidi")


@dataclass(frozen=True)
class Adjudication:
    """One step of a game: the state before, what was written, the events, the state after."""

    game: Game[Any, Any]
    setup: Setup
    before: Any
    written: Mapping[str, Written]
    events: tuple[Event, ...]
    state: Any
    dice: Dice

    def views(self) -> Iterator[View]:
        """What each player sees before the step, in seat order, and then what everybody does."""
        yield from (self.game.view(self.before, one) for one in (*self.setup.players, None))

    def heard(self, player: str | None) -> list[dict[str, Any]]:
        """The events that the player hears, in order; None: that everybody does."""
        return heard_by(player, self)

    def report(self, player: str) -> bytes:
        """That player's report, at the last possible step."""
        return reported.written(self.game.view(self.state, player), self.events)


class Writer(Listener):
    """A bot that writes what a function makes of its view and of fresh dice; None is nothing."""

    def __init__(self, write: Callable[[View, Dice], str | None], player: str) -> None:
        super().__init__(player)
        self.write, self.asked = write, 0

    def order(self, dice: Dice) -> Written | None:
        """What the function says now."""
        self.asked += 1
        text = self.write(self.view, Dice(b"%d/" % self.asked + dice.seed))
        return None if text is None else Written(text)


def play(
    game_id: str,
    seed: int = 0,
    bots: tuple[Any, ...] = ("random", "random"),
    options: Mapping[str, Any] | None = None,
    players: tuple[str, ...] = NAMES,
    table: str | None = None,
    absent: tuple[str, ...] = (),
) -> Iterator[Adjudication]:
    """A game from setup to its end. `bots`: a name in `Game.bots`, or what makes a bot, for each
    seat; `table`: a house table in place of the default. Who is `absent` misses every deadline
    after the setup."""
    game = games.load(game_id)
    players = players[: len(bots)]
    setup = game.setup(players, options or {}, table.encode() if table else None)
    state = game.start(setup)
    dice = _dice(f"game {seed}")
    lots = {name: _dice(f"{name} {seed}") for name in players}
    made = [game.bots[bot] if isinstance(bot, str) else bot for bot in bots]
    seats = {name: bot(name) for name, bot in zip(players, made, strict=True)}
    for name in players:
        seats[name].hear(game.view(state, name), [])
    for number in range(2000):
        asked = [prompt.player for prompt in game.awaited(state)]
        if not asked:
            return
        there = [name for name in asked if number == 0 or name not in absent]
        asked_for = {name: seats[name].order(lots[name]) for name in there}
        written = {name: text for name, text in asked_for.items() if text is not None}
        orders = {name: game.read(game.view(state, name), text) for name, text in written.items()}
        step = game.adjudicate(state, orders, dice)
        played = Adjudication(game, setup, state, written, step.events, step.state, dice)
        yield played
        state = step.state
        for name in players:
            seats[name].hear(game.view(state, name), played.heard(name))
    raise AssertionError(f"game {seed} does not end")


def _dice(text: str) -> Dice:
    return Dice(hashlib.sha256(text.encode()).digest())


@lru_cache(256)
def _whole(game_id: str, options: tuple[Any, ...], *arguments: Any) -> tuple[Adjudication, ...]:
    seed, bots, *rest = arguments
    return tuple(play(game_id, seed, bots, dict(options), *rest))


def played(
    game_id: str,
    seed: int = 0,
    bots: Any = ("random", "random"),
    options: Any = None,
    players: Any = NAMES,
    table: str | None = None,
    absent: Any = (),
) -> tuple[Adjudication, ...]:
    """The same game, played once however many tests look at it."""
    chosen = tuple((options or {}).items())
    return _whole(game_id, chosen, seed, bots, players, table, absent)
