"""One adjudication on its way: what its steps change, and whom they tell, event by event."""

from __future__ import annotations

from typing import Any

import pytest

from games.game import Illegal
from games.silent_ships import GAME

POSITION: dict[str, Any] = {
    "turn": "alice",
    "board": ["C3 alice down submarine", "C1 bob up speed-boat", "E4 alice up frigate"],
    "alice": {"hand": ["frigate", "fire-ship"], "discards": ["ammunition-ship"]},
    "bob": {"deck": ["flag-ship"]},
    "idle": 3,
}


def told(step: Any, kind: str, player: str) -> list[dict[str, Any]]:
    """What that player hears of that kind."""
    return [one for one in step.report(player)["events"] if one["kind"] == kind]


def test_a_discard_is_counted_for_all_and_named_for_one(carried_out: Any) -> None:
    """SS-4: from the hand, face down, the pile in the order of the table."""
    step = carried_out(POSITION, alice="move C3 D3 discard fire-ship")
    side = GAME.position(step.state)["alice"]
    assert (side["hand"], side["discards"]) == (["frigate"], ["fire-ship", "ammunition-ship"])
    assert [one.get("count") for one in told(step, "discarded", "bob")] == [1]
    assert "fire-ship" not in str(step.report("bob"))
    assert ["fire-ship"] in [one.get("cards") for one in told(step, "discarded", "alice")]


def test_a_move_is_play_and_a_flip_is_none(carried_out: Any) -> None:
    """SS-11: play ends the count of idle turns, at the end of the turn."""
    moved = carried_out(POSITION, alice="move C3 D3 discard fire-ship\nend")
    assert GAME.position(moved.state)["idle"] == 0
    flipped = carried_out(POSITION, alice="flip C3\nend")
    assert GAME.position(flipped.state)["idle"] == 4
    assert "D3 alice down submarine" in GAME.position(moved.state)["board"]


def test_a_board_is_kept_by_rows(carried_out: Any) -> None:
    """Whatever moves: in row, then column order."""
    step = carried_out(POSITION, alice="move C3 C2 discard fire-ship\nplay frigate on")
    board = GAME.position(step.state)["board"]
    assert [line.partition(" ")[0] for line in board] == ["C1", "C2", "C4", "E4"]


def test_a_ship_is_turned_up_once(carried_out: Any) -> None:
    """Then its name is told, and it is not turned again."""
    step = carried_out(POSITION, alice="flip C3")
    assert [one["ship"] for one in told(step, "flipped", "bob")] == ["submarine"]
    assert "C3 alice up submarine" in GAME.position(step.state)["board"]
    with pytest.raises(Illegal, match="lies face up already"):
        carried_out(step.state, alice="flip C3")


def test_the_end_leaves_nothing_under_way(carried_out: Any) -> None:
    """No turn, no attack, a winner; lines after it are not carried out, and not void either."""
    step = carried_out(POSITION, alice="resign")
    assert GAME.awaited(step.state) == ()
    outcome = GAME.outcome(step.state)
    assert outcome is not None
    assert outcome.winner == "bob"
    assert [event.kind for event in step.events] == ["over"]
    assert "attack" not in GAME.position(step.state)


def test_a_step_does_not_change_what_it_was_given(carried_out: Any) -> None:
    """Whatever it did on its way."""
    step = carried_out(POSITION, alice="flip C3\nmove C3 D3 discard frigate\noffer end\nend")
    assert GAME.position(step.before) == GAME.position(GAME.state(step.setup, POSITION))
    assert carried_out(step.before, alice=step.written["alice"].orders).state == step.state
