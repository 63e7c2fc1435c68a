"""The map of a view: as text in the framed style with what stands in it, and as SVG.

What belongs here: which mark stands in which cell. What it must not know: more than the view.
"""

from __future__ import annotations

from collections.abc import Iterator

from games import grid
from games.game import View
from games.grid import Cell, Mark
from games.submarine_warfare.state import BOARD, SCORES, State, Sub, depth
from games.submarine_warfare.view import assumed

_COLOURS = ("#1f4e79", "#b03a2e")
"""Of one's own submarines and the enemy's; in the public view of the first-listed player's."""
_SUBMERGED, _MINE, _GONE = "#7f9fbb", "#4a4a4a", "#c9ced3"
_SCORING = {1: "#e0efd6", 2: "#cbe3bb", 4: "#aed298"}

_SIGNS = "Capitals are surfaced, green scores, grey is destroyed."


def draw(view: View) -> str:
    """The map, then one's own submarines, the enemy's, and the score.

    A surfaced submarine is a capital letter, a submerged one of one's own a small one. `*` is a
    mine of one's own, a digit what an empty cell scores; `#` beside it: the cell is destroyed.
    """
    marks: dict[Cell, str] = {cell: str(points) for cell, points in SCORES.items()}
    if "setup" in view.shown:
        return grid.frame(BOARD, marks)
    state = assumed(view)
    marks |= {at: "*" for side in state.sides.values() for at in side.mines}
    marks |= {sub.at: _letter(sub) for sub in state.subs.values()}
    for cell in BOARD.cells():
        if depth(cell) < state.rings:
            marks[cell] = marks.get(cell, "") + "#"
    own = "a submerged, * own mine, " if view.player else ""
    signs = [f"A surfaced, {own}1 2 4 points a turn (twice if surfaced)"]
    signs += ["# destroyed: 1 HP a turn"] if state.rings else []
    return grid.frame(BOARD, marks) + "\n".join([*signs, "", *_lines(view, state)]) + "\n"


def _letter(sub: Sub) -> str:
    return sub.letter.upper() if sub.up else sub.letter


def _lines(view: View, state: State) -> Iterator[str]:
    """What the map has no room for."""
    shown = view.shown
    turn = shown.get("turn")
    ap = f", {shown['ap']} AP" if "ap" in shown else ""
    yield f"round {shown['round']}, " + (f"{turn} to move{ap}" if turn else "the game is over")
    for name in sorted(view.setup.players, key=lambda name: name != view.player):
        if name == view.player:
            own = state.sides[name]
            for sub in state.fleet(name):
                shape = "surfaced" if sub.up else "submerged"
                yield f"{sub.letter} {sub.at} {sub.hp} HP {shape:<9} {sub.special}"
            for sunk in own.sunk:
                yield f"{sunk.letter} destroyed, {sunk.special}"
            yield f"{name}: {own.points} points"
        else:
            points = ": 25 points or more" if name in shown["reached"] else ""
            yield f"{name}{points}: {', '.join(shown[name]['subs']) or 'no submarine left'}"
    for name in view.setup.players:
        if shown[name].get("draw"):
            yield f"{name} offers a draw"


def svg(view: View) -> str:
    """The same map and lines as one SVG document; submerged submarines of one's own in a lighter
    blue, the cells that score the greener the more. A submarine's piece has the id `sub-a`, a
    mine's `mine-C4`."""
    marks = [Mark(cell, shade=_SCORING[points]) for cell, points in SCORES.items()]
    title = "Submarine Warfare" + (f": {view.player}'s map" if view.player else "")
    if "setup" in view.shown:
        return grid.svg(BOARD, marks, f"{title}, setup")
    state, turn = assumed(view), view.shown.get("turn")
    marks += [Mark(cell, shade=_GONE) for cell in BOARD.cells() if depth(cell) < state.rings]
    marks += _pieces(view, state)
    when = f"round {state.round}, {turn} to move" if turn else "the end"
    return grid.svg(BOARD, marks, f"{title}, {when}", (_SIGNS, *_lines(view, state)))


def _pieces(view: View, state: State) -> Iterator[Mark]:
    """Mines of one's own where no submarine covers them, and every submarine that is seen."""
    taken = {sub.at for sub in state.subs.values()}
    for name, side in state.sides.items():
        for at in side.mines:
            if at not in taken:
                yield Mark(at, "*", _MINE, f"{name}'s mine", id=f"mine-{at}")
        red = view.setup.players.index(name) if view.player is None else name != view.player
        for sub in state.fleet(name):
            shape = "surfaced" if sub.up else "submerged"
            known = f": {sub.hp} HP, {shape}, {sub.special}" if name == view.player else ""
            colour = _COLOURS[red] if sub.up else _SUBMERGED
            title = f"{name}'s {sub.letter}{known}"
            yield Mark(sub.at, _letter(sub), colour, title, id=f"sub-{sub.letter}")
