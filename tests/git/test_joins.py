"""Who joined by git: a name says nothing, keys do."""

from __future__ import annotations

import shutil

import pytest
from git.conftest import handed_in
from git_table import Site, git

from adjudicator.core import opening
from adjudicator.git import worktree
from adjudicator.git.play_sync import PlaySync
from adjudicator.host.folder import HostFolder
from adjudicator.player import seated
from adjudicator.player.seat import Seat
from adjudicator.player.table import Table
from adjudicator.store.record import Record
from orders.documents import Private
from orders.errors import Refused
from orders.secrets import derive


def join_as(table, name: str, who: str, request: int = 0, **private: str) -> Seat:
    """Somebody of that name with a key and a clone of their own joins, or by a request."""
    record = Record(table.folder / f"{who}-clone")
    worktree.clone(record, str(table.bare))
    PlaySync(Table(record, None, table.clock)).sync()
    key, place = table._key(who), table.folder / f"{who}.seat"
    offer = opening.read_offer(record)
    if not place.exists():
        secret = derive(b"s" * 32, who)
        Seat.create(place, name, offer.digest, table.folder / f"{who}.key", secret)
    seat = Seat.open(place)
    before = set(handed_in(table))
    join = seated.join(offer, seat, key, Private(**private))
    taken = PlaySync(Table(record, seat, table.clock)).sync(join)
    assert taken.lines[-1] == "pushed: your join"
    (new,) = set(handed_in(table)) - before
    if request:
        git(table.bare, "update-ref", f"refs/pull/{request}/head", new)
        git(table.bare, "update-ref", "-d", new)
    return seat


def test_two_keys_for_a_name_are_told_and_refused(make_table):
    """Mallory joins as alice by a pull request: the host sees both keys, and must say which."""
    table = make_table(started=False)
    table.join()
    join_as(table, "alice", "mallory", request=1)
    own, theirs = (table._key(who).public.fingerprint for who in ("alice", "mallory"))
    lines = table.sync_host().lines
    joined = next(line for line in lines if line.startswith("joined so far: "))
    assert f"alice ({own})" in joined
    assert f"alice ({theirs})" in joined
    assert any("2 keys ask for the name alice" in line for line in lines)
    with pytest.raises(Refused) as error:
        table.host_sync().start(["alice", "bob"])
    assert error.value.word == "bad-key"
    assert own in error.value.message
    table.host_sync().start([f"alice={own}", "bob"])
    assert table.host.last.key("alice").fingerprint == own


def test_a_game_begins_when_as_many_have_joined_as_were_asked_for(make_table):
    """By itself, as by mail; but two keys for one name, or one join too many, wait for the host."""
    table = make_table(started=False)
    HostFolder(table.record.host).set_seats(2)
    crowded = table.copy(table.folder.with_name("crowded"))
    join_as(crowded, "alice", "mallory", request=1)
    join_as(crowded, "alice", "alice")
    assert any("2 keys ask for the name alice" in line for line in crowded.sync_host().lines)
    assert crowded.record.last_step() is None
    join_as(table, "alice", "alice")
    assert table.sync_host().steps == []
    join_as(table, "bob", "bob")
    assert table.sync_host().steps == [0]
    assert table.host.opening.players == ("alice", "bob")
    assert table.sync_host().steps == []


def test_genesis_with_another_join_in_ones_name(make_table):
    """The player's sync says so, in place of a box that does not open."""
    table = make_table(started=False)
    table.join()
    join_as(table, "alice", "mallory", request=1)
    theirs = table._key("mallory").public.fingerprint
    table.host_sync().start([f"alice={theirs}", "bob"])
    with pytest.raises(Refused) as error:
        table.play_sync("alice").sync()
    assert error.value.word == "no-seat"
    assert theirs in error.value.message


def test_a_reserved_game_takes_joins_with_a_token(make_table):
    """By the one mechanism of all transports: the waiting room. Of several joins of one key one
    that may be seated counts; a sync pushes the last one again."""
    table = make_table(started=False, reserved=True)
    room = table.host_sync().desk.room
    for name in ("alice", "bob"):
        join_as(table, name, name)
        assert any("brings no token" in line for line in table.sync_host().lines)
        table.clock.skip(60)
        seat = join_as(table, name, name, token=room.invite(name))
        last = max(
            handed_in(table, name),
            key=lambda ref: git(table.bare, "log", "-1", "--format=%at", ref),
        )
        git(table.bare, "update-ref", "-d", last)
        again = PlaySync(Table(Record(table.folder / f"{name}-clone"), seat, table.clock))
        assert again.sync().lines == ["pushed: your join"]
        assert again.sync().lines == []
        assert len(handed_in(table, name)) == 2
    assert table.host_sync().start(["alice", "bob"]).steps == [0]
    assert handed_in(table) == []


# A player who may push to a fork of their own alone: what the host and the player are told.


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
