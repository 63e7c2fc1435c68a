"""Deadlines in words."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from adjudicator.core import deadlines
from orders.fields import Time


def left(until: Time, now: Time) -> str:
    """How long it is until a deadline, or since: `in 2 d 4 h`, `overdue by 15 min`."""
    seconds = deadlines.between(now, until)
    said = deadlines.span(seconds)
    return f"in {said}" if seconds >= 0 else f"overdue by {said}"


class ReadAt(NamedTuple):
    """The time at which somebody reads; `here`: they read on this machine, so its time zone is
    theirs. Without `here` no zone is told, as in a mail that is read on another machine."""

    now: Time
    here: bool = False

    def deadline(self, until: Time) -> str:
        """`2026-11-24T16:36:26Z (in 2 d 4 h, 17:36 here)`; the zone is told if it differs."""
        return f"{until} ({left(until, self.now)}{self._zone(until)})"

    def _zone(self, until: Time) -> str:
        if not self.here:
            return ""
        same = datetime.fromisoformat(until)
        try:
            local = same.astimezone()
        except OverflowError:
            # On the first or last day that a time can name.
            return ""
        if not local.utcoffset():
            return ""
        day = "" if local.date() == same.date() else f"{local:%Y-%m-%d} "
        return f", {day}{local:%H:%M} here"
