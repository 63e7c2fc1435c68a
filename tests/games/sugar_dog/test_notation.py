"""The position notation: round trips, defaults, refusals."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.game import BadPosition
from games.sugar_dog import GAME
from games.sugar_dog.state import Fleet, Torpedo

seeds, lengths = st.integers(0, 2**32), st.integers(0, 60)


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 4), seeds, lengths)
def test_every_position_reached_round_trips(reach, players, seed, steps):
    """State to notation and back is the same state, through JSON too, at every step of a game."""
    for state in reach(players, seed, steps).states:
        written = json.loads(json.dumps(GAME.position(state)))
        assert GAME.state(state.setup, written) == state
        assert GAME.position(GAME.state(state.setup, written)) == GAME.position(state)


def test_what_is_left_out_has_its_default(at):
    """No mines, no torpedoes, left = 3, n = 1, no offers, no contacts; all written out again."""
    state = at(turn="bob", alice={"sub": "C4"}, bob={"sub": "F1", "mines": ["A1"]}).state
    assert GAME.position(state) == {
        "turn": "bob",
        "n": 1,
        "offers": [],
        "contacts": {},
        "alice": {"sub": "C4", "mines": [], "left": 3, "torpedoes": []},
        "bob": {"sub": "F1", "mines": ["A1"], "left": 3, "torpedoes": []},
    }


def test_a_sunk_player_has_no_submarine_and_keeps_the_rest(at):
    """`sunk = true` stands in place of `sub`."""
    state = at(
        turn="bob", alice={"sub": "A1"}, bob={"sub": "A2"}, carol={"sunk": True, "left": 0}
    ).state
    assert state.fleets["carol"] == Fleet(None, left=0)
    assert GAME.position(state)["carol"] == {
        "sunk": True,
        "mines": [],
        "left": 0,
        "torpedoes": [],
    }


def test_a_finished_position_has_no_turn_and_knows_how_it_ended(at):
    """A win, a draw with nobody left, and a draw agreed are told apart by survivors and offers."""
    won = at(alice={"sub": "A1"}, bob={"sunk": True}).state
    assert GAME.outcome(won).winner == "alice"
    lost = at(alice={"sunk": True}, bob={"sunk": True}).state
    assert GAME.outcome(lost).winner is None
    agreed = at(offers=["bob", "alice"], alice={"sub": "A1"}, bob={"sub": "A1"}).state
    assert GAME.outcome(agreed).winner is None
    assert agreed.offers == ("alice", "bob")
    for state in (won, lost, agreed):
        assert GAME.awaited(state) == ()
        assert GAME.state(state.setup, GAME.position(state)) == state


GOOD = {"turn": "alice", "alice": {"sub": "A1"}, "bob": {"sub": "F6"}}


@pytest.mark.parametrize(
    ("change", "key"),
    [
        ({"setup": True}, "setup"),
        ({"setup": False}, "setup"),
        ({"turn": "carol"}, "turn"),
        ({"turn": None}, "turn"),
        ({"turn": ["alice"]}, "turn"),
        ({"n": 0}, "n"),
        ({"n": True}, "n"),
        ({"n": 2**53}, "n"),
        ({"offers": "alice"}, "offers"),
        ({"offers": ["carol"]}, "offers"),
        ({"offers": [["alice"]]}, "offers"),
        ({"offers": ["bob", "bob"]}, "offers"),
        ({"offers": ["alice", "bob"]}, "turn"),
        ({"contacts": ["F1"]}, "contacts"),
        ({"contacts": {"carol": "F1"}}, "contacts.carol"),
        ({"contacts": {"bob": "G1"}}, "contacts.bob"),
        ({"carol": {"sub": "A1"}}, "carol"),
        ({"colour": 1}, "colour"),
        ({"bob": None}, "bob"),
        ({"bob": {}}, "bob"),
        ({"bob": {"sub": "F6", "sunk": True}}, "bob"),
        ({"bob": {"sunk": False}}, "bob.sunk"),
        ({"bob": {"sunk": 1}}, "bob.sunk"),
        ({"bob": {"sunk": True}}, "turn"),
        ({"bob": {"sub": "f6"}}, "bob.sub"),
        ({"bob": {"sub": "F7"}}, "bob.sub"),
        ({"bob": {"sub": 6}}, "bob.sub"),
        ({"bob": {"sub": "F6", "left": 4}}, "bob.left"),
        ({"bob": {"sub": "F6", "left": True}}, "bob.left"),
        ({"bob": {"sub": "F6", "mines": "A1"}}, "bob.mines"),
        ({"bob": {"sub": "F6", "mines": ["A0"]}}, "bob.mines"),
        ({"bob": {"sub": "F6", "torpedoes": ["A1"]}}, "bob.torpedoes"),
        ({"bob": {"sub": "F6", "torpedoes": ["A1 X"]}}, "bob.torpedoes"),
        ({"bob": {"sub": "F6", "torpedoes": ["A1  N"]}}, "bob.torpedoes"),
        ({"bob": {"sub": "F6", "torpedoes": [3]}}, "bob.torpedoes"),
        ({"bob": {"sub": "F6", "depth": 3}}, "bob.depth"),
    ],
)
def test_a_bad_position_is_refused_by_its_key(change, key):
    """BadPosition names the key at fault, and nothing else is raised."""
    setup = GAME.setup(["alice", "bob"], {})
    with pytest.raises(BadPosition, match=f"key '{key}'"):
        GAME.state(setup, {**GOOD, **change})


def test_a_turn_must_stand_while_the_game_goes_on():
    """Without it the position says that the game is over, yet there are two survivors."""
    with pytest.raises(BadPosition, match="key 'turn': expected a surviving player"):
        GAME.state(GAME.setup(["alice", "bob"], {}), {k: GOOD[k] for k in ("alice", "bob")})


def test_a_torpedo_prints_as_it_is_written():
    """The notation of a torpedo is its cell and its heading."""
    setup = GAME.setup(["alice", "bob"], {})
    state = GAME.state(setup, {**GOOD, "bob": {"sub": "F6", "torpedoes": ["F2 S"]}})
    (torpedo,) = state.fleets["bob"].torpedoes
    assert isinstance(torpedo, Torpedo)
    assert str(torpedo) == "F2 S"
