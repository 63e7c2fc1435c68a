"""Editions and bots that lead to different games of Silent Ships."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(params=["print", "2021-09-17", "2021-09-12"])
def edition(request: pytest.FixtureRequest) -> str:
    """Each edition in turn."""
    return str(request.param)


@pytest.fixture(
    params=[("random", "random"), ("captain", "captain"), ("captain", "random")],
    ids=["random", "captains", "both"],
)
def bots(request: pytest.FixtureRequest) -> Any:
    """Bots that lead to different kinds of games."""
    return request.param
