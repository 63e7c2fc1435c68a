"""A host and players with clones of their own around one bare repository."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from git_table import Site, Table, git

import games
from adjudicator.cli import cli
from adjudicator.core import bundles
from adjudicator.git import guard, process
from adjudicator.git.host_sync import HostSync
from adjudicator.git.process import Repo
from adjudicator.store.record import Record
from adjudicator.verifier.verify import Asked, verify
from orders import names


@pytest.fixture(autouse=True, scope="session")
def _own_git_config(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Whatever git the developer has set up, tests see none of it; no server looks for garbage."""
    empty = tmp_path_factory.mktemp("git") / "config"
    empty.write_text(
        "[user]\nname = t\nemail = t@t.invalid\n[init]\ndefaultBranch = main\n"
        "[receive]\nautogc = false\n"
    )
    before = dict(os.environ)
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        del os.environ[name]
    os.environ |= {"GIT_CONFIG_GLOBAL": str(empty), "GIT_CONFIG_NOSYSTEM": "1"}
    yield
    os.environ.clear()
    os.environ.update(before)


@pytest.fixture(scope="session")
def made_tables(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Table]:
    """Tables before the joins or after genesis, each made once. Not to be changed: `make_table`
    copies them."""

    @cache
    def made(
        started: bool, game_id: str, players: Sequence[str], options: frozenset[tuple[str, Any]]
    ) -> Table:
        folder = tmp_path_factory.mktemp("made") / "t"
        if not started:
            return Table(folder, game_id, players, dict(options))
        table = made(False, game_id, players, options).copy(folder)
        table.join()
        table.start()
        return table

    return made


@pytest.fixture
def make_table(tmp_path: Path, made_tables: Callable[..., Table]) -> Callable[..., Table]:
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
        folder = tmp_path / f"table{made}"
        if game_id == "sugar-dog":
            options.setdefault("first", players[0])
        if site is None:
            chosen = frozenset(options.items())
            return made_tables(started, game_id, tuple(players), chosen).copy(folder)
        table = Table(folder, game_id, players, options, site)
        if started:
            table.join()
            table.start()
        return table

    return make


@pytest.fixture(scope="session")
def guarded(program: Path) -> Callable[[Path], None]:
    """Sets the guard up as a repository's hook, as `git setup FOLDER` does, but loaded already, in
    place of the one that is there.

    `test_guard` (slow) and `real/` test the hook as a process of its own.
    """

    def install(bare: Path) -> None:
        (bare / "hooks" / "pre-receive").unlink(missing_ok=True)
        script = f"#!/bin/sh\nexec {shlex.quote(str(program))} git guard\n"
        guard.install(bare).write_text(script)

    return install


@pytest.fixture(scope="session")
def begun(made_tables: Callable[..., Table]) -> Table:
    """Sugar Dog after genesis. Not to be changed: to be copied."""
    return made_tables(True, "sugar-dog", ("alice", "bob"), frozenset({("first", "alice")}))


@pytest.fixture(scope="session")
def shared(
    tmp_path_factory: pytest.TempPathFactory, begun: Table, guarded: Callable[[Path], None]
) -> Table:
    """A table three steps into Sugar Dog, whose remote has the guard as its hook.

    For tests that leave it as it is: what they push is refused.
    """
    table = begun.copy(tmp_path_factory.mktemp("shared") / "t")
    guarded(table.bare)
    table.play_bots(3)
    return table


@pytest.fixture(scope="session")
def finished_games(
    tmp_path_factory: pytest.TempPathFactory, made_tables: Callable[..., Table]
) -> Callable[[str], Table]:
    """A whole game of each kind, played by bots through git until the awaited give it up; for tests
    that leave it as it is."""
    played: dict[str, Table] = {}

    def play(game_id: str) -> Table:
        if game_id not in played:
            players = ("alice", "bob", "carol", "dave")[: games.load(game_id).seats[0]]
            options = {("first", "alice")} if game_id == "sugar-dog" else set()
            made = made_tables(True, game_id, players, frozenset(options))
            table = made.copy(tmp_path_factory.mktemp(game_id) / "t")
            table.steps = table.play_bots(3)
            for name in table.awaited():
                table.order(name, "resign")
                table.sync(name)
            table.sync_host()
            for name in players:
                table.sync(name)
            played[game_id] = table
        return played[game_id]

    return play


@pytest.fixture
def run_git() -> Callable[..., str]:
    """Plain git in a folder."""
    return git


