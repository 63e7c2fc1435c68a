"""One game's mail at its host: who joins, where each player's mails go, when it goes on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from adjudicator.core import opening
from adjudicator.mail import block
from adjudicator.mail.mime import read_mail
from adjudicator.mail.player import wrap
from adjudicator.player import seated
from adjudicator.player.letters import Message
from adjudicator.player.seat import Seat
from orders.documents import Private
from orders.keys import MemoryKey
from orders.secrets import derive

Mailroom = Any


def test_deadline(mailroom: Callable[..., Mailroom]) -> None:
    """Once a deadline has passed the game goes on without who is missing, and all are told."""
    room = mailroom().begin()
    room.box.put(room.order("alice", "start C4"))
    room.turn()
    assert room.record.last_step() == 0
    room.clock.skip(3 * 86_400)
    room.turn()
    assert room.record.last_step() == 1
    assert "Missing: bob" in room.last("alice")


def test_joins(mailroom: Callable[..., Mailroom]) -> None:
    """A name is whose key came first; one key may join anew; the game begins when all are there."""
    room = mailroom()
    room.invite()
    first = room.join("alice")
    room.box.put(first)
    room.turn()
    (room.root / "alice" / "alice.seat").rename(room.root / "alice" / "old")
    room.keys["alice"], room.keys["bob"] = room.keys["bob"], room.keys["alice"]
    room.box.put(room.join("alice"))
    room.turn()
    assert "choose another name" in room.last("alice").lower()
    assert room.record.last_step() is None
    room.keys["alice"], room.keys["bob"] = room.keys["bob"], room.keys["alice"]
    room.box.put(room.join("bob"))
    room.turn()
    assert room.record.last_step() == 0
    assert room.host.opening.players == ("alice", "bob")


EXAMPLE = {"alice": "start C4", "bob": "start C1"}


def test_a_player_moves(mailroom: Callable[..., Mailroom]) -> None:
    """Alice's mails come to the address in her last signed letter, and leave from there."""
    room = mailroom().begin()
    room.box.put(room.letter("alice", address="alice@example.com"))
    room.turn()
    room.moved["alice"] = "alice@example.com"
    assert "come to this address" in room.last("alice")
    room.box.put(room.order("bob", "start C1"))
    room.box.put(room.order("alice", "start C4"))
    room.turn()
    kinds = [read_mail(mail).subject for mail in room.got("alice")]
    assert any("are accepted" in one for one in kinds)
    assert any("entry 1" in one for one in kinds)
    ready = wrap(room.copy("alice"), room.sealed("alice", "silent"), "orders")
    assert b"From: alice@example.com" in ready.data


def test_an_address_is_sealed(mailroom: Callable[..., Mailroom]) -> None:
    """Who reads Alice's mail on its way learns no new address of hers."""
    room = mailroom().begin()
    mail = room.letter("alice", address="alice@hidden.example")
    bundle = block.choose(read_mail(mail).blocks, ("letter",))
    assert not any(b"hidden.example" in data for _, data in bundle.files)


def test_a_seat_that_changes_hands(mailroom: Callable[..., Mailroom]) -> None:
    """Dora takes Bob's seat: no mail of hers goes to an address that Bob told, nor his absence."""
    room = mailroom(options={"press": "private", "absence": "7d"}).begin().play(EXAMPLE)
    room.box.put(room.letter("bob", address="bob@example.com"))
    room.turn()
    offer = opening.read_offer(room.copy("bob"))
    key = MemoryKey.from_seed(derive(b"d" * 32, "key"))
    root = room.root / "dora.seat"
    seat = Seat.create(root, "bob", offer.digest, room.root / "key", derive(b"d" * 32, "seat"))
    join = seated.join(offer, seat, key, Private("dora@example.org"))
    room.host.hand_on(join, "bob is gone")
    assert room.desk.addresses() == {"alice": "alice@example.org", "bob": "dora@example.org"}
    room.turn()
    news = [to for _, to, data in room.wire.out if b"] entry 2" in data]
    # Who has left is told so, once.
    assert sorted(news) == ["alice@example.org", "bob@example.com", "dora@example.org"]
    # The numbers of Dora's letters begin anew, and Bob's own key writes no more.
    room.box.put(room.letter("alice", message=Message("bob", "Hello")))
    room.turn()
    assert any(b"a message from alice" in data for _, to, data in room.wire.out if "dora" in to)
    room.box.put(room.letter("bob", address="bob@example.biz"))
    room.turn()
    assert room.desk.addresses()["bob"] == "dora@example.org"


def tokens(room: Mailroom) -> dict[str, str]:
    """A token for each player."""
    return {name: room.desk.room.invite(room.address(name)) for name in room.players}


def test_reserved_seats(mailroom: Callable[..., Mailroom]) -> None:
    """Mallory has a copy of the invite, and joins first: she is told why not, and Alice sits."""
    room = mailroom(reserved=True)
    room.invite()
    given = tokens(room)
    mallory = MemoryKey.from_seed(derive(b"m" * 32, "key"))
    offer = opening.read_offer(room.copy("alice"))
    root = room.root / "mallory.seat"
    seat = Seat.create(root, "alice", offer.digest, room.root / "key", derive(b"m" * 32, "seat"))
    join = seated.join(offer, seat, mallory, Private("mallory@example.org"))
    room.box.put(room.mail("bob", join))
    room.turn()
    (answer,) = [data for _, to, data in room.wire.out if to == "mallory@example.org"]
    assert "the seats are reserved" in " ".join(read_mail(answer).text.split())
    for name in room.players:
        room.box.put(room.join(name, given[name]))
    room.turn()
    assert room.host.opening.players == ("alice", "bob")


def test_one_token_twice(mailroom: Callable[..., Mailroom]) -> None:
    """One invitation is one seat."""
    room = mailroom(reserved=True)
    room.invite()
    token = tokens(room)["alice"]
    for name in room.players:
        room.box.put(room.join(name, token))
    room.turn()
    assert list(room.desk.joins()) == ["alice"]
    assert "with this token already" in " ".join(room.last("bob").split())


def test_join_too_late(mailroom: Callable[..., Mailroom]) -> None:
    """Whoever joins a game that has begun is told that it has begun."""
    room = mailroom().begin()
    offer = opening.read_offer(room.copy("alice"))
    root = room.root / "dora.seat"
    seat = Seat.create(root, "dora", offer.digest, room.root / "key", derive(b"d" * 32, "seat"))
    key = MemoryKey.from_seed(derive(b"d" * 32, "key"))
    room.box.put(room.mail("bob", seated.join(offer, seat, key, Private("dora@example.org"))))
    room.turn()
    (answer,) = [data for _, to, data in room.wire.out if to == "dora@example.org"]
    assert "has begun without this join" in read_mail(answer).text
