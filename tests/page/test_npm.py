"""Running npm and node: once for each lock, and told plainly where they are not there or fail."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudicator.page import npm
from orders.errors import Refused


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a lock, a cache, and programs of our own."""
    (tmp_path / "package.json").write_text("{}")
    (tmp_path / "package-lock.json").write_text("{}")
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    return tmp_path


def program(folder: Path, name: str, text: str) -> None:
    path = folder / "bin" / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def test_what_a_lock_names_is_fetched_once(folder: Path) -> None:
    """In the cache, by the lock's own digest; another lock is another folder."""
    program(folder, "npm", f"echo called >>{folder}/calls; mkdir node_modules")
    first = npm.fetched(folder)
    assert first.is_dir()
    assert npm.fetched(folder) == first
    assert (folder / "calls").read_text() == "called\n"
    (folder / "package-lock.json").write_text('{"a": 1}')
    assert npm.fetched(folder) != first


def test_what_fails_is_told_and_leaves_nothing(folder: Path) -> None:
    """In npm's own words."""
    program(folder, "npm", "echo 'EINTEGRITY: sha512 differs' >&2; mkdir node_modules; exit 1")
    with pytest.raises(Refused, match="EINTEGRITY: sha512 differs"):
        npm.fetched(folder)
    assert list((folder / "cache").rglob("node_modules")) == []


def test_node_is_given_and_gives(folder: Path) -> None:
    """It gets standard input and gives its output; its fault is told."""
    program(folder, "node", 'test "$2" = bad && exit 3; cat')
    modules = folder / "node_modules"
    assert npm.node(Path("x.mjs"), modules, b"given") == b"given"
    program(folder, "node", "echo 'no such thing' >&2; exit 3")
    with pytest.raises(Refused, match="no such thing"):
        npm.node(Path("x.mjs"), modules, b"")


def test_without_the_program_it_says_what_to_install(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is run."""
    monkeypatch.setenv("PATH", str(folder))
    with pytest.raises(Refused, match="npm is not installed") as refused:
        npm.fetched(folder)
    assert "npm" in refused.value.hint
