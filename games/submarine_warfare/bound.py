"""How long a report of Submarine Warfare can get: a strict upper bound (RULES.md, Sizes).

It counts what one step can tell one player at most, in bytes of canonical JSON. It depends on no
position: if the size of sealed reports did, it would tell hidden things.

Why the counts hold:

- Public events are not in a report, so only private ones count. The player whose turn it was hears
  most of these: the other one is told of hits, of the places of destroyed submarines, and of
  repairs, which are all counted here too.
- A submarine that collides or enters a mine surfaces first, so what follows is public.
- Every line except `surface`, which tells nothing private, costs AP, and the lines of a turn may
  not spend more than it has (SW-6). A void line with AP tells less than one that is carried out.
- A sonar's find that was told before in this turn is told as an index (`games.told`). A later find
  differs only if its submarine was pushed in between, by a collision, which costs its mover 1 AP
  and moves one submarine.
- A submarine is in `subs` or in `sunk`, and is destroyed once; at the end of the turn it is hit by
  a ring once, or repaired once.
"""

from __future__ import annotations

from games.bounds import json_bytes
from games.game import Event, Setup
from games.grid import Cell
from games.lines import file_bound
from games.submarine_warfare import events as tell
from games.submarine_warfare.lines import MOST_BYTES, MOST_LINES
from games.submarine_warfare.state import AP, BOARD, ENOUGH, HP, LETTERS, RINGS, SCORES
from games.submarine_warfare.table import Special, specials

_A1 = Cell(1, 1)
_SUBS = len(LETTERS[0])
_MINES = len(BOARD.cells()) - len(SCORES)
"""SW-18: the most mines: they lie only in cells that do not score, at most one in each."""
_PLACE, _INDEX = 999, 99
"""More events, public and private ones, than a step has."""
_ROUNDS = 10**7
"""No game has more steps (docs/formats/entries.md), so no game has more rounds."""


def _told(event: Event) -> int:
    """A private event in a report, with its place and a comma."""
    return _item([_PLACE, event.public()])


def _key(fields: dict[str, str]) -> int:
    """The bytes of a public event's private keys for one player."""
    return _item([_PLACE, fields])


def _item(value: object) -> int:
    """An item of a list, with a comma."""
    return json_bytes(value) + len(",")


_HIT = _told(tell.hit("n", "a", HP))
_HEALED = _told(tell.healed("n", "a", HP))
_FOUND = _told(tell.found("n", "v", _A1))
_AGAIN = _item([_PLACE, _INDEX])
_GONE = _key({"at": str(_A1)})
"""The bytes of one event: a hit, a repair, a find, a find that was told before, the place of a
destroyed submarine."""


def report_bound(setup: Setup) -> int:
    """The most bytes of `told.tell` for any step of a game with that frame."""
    frame = {"events": [], "keys": [], "view": _view(setup), "void": ""}
    lines = most_ap(setup) * _per_ap(setup) + _finds(setup)
    subs = _SUBS * (_own_sub() + _enemy_sub()) + _held(setup)
    return json_bytes(frame) + lines + subs + _told(tell.scored("n", *_points())) + _voids()


def order_bound(setup: Setup) -> int:
    """The most bytes of an order file in its one rendering, salt and all (SW-4)."""
    return file_bound(setup, MOST_BYTES)


def most_ap(setup: Setup) -> int:
    """SW-4, SW-18: the AP of a turn in which every reactor of the table works."""
    return AP + sum(special.numbers.get("more", 0) for special in specials(setup).values())


def _view(setup: Setup) -> dict[str, object]:
    """A player's view without submarines: that of the longer name, the widest numbers, all
    mines."""
    longest, other = sorted(setup.players, key=len, reverse=True)
    mines = [str(_A1)] * _MINES
    return {
        "turn": longest,
        "round": setup.options["rounds"] or _ROUNDS,
        "rings": RINGS,
        "reached": [longest, other],
        "ap": most_ap(setup),
        longest: {
            "row": BOARD.rows,
            "points": _points()[1],
            "subs": [],
            "mines": mines,
            "sunk": [],
            "draw": False,
        },
        other: {"subs": [], "draw": True},
    }


def _points() -> tuple[int, int]:
    """SW-13, SW-15: the most points of one turn, and the most in all: a player with 50 at the end
    of a turn has won."""
    best = sorted(SCORES.values(), reverse=True)[:_SUBS]
    return 2 * sum(best), ENOUGH - 1 + 2 * sum(best)


def _own_sub() -> int:
    """The bytes of one's own submarine without its special: in the view, at the end of the turn,
    destroyed."""
    end = max(_HIT, _HEALED)
    afloat = _item(f"a {_A1} {HP} down ") + end
    return max(afloat, _item("a ") + end + _GONE)


def _enemy_sub() -> int:
    """The bytes of an enemy submarine: in the view, or destroyed at a place that is not public."""
    return max(_item(f"v {_A1}"), _GONE)


def _held(setup: Setup) -> int:
    """SW-3: the letters in the five longest names of specials; a player's five are all
    different."""
    return sum(sorted(map(len, specials(setup)), reverse=True)[:_SUBS])


def _voids() -> int:
    """`120a ` for each line that counts."""
    number = MOST_BYTES // len('    "",\n')
    return MOST_LINES * len(f"{number}a ")


def _finds(setup: Setup) -> int:
    """How many more bytes a turn's finds take when they are told for the first time."""
    if all(special.mechanism != "sonar" for special in specials(setup).values()):
        return 0
    return _SUBS * (_FOUND - _AGAIN)


def _per_ap(setup: Setup) -> int:
    """The most bytes for one AP, rounded up, that any line with AP tells to its player alone."""
    table = specials(setup)
    moved = max(_told(tell.moved("n", "a", _A1)), _FOUND - _AGAIN)
    rows = [(moved, 1), (_told(tell.replaced("n", "a")), 2)]
    rows += [(_used(setup, special), special.ap) for special in table.values() if special.ap]
    return max(-(-most // ap) for most, ap in rows)


def _used(setup: Setup, special: Special) -> int:
    """The most bytes that one use of that special tells to its player alone."""
    match special.mechanism:
        case "torpedo":
            return _told(tell.torpedo("n", "a", _A1, "N")) + _HIT
        case "mine":
            return _told(tell.mine("n", "a", _A1)) + _told(tell.not_placed("n", _A1))
        case "heal":
            return _told(tell.heal("n", "a", "b", None)) + _HEALED
        case "sonar":
            return _told(tell.sonar("n", "a")) + _SUBS * _AGAIN
        case "nullify":
            return _told(tell.nullify("n", "a", max(specials(setup), key=len)))
        case "depth-charge":
            return _told(tell.depth_charge("n", "a", _A1)) + 4 * _HIT
    raise LookupError(special.mechanism)
