"""How many order files a game of Silent Ships takes, with and without standing orders.

Run it: `python tests/bench/silent_ships_mails.py [GAMES]`. Captains play both sides of each
edition; with standing orders they also put their own decisions into the move line.
"""

from __future__ import annotations

import hashlib
import sys

from games.dice import Dice
from games.silent_ships import GAME
from games.silent_ships.bot import Captain


def files(seed: int, edition: str, standing: bool) -> tuple[int, int]:
    """Order files and turns of one game."""
    setup = GAME.setup(("alice", "bob"), {"edition": edition})
    state = GAME.start(setup)
    dice = Dice(hashlib.sha256(f"mails {seed}".encode()).digest())
    seats = {name: Captain(name, standing) for name in setup.players}
    sent = turns = 0
    while asked := GAME.awaited(state):
        orders = {}
        for prompt in asked:
            view = GAME.view(state, prompt.player)
            seats[prompt.player].hear(view, [])
            orders[prompt.player] = GAME.read(view, seats[prompt.player].order(dice))
            sent += 1
        step = GAME.adjudicate(state, orders, dice)
        state = step.state
        turns += sum(event.kind == "turn" for event in step.events)
    return sent, turns


def main() -> None:
    """Print the means."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    print(f"order files a game, mean of {games} games between captains (files for each turn)")
    for edition in ("print", "2021-09-17", "2021-09-12"):
        means = []
        for standing in (False, True):
            counts = [files(seed, edition, standing) for seed in range(games)]
            sent, turns = (sum(column) for column in zip(*counts, strict=True))
            means.append(f"{sent / games:6.2f} ({sent / turns:.2f})")
        print(f"{edition:>10}   without standing orders {means[0]}   with {means[1]}")


if __name__ == "__main__":
    main()
