"""Silent Ships as a `Game`: its name, its options, and which module answers what."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

from games.game import Bot, Game, Player, Table
from games.options import Option
from games.silent_ships import bound, cards, events, moves, notation, orders, rules
from games.silent_ships import deduced as knowledge
from games.silent_ships import draw as pictures
from games.silent_ships import view as views
from games.silent_ships.orders import Orders
from games.silent_ships.state import State


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
    strict = True
    default_table = cards.DEFAULT_TABLE

    check_together = staticmethod(cards.check_options)
    read_table = staticmethod(cards.read_table)
    report_bound = staticmethod(bound.report_bound)
    order_bound = staticmethod(bound.order_bound)
    start = staticmethod(rules.start)
    awaited = staticmethod(rules.awaited)
    read = staticmethod(orders.read)
    adjudicate = staticmethod(rules.adjudicate)
    view = staticmethod(views.view)
    public = staticmethod(views.public)
    outcome = staticmethod(rules.outcome)
    after = staticmethod(moves.after)
    deduced = staticmethod(knowledge.deduced)
    truth = staticmethod(knowledge.truth)
    position = staticmethod(notation.position)
    state = staticmethod(notation.state)
    draw = staticmethod(pictures.draw)
    svg = staticmethod(pictures.svg)
    draw_whole = staticmethod(pictures.draw_whole)
    svg_whole = staticmethod(pictures.svg_whole)
    news = staticmethod(events.news)

    @property
    def bots(self) -> Mapping[str, Callable[[Player], Bot]]:
        # Imported here: who verifies a game, or looks at it, needs none.
        from games.mate import mate
        from games.silent_ships.bot import Captain, Random

        return {"captain": Captain, "mate": mate(Captain, Random), "random": Random}
