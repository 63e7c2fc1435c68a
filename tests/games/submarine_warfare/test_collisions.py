"""Entering a cell: free, taken, mined; and the chains that come of it."""

from __future__ import annotations

import pytest

from games.submarine_warfare.collisions import collide, go, set_off
from games.submarine_warfare.turn import Turn


def turn_of(at, alice, bob, **more):
    """Alice's turn with these submarines."""
    table = {"turn": "alice", "alice": {"subs": alice, **more}, "bob": {"subs": bob}}
    return Turn(at(table), "alice")


def told(turn):
    """What was told, in order."""
    return [event.kind for event in turn.events]


def cells(turn):
    """Where everyone is who is left."""
    subs = (sub for side in turn.state.sides.values() for sub in side.subs)
    return {sub.letter: str(sub.at) for sub in subs}


def test_a_free_cell_is_entered(at):
    """SW-5: and nobody hears of it who may not."""
    turn = go(turn_of(at, ["a C2 5 down heal"], ["v G7 5 down mine"]), "a", "N")
    assert cells(turn)["a"] == "C3"
    assert [(event.kind, event.audience) for event in turn.events] == [("moved", "alice")]
    assert turn.collided == ()


@pytest.mark.parametrize(
    ("heading", "beyond"), [("N", "C4"), ("E", "D3"), ("S", "C2"), ("W", "B3")]
)
def test_who_is_struck_is_pushed_on(at, heading, beyond):
    """SW-9: both surface, the mover takes 1 and stays, the struck takes 2 and is pushed."""
    start = {"N": "C2", "E": "B3", "S": "C4", "W": "D3"}[heading]
    turn = turn_of(at, [f"a {start} 5 down heal"], ["v C3 5 down mine"])
    turn = go(turn, "a", heading)
    assert cells(turn) == {"a": start, "v": beyond}
    assert (turn.sub("a").hp, turn.sub("v").hp) == (4, 3)
    assert turn.sub("a").up
    assert turn.sub("v").up
    assert turn.collided == ("a",)
    assert told(turn) == ["surfaced", "surfaced", "collision", "hit", "hit"]


def test_at_the_edge_nobody_is_pushed(at):
    """SW-10: the struck one stays where it is."""
    turn = go(turn_of(at, ["a F7 5 up heal"], ["v G7 5 up mine"]), "a", "E")
    assert cells(turn) == {"a": "F7", "v": "G7"}
    assert (turn.sub("a").hp, turn.sub("v").hp) == (4, 3)


def test_a_chain_passes_on(at):
    """SW-11: the pushed one is the mover of the next collision; only its own is counted to it."""
    turn = turn_of(at, ["a A1 5 up heal", "b C1 5 up mine"], ["v B1 5 up mine"])
    turn = go(turn, "a", "E")
    assert cells(turn) == {"a": "A1", "v": "B1", "b": "D1"}
    assert {letter: turn.sub(letter).hp for letter in "avb"} == {"a": 4, "v": 2, "b": 3}
    assert turn.collided == ("a", "v")


def test_who_is_destroyed_is_not_pushed(at):
    """SW-12: and the event names no cell that it comes to."""
    turn = go(turn_of(at, ["a A1 5 up heal"], ["v B1 2 up mine", "w G7 5 up heal"]), "a", "E")
    assert cells(turn) == {"a": "A1", "w": "G7"}
    assert told(turn) == ["collision", "hit", "hit", "destroyed"]
    assert "to" not in turn.events[0].fields


def test_a_battering_ram_deals_more_and_takes_less(at):
    """SW-18: by the table's numbers."""
    turn = collide(turn_of(at, ["a A1 5 up battering-ram"], ["v B1 5 up mine"]), "a", "v", "E")
    assert (turn.sub("a").hp, turn.sub("v").hp) == (5, 2)


def test_a_mine_is_set_off_once(at):
    """SW-18: who comes to it surfaces, then takes its damage; it lies there no more."""
    turn = turn_of(at, ["a C2 5 down heal"], ["v G7 5 down heal"], mines=["C3", "D5"])
    turn = go(turn, "a", "N")
    assert told(turn) == ["moved", "surfaced", "hit"]
    assert turn.sub("a").hp == 2
    assert [str(cell) for cell in turn.state.sides["alice"].mines] == ["D5"]
    assert set_off(turn, "a") == turn


def test_who_is_pushed_into_a_mine_sets_it_off(at):
    """SW-10: after the collision's damage."""
    turn = turn_of(at, ["a C2 5 up heal"], ["v C3 5 up heal", "w A7 5 up mine"], mines=["C4"])
    turn = go(turn, "a", "N")
    assert told(turn) == ["collision", "hit", "hit", "hit", "destroyed"]
    assert turn.state.sides["alice"].mines == ()
    assert [sunk.letter for sunk in turn.state.sides["bob"].sunk] == ["v"]
