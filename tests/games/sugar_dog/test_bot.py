"""The bots: legal, bounded, deterministic, from their own reports; the captain the better one."""

from __future__ import annotations

import pytest

from games.dice import Dice
from games.promises import heard_by
from games.sugar_dog import GAME
from games.sugar_dog.bot import Captain


def winner(steps):
    """Who won a game."""
    return GAME.outcome(steps[-1].state).winner


@pytest.mark.parametrize(("count", "games", "drawn"), [(2, 10, 0), (3, 3, 1), (4, 2, 0), (5, 1, 0)])
def test_captains_seek_each_other_until_one_is_left(play, count, games, drawn):
    """They do not go round in circles: within 400 steps, and of so many games few are drawn."""
    played = [play(seed, ("captain",) * count) for seed in range(games)]
    assert all(len(steps) < 400 for steps in played)
    assert list(map(winner, played)).count(None) <= drawn


def test_a_captain_finds_an_opponent_who_never_moves(play):
    """Against someone who misses every deadline it pings, closes in and wins."""
    for seed in range(4):
        assert winner(play(seed, ("captain", "captain"), absent=("bob",))) == "alice"


def captain_of(table):
    """A captain for Alice who has just heard this position."""
    bot = Captain("alice")
    bot.hear(GAME.view(table.state, "alice"), ())
    return bot


def test_a_captain_fires_at_a_contact_in_reach(at):
    """Bob cruises and ends two cells north of Alice, in her lane: she fires north."""
    table = at(turn="bob", alice={"sub": "C2"}, bob={"sub": "E4"})
    bot = captain_of(table)
    step = table.step(bob="cruise D4 C4")
    bot.hear(GAME.view(step.state, "alice"), heard_by("alice", step))
    assert bot.order(Dice(b"1")).orders == "fire N"


@pytest.mark.parametrize("torpedo", ["A1 N", "E4 W"])
def test_a_captain_keeps_out_of_the_way_of_its_own_torpedo(at, torpedo):
    """It does not end its turn where its own torpedo, which has advanced by then, runs next."""
    position = {"turn": "alice", "bob": {"sub": "F6"}}
    table = at(**position, alice={"sub": "A4", "left": 0, "torpedoes": [torpedo]})
    for seed in range(8):
        text = captain_of(table).order(Dice(b"%d" % seed)).orders
        fleet = table.step(alice=text).state.fleets["alice"]
        table.states.pop()
        ahead = fleet.torpedoes[0].cell.step(fleet.torpedoes[0].heading)
        assert fleet.sub not in (ahead, ahead.step(fleet.torpedoes[0].heading))


def test_it_does_not_do_the_same_for_ever(at):
    """What was ordered from a cell and did not help is ordered less: the same view, heard again and
    again, is answered with one command after the other."""
    table = at(turn="alice", n=31, alice={"sub": "C3", "left": 0}, bob={"sub": "E4"})
    captain = Captain("alice")
    captain.hear(GAME.view(table.state, "alice"), ())
    orders = [captain.order(Dice(b"again")).orders for _ in range(16)]
    assert len(set(orders)) >= 4
    assert max(map(orders.count, orders)) <= 8


@pytest.mark.parametrize("own", [{"mines": ["C3"]}, {"mines": ["C4"]}, {"torpedoes": ["A4 E"]}])
def test_a_captain_does_not_fire_through_its_own(at, own):
    """Bob is heard four cells north, and may be nearer by now: but what is her own is met first."""
    table = at(turn="bob", alice={"sub": "C2", **own}, bob={"sub": "C6"})
    bot = captain_of(table)
    step = table.step(bob="cruise C5")
    bot.hear(GAME.view(step.state, "alice"), heard_by("alice", step))
    values = {one.orders: one.value for one in bot.ranked(Dice(b""), 100)}
    assert values["fire N"] == min(
        value for text, value in values.items() if text.startswith("fire")
    )
    assert values["fire N"] < values["silent"]
