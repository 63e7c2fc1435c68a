"""The order words: what each costs, why it cannot be, and what comes of it."""

from __future__ import annotations

import pytest

from games.game import Illegal, Malformed, Written
from games.submarine_warfare import GAME
from games.submarine_warfare.actions import REASONS

HERE = {
    "turn": "alice",
    "alice": {
        "subs": ["a C2 5 down torpedo", "b D2 3 up mine", "c A7 4 down heal", "d A6 5 up sonar"],
        "sunk": ["e armor"],
    },
    "bob": {"subs": ["v D3 5 up heal", "w C6 5 down nullify", "x A5 5 up depth-charge"]},
}


def expected(why, letter):
    """What a refusal for that reason says."""
    return "expected " + REASONS[why][1].format(letter)


@pytest.mark.parametrize(
    ("line", "ap"),
    [
        ("a move N", 1), ("a surface", 0), ("b submerge", 1), ("a replace reactor", 2),
        ("a torpedo N", 2), ("b mine E", 2), ("c heal S", 2), ("d sonar", 1),
    ],
)  # fmt: skip
def test_what_each_line_costs(at, line, ap):
    """SW-5, SW-18: its label says it, and so many lines fit into a turn's five AP."""
    view = GAME.view(at(HERE), "alice")
    label = next(one.label for one in GAME.after(view, ()).choices if one.text == line)
    assert label.endswith(f", {ap} AP")


def test_specials_cost_what_their_table_says(at):
    """Of a table of one's own too."""
    table = GAME.default_table.replace(
        b'mechanism = "sonar"\nap = 1', b'mechanism = "sonar"\nap = 4'
    )
    state = GAME.state(GAME.setup(("alice", "bob"), {}, table), HERE)
    view = GAME.view(state, "alice")
    GAME.read(view, Written("d sonar\na move N"))
    with pytest.raises(Illegal, match="lines for 5 AP"):
        GAME.read(view, Written("d sonar\na move N\na move N"))


@pytest.mark.parametrize("special", ["armor", "battering-ram", "reactor", "repair"])
def test_passive_specials_are_not_ordered(at, special):
    """They work by themselves."""
    with pytest.raises(Illegal, match="works by itself"):
        GAME.read(GAME.view(at(HERE), "alice"), Written(f"a {special}"))
    with pytest.raises(Malformed, match="in place of 'frobnicate'"):
        GAME.read(GAME.view(at(HERE), "alice"), Written("a frobnicate"))


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("e move N", "destroyed"),
        ("a mine N", "not-held"),
        ("c move N", "off-map"),
        ("c move W", "off-map"),
        ("b mine N", "scoring-cell"),
        ("b mine W", "occupied"),
        ("b mine E", None),
        ("a replace armor", "held"),
        ("a replace torpedo", "held"),
        ("a replace nullify", None),
        ("c heal N", "off-map"),
        ("c heal E", "no-target"),
        ("c heal S", None),
        ("a torpedo N", None),
        ("a surface", None),
        ("b surface", None),
    ],
)
def test_why_a_line_cannot_be(at, line, why):
    """SW-6: refused for the first reason that holds, one that reports have a letter for."""
    view = GAME.view(at(HERE), "alice")
    if why is None:
        GAME.read(view, Written(line))
        return
    with pytest.raises(Illegal) as caught:
        GAME.read(view, Written(line))
    assert caught.value.expected == expected(why, line[0])


def test_reasons_have_a_letter_each_in_their_order():
    """As reports have them."""
    letters = [letter for letter, _ in REASONS.values()]
    assert letters == sorted(set(letters))
    assert {reason: letter for reason, (letter, _) in REASONS.items()} == GAME.voids


def test_what_is_nullified_is_void_and_not_refused(carried_out):
    """SW-6, SW-20: its author does not know of it. A special that is not held is refused first."""
    off = {**HERE, "alice": {**HERE["alice"], "nullified": ["mine"]}}
    step = carried_out(off, "b mine E\nd sonar")
    (void,) = [event for event in step.events if event.kind == "void"]
    assert void.fields == {"line": 1, "reason": "nullified"}
    with pytest.raises(Illegal) as caught:
        carried_out(off, "a mine N")
    assert caught.value.expected == expected("not-held", "a")


def test_what_may_be_is_judged_by_what_is_seen(carried_out):
    """SW-6: a hidden enemy in the cell is no reason, and its author is not told why it failed."""
    near = {**HERE, "alice": {"subs": ["b B6 3 up mine"]}}
    step = carried_out(near, "b mine E")
    assert [event.kind for event in step.events][:2] == ["mine", "not-placed"]
    assert step.state.sides["alice"].mines == ()


def test_a_torpedo_hits_the_first_in_its_way(carried_out, fleet):
    """SW-18: friend or foe, within its range, or nobody."""
    assert fleet(carried_out(HERE, "a torpedo E").state)["b"][1] == 1
    missed = carried_out(HERE, "a torpedo N")
    assert [event.kind for event in missed.events][:1] == ["torpedo"]
    assert "hit" not in [event.kind for event in missed.events]
    nearer = {**HERE, "bob": {"subs": ["w C5 5 down nullify"]}}
    assert fleet(carried_out(nearer, "a torpedo N").state)["w"][1] == 3


def test_sonar_finds_what_is_in_range(carried_out):
    """SW-18: surfaced or not, by letter, for its author alone."""
    step = carried_out(HERE, "d sonar")
    found = [event for event in step.events if event.kind == "found"]
    assert [event.told_to("alice") for event in found] == [
        {"for": "alice", "kind": "found", "sub": "w", "at": "C6"},
        {"for": "alice", "kind": "found", "sub": "x", "at": "A5"},
    ]
    assert not any(event.heard_by("bob") for event in found)


def test_submerging_when_submerged_is_no_event(carried_out):
    """SW-6: nor is surfacing when surfaced. Neither is void."""
    step = carried_out(HERE, "a submerge\nb surface")
    assert [event.kind for event in step.events if event.kind not in ("scored", "turn")] == []
