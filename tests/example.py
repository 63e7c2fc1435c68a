"""A published example, played step by step; and orders that a game refuses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from games.dice import Dice
from games.game import Game, OrderError, View, Written


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


def refusal(game: Game[Any, Any], view: View, text: str) -> OrderError:
    """The error with which an order file is refused from that view."""
    with pytest.raises(OrderError) as caught:
        game.read(view, Written(text))
    return caught.value
