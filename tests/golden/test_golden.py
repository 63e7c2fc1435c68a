"""Golden games stay what they are: the same orders make the same positions and reports."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import reported
from golden import write

import games
from games.game import Written
from orders import canonical

FOLDER = Path(__file__).parent


FILES = sorted(FOLDER.glob("*.txt"))

each_file = pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])


def read(path: Path) -> list[dict[str, Any]]:
    return [canonical.loads(line) for line in path.read_bytes().splitlines()]


@each_file
def test_the_orders_make_the_same_game_again(path: Path) -> None:
    """Positions, views, events, who is awaited, and the outcome: byte for byte."""
    first, *steps, last = read(path)
    game, setup, dice = write.frame(first)
    state = game.start(setup)
    for number, line in enumerate(steps, 1):
        written = {name: Written(orders) for name, orders in line["orders"].items()}
        step = write.adjudicated(game, state, written, dice)
        again = canonical.dumps(write.line(game, setup, written, step))
        assert again == canonical.dumps(line), f"step {number}"
        state = step.state
    assert canonical.dumps(write.outcome(game, state)) == canonical.dumps(last)
    assert last["outcome"], "a golden game is played to its end"


@each_file
def test_a_position_read_again_goes_on_alike(path: Path) -> None:
    """The notation holds all that an adjudication reads: each step from the position as written."""
    first, *steps, _ = read(path)
    game, setup, dice = write.frame(first)
    position = game.position(game.start(setup))
    for number, line in enumerate(steps, 1):
        state = game.state(setup, json.loads(canonical.dumps(position)))
        written = {name: Written(orders) for name, orders in line["orders"].items()}
        step = write.adjudicated(game, state, written, dice)
        again = write.line(game, setup, written, step)
        assert canonical.dumps(again) == canonical.dumps(line), f"step {number}"
        position = line["position"]


@each_file
def test_reports_fit_their_size(path: Path) -> None:
    """No report is longer than the game's size for so many players has room for."""
    first, *steps, _ = read(path)
    game, setup, dice = write.frame(first)
    _, most = reported.room_for(game, len(setup.players))
    state = game.start(setup)
    for line in steps:
        written = {name: Written(orders) for name, orders in line["orders"].items()}
        step = write.adjudicated(game, state, written, dice)
        for name in setup.players:
            assert len(reported.written(game.view(step.state, name), step.events)) <= most
        state = step.state


def test_every_game_and_edition_has_one() -> None:
    """Each installed game with its current rules version; of Silent Ships every edition."""
    firsts = [read(path)[0] for path in FILES]
    rules = {games.load(name).rules for name in games.installed()}
    assert rules <= {first["rules"] for first in firsts}
    for name in games.installed():
        game = games.load(name)
        editions = next((one.choices for one in game.options if one.name == "edition"), ())
        given = {
            game.check_options(first["options"]).get("edition")
            for first in firsts
            if first["rules"] == game.rules
        }
        assert set(editions) <= given


def test_they_are_of_some_weight() -> None:
    """The games hold enough steps and events to notice a change."""
    for path in FILES:
        _, *steps, _ = read(path)
        kinds = {
            event["kind"]
            for line in steps
            for report in line["reports"].values()
            for event in report["events"]
        }
        assert len(steps) > 4, path
        assert len(kinds) > 4, path
    assert sum(path.stat().st_size for path in FILES) < 2_000_000
