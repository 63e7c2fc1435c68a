"""Two positions that look alike to somebody, for tests of what games hide."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from games.dice import Dice
from games.game import Game, OrderError, Step, View, Written
from games.promises import heard_by

AnyGame = Game[Any, Any]


def adjudicated(game: AnyGame, state: Any, text: str) -> Step[Any]:
    """One step in which the player whose turn it is orders that."""
    orders = game.read(game.view(state, state.turn), Written(text))
    return game.adjudicate(state, {state.turn: orders}, Dice(b"alike"))


def report(game: AnyGame, step: Step[Any], player: str) -> str:
    """What the player gets of a step."""
    told = [game.view(step.state, player).shown, heard_by(player, step)]
    return json.dumps(told, sort_keys=True)


def answer(game: AnyGame, view: View, text: str) -> object:
    """What an order file comes to: the orders, or the error in full."""
    try:
        return game.read(view, Written(text))
    except OrderError as error:
        return (error.status, error.line, error.text, error.expected, error.hint)


def assert_alike(
    game: AnyGame, one: Any, other: Any, player: str, texts: Iterable[str] = ()
) -> None:
    """Two positions show that player and everybody the same, in words, on the map and in its
    picture; the same is awaited and legal, and such orders are answered alike."""
    assert game.awaited(one) == game.awaited(other)
    for reader in (player, None):
        mine, theirs = game.view(one, reader), game.view(other, reader)
        assert mine.shown == theirs.shown
        assert game.public(mine) == game.public(theirs) == game.view(one, None).shown
        assert game.draw(mine) == game.draw(theirs)
        assert game.svg(mine) == game.svg(theirs)
        assert game.after(mine, ()) == game.after(theirs, ())
        for text in (*texts, *game.legal(mine)):
            assert answer(game, mine, text) == answer(game, theirs, text)
