"""Entering a cell: free, taken, mined; and the chains that come of it, event by event."""

from __future__ import annotations

import pytest


def here(alice, bob, *mines):
    """Alice's turn with these submarines, and mines of hers."""
    return {
        "turn": "alice",
        "alice": {"subs": alice, "mines": list(mines)},
        "bob": {"subs": bob},
    }


def told(step):
    """What was told of the turn itself, in order."""
    return [event.kind for event in step.events if event.kind not in ("turn", "scored", "over")]


def test_a_free_cell_is_entered(carried_out, fleet):
    """SW-5: only those hear of it who may."""
    step = carried_out(here(["a C2 5 down heal"], ["v G7 5 down mine"]), "a move W")
    assert fleet(step.state)["a"] == ("B2", 5, "down")
    (moved,) = [event for event in step.events if event.kind == "moved"]
    assert (moved.heard_by("alice"), moved.heard_by("bob")) == (True, False)


@pytest.mark.parametrize(
    ("heading", "start", "beyond"),
    [("N", "C2", "C4"), ("E", "B3", "D3"), ("S", "C4", "C2"), ("W", "D3", "B3")],
)
def test_who_is_struck_is_pushed_on(carried_out, fleet, heading, start, beyond):
    """SW-9: both surface, the mover takes 1 and stays, the struck takes 2 and is pushed."""
    position = here([f"a {start} 5 down heal"], ["v C3 5 down mine"])
    step = carried_out(position, f"a move {heading}")
    assert fleet(step.state) == {"a": (start, 4, "up"), "v": (beyond, 3, "up")}
    assert told(step) == ["surfaced", "surfaced", "collision", "hit", "hit"]
    assert [event.fields.get("sub") for event in step.events[:2]] == ["a", "v"]


def test_who_collides_as_the_mover_does_nothing_more(carried_out, fleet):
    """SW-9: its further lines are void, others' are not."""
    position = here(["a C2 5 down heal", "b G1 5 down mine"], ["v C3 5 down mine"])
    step = carried_out(position, "a move N\na move W\nb move W")
    assert fleet(step.state)["a"][0] == "C2"
    assert fleet(step.state)["b"][0] == "F1"
    (void,) = [event for event in step.events if event.kind == "void"]
    assert void.fields == {"line": 2, "reason": "collided"}


def test_at_the_edge_nobody_is_pushed(carried_out, fleet):
    """SW-10: the struck one stays where it is."""
    step = carried_out(here(["a F7 5 down heal"], ["v G7 5 down mine"]), "a move E")
    assert fleet(step.state) == {"a": ("F7", 4, "up"), "v": ("G7", 3, "up")}


def test_a_chain_passes_on(carried_out, fleet):
    """SW-11: who is pushed into another is the mover of the next collision."""
    position = here(["a A1 5 down heal", "b C1 5 down mine"], ["v B1 5 down mine"])
    step = carried_out(position, "a move E\nb move N")
    assert fleet(step.state) == {"a": ("A1", 4, "up"), "v": ("B1", 2, "up"), "b": ("D2", 3, "up")}
    movers = [event.fields["mover"] for event in step.events if event.kind == "collision"]
    assert movers == ["a", "v"]


def test_who_is_destroyed_is_not_pushed(carried_out, fleet):
    """SW-12: and the event names no cell that it comes to."""
    position = here(["a A1 5 down heal"], ["v B1 2 down mine", "w G7 5 down heal"])
    step = carried_out(position, "a move E")
    assert set(fleet(step.state)) == {"a", "w"}
    (collision,) = [event for event in step.events if event.kind == "collision"]
    assert "to" not in collision.fields
    assert told(step)[-3:] == ["hit", "hit", "destroyed"]


def test_a_battering_ram_deals_more_and_takes_less(carried_out, fleet):
    """SW-18: by the table's numbers."""
    step = carried_out(here(["a A1 5 down battering-ram"], ["v B1 5 down mine"]), "a move E")
    assert fleet(step.state) == {"a": ("A1", 5, "up"), "v": ("C1", 2, "up")}


def test_a_mine_is_set_off_once(carried_out, fleet):
    """SW-18: who comes to it surfaces, then takes its damage; it lies there no more."""
    position = here(["a B2 5 down heal"], ["v G7 5 down heal"], "B3", "F6")
    step = carried_out(position, "a move N\na move S\na move N")
    assert told(step)[:3] == ["moved", "surfaced", "hit"]
    assert told(step).count("hit") == 1
    assert fleet(step.state)["a"] == ("B3", 2, "up")
    assert [str(cell) for cell in step.state.sides["alice"].mines] == ["F6"]


def test_who_is_pushed_into_a_mine_sets_it_off(carried_out, fleet):
    """SW-10: after the collision's damage."""
    position = here(["a B2 5 down heal"], ["v B3 5 down heal", "w G7 5 down mine"], "B4")
    step = carried_out(position, "a move N")
    assert told(step) == [
        "surfaced", "surfaced", "collision", "hit", "hit", "hit", "destroyed",
    ]  # fmt: skip
    assert step.state.sides["alice"].mines == ()
    assert set(fleet(step.state)) == {"a", "w"}
