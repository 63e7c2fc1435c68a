"""Who joined by git: a name says nothing, keys do."""

from __future__ import annotations

import pytest

from adjudicator.core import opening
from adjudicator.git import guard, setup
from adjudicator.git.guard import Move
from adjudicator.git.play_sync import PlaySync
from adjudicator.git.process import Repo
from adjudicator.git.reading import resolve
from adjudicator.git.writing import Writer
from adjudicator.host.folder import HostFolder
from adjudicator.host.waiting_room import WaitingRoom
from adjudicator.player import seated
from adjudicator.player.seat import Seat
from adjudicator.player.table import Table
from adjudicator.store.record import Record
from orders.documents import Private
from orders.errors import Refused
from orders.secrets import derive


def join_as(table, name: str, who: str, ref: str | None = None) -> Seat:
    """Somebody of that name with a key and a clone of their own joins; at that ref, if given."""
    record = Record(table.folder / f"{who}-clone")
    setup.clone(record, str(table.bare))
    PlaySync(Table(record, None, table.clock)).sync()
    key = table._key(who)
    secret = derive(b"s" * 32, who)
    seat = Seat.create(
        table.folder / f"{who}.seat", name, table.host_sync().offer.digest,
        table.folder / f"{who}.key", secret,
    )  # fmt: skip
    if ref is None:
        PlaySync(Table(record, seat, table.clock), key).sync()
        return seat
    repo = Repo(record.root)
    writer = Writer(repo, name, key)
    writer.start(table.main())
    join = seated.join(opening.read_offer(record), seat, key, Private())
    commit = writer.commit([table.main()], dict(join.files), table.clock.now(), f"{name} joins")
    writer.store()
    repo.run("push", "-q", "origin", f"{commit}:{ref}", network=True)
    return seat


def test_two_keys_for_a_name_are_told_and_refused(make_table):
    """Mallory joins as alice by a pull request: the host sees both keys, and must say which."""
    table = make_table(started=False)
    table.join()
    join_as(table, "alice", "mallory", "refs/pull/1/head")
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
    join_as(crowded, "alice", "mallory", "refs/pull/1/head")
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
    join_as(table, "alice", "mallory", "refs/pull/1/head")
    theirs = table._key("mallory").public.fingerprint
    table.host_sync().start([f"alice={theirs}", "bob"])
    with pytest.raises(Refused) as error:
        table.play_sync("alice").sync()
    assert error.value.word == "no-seat"
    assert theirs in error.value.message


def test_a_waiting_join_is_replaced_by_its_own_key_only(make_table, guarded):
    """The guard refuses mallory's join on alice's branch, and a branch below a name."""
    table = make_table(started=False)
    guarded(table.bare)
    table.join()
    with pytest.raises(Refused) as error:
        join_as(table, "alice", "mallory")
    assert "replaces the join of another key" in error.value.message
    repo = Repo(table.bare)
    branch, own = "refs/heads/players/alice", resolve(repo, "players/alice")
    seat, key = Seat.open(table.folder / "mallory.seat"), table._key("mallory")
    join = seated.join(table.host_sync().offer, seat, key, Private())
    writer = Writer(repo, "alice", key)
    writer.start(own)
    made = writer.commit([str(own)], dict(join.files), table.clock.now(), "alice joins")
    writer.store()
    (told,) = guard.check(repo, [Move(branch, own, made)])
    assert "joins/alice.toml: replaces the join of another key" in told
    found = guard.check(repo, [Move("refs/heads/players/cleo/x", None, table.main())])
    assert found == [
        "refs/heads/players/cleo/x: belongs nowhere: "
        "only main, players/NAME and receipts are pushed"
    ]


def test_a_reserved_game_takes_joins_with_a_token(make_table):
    """By the one mechanism of all transports: the waiting room."""
    table = make_table(started=False, reserved=True)
    room = WaitingRoom(HostFolder(table.record.host), table.host_sync().offer)
    for name in ("alice", "bob"):
        seat = join_as(table, name, f"{name}-without")
        assert any("brings no token" in line for line in table.sync_host().lines)
        record = Record(table.folder / f"{name}-without-clone")
        key = table._key(f"{name}-without")
        private = Private(token=room.invite(name))
        assert PlaySync(Table(record, seat, table.clock), key, private).sync().lines == [
            "pushed: your join"
        ]
        assert PlaySync(Table(record, seat, table.clock), key).sync().lines == []
    assert table.host_sync().start(["alice", "bob"]).steps == [0]
