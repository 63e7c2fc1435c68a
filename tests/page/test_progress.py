"""How far long work has come."""

from __future__ import annotations

from adjudicator.page import progress


def test_nobody_need_listen() -> None:
    """Work goes on all the same."""
    progress.tell(20, 20)
