"""A published example, played step by step; what can be worked out; orders that a game refuses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from games.dice import Dice
from games.game import Deductions, Game, OrderError, View, Written
from games.promises import heard_by


def played(game: Game[Any, Any], case: dict[str, Any]) -> Iterator[tuple[dict[str, str], Any]]:
    """For each step of a rule case: what was written, and what came of it."""
    state = game.state(game.setup(case["players"], {}), case["position"])
    for step in case["step"]:
        orders = {
            name: game.read(game.view(state, name), Written(text))
            for name, text in step["orders"].items()
        }
        came = game.adjudicate(state, orders, Dice(b""))
        state = came.state
        yield step["orders"], came


def worked_out(game: Game[Any, Any], state: Any, *turns: Mapping[str, str]) -> Deductions:
    """What Alice can work out after these turns, the position being the first that she is
    shown; by player what is written. The truth is in it, and nothing else is named."""
    found = game.deduced(game.view(state, "alice"), [], None)
    for written in turns:
        orders = {
            name: game.read(game.view(state, name), Written(text)) for name, text in written.items()
        }
        step = game.adjudicate(state, orders, Dice(b""))
        state = step.state
        found = game.deduced(game.view(state, "alice"), heard_by("alice", step), found)
        truth = game.truth(state, "alice")
        assert truth.keys() == found.may.keys()
        assert all(truth[name] in may for name, may in found.may.items())
    return found


def refusal(game: Game[Any, Any], view: View, text: str) -> OrderError:
    """The error with which an order file is refused from that view."""
    with pytest.raises(OrderError) as caught:
        game.read(view, Written(text))
    return caught.value
