"""The tables of slow tests, and of tests for Windows, in `tests/conftest.py` name what is there."""

from __future__ import annotations

from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]


def test_what_is_slow_is_there(pytestconfig: pytest.Config) -> None:
    """A file or test that was renamed would run with the fast ones, unnoticed."""
    plugins = pytestconfig.pluginmanager.get_plugins()
    held = next(one for one in plugins if hasattr(one, "SLOW"))
    gone = []
    for place in (*held.SLOW, *held.ON_WINDOWS, *held.NOT_ON_WINDOWS):
        file, _, test = place.partition("::")
        path = TESTS / file
        if not path.exists() or (test and f"def {test}(" not in path.read_text("utf-8")):
            gone.append(place)
    assert not gone, f"not there any more: {gone}; see the tables in tests/conftest.py"
