"""The page's way into Python: values, refusals and faults, each as JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest

from adjudicator.page import engine
from orders.errors import Refused


class Bytes:
    """Bytes as the page hands them over."""

    def to_bytes(self) -> bytes:
        return b"abc"


def answer(monkeypatch: pytest.MonkeyPatch, function: Any, data: Any = None, **given: Any) -> Any:
    monkeypatch.setattr(engine, "calls", lambda view: {"it": function})
    return json.loads(engine.call("view.it", json.dumps(given), data))


def test_a_value_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """From named arguments, and from bytes."""
    assert answer(monkeypatch, lambda a, b: a + b, a=1, b=2) == {"value": 3}
    assert answer(monkeypatch, lambda data: data.decode(), Bytes()) == {"value": "abc"}


def test_what_is_refused_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """With its word and its hint; a fault of the page's own says so, and ends nothing."""

    def refuse() -> None:
        raise Refused("fork", "two histories", "keep both")

    told = {"error": {"word": "fork", "line": "two histories", "hint": "keep both"}}
    assert answer(monkeypatch, refuse) == told
    assert (
        answer(monkeypatch, lambda: {}["x"])["error"]["line"] == "failed: KeyError: KeyError('x')"
    )
    assert json.loads(engine.call("view.other", "{}"))["error"]["line"].startswith(
        "failed: KeyError"
    )


def test_who_listens_hears_of_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    """Now and then, and of the end; nobody need listen."""
    monkeypatch.setattr(engine, "_hear", None)
    engine.tell(20, 20)
    heard: list[tuple[int, int]] = []
    engine.listen(lambda done, of: heard.append((done, of)))
    for done in range(1, 51):
        engine.tell(done, 50)
    assert heard == [(20, 50), (40, 50), (50, 50)]
