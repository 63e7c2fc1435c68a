"""The position notation: exact both ways, and faults named."""

from __future__ import annotations

import json

import pytest

from games.game import BadPosition
from games.submarine_warfare import GAME


def test_positions_of_whole_games_go_round(play):
    """Every position of a game, the finished one too, is what its notation stands for, also after
    a passage through JSON."""
    for seed in range(12):
        for step in play(seed, ("captain", "random")[:: 1 if seed % 2 else -1]):
            for state in (step.before, step.state):
                written = json.loads(json.dumps(GAME.position(state)))
                again = GAME.state(state.setup, written)
                assert again == state
                assert GAME.position(again) == written
                assert GAME.outcome(again) == GAME.outcome(state)
                assert GAME.awaited(again) == GAME.awaited(state)


def test_drawn_positions_go_round(position, at):
    """So do positions that need not be reachable."""
    for seed in range(200):
        state = at(position(seed))
        assert GAME.state(state.setup, GAME.position(state)) == state


def test_what_is_left_out_is_written_out(at):
    """Defaults: round 1, the first-listed player, row 1, and everything else empty."""
    state = at({"turn": "bob", "alice": {"subs": ["a A1 5 up torpedo"]}})
    assert GAME.position(state) == {
        "turn": "bob",
        "round": 1,
        "first": "alice",
        "alice": {
            "row": 1,
            "points": 0,
            "subs": ["a A1 5 up torpedo"],
            "mines": [],
            "sunk": [],
            "draw": False,
            "nullified": [],
        },
        "bob": {
            "row": 7,
            "points": 0,
            "subs": [],
            "mines": [],
            "sunk": [],
            "draw": False,
            "nullified": [],
        },
    }


A = "a A1 5 up torpedo"
BAD = [
    ({"setup": True, "turn": "alice"}, "setup"),
    ({"setup": 1}, "setup"),
    ({}, "turn"),
    ({"turn": "carol"}, "turn"),
    ({"turn": "alice", "carol": {}}, "carol"),
    ({"turn": "alice", "over": {"winner": "bob", "how": "time"}}, "turn"),
    ({"over": {"winner": "carol", "how": "time"}}, "over.winner"),
    ({"over": {"winner": "bob", "how": "luck"}}, "over.how"),
    ({"over": {"winner": "bob", "draw": True, "how": "agreed"}}, "over"),
    ({"over": "bob"}, "over"),
    ({"over": {"winner": "bob", "how": ["time"]}}, "over.how"),
    ({"over": {"winner": ["bob"], "how": "time"}}, "over.winner"),
    ({"turn": "alice", "round": 0}, "round"),
    ({"turn": "alice", "round": True}, "round"),
    ({"turn": "alice", "first": "carol"}, "first"),
    ({"turn": "alice", "alice": []}, "alice"),
    ({"turn": "alice", "alice": {"sub": []}}, "alice.sub"),
    ({"turn": "alice", "alice": {"row": 2}}, "alice.row"),
    ({"turn": "alice", "alice": {"row": 7}}, "bob.row"),
    ({"turn": "alice", "alice": {"points": -1}}, "alice.points"),
    ({"turn": "alice", "alice": {"draw": 1}}, "alice.draw"),
    ({"turn": "alice", "alice": {"subs": A}}, "alice.subs"),
    ({"turn": "alice", "alice": {"subs": ["a A1 5 up"]}}, "alice.subs"),
    ({"turn": "alice", "alice": {"subs": ["a A1 0 up torpedo"]}}, "alice.subs"),
    ({"turn": "alice", "alice": {"subs": ["a A1 6 up torpedo"]}}, "alice.subs"),
    ({"turn": "alice", "alice": {"subs": ["a A1 12 up torpedo"]}}, "alice.subs"),
    ({"turn": "alice", "alice": {"subs": ["a A1  up torpedo"]}}, "alice.subs"),
    ({"turn": "alice", "alice": {"subs": ["a A8 5 up torpedo"]}}, "alice.subs"),
    ({"turn": "alice", "alice": {"subs": ["a a1 5 up torpedo"]}}, "alice.subs"),
    ({"turn": "alice", "alice": {"subs": ["a A1 5 over torpedo"]}}, "alice.subs"),
    ({"turn": "alice", "alice": {"subs": ["a A1 5 up laser"]}}, "alice.subs"),
    ({"turn": "alice", "alice": {"subs": ["v A1 5 up torpedo"]}}, "alice.subs"),
    ({"turn": "alice", "alice": {"subs": [A, "a A2 5 up heal"]}}, "alice.subs"),
    ({"turn": "alice", "alice": {"subs": [A, "b A2 5 up torpedo"]}}, "alice.subs"),
    ({"turn": "alice", "alice": {"subs": [A], "sunk": ["b torpedo"]}}, "alice.subs"),
    ({"turn": "alice", "alice": {"subs": [A]}, "bob": {"subs": ["v A1 5 up heal"]}}, "bob.subs"),
    ({"turn": "alice", "alice": {"sunk": ["b"]}}, "alice.sunk"),
    ({"turn": "alice", "alice": {"mines": ["H1"]}}, "alice.mines"),
    ({"turn": "alice", "alice": {"mines": [3]}}, "alice.mines"),
    ({"turn": "alice", "alice": {"mines": ["B2"]}, "bob": {"mines": ["B2"]}}, "bob.mines"),
    ({"turn": "alice", "alice": {"nullified": ["laser"]}}, "alice.nullified"),
    ({"turn": "alice", "alice": {"nullified": ["heal", "heal"]}}, "alice.nullified"),
]


@pytest.mark.parametrize(("table", "key"), BAD)
def test_a_fault_is_named_by_its_key(table, key, at):
    """What contradicts itself or the map is refused, and the key said."""
    with pytest.raises(BadPosition) as caught:
        at(table)
    assert f"'{key}'" in str(caught.value)
    assert str(caught.value).isascii()


def test_a_mine_needs_a_table_that_has_one():
    """A table without mines has no position with mines."""
    table = "".join(
        f'[sonar-{number}]\nmechanism = "sonar"\nap = 1\nrange = 2\nsource = "house"\n'
        for number in range(6)
    )
    setup = GAME.setup(["alice", "bob"], {}, table.encode())
    assert GAME.state(setup, {"turn": "alice"}).sides["alice"].mines == ()
    with pytest.raises(BadPosition, match="mines"):
        GAME.state(setup, {"turn": "alice", "bob": {"mines": ["A1"]}})
