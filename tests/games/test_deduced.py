"""What players work out, over random games: something is ruled out, and a lie is found. That the
truth is always in it is a promise of every game (test_promises)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import Any

import pytest
from matches import play as played

import games
from games import promises
from games.bots import Walker
from games.game import Game, View
from games.promises import filed

GAMES = ("sugar-dog", "silent-ships", "submarine-warfare")


def told(game: Game[Any, Any], seed: int) -> Iterator[tuple[View, list[Any], Any]]:
    """A random game of two: the first player's reports, each with the state."""
    bot = partial(Walker, game)
    for number, step in enumerate(islice(played(game.id, seed, (bot, bot)), 60)):
        if number == 0:
            yield game.view(step.before, "alice"), [], step.before
        yield game.view(step.state, "alice"), list(map(filed, step.heard("alice"))), step.state


@pytest.mark.parametrize("name", GAMES)
def test_it_rules_something_out(name: str) -> None:
    """In some of a few games something that might have been is ruled out, and noted."""
    game = games.load(name)
    ruled_out = noted = False
    for seed in range(6):
        found = None
        for view, heard, _ in told(game, seed):
            found = game.deduced(view, heard, found)
            ruled_out = ruled_out or any(len(may) == 1 for may in found.may.values())
            noted = noted or bool(found.notes)
    assert ruled_out
    assert noted


@pytest.mark.parametrize("name", GAMES)
def test_another_truth_is_found_out(name: str) -> None:
    """The test can fail: it finds a hidden thing that is what it cannot be."""
    game = games.load(name)
    lies = 0
    for seed in range(6):
        found = None
        for view, heard, state in told(game, seed):
            truth = dict(game.truth(state, "alice"))
            for key in truth:
                liar = type("Liar", (type(game),), {
                    "truth": lambda self, state, player, k=key, t=truth: {**t, k: "elsewhere"}
                })()  # fmt: skip
                lies += len(list(promises.deduced(liar, state, view, heard, found)))
            found = game.deduced(view, heard, found)
    assert lies > 20
