"""Many games between bots, without files: who wins, how long it takes, how it ends.

It plays games in memory, where each bot hears only its own reports, and counts. What it must not
know: files, keys, any game's rules.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import games
from adjudicator.archive.workers import workers
from adjudicator.authors.program import seat
from adjudicator.machine.demo import NAMES, Turn, ordered
from games.dice import Dice
from games.game import Bot, Game, Player, Setup, Step
from orders.errors import Refused

MOST_STEPS = 2_000
"""A game that has not ended by then is counted as unfinished."""
UNFINISHED = "unfinished"


class Plan(NamedTuple):
    """What to play: `bots` by name, or a program's command, one a seat; all chance but a program's
    comes from `seed`."""

    game: str
    bots: Sequence[str]
    options: Mapping[str, Any]
    seed: bytes
    table: bytes | None = None

    def setup(self) -> Setup:
        """The setup of each of the games; raises OfferRefused or UnknownGame."""
        game = games.load(self.game)
        return game.setup(NAMES[: len(self.bots)], self.options, self.table)

    def seating(self, number: int) -> tuple[str, ...]:
        """The bots in seat order; they move on by one seat with each game."""
        turned = number % len(self.bots)
        return (*self.bots[turned:], *self.bots[:turned])


class GameResult(NamedTuple):
    """How a game ended: the winner's seat and the first mover's (from 0; None: nobody), the number
    of steps, and the reason in its event `over`."""

    winner: int | None
    first: int | None
    steps: int
    how: str


def play(plan: Plan, number: int) -> GameResult:
    """The game of that number, from 0; always the same game."""
    game, setup = games.load(plan.game), plan.setup()
    kinds = zip(setup.players, plan.seating(number), strict=True)
    seats: dict[Player, Bot] = {player: seat(game, kind, player) for player, kind in kinds}
    seed = plan.seed + b"/%d" % number
    step, steps = Step(game.start(setup), ()), 0
    first: Player | None = None
    _tell(game, seats, step)
    while (asked := game.awaited(step.state)) and steps < MOST_STEPS:
        if first is None and len(asked) < len(setup.players):
            first = asked[0].player
        orders = {}
        for prompt in asked:
            luck = Dice(seed + f"/{steps}/{prompt.player}".encode())
            view = game.view(step.state, prompt.player)
            turn = Turn(steps + 1, prompt.what, None, partial(game.read, view))
            try:
                written = ordered(seats[prompt.player], turn, luck)
            except Refused as error:
                text = f"game {number + 1}: {error.message}"
                raise Refused(error.word, text, error.hint) from None
            orders[prompt.player] = game.read(view, written)
        step = game.adjudicate(step.state, orders, Dice(seed))
        steps += 1
        _tell(game, seats, step)
    ended = game.outcome(step.state)
    winner, how = None, UNFINISHED
    if ended is not None:
        # The reason for the end in `over`; without one, whether somebody won.
        over = next(event.fields for event in step.events if event.kind == "over")
        winner, how = ended.winner, str(over.get("how", "draw" if "draw" in over else "won"))
    places = {player: seat for seat, player in enumerate(setup.players)}
    return GameResult(
        None if winner is None else places.get(winner),
        None if first is None else places[first],
        steps,
        how,
    )


def _tell(game: Game[Any, Any], seats: Mapping[Player, Bot], step: Step[Any]) -> None:
    for player, bot in seats.items():
        told = [event.whole() for event in step.events if event.heard_by(player)]
        bot.hear(game.view(step.state, player), told)


def run(
    plan: Plan,
    count: int,
    said: Callable[[str], object],
    jobs: int = 1,
    scheduler: str | None = None,
) -> Iterator[GameResult]:
    """So many games in the order of their numbers, whoever plays them; raises Refused `cluster`.

    `said` is told if workers fail.
    """
    with workers(jobs, scheduler) as hands:
        yield from hands.spread(partial(play, plan), range(count), said)


class Share(NamedTuple):
    """`part` of `whole` games."""

    part: int
    whole: int

    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the share (Wilson's score): where the share of many more games would
        be."""
        if not self.whole:
            return 0.0, 1.0
        z = 1.959964
        share, n = self.part / self.whole, self.whole
        middle = share + z * z / (2 * n)
        reach = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
        return (middle - reach) / (1 + z * z / n), (middle + reach) / (1 + z * z / n)


class Tally(NamedTuple):
    """All games counted. `seats`, `movers` and `bots` are games won: by seat, by turn order (the
    first mover, then the next in seat order, and so on), and by bot, out of the seats that it had.
    """

    games: int
    seats: tuple[Share, ...]
    movers: tuple[Share, ...]
    bots: Mapping[str, Share]
    nobody: Share
    how: Mapping[str, Share]
    steps: Sequence[int]
    """Ascending."""


def tally(plan: Plan, played: Sequence[GameResult]) -> Tally:
    """The games of a plan, counted; `played` in the order of their numbers."""
    many = len(plan.bots)
    seats = Counter(game.winner for game in played)
    movers: Counter[int] = Counter()
    bots: Counter[str] = Counter()
    for number, game in enumerate(played):
        if game.winner is not None:
            bots[plan.seating(number)[game.winner]] += 1
            if game.first is not None:
                movers[(game.winner - game.first) % many] += 1
    moved = sum(game.first is not None for game in played)
    had = Counter(plan.bots)
    return Tally(
        len(played),
        tuple(Share(seats[seat], len(played)) for seat in range(many)),
        tuple(Share(movers[place], moved) for place in range(many)),
        {bot: Share(bots[bot], len(played) * had[bot]) for bot in dict.fromkeys(plan.bots)},
        Share(seats[None], len(played)),
        {
            how: Share(count, len(played))
            for how, count in Counter(game.how for game in played).most_common()
        },
        sorted(game.steps for game in played),
    )
