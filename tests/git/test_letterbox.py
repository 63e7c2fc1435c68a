"""Sealed boxes of one size: whom they open for, what fits into them, when there are fresh ones, and
that old ones go."""

from __future__ import annotations

import shutil

import pytest
from git.conftest import handed_in, kept, ordered, size

from adjudicator.core import bundles, intake
from adjudicator.git import inbox, letterbox
from adjudicator.git.letterbox import Letterbox
from adjudicator.git.objects import Writer, read_objects
from adjudicator.git.process import Repo
from adjudicator.host.folder import HostFolder
from orders import sshsig
from orders.documents import Receipt, read_receipt
from orders.errors import Refused
from orders.sshsig import Signed

DAY = 86_400


def _ready(name: str, table, line: str) -> None:
    table.order(name, line)
    table.sync(name)


def test_slips_of_another_game_push_nothing_out(make_table, run_git):
    """Alice plays two games with one key. A stranger copies her slips of the one into a request of
    the other: they get no receipt, and hers is in her box."""
    table, other = make_table(), make_table(first="bob")
    for number in range(6):
        _ready("alice", other, f"start A{number + 1}")
    _ready("alice", table, "start C4")
    for number, ref in enumerate(handed_in(other, "alice")):
        run_git(table.bare, "fetch", "-q", str(other.bare), f"{ref}:refs/pull/{number + 1}/head")
    synced = table.sync_host()
    assert [(one.revision, one.status) for one in synced.receipts] == [(1, "accepted")]
    told = [line for line in synced.lines if "another game" in line]
    assert told
    assert table.host.folder.refusals(1) == {}
    taken = table.play_sync("alice").sync()
    assert "the host has your orders for step 1 (start C4)" in taken.lines
    assert table.statuses("alice") == ["accepted"]


def test_the_accepted_receipt_is_never_pushed_out():
    """Whatever comes after it, it is in the box, and last; the others are the newest."""
    made = [
        Receipt("0" * 64, 1, "alice", n, f"{n:064x}", "2026-01-01T00:00:00Z", 0, "0" * 64, status)
        for n, status in enumerate(["accepted", "accepted", *["stale"] * 30], 1)
    ]
    box = Letterbox()
    for one in made:
        box = Letterbox(box.with_receipts([one]))
    assert len(box.receipts) == letterbox.REMEMBERED
    shown = letterbox.last(box.receipts, letterbox.RECEIPTS)
    assert [one.revision for one in shown] == [30, 31, 32, 2]
    assert [one.revision for one in letterbox.last(made[:1], 4)] == [1]
    assert [one.revision for one in letterbox.last(made[2:4], 4)] == [3, 4]
    # Which of two accepted ones came to the box first says nothing.
    assert [one.revision for one in letterbox.last(made[1::-1], 4)] == [1, 2]


def test_each_order_that_was_taken_in_by_hand_has_its_receipt_in_the_box(make_table):
    """Not only the last of a player's: as after `restore`, which no branch brought."""
    table = make_table()
    for line in ("start C4", "start C5"):
        table.order("alice", line)
    for order in table.seats["alice"].orders():
        table.host.submit(bundles.pack("order", order.files()))
    # Without anything public, boxes are made anew once a day.
    table.clock.skip(86_401)
    table.sync_host()
    table.play_sync("alice").sync()
    assert table.statuses("alice") == ["accepted", "accepted"]


def test_a_box_opens_for_its_owner_only(make_table):
    """Boxes are sealed to one reader each, and no two are alike."""
    table = make_table()
    table.order("alice", "start C4")
    table.sync("alice")
    table.sync_host()
    repo = Repo(table.bare)
    opened = table.host.opening
    data = read_objects(repo, [f"receipts:{name}.sealed" for name in ("alice", "bob", "host")])
    keys = {name: seat.secret.letters() for name, seat in table.seats.items()}
    assert letterbox.open_own(opened, "alice", keys["alice"], data[0])
    assert letterbox.open_own(opened, "bob", keys["bob"], data[1]) == []
    for name, box in (("alice", data[1]), ("bob", data[0]), ("alice", data[2])):
        with pytest.raises(Refused):
            letterbox.open_own(opened, name, keys[name], box)
    with pytest.raises(Refused):
        letterbox.open_host(opened, HostFolder(table.record.host).master().sealing(), data[2])
    table.clock.skip(86_400)
    table.sync_host()
    again = read_objects(repo, ["receipts:bob.sealed"])[0]
    assert again != data[1]


def test_many_revisions_fit_the_boxes(make_table):
    """Far more slips than a box holds: the last receipts are there, the last accepted one binds."""
    table = make_table()
    for number in range(14):
        table.order("alice", f"start A{number % 6 + 1}")
        table.sync("alice")
        if number % 3 == 0:
            table.sync_host()
    table.sync_host()
    table.sync("alice")
    got = {read_receipt(file.data).revision for file in table.seats["alice"].receipts()}
    assert 14 in got
    shutil.rmtree(table.record.host / "inbox")
    table.order("bob", "start F1")
    table.sync("bob")
    table.sync_host()
    assert b"revision = 14" in table.record.read("slips/0001-alice.toml")


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
    for ref in handed_in(table, "alice"):
        run_git(table.bare, "update-ref", "-d", ref)
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


def test_boxes_wait_for_what_was_not_read(make_table, run_git, monkeypatch):
    """A slip that is left for the next sync is answered then, though no branch has moved."""
    table = make_table()
    table.order("alice", "start C4")
    table.sync("alice")
    monkeypatch.setattr(inbox, "MOST", 0)
    (told,) = table.sync_host().unread
    assert told.endswith(": there are too many")
    monkeypatch.undo()
    table.sync_host()
    taken = table.play_sync("alice").sync()
    assert "the host has your orders for step 1 (start C4)" in taken.lines


def test_the_hosts_box_keeps_which_requests_it_read(make_table, run_git):
    """The newest number, and by player the first and the last that brought orders of theirs."""
    table = make_table()
    table.order("alice", "start C4")
    table.sync("alice")
    (own,) = handed_in(table, "alice")
    for number in (7, 9, 12):
        run_git(table.bare, "update-ref", f"refs/pull/{number}/head", own)
        run_git(table.bare, "update-ref", "refs/pull/20/head", table.main())
        table.sync_host()
    sealed = read_objects(Repo(table.bare), ["receipts:host.sealed"])[0]
    held = letterbox.open_host(table.host.opening, table.host.folder.letters(), sealed)
    assert held.requests == {"alice": (7, 7)}
    assert held.newest == 20


def test_days_of_idle_syncs_leave_no_garbage(make_table, run_git):
    """48 syncs a day, of which one brings fresh boxes: clones stay, the server keeps a few.

    The first boxes came in one pack with genesis, and are git's own garbage.
    """
    table = make_table()
    for _ in range(2):
        table.sync_host()
        table.sync("alice")
        table.clock.skip(DAY)
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
