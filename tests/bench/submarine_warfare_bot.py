"""How much better Submarine Warfare's captain plays than its random bot.

    python tests/bench/submarine_warfare_bot.py [GAMES]

plays GAMES (1,000 left out) games, the seats swapped after each, and prints how the captain fared,
how the games ended and how long they were. The same number gives the same figures on every machine.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass

import games
from games.dice import Dice

NAMES = ("alice", "bob")


@dataclass(frozen=True, slots=True)
class Played:
    """One game: the winner (None: a draw), how it ended, and its steps, the setup included."""

    winner: str | None
    how: str
    steps: int


def play(bots: tuple[str, ...], seed: bytes) -> Played:
    """One game between bots, each hearing its own reports only."""
    game = games.load("submarine-warfare")
    state, rules, steps = game.start(game.setup(NAMES, {})), Dice(seed), 0
    seats = {name: game.bots[bot](name) for name, bot in zip(NAMES, bots, strict=True)}
    luck = {name: Dice(seed + name.encode()) for name in NAMES}
    for name, bot in seats.items():
        bot.hear(game.view(state, name), ())
    how = ""
    while awaited := game.awaited(state):
        orders = {}
        for prompt in awaited:
            written = seats[prompt.player].order(luck[prompt.player])
            orders[prompt.player] = game.read(game.view(state, prompt.player), written)
        step = game.adjudicate(state, orders, rules)
        state, steps, how = step.state, steps + 1, step.events[-1].fields.get("how", "")
        for name, bot in seats.items():
            told = [event.told_to(name) for event in step.events if event.heard_by(name)]
            bot.hear(game.view(state, name), told)
    ended = game.outcome(state)
    return Played(None if ended is None else ended.winner, how, steps)


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    score: Counter[str] = Counter(won=0, drawn=0, lost=0)
    ends: Counter[str] = Counter()
    lengths = []
    for number in range(count):
        bots = ("captain", "random") if number % 2 == 0 else ("random", "captain")
        played = play(bots, b"match/%d" % number)
        captain = NAMES[bots.index("captain")]
        score[{captain: "won", None: "drawn"}.get(played.winner, "lost")] += 1
        ends[played.how] += 1
        lengths.append(played.steps)
    print(f"captain against random, {count} games, seats swapped:")
    for figures in (score, ends):
        print(", ".join(f"{name} {number}" for name, number in figures.most_common()))
    print(f"steps: {sum(lengths) // count} on average, {max(lengths)} at most")


if __name__ == "__main__":
    main()
