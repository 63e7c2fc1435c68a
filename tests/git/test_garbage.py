"""Boxes that were replaced are removed, and nothing else is."""

from __future__ import annotations

from git.conftest import kept, size

DAY = 86_400


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
