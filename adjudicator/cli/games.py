"""`games`: what can be played."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

import games as installed
from adjudicator.cli.shared import JsonOption, say_json, warn
from games.game import Game
from games.options import Option


@click.command(epilog="Example: adjudicator games --json")
@JsonOption
def games(as_json: bool) -> None:
    """What can be played: players, options and presets of every game."""
    found = list(loaded())
    if as_json:
        say_json([_described(game) for game in found])
        return
    for game in found:
        least, most = game.seats
        many = f"{least}" if least == most else f"{least} to {most}"
        click.echo(f"{game.id}  ({game.rules}, {many} players)\n  {game.summary}")
        for option in game.options:
            click.echo(f"    {_told(option)}")
        for name, options in game.presets.items():
            values = ", ".join(f"{key} = {value}" for key, value in options.items())
            click.echo(f"    --option {name}: {values}")


def loaded() -> Iterator[Game[Any, Any]]:
    """The installed games; one that does not load is named and skipped."""
    for name in installed.installed():
        try:
            yield installed.load(name)
        except installed.UnknownGame as error:
            warn(str(error))


def _described(game: Game[Any, Any]) -> dict[str, Any]:
    return {
        "id": game.id,
        "rules": game.rules,
        "title": game.title,
        "summary": game.summary,
        "players": list(game.seats),
        "options": {
            option.name: {"kind": option.kind, "default": option.default, "help": option.help}
            for option in game.options
        },
        "presets": {name: dict(options) for name, options in game.presets.items()},
        "bots": list(game.bots),
    }


def _told(option: Option) -> str:
    """An option in a line: its default, what it is for, and what it may be."""
    default = "(none)" if option.default is None else str(option.default)
    default = default.lower() if isinstance(option.default, bool) else default
    values = ""
    if option.kind in ("choice", "int"):
        few = ", ".join(option.choices)
        values = f" ({few if option.kind == 'choice' else f'{option.low} to {option.high}'})"
    return f"{option.name} = {default}: {option.help}{values}"