@pytest.fixture
def network(monkeypatch) -> list[str]:
    """The commands that reach the remote, as they are run."""
    seen: list[str] = []
    run = Repo.run

    def counted(repo, *args, **options):
        if options.get("network"):
            seen.append(process.named(args))
        return run(repo, *args, **options)

    monkeypatch.setattr(Repo, "run", counted)
    return seen


@pytest.fixture(params=["sha1", "sha256"])
def repo(request, tmp_path, run_git):
    """An empty repository of either kind."""
    run_git(tmp_path, "init", "-q", f"--object-format={request.param}", "-b", "main", ".")
    return Repo(tmp_path)


def push(folder, *specs: str) -> None:
    """Push by plain git."""
    subprocess.run(["git", "-C", str(folder), "push", "-q", "origin", *specs], check=True)


@pytest.fixture
def mallory(request, run_git, tmp_path):
    """Clones a table's repository and pushes what she likes."""

    def clone(table):
        folder = tmp_path / "mallory"
        run_git(tmp_path, "clone", "-q", str(table.bare), str(folder))
        return folder

    return clone


def git_command(*args: str, code: int = 0):
    """A command, which ends with that code."""
    result = CliRunner().invoke(cli, [*args])
    assert result.exit_code == code, result.output
    assert "Traceback" not in result.output
    return result


def ordered(table, name: str):
    """The last order in a player's seat, as it travels."""
    return bundles.pack("order", table.seats[name].orders()[-1].files())


def handed_in(table, name: str = "") -> list[str]:
    """The branches at the remote with what players (or one) handed in, whole names."""
    listed = git(table.bare, "for-each-ref", "--format=%(refname)", "refs/heads/in.*").split()
    return [ref for ref in listed if ref.startswith(f"refs/heads/in.{name}")]


def size(folder: Path) -> int:
    """Bytes of all files in a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def kept(table) -> dict[str, int]:
    """Bytes of git's own in each clone."""
    places = {"host": table.record, **table.records}
    return {name: size(record.root / ".git") for name, record in places.items()}


STARTS = {"alice": "start C4", "bob": "start F1"}


@pytest.fixture(scope="session")
def _ready(tmp_path_factory: pytest.TempPathFactory, begun: Table) -> Table:
    table = begun.copy(tmp_path_factory.mktemp("ready") / "t")
    for name, line in STARTS.items():
        table.order(name, line)
        table.sync(name)
    return table


@pytest.fixture
def ready(_ready: Table, tmp_path: Path) -> Table:
    """A table at which everyone's first orders are pushed, and not yet taken in."""
    return _ready.copy(tmp_path / "ready")


def second_host(table) -> HostSync:
    """The same host at another machine: a copy of its folders."""
    record = Record(table.folder / "elsewhere" / "friday")
    shutil.copytree(table.record.root, record.root)
    shutil.copytree(table.record.host, record.host)
    return HostSync(record, table.key, table.clock)


def check_all(table, *records: Record) -> None:
    """Everybody has the same record, no receipt is belied, and git finds nothing amiss."""
    for name in table.players:
        table.sync(name)
        found = verify(table.records[name], Asked(table.seats[name]))
        assert found.code in (0, 4), found.verdict
    for record in (table.record, *records):
        assert verify(record).code in (0, 4)
        for path in sorted({*record.paths()} - {*names.BESIDE}):
            assert record.read(path) == table.records["alice"].read(path)


class Ended(BaseException):
    """A process that is no more."""


def end_at(monkeypatch, word: str, *, after: bool = False) -> None:
    """The program ends before (or after) the first call of that git command."""
    run = Repo.run
    seen = []

    def ended(repo, *args, **options):
        first = word == process.named(args) and not seen
        seen.extend([word] if first else [])
        if first and not after:
            raise Ended
        out = run(repo, *args, **options)
        if first:
            raise Ended
        return out

    monkeypatch.setattr(Repo, "run", ended)


POINTS = [
    (word, after)
    for word in ("ls-remote", "fetch", "unpack-objects", "push", "update-index", "update-ref")
    for after in (False, True)
]


@pytest.fixture
def finished(finished_games):
    """A whole game of Sugar Dog."""
    return finished_games("sugar-dog")


def run(*args: str):
    """Any command."""
    return CliRunner().invoke(cli, list(args))


def claims(result) -> dict[str, dict[str, str]]:
    """The claims that `verify --json` printed, by name."""
    found = json.loads(result.stdout)
    return {claim["name"]: claim for claim in found["claims"]}


@pytest.fixture
def clone(finished, tmp_path, run_git):
    """A stranger's plain clone."""
    folder = tmp_path / "clone"
    run_git(tmp_path, "clone", "-q", str(finished.bare), str(folder))
    return folder
