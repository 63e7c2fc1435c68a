"""The bots: legal, bounded, deterministic, from their own reports; the captain the better one."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from games.dice import Dice
from games.submarine_warfare import GAME, bot
from games.submarine_warfare.bot import Captain


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
def test_hiding_costs_no_games(play, first_ap):
    """Against the captain that never hides, seats swapped: of 20 games it wins as many as that one
    does, or one fewer at most; and it does hide."""
    won, hidden = Counter(), Counter()
    for kind, number in product((Captain, Bold), range(20)):
        me = ("alice", "bob")[number % 2]
        bots = (Bold, kind) if number % 2 else (kind, Bold)
        steps = play(number, bots, {"first_ap": first_ap})
        won[kind] += GAME.outcome(steps[-1].state).winner == me
        lines = [step.written[me].orders for step in steps if me in step.written]
        hidden[kind] += sum(" submerge" in text for text in lines)
    assert won[Captain] >= won[Bold] - 1
    assert hidden[Captain] > hidden[Bold]
