"""What a shell offers to complete: games, their options, presets and bots, and seats.

If something is wrong, nothing is offered and no error is shown: the command itself will show it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from games.game import Game


def of_game(ctx: click.Context, param: click.Parameter, begun: str) -> list[str]:
    """The installed games."""
    import games

    return _fitting(games.installed(), begun)


def of_bot(ctx: click.Context, param: click.Parameter, begun: str) -> list[str]:
    """The bots of the game that the command names."""
    game = _named()
    return [] if game is None else _fitting(sorted(game.bots), begun)


def of_option(ctx: click.Context, param: click.Parameter, begun: str) -> list[str]:
    """`NAME=` for each option of the game, and its presets; after the `=` the option's values, if
    they are few."""
    game = _named()
    if game is None:
        return []
    name, equals, _ = begun.partition("=")
    if not equals:
        return _fitting([*(f"{option.name}=" for option in game.options), *game.presets], name)
    few = {"bool": ("true", "false")}
    values = [
        one
        for option in game.options
        if option.name == name
        for one in few.get(option.kind, option.choices)
    ]
    return _fitting([f"{name}={one}" for one in values], begun)


def of_seat(ctx: click.Context, param: click.Parameter, begun: str) -> list[str]:
    """The seat folders here."""
    return _fitting([path.name for path in sorted(Path().glob("*.seat")) if path.is_dir()], begun)


def of_record(ctx: click.Context, param: click.Parameter, begun: str) -> list[str]:
    """The records here."""
    return _fitting([path.parent.name for path in sorted(Path().glob("*/invite.toml"))], begun)


def _fitting(words: Iterable[str], begun: str) -> list[str]:
    return [word for word in words if word.startswith(begun)]


def _named() -> Game[Any, Any] | None:
    """The game that has been typed already; None if there is none, or it does not load.

    It is looked for in the words from click's scripts, because click itself does not read the words
    before an option that still lacks its value.
    """
    import games

    for word in os.environ.get("COMP_WORDS", "").split():
        if word in games.installed():
            with suppress(games.UnknownGame):
                return games.load(word)
    return None
