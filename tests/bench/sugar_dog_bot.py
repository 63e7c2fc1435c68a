"""How much better Sugar Dog's captain plays than its random bot.

    python tests/bench/sugar_dog_bot.py [GAMES]

plays GAMES (1,000 left out) two-player games, the seats swapped after each, and prints how the
captain fared. The same number gives the same figures on every machine.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass

import games
from games.dice import Dice
from games.game import EVERYONE


@dataclass(frozen=True, slots=True)
class Played:
    """One game: the winner's seat (None: a draw) and its steps, the setup included."""

    winner: int | None
    steps: int


def play(bots: tuple[str, ...], seed: bytes) -> Played:
    """One game between bots, each hearing its own reports only."""
    game = games.load("sugar-dog")
    names = tuple(f"player-{seat}" for seat in range(len(bots)))
    setup = game.setup(names, {})
    state, rules, steps = game.start(setup), Dice(seed), 0
    seats = {name: game.bots[bot](name) for name, bot in zip(names, bots, strict=True)}
    luck = {name: Dice(seed + name.encode()) for name in names}
    for name, bot in seats.items():
        bot.hear(game.view(state, name), ())
    while awaited := game.awaited(state):
        orders = {}
        for prompt in awaited:
            name = prompt.player
            written = seats[name].order(luck[name])
            orders[name] = game.read(game.view(state, name), written)
        step = game.adjudicate(state, orders, rules)
        state, steps = step.state, steps + 1
        for name, bot in seats.items():
            told = [event.told_to(name) for event in step.events if event.heard_by(name)]
            bot.hear(game.view(state, name), told)
    ended = game.outcome(state)
    winner = None if ended is None or ended.winner is None else names.index(ended.winner)
    return Played(winner, steps)


def match(count: int, label: str = EVERYONE) -> tuple[Counter[str], list[int]]:
    """`count` games of captain against random, seats swapped: wins, draws, losses; the lengths."""
    score: Counter[str] = Counter(wins=0, draws=0, losses=0)
    lengths = []
    for number in range(count):
        seat = number % 2
        bots = ("captain", "random") if seat == 0 else ("random", "captain")
        played = play(bots, f"{label}/{number}".encode())
        outcome = {None: "draws", seat: "wins"}.get(played.winner, "losses")
        score[outcome] += 1
        lengths.append(played.steps)
    return score, lengths


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    score, lengths = match(count)
    print(f"captain against random, {count} games of two, seats swapped:")
    print(", ".join(f"{name} {number}" for name, number in score.items()))
    print(f"steps: {sum(lengths) // count} on average, {max(lengths)} at most")


if __name__ == "__main__":
    main()
