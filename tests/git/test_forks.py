"""A player who may push to a fork of their own alone: what the host and the player are told."""

from __future__ import annotations

import shutil

import pytest
from git_table import Site, git


class Forked(Site):
    """Bob has a fork."""

    def fork(self, name):
        return str(self.bare.with_name("bob.git")) if name == "bob" else None


@pytest.fixture
def table(make_table, tmp_path):
    """After genesis, at a host that reads Bob's fork."""
    site = Forked(tmp_path / "forked" / "remote.git")
    git(tmp_path, "init", "-q", "--bare", "--template=", site.fork("bob"))
    table = make_table(started=False, site=site)
    table.join()
    git(table.record.root, "remote", "add", "bob", site.fork("bob"))
    table.start()
    return table


def test_a_fork_that_is_gone_holds_its_player_alone(table):
    """Its player is not late while it cannot be read; the host hears how to do without it."""
    fork = table.bare.with_name("bob.git")
    shutil.move(fork, fork.with_name("away.git"))
    table.clock.skip(4 * 86_400)
    table.order("alice", "start C4")
    table.sync("alice")
    synced = table.sync_host(late=True)
    assert synced.steps == []
    assert synced.unread == ["the remote bob: nothing answers there"]
    (told,) = [line for line in synced.lines if "bob" in line]
    assert told.startswith("the remote bob: git ls-remote: ")
    assert told.endswith("; if it is no more: git remote remove bob")
    git(table.record.root, "remote", "remove", "bob")
    assert table.sync_host(late=True).steps == [1]
    assert table.host.last.entry.missing == ("bob",)


def test_orders_in_a_fork_that_nobody_reads(table):
    """Their player hears that there is no receipt though the host has synced, and why perhaps."""
    git(table.record.root, "remote", "remove", "bob")
    table.order("bob", "start F1")
    table.sync("bob")
    warned = []
    for cell in ("A1", "A2", "A3"):
        table.order("alice", f"start {cell}")
        table.sync("alice")
        table.sync_host()
        warned.append(table.play_sync("bob").sync().warnings)
    assert warned[0] == []
    (told,) = warned[-1]
    assert told.startswith("NO RECEIPT for your orders for step 1: they are pushed (in.bob")
    assert told.endswith("Ask the host; and is the request from your fork open?")
    git(table.record.root, "remote", "add", "bob", str(table.bare.with_name("bob.git")))
    assert table.sync_host().steps == [1]
    assert table.sync("bob").warnings == []
