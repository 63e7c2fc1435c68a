"""The command line where other distributions are installed beside it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).parent
EXAMPLES = (HERE, HERE.parents[1] / "games" / "examples")
"""Where Battleship is found as if it were installed: its entry point, and the example itself."""


def run(
    cwd: Path,
    *arguments: str,
    installed: Sequence[Path] = EXAMPLES,
    program: Sequence[str] = (sys.executable, "-m", "adjudicator"),
) -> tuple[int, str, str]:
    """Exit code and output of `adjudicator` where the distributions of these folders are found.

    `program`: what `adjudicator` is; if not told, a process of its own.
    """
    paths = [*map(str, installed), *sys.path]
    done = subprocess.run(
        [*program, *arguments],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        cwd=cwd, capture_output=True, timeout=120, check=False, text=True,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr
