"""Sealed boxes of one size: whom they open for, and what fits into them."""

from __future__ import annotations

import shutil

import pytest

from adjudicator.git import letterbox
from adjudicator.git.process import Repo
from adjudicator.git.reading import read_objects
from adjudicator.host.folder import HostFolder
from orders.documents import read_receipt
from orders.errors import Refused


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
