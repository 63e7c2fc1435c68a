"""What stands beside a map that is touched: what happened in sentences, and a line about each
side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from games import shapes
from games.acts import joined
from games.beside import Said, Sideline, Tale
from games.game import Deductions, Player, Table, View
from games.grid import read_cell
from games.submarine_warfare import events as tell
from games.submarine_warfare.deduced import NO_MIND, Mind
from games.submarine_warfare.screen import points_of
from games.submarine_warfare.state import BOARD, ENOUGH, letters

LESSONS = (
    "Place five submarines in your home row, each with a special action of its own. Everybody "
    "sees where they start; nobody sees their specials.",
    "You have action points for all of them together. Go for the middle: a submarine there scores "
    "at the end of your turn, twice as much if it is surfaced.",
    "Submerged, nobody sees it move. A torpedo hits the first submarine that way: three sink one. "
    "Shoot at those that are in sight, and surface last.",
)
_WAYS = {"N": "north", "E": "east", "S": "south", "W": "west"}


def told(view: View, events: Sequence[Table]) -> tuple[Said, ...]:
    """`Game.told`. One's own placing, and whose turn it is, are left out."""
    own = letters(view.setup, view.player) if view.player else ()
    tale = Tale()
    for event in events:
        kind, sub = event["kind"], event.get("sub", "")
        match kind:
            case "turn":
                continue
            case "placed" if sub in own:
                continue
            case "placed":
                _placed(tale, sub, event["at"])
            case "moved":
                _moved(tale, sub, event["at"], "own" if sub in own else "foe")
            case "torpedo":
                _fired(tale, event, "own" if sub in own else "foe")
            case "hit" if tale.said and tale.last[:1] != ("moved",):
                last = tale.said[-1]
                joint = "; " if tale.last == ("hit",) else ": "
                tale.more(last._replace(text=f"{last.text[:-1]}{joint}{tell.news(event)}"), "hit")
            case "collision":
                cells = (event["at"], event["struck_at"])
                tale.add(Said(tell.news(event), cells, "fight", "fight"))
            case "destroyed":
                at = (event["at"],) if "at" in event else ()
                tale.add(Said(tell.news(event), at, "down", "burst"))
            case "sonar":
                tale.add(Said(tell.news(event), (), "sonar"))
            case _:
                at = (event["at"],) if "at" in event else ()
                tale.add(Said(tell.news(event), at, _SIGNS.get(kind, "")))
    return tuple(tale.said)


_SIGNS = {"surfaced": "up", "submerged": "down", "mine": "mine", "heal": "heal", "found": "sonar",
          "replace": "swap", "nullify": "swap", "depth-charge": "mine"}  # fmt: skip


def _placed(tale: Tale, sub: str, at: str) -> None:
    cells: tuple[str, ...] = (at,)
    names = f"{sub} in {at}"
    if tale.last[:1] == ("placed",):
        before = tale.said.pop()
        cells, names = (*before.cells, at), f"{tale.last[1]}, {names}"
    tale.add(Said(f"They start: {names}.", cells, "anchor"), "placed", names)


def _moved(tale: Tale, sub: str, at: str, side: str) -> None:
    """Moves of one submarine in a row are one way."""
    way: tuple[str, ...] = (at,)
    if tale.last == ("moved", sub):
        way = (*tale.said.pop().cells, at)
    shape = shapes.submarine(sub, foe=side == "foe")
    words = f"{sub} moves to {', then '.join(way)}."
    tale.add(Said(words, way, "step", "run", shape, side), "moved", sub)


def _fired(tale: Tale, event: Table, side: str) -> None:
    at, heading = event["at"], event["heading"]
    cell = read_cell(at)
    ahead = None if cell is None else cell.step(heading)
    way = (at, str(ahead)) if ahead is not None and ahead.on(BOARD) else (at,)
    words = f"{event['sub']} in {at} fires {_WAYS[heading]}."
    tale.add(Said(words, way, "torpedo", "run", shapes.torpedo(heading), side), "torpedo")


# The sides.


def sides(view: View, known: Deductions) -> Mapping[Player, Sideline]:
    """`Game.sides`."""
    if "setup" in view.shown:
        return {}
    mind = known.memory if isinstance(known.memory, Mind) else NO_MIND
    return {name: _side(view, mind, name) for name in view.setup.players}


def _side(view: View, mind: Mind, player: Player) -> Sideline:
    shown = view.shown[player]
    if player == view.player:
        points = shown.get("points", 0)
        return Sideline(f"{ENOUGH} points win", f"{points} point{'s' * (points != 1)}")
    words = list(_seen(shown["subs"]))
    many = points_of(mind, player in view.shown["reached"])
    return Sideline("; ".join(words) or "no submarine left", many)


def _seen(lines: Sequence[str]) -> Iterator[str]:
    up = [line[0] for line in lines if " " in line]
    down = [line for line in lines if " " not in line]
    if up:
        yield f"{joined(up)} in sight"
    if down:
        yield f"{joined(down)} submerged"
