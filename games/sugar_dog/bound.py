"""How long a report of Sugar Dog can get: a strict upper bound on what one step can tell one
player.

It depends only on the players: if the size of sealed reports depended on a position, it would tell
hidden things.

The bound is the length of a report that is longer than any real one. With p players the side of
the map is s = 2p + 2 (SD-1).

- A torpedo is fired in its owner's turn and makes its first run then. Each run is two cells (SD-5).
  From the cell that it was fired from there are at most s - 1 = 2p + 1 cells to the edge. So after
  p runs it is still on the map with one cell left at most, and the next run loses it. One torpedo a
  turn can be fired: at most p are in flight, and only one of them has made p runs.
- In a step each player's torpedoes advance once at most (SD-4, SD-12). So at most p + 1 torpedoes
  of one owner run: those in flight and one fired. They enter 2(p + 1) - 1 cells, and their owner
  hears a `torpedo` for each.
- Each of these torpedoes, and each of three mines, can be lost once. The longest event that tells
  it is `lost`. A command other than `fire` tells its author less than `fire` does.
- Public events are not in a report, but the place of a private event is the number of the public
  events before it. There are at most 4p^2 + 2p + 4 of these in a step: `turn`, `draw-offered` and
  `over`; a `sunk` for each player; three for each run (two contacts and an impact) of p torpedoes
  of p - 1 owners, since nothing advances once fewer than two survive; and for the command a ping
  with an echo for each submarine, mine and torpedo, which are 1 + p(1 + 3 + p).
- One line at most is void. No public event tells one player more than the others.
"""

from __future__ import annotations

from games.bounds import LARGEST, json_bytes
from games.game import Setup
from games.lines import AROUND, file_bound
from games.options import Value
from games.sugar_dog import events as tell
from games.sugar_dog.lines import MOST_BYTES
from games.sugar_dog.state import MINES, board


def report_bound(setup: Setup) -> int:
    """The most bytes that `told.tell` of any reachable step takes as canonical JSON."""
    return json_bytes(longest_report(setup))


def order_bound(setup: Setup) -> int:
    """The most bytes that an order file may have in its one rendering (SD-6)."""
    return file_bound(setup, MOST_BYTES)


def longest_report(setup: Setup) -> dict[str, Value]:
    """A report that is longer than any real one; it is no real report itself."""
    count = len(setup.players)
    last = board(setup).last
    place = 4 * count**2 + 2 * count + 4
    entered = tell.torpedo("", last).public()
    torpedo = tell.lost("", "torpedo", last).public()
    mine = tell.lost("", "mine", last).public()
    told = [entered] * (2 * count + 1) + [torpedo] * (count + 1) + [mine] * MINES
    return {
        "events": [[place, event] for event in told],
        "keys": [],
        "view": _longest_view(setup),
        "void": f"{MOST_BYTES // AROUND}s",
    }


def _longest_view(setup: Setup) -> dict[str, Value]:
    """A view with everything that a player can have, and all others sunk."""
    last = str(board(setup).last)
    own = {
        "sub": last,
        "sunk": True,
        "mines": [last] * MINES,
        "left": MINES,
        "torpedoes": [f"{last} N"] * len(setup.players),
    }
    return {
        "turn": max(setup.players, key=len),
        "n": LARGEST,
        "offers": list(setup.players),
        "contacts": dict.fromkeys(setup.players, last),
        **_counts(setup),
        **{player: {"sunk": True} for player in setup.players},
        setup.players[0]: own,
    }


def _counts(setup: Setup) -> dict[str, Value]:
    """The counts in a view that options ask for."""
    quiet, misses = setup.options["quiet"], setup.options["misses"]
    return {
        **({"quiet": quiet} if quiet else {}),
        **({"misses": dict.fromkeys(setup.players, misses)} if misses > 1 else {}),
    }
