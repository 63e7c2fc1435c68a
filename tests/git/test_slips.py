"""Finding what players pushed: on branches, in pull requests, in commits that may not be merged."""

from __future__ import annotations

from git.conftest import ordered

from adjudicator.store.record import Record


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
