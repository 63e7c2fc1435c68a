"""Every script here runs to its end at its smallest size, wherever tests are run. What it measures
is not looked at: a busy machine must not fail a test."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parent
SIZES = {
    "turn": ("rules 1 1", "step 14", "start 1", "many 2 1", "path"),
    "verify": ("games 1 1", "long 10", "archive 4"),
    "carry": ("mail 20", "git 2 1 4"),
    "duels": ("1",),
    "browser": ("opened 3 1 1", "taps 1 1"),
}
"""The scripts by name, with what each measures at its smallest."""

NOBODY = {
    "GIT_CONFIG_COUNT": "1",
    "GIT_CONFIG_KEY_0": "user.useConfigOnly",
    "GIT_CONFIG_VALUE_0": "true",
}
"""With these git guesses no name: so it is on a fresh machine whose host has no domain."""


def test_every_script_is_run() -> None:
    """A script that nobody runs stops working unnoticed."""
    assert {path.stem for path in BENCH.glob("*.py")} == {*SIZES, "frame", "test_bench"}


@pytest.mark.parametrize(
    ("name", "what"), [(name, what) for name, held in SIZES.items() for what in held]
)
def test_it_runs_and_prints(name: str, what: str, tmp_path: Path) -> None:
    """It ends well and prints its figures, with the sources that this test run tests and with a
    home folder in which nothing is set up."""
    # What npm brings and the page that is built of it are not part of anybody's settings.
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    # Files, no pipes: what a script left running would hold a pipe open.
    told = tmp_path / "told"
    with told.open("w") as output:
        done = subprocess.run(
            [sys.executable, str(BENCH / f"{name}.py"), *what.split()],
            cwd=Path(__file__).parents[2],
            env={**os.environ, **NOBODY, "HOME": str(tmp_path), "XDG_CACHE_HOME": cache},
            stdout=output,
            stderr=subprocess.STDOUT,
            check=False,
        )
    assert done.returncode == 0, told.read_text()
    assert any(letter.isdigit() for letter in told.read_text())
    assert "nothing measured" not in told.read_text() or not os.environ.get("CI")
