"""The events, each as a sentence."""

from __future__ import annotations

import re
from itertools import pairwise

from games.submarine_warfare import GAME
from games.submarine_warfare.events import VOID
from games.submarine_warfare.orders import REASONS


def test_the_end_is_told_with_its_reason():
    """A winner, the organiser, and a draw."""
    assert GAME.news({"kind": "over", "winner": "bob", "how": "fifty"}) == (
        "The game is over: bob wins (50 points)."
    )
    assert "host wins" in GAME.news({"kind": "over", "winner": "host", "how": "none-left"})
    assert GAME.news({"kind": "over", "draw": True, "how": "agreed"}) == (
        "The game is a draw: agreed."
    )


def test_a_destruction_out_of_sight_is_told_without_its_place():
    """SW-7: and a healing without its target."""
    assert GAME.news({"kind": "destroyed", "sub": "v"}) == "v is destroyed."
    assert GAME.news({"kind": "destroyed", "sub": "v", "at": "C4"}) == "v is destroyed in C4."
    assert GAME.news({"kind": "heal", "sub": "a"}) == "a heals a submarine out of sight."


def told(*events):
    """The sentences for alice."""
    view = GAME.view(GAME.start(GAME.setup(("alice", "bob"), {})), "alice")
    return [(one.text, one.cells) for one in GAME.told(view, events)]


def test_moves_in_a_row_are_told_of_each_submarine_by_itself():
    """With every cell of the way."""
    ways = (("w", "C6"), ("w", "C5"), ("x", "D6"), ("x", "D5"), ("w", "C4"), ("a", "A2"))
    assert told(*({"kind": "moved", "sub": sub, "at": at} for sub, at in ways)) == [
        ("w moves to C6, then C5.", ("C6", "C5")),
        ("x moves to D6, then D5.", ("D6", "D5")),
        ("w moves to C4.", ("C4",)),
        ("a moves to A2.", ("A2",)),
    ]


def test_what_goes_together_is_one_sentence():
    """Where the other side starts, one's own being known; a hit, with what was heard before."""
    starts = (("a", "A1"), ("b", "B1"), ("v", "A7"), ("w", "B7"))
    assert told(*({"kind": "placed", "sub": sub, "at": at} for sub, at in starts)) == [
        ("v starts in A7; w in B7.", ("A7", "B7"))
    ]
    ram = {"mover": "b", "at": "D5", "struck": "w", "struck_at": "D6", "to": "D7"}
    assert told(
        {"kind": "torpedo", "sub": "a", "at": "A7", "heading": "N"},
        {"kind": "hit", "sub": "v", "amount": 2},
        {"kind": "collision", **ram},
        {"kind": "hit", "sub": "b", "amount": 1},
        {"kind": "hit", "sub": "w", "amount": 2},
        {"kind": "torpedo", "sub": "a", "at": "A6", "heading": "N"},
    ) == [
        ("a in A7 fires a torpedo N; v takes 2 damage.", ("A7",)),
        (
            "b in D5 runs into w in D6 and pushes it to D7; b takes 1 damage; w takes 2 damage.",
            ("D5", "D6", "D7"),
        ),
        ("a in A6 fires a torpedo N.", ("A6", "A7")),
    ]


LOUD = ("torpedo", "depth-charge", "collision", "surfaced")


def hits(events):
    """Every hit of a step, seen or not, behind what did it."""
    doer = None
    for event in events:
        if event.kind == "hit":
            yield doer, event
        elif not event.kind.startswith("destroyed"):
            doer = event


def test_what_hit_out_of_sight_is_laid_to_nothing_that_was_heard(play):
    """SW-20: in whole games such hits come right after what a player heard, which had not done it.
    No sentence says that it had."""
    chance = 0
    for step in (step for seed in range(6) for step in play(seed=seed)):
        doers = {id(hit): doer for doer, hit in hits(step.events)}
        for player in step.setup.players:
            heard = [event for event in step.events if event.heard_by(player)]
            for before, event in pairwise(heard):
                if event.kind == "hit" and before.kind in LOUD:
                    chance += doers[id(event)] is not before
            said = GAME.told(step.game.view(step.state, player), step.heard(player))
            assert not [one.text for one in said if re.search(r": [a-z] takes", one.text)]
    assert chance > 0


def test_every_reason_is_told_in_words():
    """SW-6: those for which a line is void."""
    assert VOID.keys() == REASONS.keys()
    said = {GAME.news({"kind": "void", "line": 2, "reason": reason}) for reason in VOID}
    assert "Your line 2 was not carried out: that submarine had collided." in said
    assert len(said) == len(VOID)
