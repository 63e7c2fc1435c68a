"""What adjudicating a turn costs, for each installed game, in V: one Ed25519 verification.

`python tests/bench/adjudicate.py [GAMES [ROUNDS]]` plays GAMES games (5) of each kind between bots
in memory. Then it repeats all their adjudications, reads all orders again, and makes all views
again, the public one included. For each of the three it prints the time for a step, the least of
ROUNDS (9).
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from typing import Any

from games_played import bare, seconds

import games
from games.dice import Dice
from games.game import Game


class Calls:
    """What was called as games were played, by method: `adjudicate`, `read` and `view`."""

    def __init__(self) -> None:
        self.made: dict[str, list[tuple[Callable[..., Any], tuple[Any, ...]]]] = {}
        self.steps = 0

    def call(self, game: Game, name: str, *given: Any) -> Any:
        """Call a method of the game, and keep what was asked."""
        method = getattr(game, name)
        self.made.setdefault(name, []).append((method, given))
        return method(*given)

    def again(self, name: str, rounds: int) -> float:
        """Seconds for a step when a method's calls are repeated: the least of some rounds."""
        made = self.made[name]

        def run() -> None:
            for method, given in made:
                method(*given)

        return min(seconds(run) for _ in range(rounds)) / self.steps


def play(game: Game, number: int, calls: Calls) -> None:
    """One game between captains."""
    seats = ("alice", "bob", "carol")[: game.seats[0]]
    bots = {name: game.bots["captain"](name) for name in seats}
    dice = Dice(hashlib.sha256(b"%d" % number).digest())
    state = game.start(game.setup(seats, {}))
    events: tuple = ()
    while awaited := game.awaited(state):
        orders = {}
        views = {name: calls.call(game, "view", state, name) for name in seats}
        calls.call(game, "view", state, None)
        for name in seats:
            bots[name].hear(views[name], [e.whole() for e in events if e.heard_by(name)])
        for prompt in awaited:
            name = prompt.player
            own = Dice(hashlib.sha256(f"{number} {name} {calls.steps}".encode()).digest())
            orders[name] = calls.call(game, "read", views[name], bots[name].order(own))
        step = calls.call(game, "adjudicate", state, orders, dice)
        state, events = step.state, step.events
        calls.steps += 1


def main(count: int, rounds: int) -> None:
    """Measure and print."""
    for game_id in games.installed():
        game, calls = games.load(game_id), Calls()
        for number in range(count):
            play(game, number, calls)
        unit = min(seconds(bare(1000)) for _ in range(rounds)) / 1000
        shares = {name: calls.again(name, rounds) / unit for name in calls.made}
        print(
            f"{game_id}: adjudicate {shares['adjudicate']:.2f} V a step, "
            f"all views {shares['view']:.2f}, reading orders {shares['read']:.2f} "
            f"({calls.steps} steps)"
        )


if __name__ == "__main__":
    main(*map(int, [*sys.argv[1:], *["5", "9"][len(sys.argv) - 1 :]]))
