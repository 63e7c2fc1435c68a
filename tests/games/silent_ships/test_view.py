"""What a player may know, and that nothing else reaches them."""

from __future__ import annotations

import itertools
import re
from typing import Any

import pytest
from alike import assert_alike
from hypothesis import given, settings
from hypothesis import strategies as st
from matches import BOTS

from games.game import Written
from games.promises import heard_by
from games.silent_ships import GAME
from games.silent_ships.cards import NAMES

REVEALS = {"flipped", "battle", "swapped"}


def hidden_of(step: Any, watcher: str, player: str) -> list[str]:
    """The ships of `player` of which `watcher` does not know where they are."""
    side = step.before.sides[player]
    seen = GAME.view(step.before, watcher).shown["board"]
    board = [
        ship.name
        for ship in step.before.board.values()
        if ship.owner == player
        and not any(line.startswith(f"{ship.at} ") and len(line.split()) == 4 for line in seen)
    ]
    return [*side.hand, *side.deck, *side.discards, *board]


def renamed(text: str, names: dict[str, str]) -> str:
    """The text with ships' names exchanged."""
    return re.sub("|".join(NAMES), lambda found: names.get(found[0], found[0]), text)


def exchanged(step: Any, player: str, names: dict[str, str]) -> Any:
    """The state before the step with hidden ships of `player` exchanged for one another."""
    written = GAME.position(step.before)
    for pile in ("hand", "deck", "discards"):
        written[player][pile] = [names.get(name, name) for name in written[player][pile]]
    written["board"] = [
        renamed(line, names) if line.split()[1] == player and line.split()[3] in names else line
        for line in written["board"]
    ]
    if "attack" in written and written["turn"] == player:
        attack = written["attack"]
        for key in ("waiting", "given_support"):
            if key in attack:
                attack[key] = [renamed(line, names) for line in attack[key]]
    return GAME.state(step.setup, written)


def same_for(step: Any, watcher: str, player: str, turn: int) -> bool:
    """Exchange the hidden ships of `player` and hold that `watcher` is told the same.

    Returns whether the step itself could be compared: a step that turns ships up rightly tells
    their names, and so does one of a patrol ship.
    """
    names = hidden_of(step, watcher, player)
    at = turn % len(names) if names else 0
    swapped = dict(zip(names, names[at:] + names[:at], strict=True))
    other = exchanged(step, player, swapped)
    assert_alike(GAME, other, step.before, watcher)
    scouts = [ship for ship in step.state.board.values() if ship.up and ship.name == "patrol-ship"]
    if any(event.kind in REVEALS for event in step.events) or scouts:
        return False
    orders = {}
    for name, written in step.written.items():
        text = renamed(written.orders, swapped) if name == player else written.orders
        orders[name] = GAME.read(GAME.view(other, name), Written(text))
    came = GAME.adjudicate(other, orders, step.dice)
    assert heard_by(watcher, came) == step.heard(watcher)
    assert_alike(GAME, came.state, step.state, watcher)
    return swapped != {name: name for name in names}


@settings(max_examples=20, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 7),
    bots=st.sampled_from([("random", "random"), ("captain", "captain"), ("random", "captain")]),
    edition=st.sampled_from(["print", "2021-09-12"]),
    turn=st.integers(1, 10),
    both=st.sampled_from([("alice", "bob"), ("bob", "alice")]),
)
def test_hidden_cards_change_nothing_that_the_other_hears(
    play: Any, seed: int, bots: Any, edition: str, turn: int, both: tuple[str, str]
) -> None:
    """Noninterference: view, questions and unrevealing events stay, whatever lies hidden."""
    for step in itertools.islice(play(seed, bots, {"edition": edition}), 1, 40):
        same_for(step, *both, turn)


@pytest.mark.parametrize("bots", BOTS)
def test_the_public_view_names_no_ship_that_lies_face_down(play: Any, bots: Any) -> None:
    """Nor any card in a hand, a deck or among discards, nor standing orders."""
    for step in play(7, bots):
        shown = GAME.view(step.state, None).shown
        for line in shown["board"]:
            assert len(line.split()) == (4 if " up " in line else 3)
        for name in step.setup.players:
            assert set(shown[name]) == {"hand", "deck", "discards", "sunk", "shuffles"}
            assert all(type(shown[name][key]) is int for key in ("hand", "deck", "discards"))
        assert set(shown.get("attack", {})) <= ATTACK


ATTACK = {"from", "to", "asks", "player", "supports", "no_support", "number"}
"""The keys of an attack that everybody sees."""


def test_many_steps_were_compared(play: Any) -> None:
    """The comparison is not empty: in four games each way, dozens of steps do compare."""
    compared = [
        same_for(step, *both, 3)
        for seed in range(4)
        for both in (("alice", "bob"), ("bob", "alice"))
        for step in itertools.islice(play(seed, ("random", "random")), 1, 40)
    ]
    assert sum(compared) > 60, sum(compared)


SETUP = GAME.setup(("alice", "bob"), {})


@pytest.mark.parametrize("bots", BOTS)
def test_a_view_names_no_ship_that_its_player_may_not_know(play: Any, bots: Any) -> None:
    """Hand, deck, discards and standing orders of the other appear as numbers or not at all."""
    for step in play(11, bots):
        for name, other in (("alice", "bob"), ("bob", "alice")):
            shown = GAME.view(step.state, name).shown
            theirs = {key: value for key, value in shown[other].items() if key != "sunk"}
            assert all(type(value) is int for value in theirs.values())
            assert set(theirs) == {"hand", "deck", "discards", "shuffles"}
            assert type(shown[name]["deck"]) is int
            assert not {"waiting", "given_support", "given_push", "line"} & set(
                shown.get("attack", {})
            )
