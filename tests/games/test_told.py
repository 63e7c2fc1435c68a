"""What a report tells of a step: little, and enough to hear everything again."""

from __future__ import annotations

import json
from typing import Any

import pytest

from games.game import Event, Setup, View
from games.told import hear, tell

CODES = {"blocked": "a", "asleep": "b"}
VIEW = View(Setup(("ann", "bob"), {}), "ann", {"turn": "bob"})
EVENTS = (
    Event("seen", "ann", {"at": "A1"}),
    Event("moved", "*", {"by": "bob"}),
    Event("seen", "ann", {"at": "A1"}),
    Event("seen", "bob", {"at": "C3"}),
    Event("void", "ann", {"line": 2, "reason": "asleep"}),
    Event("sunk", "*", {}, {"ann": {"at": "B2"}, "bob": {"at": "C3"}}),
    Event("seen", "ann", {"at": "A2"}),
    Event("seen", "ann", {"at": "A1"}),
    Event("void", "ann", {"line": 14, "reason": "blocked"}),
)
TOLD: dict[str, Any] = {
    "events": [
        [0, {"kind": "seen", "at": "A1"}],
        [1, 0],
        [2, {"kind": "seen", "at": "A2"}],
        [2, 0],
    ],
    "keys": [[1, {"at": "B2"}]],
    "view": {"turn": "bob"},
    "void": "2b 14a",
}
PUBLIC = [event.public() for event in EVENTS if event.audience == "*"]


def test_a_report_holds_what_the_entry_does_not() -> None:
    """Private events with their places, each said once; keys of public events; voids together."""
    assert tell(VIEW, EVENTS, CODES) == TOLD


def test_report_and_entry_together_are_all_that_was_heard() -> None:
    """In order, void lines last."""
    heard = [event.told_to("ann") for event in EVENTS if event.heard_by("ann")]
    heard.sort(key=lambda event: event["kind"] == "void")
    assert list(hear("ann", json.loads(json.dumps(TOLD)), PUBLIC, CODES)) == heard


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("events", None),
        ("events", [[0]]),
        ("events", [[0, "seen"]]),
        ("events", [["0", {}]]),
        ("events", [[True, {}]]),
        ("events", [[0, 0]]),
        ("events", [[0, {}], [0, 1]]),
        ("events", [[0, {}], [0, -1]]),
        ("events", [[0, {}], [0, True]]),
        ("events", [[1, {}], [0, {}]]),
        ("events", [[3, {}]]),
        ("keys", [[2, {}]]),
        ("keys", [[1, 0]]),
        ("keys", [[1, {}], [1, {}]]),
        ("void", None),
        ("void", "2"),
        ("void", "2c"),
        ("void", "02a"),
        ("void", "2a  3a"),
    ],
)
def test_a_report_that_cannot_be_is_refused(key: str, value: Any) -> None:
    """Nothing but ValueError comes of a report that another made up."""
    with pytest.raises(ValueError):
        hear("ann", {**TOLD, key: value}, PUBLIC, CODES)
