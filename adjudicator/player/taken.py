"""The result of one sync by git or mail."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Taken:
    """Lines for what was taken in and handed in, lines for what is wrong, and the steps that
    came."""

    lines: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    steps: list[int] = field(default_factory=list)
