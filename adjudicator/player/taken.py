"""What taking in brought, for every transport alike: to a terminal, or to a test."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol


@dataclass
class Taken:
    """Lines of what was taken in and handed in, of what is amiss, and the steps that came."""

    lines: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    steps: list[int] = field(default_factory=list)


class Sync(Protocol):
    """A player's end of a transport: it takes in what came, and hands in what waits in the seat."""

    def sync(self) -> Taken:
        """Once; raises Refused."""
