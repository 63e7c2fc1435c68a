"""Sugar Dog as a `Game`: its name, its options, and which module answers what."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from games.dice import Dice
from games.game import After, Bot, Game, Outcome, Player, Prompt, Setup, Step, Table, View, Written
from games.options import Option, Value
from games.sugar_dog import bot, bound, captain, draw, events, moves, notation, rules
from games.sugar_dog import view as views
from games.sugar_dog.moves import Orders
from games.sugar_dog.state import State


class SugarDog(Game[State, Orders]):
    """Submarines on a grid that grows with the players; the last one afloat wins."""

    id = "sugar-dog"
    version = 1
    title = "Sugar Dog"
    summary = "Submarines that run silent, lay mines and fire: the last one afloat wins."
    prefix = "SD"
    seats = (2, 26)  # SD-1: up to 54 by 54; whatever one step tells then fits into an entry
    words = notation.WORDS
    own_options = (
        Option("first", "player", None, "who goes first; not given: drawn (SD-3)"),
        Option(
            "missed",
            "choice",
            "silent",
            "what a missed deadline plays (SD-17)",
            choices=("silent", "resign"),
        ),
    )
    voids: ClassVar[Mapping[str, str]] = events.VOIDS
    sets: ClassVar[frozenset[str]] = frozenset({"mines", "torpedoes"})
    bots: ClassVar[Mapping[str, Callable[[Player], Bot]]] = {
        "captain": captain.Captain,
        "random": bot.Random,
    }

    def report_bound(self, setup: Setup) -> int:
        return bound.report_bound(setup)

    def order_bound(self, setup: Setup) -> int:
        return bound.order_bound(setup)

    def start(self, setup: Setup) -> State:
        return rules.start(setup)

    def awaited(self, state: State) -> tuple[Prompt, ...]:
        return rules.awaited(state)

    def read(self, view: View, written: Written) -> Orders:
        return moves.read(view, written)

    def adjudicate(self, state: State, orders: Mapping[Player, Orders], dice: Dice) -> Step[State]:
        return rules.adjudicate(state, orders, dice)

    def view(self, state: State, player: Player | None) -> View:
        return View(state.setup, player, views.show(views.see(state, player)))

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
