"""Press and absences: what the invite allows, what stands in entries, and what nobody learns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from adjudicator.core import deadlines, letters
from adjudicator.host.letters import MOST_NOTICES, MOST_WAITING
from adjudicator.mail import block
from adjudicator.mail import player as mail_player
from adjudicator.mail.mime import read_mail
from adjudicator.player import letters as own_letters
from adjudicator.player.letters import message
from orders import names, sshsig
from orders.entries import Entry, read_entry
from orders.errors import Refused
from orders.fields import digest
from orders.letter import Letter, Text, read_letter
from orders.secrets import Master
from orders.signed import Signed

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
        ("public", "all", False, True),
        ("public", "bob", False, False),
        ("private", "bob", False, True),
        ("private", "bob", True, False),
        ("private", "all", True, False),
        ("anonymous", "bob", True, True),
        ("anonymous", "all", True, True),
    ],
)
def test_as_the_invite_allows(
    mailroom: Callable[..., Mailroom], press: str, to: str, anonymous: bool, allowed: bool
) -> None:
    """A message is passed on if the invite allows its kind, and else refused to its writer only:
    each kind with the least that allows it, and with what allows it just not."""
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


def test_host_that_keeps_a_message_out(mailroom: Callable[..., Mailroom]) -> None:
    """Whoever got a message whose digest stands in no later entry is told so."""
    room = mailroom(options={"press": "private"}).begin()
    room.box.put(room.letter("alice", message("bob", "Truce?")))
    room.turn()
    room.receive("bob")
    for path in (room.root / "friday.host" / "press").glob("*.txt"):
        path.unlink()
    room.box.put(room.order("alice", "start C4"))
    room.box.put(room.order("bob", "start C1"))
    room.turn()
    told = [warning for one in room.receive("bob") for warning in one.warnings]
    assert any("did not note it" in one for one in told)


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


def test_anonymous_is_anonymous(mailroom: Callable[..., Mailroom]) -> None:
    """Two games in which different players write the same differ in nothing that others get."""
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
                read_mail(one).text.replace(room.host.opening.id[:16], "ID"),
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


def test_forged_letters(mailroom: Callable[..., Mailroom]) -> None:
    """A letter signed by somebody else, or said to be the host's, is not taken."""
    room = mailroom(options={"press": "private"}).begin()
    opened = room.seated("bob").opening
    before = len(room.got("alice"))
    for writer in ("alice", "host"):
        letter = Letter(opened.id, writer, 5, "", None, 0, "0" * 64)
        letter = letter if writer == "host" else letter._replace(entry=None, head=None)
        text = Text("message to bob:", "Hi", salt="0" * 64)
        bundle = letters.write(opened, letter, text, room.keys["bob"])
        room.box.put(room.mail("bob", bundle))
    room.turn()
    assert len(room.got("alice")) == before
    assert room.host.folder.press() == ()


def test_host_says(mailroom: Callable[..., Mailroom]) -> None:
    """The host's own message is signed and noted like any other."""
    room = mailroom().begin()
    room.say("all", "Back on Monday.")
    room.turn()
    for name in room.players:
        assert any("Back on Monday." in text for text in said(room, name))
    room.play({"alice": "start C4", "bob": "start C1"})
    assert len(read_entry(room.record.read(names.entry(1))).press) == 1


def absence(room: Mailroom, days: int, after: int = 0) -> Text:
    """Away for some days, from some days from now on."""
    start = deadlines.add(room.clock.now(), after * 86_400)
    return Text(f"away from {start} until {deadlines.add(start, days * 86_400)}")


def test_absence_moves_a_deadline(mailroom: Callable[..., Mailroom], example: Any) -> None:
    """The clock stands still in an absence: a ruling moves the deadline, once."""
    room = mailroom(options={"absence": "7d"}).begin().play(*example[:2])
    assert list(read_entry(room.record.read(names.entry(2))).awaited) == ["bob"]
    room.clock.skip(86_400)
    room.box.put(room.letter("bob", absence(room, 5)))
    room.turn()
    ruling = read_entry(room.record.read(names.entry(3)))
    assert "bob is away until" in ruling.ruling.reason
    # Two of three days were left when he went.
    assert ruling.awaited["bob"].until == "2026-11-29T18:00:00Z"
    assert "has taken your letter" in read_mail(room.got("bob")[-2]).text
    room.turn()
    assert room.record.last_step() == 3
    for name in room.players:
        room.receive(name)
    room.play({"bob": "silent"}, {"alice": "silent"})
    assert room.verify().verdict == "true: alice won"


