"""A whole machine restored from an older backup: the host's mail stops, and goes on once whole."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from mail.conftest import CARL, receipts, turn

from adjudicator.core import bundles
from adjudicator.host.restore import Pool, restore
from adjudicator.mail.mime import read_mail
from adjudicator.mail.office import Settings
from orders.bundle import encode
from orders.errors import Refused

Room = Any
MONTH = 30 * 86_400


def back_up(room: Room, *, mailbox: bool) -> Callable[[], None]:
    """The machine as it is: record, host's folder and mail state; perhaps with the mailbox, as a
    Maildir on its own disk. Call it to restore them."""
    folders = (room.record.root, room.record.host, room.root / "state")
    copies = list(room.box.copies)
    for folder in folders:
        shutil.copytree(folder, room.root / "backup" / folder.name)

    def again() -> None:
        for folder in folders:
            shutil.rmtree(folder)
            shutil.copytree(room.root / "backup" / folder.name, folder)
        if mailbox:
            room.box.copies[:] = copies

    return again


@pytest.fixture
def lost(mailroom: Any, example: Sequence[Mapping[str, str]]) -> Callable[..., Room]:
    """A machine restored to entry 1 in a game of three entries."""

    def call(*, mailbox: bool) -> Room:
        room = mailroom().begin().play(example[0])
        again = back_up(room, mailbox=mailbox)
        room.play(*example[1:3])
        again()
        room.wire.out.clear()
        room.taken = dict.fromkeys(room.players, 0)
        return room

    return call


def faults(room: Room) -> str:
    return "\n".join(turn(room, Settings(alarm=CARL)).faults)


def test_bd6_the_next_turn_finds_its_own_copies(lost: Callable[..., Room]) -> None:
    """No player has written anything, and a deadline has passed: nobody is missing, no second
    entry 2 is signed, and Carl is told once how to go on."""
    room = lost(mailbox=False)
    room.clock.skip(MONTH)
    told = faults(room)
    assert "friday stands still: you signed entry 2, but the record here ends at entry 1" in told
    assert "adjudicator restore" in told
    assert room.host.last.step == 1
    assert room.got("alice") == room.got("bob") == []
    assert "stands still" in faults(room)
    alarms = [
        data
        for _, to, data in room.wire.out
        if to == CARL and b"Subject: 1 needs a hand; 1 game" in data
    ]
    assert len(alarms) == 1
    assert "adjudicator restore" in " ".join(read_mail(alarms[0]).text.split())


def test_bd5_an_order_is_read_again_once_all_is_whole(lost: Callable[..., Room]) -> None:
    """The disk of the mailbox is old too. Alice's order for step 4 stops the game, gets no receipt
    and stays in the mailbox; after `restore` it is taken, and the game goes on."""
    room = lost(mailbox=True)
    order = room.order("alice", "silent")
    room.box.put(order)
    assert "alice signed that there is entry 3" in faults(room)
    assert list(room.box.held.values()) == [order]
    assert room.got("alice") == []
    room.clock.skip(MONTH)
    assert "stands still" in faults(room)
    assert room.host.last.step == 1
    pool = Pool()
    for name in room.players:
        pool.add((path, room.copy(name).read(path)) for path in room.copy(name).paths())
        for one in room.seat(name).orders():
            pool.add(one.files().items())
    assert restore(room.record, room.signer, room.clock, pool).missing == []
    assert faults(room) == ""
    assert room.box.held == {}
    assert "accepted" in receipts(room.got("alice"))
    assert room.verify().code == 0
    for name in room.players:
        assert all(one.warnings == [] for one in room.receive(name))


def test_bd6_an_accepted_order_is_not_forgotten(mailroom: Any) -> None:
    """The backup is older than Alice's order, and no entry came since. The copy of her receipt
    stops the game; with her mail it makes it whole, and the receipt is the same."""
    room = mailroom().begin()
    again = back_up(room, mailbox=False)
    order = room.order("alice", "start C4")
    room.box.put(order)
    room.turn()
    (first,) = room.host.folder.waiting().values()
    again()
    room.clock.skip(MONTH)
    assert "you accepted orders of alice for step 1 that are not here" in faults(room)
    assert room.host.last.step == 0
    pool = Pool()
    for data in (*room.box.copies, order):
        for one in read_mail(data).blocks:
            pool.add_bundle(one.bundle)
    assert restore(room.record, room.signer, room.clock, pool).missing == []
    (second,) = room.host.folder.waiting().values()
    assert second == first
    assert faults(room) == ""


def test_a_quoted_entry_stops_it_too(lost: Callable[..., Room]) -> None:
    """Bob only asks for help, under the host's own mail of entry 3."""
    room = lost(mailbox=True)
    block = encode(bundles.of_entry(room.copy("bob"), 3)[0]).decode()
    entry = "\n".join(f"> {line}" for line in block.splitlines())
    mail = f"From: bob@example.org\nMessage-ID: <9@x>\nSubject: Re: entry 3\n\nhelp\n\n{entry}\n"
    room.box.put(mail.encode())
    assert "you signed entry 3, but the record here ends at entry 1" in faults(room)


def test_a_game_that_stands_still_harms_no_other(
    lost: Callable[..., Room], mailroom: Any, example: Sequence[Mapping[str, str]]
) -> None:
    """Carl himself is refused every act; nothing is in the record that was not."""
    room = lost(mailbox=False)
    faults(room)
    before = {path: room.record.read(path) for path in room.record.paths()}
    for act in (room.host.advance, lambda: room.host.advance(late=True)):
        with pytest.raises(Refused, match="restored from an older backup"):
            act()
    assert {path: room.record.read(path) for path in room.record.paths()} == before
    other = mailroom(name="other").begin().play(*example)
    assert other.verify().code == 0
    assert len(other.box.copies) == 6 + 5
    assert all(b"X-Adjudicator: copy" in data for data in other.box.copies)
