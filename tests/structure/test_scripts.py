"""How much script the page has: what can be said in Python is said there."""

from __future__ import annotations

from pathlib import Path

PAGE = Path(__file__).parents[2] / "adjudicator/page"
MOST = 4_200


def test_the_scripts_of_the_page_are_short() -> None:
    """All lines of all of them; who needs more takes some out first."""
    scripts = [*PAGE.glob("*.js"), *PAGE.glob("*.mjs")]
    assert sum(len(one.read_text("utf-8").splitlines()) for one in scripts) <= MOST
