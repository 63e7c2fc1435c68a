"""The course of a game: what is asked, in which words, and how it goes on."""

from __future__ import annotations

from typing import Any

import pytest

from games.dice import Dice
from games.game import Written
from games.silent_ships import GAME, rules

SETUP = GAME.setup(("alice", "bob"), {})
POSITION: dict[str, Any] = {
    "turn": "alice",
    "board": ["C3 alice down submarine", "C2 bob down speed-boat"],
    "alice": {"hand": ["frigate", "fire-ship", "patrol-ship"], "sunk": ["missile-boat"]},
    "bob": {"hand": ["flag-ship"]},
}


def test_the_second_of_two_like_questions_is_worded_otherwise() -> None:
    """The same two ships in one file twice: the second attack is numbered (SS-12)."""
    state = GAME.state(
        SETUP, {**POSITION, "board": ["C3 alice up patrol-ship", "C2 bob up submarine"]}
    )
    text = "move C3 C2 discard frigate\nmove C3 C2 discard fire-ship\nend"
    orders = {"alice": GAME.read(GAME.view(state, "alice"), Written(text))}
    dice = Dice(b"")
    state = GAME.adjudicate(state, orders, dice).state
    first = GAME.awaited(state)
    assert [prompt.what for prompt in first] == ["retreat C3 C2"]
    orders = {"bob": GAME.read(GAME.view(state, "bob"), Written("stand"))}
    state = GAME.adjudicate(state, orders, dice).state
    assert [prompt.what for prompt in GAME.awaited(state)] == ["retreat C3 C2 2"]


def test_the_turn_goes_on_under_the_same_prompt() -> None:
    """A file without `end` does not move the deadline (SS-15)."""
    state = GAME.state(SETUP, POSITION)
    before = GAME.awaited(state)
    orders = {"alice": GAME.read(GAME.view(state, "alice"), Written("flip C3"))}
    assert GAME.awaited(GAME.adjudicate(state, orders, Dice(b"")).state) == before


def test_everyone_is_awaited_for_the_setup_and_one_for_a_turn() -> None:
    """SS-3: both at once, in seat order; nobody at the end, and then there is a winner."""
    state = rules.start(SETUP)
    assert [(one.player, one.what) for one in rules.awaited(state)] == [
        ("alice", "setup"),
        ("bob", "setup"),
    ]
    assert rules.outcome(state) is None
    over = GAME.state(SETUP, {"over": {"winner": "bob", "how": "country"}})
    assert rules.awaited(over) == ()
    outcome = rules.outcome(over)
    assert outcome is not None
    assert outcome.winner == "bob"


@pytest.mark.parametrize("given", [(), ("alice",), ("bob",), ("alice", "bob")])
def test_whoever_missed_the_setup_has_a_hand_all_the_same(given: tuple[str, ...]) -> None:
    """SS-3, SS-15: the setup decides nothing, so it is the same with or without its files."""
    state = rules.start(SETUP)
    orders = {name: GAME.read(GAME.view(state, name), Written("start")) for name in given}
    step = rules.adjudicate(state, orders, Dice(b"setup"))
    assert step == rules.adjudicate(state, {}, Dice(b"setup"))
    position = GAME.position(step.state)
    for name in ("alice", "bob"):
        cards = (*position[name]["hand"], *position[name]["deck"])
        assert sorted(cards) == sorted(step.state.cards.names)


def test_a_step_changes_nothing_that_it_was_given() -> None:
    """Adjudicated twice, a position gives the same twice and is what it was."""
    state = GAME.state(SETUP, POSITION)
    before = GAME.position(state)
    orders = {"alice": GAME.read(GAME.view(state, "alice"), Written("move C3 C2 discard frigate"))}
    one, two = (rules.adjudicate(state, orders, Dice(b"")) for _ in range(2))
    assert one == two
    assert GAME.position(state) == before
    assert orders == {
        "alice": GAME.read(GAME.view(state, "alice"), Written("move C3 C2 discard frigate"))
    }
