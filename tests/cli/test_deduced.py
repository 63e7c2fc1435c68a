"""`show --deduced`: what a player can work out, below the board."""

from __future__ import annotations

import json
from typing import Any

Table = Any


def test_what_can_be_worked_out_is_shown_to_its_seat(table: Table) -> None:
    """Below the board, and for programs; a stranger has no reports to work it out from."""
    table.step(alice="start C4", bob="start C1")
    table.step(alice="silent")
    table.step(bob="cruise C2")
    seat = ("--seat", "alice.seat")
    out = table.ok("show", "-g", "friday", *seat, "--deduced")
    assert out.index("A  B") < out.index("What alice can work out:\n  bob's submarine: C2\n")
    assert "last turn: bob: contact in C2, no further contacts" in out
    assert "work out" not in table.ok("show", "-g", "friday", *seat)
    before = json.loads(table.ok("show", "2", "-g", "friday", *seat, "--deduced", "--json"))
    assert len(before["deduced"]["may"]["bob's submarine"]) == 36
    assert before["deduced"]["notes"] == []
    wrong = table.run("show", "-g", "friday", "--deduced")
    assert wrong.exit_code == 2
    assert "name your seat with --seat" in wrong.stderr
