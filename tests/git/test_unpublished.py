"""Entries that have not left yet are taken back where another host was first."""

from __future__ import annotations

from git.conftest import check_all, second_host

from adjudicator.git import refs
from adjudicator.host.host import Host
from orders.errors import Refused


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
