"""`simulate`: how a game is balanced between its bots."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

import games
from adjudicator.authors.program import bots_of
from adjudicator.authors.simulate import Plan, Share, Tally, run, tally
from adjudicator.cli import completing, shared
from adjudicator.machine.demo import seats_of
from adjudicator.words.adviser import usual_bot
from games.game import Game
from orders.secrets import draw_secret


@click.command(
    epilog="Example: adjudicator simulate silent-ships --games 400 --option edition=2021-09-12"
)
@click.argument("game", shell_complete=completing.of_game)
@click.option(
    "--games", "count", type=shared.Number(1, 1_000_000), default=100, show_default=True,
    help="How many games.",
)  # fmt: skip
@shared.bot_option("One for each seat, a level or a command; else captains.")
@shared.GameOptionOption
@click.option(
    "--table", type=click.Path(path_type=Path, exists=True, dir_okay=False), help="A house table."
)
@shared.SeedOption
@shared.JobsOption
@shared.SchedulerOption
@shared.JsonOption
def simulate(
    game: str, count: int, bots: tuple[str, ...], options: tuple[str, ...],
    table: Path | None, seed: str | None, jobs: int, scheduler: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Play many games of GAME between bots, without files, and count who wins.

    The bots change seats with each game. Each share has its 95 % interval (Wilson's): where it
    would probably be if more were played. The progress is on standard error.
    """
    found = games.load(game)
    text = draw_secret()[:4].hex() if seed is None else seed
    given = found.parse_options(options)
    house = None if table is None else table.read_bytes()
    plan = Plan(game, _bots(found, bots), given, shared.read_seed(text), house)
    plan.setup()
    played = []
    for one in run(plan, count, shared.warn, jobs, scheduler):
        played.append(one)
        shared.tell_progress(len(played), count)
    counted = tally(plan, played)
    if as_json:
        shared.say_json(_json(plan, text, counted))
    else:
        named = ["--games", str(count), "--seed", text]
        named += [word for bot in plan.bots for word in ("--bot", bot)]
        named += [word for option in options for word in ("--option", option)]
        named += [] if table is None else ["--table", str(table)]
        click.echo("\n".join(_lines(plan, counted)))
        click.echo(f"again: adjudicator simulate {game} {shlex.join(named)}")


def _bots(game: Game[Any, Any], given: Sequence[str]) -> tuple[str, ...]:
    """The bots by name, one a seat; raises Refused."""
    least = game.seats[0]
    bots = bots_of(game, given) or bots_of(game, (), least)
    seats_of(game, len(bots), f"--bot {','.join([usual_bot(game)] * least)}")
    return bots


def _groups(counted: Tally) -> Iterator[tuple[str, str, Share]]:
    """Every share to print: of what, its name, and the share."""
    # If all seats have the same bot, that bot wins every game that is won.
    for bot, share in counted.bots.items() if len(counted.bots) > 1 else ():
        yield "won by", bot, share
    for seat, share in enumerate(counted.seats, 1):
        yield "won in seat", str(seat), share
    for place, share in enumerate(counted.movers, 1):
        # In a game in which all move at once nobody moves first.
        if share.whole:
            yield "won as mover", str(place), share
    yield "won by", "nobody", counted.nobody
    for how, share in counted.how.items():
        yield "ended", how, share


def _lines(plan: Plan, counted: Tally) -> Iterator[str]:
    yield f"{counted.games} games of {games.load(plan.game).rules}: {', '.join(plan.bots)}"
    for what, name, share in _groups(counted):
        low, high = share.interval()
        part = 100 * share.part / share.whole if share.whole else 0.0
        yield (
            f"  {f'{what} {name}':<24} {share.part:>7} of {share.whole:<7}"
            f" {part:5.1f} %  ({100 * low:.1f} to {100 * high:.1f})"
        )
    least, middle, most = _steps(counted)
    yield f"  steps: {least} to {most}, median {middle}"


def _steps(counted: Tally) -> tuple[int, int, int]:
    """The fewest, the median, the most."""
    return counted.steps[0], counted.steps[len(counted.steps) // 2], counted.steps[-1]


def _json(plan: Plan, seed: str, counted: Tally) -> dict[str, Any]:
    least, middle, most = _steps(counted)
    return {
        "rules": games.load(plan.game).rules,
        "games": counted.games,
        "seed": seed,
        "players": list(plan.bots),
        "options": dict(plan.options),
        "bots": {bot: _share(share) for bot, share in counted.bots.items()},
        "seats": [_share(share) for share in counted.seats],
        "movers": [_share(share) for share in counted.movers],
        "nobody": _share(counted.nobody),
        "how": {how: _share(share) for how, share in counted.how.items()},
        "steps": {"least": least, "median": middle, "most": most},
    }


def _share(share: Share) -> dict[str, Any]:
    low, high = share.interval()
    return {"won": share.part, "of": share.whole, "low": round(low, 4), "high": round(high, 4)}
