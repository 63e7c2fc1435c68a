"""What tests of one game share."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from matches import played


@pytest.fixture(scope="module")
def play(request: pytest.FixtureRequest) -> Any:
    """The function `played` for the game of this folder."""
    return partial(played, request.path.parent.name.replace("_", "-"))
