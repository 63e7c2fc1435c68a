"""Joins that wait, tokens of invitations, and what a join holds for the host alone."""

from __future__ import annotations

from pathlib import Path

import pytest

import games
from adjudicator.core import opening
from adjudicator.host import begin
from adjudicator.host.begin import Secrets, Terms
from adjudicator.host.folder import HostFolder
from adjudicator.host.waiting_room import WaitingRoom
from adjudicator.player import seated
from adjudicator.player.seat import Seat
from adjudicator.store.clock import DemoClock
from adjudicator.store.record import Record
from orders.bundle import Bundle
from orders.documents import Private
from orders.errors import Refused
from orders.keys import MemoryKey
from orders.secrets import derive


class Door:
    """An offer, and people who come to it."""

    def __init__(self, root: Path, *, reserved: bool) -> None:
        self.root = root
        self.record = Record(root / "record")
        self.signer = MemoryKey.from_seed(derive(b"door", "host"))
        terms = Terms(games.load("sugar-dog"), {}, reserved=reserved)
        secrets = Secrets(derive(b"door", "master"), derive(b"door", "letters"))
        key = root / "host.key"
        begin.invite(self.record, terms, self.signer, key, secrets, DemoClock())
        self.offer = opening.read_offer(self.record)
        self.room = WaitingRoom(HostFolder(self.record.host), self.offer)

    def join(self, name: str, who: str | None = None, **private: str) -> Bundle:
        """A join as `name`, with the key of `who`."""
        person = who or name
        root = self.root / f"{person}-{name}.seat"
        secret = derive(b"door", f"seat/{person}/{name}")
        seat = Seat.create(root, name, self.offer.digest, Path("key"), secret)
        key = MemoryKey.from_seed(derive(b"door", f"key/{person}"))
        return seated.join(self.offer, seat, key, Private(**private))


@pytest.fixture
def door(tmp_path: Path) -> Door:
    return Door(tmp_path, reserved=False)


@pytest.fixture
def reserved(tmp_path: Path) -> Door:
    return Door(tmp_path, reserved=True)


def test_joins_wait_in_the_order_in_which_they_came(door: Door) -> None:
    """They become seats in that order."""
    for name in ("carol", "alice", "bob"):
        door.room.take(door.join(name))
    assert list(door.room.joins()) == ["carol", "alice", "bob"]
    begin.start(door.record, door.room.bundles(), door.signer, DemoClock())
    assert opening.read_opening(door.record).players == ("carol", "alice", "bob")


def test_nobody_joins_as_somebody_else(door: Door) -> None:
    """A name that waits is replaced by its own key alone."""
    door.room.take(door.join("alice"))
    with pytest.raises(Refused, match=r"^illegal: somebody has joined as alice"):
        door.room.take(door.join("alice", "mallory"))


def test_only_a_seat_of_the_game_is_taken_over(door: Door) -> None:
    """A join that would take another player's place is kept under that player's name alone."""
    held = {"alice": door.room.take(door.join("alice"))}
    with pytest.raises(Refused, match="no-seat: carol has no seat in this game"):
        door.room.keep(door.join("carol"), held)
    assert door.room.keep(door.join("alice", "erin"), held) == "001-alice.txt"


def test_a_join_can_be_dropped(door: Door) -> None:
    """The name is free again then."""
    door.room.take(door.join("alice", "mallory"))
    door.room.drop("alice")
    door.room.take(door.join("alice"))
    assert list(door.room.joins()) == ["alice"]
    with pytest.raises(Refused, match=r"^missing: no join of"):
        door.room.drop("bob")


def test_a_reserved_seat_needs_a_token(reserved: Door) -> None:
    """The host's own, given to one person; whoever guesses or copies one is refused."""
    token = reserved.room.invite("alice, from the club")
    with pytest.raises(Refused, match="brings no token"):
        reserved.room.take(reserved.join("mallory"))
    with pytest.raises(Refused, match="brings no token"):
        reserved.room.take(reserved.join("eve", token="0" * 32))
    reserved.room.take(reserved.join("alice", token=token))
    with pytest.raises(Refused, match="has joined with this token"):
        reserved.room.take(reserved.join("bob", token=token))


def test_start_heeds_tokens_too(reserved: Door) -> None:
    """A join that comes by hand passes the same door."""
    token = reserved.room.invite("alice")
    joins = [reserved.join("alice", token=token), reserved.join("bob")]
    with pytest.raises(Refused, match="brings no token"):
        begin.start(reserved.record, joins, reserved.signer, DemoClock())


def test_nothing_public_tells_who_was_invited(reserved: Door) -> None:
    """Neither invite nor join holds a token or an address in the clear; both have one length."""
    token = reserved.room.invite("alice")
    given = reserved.join("alice", token=token, address="alice@example.org")
    bare = reserved.join("bobby", address="b@example.org")
    text = b"".join(data for _, data in given.files) + reserved.record.read("invite.toml")
    assert token.encode() not in text
    assert b"example.org" not in text
    sizes = {sum(len(data) for _, data in one.files) for one in (given, bare)}
    assert len(sizes) == 1


def test_what_a_join_keeps_private_the_host_alone_reads(door: Door) -> None:
    """With the key of the letters, which no reveal opens."""
    join = door.room.take(door.join("alice", address="alice@example.org"))
    assert door.room.private(join) == Private(address="alice@example.org")
    other = WaitingRoom(HostFolder(door.root / "other.host"), door.offer)
    other.folder.create(HostFolder(door.record.host).master(), "11" * 32, Path("key"))
    assert other.private(join) == Private()
