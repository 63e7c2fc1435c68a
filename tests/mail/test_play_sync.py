"""A player's mail: where it goes, and a sync, which takes in what it should of a mailbox full of
other mails, and sends when it should."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from adjudicator.core import bundles, deadlines
from adjudicator.mail import play_sync
from adjudicator.mail.mailboxes import MailboxDown
from adjudicator.mail.play_sync import AGAIN
from adjudicator.mail.player import wrap
from adjudicator.mail.senders import NotSent
from adjudicator.player.table import MOST_EARLY, Table, TakenBundles, memory
from orders.entries import Ruling
from orders.errors import Refused

Mailroom = Any


def sync(room: Mailroom, box: Any, wire: Any, name: str = "alice") -> TakenBundles:
    """One sync of that player, with these mailboxes."""
    table, taken = Table(room.copy(name), room.seat(name), room.clock), TakenBundles()
    play_sync.fetch(table, box, taken)
    play_sync.send(table, wire, taken)
    return taken


def boxes(room: Mailroom) -> tuple[Any, Any]:
    """An empty mailbox and a way out for a player."""
    return type(room.box)(), type(room.wire)()


def test_a_turn(mailroom: Callable[..., Mailroom], write: Any) -> None:
    """Entries and receipts are taken in, orders leave once; the mailbox is as it was."""
    room = mailroom().begin()
    box, wire = boxes(room)
    box.put(write("aunt@example.com", "How are you?"))
    room.sealed("alice", "start C4")
    told = sync(room, box, wire).lines
    assert told == ["your orders for step 1, revision 1: sent to referee@example.net"]
    (sent,) = wire.out
    assert sent[:2] == ("alice@example.org", "referee@example.net")
    assert "no receipt yet" in sync(room, box, wire).lines[0]
    assert len(wire.out) == 1
    room.box.put(sent[2])
    room.box.put(room.order("bob", "start C1"))
    room.turn()
    for mail in room.got("alice"):
        box.put(mail)
    held = dict(box.held)
    taken = sync(room, box, wire)
    assert taken.warnings == []
    assert "your orders for step 1 (start C4): accepted, and used in entry 1" in taken.lines
    assert taken.steps == [1]
    assert any("without a block: [friday] you have joined" in line for line in taken.lines)
    assert not any("How are you" in line for line in taken.lines)
    assert box.held == held
    assert sync(room, box, wire) == TakenBundles()
    assert len(wire.out) == 1


def test_a_server_that_reorders(mailroom: Callable[..., Mailroom]) -> None:
    """An entry that comes before its genesis, or before the entry that it follows, is not lost."""
    room = mailroom()
    room.invite()
    for name in room.players:
        room.box.put(room.join(name))
    room.turn()
    room.clock.skip(2 * 86_400)
    room.host.rule(Ruling("snow"), deadlines.add(room.clock.now(), 3 * 86_400))
    room.turn()
    box, wire = boxes(room)
    for mail in reversed(room.got("alice")):
        box.put(mail)
    assert sync(room, box, wire).warnings == []
    assert room.copy("alice").last_step() == 1


def test_a_game_whose_first_mail_is_lost(
    mailroom: Callable[..., Mailroom], write: Any, armored: Any
) -> None:
    """Its player hears what is missing, as long as it is: by the host's own entries of this game,
    not by those of another game of the host's, nor by what the host did not sign."""
    room = mailroom()
    room.invite()
    for name in room.players:
        room.box.put(room.join(name))
    room.turn()
    before = len(room.got("alice"))
    room.host.rule(Ruling("snow"), deadlines.add(room.clock.now(), 9 * 86_400))
    room.turn()
    box, wire = boxes(room)
    (mail,) = room.got("alice")[before:]

    def old() -> str:
        table = Table(room.copy("alice"), room.seat("alice"), room.clock)
        play_sync.fetch(table, box, TakenBundles())
        return table.old()

    box.put(mail.replace(b"[friday]", b"[monday]"))
    (real,) = room.host.bundles([1], "alice")
    held = dict(real.files) | {"entries/0001.toml": real.files[0][1] + b"\n"}
    forged = armored(bundles.pack("entry", held))
    box.put(write("m@example.com", forged, subject="[friday] x", head="X-Adjudicator: host\n"))
    assert old() == ""
    box.held.clear()
    box.put(mail)
    for _ in range(2):
        assert old() == (
            "OLD BOARD (not begun): entry 1 is here, entry 0 is not. Your clock may be running. "
            "Ask the host for friday-0000.txt: resend 0"
        )
    room.box.put(write("alice@example.org", "resend 0", subject="[friday] resend"))
    room.turn()
    box.put(room.got("alice")[-1])
    assert (sync(room, box, wire).steps, old()) == ([0, 1], "")


def test_strangers_fill_nothing(
    mailroom: Callable[..., Mailroom], write: Any, armored: Any, example: Any
) -> None:
    """An entry that comes early is kept only if the host signed it."""
    room = mailroom().begin().play(*example[:2])
    (real,) = room.host.bundles([2], "alice")
    held = dict(real.files)
    box, wire = boxes(room)
    for number in range(3, MOST_EARLY + 5):
        entry = held["entries/0002.toml"].replace(b"step = 2\n", b"step = %d\n" % (number + 1))
        path = f"entries/{number + 1:04d}.toml"
        forged = bundles.pack("entry", {path: entry, f"{path}.sig": held["entries/0002.toml.sig"]})
        head = "X-Adjudicator: host\n"
        box.put(write("m@example.com", armored(forged), head=head, mark=f"m{number}"))
    warnings = sync(room, box, wire).warnings
    assert len(warnings) == MOST_EARLY + 2
    assert all("bad-signature" in one for one in warnings)
    assert not [path for path in memory(room.copy("alice")).paths() if path.startswith("early/")]


