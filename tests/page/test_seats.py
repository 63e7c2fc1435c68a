"""Tabs of one browser that open, order, send, load again and crash in any order: no two orders of
one seat that contradict each other ever leave, and no seat is lost that a living tab has. The
page's own script, run by node (`seats.mjs`)."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from page.browsers import needed

import adjudicator.page

SEAT = Path(adjudicator.page.__file__).with_name("seat.js")
SEARCH = Path(__file__).with_name("seats.mjs")

FAULTS = {
    "an older safe is kept over a newer one": (
        "if (there?.rev !== place.rev) throw NEWER;", "",
    ),
    "an older safe stays where there is no room for the newer one": (
        "await erase(id);\n          place.rev = undefined;\n          await put(place, safe);",
        "throw error;",
    ),
    "an old tab that does not let go keeps its seat": (
        "if (locks) await hold(place, { steal: true });",
        "if (locks && !(await hold(place, { ifAvailable: true }))) return take(id);",
    ),
    "what no store has goes to every tab that asks": ("if (data.to === me) {", "if (data.give) {"),
    "what no store has stays where it was, too": (
        "safes.delete(id);\n        here().forEach(leave);", "here().forEach(leave);",
    ),
}  # fmt: skip


def search(seeds: int, *fault: str) -> dict[str, Any]:
    """What so many seeds bring, with a part of the script replaced by another."""

    def node() -> str:
        found = shutil.which("node")
        if found is None:
            raise LookupError("no node")
        return found

    ran = subprocess.run(
        [needed(node, "node is needed"), SEARCH, SEAT, str(seeds), *fault],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)  # type: ignore[no-any-return]


def test_no_seat_forks() -> None:
    """However tabs, crashes and full stores come; most seeds send something."""
    told = search(400)
    assert told["found"] == []
    assert told["sent"] > 800
    assert told["tabs"] > 1200


@pytest.mark.parametrize("fault", FAULTS)
def test_the_search_finds_what_would_be_missed(fault: str) -> None:
    """Each guard is taken out."""
    assert search(1000, *FAULTS[fault])["found"]
