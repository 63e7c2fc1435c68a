"""A whole machine restored from an older backup: the host's mail stops, and goes on once whole."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from mailroom import CARL, receipts

from adjudicator.core import bundles
from adjudicator.host.restore import Pool, restore
from adjudicator.office.copies import Copies
from adjudicator.office.office import Settings
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
    return "\n".join(room.turn(settings=Settings(alarm=CARL)).faults)


def warnings(room: Room, name: str) -> list[str]:
    """What a player's tool finds wrong in the mails that come; their receipts come last."""
    found = [line for one in room.receive(name) for line in one.warnings]
    return [line for line in found if "NO RECEIPT" not in line]


def test_bd6_a_copy_that_is_gone_stops_the_game(lost: Callable[..., Room]) -> None:
    """Somebody deleted it, so nobody knows what was signed: Carl is told once. Nothing is signed
    until it is back."""
    room = lost(mailbox=False)
    room.clock.skip(MONTH)
    gone = room.box.copies.pop(-3)
    assert "friday stands still: copy" in faults(room)
    assert "was it deleted?" in faults(room)
    assert room.host.last.step < 3
    assert room.got("alice") == room.got("bob") == []
    alarms = [
        data
        for _, to, data in room.wire.out
        if to == CARL and b"Subject: 1 needs a hand; 1 game" in data
    ]
    assert len(alarms) == 1
    room.box.copies.insert(-2, gone)
    assert faults(room) == ""
    assert room.host.last.step == 4


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
        assert warnings(room, name) == []


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
    room = lost(mailbox=True)
    room.box.put(room.order("alice", "silent"))
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


def test_nothing_is_signed_for_an_order_while_a_game_stands_still(
    mailroom: Callable[..., Room], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its mail stays as it is: what another machine answered may lie in the copy that is gone."""
    room = mailroom().begin()
    order = room.sealed("alice", "start C4")
    room.box.put(room.mail("alice", order))

    def ahead(*_: object) -> None:
        raise Refused("ahead", "copy 9 of what you signed is in the mailbox, and copy 8 is not")

    with monkeypatch.context() as patch:
        patch.setattr(Copies, "take", ahead)
        room.box.copies.append(room.box.copies[-1])
        assert "stands still" in faults(room)
    assert list(room.game.folder.waiting()) == []
    assert len(room.box.held) == 1
    assert faults(room) == ""
    assert receipts(room.got("alice")) == ["accepted"]


def test_a_copy_that_follows_on_what_is_not_here(mailroom: Callable[..., Room]) -> None:
    """Nothing of it is taken in, and what lacks is said."""
    room = mailroom().begin()
    shutil.copytree(room.root, old := room.root.with_name("old"))
    for orders in ({"alice": "start C4", "bob": "start F6"}, {"alice": "silent"}):
        for name, lines in orders.items():
            room.box.put(room.order(name, lines))
        room.turn()
        for name in room.players:
            room.receive(name)
    given = bundles.of_host(room.record, 2)
    shutil.rmtree(room.root)
    old.rename(room.root)
    with pytest.raises(Refused, match=r"^ahead: entry 1: entry 2 is here, this one is not"):
        room.game.bring([given], [], {2: given}, 1, [])
    assert room.host.last.step == 0
