"""Orders of a player who is not awaited, where the game lets them (Silent Ships 14)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from games.game import Illegal


def test_a_flip_out_of_turn_is_used_and_never_waited_for(make_table: Any, tmp_path: Path) -> None:
    """Alice turns her ship up in Bob's turn: her slip is used beside his, and she is not missing
    where she sends none; what is more than a flip is illegal."""
    table = make_table(tmp_path / "table", game="silent-ships", options={}).begin()
    table.play({"alice": "start", "bob": "start"})
    card = table.report("alice").view.shown["alice"]["hand"][0]
    table.play({"alice": f"play {card} left\nend"})
    assert list(table.entry().awaited) == ["bob"]
    cell = table.entry().events[0]["at"]
    with pytest.raises(Illegal):
        table.order("alice", "end")
    assert table.submit("alice", f"flip {cell}") == "accepted"
    assert table.submit("bob", "end") == "accepted"
    table.advance()
    entry = table.entry()
    assert list(entry.slips) == ["alice", "bob"]
    assert entry.missing == ()
    assert [event["kind"] for event in entry.events][:2] == ["flipped", "turn"]
    table.play({"alice": "end"}, {"bob": "resign"})
    assert table.verify().code == 0
