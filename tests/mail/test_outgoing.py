"""What players are sent: how it reads, and that it tells nobody anything hidden."""

from __future__ import annotations

import email
import email.policy
from collections.abc import Callable
from typing import Any

import pytest
from mailroom import OTHERWISE, text_of

import games
from adjudicator.mail.mime import read_mail
from adjudicator.mail.outgoing import Outgoing, _headers, message_id, render
from adjudicator.mail.senders import NotSent
from games.dice import Dice
from orders.secrets import derive

Mailroom = Any

QUIET = (
    {"alice": "start A1", "bob": "start F6"},
    {"alice": "silent"},
    {"bob": "silent"},
    {"alice": "silent"},
)


def mails(room: Mailroom, name: str) -> list[tuple[str, ...]]:
    """All that can be seen of a player's mails without their key, but for ids and digests."""
    found = []
    for data in room.got(name):
        message = email.message_from_bytes(data, policy=email.policy.default)
        game = room.host.opening.id
        text = text_of(data).replace(game, "ID")
        headers = [
            (key, value)
            for key, value in message.items()
            if key not in ("Message-ID", "In-Reply-To", "References", "Content-Type")
        ]
        found.append((str(len(data)), text.replace(game[:16], "ID"), str(headers)))
    return found


@pytest.mark.parametrize("open_for", [(), ("alice",)])
def test_nothing_hidden_shows(mailroom: Callable[..., Mailroom], open_for: tuple[str, ...]) -> None:
    """Two games that differ only in what Alice did unheard: Bob's mails differ in nothing.

    Not in number, order, size, dates, headers or words; also where Alice's mails show her board.
    """
    rooms = []
    for name, script in (("one", OTHERWISE), ("two", QUIET)):
        rooms.append(mailroom(name=name, open_for=open_for).begin().play(*script))
    assert mails(rooms[0], "bob") == mails(rooms[1], "bob")
    if not open_for:
        assert mails(rooms[0], "alice") == mails(rooms[1], "alice")


SECRET = b"s" * 32


def test_one_key_one_mail() -> None:
    """A mail made again is the same mail, byte for byte; another key makes another."""
    mail = Outgoing("k", SECRET, "a@example.org", "s", "t\n")
    assert render(mail, "h@example.net") == render(mail, "h@example.net")
    other = Outgoing("l", SECRET, "a@example.org", "s", "t\n")
    assert mail.message_id("h@example.net") != other.message_id("h@example.net")


def test_foretold_message_id(mailroom: Callable[..., Mailroom], example: Any) -> None:
    """Mallory knows all that is public, and the games of other hosts: no Message-ID follows.

    Two hosts with different secrets call the mails of one and the same game differently.
    """
    room = mailroom().begin()
    name = room.game.entry_key("bob", 1)
    seen = {read_mail(one).message_id for one in room.got("bob")}
    for secret in (b"", b"\0" * 32, bytes.fromhex(room.host.opening.id), b"adjudicator mail"):
        assert message_id(secret, name, room.address_of_host) != room.game.thread("bob", 1)
    room.play(*example[:1])
    told = {read_mail(one).message_id for one in room.got("bob")} - seen
    assert room.game.thread("bob", 1) in told
    assert room.game.secret.hex() not in "".join(map(repr, room.wire.out))


def test_dated_when_sent(mailroom: Callable[..., Mailroom]) -> None:
    """A mail that waited for a week carries the date at which it left, and the same name."""
    room = mailroom().begin()
    room.wire.fault = NotSent("451 try later", down=True)
    room.box.put(room.order("alice", "start C4"))
    room.turn()
    room.clock.skip(7 * 86_400)
    room.wire.fault = None
    room.turn()
    dates = [email.message_from_bytes(one)["Date"] for one in room.got("alice")]
    assert dates[-1] == "Sat, 28 Nov 2026 18:00:00 +0000"
    assert dates[0] == "Sat, 21 Nov 2026 18:00:00 +0000"


@pytest.mark.parametrize("field", ["to", "subject"])
def test_no_header_slips_in(field: str) -> None:
    """What goes into a header cannot begin another."""
    values = {"to": "a@example.org", "subject": "s", field: "x\r\nBcc: eve@example.com"}
    with pytest.raises(ValueError, match=r"linefeed"):
        render(Outgoing("k", SECRET, values["to"], values["subject"], "t"), "h@e.n")


def test_other_scripts() -> None:
    """Words that are no ASCII travel as quoted-printable UTF-8."""
    mail = Outgoing("k", SECRET, "a@example.org", "s", "Gr\u00fc\u00dfe\n")
    data = render(mail, "h@example.net")
    assert data.isascii()
    assert text_of(data).strip() == "Gr\u00fc\u00dfe"


@pytest.mark.parametrize("game", games.installed())
def test_every_game(mailroom: Callable[..., Mailroom], game: str) -> None:
    """Each game is played by mail for a while, one player with open mail; all reads well."""
    room = mailroom(open_for=("alice",), game=game).begin()
    bots = {name: games.load(game).bots["captain"](name) for name in room.players}
    heard = dict.fromkeys(bots, -1)
    for _ in range(5):
        for name in room.host.last.clocks.awaited:
            report = room.seated(name).report()
            if report.step > heard[name]:
                heard[name] = report.step
                bots[name].hear(report.view, report.events)
            written = bots[name].order(Dice(derive(b"b" * 32, f"{name}/{report.step}")))
            room.box.put(room.order(name, written))
        assert room.turn().faults == []
        for name in room.players:
            assert not any(read.warnings for read in room.receive(name))
    assert room.verify().code in (0, 4)
    assert room.record.last_step() >= 4
    for data in room.got("alice"):
        text = read_mail(data).text
        if "] entry" in read_mail(data).subject and "game is over" not in text:
            assert "The board as you see it" in text
        for line in text.splitlines():
            assert len(line) <= 78


def test_long_message_ids() -> None:
    """Message-IDs as long as Outlook's stand in the headers as they are, however many they are."""
    ids = tuple(f"<AM0PR04MB{n:03d}{'A1B2C3D4' * 6}@AM0PR04.prod.outlook.com>" for n in range(30))
    mail = Outgoing("k", SECRET, "a@example.org", "s", "t", answers=ids[-1], thread=ids[:-1])
    data = render(mail, "h@example.net")
    assert f"In-Reply-To: {ids[-1]}\r\n".encode() in data
    assert b"=?" not in data
    references = read_mail(data).references
    assert references[0] == ids[0]
    assert references[-1] == ids[-1]
    assert all(len(line) <= 998 for line in data.split(b"\r\n"))


@pytest.mark.parametrize(
    ("held", "kept"), [("a", "a"), ("ab", "b"), ("abc", "c"), ("abcd", "d"), ("AbcD", "AcD")]
)
def test_a_long_thread_keeps_its_first_mail_and_its_last(held: str, kept: str) -> None:
    """As far as both fit: small letters stand for long names, capitals for short ones."""
    ids = {one: f"<{one * (100 if one.isupper() else 500)}>" for one in held}
    mail = Outgoing("k", b"s" * 32, "a@example.org", "x", "x", thread=tuple(ids.values()))
    headers = _headers(mail, "host@example.net")
    assert headers["References"].split() == [ids[one] for one in kept]
    assert headers["In-Reply-To"] == ids[kept[-1]]
