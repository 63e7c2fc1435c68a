"""How long a report of Sugar Dog can get: a strict upper bound from the most players that may join.

What belongs here: counting what one step can tell one player at most, and the bytes that it takes
as canonical JSON. What it must not know: any position. Were the size of sealed reports to follow
from a position, it would tell what is hidden in it.

With p players the side is s = 2p + 2 (SD-1).

- A torpedo's first run is in the turn in which it is fired, each run is two cells on, and from its
  cell of departure there are at most s - 1 = 2p + 1 cells to the edge. So it is still on the map
  after at most p of its owner's turns, and then has one cell left at most. One a turn can be fired
  (SD-5): at most p fly at rest, of as many ages, and only one of them is p turns old.
- In one step the torpedoes of the player whose turn it is advance, then those of sunk players
  (SD-12), each at most once. Two submarines survive before anything that loses the last but one,
  after which nothing advances any more: at most p - 1 players' torpedoes (the one whose turn it is
  and p - 2 sunk ones; for two players it is the one alone).
- A run tells everyone at most two contacts, and an impact at its end or else a `clear`. The one
  command is such a run (`cruise`, `fire`), or a ping with an echo for each object, or less.
- Its owner hears beside that two cells entered for each run of their own, and once for each object
  of theirs that it was destroyed or lost.
"""

from __future__ import annotations

import json

from games.game import Event, Player
from games.grid import Cell
from games.sugar_dog import events as tell
from games.sugar_dog.state import MINES, side

_NAME: Player = "n" * 32
_TURNS = 2**53
_LINES = 9999
"""More lines than an order file of `order_bound` bytes can have."""


def report_bound(players: int) -> int:
    """The most bytes that `view` and `events` of any report take, for up to that many players."""
    events = _public(players) + _own(players)
    return len('{"events":[],"view":}') + events + _view(players)


def _public(players: int) -> int:
    """What everyone hears of one step."""
    flying, last = players, _last(players)
    contact, impact = _size(tell.contact(_NAME, last)), _size(tell.impact(last))
    short = contact + max(impact, _size(tell.clear(_NAME)))
    run = max(2 * contact + impact, short)
    advance = (flying - 1) * run + short
    objects = players * (1 + MINES + flying)
    ping = _size(tell.ping(_NAME, last)) + objects * _size(tell.echo(_NAME, last))
    return (
        _size(tell.turn(_NAME, _TURNS))
        + _size(tell.draw_offered(_NAME))
        + max(1, players - 1) * advance
        + max(run, ping)
        + players * _size(tell.sunk(_NAME))
        + _size(tell.over(_NAME))
    )


def _own(players: int) -> int:
    """What one player alone hears of one step."""
    shots, last = players + 1, _last(players)  # those in flight and one fired
    entered = 2 * shots - 1  # one of them is p turns old
    gone = max(
        _size(tell.lost(_NAME, "torpedo", last)),
        _size(tell.torpedo_lost(_NAME, last)),
        _size(tell.lost(_NAME, "mine", last)),
    )
    command = max(
        _size(tell.started(_NAME, last)),
        2 * _size(tell.moved(_NAME, last)),
        _size(tell.laid(_NAME, last, MINES)),
        _size(tell.void(_NAME, _LINES, "sunk")),
    )
    return entered * _size(tell.torpedo(_NAME, last)) + (shots + MINES) * gone + command


def _view(players: int) -> int:
    """The view of a player with everything that one can have."""
    last = str(_last(players))
    names = [f"{number:n>32}" for number in range(players)]
    own = {
        "sub": last,
        "sunk": True,
        "mines": [last] * MINES,
        "left": MINES,
        "torpedoes": [f"{last} N"] * players,
    }
    shown = {
        "turn": _NAME,
        "n": _TURNS,
        "offers": names,
        "contacts": dict.fromkeys(names, last),
        **{name: {"sunk": True} for name in names},
        names[0]: own,
    }
    return _length(shown)


def _last(players: int) -> Cell:
    """The cell whose name is longest."""
    return Cell(side(players), side(players))


def _size(event: Event) -> int:
    return _length(event.told_to(_NAME)) + len(",")


def _length(value: object) -> int:
    return len(json.dumps(value, separators=(",", ":")))
