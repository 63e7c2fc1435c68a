"""One game's mail at its host: who joins, where each player's mails go, when it goes on."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import pytest

from adjudicator.core import bundles
from adjudicator.core.source import signed
from adjudicator.mail import block
from adjudicator.mail.mime import read_mail
from adjudicator.office import overview
from adjudicator.office.office import Settings
from adjudicator.player.letters import message
from orders import names
from orders.errors import Refused
from orders.letter import Text

Mailroom = Any


def test_nothing_goes_on_before_the_game_begins(mailroom: Callable[..., Mailroom]) -> None:
    """A host that writes to its players too early is told so."""
    room = mailroom()
    room.invite()
    for act in (lambda: room.say("all", "Hello."), room.move):
        with pytest.raises(Refused, match="the game has not begun"):
            act()


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


def test_a_join_without_an_address(mailroom: Callable[..., Mailroom]) -> None:
    """Nobody could be told anything: it is not taken, and the log says why."""
    room = mailroom()
    room.invite()
    room.box.put(room.mail("alice", room.stranger("carol", address=None), "a join"))
    room.turn()
    assert any("names no mail address that the host can read" in line for line in room.log)
    assert room.game.joins() == {}


EXAMPLE = {"alice": "start C4", "bob": "start C1"}


def test_an_address_is_sealed(mailroom: Callable[..., Mailroom]) -> None:
    """Who reads Alice's mail on its way learns no new address of hers."""
    room = mailroom().begin()
    mail = room.letter("alice", Text("address alice@hidden.example"))
    bundle = block.choose(read_mail(mail).blocks, ("letter",))
    assert not any(b"hidden.example" in data for _, data in bundle.files)


def test_a_seat_that_changes_hands(mailroom: Callable[..., Mailroom]) -> None:
    """Dora takes Bob's seat: no mail of hers goes to an address that Bob told, nor his absence."""
    room = mailroom(options={"press": "private", "absence": "7d"}).begin().play(EXAMPLE)
    room.box.put(room.letter("bob", Text("address bob@example.com")))
    room.turn()
    room.host.hand_on(room.stranger("dora", "bob"), "bob is gone")
    assert room.game.addresses() == {"alice": "alice@example.org", "bob": "dora@example.org"}
    room.turn()
    news = [to for _, to, data in room.wire.out if b"] entry 2" in data]
    # Who has left is told so, once.
    assert sorted(news) == ["alice@example.org", "bob@example.com", "dora@example.org"]
    # The numbers of Dora's letters begin anew, and Bob's own key writes no more.
    room.box.put(room.letter("alice", message("bob", "Hello")))
    room.turn()
    assert any(b"a message from alice" in data for _, to, data in room.wire.out if "dora" in to)
    room.box.put(room.letter("bob", Text("address bob@example.biz")))
    room.turn()
    assert room.game.addresses()["bob"] == "dora@example.org"


def test_reserved_seats(mailroom: Callable[..., Mailroom]) -> None:
    """Mallory has a copy of the invite, and joins first: she is told why not, and Alice sits."""
    room = mailroom(reserved=True)
    room.invite()
    room.box.put(room.mail("bob", room.stranger("mallory", "alice")))
    room.turn()
    (answer,) = [data for _, to, data in room.wire.out if to == "mallory@example.org"]
    assert "the seats are reserved" in " ".join(read_mail(answer).text.split())
    for name in room.players:
        room.box.put(room.join(name, room.tokens[name]))
    room.turn()
    assert room.host.opening.players == ("alice", "bob")


def test_one_token_twice(mailroom: Callable[..., Mailroom]) -> None:
    """One invitation is one seat."""
    room = mailroom(reserved=True)
    room.invite()
    for name in room.players:
        room.box.put(room.join(name, room.tokens["alice"]))
    room.turn()
    assert list(room.game.joins()) == ["alice"]
    assert "with this token already" in " ".join(room.last("bob").split())


def test_join_too_late(mailroom: Callable[..., Mailroom]) -> None:
    """Whoever joins a game that has begun is told that it has begun."""
    room = mailroom().begin()
    room.box.put(room.mail("bob", room.stranger("dora")))
    room.turn()
    (answer,) = [data for _, to, data in room.wire.out if to == "dora@example.org"]
    assert "has begun without this join" in read_mail(answer).text


HOUR = 3_600


@pytest.mark.parametrize("count", [0, 1, 2])
def test_reminders_by_option(mailroom: Callable[..., Mailroom], count: int) -> None:
    """None; one when a quarter of the time is left; or another when half is left."""
    room = mailroom(options={"turn_time": "4d"}).begin()
    room.box.put(room.order("alice", "start C4"))
    sent = []
    for _ in range(15):
        room.clock.skip(6 * HOUR)
        before = len(room.got("bob"))
        room.turn(settings=Settings(reminders=count))
        sent.append(len(room.got("bob")) - before)
    # Every six hours: half of the time is left at the eighth turn, a quarter at the twelfth.
    expected = {0: [], 1: [11], 2: [7, 11]}[count]
    assert [at for at, mails in enumerate(sent) if mails] == expected
    assert not any(b"Subject: [friday] step 1: your orders until" in m for m in room.got("alice"))
    assert not count or "None came yet" in " ".join(room.last("bob").split())


