"""A game whose parts are the modules of a folder, each for one thought, under the same names in
every game (docs/new-game.md)."""

from __future__ import annotations

from importlib import import_module
from typing import Any, ClassVar

from games.game import Game, OrdersT, Player, StateT, View
from games.options import Value


class Part:
    """Something of the same name in a module of the game's folder, which is imported when it is
    first asked for: verifying a game needs no board and no bots."""

    def __init__(self, module: str, name: str = "") -> None:
        self._module, self._name = module, name

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = self._name or name

    def __get__(self, game: object, owner: type[GameInParts[Any, Any]]) -> Any:
        return getattr(import_module(f"{owner.folder}.{self._module}"), self._name)


class GameInParts(Game[StateT, OrdersT]):
    """What every such game takes from the modules beside it; its own class adds what only it has.

    What somebody sees is a position too, in which what is hidden is left out (`state.see`).
    """

    folder: ClassVar[str]
    """The package of the modules."""

    start = Part("rules")
    awaited = Part("rules")
    adjudicate = Part("rules")
    outcome = Part("rules")
    words = Part("notation", "WORDS")
    position = Part("notation")
    state = Part("notation", "read_position")
    read = Part("orders")
    after = Part("orders")
    planned = Part("orders")
    verbs = Part("orders", "VERBS")
    news = Part("events")
    told = Part("events")
    deduced = Part("deduced")
    truth = Part("deduced")
    chart = Part("board")
    chart_whole = Part("board")
    goal = Part("board")
    about = Part("board")
    brief = Part("board")
    why = Part("board")
    sides = Part("board")
    bots = Part("bot", "BOTS")
    _see = Part("state", "see")
    _seen = Part("notation", "read_view")

    def view(self, state: StateT, player: Player | None) -> View:
        """What that player sees, as a position; for None, what everybody sees."""
        seen = self._see(state, player)
        return View(seen.setup, player, self.position(seen)).beside(seen)

    def public(self, view: View) -> dict[str, Value]:
        """What everybody sees of a view; raises BadPosition for anything that is no view."""
        public: dict[str, Value] = self.position(self._see(self._seen(view), None))
        return public
