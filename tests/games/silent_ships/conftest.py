"""Whole games of Silent Ships between bots, step by step, for the tests beside this file."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import pytest

from games.dice import Dice
from games.game import Setup, Written
from games.silent_ships import GAME
from games.silent_ships.bot import Captain, Random

NAMES = ("alice", "bob")


@dataclass(frozen=True)
class Played:
    """One step of a game: the state before, what was written, the events, the state after."""

    setup: Setup
    before: Any
    written: dict[str, Written]
    events: tuple[Any, ...]
    state: Any
    dice: Dice

    def report(self, player: str) -> dict[str, Any]:
        """What goes into that player's report."""
        told = [event.told_to(player) for event in self.events if event.heard_by(player)]
        return {"events": told, "view": GAME.view(self.state, player).shown}


def play(
    seed: int,
    bots: tuple[Any, Any] = (Random, Random),
    options: dict[str, Any] | None = None,
    players: tuple[str, str] = NAMES,
) -> Iterator[Played]:
    """A game from setup to its end."""
    setup = GAME.setup(players, options or {})
    state = GAME.start(setup)
    dice = Dice(hashlib.sha256(f"game {seed}".encode()).digest())
    lots = {name: Dice(hashlib.sha256(f"{name} {seed}".encode()).digest()) for name in players}
    seats = {name: bot(name) for name, bot in zip(players, bots, strict=True)}
    for name in players:
        seats[name].hear(GAME.view(state, name), [])
    for _ in range(2000):
        asked = GAME.awaited(state)
        if not asked:
            return
        written = {each.player: seats[each.player].order(lots[each.player]) for each in asked}
        orders = {name: GAME.read(GAME.view(state, name), text) for name, text in written.items()}
        step = GAME.adjudicate(state, orders, dice)
        played = Played(setup, state, written, step.events, step.state, dice)
        yield played
        state = step.state
        for name in players:
            seats[name].hear(GAME.view(state, name), played.report(name)["events"])
    raise AssertionError(f"game {seed} does not end")


@lru_cache(128)
def whole(
    seed: int, bots: tuple[Any, Any], options: tuple[Any, ...], players: tuple[str, str]
) -> tuple[Played, ...]:
    """A whole game, played once however many tests look at it."""
    return tuple(play(seed, bots, dict(options), players))


@pytest.fixture(name="play", scope="session")
def _play() -> Any:
    """The function `play`, for tests that look at the game alone: `whole` has played it."""

    def once(
        seed: int, bots: Any = (Random, Random), options: Any = None, players: Any = NAMES
    ) -> tuple[Played, ...]:
        options = {"edition": "print", **(options or {})}
        return whole(seed, bots, tuple(options.items()), players)

    return once


@pytest.fixture(name="play_anew", scope="session")
def _play_anew() -> Any:
    """The function `play` itself."""
    return play


@pytest.fixture(params=["print", "2021-09-17", "2021-09-12"])
def edition(request: pytest.FixtureRequest) -> str:
    """Each edition in turn."""
    return str(request.param)


@pytest.fixture(
    params=[(Random, Random), (Captain, Captain), (Captain, Random)],
    ids=["random", "captains", "both"],
)
def bots(request: pytest.FixtureRequest) -> Any:
    """Bots that lead to different kinds of games."""
    return request.param


@pytest.fixture(name="carried_out", scope="session")
def _carried_out() -> Any:
    """`carried_out(position, alice=TEXT, ...)`: the step in which these order that, and no other.

    In place of a position the state that another step came to.
    """

    def step(position: Any, **texts: str) -> Played:
        setup = GAME.setup(("alice", "bob"), {})
        state = GAME.state(setup, position) if isinstance(position, dict) else position
        written = {name: Written(text) for name, text in texts.items()}
        orders = {name: GAME.read(GAME.view(state, name), text) for name, text in written.items()}
        dice = Dice(b"carried out")
        after = GAME.adjudicate(state, orders, dice)
        return Played(setup, state, written, after.events, after.state, dice)

    return step
