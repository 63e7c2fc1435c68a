"""How long a report of Submarine Warfare can get: a strict upper bound, whatever the table.

What belongs here: counting what one step can tell one player at most, and the bytes that it takes
as canonical JSON. What it must not know: any position. Were the size of sealed reports to follow
from a position, it would tell what is hidden in it.

- A turn has at most 5 + `MOST_MORE` AP (SW-4, SW-18) and at most `MOST_LINES` lines. Only `surface`
  costs nothing (SW-5), and a table's specials that are ordered cost 1 at least (SW-18).
- A line that collides is a `move` of a submarine that has not yet collided as a mover (SW-9): one
  for each of one's five submarines at most. Pushes keep the heading, so a chain runs along one row
  or column of seven: at most six collisions, each with two hits. The last one pushed may set off a
  mine, a hit more.
- What any other line with AP tells is counted special by special in `_paid`; the most is a sonar
  with five finds. All of these tell more than a `void`, so that all AP is taken to be spent.
- Each submarine is destroyed once. It surfaces once from what it was at the start, and once more
  for every `submerge` of this turn, which costs an AP each.
- All other lines are free; such a line tells one `surfaced`, counted there, or is void.
- Beside that: `draw-offered`, the end of the turn (SW-16), and the start of the next.
"""

from __future__ import annotations

import json

from games.game import Event, Player
from games.grid import Cell
from games.submarine_warfare import events as tell
from games.submarine_warfare.lines import MOST_LINES
from games.submarine_warfare.state import AP, BOARD, HP, RINGS, SCORES
from games.submarine_warfare.table import MOST_MORE, MOST_NAME

_NAME: Player = "n" * 32
_SPECIAL = "s" * MOST_NAME
_NUMBER = 2**53
_A1 = Cell(1, 1)
_SUBS = 5
_CHAIN = BOARD.rows - 1
_SHORT = 2000
"""A line's number has no more digits than the bytes of its order file."""


def report_bound() -> int:
    """The most bytes that `view` and `events` of any report take."""
    most = max(_setup(), _turn())
    return len('{"events":[],"view":}') + most + _view()


def _setup() -> int:
    return 2 * _SUBS * _size(tell.placed("a", _A1)) + _size(tell.turn(_NAME, _NUMBER))


def _turn() -> int:
    """What one player hears of one turn; an audience is never longer than a name."""
    ap = AP + MOST_MORE
    hit = _size(tell.hit(_NAME, "a", HP))
    collision = _size(tell.collision("a", _A1, "b", _A1, _A1)) + 2 * hit
    surfaced = _size(tell.surfaced("a", _A1))
    void = _size(tell.void(_NAME, _SHORT, "scoring-cell"))
    return (
        _SUBS * max(_CHAIN * collision + hit, _paid(hit))
        + (ap - _SUBS) * _paid(hit)
        + (2 * _SUBS + ap) * surfaced
        + 2 * _SUBS * _size(tell.destroyed("a", _A1, None))
        + (MOST_LINES - ap) * void
        + _size(tell.draw_offered(_NAME))
        + _ends(hit)
    )


def _paid(hit: int) -> int:
    """The most that a line with AP tells that does not collide, but for who surfaces and who is
    destroyed: a special with what it does, or a move into a mine."""
    return max(
        _size(tell.moved(_NAME, "a", _A1)) + hit,
        _size(tell.submerged("a", _A1)),
        _size(tell.replaced(_NAME, "a")),
        _size(tell.torpedo(_NAME, "a", _A1, "N")) + hit,
        _size(tell.mine(_NAME, "a", _A1)) + _size(tell.not_placed(_NAME, _A1)),
        _size(tell.heal(_NAME, "a", "b", None)) + _size(tell.healed(_NAME, "a", HP)),
        _size(tell.sonar(_NAME, "a")) + _SUBS * _size(tell.found(_NAME, "v", _A1)),
        _size(tell.nullify(_NAME, "a", _SPECIAL)),
        _size(tell.depth_charge(_NAME, "a", _A1)) + 4 * hit,
    )


def _ends(hit: int) -> int:
    """SW-13 to SW-16: score, ring damage, and the game's end or the next turn's start."""
    ended = tell.over({"winner": _NAME, "how": "eliminated"})
    return (
        _size(tell.scored(_NAME, _most_points(), _NUMBER))
        + _size(tell.reached(_NAME))
        + _SUBS * hit
        + _size(ended)
        + _size(tell.ring(RINGS))
        + _size(tell.turn(_NAME, _NUMBER))
        + _SUBS * _size(tell.healed(_NAME, "a", HP))
    )


def _most_points() -> int:
    return 2 * sum(SCORES.values())


def _view() -> int:
    """A view with everything that one can have: a mine lies at most where nothing scores."""
    cells = len(BOARD.cells()) - len(SCORES)
    own = {
        "row": BOARD.rows,
        "points": _NUMBER,
        "subs": [f"a A1 5 down {_SPECIAL}"] * _SUBS,
        "mines": ["A1"] * cells,
        "sunk": [f"a {_SPECIAL}"] * _SUBS,
        "draw": False,
    }
    return _length(
        {
            "turn": _NAME,
            "round": _NUMBER,
            "rings": RINGS,
            "reached": [_NAME] * 2,
            "ap": AP + MOST_MORE,
            _NAME: own,
            _NAME + "'": {"subs": ["v A1"] * _SUBS, "draw": True},
        }
    )


def _size(event: Event) -> int:
    return _length(event.told_to(_NAME)) + len(",")


def _length(value: object) -> int:
    return len(json.dumps(value, separators=(",", ":")))
