"""Where times come from: the machine's clock in the one form, and the demo's minutes."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from adjudicator.core import deadlines
from adjudicator.store import clock
from adjudicator.store.clock import DEMO_START, DemoClock, SystemClock
from orders.fields import is_time


def test_the_present_time_is_told_as_documents_hold_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """UTC, whole seconds, cut and not rounded, wherever the machine stands."""

    class Late(datetime):
        """A clock just before midnight of a year's end."""

        @classmethod
        def now(cls, tz: Any = None) -> datetime:  # type: ignore[override]
            """The same moment, in the zone that is asked for."""
            return datetime(2026, 12, 31, 23, 59, 59, 999_999, UTC).astimezone(tz)

    monkeypatch.setattr(clock, "datetime", Late)
    assert SystemClock().now() == clock.now() == "2026-12-31T23:59:59Z"
    monkeypatch.undo()
    before = deadlines.to_time(int(datetime.now(UTC).timestamp()))
    now = clock.now()
    assert is_time(now)
    assert 0 <= deadlines.between(before, now) < 60


def test_the_demo_goes_on_a_minute_for_each_thing() -> None:
    """From a fixed start, so that the same demo has the same times everywhere."""
    demo = DemoClock()
    assert [demo.now(), demo.now()] == [DEMO_START, "2026-01-01T00:01:00Z"]
    assert demo.last() == demo.last() == "2026-01-01T00:01:00Z"
    demo.skip(86_400)
    assert demo.now() == "2026-01-02T00:02:00Z"
    assert DemoClock("2026-11-21T18:00:00Z").now() == "2026-11-21T18:00:00Z"
