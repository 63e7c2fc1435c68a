"""Helpers for tests: in this process, in an order of their own."""

from __future__ import annotations

from collections.abc import Callable


class Backwards:
    """Checks everything at the very end, the last part first; a part that raises does not hold."""

    def __init__(self) -> None:
        self.given: list[Callable[[], bool]] = []

    def give(self, check: Callable[[], bool]) -> None:
        """Keep it for later."""
        self.given.append(check)

    def all_hold(self) -> bool:
        """Whether all hold; nothing is left of them."""
        given, self.given = self.given, []
        holds = [_holds(check) for check in reversed(given)]
        return all(holds)


class Failing(Backwards):
    """Checks nothing, and says that it does not hold: as a helper that was killed."""

    def all_hold(self) -> bool:
        """No."""
        self.given.clear()
        return False


def _holds(check: Callable[[], bool]) -> bool:
    try:
        return check()
    except Exception:
        return False
