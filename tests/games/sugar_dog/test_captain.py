"""The captain: from views alone, legal, deterministic, whatever the host tells it."""

from __future__ import annotations

import pytest

from games.dice import Dice
from games.game import Written
from games.sugar_dog import GAME
from games.sugar_dog.captain import Captain


def heard(table, player, number=None):
    """A captain who has heard all of a game so far from its own reports."""
    captain = Captain(player)
    captain.hear(GAME.view(table.states[0], player), ())
    for state, events in zip(table.states[1:], table.events, strict=True):
        told = [event.told_to(player) for event in events if event.heard_by(player)]
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