def test_orders_leave_again_without_a_receipt(mailroom: Callable[..., Mailroom]) -> None:
    """After some hours, and a newer revision at once; while the way out is closed they wait."""
    room = mailroom().begin()
    box, wire = boxes(room)
    room.sealed("alice", "start C4")
    wire.fault = NotSent("535 password expired", down=True)
    assert "password expired" in sync(room, box, wire).warnings[0]
    wire.fault = None
    sync(room, box, wire)
    room.clock.skip(AGAIN)
    sync(room, box, wire)
    assert len(wire.out) == 2
    room.sealed("alice", "start C5")
    assert "revision 2: sent" in sync(room, box, wire).lines[0]
    for _, _, data in wire.out:
        room.box.put(data)
    room.turn()
    assert room.host.folder.waiting()["alice"].order.slip.revision == 2
    for mail in room.got("alice"):
        box.put(mail)
    sync(room, box, wire)
    room.clock.skip(2 * AGAIN)
    assert sync(room, box, wire) == TakenBundles()
    assert len(wire.out) == 3


def test_orders_that_left_while_the_clock_was_ahead(mailroom: Callable[..., Mailroom]) -> None:
    """They leave again once it is set right: nobody knows how long they would count as sent."""
    room = mailroom().begin()
    box, wire = boxes(room)
    room.sealed("alice", "start C4")
    now = room.clock.time
    room.clock.skip(400 * 86_400)
    sync(room, box, wire)
    room.clock.time = now
    sync(room, box, wire)
    assert len(wire.out) == 2


def test_a_mailbox_that_is_down(mailroom: Callable[..., Mailroom]) -> None:
    """The orders leave all the same."""
    room = mailroom().begin()
    room.sealed("alice", "start C4")
    wire = boxes(room)[1]

    class Closed:
        def mails(self, sort: Any) -> Any:
            raise MailboxDown("nobody there")
            yield

    taken = sync(room, Closed(), wire)
    assert "nobody there" in taken.warnings[0]
    assert len(wire.out) == 1


@pytest.mark.parametrize("first", [0, 1])
def test_two_games_in_one_mailbox(
    mailroom: Callable[..., Mailroom], write: Any, first: int
) -> None:
    """Each sync takes its own game's mails, whoever comes first; a rival's mails stop nothing."""
    rooms = [mailroom(name="one", seed=b"1" * 32), mailroom(name="two", seed=b"2" * 32)]
    box, wire = boxes(rooms[0])
    bad = "-----BEGIN ADJUDICATOR BUNDLE-----\nxx\n-----END ADJUDICATOR BUNDLE-----\n"
    box.put(write("eve@example.com", bad, head="X-Adjudicator: host\n"))
    for room in rooms:
        room.begin().play({"alice": "start C4", "bob": "start C1"})
        (room.copy("alice").root / "entries" / "0001.toml").unlink()
        (room.copy("alice").root / "entries" / "0001.toml.sig").unlink()
        for mail in room.got("alice"):
            box.put(mail)
    for room in (rooms[first], rooms[1 - first]):
        taken = sync(room, box, wire)
        assert len([line for line in taken.lines if line == "entry 1 taken in"]) == 1
        assert len(taken.warnings) <= 1
        assert sync(room, box, wire) == TakenBundles()


def test_killed_between_sending_and_noting(
    mailroom: Callable[..., Mailroom], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The orders leave twice, and the host takes them once."""
    room = mailroom().begin()
    box, wire = boxes(room)
    room.sealed("alice", "start C4")
    real = type(wire).send

    def dying(self: Any, *words: Any) -> None:
        real(self, *words)
        raise KeyboardInterrupt

    monkeypatch.setattr(type(wire), "send", dying)
    with pytest.raises(KeyboardInterrupt):
        sync(room, box, wire)
    monkeypatch.setattr(type(wire), "send", real)
    sync(room, box, wire)
    assert len(wire.out) == 2
    for _, _, data in wire.out:
        room.box.put(data)
    room.turn()
    assert room.host.folder.waiting()["alice"].order.slip.revision == 1


def test_no_address_is_guessed(mailroom: Callable[..., Mailroom]) -> None:
    """Where the host signed none, no From line names one."""
    room = mailroom(mail=None)
    room.invite()
    with pytest.raises(Refused, match="no mail address of the host"):
        wrap(room.copy("alice"), room.stranger("carol"), "a join", None)


@pytest.mark.parametrize("address", ["nobody", "a b@example.org", "-x@example.org"])
def test_what_is_no_address(mailroom: Callable[..., Mailroom], address: str) -> None:
    """It is quoted."""
    room = mailroom().begin()
    bundle = room.sealed("alice", "start C4")
    with pytest.raises(Refused, match=f"bad-option: '{address}' is no mail address"):
        wrap(room.copy("alice"), bundle, "orders", room.seat("alice"), address)
