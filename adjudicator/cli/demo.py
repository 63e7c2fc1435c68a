"""`demo`: a whole game in one command."""

from __future__ import annotations

import textwrap
from pathlib import Path

import click

import games
from adjudicator.cli import completing
from adjudicator.cli.findings import print_findings
from adjudicator.cli.shared import AnyPath, GameOptionOption, PresetOption, game_folder, read_seed
from adjudicator.league import demo as player_bots
from adjudicator.league.demo import Plan
from adjudicator.store.record import Record
from adjudicator.verifier.verify import verify
from games.options import of_preset
from orders.errors import Refused
from orders.secrets import draw_secret


@click.command(epilog="Example: adjudicator demo --players 3 --seed 07 --keep friday")
@click.argument("game_name", metavar="[GAME]", required=False, shell_complete=completing.of_game)
@click.option(
    "--game", "game_id", help="Which game; by default sugar-dog.", shell_complete=completing.of_game
)
@click.option("--players", type=int, help="How many; by default the least for the game.")
@click.option("--seed", metavar="HEX", help="All secrets, keys and times come from it.")
@click.option("--keep", type=AnyPath, help="Keep all files in this folder.")
@click.option(
    "--bot", "bots", multiple=True, help="A seat's bot, in seat order: captain, random.",
    shell_complete=completing.of_bot,
)  # fmt: skip
@GameOptionOption
@PresetOption
@click.option("--edition", help="Short for --option edition=...")
@click.option("--boards", is_flag=True, help="Show every board, not only the last one.")
@click.option("--quiet", is_flag=True, help="Only the verifier's lines.")
@click.pass_context
def demo(
    ctx: click.Context, game_name: str | None, game_id: str | None, players: int | None,
    seed: str | None, keep: Path | None, bots: tuple[str, ...], options: tuple[str, ...],
    preset: str | None, edition: str | None, boards: bool, quiet: bool,
) -> None:  # fmt: skip
    """Play a whole game between bots that see only their own reports, then verify the record.

    The game uses the real files: invite, joins, signed and sealed orders, receipts, sealed reports,
    the reveal.
    """
    game = games.load(game_name or game_id or "sugar-dog")
    count = player_bots.seats_of(game, players)
    if len(bots) > count:
        raise Refused("bad-option", f"{len(bots)} bots for {count} seats", f"--players {len(bots)}")
    named = player_bots.seated_bots(game, bots, count)
    parsed = game.parse_options((*options, *([f"edition={edition}"] if edition else [])))
    given = {**of_preset(game.presets, preset, game.id), **parsed}
    drawn = draw_secret() if seed is None else read_seed(seed)
    plan = player_bots.Plan(game, named, drawn, given)
    with game_folder(keep) as folder:
        shown = "record" if keep is None else folder / "record"
        code = _run(plan, folder, shown, boards=boards, quiet=quiet)
    ctx.exit(code)


def _run(plan: Plan, folder: Path, shown: Path | str, *, boards: bool, quiet: bool) -> int:
    names = player_bots.NAMES[: len(plan.bots)]
    if not quiet:
        seats = ", ".join(f"{name} ({bot})" for name, bot in zip(names, plan.bots, strict=True))
        click.echo(f"{plan.game.title}: {seats}; boards as {names[0]} sees them\n")
    board = ""
    for told in player_bots.play(plan, folder):
        before, board = board, board if told.view is None else plan.game.draw(told.view)
        if quiet:
            continue
        news = f"[{told.step}] " + (" ".join(told.news) or "(nothing for everyone to hear)")
        click.echo(textwrap.fill(news, 78, subsequent_indent="    "))
        if board != before and (boards or told.revealed):
            click.echo(board)
        if told.revealed:
            click.echo("The host reveals the master secret: the whole game is open now.")
    found = verify(Record(folder / "record"))
    if not quiet:
        click.echo("\nNow a stranger verifies the record:")
    print_findings(shown, found)
    return found.code
