"""Arithmetic on the times that documents hold. Reads no clock."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from orders.fields import Time

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def to_seconds(time: Time) -> int:
    """Whole seconds since 1970-01-01T00:00:00Z."""
    return (datetime.fromisoformat(time) - _EPOCH) // timedelta(seconds=1)


def to_time(seconds: int) -> Time:
    """The time that many seconds after 1970-01-01T00:00:00Z; no later than year 9999."""
    seconds = min(seconds, 253402300799)
    return (_EPOCH + timedelta(seconds=seconds)).isoformat()[:19] + "Z"


def add(time: Time, seconds: int) -> Time:
    """The time `seconds` later."""
    return to_time(to_seconds(time) + seconds)


def between(earlier: Time, later: Time) -> int:
    """Seconds from the one to the other; negative where they are the other way round."""
    return to_seconds(later) - to_seconds(earlier)
