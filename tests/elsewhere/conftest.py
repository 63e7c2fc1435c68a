"""The command line with other distributions beside it, loaded already."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from elsewhere import outside


@pytest.fixture(scope="session")
def run(program: Path) -> Callable[..., tuple[int, str, str]]:
    """`outside.run` by the program that is loaded already, which has loaded no such game."""
    return partial(outside.run, program=[str(program)])
