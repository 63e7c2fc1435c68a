"""What a player's screen shows of a position: the game's own words, and the news since their last
orders.

What it must not know: where it is shown (`screen`), how the player orders.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from adjudicator.words.screen import Scene
from games.game import Deductions, Game, View

News = Sequence[Sequence[Mapping[str, Any]]]
"""The events of reports, the newest last."""


def scene(
    game: Game[Any, Any],
    view: View,
    known: Deductions,
    news: News,
    lines: Sequence[str] = (),
    *,
    first: bool = False,
) -> Scene:
    """The scene for the view's player. `news`: of their reports since their last orders; `lines`:
    orders that they have planned; `first`: they have ordered nothing yet."""
    seen = game.planned(view, lines) if lines else view
    told = game.brief(seen, known)
    gists = [game.gist(view, events) for events in news]
    return Scene(
        title=told.title,
        board=game.chart_known(seen, known) or game.draw(seen).splitlines(),
        notes=told.notes,
        menu=lambda columns: game.menu(view, lines, columns),
        news=tuple(filter(None, gists)),
        since="Since your last orders" if news else "",
        goal=game.goal(view.setup) if first else "",
    )
