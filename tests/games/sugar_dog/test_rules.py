"""The rules as functions: determinism, bounds and what every step must keep."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.dice import Dice
from games.game import Written
from games.options import OfferRefused
from games.sugar_dog import GAME

seeds, lengths = st.integers(0, 2**32), st.integers(0, 60)

PUBLIC = {"turn", "draw-offered", "contact", "clear", "impact", "sunk", "ping", "echo", "over"}
OWN = {"started", "moved", "laid", "torpedo", "torpedo-lost", "lost", "void"}


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 4), seeds, lengths)
def test_every_step_keeps_the_books(reach, players, seed, steps):
    """Over any game: mines are laid, left or lost and never more than three; objects lie on the
    map; a turn opens its step and `over` ends the game; audiences are as the events' table says."""
    table = reach(players, seed, steps)
    for state in table.states[1:]:
        for fleet in state.fleets.values():
            assert len(fleet.mines) + fleet.left <= 3
            assert all(cell.on(state.board) for cell in fleet.objects())
        assert (GAME.outcome(state) is None) == (GAME.awaited(state) != ())
        assert (state.turn is None) == (len(state.survivors) < 2 or state.agreed)
    for number, events in enumerate(table.events):
        for event in events:
            assert event.kind in (PUBLIC if event.audience == "*" else OWN)
        assert [event.kind for event in events].count("turn") == min(number, 1)
        assert number == 0 or (events[0].kind, events[0].fields["n"]) == ("turn", number)
        over = [event.kind for event in events].count("over")
        last = number == len(table.events) - 1 and GAME.outcome(table.state) is not None
        assert over == last
        assert not over or events[-1].kind == "over"


def test_the_largest_game_can_be_set_up():
    """SD-1: a map of 54 by 54 for 26 players; no more than that may play."""
    names = [f"p{number}" for number in range(26)]
    state = GAME.start(GAME.setup(names, {}))
    orders = {name: GAME.read(GAME.view(state, name), Written("start BB54")) for name in names}
    step = GAME.adjudicate(state, orders, Dice(b""))
    assert GAME.position(step.state)["p25"]["sub"] == "BB54"
    with pytest.raises(OfferRefused, match="2 to 26 players"):
        GAME.setup([*names, "p26"], {})
