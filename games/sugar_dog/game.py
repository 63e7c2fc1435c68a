"""Sugar Dog as a `Game`: its name, its options, and which module answers what."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from games.game import Bot, Brief, Deductions, Game, Player, Setup, Sizes, Table, View
from games.options import Option, Value
from games.sugar_dog import events, moves, notation, rules
from games.sugar_dog import view as views
from games.sugar_dog.moves import Orders
from games.sugar_dog.state import State

if TYPE_CHECKING:
    from games.acts import Act, Verb
    from games.beside import Said, Sideline
    from games.chart import Chart
    from games.duel import Duel


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

    check_together = staticmethod(rules.check_options)
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
        from games.sugar_dog.deduced import deduced

        return deduced(view, heard, before)

    def truth(self, state: State, player: Player) -> Mapping[str, Value]:
        from games.sugar_dog.deduced import truth

        return truth(state, player)

    def chart(self, view: View) -> Chart:
        from games.sugar_dog.draw import chart

        return chart(view)

    def chart_known(self, view: View, known: Deductions) -> Chart:
        from games.sugar_dog.draw import chart_known

        return chart_known(view, known)

    def chart_whole(self, state: State) -> Chart:
        from games.sugar_dog.draw import chart_whole

        return chart_whole(state)

    def goal(self, setup: Setup) -> str:
        from games.sugar_dog.screen import goal

        return goal(setup)

    def brief(self, view: View, known: Deductions) -> Brief:
        from games.sugar_dog.screen import brief

        return brief(view, known)

    def menu(self, view: View, lines: Sequence[str], columns: int) -> tuple[str, ...]:
        from games.sugar_dog.screen import menu

        return menu(view, lines, columns)

    def gist(self, view: View, events: Sequence[Table]) -> str:
        from games.sugar_dog.screen import gist

        return gist(view, events)

    @property
    def verbs(self) -> Mapping[str, Verb]:
        from games.sugar_dog.acts import VERBS

        return VERBS

    def acts(self, view: View, lines: Sequence[str]) -> tuple[Act, ...]:
        from games.sugar_dog.acts import acts

        return tuple(acts(view, lines))

    def told(self, view: View, events: Sequence[Table]) -> tuple[Said, ...]:
        from games.sugar_dog.beside import told

        return told(view, events)

    def sides(self, view: View, known: Deductions) -> Mapping[Player, Sideline]:
        from games.sugar_dog.beside import sides

        return sides(view, known)

    @property
    def lessons(self) -> Sequence[str]:
        from games.sugar_dog.beside import LESSONS

        return LESSONS

    @property
    def duel(self) -> Duel:
        from games.sugar_dog.duel import SugarDuel

        return SugarDuel()

    @property
    def bots(self) -> Mapping[str, Callable[[Player], Bot]]:
        from games.bots import mate
        from games.sugar_dog.bot import Captain, Random

        return {"captain": Captain, "mate": mate(Captain, Random), "random": Random}
