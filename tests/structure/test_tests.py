"""Tests where one looks for them: each module has a test file of its own name."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

ROOMS = (
    "adjudicator",
    "adjudicator/cli",
    "adjudicator/core",
    "adjudicator/git",
    "adjudicator/host",
    "adjudicator/page",
    "adjudicator/mail",
    "adjudicator/player",
    "adjudicator/store",
    "adjudicator/verifier",
    "adjudicator/words",
    "games",
    "games/silent_ships",
    "games/submarine_warfare",
    "games/sugar_dog",
    "orders",
)
"""In these folders every module has a test file. Folders may be added, and none is taken out."""


def lacking(root: Path, room: str) -> list[str]:
    """A line for each module of that folder that has no test file where one looks for it."""
    tests = Path("tests", *(part for part in Path(room).parts if part != "adjudicator"))
    faults = []
    for module in sorted((root / room).glob("*.py")):
        name = module.stem.strip("_")
        file = tests / f"test_{name}.py"
        if name != "init" and not (root / file).is_file():
            faults.append(f"{room}/{module.name} has no tests of its own: write {file.as_posix()}")
    return faults


@pytest.mark.parametrize("room", ROOMS)
def test_each_module_has_a_test_file_of_its_name(room: str) -> None:
    """What is tested across modules may lie in files of other names beside them."""
    assert list((ROOT / room).glob("*.py"))
    faults = lacking(ROOT, room)
    assert not faults, "\n".join(faults)


def test_a_module_without_tests_is_named(tmp_path: Path) -> None:
    """With the file that is expected; a package's own file needs none."""
    for path in ("adjudicator/mail/desk.py", "adjudicator/mail/__init__.py", "games/__main__.py"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).touch()
    assert lacking(tmp_path, "adjudicator/mail") == [
        "adjudicator/mail/desk.py has no tests of its own: write tests/mail/test_desk.py"
    ]
    assert lacking(tmp_path, "games") == [
        "games/__main__.py has no tests of its own: write tests/games/test_main.py"
    ]
    (tmp_path / "tests" / "mail").mkdir(parents=True)
    (tmp_path / "tests" / "mail" / "test_desk.py").touch()
    assert lacking(tmp_path, "adjudicator/mail") == []
