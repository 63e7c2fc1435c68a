"""The position as values: the map, what lies where, who is left."""

from __future__ import annotations

import pytest

from games.grid import Cell
from games.sugar_dog import GAME
from games.sugar_dog.state import Fleet, State, Torpedo, board, side

SETUP = GAME.setup(["alice", "bob", "carol"], {})
A1, B2, C3 = Cell(1, 1), Cell(2, 2), Cell(3, 3)


def test_the_map_grows_with_the_players():
    """SD-1: 6 by 6 for two, 2 more for each further player, up to 54."""
    assert [side(players) for players in (2, 3, 4, 26)] == [6, 8, 10, 54]
    assert str(board(SETUP).last) == "H8"


def test_everything_afloat_or_moored_is_listed():
    """Submarine, mines in the order laid, torpedoes; a sunk one leaves the rest."""
    torpedo = Torpedo(C3, "S")
    assert Fleet(A1, (C3, B2), 1, (torpedo,)).objects() == (A1, C3, B2, C3)
    assert Fleet(None, (B2,), 2, (torpedo,)).objects() == (B2, C3)
    assert Fleet(None).objects() == ()
    assert str(torpedo) == "C3 S"


@pytest.fixture
def state():
    """Bob is sunk."""
    fleets = {"alice": Fleet(A1), "bob": Fleet(None), "carol": Fleet(B2)}
    return State(SETUP, fleets, "alice", 4, ("alice", "bob"), {"bob": C3})


def test_a_draw_is_agreed_by_all_who_are_left(state):
    """SD-16: the offers of the sunk neither help nor hinder."""
    assert state.survivors == ("alice", "carol")
    assert not state.agreed
    both = State(SETUP, state.fleets, "alice", 4, ("alice", "carol"))
    assert both.agreed
