"""Helpers as processes of their own, forked: each begins with all that this one knows.

What belongs here: beginning them, waiting for them. What it must not know: what they check.
"""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Callable


class Forks:
    """Checks in forked processes: one process each, whose exit code says whether its check
    holds."""

    def __init__(self) -> None:
        self._begun: list[int] = []
        self._lost = False

    @staticmethod
    def here() -> Forks | None:
        """Helpers, where there are two processors, `fork`, and no other thread that a fork could
        break."""
        counted = getattr(os, "sched_getaffinity", None)
        processors = len(counted(0)) if counted else os.cpu_count() or 1
        alone = threading.active_count() == 1
        return Forks() if hasattr(os, "fork") and processors > 1 and alone else None

    def give(self, check: Callable[[], bool]) -> None:
        """Have something checked by a process of its own."""
        try:
            process = os.fork()
        except OSError:
            # Without memory or a process for it nothing is vouched for.
            self._lost = True
            return
        if process:
            self._begun.append(process)
            return
        code = 1
        try:
            # A collection would touch all that both processes share, and so copy it.
            gc.disable()
            code = 0 if check() else 1
        finally:
            # Whatever happened, this process must not do what is the parent's own, such as printing
            # what it has yet to print.
            os._exit(code)

    def all_hold(self) -> bool:
        """Wait for every process; whether each said that its check holds."""
        begun, self._begun = self._begun, []
        lost, self._lost = self._lost, False
        failed = [_fails(process) for process in begun]
        return not lost and not any(failed)


def _fails(process: int) -> bool:
    """Wait for a process; whether it failed, or nobody knows how it ended."""
    try:
        return os.waitpid(process, 0)[1] != 0
    except ChildProcessError:
        return True
