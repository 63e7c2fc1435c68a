"""Every rule case of Sugar Dog holds."""

from __future__ import annotations

import pytest

import games
from games.cases import find, read, run
from games.sugar_dog import GAME

CASES = [read(path) for path in find(games.own_cases(GAME))]


@pytest.mark.parametrize("case", CASES, ids=[case.id for case in CASES])
def test_the_case_holds(case):
    """What the case says came about, in full."""
    assert run(case).faults == ()


def test_a_case_is_named_for_its_file_and_first_rule():
    """Ids are unique, name the file, and begin with the first rule that they test."""
    for case in CASES:
        assert case.path.stem == case.id
        assert case.id.removeprefix("SD-").rstrip("abcdefghijklmnop") == str(case.rules[0])
    assert len({case.id for case in CASES}) == len(CASES) > 100
