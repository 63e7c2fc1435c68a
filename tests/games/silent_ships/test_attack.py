"""An attack: what calling its steps from outside the course of a game shows, and cases cannot."""

from __future__ import annotations

from typing import Any

import pytest

from games.dice import Dice
from games.grid import Cell
from games.silent_ships import GAME, attack
from games.silent_ships.lines import Command
from games.silent_ships.run import Run
from games.silent_ships.state import under_way

SETUP = GAME.setup(("alice", "bob"), {})
MOVE = Command("move", (Cell(3, 2), Cell(4, 2)), ("flag-ship",))


def run(**changes: Any) -> Run:
    """Alice's frigate in C2 beside Bob's submarine in D2."""
    position: dict[str, Any] = {
        "turn": "alice",
        "board": ["C2 alice up frigate", "D2 bob up submarine"],
        "alice": {"hand": ["flag-ship", "fire-ship"]},
        "bob": {"hand": ["salvage-ship"]},
        **changes,
    }
    return Run(GAME.state(SETUP, position), Dice(b""))


def told(run: Run) -> list[str]:
    """What was told, in order."""
    return [event.kind for event in run.events]


def test_an_attack_waits_where_somebody_must_decide() -> None:
    """SS-12: with what its author wrote, so that it goes on without them."""
    command = Command("move", MOVE.cells, MOVE.cards, supports=(), push=Cell(5, 2))
    after = attack.declare(run(), command, 2, ("flip A1", "end"), 7)
    waiting = under_way(after.state.attack)
    assert (waiting.asks, waiting.player, waiting.number) == ("retreat", "bob", 2)
    assert (waiting.given_support, waiting.given_push) == ((), Cell(5, 2))
    assert (waiting.waiting, waiting.line) == (("flip A1", "end"), 7)
    assert told(after)[-1] == "attack"
    assert "battle" not in told(after)


def test_an_attack_without_a_choice_is_fought_at_once() -> None:
    """SS-15: a defender without cards is asked nothing."""
    after = attack.declare(run(bob={"hand": []}), MOVE, 1, (), 2)
    assert after.state.attack is None
    assert told(after)[-3:] == ["battle", "sunk", "moved"]


def test_what_is_asked_is_answered_once() -> None:
    """An answer leads on; without an attack none can be given: the caller's mistake."""
    waiting = attack.declare(run(), MOVE, 1, (), 2)
    stood = attack.answer(waiting, [Command("stand")])
    assert stood.state.attack is None
    assert attack.missed(waiting) == stood
    for call in (attack.missed, lambda run: attack.answer(run, [Command("stand")])):
        with pytest.raises(ValueError, match="no attack"):
            call(stood)


def test_a_missed_push_goes_to_the_first_cell() -> None:
    """SS-15: by rows."""
    board = ["C2 alice up frigate", "D2 bob up submarine"]
    waiting = attack.declare(run(board=board), MOVE, 1, (), 2)
    asked = attack.answer(waiting, [Command("retreat", (), ("salvage-ship",))])
    assert (under_way(asked.state.attack).asks, under_way(asked.state.attack).player) == (
        "push", "alice",
    )  # fmt: skip
    after = attack.missed(asked)
    assert [(ship.name, str(ship.at)) for ship in after.state.board] == [
        ("submarine", "D1"), ("frigate", "D2"),
    ]  # fmt: skip
    assert after == attack.answer(asked, [Command("push", push=Cell(4, 1))])


def test_an_attack_from_an_empty_cell_is_a_mistake_of_the_caller() -> None:
    """It is named."""
    with pytest.raises(ValueError, match="no ship is in A1"):
        attack.declare(run(), Command("move", (Cell(1, 1), Cell(1, 2)), ()), 1, (), 2)


def test_an_attack_changes_nothing_that_it_was_given() -> None:
    """The run before it can be gone on from in another way."""
    before = run()
    position = GAME.position(before.state)
    one, two = (attack.declare(before, MOVE, 1, (), 2) for _ in range(2))
    assert one == two
    assert GAME.position(before.state) == position
    assert before.events == ()
