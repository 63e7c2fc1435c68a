"""The drop-check finds what it is to find; and a part of it runs here."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import drop_check
import pytest

CHECK = Path(drop_check.__file__)


def test_drops_are_refusals_claims_and_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each `raise`, each branch that leads to one or to words, each thing told to findings."""
    path = tmp_path / "room.py"
    path.write_text(
        "def check(found, x):\n"
        "    if x < 0:\n"
        "        raise ValueError(x)\n"
        "    if x > 9:\n"
        "        x = 9\n"
        "        found.look('times', 'large')\n"
        "    if x == 5:\n"
        "        return 'stale'\n"
        "    for _ in range(x):\n"
        "        x += 1\n"
        "    return None\n"
        "raise SystemExit\n"
    )
    monkeypatch.setattr(drop_check, "ROOT", tmp_path)
    found = list(drop_check.drops(path))
    assert [(one.at, one.what) for one in found] == [
        ("room:check", "if x > 9"),
        ("room:check", "if x == 5"),
        ("room:check", "raise ValueError(x)"),
        ("room:check", "found.look('times', 'large')"),
    ]
    told: list[str] = []
    for drop in found:
        space: dict[str, object] = {}
        code = drop_check.changed(path, drop, 0)
        inner = next(one for one in code.co_consts if hasattr(one, "co_code"))
        exec("def check(found, x): pass", space)  # noqa: S102 - this test's own
        space["check"].__code__ = inner  # type: ignore[attr-defined]

        class Found:
            def look(self, claim: str, text: str) -> None:
                told.append(claim)

        told.clear()
        assert space["check"](Found(), 5) == (None if drop.what == "if x == 5" else "stale")  # type: ignore[operator]
        assert space["check"](Found(), 10) is None  # type: ignore[operator]
        assert bool(told) == (drop.what in ("if x == 5", "raise ValueError(x)"))


@pytest.mark.slow
def test_what_is_tried_is_noticed_or_has_a_reason() -> None:
    """Some of the drops of the core and of the verifier, the same each time; these rooms' own tests
    notice them all, so few have to run."""
    done = subprocess.run(
        [sys.executable, str(CHECK), "core", "verifier", "--sample", "40"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
