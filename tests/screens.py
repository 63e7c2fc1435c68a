"""Positions of random games as screens: what somebody at a prompt would see, turn after turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from adjudicator.words.screen import Scene, scene
from games.bots import Walker
from games.dice import Dice
from games.game import Deductions, Game, Step, View
from games.promises import heard_by

NAMES = ("alice", "bob", "carol", "dave", "erin", "frank", "grace", "heidi")


@dataclass(frozen=True)
class Drawn:
    """A position as its player sees it, who is awaited: the view, what they know, the news since
    their last orders (each report's events), and the screen."""

    game: Game[Any, Any]
    view: View
    known: Deductions
    news: Sequence[Sequence[Mapping[str, Any]]]
    scene: Scene


def names(count: int) -> tuple[str, ...]:
    """Names for so many players."""
    return tuple([*NAMES, *(f"player-{number}" for number in range(9, 27))][:count])


def drawn(
    game: Game[Any, Any],
    players: Sequence[str],
    options: Mapping[str, Any],
    kinds: Sequence[str],
    seed: bytes,
    most: int = 200,
) -> Iterator[Drawn]:
    """Every screen of a game between bots of these kinds (`walker`: any lines), in turn; of games
    of many only the first three players', since following what each knows takes long."""
    setup = game.setup(players, options)
    bots: dict[str, Any] = {
        player: Walker(game, player) if kind == "walker" else game.bots[kind](player)
        for player, kind in zip(players, kinds, strict=True)
    }
    known: dict[str, Deductions] = {}
    news: dict[str, list[Any]] = {player: [] for player in players}
    ordered: set[str] = set()
    watched = players if len(players) < 6 else players[:3]
    step = Step(game.start(setup), ())
    for number in range(most + 1):
        views = {}
        for player in players:
            views[player] = game.view(step.state, player)
            heard = heard_by(player, step)
            bots[player].hear(views[player], heard)
            if player in watched:
                known[player] = game.deduced(views[player], heard, known.get(player))
                news[player] += [heard] if heard else []
        orders = {}
        for prompt in game.awaited(step.state):
            player = prompt.player
            if player in watched:
                heard = news[player]
                first = player not in ordered
                screen = scene(game, views[player], known[player], heard, first=first)
                yield Drawn(game, views[player], known[player], heard, screen)
            dice = Dice(seed + f"/{number}/{player}".encode())
            orders[player] = game.read(views[player], bots[player].order(dice))
            news[player] = []
            ordered.add(player)
        if not orders:
            return
        step = game.adjudicate(step.state, orders, Dice(seed))
