"""The bound on reports: never exceeded, and not a matter of what is hidden."""

from __future__ import annotations

import json

import pytest

from games.dice import Dice
from games.game import Written
from games.sugar_dog import GAME


def size(view, events):
    """The bytes of a view and events as canonical JSON."""
    whole = {"events": events, "view": view.shown}
    return len(json.dumps(whole, sort_keys=True, separators=(",", ":")).encode("ascii"))


def longest_report(players, seed, lines_of):
    """The longest report of one game, and the most torpedoes of one owner at rest."""
    names = [f"{chr(97 + number) * 30}-{number}" for number in range(players)]
    setup = GAME.setup(names, {"players": players})
    state, dice, longest, flying = GAME.start(setup), Dice(seed), 0, 0
    for number in range(400):
        orders = {}
        for prompt in GAME.awaited(state):
            view = GAME.view(state, prompt.player)
            lines = lines_of(GAME.legal(view))
            line = lines[dice.below(f"{number}/{prompt.player}", len(lines))]
            beside = "" if line.startswith("start") or number % 7 else "draw\n"
            orders[prompt.player] = GAME.read(view, Written(beside + line))
        if not orders:
            break
        step = GAME.adjudicate(state, orders, dice)
        state = step.state
        for name in names:
            told = [event.told_to(name) for event in step.events if event.heard_by(name)]
            longest = max(longest, size(GAME.view(state, name), told))
        flying = max(flying, *(len(fleet.torpedoes) for fleet in state.fleets.values()))
    return longest, flying


def anything(legal):
    """Any line but those that end the game."""
    return [line for line in legal if line not in ("draw", "resign")]


def gunner(legal):
    """Mostly shots, with pings and silent moves: the most torpedoes and the longest reports."""
    shots = [line for line in legal if line.startswith(("fire", "start"))]
    quiet = [line for line in legal if line.startswith("silent ") or line in ("ping", "mine")]
    return shots * 4 + quiet


@pytest.mark.parametrize(("players", "games"), [(2, 60), (3, 30), (5, 12), (8, 6)])
def test_no_report_is_longer_than_the_bound(players, games):
    """With names of 32 characters, in games of anything and in games of mostly shots; and no owner
    has more torpedoes in flight than the bound counts with."""
    bound = GAME.report_bound({"players": players})
    for number in range(games):
        for lines_of in (anything, gunner):
            longest, flying = longest_report(players, b"%d" % number, lines_of)
            assert 0 < longest <= bound
            assert flying <= players


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


def test_the_bound_grows_with_the_option_alone():
    """It is a function of the option `players`: other options change nothing."""
    bounds = [GAME.report_bound({"players": players}) for players in range(2, 27)]
    assert bounds == sorted(set(bounds))
    options = {**GAME.check_options({"missed": "resign", "first": "alice"}), "players": 4}
    assert GAME.report_bound(options) == GAME.report_bound({"players": 4})
