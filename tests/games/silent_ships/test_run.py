"""One adjudication on its way: each step changes the state and tells what it did."""

from __future__ import annotations

from typing import Any

import pytest

from games.dice import Dice
from games.grid import Cell
from games.silent_ships import GAME
from games.silent_ships.run import Run

POSITION: dict[str, Any] = {
    "turn": "alice",
    "board": ["C3 alice down submarine", "C2 bob up speed-boat"],
    "alice": {"hand": ["frigate", "fire-ship"], "discards": ["ammunition-ship"]},
}
C3, C2, C4 = Cell(3, 3), Cell(3, 2), Cell(3, 4)


@pytest.fixture
def run() -> Run:
    """Nothing done yet."""
    return Run(GAME.state(GAME.setup(("alice", "bob"), {}), POSITION), Dice(b""))


def told(run: Run) -> list[str]:
    """What was told, in order."""
    return [event.kind for event in run.events]


def test_a_discard_is_counted_for_all_and_named_for_one(run: Run) -> None:
    """SS-4: from the hand, face down, the pile in the order of the table."""
    after = run.discard("alice", ("fire-ship",))
    side = after.state.side("alice")
    assert (side.hand, side.discards) == (("frigate",), ("fire-ship", "ammunition-ship"))
    heard = {
        name: [event.told_to(name) for event in after.events if event.heard_by(name)]
        for name in ("alice", "bob")
    }
    assert [event.get("count") for event in heard["bob"]] == [1]
    assert "fire-ship" not in str(heard["bob"])
    assert ["fire-ship"] in [event.get("cards") for event in heard["alice"]]
    with pytest.raises(ValueError, match="not in list"):
        run.discard("alice", ("flag-ship",))


def test_a_move_is_play(run: Run) -> None:
    """SS-11: it ends the count of idle turns."""
    after = run.move(C3, C4)
    assert [str(ship.at) for ship in after.state.board] == ["C2", "C4"]
    assert after.state.active
    assert not run.state.active
    assert told(after) == ["moved"]


def test_a_ship_is_turned_up_once(run: Run) -> None:
    """One that lies face up, and an empty cell, are let be."""
    after = run.turn_up(C3)
    assert all(ship.up for ship in after.state.board)
    assert told(after) == ["flipped"]
    assert after.turn_up(C3) == after
    assert run.turn_up(C2) == run
    assert run.turn_up(C4) == run


def test_the_end_leaves_nothing_under_way(run: Run) -> None:
    """No turn, no attack, a winner."""
    after = run.move(C3, C4).finish("bob", "resigned")
    assert GAME.awaited(after.state) == ()
    outcome = GAME.outcome(after.state)
    assert outcome is not None
    assert outcome.winner == "bob"
    assert not after.state.active
    assert told(after) == ["moved", "over"]


def test_a_run_is_a_value(run: Run) -> None:
    """What comes of it leaves it as it was; changes tell nothing by themselves."""
    before = GAME.position(run.state)
    changed = run.change(idle=3).change_side("bob", deck=("frigate",))
    assert (changed.state.idle, changed.state.side("bob").deck) == (3, ("frigate",))
    assert changed.events == ()
    run.discard("alice", ("frigate",)).move(C3, C4).turn_up(C4).finish("alice", "country")
    assert GAME.position(run.state) == before
    assert run.events == ()
