"""Whole games between bots, step by step: the one player of games for the tests beside this file.

A test in a game's folder plays that game.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import pytest
import reported

import games
from games.dice import Dice
from games.game import Event, Game, Setup, Written

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

    def heard(self, player: str) -> list[dict[str, Any]]:
        """The events that the player hears, in order."""
        return [event.whole() for event in self.events if event.heard_by(player)]

    def report(self, player: str) -> bytes:
        """That player's report, at the last possible step."""
        return reported.written(self.game.view(self.state, player), self.events)


def play(
    game_id: str,
    seed: int,
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
        written = {name: seats[name].order(lots[name]) for name in there}
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
def _whole(game_id: str, arguments: tuple[Any, ...]) -> tuple[Adjudication, ...]:
    seed, bots, options, players, table, absent = arguments
    return tuple(play(game_id, seed, bots, dict(options), players, table, absent))


def _game(request: pytest.FixtureRequest) -> str:
    return request.path.parent.name.replace("_", "-")


@pytest.fixture(name="play", scope="module")
def _play(request: pytest.FixtureRequest) -> Any:
    """The function `play` for the game of this folder; a game is played once however many tests
    look at it."""

    def once(
        seed: int,
        bots: Any = ("random", "random"),
        options: Any = None,
        players: Any = NAMES,
        table: str | None = None,
        absent: Any = (),
    ) -> tuple[Adjudication, ...]:
        chosen = tuple((options or {}).items())
        return _whole(_game(request), (seed, bots, chosen, players, table, absent))

    return once
