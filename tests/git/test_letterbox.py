"""Sealed boxes of one size: whom they open for, and what fits into them."""

from __future__ import annotations

import shutil

import pytest

from adjudicator.git import letterbox
from adjudicator.git.process import Repo
from adjudicator.git.reading import read_objects
from adjudicator.host.folder import HostFolder
from orders.documents import Receipt, read_receipt
from orders.errors import Refused


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
    run_git(table.bare, "fetch", "-q", str(other.bare), "refs/heads/players/alice")
    run_git(table.bare, "update-ref", "refs/pull/1/head", "FETCH_HEAD")
    synced = table.sync_host()
    assert [(one.revision, one.status) for one in synced.receipts] == [(1, "accepted")]
    told = [line for line in synced.lines if "another game" in line]
    assert told
    assert table.host.folder.refusals(1) == {}
    taken = table.play_sync("alice").sync()
    assert "receipt for step 1, revision 1: accepted" in taken.lines
    assert table.statuses("alice") == ["accepted"]


def test_the_accepted_receipt_is_never_pushed_out():
    """Whatever comes after it, it is in the box, and last; the others are the newest."""
    made = [
        Receipt("0" * 64, 1, "alice", n, f"{n:064x}", "2026-01-01T00:00:00Z", 0, "0" * 64, status)
        for n, status in enumerate(["accepted", "accepted", *["stale"] * 30], 1)
    ]
    box = letterbox.Letterbox()
    for one in made:
        box = letterbox.Letterbox(box.with_receipts([one]))
    assert len(box.receipts) == letterbox.REMEMBERED
    shown = letterbox.last(box.receipts, letterbox.RECEIPTS)
    assert [one.revision for one in shown] == [30, 31, 32, 2]
    assert [one.revision for one in letterbox.last(made[:1], 4)] == [1]
    assert [one.revision for one in letterbox.last(made[2:4], 4)] == [3, 4]


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
