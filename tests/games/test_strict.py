"""A strict game's `public` refuses every view that the game could not draw or work with.

Whoever takes a report in counts on it: of these games no report is drawn before it is shown.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from random import Random
from typing import Any

import pytest
from high_low import GAME as SMALL
from matches import play

import games
from games.game import View

Heard = Sequence[Mapping[str, Any]]
Path = tuple[Any, ...]

KINDS: tuple[tuple[str, int, Mapping[str, Any]], ...] = (
    ("sugar-dog", 2, {}),
    ("sugar-dog", 4, {}),
    ("submarine-warfare", 2, {}),
    *(("silent-ships", 2, {"edition": one}) for one in ("print", "2021-09-12", "2021-09-17")),
)
MUTANTS = 1000
ODD = (
    None, True, False, 0, 1, -1, 7, 10**9, 1.5, "", "x", "A", "A1", "D4", "alice", "bob", "a A1",
    "A1 A1", "\n", "\u00e9", [], {}, ["A1"], ["bob"], [None], [[]], {"x": 1}, {"sunk": True},
)  # fmt: skip


def told(name: str, players: int, options: Mapping[str, Any]) -> Iterator[tuple[View, Heard]]:
    """What each player sees and hears of a game between captains."""
    for step in islice(play(name, 0, ("captain",) * players, options), 24):
        for player in step.setup.players:
            yield step.game.view(step.state, player), step.heard(player)


def paths(value: Any, path: Path = ()) -> Iterator[Path]:
    """The places in plain data, without the whole itself."""
    items = value.items() if isinstance(value, dict) else ()
    for key, inner in enumerate(value) if isinstance(value, list) else items:
        yield (*path, key)
        yield from paths(inner, (*path, key))


def at(value: Any, path: Path) -> Any:
    """What stands there."""
    for key in path:
        value = value[key]
    return value


def mutant(rng: Random, shown: Any, others: Sequence[Any]) -> Any:
    """A view with something left out, doubled or replaced, by what other views hold too."""
    shown = copy.deepcopy(shown)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        places = list(paths(shown))
        if not places:
            break
        path = rng.choice(places)
        holder, key, old = at(shown, path[:-1]), path[-1], at(shown, path)
        other = rng.choice(others)
        found = list(paths(other))
        match rng.randrange(8):
            case 0:
                del holder[key]
            case 1 if isinstance(old, str) and old:
                place = rng.randrange(len(old))
                holder[key] = old[:place] + rng.choice("ABGHa0179 -+") + old[place + 1 :]
            case 2 if isinstance(old, list) and old:
                old.insert(rng.randrange(len(old) + 1), copy.deepcopy(rng.choice(old)))
            case 3 if isinstance(old, dict):
                old[rng.choice(("x", "ap", "attack", "sunk", "setup", "bob"))] = rng.choice(ODD)
            case 4 if type(old) is int:
                holder[key] = old + rng.choice((-100, -1, 1, 100))
            case 5 | 6 if found:
                holder[key] = copy.deepcopy(at(other, rng.choice(found)))
            case _:
                holder[key] = copy.deepcopy(rng.choice(ODD))
    return shown


def mutants(told: Sequence[tuple[View, Heard]]) -> Iterator[tuple[View, Heard]]:
    """As many mutants as there are to be, each with what was heard with the view that it was."""
    rng = Random(1)  # noqa: S311 - which mutants there are is no secret
    others = [json.loads(json.dumps(dict(view.shown))) for view, _ in told]
    for _ in range(MUTANTS):
        number = rng.randrange(len(told))
        view, heard = told[number]
        yield View(view.setup, view.player, mutant(rng, others[number], others)), heard


def holes(game: Any, told: Sequence[tuple[View, Heard]], public: Any) -> tuple[int, list[str]]:
    """How many of these views `public` takes, and what else of the game then fails."""
    taken, found = 0, []
    for view, heard in told:
        try:
            public(view)
        except Exception:  # noqa: S112 - whatever it raises, nobody shows that view
            continue
        taken += 1
        for act in (game.draw, game.svg, game.legal, lambda one: game.deduced(one, heard)):  # noqa: B023
            try:
                act(view)
            except Exception as error:
                found.append(f"{error!r}: {dict(view.shown)}")
    return taken, found


@pytest.mark.parametrize(("name", "players", "options"), KINDS)
def test_what_a_strict_game_takes_it_can_show(
    name: str, players: int, options: Mapping[str, Any]
) -> None:
    """Draw, in text and as SVG; say what may be written; work out what can be known."""
    game = games.load(name)
    seen = list(told(name, players, options))
    assert game.strict
    for view, _ in seen:
        game.public(View(view.setup, view.player, json.loads(json.dumps(dict(view.shown)))))
    changed = list(mutants(seen))
    taken, found = holes(game, changed, game.public)
    assert MUTANTS // 20 < taken < MUTANTS // 2
    assert found == []
    # The mutants are such that a game which takes everything would be found out.
    some = changed[::10]
    taken, found = holes(game, some, lambda view: dict(view.shown))
    assert taken == len(some)
    assert len(found) > len(some) // 2


def test_a_small_game_need_not_be_strict() -> None:
    """Then each report is drawn as it comes in."""
    assert not SMALL.strict
