"""The measure of rule cases is itself measured: which changes it makes, and what it sees of them.

It makes every sort of change, sees survivors, and accounts for all of them.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
sys.path.insert(0, str(TESTS))

from mutants import Suite  # noqa: E402 - a command beside the tests, not a package
from mutations import mutants  # noqa: E402

SOURCE = '''\
"""A module."""
from __future__ import annotations

MINES: int = 3


def left(laid: int, sunk: bool) -> int:
    """How many are left."""
    if laid < 0 or sunk:
        raise ValueError("expected more than that")
    count = MINES - laid
    return count


def kind(word: str) -> str:
    match word:
        case "mine":
            return f"{word}s"
    return "a sentence for people"
'''


def test_every_sort_of_change_is_made_and_no_other() -> None:
    """Comparisons, sums, conditions, constants, statements; no docstring, annotation, sentence."""
    found = [(mutant.at, mutant.change) for mutant in mutants(SOURCE, "game.rules")]
    assert found == [
        ("rules.MINES", "3 -> 4"),
        ("rules.MINES", "3 -> 2"),
        ("rules.left", "laid < 0 or sunk -> not laid < 0 or sunk"),
        ("rules.left", "laid < 0 or sunk -> laid < 0 and sunk"),
        ("rules.left", "laid < 0 or sunk -> sunk"),
        ("rules.left", "laid < 0 or sunk -> laid < 0"),
        ("rules.left", "laid < 0 -> laid <= 0"),
        ("rules.left", "laid < 0 -> laid > 0"),
        ("rules.left", "0 -> 1"),
        ("rules.left", "left out"),
        ("rules.left", "left out"),
        ("rules.left", "MINES - laid -> MINES + laid"),
        ("rules.left", "left out"),
        ("rules.kind", "left out"),
        ("rules.kind", "'mine' -> 'mine_'"),
        ("rules.kind", "left out"),
        ("rules.kind", "f'{word}s' -> f'{word}s_'"),
        ("rules.kind", "left out"),
    ]


forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="mutants run in forked processes")


@forks
def test_survivors_are_seen_and_the_killed_are_not() -> None:
    """With no case at all every mutant survives; with all cases, those that change nothing."""
    suite = Suite("sugar-dog")
    suite.prepare()
    found = suite.mutants(["state"])
    assert len(found) > 20
    same = {(entry["at"], entry["line"], entry["change"]) for entry in suite.listed["same"]}
    assert all(mutant.key in same for mutant in suite.survivors(found, 1))
    suite.cases = []
    assert len(list(suite.survivors(found, 2))) == len(found)


@forks
def test_the_command_accounts_for_every_mutant_of_a_module() -> None:
    """Its last line is the score, and it ends with 0."""
    done = subprocess.run(
        [sys.executable, str(TESTS / "mutants.py"), "sugar-dog", "--module", "rules"],
        capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1].endswith("0 survive: 100.0 %")


@pytest.mark.parametrize("game", ["silent-ships", "submarine-warfare", "sugar-dog"])
def test_the_rules_page_tells_a_score_of_these_rules(game: str) -> None:
    """Its sum is right, and within a twentieth of the number of changes that are made now.

    If it is not, run the command again and put its last line on the page.
    """
    page = (TESTS.parent / "games" / game.replace("-", "_") / "RULES.md").read_text("utf-8")
    told = re.search(r"Of ([0-9,]+) small changes .* notice ([0-9,]+)\.\nThe other (\d+)", page)
    assert told
    made, killed, nothing = (int(number.replace(",", "")) for number in told.groups())
    assert made == killed + nothing
    suite = Suite(game)
    found = suite.mutants(())
    same = {(entry["at"], entry["line"], entry["change"]) for entry in suite.listed["same"]}
    assert abs(len(found) - made) <= made // 20
    # Of two changes of a line that look alike one may be noticed, and the other not.
    assert len(same) <= nothing <= sum(mutant.key in same for mutant in found)
    words = {entry["at"] for entry in suite.listed["words"]}
    suite.listed = {}
    assert words <= {mutant.at for mutant in suite.mutants(())}, "words of places that are gone"
