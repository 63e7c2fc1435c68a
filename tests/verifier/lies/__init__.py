"""The lies of hosts: each is played by test_lies, and docs/protocol.md shows the same table."""

from __future__ import annotations

from verifier.lies import about_ends, about_orders, about_reports, about_rulings, about_times
from verifier.lies.base import EVERYBODY, Lie, Said

LIES: tuple[Lie, ...] = (
    *about_orders.LIES,
    *about_reports.LIES,
    *about_times.LIES,
    *about_rulings.LIES,
    *about_ends.LIES,
)

__all__ = ["EVERYBODY", "LIES", "Lie", "Said"]
