"""What happens between pushes: races, crashes, a rewritten history, a shallow clone."""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from adjudicator.core.source import read_or_none
from adjudicator.git import process, refs
from adjudicator.git.host_sync import HostSync
from adjudicator.git.play_sync import PlaySync
from adjudicator.git.process import Repo
from adjudicator.git.ties import tie
from adjudicator.host.host import Host
from adjudicator.store import files
from adjudicator.store.clock import SystemClock
from adjudicator.store.record import PrivateFolder, Record
from adjudicator.verifier.verify import Asked, verify
from orders import names
from orders.errors import Refused

STARTS = {"alice": "start C4", "bob": "start F1"}


@pytest.fixture
def ready(make_table):
    """A table at which everyone's first orders are pushed, and not yet taken in."""
    table = make_table()
    for name, line in STARTS.items():
        table.order(name, line)
        table.sync(name)
    return table


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
            if not (path.startswith("orders/") and path.endswith(".sealed")):
                assert record.read(path) == table.records["alice"].read(path)
    assert tie(Repo(table.record.root), table.main()).differences == []


def at_once(*folders: Path) -> list[tuple[int, str]]:
    """`adjudicator git sync` in each of these folders at the same time: exit code and stderr."""
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "adjudicator", "git", "sync", str(folder)],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        )
        for folder in folders
    ]  # fmt: skip
    ended = [(one, one.communicate(timeout=120)[1]) for one in running]
    return [(one.returncode, told) for one, told in ended]


def test_everyone_at_once(make_table):
    """Host and both players push at the same time, again and again: each gets through."""
    table = make_table()
    for name, line in STARTS.items():
        table.order(name, line)
    folders = [record.root for record in (table.record, *table.records.values())]
    for _ in range(2):
        assert at_once(*folders) == [(0, "")] * 3
    table.clock = SystemClock()
    table.sync_host()
    assert table.record.last_step() == 1
    check_all(table)
    assert table.statuses("alice") == ["accepted"]


def test_two_hosts_race(ready, monkeypatch):
    """The one that pushes first wins; what the other made never leaves, and nothing is lost."""
    other = second_host(ready)
    push = refs.push
    lost = []

    def late(repo, updates):
        if not lost:
            lost.append((ready.record.root / "entries/0001.toml").read_bytes())
            monkeypatch.setattr(refs, "push", push)
            assert other.sync().steps == [1]
        push(repo, updates)

    monkeypatch.setattr(refs, "push", late)
    synced = ready.sync_host()
    assert "entry 1: taken from the remote" in synced.lines
    assert lost[0] != (ready.record.root / "entries/0001.toml").read_bytes()
    assert list((ready.record.host / "inbox").iterdir()) == []
    check_all(ready, other.record)
    assert ready.play_bots(2) == 2


def test_two_hosts_at_the_same_moment(ready):
    """The same with no one arranging who is first."""
    other = second_host(ready)
    assert at_once(ready.record.root, other.record.root) == [(0, "")] * 2
    ready.clock = other.clock = SystemClock()
    ready.sync_host()
    other.sync()
    assert ready.record.last_step() == 1
    check_all(ready, other.record)


def test_a_promise_of_another_host_is_kept(ready, monkeypatch):
    """A host that adjudicated without a slip that another just accepted begins again."""
    other = second_host(ready)
    push = refs.push
    raced = []

    def late(repo, updates):
        if not raced:
            raced.append(True)
            monkeypatch.setattr(refs, "push", push)
            ready.order("alice", "start A1")
            ready.sync("alice")
            # It takes in and promises, and is ended before it adjudicates.
            monkeypatch.setattr(Host, "advance", _ended)
            assert [receipt.revision for receipt in other.sync().receipts] == [1, 2, 1]
            monkeypatch.undo()
        push(repo, updates)

    def _ended(self, *, late: bool = False):
        raise Refused("not-yet", "ended")

    monkeypatch.setattr(refs, "push", late)
    assert ready.sync_host().steps == [1]
    assert b"revision = 2" in (ready.record.root / "slips/0001-alice.toml").read_bytes()
    check_all(ready)
    assert ready.statuses("alice") == ["accepted", "accepted"]


class Ended(BaseException):
    """A process that is no more."""


def end_at(monkeypatch, word: str, *, after: bool = False, count: int = 1) -> None:
    """The program ends before (or after) the `count`th call of that git command."""
    run = process.run
    seen = []

    def ended(args, **options):
        hit = word == process.named(args)
        seen.extend([word] if hit else [])
        if hit and len(seen) == count and not after:
            raise Ended
        out = run(args, **options)
        if hit and len(seen) == count:
            raise Ended
        return out

    monkeypatch.setattr(process, "run", ended)


