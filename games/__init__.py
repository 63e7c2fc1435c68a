"""The games: what is true, and nothing else.

One folder a game. `load` finds a game by its id among the folders here and among what other
distributions register in the entry point group `adjudicator.games`.
"""

from __future__ import annotations

import importlib
import sys
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from games.game import Game
from games.options import suggest

GROUP = "adjudicator.games"


class UnknownGame(LookupError):
    """No installed game bears that id."""


def installed() -> tuple[str, ...]:
    """The ids of all games that `load` can find: the folders here, then those from elsewhere."""
    own = _own()
    return (*own, *sorted(name for name in _elsewhere() if name not in own))


def load(game_id: str) -> Game[Any, Any]:
    """The game of that id; raises UnknownGame, naming what there is."""
    own = Path(__file__).parent / game_id.replace("-", "_")
    if game_id not in installed():
        raise UnknownGame(
            f"no game {game_id!a:.80} is installed; there are {', '.join(installed())}"
            f"{suggest(game_id, installed())}"
        )
    if own.is_dir():
        game = importlib.import_module(f"games.{own.name}").GAME
    else:
        game = _elsewhere()[game_id].load()
    if not isinstance(game, Game):
        raise UnknownGame(f"what is registered as {game_id!r} is no Game")
    return game


def rules_page(game: Game[Any, Any]) -> str:
    """The game's numbered rules, `RULES.md` beside its code (Markdown)."""
    return (_folder(game) / "RULES.md").read_text(encoding="utf-8")


def own_cases(game: Game[Any, Any]) -> Path:
    """The folder of the game's rule cases, `cases/*.toml` beside its code."""
    return _folder(game) / "cases"


def _folder(game: Game[Any, Any]) -> Path:
    file = sys.modules[type(game).__module__].__file__
    if file is None:
        raise UnknownGame(f"{game.id} is not installed as files")
    return Path(file).parent


@cache
def _own() -> tuple[str, ...]:
    folders = sorted(path.parent.name for path in Path(__file__).parent.glob("*/RULES.md"))
    return tuple(name.replace("_", "-") for name in folders)


@cache
def _elsewhere() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}
