"""A turn under way changes what is its own, and nothing of the position that it began with."""

from __future__ import annotations

from games.game import Event
from games.grid import Cell
from games.sugar_dog import GAME
from games.sugar_dog.state import Fleet, State
from games.sugar_dog.turn import Turn

SETUP = GAME.setup(["alice", "bob"], {})
A1, B2 = Cell(1, 1), Cell(2, 2)
BEFORE = State(SETUP, {"alice": Fleet(A1), "bob": Fleet(B2)}, "alice", 3, (), {})


def test_the_position_before_stays_as_it_was():
    """Fleets and contacts are changed in the turn's own state at once."""
    turn = Turn(BEFORE)
    turn.fleets["bob"] = Fleet(None)
    turn.contacts["alice"] = B2
    assert turn.state.fleets["bob"] == Fleet(None)
    assert turn.state.contacts == {"alice": B2}
    assert BEFORE.fleets["bob"] == Fleet(B2)
    assert BEFORE.contacts == {}


def test_events_are_told_in_their_order():
    """Each after those before."""
    turn = Turn(BEFORE)
    one, two, three = (Event(kind, "*", {}) for kind in ("contact", "clear", "over"))
    turn.tell(one)
    turn.tell(two, three)
    assert turn.events == [one, two, three]


def test_a_turn_goes_on_until_nobody_has_it():
    """Then the game is over."""
    turn = Turn(BEFORE)
    assert turn.state.turn == "alice"
    turn.whose = None
    assert turn.state.turn is None