POINTS = [
    ("ls-remote", True), ("fetch", False), ("fetch", True), ("rev-list", False),
    ("unpack-objects", False),
    ("unpack-objects", True), ("push", False), ("push", True), ("read-tree", False),
    ("symbolic-ref", False), ("update-ref", False), ("update-ref", True),
]  # fmt: skip


def copy(table, folder: Path):
    """Everything of a table at another place."""
    shutil.copytree(table.folder, folder, symlinks=True)
    other = object.__new__(type(table))
    other.__dict__ |= table.__dict__
    other.folder, other.bare = folder, folder / "remote.git"
    other.record = Record(folder / table.record.root.name)
    other.records = {name: Record(folder / f"{name}-clone") for name in table.players}
    for record in (other.record, *other.records.values()):
        Repo(record.root).run("remote", "set-url", "origin", str(other.bare))
    other.seats = {
        name: replace(
            seat, root=folder / seat.root.name, files=PrivateFolder(folder / seat.root.name)
        )
        for name, seat in table.seats.items()
    }
    return other


def test_a_host_that_is_ended_anywhere_goes_on(ready, tmp_path, monkeypatch):
    """Wherever a sync ends, the next one goes on: one entry, no promise broken, nothing lost."""
    for number, (word, after) in enumerate(POINTS):
        table = copy(ready, tmp_path / f"{number}")
        with monkeypatch.context() as patch:
            end_at(patch, word, after=after)
            with pytest.raises(Ended):
                table.sync_host()
        left = read_or_none(table.record, "entries/0001.toml")
        table.sync_host()
        assert table.record.last_step() == 1
        if left is not None:
            assert table.record.read("entries/0001.toml") == left
        check_all(table)


def test_a_player_that_is_ended_anywhere_goes_on(make_table, tmp_path, monkeypatch):
    """The same for a player who takes in and hands in."""
    table = make_table()
    table.order("alice", "start C4")
    # A day later there are fresh boxes to be fetched.
    table.clock.skip(86_400)
    table.sync_host()
    for number, (word, after) in enumerate(POINTS):
        if word in ("rev-list", "read-tree", "symbolic-ref", "update-ref"):
            continue
        other = copy(table, tmp_path / f"{number}")
        with monkeypatch.context() as patch:
            end_at(patch, word, after=after)
            with pytest.raises(Ended):
                other.sync("alice")
        other.sync("alice")
        other.order("bob", "start F1")
        other.sync("bob")
        other.sync_host()
        check_all(other)


def test_a_refused_push_is_made_good_later(ready, run_git):
    """A server that says no once: the entry made is the one that leaves, never a second."""
    hook = ready.bare / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)
    with pytest.raises(Refused) as error:
        ready.sync_host()
    assert error.value.word == "git"
    made = ready.record.read("entries/0001.toml")
    hook.unlink()
    ready.sync_host()
    assert ready.record.read("entries/0001.toml") == made
    check_all(ready)


def test_two_syncs_in_one_folder(ready):
    """The second is told, and changes nothing."""
    with files.locked(ready.record.host), pytest.raises(Refused) as error:
        ready.sync_host()
    assert error.value.word == "busy"


def test_a_rewritten_history_is_refused(ready, run_git):
    """A main that goes another way is named, by host and players; nothing of it is taken."""
    old = ready.main()
    other = run_git(ready.bare, "commit-tree", f"{old}^{{tree}}", "-p", old, "-m", "x")
    ready.sync_host()
    ready.sync("alice")
    good = ready.main()
    run_git(ready.bare, "update-ref", "refs/heads/main", other)
    for sync in (ready.sync_host, ready.play_sync("alice").sync):
        with pytest.raises(Refused) as error:
            sync()
        assert error.value.word == "rewritten"
        assert f"refs/heads/{refs.MAIN}" in error.value.hint
    assert ready.records["alice"].last_step() == 1
    run_git(
        ready.records["alice"].root,
        "push",
        "-q",
        "--force",
        "origin",
        f"{refs.SEEN}:refs/heads/main",
    )
    assert ready.main() == good
    check_all(ready)


def test_a_forged_entry_on_main_is_not_taken(ready, run_git, tmp_path):
    """What is not signed by the host does not enter a player's copy, whoever pushed it."""
    ready.sync_host()
    clone = tmp_path / "mallory"
    run_git(tmp_path, "clone", "-q", str(ready.bare), str(clone))
    forged = (clone / "entries/0001.toml").read_bytes().replace(b"step = 1", b"step = 2")
    (clone / "entries/0002.toml").write_bytes(forged)
    (clone / "entries/0002.toml.sig").write_bytes((clone / "entries/0001.toml.sig").read_bytes())
    for name in ready.players:
        report = f"reports/0001-{name}.sealed"
        (clone / report.replace("0001", "0002")).write_bytes((clone / report).read_bytes())
    run_git(clone, "add", "-A")
    run_git(clone, "commit", "-qm", "forged")
    run_git(clone, "push", "-q", "origin", "HEAD:main")
    with pytest.raises(Refused):
        ready.sync("alice")
    assert (ready.records["alice"].last_step() or 0) <= 1
    assert not (ready.records["alice"].root / "entries/0002.toml").exists()


