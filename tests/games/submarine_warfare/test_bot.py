"""The bots: legal, bounded, deterministic, from their own reports; the captain the better one."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import product

import pytest

from games.dice import Dice
from games.game import Deductions, Written
from games.grid import Cell
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

    def _worth(self, turn, temper):
        fleet = turn.state.fleet(turn.player)
        hidden = bot._hidden(turn.state.sides[turn.player].points, fleet)
        return super()._worth(turn, temper) - hidden


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


@pytest.mark.parametrize("bots", [("captain", "captain"), ("random", "captain")])
def test_the_worlds_of_a_captain_look_as_its_own_view_does(play, bots):
    """So that what it may write here it may write there; with nullified reactors too."""
    for seed in range(4):
        captains = {player: Captain(player) for player in ("alice", "bob")}
        for step in play(seed, bots, {"first_ap": 2}):
            for player, captain in captains.items():
                view = GAME.view(step.state, player)
                captain.hear(view, step.heard(player))
                if GAME.outcome(step.state) is None:
                    worlds = captain.worlds(Dice(b"%d" % seed), 3)
                    assert len(worlds) == 3
                    assert {str(GAME.view(world, player).shown) for world in worlds} == {
                        str(view.shown)
                    }
                    assert all(GAME.position(world) for world in worlds)


def test_a_captain_that_heard_nothing_before_guesses_who_began_and_what_is_off(at):
    """The AP in its view tell both."""
    subs = {"subs": ["a A1 5 up reactor"], "nullified": ["reactor"]}
    for table, options in (
        ({"turn": "alice", "first": "alice", "alice": subs}, {"first_ap": 2}),
        ({"turn": "alice", "first": "bob", "round": 3, "alice": subs}, {}),
    ):
        state = at({**table, "bob": {"subs": ["v G7 5 down mine"]}}, **options)
        captain = Captain("alice")
        captain.hear(view := GAME.view(state, "alice"), ())
        for world in captain.worlds(Dice(b"late"), 4):
            assert GAME.view(world, "alice").shown == view.shown


def ranked(at, own, enemy, keep=8):
    """What a captain ranks who sees this: the orders by line."""
    captain = Captain("alice")
    view = GAME.view(at({"turn": "alice", "alice": own, "bob": enemy}), "alice")
    captain.hear(view, ())
    found = captain.ranked(Dice(b"ranked"), keep)
    for one in found:
        GAME.read(view, Written(one.orders))
    assert [one.value for one in found] == sorted((one.value for one in found), reverse=True)
    return [one.orders.split("\n") for one in found]


def test_a_captain_names_a_plan_with_each_special(at):
    """A search may find more in a mine, a sonar or a dive than the captain's values do."""
    subs = ["a A1 5 up mine", "b C2 5 up sonar", "c F2 5 up nullify", "d G1 5 up depth-charge"]
    enemy = {"subs": ["v D7 5 up armor", "w E7 5 down heal"]}
    found = ranked(at, {"subs": subs}, enemy)
    verbs = [{line.split()[1] for line in lines} for lines in found]
    for special in ("mine", "sonar", "nullify", "depth-charge", "submerge"):
        assert any(special in used for used in verbs), special
    assert len(ranked(at, {"subs": subs}, enemy, 1)) == 1


def test_a_captain_shoots_where_one_out_of_sight_must_be(at):
    """Only by one of its guesses: in sight there is nothing to shoot at."""
    subs = [f"{letter} {cell} 5 down torpedo" for letter, cell in (("a", "D4"),)]
    captain = Captain("alice")
    view = GAME.view(at({"turn": "alice", "alice": {"subs": subs},
                         "bob": {"subs": ["v D6 5 down armor"]}}), "alice")  # fmt: skip
    captain.hear(view, ())
    mind = captain.mind
    foes = {"v": replace(mind.foes["v"], cells=frozenset([Cell(4, 6)]))}
    captain._known = Deductions(memory=replace(mind, foes=foes))
    found = captain.ranked(Dice(b"guess"), 8)
    assert any("a torpedo N" in one.orders for one in found)


WHY = [
    ({"subs": ["a A4 5 down salvo"]}, ["v A6 5 up mine"], "a salvo N", "hits v"),
    ({"subs": ["a A4 5 down salvo"]}, ["v A6 2 up mine"], "a salvo N",
     "sinks v if it has at most 3 HP left and no armor"),
    ({"subs": ["a D4 5 up heal"]}, ["v G7 5 up mine"], "", "8 points at D4"),
    (
        {"subs": ["a D4 5 down heal", "b C3 5 up mine"]},
        ["v G7 5 up mine"],
        "b submerge",
        "4 points at D4, 5 in all",
    ),
    ({"subs": ["a A4 5 down torpedo"]}, ["v G7 5 up mine"], "a torpedo N",
     "a shoots where one may be out of sight"),
    ({"subs": ["a A4 5 down mine"]}, ["v G7 5 up mine"], "a mine N", "a mine in A5"),
    ({"subs": ["a A4 5 down sonar"]}, ["v G7 5 up mine"], "a sonar", "a hears who is near"),
    ({"subs": ["a A4 5 down nullify"]}, ["v G7 5 up mine"], "a nullify mine",
     "their mine does nothing in their next turn"),
    ({"subs": ["a A4 5 down heal", "b A5 2 up mine"]}, ["v G7 5 up mine"], "a heal N",
     "b gains 2 HP"),
    ({"subs": ["a A4 5 up torpedo"]}, ["v G7 5 up mine"], "a submerge", "a is out of their sight"),
    ({"subs": ["a A4 5 up torpedo"]}, ["v G7 5 up mine"], "a move E", "a is nearer to D4"),
    ({"subs": ["a A4 5 up torpedo"]}, ["v G7 5 up mine"], "a move N", ""),
]  # fmt: skip


@pytest.mark.parametrize(("own", "enemy", "orders", "why"), WHY)
def test_a_captain_says_what_speaks_for_orders(at, own, enemy, orders, why):
    captain = Captain("alice")
    view = GAME.view(at({"turn": "alice", "alice": own, "bob": {"subs": enemy}}), "alice")
    captain.hear(view, ())
    if "sinks" in why:
        captain.hear(view, [{"for": "*", "kind": "hit", "sub": "v", "amount": 3}])
    assert captain.why(orders) == why


def test_a_captain_says_of_the_setup_what_is_true_of_every_setup():
    captain = Captain("alice")
    captain.hear(GAME.view(GAME.start(GAME.setup(("alice", "bob"), {})), "alice"), ())
    assert captain.why("") == "nobody else is told which specials these are"
    assert captain.worlds(Dice(b""), 2) == ()
