"""What a seat can work out of Submarine Warfare: what holds whatever happens out of sight."""

from __future__ import annotations

import pytest
from example import worked_out

from games.dice import Dice
from games.game import Written
from games.promises import heard_by
from games.submarine_warfare import GAME

ALICE = ["a A1 5 up torpedo", "b B1 5 up sonar", "c C1 5 up reactor"]
BOB = ["v C4 5 up torpedo", "w G7 5 up heal"]


@pytest.fixture
def told(at):
    """`told(position, *turns)`: what alice can work out after these turns, as pairs of a player and
    order lines, the position being the first that she is shown."""

    def call(position, *turns):
        written = ({player: "\n".join(lines)} for player, *lines in turns)
        return worked_out(GAME, at(position), *written)

    return call


def position(turn="bob", bob=BOB, alice=ALICE, **more):
    return {"turn": turn, "alice": {"subs": alice}, "bob": {"subs": bob}, **more}


def test_what_submerges_is_as_far_as_the_ap_that_nobody_saw_spent(told):
    """SW-4: 5 and a reactor's 1; submerging took one, and the move that was seen another."""
    found = told(position(), ("bob", "v move N", "v submerge", "v move E"))
    cells = found.may["v's cell"]
    assert "D5" in cells
    assert "G5" in cells  # C5 and four more
    assert "C1" not in cells  # that is alice's own c
    assert "A1" not in cells
    assert "G6" not in cells  # five cells from C5
    assert "v was last seen in C5, in round 1" in found.notes


def test_surfaced_enemies_have_no_cell_to_be_worked_out(told):
    """It stands in the view."""
    assert "v's cell" not in told(position(), ("bob", "stop")).may


def test_nothing_hidden_moves_in_ones_own_turn(told):
    """So a cell that was entered freely is empty, and so is one where a sonar finds nothing."""
    hidden = position("alice", ["v D4 5 down torpedo"], ["a A1 5 up sonar", "b G1 5 up torpedo"])
    assert len(told(hidden, ("alice", "stop")).may["v's cell"]) == 49 - 2
    found = told(hidden, ("alice", "a move N", "a sonar")).may["v's cell"]
    assert not {"A2", "A3", "A4", "B3", "C2"} & {*found}
    assert {"A5", "D2", "B4"} <= {*found}
    near = position("alice", ["v A3 5 down torpedo"], ["a A1 5 up sonar"])
    assert told(near, ("alice", "a sonar")).may["v's cell"] == ("A3",)


def test_own_mines_lie_where_nobody_is(told):
    """SW-18: a mine is not placed on a submarine, and who comes to it surfaces."""
    hidden = position("alice", ["v D4 5 down torpedo"], ["a A1 5 up mine"])
    assert "A2" not in told(hidden, ("alice", "a mine N")).may["v's cell"]


def test_hits_that_were_seen_count_and_others_may_have_been(told):
    """SW-7: hits on what is surfaced are heard. Out of sight there may have been harm and help."""
    start = position("alice", ["v A3 5 up torpedo"], ["a A1 5 up salvo"])
    seen = told(start, ("alice", "a salvo N"))
    assert seen.may["v's HP"] == (1, 2)
    assert seen.memory.foes["v"].likely == 2
    after = told(start, ("alice", "a salvo N"), ("bob", "v submerge"))
    assert after.may["v's HP"] == (1, 2, 3, 4, 5)
    shown = told(start, ("alice", "a salvo N"), ("bob", "stop"))
    assert shown.may["v's HP"] == (1, 2)


def test_points_lie_between_what_was_seen_and_what_may_have_been(told):
    """SW-13: D4 surfaced is 8 a turn, submerged 4 at most; SW-14: 25 are announced."""
    up = position("bob", ["v D4 5 up torpedo"])
    low, high = ends(told(up, ("bob", "stop")))
    assert (low, high) == (8, 24)
    hidden = ends(told(up, ("bob", "v submerge", "v move N")))
    assert hidden == (0, 24)
    many = {**up, "bob": {"subs": ["v D4 5 up torpedo"], "points": 20}}
    assert ends(told(many, ("bob", "stop"))) == (25, 32)


def ends(found):
    points = found.may["bob's points"]
    return points[0], points[-1]


def test_from_the_setup_on_all_is_known(play):
    """Everything starts surfaced, whole and without a point."""
    first = next(iter(play(1, ("captain", "captain"))))
    found = GAME.deduced(GAME.view(first.state, "alice"), first.heard("alice"), None)
    assert found.may["v's HP"] == (5,)
    assert found.may["bob's points"] == (0,)


def test_specials_that_were_seen_at_work_are_noted(told):
    """SW-7: who is surfaced is seen at it."""
    found = told(position(), ("bob", "v torpedo S"))
    assert "v used a torpedo in round 1" in found.notes


def test_a_ruling_tells_nothing_new(told, at):
    """A report without events leaves all as it was, whoever's turn it is."""
    state = at(position("bob", ["v D4 5 down torpedo"]))
    view = GAME.view(state, "alice")
    once = GAME.deduced(view, [], None)
    assert GAME.deduced(view, [], once).may == once.may


def test_the_first_report_of_a_seat_is_taken_by_its_view_alone(at):
    """It does not tell whose turn its events belong to: bob may have moved and mended unseen."""
    state = at(position("bob", ["v C4 5 up heal"]))
    orders = {"bob": GAME.read(GAME.view(state, "bob"), Written("v submerge\nv move N"))}
    step = GAME.adjudicate(state, orders, Dice(b""))
    found = GAME.deduced(GAME.view(step.state, "alice"), heard_by("alice", step), None)
    truth = GAME.truth(step.state, "alice")
    assert truth.keys() == found.may.keys()
    assert all(truth[name] in may for name, may in found.may.items())
    assert len(found.may["v's cell"]) == 49 - 3


def test_nothing_is_left_to_be_worked_out_of_a_game_that_is_over(at):
    """The reveal opens it."""
    state = at({"over": {"winner": "alice", "how": "fifty"}, "alice": {"subs": ALICE}, "bob": {}})
    assert GAME.deduced(GAME.view(state, "alice"), [], None).may == {}
    assert GAME.truth(state, "alice") == {}
