"""Where mails go, who may join, and in which order mails are read: what is signed decides."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from adjudicator.core import intake, opening
from adjudicator.core.letters import path_of
from adjudicator.mail import block, telling
from adjudicator.mail.mime import read_mail
from adjudicator.mail.player import wrap
from adjudicator.player import seated
from adjudicator.player.letters import Message
from adjudicator.player.seat import Seat
from orders.documents import Private
from orders.errors import Refused
from orders.keys import MemoryKey
from orders.secrets import derive

Mailroom = Any
NEW = "referee@example.com"
EXAMPLE = {"alice": "start C4", "bob": "start C1"}


def to_host(room: Mailroom, name: str) -> str:
    """Where a player's mails to the host go now."""
    return str(wrap(room.copy(name), room.sealed(name, "start C4"), "orders", "bundle").to)


# The host's mailbox.


def test_the_host_moves(mailroom: Callable[..., Mailroom]) -> None:
    """Players' mails go to the new mailbox once they have taken in the host's signed letter."""
    room = mailroom().begin()
    assert to_host(room, "alice") == room.address_of_host
    room.address_of_host = NEW
    room.queue(room.desk.moved())
    room.turn()
    assert to_host(room, "alice") == "referee@example.net"
    room.receive("alice")
    assert to_host(room, "alice") == NEW
    assert to_host(room, "bob") == "referee@example.net"


def test_an_old_letter_again(mailroom: Callable[..., Mailroom]) -> None:
    """Mallory sends the letter about the mailbox before last again: the last one counts."""
    room = mailroom().begin()
    for address in (NEW, "carl@example.com"):
        room.address_of_host = address
        room.queue(room.desk.moved())
        room.turn()
    first, last = [mail for mail in room.got("alice") if b"a new mail address" in mail]
    room.read("alice", last)
    room.read("alice", first)
    assert to_host(room, "alice") == "carl@example.com"


def test_a_forged_move(mailroom: Callable[..., Mailroom]) -> None:
    """A letter that another signed in the host's name draws no orders elsewhere."""
    room = mailroom().begin()
    room.address_of_host = NEW
    room.queue(room.desk.moved())
    room.turn()
    mail = room.got("alice")[-1]
    bundle = block.choose(read_mail(mail).blocks, ("letter",))
    files = dict(bundle.files)
    path = path_of("host", 1)
    data = files[path].replace(b"example.com", b"example.biz")
    forged = type(bundle)("letter", ((path, data), (f"{path}.sig", files[f"{path}.sig"])))
    with pytest.raises(Refused, match="bad-signature"):
        room.read("alice", room.mail("alice", forged).replace(b"From: alice", b"From: referee"))
    assert to_host(room, "alice") == "referee@example.net"


def test_no_address_is_guessed(mailroom: Callable[..., Mailroom]) -> None:
    """Where the host signed none, the player names one; no From line does."""
    room = mailroom(mail=None)
    room.invite()
    offer = opening.read_offer(room.copy("alice"))
    root = room.root / "alice" / "alice.seat"
    seat = Seat.create(root, "alice", offer.digest, room.root / "key", derive(b"s" * 32, "a"))
    bundle = seated.join(offer, seat, room.keys["alice"], Private("alice@example.org"))
    with pytest.raises(Refused, match="no mail address of the host"):
        wrap(room.copy("alice"), bundle, "a join", "bundle")
    assert wrap(room.copy("alice"), bundle, "a join", "bundle", NEW).to == NEW
    # What the player said once is remembered.
    assert wrap(room.copy("alice"), bundle, "a join", "bundle").to == NEW


# A player's mailbox.


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
    ready = wrap(room.copy("alice"), room.sealed("alice", "silent"), "orders", "bundle")
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
    assert sorted(news) == ["alice@example.org", "dora@example.org"]
    # The numbers of Dora's letters begin anew, and Bob's own key writes no more.
    room.box.put(room.letter("alice", message=Message("bob", "Hello")))
    room.turn()
    assert any(b"a message from alice" in data for _, to, data in room.wire.out if "dora" in to)
    room.box.put(room.letter("bob", address="bob@example.biz"))
    room.turn()
    assert room.desk.addresses()["bob"] == "dora@example.org"


