"""Deadlines in words."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from typing import NamedTuple

from adjudicator.core import deadlines
from orders.fields import Time


def left(until: Time, now: Time) -> str:
    """How long it is until a deadline, or since: `in 2 d 4 h`, `overdue by 15 min`."""
    seconds = deadlines.between(now, until)
    said = deadlines.span(seconds)
    return f"in {said}" if seconds >= 0 else f"overdue by {said}"


_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = (
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
)  # fmt: skip
_WEEK = 6 * 24 * 3600


def _here(time: Time) -> datetime:
    """By this machine's own time; by UTC on the first or last day that a time can name, and on
    Windows before 1970 and after 3000."""
    found = datetime.fromisoformat(time)
    with suppress(OverflowError, OSError):
        found = found.astimezone()
    return found


def _date(local: datetime) -> str:
    return f"{local.day} {_MONTHS[local.month - 1]}"


def day(time: Time) -> str:
    """`1 Jan 2026`, by UTC: the same for every reader."""
    return f"{_date(datetime.fromisoformat(time))} {time[:4]}"


class ReadAt(NamedTuple):
    """The time at which somebody reads; `here`: they read on this machine, so its time zone is
    theirs. `zone`: that of who reads elsewhere, in seconds ahead of UTC; None: it is not known, so
    none is told."""

    now: Time
    here: bool = False
    zone: int | None = None

    def deadline(self, until: Time) -> str:
        """`Tue 24 Nov 17:36 (in 2 d 4 h)` by this machine's own time, with the year where that is
        another; `2026-11-24T16:36:26Z (in 2 d 4 h)` for who reads elsewhere."""
        return f"{self.when(until)} ({left(until, self.now)})"

    def when(self, time: Time) -> str:
        """`Tue 24 Nov 17:36` by this machine's own time, with the year where that is another;
        `2026-11-24T16:36:26Z` for who reads elsewhere, and `Tue 24 Nov 17:36 (16:36 UTC)` where
        their zone is known."""
        if not self.here and self.zone is None:
            return time
        local, beside = _here(time), ""
        if self.zone is not None:
            local = datetime.fromisoformat(deadlines.add(time, self.zone))
            beside = f" ({time[11:16]} UTC)"
        year = f" {local.year}" if time[:4] != self.now[:4] else ""
        return f"{_DAYS[local.weekday()]} {_date(local)}{year} {local:%H:%M}{beside}"

    def day(self, time: Time) -> str:
        """The same of a time that is past; `today 10:04` on its day."""
        local = _here(time)
        today = self.here and local.date() == _here(self.now).date()
        return f"today {local:%H:%M}" if today else self.when(time)

    def until(self, until: Time) -> tuple[str, ...]:
        """A deadline by this machine's own time, the longest wording first: `until Mon 18:00, 2 d
        3 h`, `until Mon 18:00`, `2 d 3 h`."""
        seconds = deadlines.between(self.now, until)
        if seconds < 0:
            late = left(until, self.now)
            return (f"your time is {late}", late)
        local = _here(until)
        day = f"{_DAYS[local.weekday()]}"
        if seconds >= _WEEK:
            day += f" {_date(local)}"
        when = f"until {day} {local:%H:%M}"
        span = deadlines.span(seconds)
        return (f"{when}, {span}", when, span)
