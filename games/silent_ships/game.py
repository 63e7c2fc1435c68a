"""Silent Ships as a `Game`: its name, its options, and which module answers what."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from games.game import Bot, Brief, Deductions, Game, Player, Setup, Sizes, Table, View
from games.options import Option, Value
from games.silent_ships import cards, events, moves, notation, rules
from games.silent_ships import view as views
from games.silent_ships.moves import Orders
from games.silent_ships.state import State

if TYPE_CHECKING:
    from games.acts import Act, Held, Verb
    from games.beside import Asked, Said, Sideline
    from games.chart import Chart
    from games.duel import Duel


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
        "standing": {"retreat": "", "support": "", "discard": ()}
    }
    sizes: ClassVar[Mapping[int, Sizes]] = {2: Sizes(order=3_072, report=5_120)}
    sets = frozenset({"board", "hand", "discards", "sunk"})
    strict = True
    default_table = cards.DEFAULT_TABLE

    check_together = staticmethod(cards.check_options)
    read_table = staticmethod(cards.read_table)
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
    state = staticmethod(notation.state)
    news = staticmethod(events.news)

    # Imported when they are called, because verifying a game needs none of these.

    def deduced(
        self, view: View, heard: Sequence[Table], before: Deductions | None = None
    ) -> Deductions:
        from games.silent_ships.deduced import deduced

        return deduced(view, heard, before)

    @property
    def duel(self) -> Duel:
        from games.silent_ships.duel import SilentDuel

        return SilentDuel()

    def truth(self, state: State, player: Player) -> Mapping[str, Value]:
        from games.silent_ships.deduced import truth

        return truth(state, player)

    def chart(self, view: View) -> Chart:
        from games.silent_ships.draw import chart

        return chart(view)

    def chart_whole(self, state: State) -> Chart:
        from games.silent_ships.draw import chart_whole

        return chart_whole(state)

    def goal(self, setup: Setup) -> str:
        from games.silent_ships.screen import goal

        return goal(setup)

    def brief(self, view: View, known: Deductions) -> Brief:
        from games.silent_ships.screen import brief

        return brief(view, known)

    def menu(self, view: View, lines: Sequence[str], columns: int) -> tuple[str, ...]:
        from games.silent_ships.screen import menu

        return menu(view, lines, columns)

    def gist(self, view: View, events: Sequence[Table]) -> str:
        from games.silent_ships.screen import gist

        return gist(view, events)

    @property
    def verbs(self) -> Mapping[str, Verb]:
        from games.silent_ships.acts import VERBS

        return VERBS

    def acts(self, view: View, lines: Sequence[str]) -> tuple[Act, ...]:
        from games.silent_ships.acts import acts

        return tuple(acts(view, lines))

    def hand(self, view: View) -> tuple[Held, ...]:
        from games.silent_ships.acts import hand

        return tuple(hand(view))

    def told(self, view: View, events: Sequence[Table]) -> tuple[Said, ...]:
        from games.silent_ships.beside import told

        return told(view, events)

    def sides(self, view: View, known: Deductions) -> Mapping[Player, Sideline]:
        from games.silent_ships.beside import sides

        return sides(view, known)

    def standing(self, view: View) -> tuple[Asked, ...]:
        from games.silent_ships.beside import standing

        return standing(view)

    @property
    def lessons(self) -> Sequence[str]:
        from games.silent_ships.beside import LESSONS

        return LESSONS

    @property
    def bots(self) -> Mapping[str, Callable[[Player], Bot]]:
        from games.bots import mate
        from games.silent_ships.bot import Captain, Random

        return {"captain": Captain, "mate": mate(Captain, Random), "random": Random}
