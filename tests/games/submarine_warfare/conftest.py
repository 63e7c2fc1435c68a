"""Whole games of Submarine Warfare between bots, and positions drawn, for the tests here."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import pytest

from games.dice import Dice
from games.game import Written
from games.submarine_warfare import GAME
from games.submarine_warfare.state import LETTERS
from games.told import tell

NAMES = ("alice", "bob")
CELLS = tuple(f"{column}{row}" for row in range(1, 8) for column in "ABCDEFG")
SCORING = ("D4", "D3", "C4", "E4", "D5", "C3", "E3", "C5", "E5")
TABLE = GAME.read_table(GAME.default_table or b"")
HERE = {
    "turn": "alice",
    "alice": {"subs": ["a C2 5 down torpedo", "b D2 3 up mine", "c A7 5 down armor"]},
    "bob": {"subs": ["v D3 5 up heal", "w G7 5 down nullify"]},
}


@dataclass(frozen=True)
class Played:
    """One step of a game: the state before, what was written, the events, the state after."""

    before: Any
    written: dict[str, Written]
    events: tuple[Any, ...]
    state: Any

    def heard(self, player: str) -> list[dict[str, Any]]:
        """The events that the player hears, in order."""
        return [event.told_to(player) for event in self.events if event.heard_by(player)]

    def report(self, player: str) -> dict[str, Any]:
        """What goes into that player's report."""
        return tell(GAME.view(self.state, player), self.events, GAME.voids)


def play(
    seed: int,
    bots: tuple[str, str] = ("random", "random"),
    options: dict[str, Any] | None = None,
    players: tuple[str, str] = NAMES,
    table: str | None = None,
) -> Iterator[Played]:
    """A game from setup to its end; `table`: a house table in place of the default."""
    setup = GAME.setup(players, options or {}, table.encode() if table else None)
    state = GAME.start(setup)
    dice = Dice(hashlib.sha256(f"game {seed}".encode()).digest())
    lots = {name: Dice(hashlib.sha256(f"{name} {seed}".encode()).digest()) for name in players}
    seats = {name: GAME.bots[bot](name) for name, bot in zip(players, bots, strict=True)}
    for name in players:
        seats[name].hear(GAME.view(state, name), [])
    for _ in range(1000):
        asked = GAME.awaited(state)
        if not asked:
            return
        written = {each.player: seats[each.player].order(lots[each.player]) for each in asked}
        orders = {name: GAME.read(GAME.view(state, name), text) for name, text in written.items()}
        step = GAME.adjudicate(state, orders, dice)
        played = Played(state, written, step.events, step.state)
        yield played
        state = step.state
        for name in players:
            seats[name].hear(GAME.view(state, name), played.heard(name))
    raise AssertionError(f"game {seed} does not end")


def position(seed: int, turn: str = "alice") -> dict[str, Any]:
    """A position with everything drawn: who is afloat where, how many HP, what was laid and lost.

    Nobody has fewer than two submarines, or less than 2 HP; points are far from 25 and 50.
    """
    dice = Dice(b"position %d" % seed)
    cells = list(dice.shuffle("cells", CELLS))
    out: dict[str, Any] = {"turn": turn, "round": 1 + dice.below("round", 45), "first": "alice"}
    for name, own in zip(NAMES, LETTERS, strict=True):
        held = dice.shuffle(f"{name}/specials", tuple(TABLE))
        afloat = 2 + dice.below(f"{name}/afloat", 4)
        subs, sunk = [], []
        for at, (letter, special) in enumerate(zip(own, held, strict=False)):
            if at >= afloat:
                sunk.append(f"{letter} {special}")
                continue
            hp = 2 + dice.below(f"{name}/{letter}/hp", 4)
            state = ("up", "down", "down")[dice.below(f"{name}/{letter}/up", 3)]
            subs.append(f"{letter} {cells.pop()} {hp} {state} {special}")
        free = [cell for cell in cells if cell not in SCORING]
        mines = free[: dice.below(f"{name}/mines", 4)]
        cells = [cell for cell in cells if cell not in mines]
        points = (0, 28)[dice.below(f"{name}/points", 2)]
        row = 1 if name == "alice" else 7
        out[name] = {"row": row, "points": points, "subs": subs, "mines": mines, "sunk": sunk}
    return out


@lru_cache(128)
def whole(
    seed: int,
    bots: tuple[str, str],
    options: tuple[Any, ...],
    players: tuple[str, str],
    table: str | None,
) -> tuple[Played, ...]:
    """A whole game, played once however many tests look at it."""
    return tuple(play(seed, bots, dict(options), players, table))


@pytest.fixture(name="play", scope="session")
def _play() -> Any:
    """The function `play`, for tests that look at the game alone: `whole` has played it."""

    def once(
        seed: int,
        bots: Any = ("random", "random"),
        options: Any = None,
        players: Any = NAMES,
        table: str | None = None,
    ) -> tuple[Played, ...]:
        return whole(seed, bots, tuple((options or {}).items()), players, table)

    return once


@pytest.fixture(name="play_anew", scope="session")
def _play_anew() -> Any:
    """The function `play` itself."""
    return play


@pytest.fixture(name="position", scope="session")
def _position() -> Any:
    """The function `position`."""
    return position


@pytest.fixture(name="at", scope="session")
def _at() -> Any:
    """`at(position, **options)`: the state that a position stands for."""

    def state(table: dict[str, Any], **options: Any) -> Any:
        return GAME.state(GAME.setup(NAMES, options), table)

    return state


@pytest.fixture(name="carried_out", scope="session")
def _carried_out(at: Any) -> Any:
    """`carried_out(position, text, **options)`: the step in which who is on turn orders that."""

    def step(table: dict[str, Any], text: str, **options: Any) -> Played:
        state = at(table, **options)
        written = Written(text)
        orders = {state.turn: GAME.read(GAME.view(state, state.turn), written)}
        after = GAME.adjudicate(state, orders, Dice(b"carried out"))
        return Played(state, {state.turn: written}, after.events, after.state)

    return step


@pytest.fixture(name="fleet", scope="session")
def _fleet() -> Any:
    """`fleet(state)`: by letter the cell, HP and `up` or `down` of each submarine afloat."""

    def afloat(state: Any) -> dict[str, tuple[str, int, str]]:
        position = GAME.position(state)
        lines = [line.split() for name in NAMES for line in position[name]["subs"]]
        return {letter: (cell, int(hp), face) for letter, cell, hp, face, _ in lines}

    return afloat


@pytest.fixture(name="here", scope="session")
def _here(at: Any) -> Any:
    """Alice's turn, with two of Bob's submarines near: one of them in sight."""
    return at(HERE)
