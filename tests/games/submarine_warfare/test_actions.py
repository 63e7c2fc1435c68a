"""The order words, row by row: what each costs, why it cannot be, and what comes of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from games.grid import Cell
from games.submarine_warfare import GAME
from games.submarine_warfare.actions import (
    DEFAULTS,
    ORDERED,
    REASONS,
    carry_out,
    cost,
    reason,
    seen_at,
    word_of,
)
from games.submarine_warfare.turn import Turn
from games.submarine_warfare.word import Command

TABLE = GAME.read_table(GAME.default_table())
HERE = {
    "turn": "alice",
    "alice": {
        "subs": ["a C2 5 down torpedo", "b D2 3 up mine", "c A7 4 down heal", "d A6 5 up sonar"],
        "sunk": ["e armor"],
    },
    "bob": {"subs": ["v D3 5 up heal", "w C6 5 down nullify", "x A5 5 up depth-charge"]},
}


@pytest.fixture
def turn(at):
    """Alice's turn, nothing done."""
    return Turn(at(HERE), "alice")


def test_what_each_line_costs():
    """SW-5, SW-18: order words by rule, specials by the table."""
    costs = {verb: cost(TABLE, Command(verb)) for verb in (*DEFAULTS, *ORDERED)}
    assert costs == {
        "move": 1, "surface": 0, "submerge": 1, "replace": 2,
        "torpedo": 2, "mine": 2, "heal": 2, "sonar": 1, "nullify": 2, "depth-charge": 3,
    }  # fmt: skip
    dear = {**TABLE, "sonar": replace(TABLE["sonar"], ap=4)}
    assert cost(dear, Command("sonar")) == 4


def test_passive_specials_have_no_row():
    """They work by themselves; nor has a word that is none."""
    assert [name for name in TABLE if word_of(TABLE, name) is None] == [
        "armor", "battering-ram", "reactor", "repair",
    ]  # fmt: skip
    assert word_of(TABLE, "frobnicate") is None
    renamed = {"ears": TABLE["sonar"]}
    assert word_of(renamed, "ears") is ORDERED["sonar"]


@pytest.mark.parametrize(
    ("letter", "command", "why"),
    [
        ("e", Command("move", "N"), "destroyed"),
        ("a", Command("mine", "N"), "not-held"),
        ("c", Command("move", "N"), "off-map"),
        ("c", Command("move", "W"), "off-map"),
        ("b", Command("mine", "N"), "scoring-cell"),
        ("b", Command("mine", "W"), "occupied"),
        ("b", Command("mine", "E"), None),
        ("a", Command("replace", "armor"), "held"),
        ("a", Command("replace", "torpedo"), "held"),
        ("a", Command("replace", "nullify"), None),
        ("c", Command("heal", "N"), "off-map"),
        ("c", Command("heal", "E"), "no-target"),
        ("c", Command("heal", "S"), None),
        ("a", Command("torpedo", "N"), None),
        ("a", Command("surface"), None),
        ("b", Command("surface"), None),
    ],
)
def test_why_a_line_cannot_be(turn, letter, command, why):
    """SW-6: the first reason that holds, one that reports have a letter for."""
    assert reason(turn, letter, command) == why
    assert why is None or why in REASONS


def test_reasons_come_in_their_order(turn):
    """SW-6: destroyed before collided, collided before what it holds, that before nullified."""
    turn = replace(turn, collided=("e", "a"))
    assert reason(turn, "e", Command("move", "N")) == "destroyed"
    assert reason(turn, "a", Command("mine", "N")) == "collided"
    side = replace(turn.state.sides["alice"], nullified=("mine",))
    off = turn.at(turn.state.with_side("alice", side))
    assert reason(off, "b", Command("mine", "N")) == "nullified"
    assert reason(off, "c", Command("mine", "N")) == "not-held"
    letters = [letter for letter, _ in REASONS.values()]
    assert letters == sorted(set(letters))


def test_what_may_be_is_judged_by_what_is_seen(turn):
    """SW-6: a hidden enemy in the cell is no reason, and the line fails where nobody sees why."""
    state = turn.state
    assert seen_at(state, "alice", Cell(3, 6)) is None
    assert seen_at(state, "bob", Cell(3, 6)).letter == "w"
    assert seen_at(state, "alice", Cell(4, 3)).letter == "v"
    near = turn.at(state.with_sub(replace(state.sub("b"), at=Cell(2, 6))))
    assert reason(near, "b", Command("mine", "E")) is None
    after = carry_out(near, "b", Command("mine", "E"))
    assert [event.kind for event in after.events] == ["mine", "not-placed"]
    assert after.state.sides["alice"].mines == ()


def test_a_torpedo_hits_the_first_in_its_way(turn):
    """SW-18: friend or foe, within its range, or nobody."""
    assert carry_out(turn, "a", Command("torpedo", "E")).sub("b").hp == 1
    missed = carry_out(turn, "a", Command("torpedo", "N"))
    assert [event.kind for event in missed.events] == ["torpedo"]
    state = turn.state.with_sub(replace(turn.state.sub("w"), at=Cell(3, 5)))
    assert carry_out(turn.at(state), "a", Command("torpedo", "N")).sub("w").hp == 3


def test_depth_charges_hit_all_around_and_not_their_own(turn):
    """SW-18: friend and foe, N E S W, at one moment."""
    state = turn.state.with_sub(replace(turn.state.sub("d"), special="depth-charge"))
    after = carry_out(turn.at(state), "d", Command("depth-charge"))
    struck = [event.fields["sub"] for event in after.events if event.kind == "hit"]
    assert struck == ["c", "x"]
    assert after.sub("d").hp == 5


def test_sonar_finds_what_is_in_range(turn):
    """SW-18: surfaced or not, by letter, for its author alone."""
    after = carry_out(turn, "d", Command("sonar"))
    found = [event for event in after.events if event.kind == "found"]
    assert [event.fields for event in found] == [
        {"sub": "w", "at": "C6"}, {"sub": "x", "at": "A5"},
    ]  # fmt: skip
    assert {event.audience for event in found} == {"alice"}


def test_submerging_below_is_no_event(turn):
    """SW-6: nor is surfacing above."""
    assert carry_out(turn, "a", Command("submerge")) == turn
    assert carry_out(turn, "b", Command("surface")) == turn


def test_a_word_without_a_row_is_a_mistake_of_the_caller(turn):
    """It is named."""
    with pytest.raises(LookupError, match="armor"):
        carry_out(turn, "a", Command("armor"))
