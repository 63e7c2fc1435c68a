"""The position as values: rings, points announced, AP, and who is where."""

from __future__ import annotations

import pytest

from games.grid import Cell
from games.submarine_warfare import GAME
from games.submarine_warfare.state import (
    BOARD,
    SCORES,
    Sub,
    depth,
    home_row,
    letters,
)

HERE = {
    "turn": "alice",
    "alice": {"subs": ["a C2 5 down reactor", "b D2 3 up mine"], "mines": ["A1"]},
    "bob": {"subs": ["v D3 5 up heal"], "points": 25},
}


@pytest.mark.parametrize(
    ("number", "rings"), [(1, 0), (10, 0), (11, 1), (20, 1), (21, 2), (31, 3), (41, 4), (999, 4)]
)
def test_a_ring_is_destroyed_every_ten_rounds(at, number, rings):
    """SW-16: from the round after on, and no more than there are."""
    assert at({**HERE, "round": number}, rounds=0).rings == rings


def test_depth_counts_cells_to_the_nearest_edge():
    """SW-16: ring by ring inwards; D4 alone is the innermost."""
    depths = [depth(cell) for cell in BOARD.cells()]
    assert [depths.count(ring) for ring in range(4)] == [24, 16, 8, 1]
    assert depth(Cell(4, 4)) == 3
    assert all(depth(cell) >= 2 for cell in SCORES)


def test_action_points_count_reactors_that_work(at):
    """SW-4, SW-18: five, more with a reactor; none from one that is nullified."""
    bobs = {**HERE, "turn": "bob"}
    off = {**HERE, "alice": {**HERE["alice"], "nullified": ["reactor"]}}
    for position, player, ap in ((HERE, "alice", 6), (bobs, "bob", 5), (off, "alice", 5)):
        assert GAME.view(at(position), player).shown["ap"] == ap


def test_points_are_announced_from_25_on(at):
    """SW-14: in seat order."""
    assert at(HERE).reached == ("bob",)
    both = {**HERE, "alice": {**HERE["alice"], "points": 24}}
    assert at(both).reached == ("bob",)
    both["alice"]["points"] = 49
    assert at(both).reached == ("alice", "bob")


def test_who_is_where(at):
    """By cell, whoever owns it; None for an empty cell. Letters tell their owner."""
    state = at(HERE)
    assert state.sub_at(Cell(4, 2)) == Sub("b", Cell(4, 2), 3, True, "mine")
    assert state.sub_at(Cell(4, 3)).letter == "v"
    assert state.sub_at(Cell(1, 1)) is None
    assert state.mined(Cell(1, 1))
    assert not state.mined(Cell(4, 3))
    assert [state.owner(letter) for letter in "aevz"] == ["alice", "alice", "bob", "bob"]
    assert (state.other("alice"), state.other("bob")) == ("bob", "alice")


def test_letters_and_rows_follow_seats_and_the_option():
    """SW-2: letters by seat; row 1 for whom the option names, else for the first-listed."""
    for options, rows in (({}, (1, 7)), ({"row_one": "bob"}, (7, 1))):
        setup = GAME.setup(("alice", "bob"), options)
        assert (home_row(setup, "alice"), home_row(setup, "bob")) == rows
        assert (letters(setup, "alice"), letters(setup, "bob")) == ("abcde", "vwxyz")


def test_nobody_has_anything_before_the_setup():
    """The state of the setup has no sides, so that nothing in it can be seen."""
    state = GAME.start(GAME.setup(("alice", "bob"), {}))
    assert (dict(state.sides), state.turn, state.over) == ({}, None, None)
