"""Boards that one can order from: every key of a view is shown somewhere, in text and as SVG."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

import games
from adjudicator.authors.trial import Trial
from games.game import BadPosition, View

GAMES = [games.load(name) for name in ("silent-ships", "submarine-warfare", "sugar-dog")]
Path = tuple[str, ...]


def shown(game: Any, count: int) -> list[list[View]]:
    """What readers saw throughout random games, with odd names and options: a list for each."""
    seen: dict[tuple[int, str | None], list[View]] = {}

    def draw(self: Any, view: View) -> str:
        seen.setdefault((id(view.setup), view.player), []).append(view)
        return ""

    # What is drawn of them is looked at below.
    watched = type("Watched", (type(game),), {"draw": draw, "svg": lambda self, view: "<svg/>"})()
    trial = Trial(watched, b"views", ("pictures",))
    for _ in range(count):
        trial.play()
    return list(seen.values())


def keys(shown: Mapping[str, Any], above: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every key that has a plain value, with the keys above it."""
    for key, value in shown.items():
        if isinstance(value, dict):
            yield from keys(value, (*above, key))
        else:
            yield (*above, key), value


def changed(shown: Mapping[str, Any], path: Path, value: Any) -> dict[str, Any]:
    """The same with another value for one key."""
    key, *rest = path
    return {**shown, key: changed(shown[key], tuple(rest), value) if rest else value}


def others(view: View, views: list[View]) -> Iterator[tuple[Path, Any]]:
    """Each key of a view, with up to two other values that it has elsewhere in the game."""
    values: dict[Path, dict[str, Any]] = {}
    for other in views:
        for path, value in keys(other.shown):
            values.setdefault(path, {})[repr(value)] = value
    for path, value in keys(view.shown):
        found = [other for text, other in values[path].items() if text != repr(value)]
        yield from ((path, other) for other in found[:: len(found) // 2 + 1])


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_every_key_of_a_view_is_shown(game: Any) -> None:
    """Two views that differ in one key alone differ in text, 78 columns wide, and in their picture.

    A view that contradicts itself may be refused; each key is tried in views that are not. A key
    that an option, or a loss, makes mean nothing need not be shown.
    """
    tried: set[str] = set()
    met: set[str] = set()
    for views in shown(game, 5):
        players = set(views[0].setup.players)
        for view in views[:: len(views) // 5 + 1]:
            drawn = game.draw(view), game.svg(view)
            assert max(map(len, drawn[0].splitlines())) <= 78
            for path, value in others(view, views):
                if path[-1] in ("idle", "active") and view.setup.options["stalemate"] == 0:
                    continue  # SS-11: idle turns end no game
                if path[-1] == "left" and "sunk" in view.shown[path[0]]:
                    continue  # SD-5: whoever is sunk lays no more mines
                if path == ("rings",):
                    with pytest.raises(BadPosition, match="rings"):  # SW-16: the round tells them
                        game.draw(View(view.setup, view.player, {**view.shown, "rings": value}))
                    continue
                name = ".".join("PLAYER" if key in players else key for key in path)
                met.add(name)
                other = View(view.setup, view.player, changed(view.shown, path, value))
                try:
                    text, svg = game.draw(other), game.svg(other)
                except (BadPosition, ValueError, KeyError):
                    continue
                assert text != drawn[0], f"{name}: {view.shown} shows the same with {value!r}"
                assert svg != drawn[1], f"{name}: {view.shown} draws the same with {value!r}"
                tried.add(name)
    assert met == tried
    assert len(tried) >= 8


def test_a_key_that_is_not_shown_is_found() -> None:
    """The test can fail: it finds a game that draws two such views alike."""
    sugar = games.load("sugar-dog")
    setup = sugar.setup(("alice", "bob"), {})
    one = {"turn": "alice", "n": 3, "offers": [], "contacts": {}, "alice": {}, "bob": {}}
    views = [View(setup, None, one), View(setup, None, {**one, "n": 4})]
    assert list(others(views[0], views)) == [(("n",), 4)]
    assert changed({"a": {"b": 1, "c": 2}}, ("a", "b"), 3) == {"a": {"b": 3, "c": 2}}
