"""A few kilobytes that stand for a thousand million files, or for gigabytes: what they cost.

Anybody who may open a pull request can push them. Whoever meets them (the host's sync, the guard, a
verifier, a player) pays at most 100 MB and 5 s of processors, the start of the program included.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from git_table import Table, git

MEMORY = 100 * 2**20
SECONDS = 5
KINDS = ("tree", "blob", "files", "message", "refs")
PLACES = ("slips", "junk", ".github")


class Cost(NamedTuple):
    """What a command cost, with all that it started: bytes, seconds of processors."""

    code: int
    told: str
    memory: int
    seconds: float


MEASURE = """
import os, sys
args = [sys.executable, "-m", "adjudicator", *sys.argv[1:]]
_, status, used = os.wait4(os.posix_spawn(args[0], args, os.environ), 0)
code = os.waitstatus_to_exitcode(status)
print(code, used.ru_maxrss, used.ru_utime + used.ru_stime, file=sys.stderr)
"""
"""A small program that measures a command: the memory of whoever starts it counts as its own."""


def cost(folder: Path, *args: str, given: str = "") -> Cost:
    """Run a command of the program and measure it."""
    done = subprocess.run(
        [sys.executable, "-IS", "-c", MEASURE, *args],
        cwd=folder, input=given, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        check=False, env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    told, _, last = done.stdout.rstrip("\n").rpartition("\n")
    code, memory, seconds = last.split()
    assert "Traceback" not in told
    return Cost(int(code), told, int(memory) * 1024, float(seconds))


@cache
def slowness() -> float:
    """How much slower this machine is now than the idle one for which SECONDS holds."""
    return max(1.0, min(cost(Path(), "--help").seconds for _ in range(3)) / 0.05)


def check(found: Cost) -> None:
    assert found.memory < MEMORY, f"{found.memory >> 20} MB: {found.told[:300]}"
    assert found.seconds < SECONDS * slowness(), f"{found.seconds:.1f} s: {found.told[:300]}"
    assert len(found.told) < 20_000


def tree(bare: Path, rows: list[str]) -> str:
    return git(bare, "mktree", given="".join(f"{row}\n" for row in rows))


def bomb(bare: Path, kind: str, tmp_path: Path) -> str | None:
    """A row of a tree with the bomb; None for one that is no file."""
    blob = git(bare, "hash-object", "-w", "--stdin", given="x")
    if kind == "tree":
        made = blob
        for depth in range(9):
            mode = "040000 tree" if depth else "100644 blob"
            made = tree(bare, [f"{mode} {made}\t{number}" for number in range(10)])
        return f"040000 tree {made}\tb"
    if kind == "files":
        made = tree(bare, [f"100644 blob {blob}\t{number:06}" for number in range(100_000)])
        return f"040000 tree {made}\tb"
    if kind == "blob":
        large = tmp_path / "large"
        with large.open("wb") as file:
            file.truncate(400 * 2**20)
        made = git(bare, "-c", "core.bigFileThreshold=1m", "hash-object", "-w", str(large))
        return f"100644 blob {made}\tb"
    return None


def hostile(table: Table, kind: str, tmp_path: Path) -> str:
    """A commit upon main with the bomb in each place where one can lie."""
    bare = table.bare
    row = bomb(bare, kind, tmp_path)
    rows = git(bare, "ls-tree", "main").splitlines()
    for place in PLACES if row else ():
        rows.append(f"040000 tree {tree(bare, [row])}\t{place}")
    if kind == "files":
        # Not only in a folder of the folder: in the record's own folder too.
        inner = row.split()[2].partition("\t")[0]
        rows = [one for one in rows if not one.endswith("\tslips")]
        rows.append(f"040000 tree {inner}\tslips")
    made = tree(bare, rows)
    who = "m <m@m.invalid> 1767225600 +0000"
    message = tmp_path / "commit"
    message.write_text(f"tree {made}\nparent {table.main()}\nauthor {who}\ncommitter {who}\n\nx\n")
    with message.open("a") as file:
        for _ in range(60 if kind == "message" else 0):
            file.write("x" * 2**20)
    return git(bare, "hash-object", "-t", "commit", "-w", str(message))


@pytest.fixture(scope="module")
def begun_table(begun: Table, tmp_path_factory: pytest.TempPathFactory) -> Table:
    """A table at which Bob's orders are pushed, and not yet taken in. Not to be changed."""
    table = begun.copy(tmp_path_factory.mktemp("bombs") / "t")
    table.order("bob", "start F1")
    table.sync("bob")
    return table


