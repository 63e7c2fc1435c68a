"""A player's mail: where it goes, and in which order mails of the host may be read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from adjudicator.core import opening
from adjudicator.mail import block
from adjudicator.mail.mime import read_mail
from adjudicator.mail.player import read, wrap
from adjudicator.player import seated
from adjudicator.player.letters import message
from adjudicator.player.seat import Seat
from orders.documents import Private
from orders.errors import Refused
from orders.secrets import derive

Mailroom = Any


NEW = "referee@example.com"


EXAMPLE = {"alice": "start C4", "bob": "start C1"}


def to_host(room: Mailroom, name: str) -> str:
    """Where a player's mails to the host go now."""
    return str(wrap(room.copy(name), room.sealed(name, "start C4"), "orders").to)


def test_the_host_moves(mailroom: Callable[..., Mailroom]) -> None:
    """Players' mails go to the new mailbox once they have taken in the host's signed letter."""
    room = mailroom().begin()
    assert to_host(room, "alice") == room.address_of_host
    room.address_of_host = NEW
    room.move()
    room.turn()
    assert to_host(room, "alice") == "referee@example.net"
    room.receive("alice")
    assert to_host(room, "alice") == NEW
    assert to_host(room, "bob") == "referee@example.net"


def test_a_mail_that_brings_nothing_is_refused(tmp_path: Path) -> None:
    """Only a host's mail may be text alone."""
    with pytest.raises(Refused, match="there is no block in this mail"):
        read(b"From: alice@example.org\nSubject: Friday\n\nSee you there.\n", tmp_path)


def test_an_old_letter_again(mailroom: Callable[..., Mailroom]) -> None:
    """Mallory sends the letter about the mailbox before last again: the last one counts."""
    room = mailroom().begin()
    for address in (NEW, "carl@example.com"):
        room.address_of_host = address
        room.move()
        room.turn()
    first, last = [mail for mail in room.got("alice") if b"a new mail address" in mail]
    room.read("alice", last)
    room.read("alice", first)
    assert to_host(room, "alice") == "carl@example.com"


def test_a_forged_move(mailroom: Callable[..., Mailroom]) -> None:
    """A letter that another signed in the host's name draws no orders elsewhere."""
    room = mailroom().begin()
    room.address_of_host = NEW
    room.move()
    room.turn()
    mail = room.got("alice")[-1]
    bundle = block.choose(read_mail(mail).blocks, ("letter",))
    files = dict(bundle.files)
    (path,) = (path for path in files if path.endswith(".toml"))
    data = files[path].replace(b"entry = 0", b"entry = 1")
    assert data != files[path]
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
        wrap(room.copy("alice"), bundle, "a join")
    assert wrap(room.copy("alice"), bundle, "a join", NEW).to == NEW
    # What the player said once is remembered.
    assert wrap(room.copy("alice"), bundle, "a join").to == NEW


@pytest.mark.parametrize("address", ["nobody", "a b@example.org", "-x@example.org"])
def test_what_is_no_address(mailroom: Callable[..., Mailroom], address: str) -> None:
    """It is quoted."""
    room = mailroom().begin()
    bundle = room.sealed("alice", "start C4")
    for more in ({"to": address}, {"me": address}):
        with pytest.raises(Refused, match=f"bad-option: '{address}' is no mail address"):
            wrap(room.copy("alice"), bundle, "orders", **more)


def test_a_mail_of_another_game(mailroom: Callable[..., Mailroom]) -> None:
    """It is not taken into the copy that is named; where no copy of its game lies, it says so."""
    room = mailroom().begin()
    other = mailroom(seed=b"\x0a" * 32, name="sunday").begin()
    mail = other.got("bob")[-1]
    with pytest.raises(Refused, match="mismatch: this mail is not of this game"):
        read(mail, room.root / "bob", room.copy("bob").root, room.seat("bob"))
    with pytest.raises(Refused, match=r"missing: .*holds no copy of this game"):
        read(mail, room.root / "bob")


def test_newest_mail_first(mailroom: Callable[..., Mailroom]) -> None:
    """Bob reads a message before the older entry's mail, as programs sort: nothing warns him."""
    room = mailroom(options={"press": "private"}).begin().play(EXAMPLE)
    told = room.taken["bob"]
    room.box.put(room.order("alice", "silent"))
    room.turn()
    room.box.put(room.letter("alice", message("bob", "Truce?")))
    room.turn()
    entry, passed = room.got("bob")[told:]
    room.read("bob", passed)
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
    assert all("is kept: entr" in one.lines[0] for one in shown[:-1])
    assert [line for line in shown[-1].lines if line.startswith("entry ")] == [
        f"entry {step} taken in" for step in range(1, 6)
    ]
    assert copy.last_step() == room.record.last_step()


def test_words_alone(mailroom: Callable[..., Mailroom], write: Any) -> None:
    """A mail of the host without a block is shown, and is no error."""
    room = mailroom().begin()
    room.box.put(write("alice@example.org", "status"))
    room.turn()
    assert "alice's setup, until" in "\n".join(room.read("alice", room.got("alice")[-1]).lines)