def test_a_file_on_main_that_belongs_nowhere_is_told(ready, run_git, tmp_path):
    """It is not written into a player's copy."""
    clone = tmp_path / "mallory"
    run_git(tmp_path, "clone", "-q", str(ready.bare), str(clone))
    (clone / "evil.sh").write_text("x")
    run_git(clone, "add", "-A")
    run_git(clone, "commit", "-qm", "evil")
    run_git(clone, "push", "-q", "origin", "HEAD:main")
    taken = ready.play_sync("alice").sync()
    assert taken.warnings == ["evil.sh: on main, and belongs nowhere"]
    assert not (ready.records["alice"].root / "evil.sh").exists()


def test_a_shallow_clone_is_deepened(ready, run_git, tmp_path):
    """A clone made with --depth becomes whole with the first sync."""
    ready.sync_host()
    folder = tmp_path / "shallow"
    run_git(tmp_path, "clone", "-q", "--depth", "1", f"file://{ready.bare}", str(folder))
    taken = PlaySync(Record(folder), None, None, ready.clock).sync()
    assert taken.warnings == []
    assert run_git(folder, "rev-parse", "--is-shallow-repository") == "false"


def test_a_change_beside_the_record_is_merged(ready, run_git, tmp_path):
    """A page edited on the site, and another in the host's folder, go on together."""
    clone = tmp_path / "site"
    run_git(tmp_path, "clone", "-q", str(ready.bare), str(clone))
    (clone / "README.md").write_text("hello\n")
    run_git(clone, "add", "-A")
    run_git(clone, "commit", "-qm", "page")
    run_git(clone, "push", "-q", "origin", "HEAD:main")
    workflow = ready.record.root / ".github" / "workflows" / "host.yml"
    workflow.parent.mkdir(parents=True)
    workflow.write_text("x\n")
    ready.sync_host()
    assert (ready.record.root / "README.md").read_text() == "hello\n"
    listed = run_git(ready.bare, "ls-tree", "-r", "--name-only", "main").splitlines()
    assert ".github/workflows/host.yml" in listed
    assert "README.md" in listed
    check_all(ready)


@pytest.mark.parametrize("hook", ["pre-receive", "post-receive"])
def test_a_host_that_is_killed_while_it_pushes(ready, hook, tmp_path):
    """kill -9 as the server takes the push in, or just after: the next sync goes on."""
    path = ready.bare / "hooks" / hook
    path.parent.mkdir(exist_ok=True)
    number = tmp_path / "pid"
    path.write_text(f"#!/bin/sh\nwhile ! test -s {number}; do :; done\nkill -9 $(cat {number})\n")
    path.chmod(0o755)
    running = subprocess.Popen(
        [sys.executable, "-m", "adjudicator", "git", "sync", str(ready.record.root)],
        stdout=subprocess.DEVNULL,
    )
    number.write_text(f"{running.pid}\n")
    assert running.wait(timeout=60) == -9
    path.unlink()
    made = ready.record.read("entries/0001.toml")
    ready.clock = SystemClock()
    ready.sync_host()
    assert ready.record.read("entries/0001.toml") == made
    check_all(ready)


def test_another_remote_gets_the_whole_history(ready, run_git):
    """The repository moves: the very same commits go there, and the game goes on."""
    ready.sync_host()
    before = ready.main()
    ready.bare = ready.folder / "moved.git"
    run_git(ready.folder, "init", "-q", "--bare", "-b", "main", str(ready.bare))
    for record in (ready.record, *ready.records.values()):
        Repo(record.root).run("remote", "set-url", "origin", str(ready.bare))
    ready.sync_host()
    assert ready.main() == before
    for name in ready.players:
        ready.sync(name)
    assert ready.play_bots(1) == 1
    check_all(ready)


def test_over_ssh(ready, monkeypatch, tmp_path):
    """An ssh address: git's own way to a server, here with a program in ssh's place."""
    shim = tmp_path / "ssh"
    shim.write_text('#!/bin/sh\nfor last; do :; done\nexec sh -c "$last"\n')
    shim.chmod(0o755)
    monkeypatch.setenv("GIT_SSH", str(shim))
    monkeypatch.setenv("GIT_SSH_VARIANT", "ssh")
    for record in (ready.record, *ready.records.values()):
        url = f"somebody@example.invalid:{ready.bare}"
        Repo(record.root).run("remote", "set-url", "origin", url)
    ready.sync_host()
    check_all(ready)
    assert ready.play_bots(1) == 1
