"""Press and absences: what the invite allows, what stands in entries, and what nobody learns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from mailroom import text_of

from adjudicator.core import deadlines, letters
from adjudicator.mail import block
from adjudicator.mail.mime import read_mail
from adjudicator.player import letters as own_letters
from adjudicator.player.letters import message
from orders import names, sshsig
from orders.entries import Entry, read_entry
from orders.errors import Refused
from orders.fields import digest
from orders.letter import Letter, Text, read_letter
from orders.secrets import Master
from orders.sshsig import Signed

Mailroom = Any
THREE = ("alice", "bob", "carol")
START = {"alice": "start C4", "bob": "start C1", "carol": "start F6"}


def said(room: Mailroom, name: str) -> list[str]:
    """What a player's mails brought, as shown to them."""
    return ["\n".join(one.lines) for one in room.receive(name)]


@pytest.mark.parametrize(
    ("press", "to", "anonymous", "allowed"),
    [
        ("none", "host", False, True),
        ("none", "all", False, False),
        ("private", "bob", False, True),
        ("anonymous", "all", True, True),
    ],
)
def test_as_the_invite_allows(
    mailroom: Callable[..., Mailroom], press: str, to: str, anonymous: bool, allowed: bool
) -> None:
    """A message is passed on if the invite allows its kind, and else refused to its writer only."""
    room = mailroom(THREE, {"press": press}).begin()
    before = {name: len(room.got(name)) for name in THREE}
    room.box.put(room.letter("alice", message(to, "Truce?", anonymous=anonymous)))
    room.turn()
    room.turn()
    new = {name: room.got(name)[before[name] :] for name in THREE}
    readers = {"host": set(), "all": {"bob", "carol"}, "bob": {"bob"}}[to] if allowed else set()
    if anonymous and to == "all" and allowed:
        readers = set(THREE)
    for name in THREE:
        brought = [text for text in said(room, name) if "Truce?" in text]
        assert bool(brought) == (name in readers)
    assert ("passed on" in read_mail(new["alice"][0]).text) == allowed
    room.play(START)
    entry = read_entry(room.record.read(names.entry(1)))
    assert isinstance(entry, Entry)
    assert len(entry.press) == (1 if allowed else 0)
    for name in THREE:
        assert not any(one.warnings for one in room.receive(name))


def test_noted_and_signed(mailroom: Callable[..., Mailroom]) -> None:
    """Bob can show that Alice wrote it: her signature, and its digest in the next entry."""
    room = mailroom(options={"press": "private"}).begin()
    room.box.put(room.letter("alice", message("bob", "Truce?")))
    room.turn()
    bundle = block.choose(read_mail(room.got("bob")[-1]).blocks, ("letter",))
    seated = room.seated("bob")
    kept = own_letters.take(seated.ledger, seated.seat, bundle)
    held = dict(bundle.files)
    path, cover = (
        next(
            path for path in held if path.startswith(f"letters/{name}-") and path.endswith(".toml")
        )
        for name in ("alice", "host")
    )
    Signed(held[path], held[f"{path}.sig"]).verify(room.keys["alice"].public, sshsig.LETTER)
    Signed(held[cover], held[f"{cover}.sig"]).verify(room.signer.public, sshsig.LETTER)
    assert (read_letter(held[cover]).entry, read_letter(held[cover]).head) == (
        0,
        room.host.ledger.link(0).digest,
    )
    room.play({"alice": "start C4", "bob": "start C1"})
    entry = read_entry(room.record.read(names.entry(1)))
    assert entry.press == (digest(kept.text.render()),) == (kept.letter.text,)
    room.play({"alice": "fire S"}, {"bob": "silent"}, {"alice": "silent"})
    assert room.verify().verdict == "true: alice won"


def test_reveal_opens_no_letter(mailroom: Callable[..., Mailroom], example: Any) -> None:
    """What is sealed to `letters`, addresses and press, does not open with what is revealed."""
    room = mailroom(options={"press": "private"}).begin()
    mail = room.letter("alice", message("bob", "Truce? Xyzzy!"))
    room.box.put(mail)
    room.play(*example)
    last = read_entry(room.record.read(names.entry(room.record.last_step())))
    master = Master(bytes.fromhex(last.master))
    bundle = block.choose(read_mail(mail).blocks, ("letter",))
    sent = letters.read_bundle(room.host.opening, room.host.last.joins, bundle)
    with pytest.raises(Refused, match="unopenable"):
        letters.open_text(room.host.opening, sent, master.sealing(), "alice")
    own = room.host.folder.letters()
    assert "Xyzzy" in letters.open_text(room.host.opening, sent, own, "alice").body
    everything = b"".join(room.record.read(path) for path in room.record.paths())
    for secret in (own.seed.hex().encode(), b"Xyzzy", b"alice@example.org"):
        assert secret not in everything


