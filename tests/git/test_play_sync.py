"""The player's sync: what it takes in, hands in, and makes good after a bad end."""

from __future__ import annotations

import os

import pytest
from git.conftest import POINTS, STARTS, Ended, check_all, end_at

from adjudicator.git import letterbox, worktree
from adjudicator.git.play_sync import PlaySync
from adjudicator.git.process import Repo
from adjudicator.player.table import Table
from adjudicator.store.record import Record
from adjudicator.verifier.verify import Asked, verify
from orders.documents import read_receipt
from orders.errors import Refused


def test_every_revision_is_answered(make_table):
    """Slips pushed between two syncs of the host each get their receipt."""
    table = make_table()
    for line in ("start A1", "start A2", "start A3"):
        table.order("alice", line)
        table.sync("alice")
    table.sync_host()
    table.sync("alice")
    receipts = [read_receipt(file.data) for file in table.seats["alice"].receipts()]
    assert [(one.revision, one.status) for one in receipts] == [
        (1, "accepted"),
        (2, "accepted"),
        (3, "accepted"),
    ]


def test_a_host_that_answers_before_a_push(make_table):
    """A join, then orders, and the entry that takes their branch away: nobody has moved them."""
    table = make_table(started=False)
    table.join()
    player = table.play_sync("bob")
    taken = player.fetch()
    table.host_sync().start(table.players)
    player.send(taken)
    assert taken.warnings == []
    for name in table.players:
        table.sync(name)
        table.order(name, STARTS[name])
        table.sync(name)
    player = table.play_sync("bob")
    taken = player.fetch()
    assert table.sync_host().steps == [1]
    player.send(taken)
    assert taken.warnings == []
    assert table.statuses("bob") == ["accepted"]


@pytest.fixture(scope="module")
def _long_game(begun, tmp_path_factory):
    table = begun.copy(tmp_path_factory.mktemp("long") / "t")
    table.play_quietly(12)
    table.sync_host()
    return table


@pytest.fixture
def long_game(_long_game, tmp_path):
    """Twelve entries that bob has not heard of."""
    return _long_game.copy(tmp_path / "long")


def test_a_first_sync_flushes_once(long_game, monkeypatch):
    """As many waits for the disk with twelve entries as with four, and one flush at the end."""
    waits: list[str] = []
    monkeypatch.setattr(os, "fsync", lambda handle: waits.append("file"))
    monkeypatch.setattr(os, "sync", lambda: waits.append("all"))
    table = long_game
    counted = []
    for last in (4, 12):
        # The server as it was after that entry, for somebody who comes new.
        bare = table.folder / f"{last}.git"
        Repo(table.bare).run("clone", "-q", "--bare", ".", str(bare), network=True)
        cut = Repo(bare).text("rev-parse", f"main~{12 - last}")
        Repo(bare).run("update-ref", "refs/heads/main", cut)
        record = Record(table.folder / f"{last}")
        worktree.clone(record, str(bare))
        waits.clear()
        PlaySync(Table(record, None, table.clock)).sync()
        assert record.last_step() == last
        assert waits.count("all") == 1
        counted.append(waits.count("file"))
    assert counted[0] == counted[1]


@pytest.mark.parametrize("damage", ["empty", "gone", "half"])
def test_a_machine_that_stops_before_the_flush(long_game, damage):
    """No entry is there yet; what is empty, missing or half there, the next sync writes anew."""
    table = long_game
    record = table.records["bob"]
    before = {path: record.read(path) for path in record.paths()}
    child = os.fork()
    if child == 0:
        os.sync = lambda: os._exit(7)
        table.sync("bob")
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    assert record.last_step() == 0
    left = sorted(set(record.paths()) - set(before))
    assert len(left) > 12
    for path in left[::3]:
        file = record.root / path
        if damage == "gone":
            file.unlink()
        else:
            file.write_bytes(file.read_bytes()[: 20 if damage == "half" else 0])
    assert verify(record).code == 4
    table.sync("bob")
    assert {path: record.read(path) for path in before} == before
    assert record.last_step() == 12
    assert verify(record, Asked(table.seats["bob"])).code == 4
    assert not [path for path in record.paths() if path.endswith(".part")]


def test_a_player_that_is_ended_anywhere_goes_on(make_table, tmp_path, monkeypatch):
    """The same for a player who takes in and hands in."""
    table = make_table()
    table.order("alice", "start C4")
    # A day later there are fresh boxes to be fetched.
    table.clock.skip(86_400)
    table.sync_host()
    for number, (word, after) in enumerate(POINTS):
        if word in ("ls-remote", "update-index"):
            continue
        other = table.copy(tmp_path / f"{number}")
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
    """A server says no once: later the same entry leaves, and never a second one."""
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


def test_what_others_push_to_main_is_not_taken(ready, run_git, tmp_path):
    """A forged entry, a foreign file, one beside the record: none is written into a player's copy,
    and nothing of it stops anybody."""
    ready.sync_host()
    clone = tmp_path / "mallory"
    run_git(tmp_path, "clone", "-q", str(ready.bare), str(clone))
    forged = (clone / "entries/0001.toml").read_bytes().replace(b"step = 1", b"step = 2")
    (clone / "entries/0002.toml").write_bytes(forged)
    (clone / "entries/0002.toml.sig").write_bytes((clone / "entries/0001.toml.sig").read_bytes())
    (clone / "evil.sh").write_text("x")
    (clone / "README.md").write_text("x")
    run_git(clone, "add", "-A")
    run_git(clone, "commit", "-qm", "forged")
    run_git(clone, "push", "-q", "origin", "HEAD:main")
    taken = ready.play_sync("alice").sync()
    assert taken.steps == [1]
    assert taken.warnings == []
    assert "main holds commits that the host did not sign (1): they are left out" in taken.lines
    for path in ("entries/0002.toml", "evil.sh", "README.md"):
        assert not (ready.records["alice"].root / path).exists()
    assert ready.play_bots(1) == 1


def test_a_box_of_another_size_is_not_read(ready, run_git, tmp_path, monkeypatch):
    """Whoever may push `receipts` could fill a player's memory with it; the player is told."""
    clone, path = tmp_path / "mallory", letterbox.path("alice")
    run_git(tmp_path, "clone", "-q", "-b", "receipts", str(ready.bare), str(clone))
    (clone / path).write_bytes(bytes(2**20))
    run_git(clone, "add", "-A")
    run_git(clone, "commit", "-qm", "big")
    run_git(clone, "push", "-q", "origin", "HEAD:receipts")
    opened, given = letterbox.open_own, []
    monkeypatch.setattr(letterbox, "open_own", lambda *all: given.append(all[-1]) or opened(*all))
    (warning,) = ready.play_sync("alice").sync().warnings
    assert warning.startswith("the box with your receipts: ")
    assert given == [b""]
