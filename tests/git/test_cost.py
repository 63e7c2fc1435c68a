"""What syncs cost, in what can be counted: connections, objects, bytes kept, flushes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from adjudicator.git import process, setup, strangers
from adjudicator.git.play_sync import PlaySync
from adjudicator.git.process import Repo
from adjudicator.store import files
from adjudicator.store.record import Record
from adjudicator.verifier.verify import Asked, verify
from orders import names

DAY = 86_400


def size(folder: Path) -> int:
    """Bytes of all files in a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def kept(table) -> dict[str, int]:
    """Bytes of git's own in each clone."""
    places = {"host": table.record, **table.records}
    return {name: size(record.root / ".git") for name, record in places.items()}


def test_an_idle_sync_is_one_connection(make_table, network):
    """When nothing has changed, host and player ask once, and write nothing."""
    table = make_table()
    table.sync_host()
    table.sync("alice")
    before = kept(table)
    network.clear()
    table.sync("alice")
    assert network == ["ls-remote"]
    network.clear()
    table.sync_host()
    assert network == ["ls-remote"]
    assert kept(table) == before
    for record in (table.record, table.records["alice"]):
        logs = record.root / ".git" / "logs"
        assert not [path for path in logs.rglob("*") if path.is_file()]


def test_boxes_are_fresh_after_any_push_and_once_a_day(make_table, network, run_git):
    """Whoever pushed, and whatever it was; and they are replaced for all at once."""
    table = make_table()
    table.sync_host()

    def replaced() -> bool:
        before = run_git(table.bare, "rev-parse", "receipts")
        table.sync_host()
        return run_git(table.bare, "rev-parse", "receipts") != before

    assert not replaced()
    run_git(table.bare, "update-ref", "refs/pull/1/head", table.main())
    assert replaced()
    assert not replaced()
    table.order("alice", "start C4")
    table.sync("alice")
    assert replaced()
    assert not replaced()
    table.clock.skip(DAY)
    assert replaced()
    assert not replaced()


def test_boxes_wait_for_what_was_not_looked_at(make_table, run_git, monkeypatch, tmp_path):
    """A slip that is left for the next sync is answered then, though no branch has moved."""
    table = make_table()
    table.order("alice", "start C4")
    table.sync("alice")
    run_git(table.bare, "update-ref", "refs/pull/1/head", "refs/heads/players/alice")
    run_git(table.bare, "update-ref", "-d", "refs/heads/players/alice")
    monkeypatch.setattr(strangers, "MOST", 0)
    assert "1 pushed branches are left for the next sync" in table.sync_host().lines
    monkeypatch.undo()
    table.sync_host()
    taken = table.play_sync("alice").sync()
    assert "receipt for step 1, revision 1: accepted" in taken.lines


def test_days_of_idle_syncs_leave_no_garbage(make_table, run_git):
    """48 syncs a day, of which one brings fresh boxes: clones stay, the server keeps a few."""
    table = make_table()
    table.sync_host()
    table.sync("alice")
    before = kept(table)
    run_git(table.bare, "gc", "-q")
    server = size(table.bare)
    for _ in range(4):
        for _ in range(3):
            table.sync_host()
            table.sync("alice")
        table.clock.skip(DAY)
    after = kept(table)
    for name in ("host", "alice"):
        assert after[name] <= 1.05 * before[name], name
    boxes = int(run_git(table.bare, "cat-file", "-s", "receipts:host.sealed"))
    run_git(table.bare, "gc", "-q")
    assert size(table.bare) - server < 5 * (boxes + 10_000)


def test_boxes_that_a_user_holds_on_to_stay(make_table, run_git):
    """Something else refers to them: they are not removed."""
    table = make_table()
    table.sync_host()
    table.sync("alice")
    root = table.records["alice"].root
    run_git(root, "tag", "mine", "refs/remotes/origin/receipts")
    table.clock.skip(DAY)
    table.sync_host()
    table.sync("alice")
    run_git(root, "fsck", "--full")
    run_git(root, "cat-file", "-e", "mine:alice.sealed")


def test_the_hosts_sync_does_not_grow_with_closed_requests(make_table, run_git, monkeypatch):
    """Once judged they cost nothing: as many processes with thirty of them as with none."""
    table = make_table()
    table.sync_host()
    started: list[str] = []
    run = process.run
    monkeypatch.setattr(
        process, "run", lambda args, **o: started.append(process.named(args)) or run(args, **o)
    )

    def count() -> int:
        started.clear()
        table.sync_host()
        return len(started)

    first = count()
    tree = run_git(table.bare, "rev-parse", "main^{tree}")
    for number in range(30):
        made = run_git(table.bare, "commit-tree", tree, "-p", "main", "-m", f"{number}")
        run_git(table.bare, "update-ref", f"refs/pull/{number}/head", made)
    assert count() > first
    assert count() == first


# A first sync of a long game.


@pytest.fixture
def long_game(make_table):
    """Twelve entries that bob has not heard of."""
    table = make_table()
    table.play_quietly(12)
    table.sync_host()
    return table


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
        setup.clone(record, str(bare))
        waits.clear()
        PlaySync(record, None, None, table.clock).sync()
        assert record.last_step() == last
        assert waits.count("all") == 1
        counted.append(waits.count("file"))
    assert counted[0] == counted[1]


@pytest.mark.parametrize("damage", ["empty", "gone", "half"])
def test_a_machine_that_stops_before_the_flush(long_game, monkeypatch, damage):
    """Files are empty, missing or half there: the next sync takes them in anew, all others stay."""
    table = long_game
    monkeypatch.setattr(files, "flush", lambda: (_ for _ in ()).throw(SystemExit))
    with pytest.raises(SystemExit):
        table.sync("bob")
    monkeypatch.undo()
    record = table.records["bob"]
    invite = record.read(names.INVITE)
    for number, path in enumerate(sorted(record.paths())):
        name = names.parse(path)
        if name is None or name.kind in ("invite", "table", "join", "attributes"):
            continue
        if name.step and number % 3 == 0:
            file = record.root / path
            if damage == "gone":
                file.unlink()
            else:
                file.write_bytes(file.read_bytes()[: 20 if damage == "half" else 0])
    assert verify(record).code != 4
    table.sync("bob")
    assert record.read(names.INVITE) == invite
    assert record.last_step() == 12
    assert verify(record, Asked(table.seats["bob"])).code == 4
    assert not (record.root / ".git" / "adjudicator-filling").exists()
