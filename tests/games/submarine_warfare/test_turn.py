"""A turn under way: who hears of what, surfacing, damage at one moment, healing."""

from __future__ import annotations

HERE = {
    "turn": "alice",
    "alice": {"subs": ["a B2 2 down depth-charge", "b C2 3 up heal"]},
    "bob": {"subs": ["v B3 5 up armor", "w A2 2 down nullify", "x G7 5 down mine"]},
}


def events(step, kind):
    """The events of a kind, in order."""
    return [event for event in step.events if event.kind == kind]


def heard(event):
    """Who hears it, and their share of it."""
    return {name: event.told_to(name) for name in ("alice", "bob") if event.heard_by(name)}


def test_surfacing_is_told_of_what_was_submerged(carried_out, fleet):
    """SW-7: once; and from then on everybody hears of it."""
    step = carried_out(HERE, "a surface\na surface\nb surface\na move S")
    assert [event.fields["sub"] for event in events(step, "surfaced")] == ["a"]
    assert set(heard(events(step, "moved")[0])) == {"alice", "bob"}
    hidden = carried_out(HERE, "a move S\na surface")
    assert set(heard(events(hidden, "moved")[0])) == {"alice"}
    assert fleet(hidden.state)["a"] == ("B1", 2, "up")


def test_blows_of_one_moment(carried_out, fleet):
    """SW-19: every `hit`, N E S W, then every `destroyed`; armor lets the rest through."""
    step = carried_out(HERE, "a depth-charge")
    struck = [(event.fields["sub"], event.fields["amount"]) for event in events(step, "hit")]
    assert struck == [("v", 1), ("b", 2), ("w", 2)]
    kinds = [event.kind for event in step.events]
    assert kinds.index("destroyed") > max(at for at, kind in enumerate(kinds) if kind == "hit")
    assert fleet(step.state)["v"][1] == 4
    assert fleet(step.state)["b"][1] == 1
    assert "w" not in fleet(step.state)
    assert [sunk.letter for sunk in step.state.sides["bob"].sunk] == ["w"]


def test_armor_that_is_nullified_lets_all_through(carried_out, fleet):
    """SW-18: armor that works stops a blow of 1."""
    off = {**HERE, "bob": {**HERE["bob"], "nullified": ["armor"]}}
    assert fleet(carried_out(off, "a depth-charge").state)["v"][1] == 3
    near = {**HERE, "alice": {"subs": ["a B2 5 down torpedo"]}}
    mover = {**near, "turn": "bob", "bob": {"subs": ["v B3 5 up armor", "x G7 5 down mine"]}}
    step = carried_out(mover, "v move S")
    assert fleet(step.state)["v"][1] == 5
    assert [event.fields["sub"] for event in events(step, "hit")] == ["a"]


def test_where_a_submarine_sank_is_for_those_who_may_know(carried_out):
    """SW-7: hidden, for its owner and, in their turn, the other player; surfaced, for all."""
    (theirs,) = events(carried_out(HERE, "a depth-charge"), "destroyed")
    assert "at" not in theirs.public()
    assert [told["at"] for told in heard(theirs).values()] == ["A2", "A2"]
    weak = {**HERE, "alice": {"subs": ["a B2 2 down depth-charge", "b C2 1 up heal"]}}
    surfaced = events(carried_out(weak, "a depth-charge"), "destroyed")[0]
    assert (surfaced.fields["sub"], surfaced.public()["at"]) == ("b", "C2")
    bobs = {
        "turn": "alice",
        "round": 11,
        "alice": {"subs": ["a A1 1 down heal", "b D2 5 down mine"]},
        "bob": {"subs": ["v F6 5 down heal"]},
    }
    burnt = events(carried_out(bobs, ""), "destroyed")
    assert [event.fields["sub"] for event in burnt] == ["a"]
    assert set(burnt[0].told_to("alice")) - set(burnt[0].told_to("bob")) == {"at"}


def test_damage_that_no_armor_lessens(carried_out, fleet):
    """SW-16: what a destroyed cell does."""
    position = {
        "turn": "alice",
        "round": 11,
        "alice": {"subs": ["a A1 3 up armor"]},
        "bob": {"subs": ["v F6 5 down heal"]},
    }
    assert fleet(carried_out(position, "").state)["a"][1] == 2


def test_healing_has_an_end(carried_out, fleet):
    """SW-8: at 5 HP. A healing that gains nothing is not told."""
    position = {
        "turn": "alice",
        "alice": {"subs": ["a B2 4 down torpedo", "b C2 5 up heal"]},
        "bob": {"subs": ["x G7 5 down mine"]},
    }
    step = carried_out(position, "b heal W\nb heal W")
    assert fleet(step.state)["a"][1] == 5
    assert [event.fields for event in events(step, "healed")] == [{"sub": "a", "amount": 1}]
    assert len(events(step, "heal")) == 2
    assert set(heard(events(step, "healed")[0])) == {"alice"}
