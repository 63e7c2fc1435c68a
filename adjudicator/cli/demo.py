"""`demo`: a whole game in one command."""

from __future__ import annotations

import tempfile
import textwrap
from pathlib import Path

import click

import games
from adjudicator.authors.program import bots_of, programs
from adjudicator.cli import completing, shared
from adjudicator.core.source import MemoryFiles
from adjudicator.machine import demo as player_bots
from adjudicator.machine.demo import Plan
from adjudicator.store import files, pack
from adjudicator.store.record import Record
from adjudicator.verifier.verify import verify
from orders.errors import Refused
from orders.secrets import draw_secret


@click.command(epilog="Example: adjudicator demo --players 3 --seed 07 --keep friday")
@click.argument("game_name", metavar="[GAME]", required=False, shell_complete=completing.of_game)
@click.option("--players", type=shared.Number(1), help="How many; else the fewest.")
@click.option("--seed", metavar="HEX", help="All secrets, keys and times come from it.")
@click.option("--keep", type=shared.AnyPath, help="Keep all files in this folder.")
@shared.bot_option("A seat's bot, in seat order: a level or a command.")
@shared.GameOptionOption
@click.option("--duel", is_flag=True, help="Two play, and nobody hosts.")
@click.option("--boards", is_flag=True, help="Show every board, not only the last one.")
@shared.QuietOption
@click.pass_context
def demo(
    ctx: click.Context, game_name: str | None, players: int | None,
    seed: str | None, keep: Path | None, bots: tuple[str, ...], options: tuple[str, ...],
    duel: bool, boards: bool, quiet: bool,
) -> None:  # fmt: skip
    """Play a whole game between bots that see only their own reports, then verify the record.

    The game uses the real files: invite, joins, signed and sealed orders, receipts, sealed reports,
    the reveal. With --duel there is no host: two bots play through the blocks that two people would
    send each other, and DIR/duel.zip holds it all.
    """
    game = games.load(game_name or "sugar-dog")
    least, many = game.seats[0], len(bots_of(game, bots))
    count = max(least, many) if players is None else players
    player_bots.seats_of(game, count, f"--players {least}")
    if many > count:
        raise Refused("bad-option", f"{many} bots for {count} seats", f"--players {many}")
    named = bots_of(game, bots, count)
    given = game.parse_options(options)
    drawn = draw_secret() if seed is None else shared.read_seed(seed)
    plan = player_bots.Plan(game, named, drawn, given, programs(game, named))
    if keep is not None and keep.exists():
        raise Refused("exists", f"{str(keep)!a} is there already", "name another folder")
    if duel:
        ctx.exit(_duel(plan, keep, boards=boards, quiet=quiet))
    if keep is not None:
        code = _run(plan, keep, keep / "record", boards=boards, quiet=quiet)
        shared.say(f"{keep}: all files; {keep / 'record'} is the host's record")
        ctx.exit(code)
    with tempfile.TemporaryDirectory(prefix="adjudicator-") as folder:
        code = _run(plan, Path(folder), "record", boards=boards, quiet=quiet)
    ctx.exit(code)


def _duel(plan: Plan, keep: Path | None, *, boards: bool, quiet: bool) -> int:
    """A duel between the plan's bots; returns the verdict's code."""
    # A demo with a host needs none of it.
    from adjudicator.machine import duel

    people = duel.people_of(plan)
    names = " and ".join(f"{one.name} ({bot})" for one, bot in zip(people, plan.bots, strict=True))
    if not quiet:
        click.echo(f"{plan.game.title}, without a host: {names}\n")
    blocks: dict[str, bytes] = {}
    board = ""
    for number, told in enumerate(duel.play(*people, plan.game, plan.options)):
        blocks[f"{number:04d}-{told.sender}.txt"] = told.block
        before, board = board, "" if told.view is None else plan.game.draw(told.view)
        if not quiet:
            news = f"[{number}] {told.sender}: " + (" ".join(told.news) or "(no news for everyone)")
            click.echo(textwrap.fill(news, 78, subsequent_indent="    "))
        if boards and not quiet and board != before:
            click.echo(board)
    held = duel.files_of(*people)
    if keep is not None:
        kept = {"duel.zip": pack.write(held)}
        files.add(keep, [kept | {f"blocks/{name}": block for name, block in blocks.items()}])
    found = verify(MemoryFiles(held))
    if not quiet:
        click.echo("\nBoth have opened what they hid. Now a stranger verifies the duel:")
    shared.print_findings("duel" if keep is None else keep / "duel.zip", found)
    return found.code


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
            click.echo("The host opens all that was hidden: now anybody can check the game.")
    found = verify(Record(folder / "record"))
    if not quiet:
        click.echo("\nNow a stranger verifies the record:")
    shared.print_findings(shown, found)
    return found.code
