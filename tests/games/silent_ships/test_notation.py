"""The position notation: it holds everything, and refuses what it does not know."""

from __future__ import annotations

import json
from typing import Any

import pytest

from games.game import BadPosition
from games.silent_ships import GAME

SETUP = GAME.setup(("alice", "bob"), {})
GOOD: dict[str, Any] = {
    "turn": "alice",
    "board": ["A2 alice down frigate", "A3 bob up submarine"],
    "alice": {"hand": ["speed-boat"]},
    "bob": {"hand": ["fire-ship"]},
}
ATTACK: dict[str, Any] = {"from": "A2", "to": "A3", "asks": "retreat", "player": "bob"}


def test_every_position_of_a_game_round_trips(play: Any, bots: Any, edition: str) -> None:
    """A state is its position, through canonical JSON as through TOML's values."""
    for seed in range(3):
        for step in play(seed, bots, {"edition": edition}):
            for state in (step.before, step.state):
                written = GAME.position(state)
                again = json.loads(json.dumps(written))
                assert GAME.state(step.setup, again) == state
                assert GAME.position(GAME.state(step.setup, again)) == written


def test_what_is_left_out_is_written_in_full() -> None:
    """A short position comes back with every key."""
    written = GAME.position(GAME.state(SETUP, {**GOOD, "attack": ATTACK}))
    side = {"deck": [], "discards": [], "sunk": [], "shuffles": 0}
    asks = {"retreat": "ask", "support": "ask"}
    assert written == {
        "turn": "alice",
        "board": GOOD["board"],
        "idle": 0,
        "active": False,
        "offers": [],
        "alice": {**side, "hand": ["speed-boat"], "standing": asks},
        "bob": {**side, "hand": ["fire-ship"], "standing": asks},
        "attack": {
            **ATTACK,
            "supports": [],
            "no_support": False,
            "number": 1,
            "waiting": [],
            "line": 1,
        },
    }


def test_a_setup_position_keeps_what_was_laid_down() -> None:
    """`setup = true` stands alone, or with decks that are not to be shuffled."""
    assert GAME.position(GAME.start(SETUP)) == {"setup": True}
    laid = {"setup": True, "bob": {"deck": ["frigate"]}}
    written = GAME.position(GAME.state(SETUP, laid))
    assert written["bob"]["deck"] == ["frigate"]
    assert "alice" not in written
    assert GAME.position(GAME.state(SETUP, written)) == written


@pytest.mark.parametrize(
    ("change", "key"),
    [
        ({"turn": "carol"}, "turn"),
        ({"turn": None}, "turn"),
        ({"fleet": []}, "fleet"),
        ({"board": "A2"}, "board"),
        ({"board": ["A2 alice down"]}, "board"),
        ({"board": ["A2 alice sideways frigate"]}, "board"),
        ({"board": ["A9 alice down frigate"]}, "board"),
        ({"board": ["A2 carol down frigate"]}, "board"),
        ({"board": ["A2 alice down galleon"]}, "board"),
        ({"board": ["A2 alice down frigate", "A2 bob up submarine"]}, "board"),
        ({"alice": {"hand": ["galleon"]}}, "alice.hand"),
        ({"alice": {"hand": 3}}, "alice.hand"),
        ({"alice": {"fleet": []}}, "alice.fleet"),
        ({"alice": []}, "alice"),
        ({"bob": {"shuffles": -1}}, "bob.shuffles"),
        ({"bob": {"shuffles": True}}, "bob.shuffles"),
        ({"bob": {"standing": {"retreat": "no"}}}, "bob.standing.retreat"),
        ({"bob": {"standing": {"discard": ["x"]}}}, "bob.standing.discard"),
        ({"idle": "2"}, "idle"),
        ({"active": 1}, "active"),
        ({"offers": ["carol"]}, "offers"),
        ({"setup": True}, "turn"),
        ({"over": {"winner": "alice", "how": "country"}}, "turn"),
        ({"over": {"winner": "carol", "how": "country"}, "turn": None}, "over.winner"),
        ({"attack": {**ATTACK, "asks": "advice"}}, "attack.asks"),
        ({"attack": {**ATTACK, "player": "alice"}}, "attack.player"),
        ({"attack": {**ATTACK, "from": "B2"}}, "attack"),
        ({"attack": {**ATTACK, "from": "A3", "to": "A2"}}, "attack"),
        ({"attack": {**ATTACK, "supports": ["Z9"]}}, "attack.supports"),
        ({"attack": {**ATTACK, "given_support": ["B2"]}}, "attack.given_support"),
        ({"attack": {**ATTACK, "waiting": "end"}}, "attack.waiting"),
        ({"attack": {**ATTACK, "number": 0}}, "attack.number"),
        ({"attack": {**ATTACK, "mood": 1}}, "attack.mood"),
    ],
)
def test_a_bad_position_is_refused_by_the_name_of_its_key(change: Any, key: str) -> None:
    """BadPosition names the key at fault."""
    with pytest.raises(BadPosition, match=f"{key!r}"):
        GAME.state(SETUP, {**GOOD, **change})
