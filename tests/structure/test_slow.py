"""The table of slow tests in `tests/conftest.py` names what is there."""

from __future__ import annotations

from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]


def test_what_is_slow_is_there(pytestconfig: pytest.Config) -> None:
    """A file or test that was renamed would run with the fast ones, unnoticed."""
    plugins = pytestconfig.pluginmanager.get_plugins()
    table = next(one.SLOW for one in plugins if hasattr(one, "SLOW"))
    gone = []
    for place in table:
        file, _, test = place.partition("::")
        path = TESTS / file
        if not path.exists() or (test and f"def {test}(" not in path.read_text("utf-8")):
            gone.append(place)
    assert not gone, f"not there any more: {gone}; see SLOW in tests/conftest.py"
