"""Three people in one folder, each at a command line; what tests of all commands share."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from commands import Table
from desks import Desks

from adjudicator.player.seat import Seat


@pytest.fixture(scope="session")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Table:
    """A game after genesis. Not to be changed: `table` copies it."""
    return Table(tmp_path_factory.mktemp("begun")).begin()


@pytest.fixture
def table(begun: Table, tmp_path: Path) -> Table:
    """A game after genesis, in a folder of this test's own."""
    return begun.copy(tmp_path / "table")


@pytest.fixture
def alone(tmp_path: Path) -> Table:
    """An empty folder."""
    return Table(tmp_path)


@pytest.fixture
def mine(table: Table) -> Table:
    """Alice's own folder beside the host's: her copy, her seat."""
    (table.root / "mine").mkdir()
    mine = Table(table.root / "mine")
    mine.ok("take", "../friday-invite.txt", "-g", "friday")
    (table.root / "alice.seat").rename(mine.root / "alice.seat")
    Seat.open(mine.root / "alice.seat").note_key(table.root / "alice.key")
    return mine


@pytest.fixture(scope="session")
def _finished(tmp_path_factory: pytest.TempPathFactory) -> Table:
    # A game of its own: some tests tell it from that of `table`.
    table = Table(tmp_path_factory.mktemp("finished")).begin()
    table.step(alice="start C4", bob="start C1")
    table.step(alice="fire S")
    table.step(bob="silent")
    table.step(alice="silent")
    return table


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory, _finished: Table) -> Table:
    """The example's game, played to the end, in a folder of this file's own."""
    return _finished.copy(tmp_path_factory.mktemp("finished") / "table")


@pytest.fixture(scope="session")
def at_commands() -> type[Table]:
    """The class, for tests with a folder of their own."""
    return Table


@pytest.fixture(scope="session")
def _by_mail(tmp_path_factory: pytest.TempPathFactory) -> Desks:
    made = Desks(Table(tmp_path_factory.mktemp("by-mail")))
    made.begin()
    return made


@pytest.fixture
def by_mail(_by_mail: Desks, tmp_path: Path) -> Desks:
    """A host by mail whose game has begun; players are `at` desks of their own."""
    return _by_mail.copy(tmp_path)


@pytest.fixture
def cloned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Table:
    """A folder with three keys, a record `friday` and an empty repository for it."""
    empty = tmp_path / "config"
    empty.write_text("[user]\nname = t\nemail = t@t.invalid\n")
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(empty))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    root = tmp_path / "desk"
    root.mkdir()
    command = ["git", "init", "-q", "--bare", "-b", "main", str(root / "remote.git")]
    subprocess.run(command, check=True)
    table = Table(root)
    for name in ("host", "alice", "bob"):
        table.key(f"{name}.key")
    table.ok("invite", "sugar-dog", "--key", "host.key", "-o", "friday", "--option", "first=alice")
    return table


@pytest.fixture
def published(cloned: Table) -> Table:
    """`cloned`, once its host has published the record."""
    cloned.ok("invite", "--git", "remote.git", "-g", "friday")
    return cloned
