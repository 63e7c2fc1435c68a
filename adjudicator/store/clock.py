"""Where times come from: the machine's clock, or a demo's own. Rules and engine never read it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Protocol

from adjudicator.core import deadlines
from orders.fields import Time

DEMO_START: Time = "2026-01-01T00:00:00Z"


class Clock(Protocol):
    """Tells the time, in UTC, whole seconds."""

    def now(self) -> Time:
        """The time for one thing that is dated now."""


class SystemClock:
    """The machine's clock."""

    def now(self) -> Time:
        """The present time."""
        return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def now() -> Time:
    """The present time by the machine's clock."""
    return SystemClock().now()


class DemoClock:
    """A clock that starts at a fixed time and moves on a minute for each thing that is dated."""

    def __init__(self, start: Time = DEMO_START) -> None:
        self._next = deadlines.to_seconds(start)

    def now(self) -> Time:
        """The next minute."""
        time = deadlines.to_time(self._next)
        self._next += 60
        return time

    def last(self) -> Time:
        """The last minute that it gave."""
        return deadlines.to_time(self._next - 60)

    def skip(self, seconds: int) -> None:
        """Let time pass."""
        self._next += seconds
