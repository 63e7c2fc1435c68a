"""Finding what players pushed: on branches, in pull requests, in commits that may not be merged;
and sealed orders, of which main holds none."""

from __future__ import annotations

import shutil

from git.conftest import ordered

from adjudicator.git.host_sync import HostSync
from adjudicator.store.record import Record
from adjudicator.verifier.verify import verify


def test_a_late_slip_is_told_that_it_is_stale(make_table):
    """It was pushed, the host went on without it; its player is told, signed."""
    table = make_table()
    table.order("alice", "start C4")
    table.order("bob", "start F1")
    table.sync("bob")
    table.clock.skip(4 * 86400)
    assert table.sync_host(late=True).steps == [1]
    late = table.play_sync("alice")
    late._take_in = lambda main, taken: None  # she has not seen the entry yet
    late.sync()
    table.sync_host(late=True)
    taken = table.play_sync("alice").sync()
    assert table.statuses("alice") == ["stale"]
    assert "entry 1 calls you missing, though you wrote revision 1" in taken.warnings[0]


def test_a_pull_request_is_taken_in(make_table, run_git, tmp_path):
    """From a fork: the site shows the head as refs/pull/1/head; no branch is pushed at all."""
    table = make_table()
    table.order("alice", "start C4")
    table.sync("alice")
    end = run_git(table.bare, "rev-parse", "refs/heads/players/alice")
    run_git(table.bare, "update-ref", "refs/pull/1/head", end)
    run_git(table.bare, "update-ref", "-d", "refs/heads/players/alice")
    table.order("bob", "start F1")
    table.sync("bob")
    assert table.sync_host().steps == [1]
    assert end in run_git(table.bare, "rev-list", "main").split()


def test_a_slip_in_a_commit_that_may_not_be_merged_counts(make_table, run_git, tmp_path):
    """The slip is signed, so it is used; the rest of what was pushed does not come to main."""
    table = make_table()
    table.order("alice", "start C4")
    bundle = ordered(table, "alice")
    clone = tmp_path / "clone"
    run_git(tmp_path, "clone", "-q", str(table.bare), str(clone))
    for path, data in (*bundle.files, ("junk.bin", b"x" * 1000)):
        (clone / path).parent.mkdir(exist_ok=True)
        (clone / path).write_bytes(data)
    run_git(clone, "add", "-A")
    run_git(clone, "commit", "-qm", "junk too")
    run_git(clone, "push", "-q", "origin", "HEAD:players/alice")
    junk = run_git(clone, "rev-parse", "HEAD")
    table.order("bob", "start F1")
    table.sync("bob")
    assert table.sync_host().steps == [1]
    assert junk not in run_git(table.bare, "rev-list", "main").split()
    assert "junk.bin" not in run_git(table.bare, "ls-tree", "-r", "--name-only", "main")
    log = run_git(table.bare, "log", "--format=%an: %s", "-4", "main")
    assert "host: 0001 alice: orders" in log
    assert Record(table.record.root).read("slips/0001-alice.toml")


def test_main_holds_no_sealed_orders_and_all_reports(finished_games, run_git):
    """They stay in the commits that brought them; the reveal brings them opened."""
    table = finished_games("sugar-dog")
    listed = run_git(table.bare, "ls-tree", "-r", "--name-only", "main").splitlines()
    assert not [path for path in listed if path.startswith("orders/") and path.endswith(".sealed")]
    reports = [path for path in listed if path.startswith("reports/")]
    assert len(reports) == 2 * (table.record.last_step() - 1)
    slips = [path for path in listed if path.startswith("slips/") and path.endswith(".toml")]
    opened = [path for path in listed if path.startswith("orders/")]
    assert len(opened) == len(slips)


def test_a_host_with_a_fresh_clone_goes_on_and_reveals(make_table, run_git):
    """As in CI: no state, no sealed order in its folder; all comes out of history."""
    table = make_table()
    table.play_bots(2)
    folder = table.folder / "ci" / "friday"
    folder.parent.mkdir()
    run_git(folder.parent, "clone", "-q", str(table.bare), str(folder))
    fresh = Record(folder)
    fresh.host.mkdir(mode=0o700)
    for name in ("master", "letters", "key"):
        shutil.copy(table.record.host / name, fresh.host / name)
    (awaited,) = table.awaited()
    table.order(awaited, "resign")
    table.sync(awaited)
    host = HostSync(fresh, table.key, table.clock)
    assert host.sync().steps == [3, 4]
    assert verify(fresh).code == 0
    for name in table.players:
        table.sync(name)
        assert verify(table.records[name]).code == 0
    assert "entry 4: taken from the remote" in table.sync_host().lines
    assert verify(table.record).code == 0