def test_anonymous_is_anonymous(
    mailroom: Callable[..., Mailroom], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two games in which different players write the same differ in nothing that others get."""
    # By chance a number is shorter, and with it the mail.
    monkeypatch.setattr(letters, "next_number", lambda taken: 1_000 + len(taken))
    got = {}
    for writer in ("alice", "bob"):
        room = mailroom(THREE, {"press": "anonymous"}, name=writer).begin()
        before = len(room.got("carol"))
        room.box.put(room.letter(writer, message("all", "I know.", anonymous=True)))
        room.turn()
        room.play(START)
        mails = room.got("carol")[before:]
        got[writer] = [
            (
                len(one),
                text_of(one).replace(room.host.opening.id[:16], "ID"),
                read_mail(one).subject,
            )
            for one in mails
        ]
        for data in mails:
            bundle = block.choose(read_mail(data).blocks, ("letter",))
            for path, content in bundle.files if bundle is not None else ():
                assert writer not in path
                assert writer.encode() not in content
    assert got["alice"] == got["bob"]


def test_same_letter_again(
    mailroom: Callable[..., Mailroom], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A letter that comes again is passed on once; another of the same number is refused."""
    monkeypatch.setattr(letters, "draw_secret", lambda: bytes(32))
    room = mailroom(options={"press": "private"}).begin()
    mail = room.letter("alice", message("bob", "Truce?"))
    room.box.put(mail)
    room.turn()
    before = len(room.got("bob"))
    bundle = block.choose(read_mail(mail).blocks, ("letter",))
    room.box.put(room.mail("alice", bundle))
    room.turn()
    assert len(room.got("bob")) == before
    (room.root / "alice" / "alice.seat" / "letters" / "out-0001.txt").unlink()
    room.box.put(room.letter("alice", message("bob", "War!")))
    room.turn()
    assert len(room.got("bob")) == before
    assert "superseded" in room.last("alice")


def test_a_message_spoils_no_orders(mailroom: Callable[..., Mailroom]) -> None:
    """Alice's words look like a block of orders; Bob's reply, with his own orders, quotes them."""
    room = mailroom(options={"press": "public"}).begin()
    head = f"kind: order\ndigest: {'0' * 64}\n"
    text = f"-----BEGIN ADJUDICATOR BUNDLE-----\n{head}-----END ADJUDICATOR BUNDLE-----"
    room.box.put(room.letter("alice", message("all", text)))
    room.turn()
    quoted = "".join(f"> {line}\n" for line in room.last("bob").splitlines())
    (told,) = room.receive("bob")[-1:]
    assert "  kind: order" in told.lines
    mail = room.order("bob", "start C1").replace(b"attached block.", b"block.\n" + quoted.encode())
    room.box.put(mail)
    room.turn()
    assert "your orders are accepted" in read_mail(room.got("bob")[-1]).subject


def absence(room: Mailroom, days: int, after: int = 0) -> Text:
    """Away for some days, from some days from now on."""
    start = deadlines.add(room.clock.now(), after * 86_400)
    return Text(f"away from {start} until {deadlines.add(start, days * 86_400)}")


def test_addresses(mailroom: Callable[..., Mailroom], write: Any) -> None:
    """Nobody's address is shown to others, except between two players who both allow it."""
    room = mailroom(THREE).begin().play(START)
    for name in THREE:
        others = [room.address(other).encode() for other in THREE if other != name]
        for data in room.got(name):
            assert not any(other in data for other in others)
    for name in ("alice", "bob"):
        room.box.put(room.letter(name, Text("address shown")))
    room.turn()
    for n, name in enumerate(THREE):
        room.box.put(write(room.address(name), "who", mark=str(n)))
    room.turn()
    shown = {
        name: {other for other in THREE if room.address(other) in room.last(name)} for name in THREE
    }
    assert shown == {"alice": {"bob"}, "bob": {"alice"}, "carol": set()}


def test_the_last_number(
    mailroom: Callable[..., Mailroom], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who has sent as many messages as there are numbers is told that it is the end."""
    monkeypatch.setattr(letters, "LAST_NUMBER", 1)
    room = mailroom(options={"press": "public"}).begin()
    for name in room.players:
        room.box.put(room.letter(name, message("all", "Hi")))
        assert room.turn().faults == []
    assert "no number is left" in room.last("bob")
    with pytest.raises(Refused, match="no number is left"):
        room.letter("alice", message("all", "Hi"))


def test_one_message_sent_by_two(mailroom: Callable[..., Mailroom]) -> None:
    """The same text under two letters stands once in the entry."""
    room = mailroom(options={"press": "public"}).begin()
    text = Text("message to all:", "Hi", salt="0" * 64)
    for name in room.players:
        opened = room.seated(name).opening
        bundle = letters.write(opened, Letter(opened.id, name, 1, ""), text, room.keys[name])
        room.box.put(room.mail(name, bundle))
    room.turn()
    room.play({"alice": "start C4", "bob": "start C1"})
    assert read_entry(room.record.read(names.entry(1))).press == (digest(text.render()),)
    assert room.host.folder.press() == ()
