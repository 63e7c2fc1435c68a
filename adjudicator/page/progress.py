"""Reports the progress of long work to the page."""

from __future__ import annotations

from collections.abc import Callable


def _nobody(done: int, of: int) -> None:
    """Nobody listens yet."""


hear: Callable[[int, int], None] = _nobody


def tell(done: int, of: int) -> None:
    """Report it, but not at every step."""
    if done % 20 == 0 or done == of:
        hear(done, of)