@pytest.fixture(scope="module")
def pushed(
    begun_table: Table, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str, str], tuple[Table, str]]:
    """Tables at whose remote somebody pushed a bomb, with its commit: on branches or on main."""
    made: dict[str, tuple[Table, str]] = {}

    def push(kind: str, where: str) -> tuple[Table, str]:
        if kind not in made:
            folder = tmp_path_factory.mktemp(kind)
            table = begun_table.copy(folder / "t")
            made[kind] = table, hostile(table, kind, folder)
        table = made[kind][0].copy(tmp_path_factory.mktemp(f"{kind}-{where}") / "t")
        end = made[kind][1]
        if where == "main":
            git(table.bare, "update-ref", "refs/heads/main", end)
            return table, end
        for ref in ("refs/pull/7/head", "refs/heads/players/alice", "refs/heads/players/mallory"):
            git(table.bare, "update-ref", ref, end)
        if kind == "refs":
            lines = (f"{end} refs/pull/{number}/head\n" for number in range(8, 50_000))
            packed = table.bare / "packed-refs"
            git(table.bare, "pack-refs", "--all")
            head, *rest = packed.read_text().splitlines(keepends=True)
            packed.write_text("".join([head.replace(" sorted", ""), *rest, *lines]))
        return table, end

    return push


@pytest.mark.parametrize("kind", KINDS)
def test_the_hosts_sync(pushed: Callable[[str, str], tuple[Table, str]], kind: str) -> None:
    """It takes in what others pushed, twice; nobody's rubbish stops it."""
    table, _ = pushed(kind, "branches")
    for number in range(2):
        found = cost(table.folder, "sync", "-g", str(table.record.root), "--clock-is-right")
        check(found)
        assert found.code == 0, found.told
        assert ("step 1, bob, revision 1: accepted" in found.told) == (number == 0), found.told


@pytest.mark.parametrize("kind", KINDS)
def test_the_guard(pushed: Callable[[str, str], tuple[Table, str]], kind: str) -> None:
    """It refuses the bomb wherever it is pushed."""
    table, end = pushed(kind, "branches")
    null = "0" * 40
    for old, ref in (
        (table.main(), "refs/heads/main"), (null, "refs/heads/players/alice"), (null, "pull"),
    ):  # fmt: skip
        found = cost(table.bare, "git", "guard", given=f"{old} {end} {ref}\n")
        check(found)
        assert found.code == 1


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("way", ["url", "folder", "player", "host"])
def test_a_hostile_main(
    pushed: Callable[[str, str], tuple[Table, str]], kind: str, way: str
) -> None:
    """Whoever verifies it or plays by it: what belongs to no record is named, and never listed."""
    table, _ = pushed(kind, "main")
    args = {
        "url": ("verify", f"file://{table.bare}"),
        "folder": ("verify", str(table.bare)),
        "player": ("sync", "-g", str(table.records["alice"].root)),
        "host": ("sync", "-g", str(table.record.root), "--clock-is-right"),
    }[way]
    found = cost(table.folder, *args)
    check(found)
    copy = table.records["alice"].root
    assert sum(1 for path in copy.rglob("*") if ".git/" not in str(path)) < 300
    if kind == "tree":
        assert "junk" in found.told or way == "host"
