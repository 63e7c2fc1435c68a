"""How the time of a call grows with the size of what it reads: the one way in which tests ask."""

from __future__ import annotations

import contextlib
import gc
import time
from collections.abc import Callable
from typing import Any

from orders.errors import Refused


def seconds(read: Callable[[Any], object], given: Any) -> float:
    """Processor time of one call, which may end in a refusal.

    Without the garbage collector, which would look at all that other tests of this process left.
    """
    gc.disable()
    try:
        begun = time.process_time()
        with contextlib.suppress(Refused):
            read(given)
        return time.process_time() - begun
    finally:
        gc.enable()


def fault(
    read: Callable[[Any], object],
    small: Any,
    large: Any,
    times: float,
    *,
    spare: float = 0.02,
    most: float = 60.0,
) -> str | None:
    """How `large` takes too long; None where it takes at most `times` as long as `small`.

    `spare` seconds are for the clock, `most` is a bound of its own. Others use the machine, for
    seconds at a time: of up to forty runs the best counts. Time that grows with the square fails
    in each of them.
    """
    last = seconds(read, large)
    if last <= min(spare, most):
        return None  # however long the small one takes
    first = seconds(read, small)
    for _ in range(39):
        if last <= min(times * first + spare, most):
            return None
        first, last = min(first, seconds(read, small)), min(last, seconds(read, large))
    return f"{first:.3f} s, and the larger one {last:.3f} s"
