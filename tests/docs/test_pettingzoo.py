"""`docs/examples/pettingzoo_env.py`: the games as an environment for programs that learn."""

from __future__ import annotations

import json
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest
from servers import absent

import games

PATH = Path(__file__).parents[2] / "docs" / "examples" / "pettingzoo_env.py"

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning", "ignore::DeprecationWarning")
GAMES = [("sugar-dog", 2), ("sugar-dog", 4), ("silent-ships", 2), ("submarine-warfare", 2)]


@pytest.fixture(scope="module")
def example() -> Any:
    """The example, loaded from its file."""
    absent([] if find_spec("pettingzoo") else ["pettingzoo"])
    spec = spec_from_file_location("pettingzoo_env", PATH)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_it_keeps_what_an_environment_promises(example: Any, game: str, players: int) -> None:
    """By PettingZoo's own test."""
    from pettingzoo.test import api_test

    api_test(example.Env(game, players), num_cycles=200)


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_a_game_by_any_actions_ends(example: Any, game: str, players: int) -> None:
    """None resigns or offers an end; each sees their own view alone; who wins gets 1."""
    env = example.Env(game, players)
    env.reset(7)
    given: dict[str, float] = {}
    for agent in env.agent_iter(20_000):
        seen, reward, ended, cut, info = env.last()
        given[agent] = reward
        if ended or cut:
            env.step(None)
            continue
        shown = env.game.view(env.state_now, agent).shown
        assert json.loads(seen["view"]) == json.loads(json.dumps(shown))
        assert seen["action_mask"].sum() == len(info["lines"]) - (not seen["action_mask"][0])
        assert not {"resign", "draw", "offer"} & {line.split(" ")[0] for line in info["lines"]}
        others = [one for one in env.agents if one != agent]
        assert not any(env.observe(one)["action_mask"].any() for one in others)
        env.action_space(agent).seed(env.steps)
        env.step(env.action_space(agent).sample(seen["action_mask"]))
    assert not env.agents
    outcome = env.game.outcome(env.state_now)
    won = None if outcome is None else outcome.winner
    expected = {one: 0.0 if won is None else 1.0 if one == won else -1.0 for one in given}
    assert given == expected


def test_a_masked_action_is_refused(example: Any) -> None:
    """And nothing is ordered by it."""
    env = example.Env("sugar-dog", 2)
    with pytest.raises(ValueError, match="action 399 is masked for a"):
        env.step(399)
    assert env.agent_selection == "a"
    assert env.lines == []


def test_each_game_here_has_figures(example: Any) -> None:
    """Whoever adds a game adds a row."""
    assert set(example.FEATURES) == set(games.installed())
