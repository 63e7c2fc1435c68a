"""Submarine Warfare as a `Game`: its name, its options, and which module answers what."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from games.game import Bot, Brief, Deductions, Game, Player, Setup, Sizes, Table, View
from games.options import CLUB, RESERVE_TIME, TURN_TIME, Option, Value
from games.submarine_warfare import events, moves, notation, rules
from games.submarine_warfare import table as tables
from games.submarine_warfare import view as views
from games.submarine_warfare.moves import Orders
from games.submarine_warfare.state import AP, State

if TYPE_CHECKING:
    from games.acts import Act, Verb
    from games.beside import Said, Sideline
    from games.chart import Chart


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
        Option("first_ap", "int", AP, "AP of the first turn of the game (SW-4)", high=AP),
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
        "balanced": {"first_ap": 2},  # SW-4: between captains either mover wins as often
        "club": {**CLUB, "missed": "pass"},
    }
    sizes: ClassVar[Mapping[int, Sizes]] = {2: Sizes(order=2_048, report=5_120)}
    strict = True
    sets: ClassVar[frozenset[str]] = frozenset({"subs", "mines", "sunk"})
    default_table = tables.DEFAULT

    check_together = staticmethod(rules.check_options)
    read_table = staticmethod(tables.read)
    start = staticmethod(rules.start)
    awaited = staticmethod(rules.awaited)
    read = staticmethod(moves.read)
    adjudicate = staticmethod(rules.adjudicate)
    view = staticmethod(views.view)
    public = staticmethod(views.public)
    outcome = staticmethod(rules.outcome)
    after = staticmethod(moves.after)
    planned = staticmethod(moves.planned)
    position = staticmethod(notation.position)
    state = staticmethod(notation.read_position)
    news = staticmethod(events.news)

    # Imported when they are called, because verifying a game needs none of these.

    def deduced(
        self, view: View, heard: Sequence[Table], before: Deductions | None = None
    ) -> Deductions:
        from games.submarine_warfare.deduced import deduced

        return deduced(view, heard, before)

    def truth(self, state: State, player: Player) -> Mapping[str, Value]:
        from games.submarine_warfare.deduced import truth

        return truth(state, player)

    def chart(self, view: View) -> Chart:
        from games.submarine_warfare.draw import chart

        return chart(view)

    def chart_known(self, view: View, known: Deductions) -> Chart:
        from games.submarine_warfare.draw import chart_known

        return chart_known(view, known)

    def chart_whole(self, state: State) -> Chart:
        from games.submarine_warfare.draw import chart_whole

        return chart_whole(state)

    def goal(self, setup: Setup) -> str:
        from games.submarine_warfare.screen import goal

        return goal(setup)

    def brief(self, view: View, known: Deductions) -> Brief:
        from games.submarine_warfare.screen import brief

        return brief(view, known)

    def menu(self, view: View, lines: Sequence[str], columns: int) -> tuple[str, ...]:
        from games.submarine_warfare.screen import menu

        return menu(view, lines, columns)

    def gist(self, view: View, events: Sequence[Table]) -> str:
        from games.submarine_warfare.screen import gist

        return gist(view, events)

    @property
    def verbs(self) -> Mapping[str, Verb]:
        from games.submarine_warfare.acts import VERBS

        return VERBS

    def acts(self, view: View, lines: Sequence[str]) -> tuple[Act, ...]:
        from games.submarine_warfare.acts import acts

        return tuple(acts(view, lines))

    def told(self, view: View, events: Sequence[Table]) -> tuple[Said, ...]:
        from games.submarine_warfare.beside import told

        return told(view, events)

    def sides(self, view: View, known: Deductions) -> Mapping[Player, Sideline]:
        from games.submarine_warfare.beside import sides

        return sides(view, known)

    @property
    def lessons(self) -> Sequence[str]:
        from games.submarine_warfare.beside import LESSONS

        return LESSONS

    @property
    def bots(self) -> Mapping[str, Callable[[Player], Bot]]:
        from games.bots import mate
        from games.submarine_warfare.bot import Captain, Random

        return {"captain": Captain, "mate": mate(Captain, Random), "random": Random}
