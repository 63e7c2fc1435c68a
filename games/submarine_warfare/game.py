"""Submarine Warfare as a `Game`: its name, its options, and which module answers what."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from games.dice import Dice
from games.game import (
    After,
    Bot,
    Game,
    Outcome,
    Player,
    Prompt,
    Setup,
    Step,
    Table,
    View,
    Written,
)
from games.lines import file_bound
from games.options import RESERVE_TIME, TURN_TIME, Option, Value
from games.submarine_warfare import actions, bot, bound, draw, events, lines, moves, notation, rules
from games.submarine_warfare import table as tables
from games.submarine_warfare import view as views
from games.submarine_warfare.moves import Orders
from games.submarine_warfare.state import State


class SubmarineWarfare(Game[State, Orders]):
    """Five submarines a side with a special action each, on seven by seven cells."""

    id = "submarine-warfare"
    version = 1
    title = "Submarine Warfare"
    summary = "Five submarines a side, seen only while surfaced: hold the middle or sink them all."
    prefix = "SW"
    seats = (2, 2)
    words = notation.WORDS
    own_options = (
        Option("row_one", "player", None, "who has row 1; not given: the first-listed (SW-2)"),
        Option("first", "player", None, "who goes first; not given: drawn (SW-2)"),
        Option(
            "rounds",
            "int",
            100,
            "the last round, after which points decide, 0: none (SW-15)",
            high=10_000,
        ),
        Option(
            "missed",
            "choice",
            "lose",
            "what a missed deadline does (SW-17)",
            choices=("lose", "pass"),
        ),
        Option(TURN_TIME.name, "duration", "3d", "time for a turn (SW-17)"),
        Option(RESERVE_TIME.name, "duration", "7d", "time in reserve for the whole game (SW-17)"),
    )
    presets: ClassVar[Mapping[str, Mapping[str, Value]]] = {
        "live": {"turn_time": "90s", "reserve_time": "5m"},  # SW-17, as published
    }
    voids: ClassVar[Mapping[str, str]] = actions.REASONS
    sets: ClassVar[frozenset[str]] = frozenset({"subs", "mines", "sunk"})
    bots: ClassVar[Mapping[str, Callable[[Player], Bot]]] = {
        "captain": bot.Captain,
        "random": bot.Random,
    }

    def default_table(self) -> bytes | None:
        return tables.DEFAULT

    def read_table(self, text: bytes) -> tables.Specials:
        return tables.read(text)

    def report_bound(self, setup: Setup) -> int:
        return bound.report_bound(setup)

    def order_bound(self, setup: Setup) -> int:
        return file_bound(setup, lines.MOST_BYTES)

    def start(self, setup: Setup) -> State:
        return rules.start(setup)

    def awaited(self, state: State) -> tuple[Prompt, ...]:
        return rules.awaited(state)

    def read(self, view: View, written: Written) -> Orders:
        return moves.read(view, written)

    def adjudicate(self, state: State, orders: Mapping[Player, Orders], dice: Dice) -> Step[State]:
        return rules.adjudicate(state, orders, dice)

    def view(self, state: State, player: Player | None) -> View:
        return views.view(state, player)

    def public(self, view: View) -> dict[str, Value]:
        return views.public(view)

    def outcome(self, state: State) -> Outcome | None:
        return rules.outcome(state)

    def after(self, view: View, lines: Sequence[str]) -> After:
        return moves.after(view, lines)

    def position(self, state: State) -> dict[str, Value]:
        return notation.position(state)

    def state(self, setup: Setup, position: Table) -> State:
        return notation.read_position(setup, position)

    def draw(self, view: View) -> str:
        return draw.draw(view)

    def svg(self, view: View) -> str:
        return draw.svg(view)

    def news(self, event: Table) -> str:
        return events.news(event)
