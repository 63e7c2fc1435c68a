"""Spans of time, and deadlines, in words."""

from __future__ import annotations

import errno
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, tzinfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.core.deadlines import span
from adjudicator.words import spans
from adjudicator.words.spans import ReadAt


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0 s"), (1, "1 s"), (59, "59 s"), (60, "1 min"), (61, "1 min"), (3599, "59 min"),
     (3600, "1 h"), (3660, "1 h 1 min"), (86_399, "23 h 59 min"), (86_400, "1 d"),
     (86_460, "1 d 1 min"), (187_200, "2 d 4 h"), (-900, "15 min"), (10**9, "11574 d 1 h")],
)  # fmt: skip
def test_the_two_largest_units_stand(seconds: int, text: str) -> None:
    """The sentence around it says whether it lies ahead or behind."""
    assert span(seconds) == text


@given(st.integers(0, 10**9))
def test_no_span_is_told_longer_than_it_is(seconds: int) -> None:
    """Less than a minute is left out, and beside days less than an hour."""
    sizes = {"d": 86_400, "h": 3_600, "min": 60, "s": 1}
    words = span(seconds).split(" ")
    told = sum(
        int(count) * sizes[unit] for count, unit in zip(words[::2], words[1::2], strict=True)
    )
    assert told <= seconds < told + (3_600 if "d" in words else 60)


UNTIL = "2026-11-24T16:36:26Z"


@contextmanager
def living_in(zone: str) -> Iterator[None]:
    """This process in that time zone."""
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("TZ", zone)
            time.tzset()
            yield
    finally:
        time.tzset()


@pytest.mark.parametrize(
    ("zone", "told"),
    [
        ("UTC0", "Tue 24 Nov 16:36"),
        ("XXX-1", "Tue 24 Nov 17:36"),
        ("XXX8", "Tue 24 Nov 08:36"),
        ("XXX-9", "Wed 25 Nov 01:36"),
    ],
)
def test_a_deadline_is_told_in_the_readers_time(zone: str, told: str) -> None:
    """By the clock on their wall, with the day, and how long it is still; the year where it is
    another one."""
    with living_in(zone):
        here = ReadAt("2026-11-22T12:36:26Z", here=True).deadline(UNTIL)
        elsewhere = ReadAt("2026-11-22T12:36:26Z").deadline(UNTIL)
        late = ReadAt("2026-11-24T16:51:26Z").deadline(UNTIL)
        far = ReadAt("2025-11-24T16:36:26Z", here=True).deadline(UNTIL)
    assert here == f"{told} (in 2 d 4 h)"
    assert far == f"{told[:-6]} 2026{told[-6:]} (in 365 d)"
    assert elsewhere == f"{UNTIL} (in 2 d 4 h)"
    assert late == f"{UNTIL} (overdue by 15 min)"


def test_a_deadline_that_this_machine_cannot_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows knows no zone before 1970 and after 3000: it is told by UTC."""

    class Placeless(datetime):
        def astimezone(self, tz: tzinfo | None = None) -> Placeless:
            raise OSError(errno.EINVAL, "Invalid argument")

    monkeypatch.setattr(spans, "datetime", Placeless)
    told = ReadAt("2026-11-22T12:36:26Z", here=True).deadline("3001-01-02T12:36:26Z")
    assert told.startswith("Fri 2 Jan 3001 12:36 (")


@pytest.mark.parametrize(
    ("zone", "until"), [("XXX-9", "9999-12-31T23:59:59Z"), ("XXX8", "0001-01-01T00:00:00Z")]
)
def test_a_deadline_on_the_last_of_all_days(zone: str, until: str) -> None:
    """A host may sign it, and its players' tools tell it all the same."""
    with living_in(zone):
        told = ReadAt("2026-11-22T12:36:26Z", here=True).deadline(until)
    assert told.startswith("Fri 31 Dec 9999 23:59 (" if until > "2" else "Mon 1 Jan 1 00:00 (")
