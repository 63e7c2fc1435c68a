"""What the vectors share: a game's id, digests, times."""

from __future__ import annotations

from orders.fields import digest

GAME = "9c01" * 16
HEX = {word: digest(word.encode()) for word in ("a", "b", "c", "d", "e", "f")}
TIME = "2026-11-21T18:00:00Z"
LATER = "2026-11-24T18:00:00Z"
