"""What one sync brought, whatever the transport: `git.play_sync` and `mail.play_sync` return it."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Taken:
    """Lines of what was taken in and handed in, of what is amiss, and the steps that came."""

    lines: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    steps: list[int] = field(default_factory=list)
