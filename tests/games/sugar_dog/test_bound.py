"""The sizes of sealed files suffice for every report and order file of Sugar Dog.

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
- One line at most is void.
"""

from __future__ import annotations

from functools import partial
from itertools import islice, product
from typing import Any

import pytest
import reported
from matches import Writer
from matches import play as play_game
from reported import json_bytes

from games.dice import Dice
from games.game import Setup, Written
from games.sugar_dog import GAME
from games.sugar_dog import events as tell
from games.sugar_dog.orders import MOST_BYTES
from games.sugar_dog.state import MINES, board

LARGEST = 2**53 - 1
"""The largest number that canonical JSON holds."""
SHORT = ("alice", "bobby", "carol", "david", "ellen", "frank", "grace", "heidi")
LONG = tuple(f"{letter * 31}z" for letter in "abcdefghijklmnopqrstuvwxyz")


def report_bound(setup: Setup) -> int:
    """The most bytes of a report of any step of that game."""
    told = longest_report(setup)
    parts = json_bytes(told["view"]) + json_bytes(told["events"])
    return reported.around(setup.players) + parts


def longest_report(setup: Setup) -> dict[str, Any]:
    """A report that is longer than any real one; it is no real report itself."""
    count = len(setup.players)
    last = board(setup).last
    place = 4 * count**2 + 2 * count + 4
    entered = tell.torpedo("", last).plain()
    torpedo = tell.lost("", "torpedo", last).plain()
    mine = tell.lost("", "mine", last).plain()
    told = [entered] * (2 * count + 1) + [torpedo] * (count + 1) + [mine] * MINES
    void = tell.void("", MOST_BYTES, "sunk").plain()
    return {"events": [[place, event] for event in (*told, void)], "view": _longest_view(setup)}


def _longest_view(setup: Setup) -> dict[str, Any]:
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


def _counts(setup: Setup) -> dict[str, Any]:
    """The counts in a view that options ask for."""
    quiet, misses = setup.options["quiet"], setup.options["misses"]
    return {
        **({"quiet": quiet} if quiet else {}),
        **({"misses": dict.fromkeys(setup.players, misses)} if misses > 1 else {}),
    }


OPTIONS = tuple(
    {"quiet": quiet, "missed": missed, "misses": misses}
    for quiet, (missed, misses) in product((0, 10_000), (("silent", 1), ("resign", 99)))
)


@pytest.mark.parametrize("count", range(2, 27))
def test_the_sizes_suffice(count):
    """For each number of players, with the longest names and all that options count."""
    order, report = reported.room_for(GAME, count)
    assert reported.order_file_bound(MOST_BYTES) <= order
    for options in OPTIONS:
        assert report_bound(GAME.setup(LONG[:count], options)) <= report


@pytest.mark.parametrize("options", [{"quiet": 30}, {"missed": "resign", "misses": 2}])
def test_no_report_of_a_game_with_counters_is_longer(options):
    """With options that count turns; and states come back as they were written."""
    for number in range(6):
        longest, _ = reports_of(SHORT[:3], number, anything, options)
        assert 0 < longest <= report_bound(GAME.setup(SHORT[:3], options))


# That no report is longer.


def reports_of(players, seed, write, options=None, most=400):
    """The most bytes of a report of one game, and the most torpedoes of one owner at rest.

    `write(view, dice)` gives an order file's text, or None for a missed deadline.
    """
    longest, flying = 0, 0
    bots = (partial(Writer, write),) * len(players)
    for step in islice(play_game(GAME.id, seed, bots, options, players), most):
        longest = max(longest, *(len(step.report(player)) for player in players))
        flying = max(flying, *(len(fleet.torpedoes) for fleet in step.state.fleets.values()))
    return longest, flying


def anything(view, dice):
    """Any line but those that end the game, now and then with a draw, now and then none."""
    lines = [line for line in GAME.legal(view) if line not in ("draw", "resign")]
    drawn = "draw\n" if "turn" in view.shown and dice.below("draw", 8) == 0 else ""
    return None if dice.below("miss", 12) == 0 else drawn + lines[dice.below("line", len(lines))]


def gunner(view, dice):
    """Mostly shots, with pings and silent moves: the most torpedoes and the longest reports."""
    lines = GAME.legal(view)
    shots = [line for line in lines if line.startswith(("fire", "start"))]
    quiet = [line for line in lines if line.startswith("silent ") or line in ("ping", "mine")]
    mostly = shots * 4 + quiet
    return mostly[dice.below("line", len(mostly))]


def hostile(view, dice):
    """A file of as many lines as are read, the command on the last, with a hostile remark."""
    lines = [line for line in GAME.legal(view) if line not in ("draw", "resign")]
    return "\n" * 80 + lines[dice.below("line", len(lines))] + ' #"' + "\\" * 5


NAMES = tuple(f"{letter * 30}-{letter}" for letter in "abcdefgh")


@pytest.mark.parametrize(("players", "games"), [(2, 10), (3, 4), (5, 2), (8, 1)])
@pytest.mark.parametrize("write", [anything, gunner, hostile])
def test_no_report_is_longer_than_the_bound(players, games, write):
    """In games of anything, of mostly shots, of hostile files, with missed steps, of two to eight;
    and no owner has more torpedoes in flight than the bound counts with."""
    for names in (SHORT, NAMES):
        bound = report_bound(GAME.setup(names[:players], {}))
        for number in range(games):
            longest, flying = reports_of(names[:players], number, write)
            assert 0 < longest <= bound
            assert flying <= players


@pytest.mark.parametrize("players", [2, 3, 5])
def test_no_report_of_captains_is_longer(play, players):
    """Who plays well is told no more."""
    for step in play(0, ("captain",) * players):
        for player in step.setup.players:
            assert len(step.report(player)) <= report_bound(step.setup)


def test_as_many_torpedoes_fly_as_the_bound_counts_with(at):
    """The count of torpedoes at rest is reached: shots along the whole map, one a turn."""
    table = at(turn="alice", alice={"sub": "A1"}, bob={"sub": "C3"}, carol={"sub": "D3"})
    most = 0
    for _ in range(5):
        table.step(alice="fire N")
        most = max(most, len(table.state.fleets["alice"].torpedoes))
        table.step(bob="silent")
        table.step(carol="silent")
    assert most == 3


def test_the_fullest_table_stays_within_the_bound(at):
    """As much as can be at sea for each of five, and as much of it as can be told at once."""
    names = SHORT[:5]
    sea = {
        name: {
            "sub": f"{column}1",
            "mines": [f"{column}11", f"{column}10", f"{column}8"],
            "left": 0,
            "torpedoes": [f"{column}{row} N" for row in (11, 9, 7, 5, 3)],
        }
        for name, column in zip(names, "ABCDE", strict=True)
    }
    for name in names[1:]:
        sea[name] = {**sea[name], "mines": ["L1", "L2", "L3"]}
    setup = GAME.setup(names, {})
    state = GAME.state(setup, {"turn": "alice", "n": 2**53 - 2, **sea})
    orders = {"alice": GAME.read(GAME.view(state, "alice"), Written("draw\nfire N"))}
    step = GAME.adjudicate(state, orders, Dice(b""))
    view = GAME.view(step.state, "alice")
    assert len(reported.told(view, step.events)["events"]) > 10
    assert len(reported.written(view, step.events)) <= report_bound(setup)
