"""The games: what is true, and nothing else.

One folder a game. `load` finds a game by its id among the folders here and among those that other
distributions register in the entry point group `adjudicator.games`.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from games.game import Game
from games.options import Option, is_name, suggest

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from games.lessons import Lesson

GROUP = "adjudicator.games"


class UnknownGame(LookupError):
    """No installed game has that id, or the one that has it is broken; the message says which."""


def installed() -> tuple[str, ...]:
    """The ids of all games that `load` can find: the folders here, then those from elsewhere."""
    own = _own()
    return (*own, *sorted(name for name in _elsewhere() if name not in own))


def load(game_id: str) -> Game[Any, Any]:
    """The game of that id; raises UnknownGame, which names the installed games or this game's
    fault."""
    if game_id in _own():
        game: Game[Any, Any] = importlib.import_module(f"games.{game_id.replace('-', '_')}").GAME
        return game
    if game_id not in _elsewhere():
        raise UnknownGame(
            f"no game {game_id!a:.80} is installed; there are {', '.join(installed())}"
            f"{suggest(game_id, installed())}"
        )
    point = _elsewhere()[game_id]
    where = ascii(f"{point.name} ({point.value})")[1:-1]
    return _sound(f"game {where:.120}", point.load, point.name)


def load_at(path: Path) -> Game[Any, Any]:
    """The game in that folder or file, as its author has it before it is installed: its `GAME`, or
    that of its module `game`. Raises UnknownGame."""
    path = path.resolve()
    # As `pip install -e` would find it: by the folder that holds the package or the module.
    sys.path.insert(0, str(path.parent))

    def found() -> Any:
        module = importlib.import_module(path.stem)
        if not hasattr(module, "GAME") and path.is_dir():
            module = importlib.import_module(f"{path.stem}.game")
        return module.GAME

    return _sound(f"the game in {ascii(str(path))[1:-1]:.200}", found)


def find(named: str) -> Game[Any, Any]:
    """The game of that id, or the one at that path; raises UnknownGame."""
    if named not in installed() and Path(named).exists():
        return load_at(Path(named))
    return load(named)


def _sound(where: str, found: Callable[[], Any], game_id: str = "") -> Game[Any, Any]:
    """The game that is found there, of that id if one is given; raises UnknownGame for anything
    wrong with it."""
    try:
        game: Game[Any, Any] = found()
        fault = _fault(game_id or getattr(game, "id", ""), game)
    # Somebody else's code may raise anything while it is imported.
    except (Exception, SystemExit) as error:
        fault = f"{type(error).__name__}: {error}"
    if fault:
        raise UnknownGame(f"{where} does not load: {ascii(fault)[1:-1]:.300}")
    return game


_SIZES = range(1_024, 65_536 + 1, 1_024)
"""The padded lengths that sealed files may have."""


def _fault(game_id: str, game: object) -> str:
    """The fault in the names that `game` gives itself; "" if there is none."""
    if not isinstance(game, Game):
        return f"expected a games.game.Game, came an object of type {type(game).__name__}"
    kinds = {
        "id": str,
        "version": int,
        "title": str,
        "summary": str,
        "prefix": str,
        "words": frozenset,
    }
    for name, kind in kinds.items():
        if type(getattr(game, name)) is not kind:
            return f"{name} = {getattr(game, name)!r}: expected type {kind.__name__}"
    if not is_name(game.id):
        return f"its id is {game.id!r}: expected a-z, 0-9 and -, beginning with a letter"
    if game.id != game_id:
        return f"its id is {game.id!r}, and its entry point is called {game_id!r}"
    match game.seats:
        case (int(least), int(most)) if 1 <= least <= most:
            pass
        case _:
            return f"seats = {game.seats!r}: expected the least and the greatest number"
    for most, row in game.sizes.items():
        if not (type(most) is int and all(size in _SIZES for size in row)):
            return f"sizes = {game.sizes!r}: expected players and their Sizes, multiples of 1,024"
    if not all(isinstance(option, Option) for option in game.own_options):
        return f"own_options = {game.own_options!r}: expected a tuple of Option"
    if not all(callable(bot) for bot in game.bots.values()):
        return f"bots = {game.bots!r}: expected what makes a bot, by name"
    game.check_options({})
    return ""


def rules_page(game: Game[Any, Any]) -> str:
    """The game's numbered rules, `RULES.md` beside its code (Markdown); words where it has none."""
    path = _folder(game) / "RULES.md"
    if not path.is_file():
        return f"{game.title}: {game.summary}\n\nIts rules are not here: it brings no RULES.md.\n"
    return path.read_text(encoding="utf-8")


def learn_page(game: Game[Any, Any]) -> str | None:
    """The page to learn the game, `LEARN.md` beside its code (Markdown); None if there is none."""
    path = _folder(game) / "LEARN.md"
    return path.read_text(encoding="utf-8") if path.is_file() else None


AT_THE_COMMAND_LINE = "\n# At the command line\n"
"""The heading in a page to learn a game below which stands what only a command line needs."""


def own_lessons(game: Game[Any, Any]) -> tuple[Lesson, ...]:
    """The positions with which one learns the game, `LESSONS.toml` beside its code, in their order;
    none if there is no such file. Raises BadLesson."""
    from games.lessons import read

    path = _folder(game) / "LESSONS.toml"
    return read(path.read_text(encoding="utf-8")) if path.is_file() else ()


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
    """The entry points of other distributions by name; the first on the path counts."""
    # Imported here, because the games of this distribution start faster without it.
    from importlib.metadata import distributions

    found: dict[str, EntryPoint] = {}
    for distribution in distributions():
        # One distribution whose files cannot be read must not hide the games of the others.
        with suppress(Exception):
            points = distribution.entry_points.select(group=GROUP)
            found = {**{point.name: point for point in points}, **found}
    return found
