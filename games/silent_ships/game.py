"""Silent Ships behind the Game interface: every method hands on to the module that knows.

What belongs here: names, options, and nothing that decides anything.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from games.deduced import Deduced
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
from games.mate import mate
from games.options import Option, Value
from games.silent_ships import bound, cards, deduced, draw, events, moves, notation, orders, rules
from games.silent_ships.bot import Captain, Random
from games.silent_ships.orders import Orders
from games.silent_ships.state import State
from games.silent_ships.view import everybodys, see, sight_of, view_of


class SilentShips(Game[State, Orders]):
    """Two fleets of cards, face down on five by four cells."""

    id = "silent-ships"
    version = 1
    title = "Silent Ships"
    summary = "Two fleets lie face down on a small sea; attack, support, retreat, bluff."
    prefix = "SS"
    seats = (2, 2)
    words = notation.WORDS
    own_options = (
        Option("edition", "choice", "print", "which edition's rules", choices=cards.EDITIONS),
        Option("speed", "bool", False, "print: 6 ships sunk win instead of 7"),
        Option("flag_ship", "bool", True, "print: sinking the flag ship wins"),
        Option("stalemate", "int", 20, "idle turns in a row that end the game, 0: off", high=1000),
        Option("first", "player", None, "who goes first; not given: who is listed first"),
        Option("missed", "choice", "end", "what a missed deadline does", choices=("end", "resign")),
    )
    tables: ClassVar[Mapping[str, Table]] = {
        "standing": {"retreat": None, "support": None, "discard": None}
    }
    voids: ClassVar[Mapping[str, str]] = {reason: row[0] for reason, row in events.VOID.items()}
    sets = frozenset({"board", "hand", "discards", "sunk"})
    bots: ClassVar[Mapping[str, Callable[[Player], Bot]]] = {
        "captain": Captain,
        "mate": mate(Captain, Random),
        "random": Random,
    }

    def check_together(self, options: Table) -> None:
        cards.check_options(options)

    def default_table(self) -> bytes | None:
        return cards.DEFAULT_TABLE

    def read_table(self, text: bytes) -> Any:
        return cards.read_table(text)

    def report_bound(self, setup: Setup) -> int:
        return bound.report_bound(setup)

    def order_bound(self, setup: Setup) -> int:
        return bound.order_bound(setup)

    def start(self, setup: Setup) -> State:
        return rules.start(setup)

    def awaited(self, state: State) -> tuple[Prompt, ...]:
        return rules.awaited(state)

    def read(self, view: View, written: Written) -> Orders:
        return orders.read(view, written)

    def adjudicate(self, state: State, orders: Mapping[Player, Orders], dice: Dice) -> Step[State]:
        return rules.adjudicate(state, orders, dice)

    def view(self, state: State, player: Player | None) -> View:
        return view_of(see(state, player))

    def public(self, view: View) -> dict[str, Value]:
        return dict(view_of(everybodys(sight_of(view))).shown)

    def outcome(self, state: State) -> Outcome | None:
        return rules.outcome(state)

    def after(self, view: View, lines: Sequence[str]) -> After:
        return moves.after(sight_of(view), lines)

    def deduced(self, view: View, heard: Sequence[Table], before: Deduced | None = None) -> Deduced:
        return deduced.deduced(view, heard, before)

    def truth(self, state: State, player: Player) -> Mapping[str, Value]:
        return deduced.truth(state, player)

    def position(self, state: State) -> dict[str, Value]:
        return notation.position(state)

    def state(self, setup: Setup, position: Table) -> State:
        return notation.state(setup, position)

    def draw(self, view: View) -> str:
        return draw.draw(sight_of(view))

    def svg(self, view: View) -> str:
        return draw.svg(sight_of(view))

    def draw_whole(self, state: State) -> str:
        return draw.draw_whole(state)

    def svg_whole(self, state: State) -> str:
        return draw.svg_whole(state)

    def news(self, event: Table) -> str:
        return events.news(event)


GAME = SilentShips()
