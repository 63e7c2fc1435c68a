"""What the rule cases cover beside the rules; `tests/games/test_rule_numbers.py` has these."""

from __future__ import annotations

import games
from games.cases import find, read
from games.submarine_warfare import GAME

CASES = [read(path) for path in find(games.own_cases(GAME))]


def test_every_special_has_its_cases():
    """Each special, and each reason for a void."""
    words = {
        word for case in CASES for step in case.data.get("step", ()) for word in words_of(step)
    }
    assert set(GAME.setup(["alice", "bob"], {}).table) <= words
    reasons = "destroyed collided not-held nullified off-map scoring-cell occupied held no-target"
    assert {f"void {reason}" for reason in reasons.split()} <= words


def words_of(step):
    """Kinds of events that a step expects, words of its orders, `void` with its reason."""
    for event in step.get("events", ()):
        yield event["kind"]
        yield f"{event['kind']} {event.get('reason', '')}"
    for text in step["orders"].values():
        yield from text.split()
