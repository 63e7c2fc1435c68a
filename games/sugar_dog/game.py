"""Sugar Dog as a `Game`: its name, its options, and what it has beyond the parts of every game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from games.game import Sizes
from games.options import Option
from games.parts import GameInParts, Part
from games.sugar_dog.orders import Orders
from games.sugar_dog.state import State


class SugarDog(GameInParts[State, Orders]):
    """Submarines on a grid that grows with the players; the last one afloat wins."""

    folder = __package__
    id = "sugar-dog"
    version = 1
    title = "Sugar Dog"
    summary = "Submarines that run silent, lay mines and fire: the last one afloat wins."
    prefix = "SD"
    seats = (2, 26)  # SD-1: up to 54 by 54; whatever one step tells then fits into an entry
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
            "misses",
            "int",
            1,
            "how many missed in a row resign, with missed = resign (SD-17)",
            low=1,
            high=99,
        ),
        Option(
            "quiet",
            "int",
            0,
            "turns in a row without impact and ping that end the game, 0: none (SD-15)",
            high=10_000,
        ),
    )
    sizes: ClassVar[Mapping[int, Sizes]] = {
        4: Sizes(order=1_024, report=2_048),
        8: Sizes(order=1_024, report=3_072),
        16: Sizes(order=1_024, report=6_144),
        26: Sizes(order=1_024, report=9_216),
    }
    strict = True
    sets: ClassVar[frozenset[str]] = frozenset({"mines", "torpedoes"})

    check_together = Part("rules", "check_options")
    chart_known = Part("board", "chart")
    duel = Part("duel", "DUEL")
