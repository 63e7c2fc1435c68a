"""Processes of git's without the limits that each has, where no test comes near them."""

from __future__ import annotations

import subprocess
from typing import Any

from adjudicator.git import inbox, process


class Unlimited(subprocess.Popen[bytes]):
    """A process, without the limits of every process of git's; with others, if a test lowers them.

    To limit a process this one is forked, and to fork all that tests keep in memory takes ten times
    as long as git itself.
    """

    ALWAYS = (process.LOCAL, process.NETWORK, process.PUSH, *map(inbox.bounds, range(1, 33)))

    def __init__(self, *args: Any, preexec_fn: Any = None, **options: Any) -> None:
        limits = getattr(preexec_fn, "__self__", None)
        super().__init__(*args, preexec_fn=None if limits in self.ALWAYS else preexec_fn, **options)
