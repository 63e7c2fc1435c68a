"""`rules`: how a game is played."""

from __future__ import annotations

import shutil
from pathlib import Path

import click

import games as installed
from adjudicator.cli import completing
from adjudicator.cli.games import loaded
from adjudicator.cli.which import ANY, GameOption, find, places
from adjudicator.core.opening import read_offer
from adjudicator.store.record import Record
from adjudicator.words import manual
from games.options import OfferRefused


@click.command(epilog="Example: adjudicator rules sugar-dog | less")
@click.argument("game", required=False, shell_complete=completing.of_game)
@GameOption
@click.option("--exact", is_flag=True, help="The numbered rules, rulings and house values.")
@click.option("--table", is_flag=True, help="The default house table, as TOML.")
def rules(game: str | None, record: Path | None, exact: bool, table: bool) -> None:
    """The page to learn GAME, with examples and a first plan; without GAME of the game here, and
    where none is here, what can be played."""
    if game is None and record is None and not places(Path().absolute()):
        for found in loaded():
            click.echo(f"{found.id}  {found.summary}")
        click.echo("To learn one: adjudicator rules GAME")
        return
    if game is None:
        game = read_offer(Record(find(record, None, ANY).record)).game.id
    found = installed.load(game)
    if table:
        text = found.default_table
        if text is None:
            raise OfferRefused(f"{game} has no house table")
        click.echo(text.decode("utf-8"), nl=False)
        return
    learn = None if exact else installed.learn_page(found)
    page = installed.rules_page(found) if learn is None else learn
    for line in manual.lines(page, min(shutil.get_terminal_size().columns, manual.WIDEST)):
        click.echo(line)
