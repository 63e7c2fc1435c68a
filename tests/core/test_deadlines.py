"""Deadlines are data: since, until and reserve follow from the times in entries alone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.core import deadlines
from adjudicator.core.deadlines import Calendar, Clocks
from games.game import Setup
from orders.entries import Awaited
from orders.errors import Refused

T0 = "2026-01-01T00:00:00Z"
HOUR = 3600
NO_REST = {"rest": "none", "zone": "+00:00"}


def at(seconds: int) -> str:
    return deadlines.add(T0, seconds)


@pytest.fixture
def setup() -> Setup:
    """An hour for each turn."""
    return Setup(("alice", "bob"), {"turn_time": "1h", "reserve_time": "30m", **NO_REST})


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


def test_a_ruling_moves_a_deadline_of_who_is_awaited_to_a_later_time() -> None:
    """Or leaves it where it is."""
    before = Clocks({"alice": awaited("turn", 0, HOUR)}, {"alice": 0, "bob": 0})
    for until in (HOUR, HOUR + 1):
        moved = deadlines.move(before, {"alice": at(until)})
        assert moved.awaited == {"alice": awaited("turn", 0, until)}
    for player, said in (("alice", "too little: alice has until"), ("bob", "bob is not awaited")):
        with pytest.raises(Refused, match=f"^clock: {said}"):
            deadlines.move(before, {player: at(HOUR - 1)})


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


# Days of rest.

WEEK = 7 * 86_400
MINUTE = 60


@st.composite
def calendars(draw: st.DrawFn) -> Calendar:
    """At least one day that counts, somewhere in the world."""
    days = draw(st.sets(st.integers(0, 6), min_size=1))
    return Calendar(tuple(sorted(days)), draw(st.integers(-14 * 60, 14 * 60)) * MINUTE)


TIMES = st.integers(-4 * WEEK, 60 * 365 * 86_400).map(deadlines.to_time)
MINUTES = st.integers(0, 3 * WEEK // MINUTE)


def counts(calendar: Calendar, time: int) -> bool:
    """Whether the second at that time counts, by the calendar of Python."""
    zone = timezone(timedelta(seconds=calendar.ahead))
    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=time)
    return moment.astimezone(zone).weekday() in calendar.days


@given(calendars(), st.integers(-WEEK // MINUTE, 3_000_000), MINUTES)
@settings(max_examples=30, deadline=None)
def test_a_calendar_agrees_with_a_walk(calendar: Calendar, start: int, count: int) -> None:
    """Minute by minute, as every day begins with one: how many count, and the last time up to which
    no more do."""
    begin = deadlines.to_time(start * MINUTE)
    at, left = start * MINUTE, count
    while left or not counts(calendar, at):
        left -= counts(calendar, at)
        at += MINUTE
    end = deadlines.to_time(at)
    assert calendar.later(begin, count * MINUTE) == end
    assert calendar.counted(begin, end) == count * MINUTE


@given(calendars(), TIMES, st.integers(-20 * WEEK, 400 * WEEK), st.integers(0, WEEK))
def test_a_calendar_is_its_own_inverse(
    calendar: Calendar, time: str, count: int, more: int
) -> None:
    """To the second, before and after; a later deadline never comes earlier, and none lies on a day
    of rest."""
    end = calendar.later(time, count)
    assert calendar.counted(time, end) == count
    assert calendar.counted(end, time) == -count
    assert end <= calendar.later(time, count + more)
    assert counts(calendar, deadlines.to_seconds(end))
    assert calendar.counted(time, deadlines.add(end, 1)) == count + 1


@given(TIMES, st.integers(-20 * WEEK, 400 * WEEK))
def test_without_days_of_rest_all_time_counts(time: str, count: int) -> None:
    """In any zone."""
    calendar = Calendar(ahead=-5 * HOUR)
    assert calendar.later(time, count) == deadlines.add(time, count)
    assert calendar.counted(time, deadlines.add(time, count)) == count


def test_a_weekend_lies_between_friday_and_monday() -> None:
    """2 January 2026 is a Friday: nobody is called missing on Saturday."""
    setup = Setup(("alice",), {"rest": "sat,sun", "zone": "+00:00"})
    calendar = deadlines.calendar(setup)
    assert calendar.later("2026-01-02T00:00:00Z", 86_400) == "2026-01-05T00:00:00Z"
    assert calendar.later("2026-01-02T18:00:00Z", 86_400) == "2026-01-05T18:00:00Z"
    assert calendar.later("2026-01-03T12:00:00Z", 0) == "2026-01-05T00:00:00Z"
    assert calendar.counted("2026-01-03T12:00:00Z", "2026-01-04T12:00:00Z") == 0
    east = deadlines.calendar(Setup(("alice",), {"rest": "sat,sun", "zone": "+01:00"}))
    assert east.later("2026-01-02T00:00:00Z", 86_400) == "2026-01-05T00:00:00Z"
    assert east.later("2026-01-01T23:00:00Z", 86_400) == "2026-01-04T23:00:00Z"


def test_what_lies_beyond_the_last_year_is_cut_with_days_of_rest_too() -> None:
    """In no more time than a day takes."""
    calendar = Calendar((0,))
    assert calendar.later(T0, 999_999 * 86_400) == "9999-12-31T23:59:59Z"
    assert calendar.later(T0, -999_999 * 86_400) == "0001-01-01T00:00:00Z"


def test_reserve_is_used_up_on_days_that_count_alone() -> None:
    """Awaited on Friday for a day, with a reserve of two hours; orders come late on Monday."""
    options = {"turn_time": "1d", "reserve_time": "2h", "rest": "sat,sun", "zone": "+00:00"}
    setup = Setup(("alice", "bob"), options)
    clocks = deadlines.start(setup, "2026-01-02T18:00:00Z", {"alice": "turn"})
    assert clocks.awaited["alice"].until == "2026-01-05T20:00:00Z"
    for received, left in (
        ("2026-01-03T01:00:00Z", 7_200), ("2026-01-04T23:59:59Z", 7_200),
        ("2026-01-05T18:00:00Z", 7_200), ("2026-01-05T19:30:00Z", 1_800),
        ("2026-01-05T21:00:00Z", 0),
    ):  # fmt: skip
        after = deadlines.run(setup, clocks, {"alice": received}, "2026-01-06T00:00:00Z", {})
        assert after.reserve["alice"] == left, received
