"""Helpers as forked processes: each begins with everything that this one knows."""

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
        """Helpers, if there are two processors, `fork`, and no other thread that a fork could
        break."""
        counted = getattr(os, "sched_getaffinity", None)
        processors = len(counted(0)) if counted else os.cpu_count() or 1
        alone = threading.active_count() == 1
        return Forks() if hasattr(os, "fork") and processors > 1 and alone else None

    def give(self, check: Callable[[], bool]) -> None:
        """Have something checked by a new process."""
        try:
            process = os.fork()
        except OSError:
            # Without memory or a process for it, the check counts as failed.
            self._lost = True
            return
        if process:
            self._begun.append(process)
            return
        code = 1
        try:
            # A garbage collection would touch, and so copy, all memory that both processes share.
            gc.disable()
            code = 0 if check() else 1
        finally:
            # Whatever happened, this process must not do the parent's work, such as printing its
            # buffered output.
            os._exit(code)

    def all_hold(self) -> bool:
        """Wait for every process; returns whether each check holds."""
        begun, self._begun = self._begun, []
        lost, self._lost = self._lost, False
        failed = [_fails(process) for process in begun]
        return not lost and not any(failed)


def _fails(process: int) -> bool:
    """Wait for a process; returns whether it failed, which an unknown end counts as."""
    try:
        return os.waitpid(process, 0)[1] != 0
    except ChildProcessError:
        return True
