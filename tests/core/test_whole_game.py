"""The example's game, played to its end: every copy is true."""

from __future__ import annotations


def test_the_example_is_true(finished):
    """For the host, for each player's copy, and with each player's seat."""
    assert finished.verify().code == 0
    for name in finished.players:
        found = finished.verify(name, copy=True)
        assert (found.code, found.verdict) == (0, "true: alice won")
    assert not any(finished.warnings.values())
