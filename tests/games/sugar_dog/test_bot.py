"""The bots: legal, bounded, deterministic, from their own reports; the captain the better one."""

from __future__ import annotations

import pytest

from games.dice import Dice
from games.game import Written
from games.sugar_dog import GAME
from games.sugar_dog.bot import Captain


def winner(steps):
    """Who won a game."""
    return GAME.outcome(steps[-1].state).winner


def test_the_captain_beats_random_play(play):
    """Of 30 games of two, seats swapped, the captain wins 25 or more and loses 2 at most."""
    wins = losses = 0
    for seed in range(15):
        for bots, captain in ((("captain", "random"), "alice"), (("random", "captain"), "bob")):
            won = winner(play(seed, bots))
            wins += won == captain
            losses += won not in (captain, None)
    assert wins >= 25
    assert losses <= 2


@pytest.mark.parametrize(("count", "games", "drawn"), [(2, 10, 0), (3, 3, 1), (4, 2, 0), (5, 1, 0)])
def test_captains_seek_each_other_until_one_is_left(play, count, games, drawn):
    """They do not go round in circles: within 400 steps, and of so many games few are drawn."""
    played = [play(seed, ("captain",) * count) for seed in range(games)]
    assert all(len(steps) < 400 for steps in played)
    assert list(map(winner, played)).count(None) <= drawn


@pytest.mark.parametrize("bots", [("random",) * 2, ("random",) * 8, ("captain", "random") * 2])
def test_mixed_and_random_games_end(play, bots):
    """Random play ends itself, with captains among it or without."""
    assert max(len(play(seed, bots)) for seed in range(4)) < 600


def test_a_captain_finds_an_opponent_who_never_moves(play):
    """Against someone who misses every deadline it pings, closes in and wins."""
    for seed in range(4):
        assert winner(play(seed, ("captain", "captain"), absent=("bob",))) == "alice"


def test_a_bot_that_has_heard_nothing_says_so():
    """Ordering comes after hearing."""
    for bot in GAME.bots.values():
        with pytest.raises(ValueError, match="heard"):
            bot("alice").order(Dice(b""))


def captain_of(table, player="alice"):
    """A captain who has just heard this position."""
    bot = Captain(player)
    bot.hear(GAME.view(table.state, player), ())
    return bot


def test_a_captain_fires_at_a_contact_in_reach(at):
    """Bob cruises and ends two cells north of Alice, in her lane: she fires north."""
    table = at(turn="bob", alice={"sub": "C2"}, bob={"sub": "E4"})
    bot = captain_of(table)
    step = table.step(bob="cruise D4 C4")
    told = [event.whole() for event in step.events if event.heard_by("alice")]
    bot.hear(GAME.view(step.state, "alice"), told)
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


def heard(table, player, number=None):
    """A captain who has heard all of a game so far from its own reports."""
    captain = Captain(player)
    captain.hear(GAME.view(table.states[0], player), ())
    for state, events in zip(table.states[1:], table.events, strict=True):
        told = [event.whole() for event in events if event.heard_by(player)]
        captain.hear(GAME.view(state, player), told)
    return captain


@pytest.mark.parametrize("players", [2, 3, 5])
def test_whatever_others_do_it_orders_what_is_legal(reach, players):
    """Also one that comes late to a game that it did not steer."""
    for seed in range(4):
        table = reach(players, seed, 25)
        for prompt in GAME.awaited(table.state):
            written = heard(table, prompt.player).order(Dice(b"%d" % seed))
            GAME.read(GAME.view(table.state, prompt.player), written)


def test_it_orders_by_its_reports_and_its_dice_alone(reach):
    """Two captains who have heard the same order the same, asked in whatever order."""
    for seed in range(6):
        table = reach(2, seed, 17)
        for prompt in GAME.awaited(table.state):
            one, two = heard(table, prompt.player), heard(table, prompt.player)
            assert one.order(Dice(b"same")) == two.order(Dice(b"same"))


def test_it_plays_on_from_a_view_without_a_past(at):
    """A captain who takes a seat over has the present view alone."""
    table = at(turn="alice", n=31, alice={"sub": "C3", "left": 0}, bob={"sub": "D4"})
    captain = Captain("alice")
    captain.hear(GAME.view(table.state, "alice"), ())
    assert isinstance(GAME.read(GAME.view(table.state, "alice"), captain.order(Dice(b""))), object)


def test_it_never_resigns(reach):
    """It always gives a command."""
    for seed in range(8):
        table = reach(2, seed, 30)
        for prompt in GAME.awaited(table.state):
            written = heard(table, prompt.player).order(Dice(b"x"))
            assert isinstance(written, Written)
            assert "resign" not in written.orders
            assert written.orders.strip()


def test_it_does_not_do_the_same_for_ever(at):
    """What was ordered from a cell and did not help is ordered less: the same view, heard again and
    again, is answered with one command after the other."""
    table = at(turn="alice", n=31, alice={"sub": "C3", "left": 0}, bob={"sub": "E4"})
    captain = Captain("alice")
    captain.hear(GAME.view(table.state, "alice"), ())
    orders = [captain.order(Dice(b"again")).orders for _ in range(16)]
    assert len(set(orders)) >= 4
    assert max(map(orders.count, orders)) <= 8
