"""Silent Ships as a `Game`: its name, its options, and what it has beyond the parts of every
game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from games.game import Sizes, Table
from games.options import Option
from games.parts import GameInParts, Part
from games.silent_ships.cards import DEFAULT_TABLE, EDITIONS
from games.silent_ships.orders import Orders
from games.silent_ships.state import State


class SilentShips(GameInParts[State, Orders]):
    """Two fleets of cards, face down on five by four cells."""

    folder = __package__
    id = "silent-ships"
    version = 2
    title = "Silent Ships"
    summary = "Two fleets lie face down on a small sea; attack, support, retreat, bluff."
    prefix = "SS"
    seats = (2, 2)
    own_options = (
        Option("edition", "choice", "print", "which edition's rules", choices=EDITIONS),
        Option("speed", "bool", False, "print: 6 ships sunk win instead of 7"),
        Option("flag_ship", "bool", True, "print: sinking the flag ship wins"),
        Option("stalemate", "int", 20, "idle turns in a row that end the game, 0: off", high=1000),
        Option("first", "player", None, "who goes first; not given: who is listed first"),
        Option("missed", "choice", "end", "what a missed deadline does", choices=("end", "resign")),
    )
    tables: ClassVar[Mapping[str, Table]] = {
        "standing": {"retreat": "", "support": "", "discard": ()}
    }
    sizes: ClassVar[Mapping[int, Sizes]] = {2: Sizes(order=3_072, report=5_120)}
    sets = frozenset({"board", "hand", "discards", "sunk"})
    strict = True
    default_table = DEFAULT_TABLE

    check_together = Part("cards", "check_options")
    read_table = Part("cards")
    menu = Part("board")
    hand = Part("board")
    standing = Part("board")
    duel = Part("duel", "DUEL")
