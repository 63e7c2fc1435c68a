"""The drop-check finds what it is to find; and a part of it runs here."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import CodeType
from typing import Any

import drop_check
import pytest

CHECK = Path(drop_check.__file__)


ROOM = """\
def check(found, x, most=9):
    if x < 0:
        raise Refused('malformed', x)
    if x > 9 and most:
        x = 9
        found.look('time', 'large' if x > 8 else '')
    if x == 5:
        return 'stale'
    return None
raise SystemExit
"""

CHANGES = {
    "checks": ["raise Refused('malformed', x)", "if x > 9 and most",
               "found.look('time', 'large' if x > 8 else '')", "if x == 5"],
    "edges": ["x < 0 -> x <= 0", "x < 0 -> x < 0 - 1", "x > 9 -> x >= 9", "x > 9 -> x > 9 + 1",
              "x > 8 -> x >= 8", "x > 8 -> x > 8 + 1"],
    "halves": ["x > 9 and most -> most", "x > 9 and most -> x > 9"],
    "words": ["Refused('malformed') -> 'chain'", "look('time') -> 'entries'"],
}  # fmt: skip

NOTICED = {
    -2: {"raise Refused('malformed', x)", "Refused('malformed') -> 'chain'"},
    -1: {"raise Refused('malformed', x)", "Refused('malformed') -> 'chain'", "x < 0 -> x < 0 - 1"},
    0: {"x < 0 -> x <= 0", "x > 9 and most -> most"},
    5: {"if x == 5", "x > 9 and most -> most"},
    9: {"x > 9 -> x >= 9", "x > 9 and most -> most"},
    10: {"if x > 9 and most", "found.look('time', 'large' if x > 8 else '')",
         "x > 9 -> x > 9 + 1", "x > 8 -> x > 8 + 1", "look('time') -> 'entries'"},
}  # fmt: skip
"""With which argument who looks at all that `check` does sees which changes."""


class Refused(Exception):
    """What the room refuses."""


class Found:
    """Keeps what the room tells."""

    def __init__(self) -> None:
        self.told: list[object] = []

    def look(self, claim: str, text: str) -> None:
        """Note both."""
        self.told += [claim, text]


def outcome(code: CodeType, x: int, **probes: Callable[..., object]) -> object:
    """What that code of the room does with `x`."""
    space: dict[str, object] = {"Refused": Refused, **probes}
    exec("def check(found, x, most=9): pass", space)  # noqa: S102 - this test's own
    function: Any = space["check"]
    function.__code__ = next(one for one in code.co_consts if hasattr(one, "co_code"))
    found = Found()
    try:
        return function(found, x), found.told
    except Refused as error:
        return error.args


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> drop_check.Source:
    """That room, to be changed in every way."""
    monkeypatch.setattr(drop_check, "ROOT", tmp_path)
    return drop_check.Source(tmp_path / "room.py", ROOM, tuple(CHANGES))


def test_every_kind_of_change_is_made(room: drop_check.Source) -> None:
    """Refusals left out, bounds moved, halves of conditions, other words; in functions alone. Each
    change alters what it is to alter, and nothing else."""
    changes = list(room.changes())
    assert [(one.kind, *one.key) for one in changes] == [
        (kind, "room:check", what) for kind, every in CHANGES.items() for what in every
    ]
    plain = compile(ROOM, "room.py", "exec")
    for x, noticed in NOTICED.items():
        expected = outcome(plain, x)
        assert {
            one.key[1] for one in changes if outcome(room.code(one), x) != expected
        } == noticed, x


def test_probes_tell_which_changes_make_a_difference(room: drop_check.Source) -> None:
    """At least those that are noticed then, and none that the function does not come to; what the
    function does stays the same."""
    plain, watched = compile(ROOM, "room.py", "exec"), room.watched(100)
    what = {100 + one.number: one.key[1] for one in room.changes()}
    for x, noticed in NOTICED.items():
        passed: dict[int, set[int]] = {}
        differs, either = drop_check.probes(passed, [x])
        assert outcome(watched, x, __passed__=differs, __either__=either) == outcome(plain, x)
        assert noticed <= {what[number] for number in passed}, x
    assert {what[number] for number in passed} == NOTICED[10] | {"x > 9 and most -> x > 9"}


@pytest.mark.slow
def test_what_is_tried_is_noticed_or_has_a_reason() -> None:
    """Some refusals of the core and the verifier, taken out, the same each time; these rooms' own
    tests notice them all, so few have to run."""
    done = subprocess.run(
        [sys.executable, str(CHECK), "core", "verifier", "--kind", "checks", "--sample", "40"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
