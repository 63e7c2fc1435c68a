"""Submarine Warfare as a `Game`: its name, its options, and what it has beyond the parts of every
game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from games.game import Sizes
from games.options import CLUB, RESERVE_TIME, TURN_TIME, Option, Value
from games.parts import GameInParts, Part
from games.submarine_warfare.orders import Orders
from games.submarine_warfare.state import AP, State
from games.submarine_warfare.table import DEFAULT


class SubmarineWarfare(GameInParts[State, Orders]):
    """Five submarines a side with a special action each, on seven by seven cells."""

    folder = __package__
    id = "submarine-warfare"
    version = 2
    title = "Submarine Warfare"
    summary = "Five submarines a side, seen only while surfaced: hold the middle or sink them all."
    prefix = "SW"
    seats = (2, 2)
    own_options = (
        Option("row_one", "player", None, "who has row 1; not given: the first-listed (SW-2)"),
        Option("first", "player", None, "who goes first; not given: drawn (SW-2)"),
        Option("first_ap", "int", 2, "AP of the first turn of the game (SW-4)", high=AP),
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
        "published": {"first_ap": AP},  # SW-4
        "club": {**CLUB, "missed": "pass"},
    }
    sizes: ClassVar[Mapping[int, Sizes]] = {2: Sizes(order=2_048, report=5_120)}
    strict = True
    sets: ClassVar[frozenset[str]] = frozenset({"subs", "mines", "sunk"})
    default_table = DEFAULT

    check_together = Part("rules", "check_options")
    read_table = Part("table", "read")
    menu = Part("board")
    chart_known = Part("board", "chart")
