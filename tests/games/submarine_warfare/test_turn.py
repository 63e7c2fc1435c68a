"""A turn under way: who hears of what, surfacing, damage at one moment, healing."""

from __future__ import annotations

import pytest

from games.game import EVERYONE
from games.submarine_warfare.turn import Blow, Turn, damage, heal, strike, surface, through_armor

HERE = {
    "turn": "alice",
    "alice": {"subs": ["a C2 2 down torpedo", "b D2 3 up mine"]},
    "bob": {"subs": ["v D3 5 up armor", "w G7 2 down nullify"]},
}


@pytest.fixture
def turn(at):
    """Alice's turn, nothing done."""
    return Turn(at(HERE), "alice")


def kinds(turn):
    """What was told, and to whom."""
    return [(event.kind, event.audience) for event in turn.events]


def test_who_hears_of_a_submarine(turn):
    """SW-7: its owner, and everyone while it is surfaced."""
    heard = [turn.audience(turn.sub(letter)) for letter in "abvw"]
    assert heard == ["alice", EVERYONE, EVERYONE, "bob"]


def test_what_is_destroyed_is_not_looked_for(turn):
    """Whoever asks for it has made a mistake; its letter is named."""
    with pytest.raises(LookupError, match="c"):
        turn.sub("c")


def test_surfacing_is_told_of_what_was_submerged(turn):
    """SW-7: in the order given, and once."""
    after = surface(turn, ("w", "b", "a", "w"))
    assert [event.fields["sub"] for event in after.events] == ["w", "a"]
    assert all(after.sub(letter).up for letter in "abvw")
    assert surface(after, "abvw") == after


def test_armor_lets_the_rest_through(turn, at):
    """SW-18: never less than nothing; all of it while armor is nullified."""
    assert through_armor(turn.state, Blow("v", 3)) == 2
    assert through_armor(turn.state, Blow("v", 1)) == through_armor(turn.state, Blow("v", 0)) == 0
    assert through_armor(turn.state, Blow("a", 3)) == 3
    off = at({**HERE, "bob": {**HERE["bob"], "nullified": ["armor"]}})
    assert through_armor(off, Blow("v", 3)) == 3


def test_blows_of_one_moment(turn):
    """SW-19: every `hit`, then every `destroyed`; a blow that armor stops is no event."""
    after = strike(turn, (Blow("a", 2), Blow("v", 1), Blow("w", 9)))
    assert kinds(after) == [
        ("hit", "alice"), ("hit", "bob"), ("destroyed", EVERYONE), ("destroyed", EVERYONE),
    ]  # fmt: skip
    assert after.events[1].told_to("bob")["amount"] == 9
    assert (after.state.sub("a"), after.state.sub("w")) == (None, None)
    assert after.sub("v").hp == 5
    assert [sunk.letter for sunk in after.state.sides["bob"].sunk] == ["w"]


def test_where_a_submarine_sank_is_for_those_who_may_know(turn):
    """SW-7: hidden, for its owner and, in their turn, the other player; surfaced, for all."""
    own = damage(turn, (Blow("a", 2),)).events[-1]
    assert [("at" in own.told_to(name)) for name in ("alice", "bob")] == [True, False]
    assert "at" not in own.public()
    theirs = damage(turn, (Blow("w", 2),)).events[-1]
    assert [("at" in theirs.told_to(name)) for name in ("alice", "bob")] == [True, True]
    assert "at" not in theirs.public()
    assert damage(turn, (Blow("b", 3),)).events[-1].public()["at"] == "D2"


def test_damage_that_no_armor_lessens(turn):
    """SW-16: what a destroyed cell does."""
    assert damage(turn, (Blow("v", 1),)).sub("v").hp == 4
    assert strike(turn, (Blow("v", 1),)).sub("v").hp == 5


def test_healing_has_an_end(turn):
    """SW-8: at 5 HP; who gains nothing is not told of."""
    after = heal(turn, "b", 9)
    assert after.sub("b").hp == 5
    assert after.events[-1].fields == {"sub": "b", "amount": 2}
    assert heal(after, "b", 1) == after
    assert kinds(heal(turn, "a", 1)) == [("healed", "alice")]


def test_a_turn_is_a_value(turn):
    """What comes of it leaves it as it was."""
    before = (turn.state, turn.events)
    strike(surface(turn, "aw"), (Blow("b", 3),))
    assert (turn.state, turn.events) == before
