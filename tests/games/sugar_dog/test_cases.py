"""The set of rule cases: names, numbers, what is covered. `tests/games/test_cases.py` runs them."""

from __future__ import annotations

from string import ascii_lowercase

import games
from games.cases import find, read
from games.sugar_dog import GAME

CASES = [read(path) for path in find(games.own_cases(GAME))]


def test_a_case_is_named_for_its_file_and_first_rule():
    """Ids are unique, name the file, and begin with the first rule that they test."""
    for case in CASES:
        assert case.path.stem == case.id
        assert case.id.removeprefix("SD-").rstrip(ascii_lowercase) == str(case.rules[0])
    assert len({case.id for case in CASES}) == len(CASES) > 100
