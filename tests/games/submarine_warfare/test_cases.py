"""The set of rule cases: names, numbers, what is covered. `tests/games/test_cases.py` runs them."""

from __future__ import annotations

import re

import games
from games.cases import find, read
from games.submarine_warfare import GAME

CASES = [read(path) for path in find(games.own_cases(GAME))]


def test_a_case_is_named_for_its_file_and_first_rule():
    """Ids are unique, name the file, and begin with the first rule that they test."""
    for case in CASES:
        assert case.path.stem == case.id
        assert re.fullmatch(r"SW-([0-9]+)[a-z]{1,2}", case.id)[1] == str(case.rules[0])
    assert len({case.id for case in CASES}) == len(CASES) > 200


def test_every_rule_and_every_special_has_its_cases():
    """Each number of the rules page is tested; each special, and each reason for a void."""
    assert {rule for case in CASES for rule in case.rules} == set(range(1, 21))
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
