"""The rule cases of Silent Ships, and that rules, code and cases name each other."""

from __future__ import annotations

import re
from pathlib import Path

import games.silent_ships
from games.cases import find, read

FOLDER = Path(games.silent_ships.__file__).parent
CASES = find(FOLDER / "cases")
NUMBERS = range(1, 20)


def test_each_file_is_named_for_its_case() -> None:
    """A case's file bears its id, so that ids are unique, and there are as many as were asked."""
    assert [read(path).id for path in CASES] == [path.stem for path in CASES]
    assert len(CASES) >= 155


def test_rules_code_and_cases_name_each_other() -> None:
    """Each rule stands in the rules page, in the code that does it, and in a case."""
    page = (FOLDER / "RULES.md").read_text(encoding="utf-8")
    code = "".join(path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.py")))
    held = {number for path in CASES for number in read(path).rules}
    for number in NUMBERS:
        assert re.search(rf"^{number}\. ", page, re.MULTILINE), number
        assert re.search(rf"SS-{number}\b", code), number
        assert number in held, number
    assert held <= set(NUMBERS)
