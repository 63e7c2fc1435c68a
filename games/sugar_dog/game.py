"""Sugar Dog as a `Game`: its name, its options, and which module answers what."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

from games.dice import Dice
from games.game import Bot, Game, Outcome, Player, Prompt, Setup, Step, Table, View, Written
from games.options import OfferRefused, Option, Value
from games.sugar_dog import bot, bound, draw, events, moves, rules
from games.sugar_dog import state as positions
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
    seats = (2, 349)  # SD-1: a map of 700 by 700; columns have names up to ZZ, the 702nd
    words = positions.WORDS
    own_options = (
        Option("first", "player", None, "who goes first; not given: drawn (SD-3)"),
        Option(
            "missed",
            "choice",
            "silent",
            "what a missed deadline plays (SD-17)",
            choices=("silent", "resign"),
        ),
        Option(
            "players",
            "int",
            4,
            "the most players that may join; the size of sealed reports follows from it",
            low=2,
            high=26,  # an entry's bundle holds everyone's report: more would not fit into it
        ),
    )
    bots: ClassVar[Mapping[str, Callable[[Player], Bot]]] = {
        "captain": bot.Captain,
        "random": bot.Random,
    }

    def check_genesis(self, setup: Setup) -> None:
        """Refuse more players than the offer said may join."""
        if len(setup.players) > setup.options["players"]:
            raise OfferRefused(
                f"option players = {setup.options['players']}: "
                f"that many may join, not {len(setup.players)}; "
                f"offer the game anew with --option players={len(setup.players)}"
            )

    def report_bound(self, options: Table) -> int:
        return bound.report_bound(options["players"])

    def start(self, setup: Setup) -> State:
        return rules.start(setup)

    def awaited(self, state: State) -> tuple[Prompt, ...]:
        return rules.awaited(state)

    def read(self, view: View, written: Written) -> Orders:
        return moves.read(view, written)

    def adjudicate(self, state: State, orders: Mapping[Player, Orders], dice: Dice) -> Step[State]:
        return rules.adjudicate(state, orders, dice)

    def view(self, state: State, player: Player) -> View:
        return views.view(state, player)

    def outcome(self, state: State) -> Outcome | None:
        return rules.outcome(state)

    def legal(self, view: View) -> tuple[str, ...]:
        return moves.legal(view)

    def position(self, state: State) -> dict[str, Value]:
        return positions.position(state)

    def state(self, setup: Setup, position: Table) -> State:
        return positions.read_position(setup, position)

    def draw(self, view: View) -> str:
        return draw.draw(view)

    def svg(self, view: View) -> str:
        return draw.svg(view)

    def news(self, event: Table) -> str:
        return events.news(event)
