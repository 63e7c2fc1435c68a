"""How well the captain of Silent Ships plays: games won against the random bot, seats swapped.

Run it: `python tests/bench/silent_ships_bot.py [GAMES]`.
"""

from __future__ import annotations

import hashlib
import sys
import time
from typing import Any

from games.dice import Dice
from games.silent_ships import GAME
from games.silent_ships.bot import Captain, Random

OPTIONS: list[dict[str, Any]] = [
    {"edition": "print"},
    {"edition": "print", "speed": True},
    {"edition": "print", "flag_ship": False},
    {"edition": "2021-09-17"},
    {"edition": "2021-09-12"},
]


def winner(seed: int, options: dict[str, Any], bots: tuple[Any, Any]) -> tuple[str, int]:
    """Who won one game, and in how many steps."""
    setup = GAME.setup(("alice", "bob"), options)
    state = GAME.start(setup)
    dice = Dice(hashlib.sha256(f"bots {seed}".encode()).digest())
    seats = {name: bot(name) for name, bot in zip(setup.players, bots, strict=True)}
    steps = 0
    while asked := GAME.awaited(state):
        orders = {}
        for prompt in asked:
            view = GAME.view(state, prompt.player)
            seats[prompt.player].hear(view, [])
            orders[prompt.player] = GAME.read(view, seats[prompt.player].order(dice))
        state = GAME.adjudicate(state, orders, dice).state
        steps += 1
    outcome = GAME.outcome(state)
    return (outcome.winner or "") if outcome else "", steps


def main() -> None:
    """Print games won, seat by seat, and the time they took."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    for options in OPTIONS:
        began = time.perf_counter()
        first = [winner(seed, options, (Captain, Random)) for seed in range(games // 2)]
        second = [winner(seed, options, (Random, Captain)) for seed in range(games // 2)]
        won = [sum(who == "alice" for who, _ in first), sum(who == "bob" for who, _ in second)]
        steps = [count for _, count in first + second]
        print(
            f"{options}: captain won {sum(won)} of {len(steps)} ({won[0]} first, {won[1]} second), "
            f"{sum(steps) / len(steps):.1f} steps a game, at most {max(steps)}, "
            f"{time.perf_counter() - began:.1f} s"
        )


if __name__ == "__main__":
    main()
