"""The suite for other programs: what lies there is what is made, and its runner judges a client."""

from __future__ import annotations

from pathlib import Path

from generate import primitives, suite


def test_values_do_not_drift() -> None:
    """Making them again gives what lies there. Of records, breaks and duels see their own tests."""
    assert suite.drifted(primitives.made(Path())) == []
