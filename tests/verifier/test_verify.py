"""A record in, a verdict out: what is asked besides, and what is no record at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from adjudicator.verifier.verify import Asked, verify

Table = Any


def test_the_example_is_true(finished: Table) -> None:
    """For the host, for each player's copy, and with each player's seat."""
    assert finished.verify().code == 0
    for name in finished.players:
        found = finished.verify(name, copy=True)
        assert (found.code, found.verdict) == (0, "true: alice won")
    assert not any(finished.warnings.values())


def test_a_seat_of_another_game_is_told(finished: Table, make_table: Any, tmp_path: Path) -> None:
    """Verifying with a seat that is none in this game is no verdict on the record."""
    other = make_table(tmp_path / "other", seed=b"\x09" * 32).begin()
    found = verify(finished.record, Asked(seat=other.seat("alice")))
    assert found.code == 2
    assert "another invite" in found.verdict


def test_the_expected_game(finished: Table) -> None:
    """`--game`: a record of another game is false, whatever else holds."""
    own = finished.host.opening.id
    assert verify(finished.record, Asked(game=own)).code == 0
    found = verify(finished.record, Asked(game="0" * 64))
    assert found.code == 1
    assert own in found.verdict
