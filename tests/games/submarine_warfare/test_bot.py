"""The bots: legal, bounded, deterministic, from their own reports; the captain the better one."""

from __future__ import annotations

import pytest

from games.dice import Dice
from games.game import Step
from games.submarine_warfare import GAME, bot
from games.submarine_warfare.bot import Captain


def test_the_captain_beats_random_play(play):
    """Of 24 games, seats swapped after each, it wins 23 or more."""
    wins = 0
    for seed in range(24):
        bots = ("captain", "random") if seed % 2 else ("random", "captain")
        *_, last = play(seed, bots)
        wins += GAME.outcome(last.state).winner == ("alice", "bob")[bots.index("captain")]
    assert wins >= 23


@pytest.mark.parametrize("bots", [("random", "random"), ("captain", "captain")])
@pytest.mark.parametrize("options", [{}, {"rounds": 0}])
def test_games_end(play, bots, options):
    """Within 260 steps, also where no round is the last."""
    for seed in range(8):
        assert len(play(seed, bots, options)) <= 260


def test_bots_agree_on_a_draw_where_nothing_else_ends_a_game(at, play):
    """SW-17: past round 120, which comes only where `rounds` lets it, both kinds offer one."""
    table = {
        "turn": "alice",
        "round": 121,
        "alice": {"subs": ["a A1 5 down repair"]},
        "bob": {"subs": ["v G7 5 down repair"]},
    }
    for kind in ("captain", "random"):
        state = at(table, rounds=0)
        while GAME.outcome(state) is None:
            bot = GAME.bots[kind](state.turn)
            bot.hear(GAME.view(state, state.turn), ())
            text = bot.order(Dice(b"late"))
            orders = {state.turn: GAME.read(GAME.view(state, state.turn), text)}
            state = GAME.adjudicate(state, orders, Dice(b"")).state
        assert GAME.outcome(state).winner is None


@pytest.mark.parametrize("bot", ["captain", "random"])
def test_a_bot_that_has_heard_nothing_says_so(bot):
    """It cannot know the position otherwise."""
    with pytest.raises(ValueError, match="heard"):
        GAME.bots[bot]("alice").order(Dice(b""))


def captain_orders(at, position, events=()):
    """What a captain orders who has just heard that."""
    bot = GAME.bots["captain"]("alice")
    view = GAME.view(at(position), "alice")
    bot.hear(view, ())
    bot.hear(view, events)
    return bot.order(Dice(b"captain")).orders.split("\n")


def test_a_captain_surfaces_where_it_scores(at):
    """It costs nothing and doubles the points."""
    position = {"turn": "alice", "alice": {"subs": ["a D4 5 down heal"]}}
    assert "a surface" in captain_orders(at, {**position, "bob": {"subs": ["v G7 5 down mine"]}})


def test_a_captain_shoots_what_it_sees_and_sinks_what_is_nearly_sunk(at):
    """It counts the hits that it has heard: one that can be sunk goes before one that is whole."""
    position = {
        "turn": "alice",
        "alice": {"subs": ["a A4 5 down torpedo", "b G1 5 up heal"]},
        "bob": {"subs": ["v A6 2 up mine", "w C4 5 up armor"]},
    }
    heard = [{"for": "*", "kind": "hit", "sub": "v", "amount": 3}]
    assert captain_orders(at, position, heard)[0] == "a torpedo N"


def test_a_captain_hides_what_wins_its_next_turn(at):
    """SW-13: with 38 points it scores 4 hidden, and then 8 by surfacing. With 30 points that would
    cost it a turn."""
    enemy = {"subs": ["v D7 5 up torpedo"]}
    for points, hides in ((38, True), (30, False)):
        own = {"points": points, "subs": ["a D4 5 up heal"]}
        lines = captain_orders(at, {"turn": "alice", "alice": own, "bob": enemy})
        assert ("a submerge" in lines) == hides, points


class Bold(Captain):
    """The captain as it was: it never hides for the sake of its next turn."""

    def _worth(self, turn):
        fleet = turn.state.fleet(turn.player)
        return super()._worth(turn) - bot._hidden(turn.state.sides[turn.player].points, fleet)


@pytest.mark.parametrize("first_ap", [5, 2])
def test_hiding_costs_no_games(first_ap):
    """Against the captain that never hides, seats swapped: of 20 games it wins as many as that one
    does, or one fewer at most; and it does hide."""
    plays = [won(number, Captain, first_ap) for number in range(20)]
    usual = [won(number, Bold, first_ap) for number in range(20)]
    assert sum(wins for wins, _ in plays) >= sum(wins for wins, _ in usual) - 1
    assert sum(hidden for _, hidden in plays) > sum(hidden for _, hidden in usual)


def won(number, kind, first_ap):
    """Whether `kind` wins that game against `Bold`, and how often it submerges."""
    players = ("alice", "bob")
    me = players[number % 2]
    bots = {name: kind(name) if name == me else Bold(name) for name in players}
    step = Step(GAME.start(GAME.setup(players, {"first_ap": first_ap})), ())
    hidden = 0
    for turn in range(200):
        for name, one in bots.items():
            heard = [event.whole() for event in step.events if event.heard_by(name)]
            one.hear(GAME.view(step.state, name), heard)
        if GAME.outcome(step.state) is not None:
            break
        orders = {}
        for prompt in GAME.awaited(step.state):
            luck = Dice(f"{number}/{turn}/{prompt.player}".encode())
            text = bots[prompt.player].order(luck)
            hidden += prompt.player == me and " submerge" in text.orders
            orders[prompt.player] = GAME.read(GAME.view(step.state, prompt.player), text)
        step = GAME.adjudicate(step.state, orders, Dice(b"%d" % number))
    return GAME.outcome(step.state).winner == me, hidden
