"""Silent Ships behind the Game interface: every method hands on to the module that knows.

What belongs here: names, options, and nothing that decides anything.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

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
from games.options import Option, Value
from games.silent_ships import after, bound, cards, draw, news, notation, orders, rules
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
        Option("missed", "choice", "end", "what a missed deadline does", choices=("end", "resign")),
    )
    tables: ClassVar[Mapping[str, Table]] = {
        "standing": {"retreat": None, "support": None, "discard": None}
    }
    voids: ClassVar[Mapping[str, str]] = {reason: row[0] for reason, row in news.VOID.items()}
    sets = frozenset({"board", "hand", "discards", "sunk"})
    bots: ClassVar[Mapping[str, Callable[[Player], Bot]]] = {"captain": Captain, "random": Random}

    def check_together(self, options: Table) -> None:
        """Raise OfferRefused for an option that the edition does not have."""
        cards.check_options(options)

    def default_table(self) -> bytes | None:
        """`ships.toml`."""
        return cards.DEFAULT_TABLE

    def read_table(self, text: bytes) -> Any:
        """The table of ships in a TOML file; raises OfferRefused."""
        return cards.read_table(text)

    def report_bound(self, setup: Setup) -> int:
        """See `bound`."""
        return bound.report_bound(setup)

    def order_bound(self, setup: Setup) -> int:
        """See `bound`."""
        return bound.order_bound(setup)

    def start(self, setup: Setup) -> State:
        """The position `setup`."""
        return rules.start(setup)

    def awaited(self, state: State) -> tuple[Prompt, ...]:
        """Who is awaited for what."""
        return rules.awaited(state)

    def read(self, view: View, written: Written) -> Orders:
        """Orders judged from the view; raises Malformed or Illegal."""
        return orders.read(view, written)

    def adjudicate(self, state: State, orders: Mapping[Player, Orders], dice: Dice) -> Step[State]:
        """One step. `orders` may hold a file of the player who is not awaited (SS-14)."""
        return rules.adjudicate(state, orders, dice)

    def view(self, state: State, player: Player | None) -> View:
        """What that player, or everybody, may see."""
        return view_of(see(state, player))

    def public(self, view: View) -> dict[str, Value]:
        """The public part of any player's view."""
        return dict(view_of(everybodys(sight_of(view))).shown)

    def outcome(self, state: State) -> Outcome | None:
        """How the game ended."""
        return rules.outcome(state)

    def after(self, view: View, lines: Sequence[str]) -> After:
        """What the player may write after these order lines."""
        return after.after(sight_of(view), lines)

    def position(self, state: State) -> dict[str, Value]:
        """The state in the position notation."""
        return notation.position(state)

    def state(self, setup: Setup, position: Table) -> State:
        """The state that a position stands for; raises BadPosition."""
        return notation.state(setup, position)

    def draw(self, view: View) -> str:
        """The board as text."""
        return draw.draw(sight_of(view))

    def svg(self, view: View) -> str:
        """The board as SVG."""
        return draw.drawing(sight_of(view))

    def news(self, event: Table) -> str:
        """One event as a sentence."""
        return news.news(event)


GAME = SilentShips()