# Who may join.


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
    """Who joins a game that has begun hears so, and not that nothing was understood."""
    room = mailroom().begin()
    offer = opening.read_offer(room.copy("alice"))
    root = room.root / "dora.seat"
    seat = Seat.create(root, "dora", offer.digest, room.root / "key", derive(b"d" * 32, "seat"))
    key = MemoryKey.from_seed(derive(b"d" * 32, "key"))
    room.box.put(room.mail("bob", seated.join(offer, seat, key, Private("dora@example.org"))))
    room.turn()
    (answer,) = [data for _, to, data in room.wire.out if to == "dora@example.org"]
    assert "has begun without this join" in read_mail(answer).text


def test_joins_flood_nobody(mailroom: Callable[..., Mailroom]) -> None:
    """Mallory joins again and again in the name of a victim's address: few mails go there."""
    room = mailroom()
    room.invite()
    offer = opening.read_offer(room.copy("alice"))
    root = room.root / "mallory.seat"
    seat = Seat.create(root, "mallory", offer.digest, room.root / "key", derive(b"m" * 32, "seat"))
    key = MemoryKey.from_seed(derive(b"m" * 32, "key"))
    for _ in range(20):
        join = seated.join(offer, seat, key, Private("victim@example.org"))
        assert intake.read_join_bundle(offer, join)
        room.box.put(room.mail("bob", join))
    room.turn()
    assert len([to for _, to, _ in room.wire.out if to == "victim@example.org"]) == 3


# The order in which mails are read.


def test_newest_mail_first(mailroom: Callable[..., Mailroom]) -> None:
    """Bob reads a message before the older entry's mail, as mail programs show them: no blame."""
    room = mailroom(options={"press": "private"}).begin().play(EXAMPLE)
    told = room.taken["bob"]
    room.box.put(room.order("alice", "silent"))
    room.turn()
    room.box.put(room.letter("alice", message=Message("bob", "Truce?")))
    room.turn()
    entry, message = room.got("bob")[told:]
    room.read("bob", message)
    assert room.read("bob", entry).warnings == []
    room.receive("alice")
    room.box.put(room.order("bob", "silent"))
    room.turn()
    assert room.read("bob", room.got("bob")[-1]).warnings == []


def test_mails_in_any_order(mailroom: Callable[..., Mailroom], example: Any) -> None:
    """Entries that come before the ones they follow are kept, and taken in when those come."""
    room = mailroom().begin()
    skipped = room.taken["bob"]
    for orders in example:
        for name, lines in orders.items():
            room.box.put(room.order(name, lines))
        room.turn()
        room.receive("alice")
        if "bob" in room.host.last.clocks.awaited:
            room.receive("bob")
    mails = [mail for mail in room.got("bob")[skipped:] if b"ADJUDICATOR BUNDLE" in mail]
    copy = room.copy("bob")
    for path in sorted(copy.paths()):
        if path.startswith(("entries/000", "slips/", "reports/")) and "0000" not in path:
            (copy.root / path).unlink()
    (room.root / "bob" / "bob.seat" / "mark").unlink()
    shown = [room.read("bob", mail) for mail in reversed(mails) if b"] entry " in mail]
    assert all("kept until" in one.lines[0] for one in shown[:-1])
    assert [line for line in shown[-1].lines if line.startswith("entry ")] == [
        f"entry {step}" for step in range(1, 6)
    ]
    assert copy.last_step() == room.record.last_step()


def test_words_alone(mailroom: Callable[..., Mailroom], write: Any) -> None:
    """A mail of the host without a block is shown, and is no error."""
    room = mailroom().begin()
    room.box.put(write("alice@example.org", "status"))
    room.turn()
    assert "awaited: alice" in "\n".join(room.read("alice", room.got("alice")[-1]).lines)


def test_two_invitations(mailroom: Callable[..., Mailroom]) -> None:
    """A lost invitation is sent again as a mail of its own."""
    room = mailroom()
    for mark in ("1", "2"):
        room.queue([telling.invitation(room.desk, room.address("alice"), mark)])
    room.turn()
    assert len({read_mail(mail).message_id for mail in room.got("alice")}) == 2
