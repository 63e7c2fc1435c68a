"""When there are fresh boxes, and what they remember for a host without a disk."""

from __future__ import annotations

import shutil

from git.conftest import ordered

from adjudicator.core import intake
from adjudicator.git import letterbox, strangers
from adjudicator.git.letterbox import Letterbox
from adjudicator.git.process import Repo
from adjudicator.git.writing import Writer
from orders import sshsig
from orders.documents import read_receipt
from orders.signed import Signed


def test_mail_brings_no_fresh_boxes(make_table, run_git):
    """An order that came by mail is in the host's box with the next ones, and not before."""
    table = make_table()
    table.sync_host()
    before = run_git(table.bare, "rev-parse", "receipts")
    table.order("alice", "start C4")
    table.host.submit(ordered(table, "alice"))
    table.sync_host()
    assert run_git(table.bare, "rev-parse", "receipts") == before
    table.clock.skip(86_400)
    table.sync_host()
    assert run_git(table.bare, "rev-parse", "receipts") != before


def test_a_host_without_a_disk_remembers(make_table, run_git):
    """All but the secrets lost, and the player's branch gone: the promise is kept all the same."""
    table = make_table()
    table.order("alice", "start C4")
    table.sync("alice")
    table.sync_host()
    table.sync("alice")
    first = [file.data for file in table.seats["alice"].receipts()]
    shutil.rmtree(table.record.host / "inbox")
    run_git(table.bare, "update-ref", "-d", "refs/heads/players/alice")
    table.order("bob", "start F1")
    table.sync("bob")
    assert table.sync_host().steps == [1]
    table.sync("alice")
    assert [file.data for file in table.seats["alice"].receipts()] == first
    slip = table.record.read("entries/0001.toml")
    receipt = read_receipt(first[0])
    assert receipt.slip.encode() in slip
    assert receipt.time.encode() in slip


def test_boxes_that_another_made_are_not_believed(make_table, run_git):
    """Alice may push where no guard is. She writes orders for Bob, and boxes that promise them."""
    table = make_table()
    table.sync_host()
    table.order("bob", "start F1")
    order = table.seats["bob"].orders()[-1]
    file = Signed.by(table.keys["alice"], sshsig.SLIP, order.file.data)
    forged = intake.Order(order.slip, file, order.sealed)
    host, repo = table.host, Repo(table.records["alice"].root)
    time = table.clock.now()
    receipt = intake.receipt(host.opening.id, host.last, forged, "accepted", time)
    held = Letterbox((receipt,), {"bob": forged})
    boxes = letterbox.make(host.opening, host.last.joins, held, table.keys["alice"])
    writer = Writer(repo, "host", table.keys["alice"])
    message = run_git(table.bare, "log", "-1", "--format=%B", "receipts")
    made = writer.commit([], boxes, time, message)
    writer.store()
    run_git(repo.root, "push", "-q", "-f", "origin", f"{made}:refs/heads/receipts")
    table.sync_host()
    assert host.folder.waiting() == {}
    assert run_git(table.bare, "rev-parse", "receipts") != made


DAY = 86_400


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