def test_absence_later(mailroom: Callable[..., Mailroom], example: Any) -> None:
    """A notice given while another is awaited counts when its writer is."""
    room = mailroom(options={"absence": "7d"}).begin().play(*example[:1])
    room.box.put(room.letter("bob", absence(room, 5)))
    room.turn()
    assert room.record.last_step() == 1
    room.play({"alice": "fire S"})
    assert room.record.last_step() == 3
    ruling = read_entry(room.record.read(names.entry(3)))
    assert ruling.awaited["bob"].until == "2026-11-29T18:00:00Z"


@pytest.mark.parametrize(("allowed", "days"), [("0d", 1), ("3d", 4)])
def test_absence_beyond_the_invite(
    mailroom: Callable[..., Mailroom], example: Any, allowed: str, days: int
) -> None:
    """More absence than the invite allows is refused; nothing moves."""
    room = mailroom(options={"absence": allowed}).begin().play(*example[:1])
    room.box.put(room.letter("alice", absence(room, days)))
    room.turn()
    assert "illegal" in room.last("alice")
    assert room.record.last_step() == 1


def test_absences_add_up(mailroom: Callable[..., Mailroom], example: Any) -> None:
    """What the invite allows is for the whole game, each player's own."""
    room = mailroom(options={"absence": "3d"}).begin().play(*example[:1])
    for after in (10, 20):
        room.box.put(room.letter("bob", absence(room, 2, after)))
        room.turn()
    assert "illegal" in room.last("bob")
    room.box.put(room.letter("alice", absence(room, 2, 10)))
    room.turn()
    assert "has taken your letter" in room.last("alice")


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


def test_letter_is_kept_before_it_is_sent(mailroom: Callable[..., Mailroom]) -> None:
    """What a player writes lies in the seat's folder first. Nobody writes to themselves."""
    room = mailroom(options={"press": "private"}).begin()
    ledger, seat = room.seated("alice").ledger, room.seat("alice")
    for _ in range(2):
        own_letters.write(ledger, seat, room.keys["alice"], message("bob", "Hi"))
    assert len(seat.letters()) == 2
    with pytest.raises(Refused, match="illegal"):
        room.letter("alice", message("alice", "Hi"))


def test_bounded(mailroom: Callable[..., Mailroom]) -> None:
    """Nobody fills entries with messages, or a record with rulings."""
    room = mailroom(options={"press": "public", "absence": "7d"}).begin()
    for _ in range(MOST_WAITING + 1):
        room.box.put(room.letter("alice", message("all", "Hi")))
    room.turn()
    assert "illegal" in room.last("alice")
    assert len(room.host.folder.press()) == MOST_WAITING
    room.play({"alice": "start C4", "bob": "start C1"})
    room.clock.skip(3_700)
    for _ in range(MOST_NOTICES + 1):
        room.box.put(room.letter("bob", Text("address shown")))
    room.turn()
    assert "illegal" in room.last("bob")


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


def test_what_a_seat_kept(mailroom: Callable[..., Mailroom]) -> None:
    """A seat lists what it got and sent, and which entry names it."""
    room = mailroom(options={"press": "private"}).begin()
    room.box.put(room.letter("alice", message("bob", "Truce?")))
    room.turn()
    room.receive("bob")
    kept = mail_player.kept_letters(room.copy("bob"), room.seat("bob"))
    assert kept == ["alice, message to bob: in no entry yet", "  Truce?"]
    room.play({"alice": "start C4", "bob": "start C1"})
    kept = mail_player.kept_letters(room.copy("bob"), room.seat("bob"))
    assert kept == ["alice, message to bob: in entry 1", "  Truce?"]
    kept = mail_player.kept_letters(room.copy("alice"), room.seat("alice"))
    assert kept == ["you, message to bob: in entry 1", "  Truce?"]
    room.letter("alice", Text("address alice@example.net"))
    kept = mail_player.kept_letters(room.copy("alice"), room.seat("alice"))
    assert kept[2:] == ["you, address alice@example.net"]
