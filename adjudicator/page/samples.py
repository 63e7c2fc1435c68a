"""What the page shows of each game before its engine runs: the offer, and a board of a game on its
way. It is made while the page is built, the same on every machine.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import games
from adjudicator.machine.demo import NAMES
from adjudicator.page import shown
from adjudicator.words.adviser import usual_bot, usual_rival
from games.dice import Dice
from games.game import Game, Table, View
from games.options import Option

PLAYERS = NAMES[:2]
MOST_RIVALS = 7
"""So many bots are offered: with more, a person waits long for each turn."""
STEPS = 40
"""So many steps are looked at for the board that shows most."""


def offered() -> list[dict[str, Any]]:
    """The games that can be played against bots, each with bots, presets, options and a board.

    `bots` are the weakest first; `first` is the one to begin with, `then` the usual one later.
    `lessons`: how many. `duel`: the options that a duel fixes; None if the game needs a host. An
    installed game that does not load is left out.
    """
    found = []
    for name in games.installed():
        with suppress(games.UnknownGame):
            game = games.load(name)
            found.append({
                "id": game.id,
                "title": game.title,
                "summary": game.summary,
                "lessons": len(games.own_lessons(game)),
                "duel": None if game.duel is None else list(game.duel.options),
                "bots": list(game.bots),
                "first": usual_rival(game, new=True),
                "then": usual_rival(game),
                # A bot neither rests nor goes away.
                "presets": [name for name in game.presets if name != "club"],
                "options": [_option(one) for one in game.own_options if one.kind != "duration"],
                "rivals": [game.seats[0] - 1, min(game.seats[1] - 1, MOST_RIVALS)],
                "chart": shown.chart(game, _sample(game)),
            })  # fmt: skip
    return found


def _option(option: Option) -> dict[str, Any]:
    """An option as a field of a form: `choices` with what they are called, or the least and the
    greatest number. `usual`: what holds if nothing is said. Players are named by their seats."""
    about = shown.about_option(option)
    told: dict[str, Any] = {"name": option.name, "help": about, "kind": option.kind}
    if option.kind == "int":
        return {**told, "low": option.low, "high": option.high, "usual": str(option.default)}
    if option.kind == "player":
        me, *others = PLAYERS
        choices = [["", "not given"], [me, "you"], *([name, name] for name in others)]
        return {**told, "choices": choices, "usual": ""}
    if option.kind == "bool":
        choices = [["true", "yes"], ["false", "no"]]
        return {**told, "choices": choices, "usual": str(option.default).lower()}
    return {**told, "choices": [[name, name] for name in option.choices], "usual": option.default}


def _sample(game: Game[Any, Any]) -> View:
    """The first player's view with the most pieces, in a game of the usual bots."""
    players = PLAYERS[: game.seats[1]]
    setup = game.setup(players, {})
    state = game.start(setup)
    bots = {player: game.bots[usual_bot(game)](player) for player in players}
    best, most = game.view(state, players[0]), -1
    told: dict[str, list[Table]] = {player: [] for player in players}
    for step in range(STEPS):
        for player in players:
            bots[player].hear(game.view(state, player), told[player])
        orders = {
            player: game.read(
                game.view(state, player), bots[player].order(_dice(f"{step} {player}"))
            )
            for player, _ in game.awaited(state)
        }
        if not orders:
            break
        state, events = game.adjudicate(state, orders, _dice(str(step)))
        for player in players:
            told[player] = [event.whole() for event in events if event.heard_by(player)]
        view = game.view(state, players[0])
        found = game.chart(view)
        if found is not None and len(found.pieces) >= most:
            best, most = view, len(found.pieces)
    return best


def _dice(label: str) -> Dice:
    return Dice(label.encode().ljust(32))
