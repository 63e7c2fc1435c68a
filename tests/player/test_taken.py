"""What one sync brought starts empty, and no two share it."""

from __future__ import annotations

from adjudicator.player.taken import Taken


def test_each_begins_with_nothing() -> None:
    """What one sync takes in is not told of another sync."""
    one, other = Taken(), Taken()
    one.lines.append("entry 1")
    one.warnings.append("late")
    one.steps.append(1)
    assert (other.lines, other.warnings, other.steps) == ([], [], [])
