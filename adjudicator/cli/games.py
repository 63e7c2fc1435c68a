"""`games`: what can be played."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

import games as installed
from adjudicator.cli import completing
from adjudicator.cli.shared import JsonOption, say, say_json, warn
from adjudicator.words.screen import wrapped
from games.game import Game
from games.options import Option

WIDE = 80


@click.command(epilog="Example: adjudicator games silent-ships")
@click.argument("game", required=False, shell_complete=completing.of_game)
@JsonOption
def games(game: str | None, as_json: bool) -> None:
    """What can be played; of one GAME its options, presets and bots too."""
    if game is not None:
        found = installed.load(game)
        say(*_whole(found)) if not as_json else say_json(_described(found))
        return
    every = list(loaded())
    if as_json:
        say_json([_described(one) for one in every])
        return
    for one in every:
        say(*_head(one))
    say("of one its options, presets and bots: adjudicator games GAME")


def _head(game: Game[Any, Any]) -> Iterator[str]:
    """Its name, and what it is about."""
    least, most = game.seats
    many = f"{least}" if least == most else f"{least} to {most}"
    yield f"{game.id}  ({game.rules}, {many} players)"
    yield from wrapped(game.summary, WIDE, "  ", "  ")


def _whole(game: Game[Any, Any]) -> Iterator[str]:
    yield from _head(game)
    for option in game.options:
        yield from wrapped(_told(option), WIDE, "  ", "      ")
    for name, options in game.presets.items():
        values = ", ".join(f"{key} = {value}" for key, value in options.items())
        yield from wrapped(f"{name}, by --option {name}: {values}", WIDE, "  ", "      ")
    yield from wrapped(f"bots, the weakest first: {', '.join(game.bots)}", WIDE, "  ", "      ")


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
