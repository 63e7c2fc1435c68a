"""Deadlines are data: since, until and reserve follow from the times in entries alone."""

from __future__ import annotations

import pytest

from adjudicator.core import deadlines
from adjudicator.core.deadlines import Clocks
from games.game import Setup
from orders.entries import Awaited

T0 = "2026-01-01T00:00:00Z"
HOUR = 3600


def at(seconds: int) -> str:
    return deadlines.add(T0, seconds)


@pytest.fixture
def setup() -> Setup:
    """An hour for each turn."""
    return Setup(("alice", "bob"), {"turn_time": "1h", "reserve_time": "30m"})


def awaited(what: str, since: int, until: int) -> Awaited:
    return Awaited(what, at(since), at(until))


def test_who_is_awaited_anew_has_the_turn_time_and_their_reserve(setup: Setup) -> None:
    """`since` is the entry's time, `until` since + turn time + reserve left."""
    before = Clocks({"alice": awaited("turn", 0, HOUR + 100)}, {"alice": 100, "bob": 1800})
    clocks = deadlines.run(setup, before, {"alice": at(50)}, at(60), {"bob": "turn"})
    assert clocks.awaited == {"bob": awaited("turn", 60, 60 + HOUR + 1800)}
    assert clocks.reserve == {"alice": 100, "bob": 1800}


def test_reserve_is_used_past_the_turn_time(setup: Setup) -> None:
    """As much as `received` is past since + turn time; all of it after the deadline."""
    before = Clocks({"alice": awaited("turn", 0, HOUR + 1800)}, {"alice": 1800, "bob": 0})
    for received, left in (
        (0, 1800),
        (HOUR, 1800),
        (HOUR + 1, 1799),
        (HOUR + 1800, 0),
        (HOUR + 9999, 0),
    ):
        clocks = deadlines.run(
            setup, before, {"alice": at(received)}, at(HOUR + 9999), {"bob": "turn"}
        )
        assert clocks.reserve == {"alice": left, "bob": 0}, received


def test_who_is_missing_loses_all_reserve(setup: Setup) -> None:
    """From then on they are awaited with the turn time alone."""
    before = Clocks({"alice": awaited("turn", 0, HOUR + 1800)}, {"alice": 1800, "bob": 5})
    clocks = deadlines.run(setup, before, {}, at(2 * HOUR), {"alice": "other"})
    assert clocks.reserve == {"alice": 0, "bob": 5}
    assert clocks.awaited["alice"] == awaited("other", 2 * HOUR, 3 * HOUR)


def test_who_stays_awaited_for_the_same_thing_keeps_the_clock(setup: Setup) -> None:
    """Somebody else's step in between neither lengthens nor shortens it, nor uses reserve up."""
    prompt = awaited("reaction", 0, HOUR + 1800)
    before = Clocks({"alice": prompt, "bob": prompt}, {"alice": 1800, "bob": 1800})
    clocks = deadlines.run(
        setup, before, {"bob": at(HOUR + 60)}, at(HOUR + 60), {"alice": "reaction"}
    )
    assert clocks.awaited == {"alice": prompt}
    assert clocks.reserve == {"alice": 1800, "bob": 1740}


def test_the_same_player_awaited_for_another_thing_starts_anew(setup: Setup) -> None:
    """Requests differ by what the player is awaited for."""
    before = Clocks({"alice": awaited("turn 1", 0, HOUR + 10)}, {"alice": 10, "bob": 0})
    clocks = deadlines.run(setup, before, {"alice": at(HOUR + 4)}, at(HOUR + 5), {
        "alice": "turn 2"
    })  # fmt: skip
    assert clocks.reserve["alice"] == 6
    assert clocks.awaited["alice"] == awaited("turn 2", HOUR + 5, 2 * HOUR + 11)


def test_a_deadline_that_was_moved_leaves_the_reserve(setup: Setup) -> None:
    """Of a deadline that a ruling moved, only the last part uses up reserve."""
    before = Clocks({"alice": awaited("turn", 0, 10 * HOUR)}, {"alice": 1800, "bob": 0})
    early = deadlines.run(setup, before, {"alice": at(5 * HOUR)}, at(5 * HOUR), {})
    late = deadlines.run(setup, before, {"alice": at(10 * HOUR - 60)}, at(10 * HOUR), {})
    assert (early.reserve["alice"], late.reserve["alice"]) == (1800, 60)


def test_deadlines_beyond_the_last_year_are_the_last_second() -> None:
    """Times have four digits for the year: what lies beyond is cut there."""
    assert deadlines.add("9999-12-31T00:00:00Z", 10**9) == "9999-12-31T23:59:59Z"
    assert deadlines.add("0001-01-01T00:00:00Z", -(10**9)) == "0001-01-01T00:00:00Z"


@pytest.mark.parametrize("time", [T0, "2024-02-29T12:34:56Z", "1970-01-01T00:00:00Z"])
def test_times_round_trip(time: str) -> None:
    """Text to seconds and back."""
    assert deadlines.to_time(deadlines.to_seconds(time)) == time
    assert deadlines.between(time, deadlines.add(time, 86_400)) == 86_400