def test_threads(mailroom: Callable[..., Mailroom], example: Any) -> None:
    """Each entry's mail answers the one before, a receipt the mail that brought the orders."""
    room = mailroom().begin()
    sent = room.order("alice", "start C4")
    room.box.put(sent)
    room.turn()
    receipt = read_mail(room.got("alice")[-1])
    assert read_mail(sent).message_id in receipt.references
    room.play({"bob": "start C1"})
    told = [read_mail(one) for one in room.got("alice") if b"] entry " in one]
    assert told[0].message_id in told[1].references


def test_what_an_invitation_tells_to_type(mailroom: Callable[..., Mailroom]) -> None:
    """Each command as it is typed in this game; nothing is left to be filled in by a template."""
    room = mailroom()
    told = room.game.invitation(room.address("alice"), "1", token="0" * 32).text
    assert [line.strip() for line in told.splitlines() if "adjudicator " in line][1:] == [
        "adjudicator join THIS-MAIL",
        "The rules: adjudicator rules sugar-dog",
    ]
    assert "{" not in told


def test_two_invitations(mailroom: Callable[..., Mailroom]) -> None:
    """A lost invitation is sent again as a mail of its own."""
    room = mailroom()
    for mark in ("1", "2"):
        room.queue([room.game.invitation(room.address("alice"), mark)])
    room.turn()
    assert len({read_mail(mail).message_id for mail in room.got("alice")}) == 2


Room = Any
ERIN = "erin@example.org"


@pytest.fixture
def room(mailroom: Any) -> Room:
    """A reserved game of which one step is played."""
    return mailroom(reserved=True).begin().play({"alice": "start C4", "bob": "start F6"})


def put(room: Room, token: str) -> None:
    """Erin joins under Bob's name."""
    data: bytes = room.mail("alice", room.stranger("erin", "bob", token=token), "a join")
    room.box.put(data.replace(b"From: alice@", b"From: erin@"))


def to(room: Room, address: str) -> list[Any]:
    return [read_mail(data) for _, whom, data in room.wire.out if whom == address]


def test_bob_is_replaced_by_erin(room: Room) -> None:
    """Her join is kept for the host, who is told the command; after the ruling all the game's
    mails go to her, and Bob is told once, with the signed ruling and nothing that is hers."""
    put(room, room.game.room.invite("erin"))
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
    came = [mail.subject for mail in to(room, ERIN)[1:]]
    assert [subject.partition("entry ")[2][:1] for subject in came] == ["0", "1", "2"]
    room.receive("alice")
    room.box.put(room.order("alice", "silent"))
    room.turn()
    assert len(room.got("bob")) == before + 1


def test_who_has_no_token_takes_no_seat(room: Room) -> None:
    """A made-up token is refused when it comes, and nothing is kept."""
    before = room.host.folder.joins()
    put(room, "0" * 32)
    room.turn()
    assert "brings no token of the host's" in " ".join(to(room, ERIN)[-1].text.split())
    assert room.host.folder.joins() == before


def test_a_join_that_comes_again(room: Room) -> None:
    """Each is told what is true now: who sits, and who sat and does no more. Nothing is kept."""
    put(room, room.game.room.invite("erin"))
    room.turn()
    (erins,) = [one for name, one in room.host.folder.joins().items() if name.endswith("-bob.txt")]
    room.host.hand_on(erins, "Bob has left")
    room.turn()
    joins = {"erin": erins}
    for name in room.players:
        path = names.join(name)
        joins[name] = bundles.pack("join", signed(room.record, path).files(path))
    held = room.host.folder.joins()
    for join in joins.values():
        room.box.put(room.mail("alice", join, "a join, again"))
    room.turn()
    said = {who: " ".join(to(room, f"{who}@example.org")[-1].text.split()) for who in joins}
    for name, seat in (("alice", "alice"), ("erin", "bob")):
        assert said[name].startswith(f"The seat of {seat} is yours, and the game has begun.")
    assert said["bob"].startswith("The seat of bob was yours and was handed on")
    assert room.host.folder.joins() == held


def test_two_copies_of_a_seat(room: Room) -> None:
    """Two orders of one revision: the host is told by what needs a hand, until it is old."""
    room.receive("alice")
    first = room.order("alice", "silent")
    for path in (room.root / "alice" / "alice.seat" / "orders").glob("0002-*"):
        path.unlink()
    for data in (first, room.order("alice", "fire S")):
        room.box.put(data)
        room.turn()
    for days, told in ((0, 1), (15, 0)):
        room.clock.skip(days * 86_400)
        with contextlib.closing(room.outbox()) as outbox:
            found = overview.hand(outbox, room.clock.now(), [room.game.id], [])
        words = (
            "alice has signed two different orders as step 2, revision 1: two copies of one seat"
        )
        assert [words in line for line in found] == [True] * told
