"""An attack step by step: who is asked for what, what waits, and how it goes on."""

from __future__ import annotations

from typing import Any

import pytest

from games.silent_ships import GAME


def here(**changes: Any) -> dict[str, Any]:
    """Alice's missile boat in C2 beside Bob's patrol ship in D2."""
    return {
        "turn": "alice",
        "board": ["C2 alice up missile-boat", "D2 bob down patrol-ship", "A4 alice down frigate"],
        "alice": {"hand": ["flag-ship", "fire-ship"]},
        "bob": {"hand": ["salvage-ship"], "deck": ["frigate"]},
        **changes,
    }


def asked(step: Any) -> list[str]:
    """Who is awaited for what after it."""
    return [f"{one.player} {one.what}" for one in GAME.awaited(step.state)]


def told(step: Any) -> list[str]:
    """What was told, in order, cards aside."""
    return [event.kind for event in step.events if event.kind not in ("discarded", "drew")]


def test_an_attack_waits_where_somebody_must_decide(carried_out: Any) -> None:
    """SS-12: with its author's further lines, so that it goes on without them."""
    step = carried_out(
        here(), alice="move C2 D2 discard flag-ship support none push E2\nflip A4\nend"
    )
    assert asked(step) == ["bob retreat C2 D2"]
    assert told(step) == ["attack"]
    attack = GAME.position(step.state)["attack"]
    assert (attack["waiting"], attack["line"]) == (["flip A4", "end"], 2)
    assert "waiting" not in GAME.view(step.state, "bob").shown["attack"]
    after = carried_out(step.state, bob="stand")
    assert told(after)[:4] == ["flipped", "battle", "sunk", "moved"]
    assert told(after)[4:] == ["flipped", "turn"]
    assert asked(after) == ["bob turn"]


def test_an_attack_without_a_choice_is_fought_at_once(carried_out: Any) -> None:
    """SS-15: a defender without cards is asked nothing."""
    step = carried_out(here(bob={"hand": []}), alice="move C2 D2 discard flag-ship support none")
    assert told(step) == ["attack", "flipped", "battle", "sunk", "moved"]
    assert "D2 alice up missile-boat" in GAME.position(step.state)["board"]
    assert asked(step) == ["alice turn"]


def test_a_missed_answer_stands(carried_out: Any) -> None:
    """SS-15: as if `stand` had been written."""
    step = carried_out(here(), alice="move C2 D2 discard flag-ship support none")
    stood, missed = carried_out(step.state, bob="stand"), carried_out(step.state)
    assert stood.state == missed.state
    assert stood.events == missed.events


def test_a_missed_push_goes_to_the_first_cell(carried_out: Any) -> None:
    """SS-15: by rows; what is pushed is not turned up, and there is no battle."""
    step = carried_out(here(), alice="move C2 D2 discard flag-ship")
    fled = carried_out(step.state, bob="retreat discard salvage-ship")
    assert asked(fled) == ["alice push C2 D2"]
    missed, pushed = carried_out(fled.state), carried_out(fled.state, alice="push D1")
    assert missed.state == pushed.state
    assert told(missed) == ["retreat", "moved"]
    assert GAME.position(missed.state)["board"] == [
        "D1 bob down patrol-ship", "D2 alice up missile-boat", "A4 alice down frigate",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("standing", "after"),
    [
        ({"retreat": "never"}, []),
        ({"retreat": "always", "discard": ["salvage-ship"]}, ["alice push C2 D2"]),
        ({"retreat": "always"}, ["bob retreat C2 D2"]),
        ({"retreat": "ask"}, ["bob retreat C2 D2"]),
    ],
)
def test_standing_orders_answer(carried_out: Any, standing: Any, after: list[str]) -> None:
    """SS-13: what needs a card and names none is asked all the same."""
    bob = {"hand": ["salvage-ship"], "deck": ["frigate"], "standing": standing}
    step = carried_out(here(bob=bob), alice="move C2 D2 discard flag-ship support none")
    assert asked(step) == (after or ["alice turn"])


def test_who_lost_is_sunk_only_where_they_were_attacked(carried_out: Any) -> None:
    """SS-9: an attacker that loses stays, face up."""
    board = ["C2 alice down patrol-ship", "D2 bob down flag-ship"]
    step = carried_out(
        here(board=board, bob={"hand": []}), alice="move C2 D2 discard flag-ship support none"
    )
    assert "sunk" not in told(step)
    assert GAME.position(step.state)["board"] == [
        "C2 alice up patrol-ship", "D2 bob up flag-ship",
    ]  # fmt: skip
