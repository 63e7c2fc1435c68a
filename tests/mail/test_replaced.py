"""A player is replaced in a game by mail: invited, joined, told; and the one who left is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from adjudicator.core import opening
from adjudicator.mail import telling
from adjudicator.mail.mime import read_mail
from adjudicator.player import seated
from adjudicator.player.seat import Seat
from orders.bundle import Bundle
from orders.documents import Private
from orders.keys import MemoryKey

Room = Any
ERIN = "erin@example.org"


@pytest.fixture
def room(mailroom: Any) -> Room:
    """A reserved game of which one step is played."""
    room = mailroom(reserved=True)
    tokens = {name: room.desk.room.invite(name) for name in room.players}
    room.queue([telling.invitation(room.desk, room.address(n), n) for n in room.players])
    room.turn()
    for name in room.players:
        room.receive(name)
        room.box.put(room.join(name, tokens[name]))
    room.turn()
    for name in room.players:
        room.receive(name)
    return room.play({"alice": "start C4", "bob": "start F6"})


def join(room: Room, token: str) -> Bundle:
    """Erin's join, under Bob's name."""
    root: Path = room.root / "erin"
    root.mkdir(exist_ok=True)
    offer = opening.read_offer(room.copy("alice"))
    place = root / f"{token[:4]}.seat"
    seat = Seat.create(place, "bob", offer.digest, Path("key"), token.encode())
    key = MemoryKey.from_seed(token.encode())
    return seated.join(offer, seat, key, Private(ERIN, token))


def put(room: Room, bundle: Bundle) -> None:
    data: bytes = room.mail("alice", bundle, "a join")
    room.box.put(data.replace(b"From: alice@", b"From: erin@"))


def to(room: Room, address: str) -> list[Any]:
    return [read_mail(data) for _, whom, data in room.wire.out if whom == address]


def test_bob_is_replaced_by_erin(room: Room) -> None:
    """Her join is kept for the host, who is told the command; after the ruling the game's mails go
    to her, and Bob is told once, with the signed ruling and nothing that is hers."""
    put(room, join(room, room.desk.room.invite("erin")))
    assert room.turn().faults == []
    (answer,) = to(room, ERIN)
    assert "Once the host has handed the seat of bob on to you" in " ".join(answer.text.split())
    assert any("adjudicator rule" in line and "bob" in line for line in room.log)
    (kept,) = [one for name, one in room.host.folder.joins().items() if name.endswith("-bob.txt")]
    before = len(room.got("bob"))
    room.host.hand_on(kept, "Bob has left")
    room.turn()
    (farewell,) = room.got("bob")[before:]
    told = " ".join(read_mail(farewell).text.split())
    assert "without your consent. The reason given: Bob has left." in told
    (block,) = read_mail(farewell).blocks
    assert not any(path.startswith("reports/") for path, _ in block.bundle.files)
    assert "entry 2" in to(room, ERIN)[-1].subject
    room.receive("alice")
    room.box.put(room.order("alice", "silent"))
    room.turn()
    assert len(room.got("bob")) == before + 1


def test_who_has_no_token_takes_no_seat(room: Room) -> None:
    """A made-up token is refused when it comes, and nothing is kept."""
    before = room.host.folder.joins()
    put(room, join(room, "0" * 32))
    room.turn()
    assert "brings no token of the host's" in " ".join(to(room, ERIN)[-1].text.split())
    assert room.host.folder.joins() == before
