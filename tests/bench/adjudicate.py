"""What adjudicating a turn costs, for each installed game, in V: one Ed25519 verification.

`python tests/bench/adjudicate.py [GAMES]` plays GAMES games (5) of each kind between bots in
memory, and prints the mean over their steps of the adjudication alone, and of reading orders and
making views besides.
"""

from __future__ import annotations

import hashlib
import sys
import time

from games_played import bare, seconds

import games
from games.dice import Dice
from games.game import Game


class Meter:
    """Seconds spent in `adjudicate`, in `read`, in `view`, and steps."""

    def __init__(self) -> None:
        self.spent = dict.fromkeys(("adjudicate", "read", "view"), 0.0)
        self.steps = 0

    def call(self, game: Game, name: str, *given: object) -> object:
        """Call a method of the game and add up what it takes."""
        start = time.perf_counter()
        value = getattr(game, name)(*given)
        self.spent[name] += time.perf_counter() - start
        return value


def play(game: Game, number: int, meter: Meter) -> None:
    """One game between captains."""
    seats = ("alice", "bob", "carol")[: game.seats[0]]
    bots = {name: game.bots["captain"](name) for name in seats}
    dice = Dice(hashlib.sha256(b"%d" % number).digest())
    state = game.start(game.setup(seats, {}))
    events: tuple = ()
    while awaited := game.awaited(state):
        orders = {}
        views = {name: meter.call(game, "view", state, name) for name in seats}
        for name in seats:
            bots[name].hear(views[name], [e.told_to(name) for e in events if e.heard_by(name)])
        for prompt in awaited:
            name = prompt.player
            own = Dice(hashlib.sha256(f"{number} {name} {meter.steps}".encode()).digest())
            orders[name] = meter.call(game, "read", views[name], bots[name].order(own))
        step = meter.call(game, "adjudicate", state, orders, dice)
        state, events = step.state, step.events
        meter.steps += 1


def main(count: int) -> None:
    """Measure and print."""
    unit = min(seconds(bare(1000)) for _ in range(5)) / 1000
    for game_id in games.installed():
        game, meter = games.load(game_id), Meter()
        for number in range(count):
            play(game, number, meter)
        shares = {name: spent / meter.steps / unit for name, spent in meter.spent.items()}
        print(
            f"{game_id}: adjudicate {shares['adjudicate']:.3f} V a step "
            f"(read {shares['read']:.3f}, all views {shares['view']:.3f}; {meter.steps} steps)"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
