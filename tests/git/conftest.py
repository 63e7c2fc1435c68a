"""A host and players with clones of their own around one bare repository."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from git_table import Site, Table, git

import games
from adjudicator.git import hooks, process
from adjudicator.git.process import Repo

SHORT: dict[str, dict[str, Any]] = {"sugar-dog": {"first": "alice"}}
"""Options under which bots end a game of each kind soon."""


@pytest.fixture(autouse=True, scope="session")
def _own_git_config(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Whatever git the developer has set up, tests see none of it."""
    empty = tmp_path_factory.mktemp("git") / "config"
    empty.write_text("[user]\nname = t\nemail = t@t.invalid\n[init]\ndefaultBranch = main\n")
    before = dict(os.environ)
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        del os.environ[name]
    os.environ |= {"GIT_CONFIG_GLOBAL": str(empty), "GIT_CONFIG_NOSYSTEM": "1"}
    yield
    os.environ.clear()
    os.environ.update(before)


@pytest.fixture
def make_table(tmp_path: Path) -> Callable[..., Table]:
    """Tables under one temporary folder; the first player of Sugar Dog begins."""
    made = 0

    def make(
        game_id: str = "sugar-dog",
        players: Sequence[str] = ("alice", "bob"),
        *,
        started: bool = True,
        site: Site | None = None,
        **options: Any,
    ) -> Table:
        nonlocal made
        made += 1
        if game_id == "sugar-dog":
            options.setdefault("first", players[0])
        table = Table(tmp_path / f"table{made}", game_id, players, options, site)
        if started:
            table.join()
            table.start()
        return table

    return make


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Table:
    """A table three steps into Sugar Dog, whose remote has the guard as its hook.

    For tests that leave it as it is: what they push is refused.
    """
    table = Table(
        tmp_path_factory.mktemp("shared"), "sugar-dog", ("alice", "bob"), {"first": "alice"}
    )
    hooks.install(table.bare)
    table.join()
    table.start()
    table.play_bots(3)
    return table


@pytest.fixture(scope="session")
def finished_games(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Table]:
    """A whole game of each kind, played by bots through git; for tests that leave it as it is."""
    played: dict[str, Table] = {}

    def play(game_id: str) -> Table:
        if game_id not in played:
            players = ("alice", "bob", "carol", "dave")[: games.load(game_id).seats[0]]
            options = SHORT.get(game_id, {})
            table = Table(tmp_path_factory.mktemp(game_id), game_id, players, options)
            table.join()
            table.start()
            table.steps = table.play_bots()
            played[game_id] = table
        return played[game_id]

    return play


@pytest.fixture
def run_git() -> Callable[..., str]:
    """Plain git in a folder."""
    return git


@pytest.fixture
def repo_of() -> Callable[[Path], Repo]:
    return Repo


@pytest.fixture
def network(monkeypatch) -> list[str]:
    """The commands that reach the remote, as they are run."""
    seen: list[str] = []
    run = process.run

    def counted(args, **options):
        if options.get("network"):
            seen.append(process.named(args))
        return run(args, **options)

    monkeypatch.setattr(process, "run", counted)
    return seen
