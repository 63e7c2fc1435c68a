"""Spans of time in words."""

from __future__ import annotations

from adjudicator.core import deadlines
from orders.fields import Time


def span(seconds: int) -> str:
    """A span of time in its two largest units: `2 d 4 h`, `15 min`, `40 s`."""
    left = abs(seconds)
    parts = []
    for unit, size in (("d", 86400), ("h", 3600), ("min", 60)):
        if left >= size:
            parts.append(f"{left // size} {unit}")
            left %= size
    return " ".join(parts[:2]) or f"{left} s"


def left(until: Time, now: Time) -> str:
    """How long it is until a deadline, or since: `in 2 d 4 h`, `overdue by 15 min`."""
    seconds = deadlines.between(now, until)
    return f"in {span(seconds)}" if seconds >= 0 else f"overdue by {span(seconds)}"
