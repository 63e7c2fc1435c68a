"""How mails read, and what a host answers to a mail that nobody signed."""

from __future__ import annotations

import email
import email.policy
import re
from collections.abc import Callable
from typing import Any

import pytest
from click.testing import CliRunner
from mailroom import OTHERWISE

from adjudicator.cli import cli
from adjudicator.cli.shared import reader
from adjudicator.mail import block
from adjudicator.mail.mime import read_mail
from adjudicator.mail.outgoing import WIDTH
from orders.documents import read_receipt
from orders.order_file import cut

Mailroom = Any


def test_sealed_is_sealed(mailroom: Callable[..., Mailroom]) -> None:
    """By default no cell of a player's own submarine stands readable in any mail."""
    room = mailroom().begin().play(*OTHERWISE)
    for name in room.players:
        for data in room.got(name):
            assert "C4" not in read_mail(data).text
            assert "F6" not in read_mail(data).text


def test_open_is_open(mailroom: Callable[..., Mailroom]) -> None:
    """Who asked for it in the signed join reads their board and their own news, nobody else's."""
    room = mailroom(open_for=("alice",)).begin().play(*OTHERWISE)
    told = [read_mail(one).text for one in room.got("alice") if b"] entry 1" in one]
    assert "The board as you see it" in told[0]
    assert "Your submarine starts in C4" in told[0]
    assert "Your first line can be one of these" in told[0]
    assert not any("F6" in one for one in told)
    assert all("The board" not in read_mail(one).text for one in room.got("bob"))


@pytest.mark.parametrize(
    ("turn", "words"),
    [("1d", "1 day"), ("36h", "36 hours"), ("90m", "90 minutes"), ("90s", "90 seconds")],
)
def test_how_long_a_step_lasts(mailroom: Callable[..., Mailroom], turn: str, words: str) -> None:
    """In the largest unit that it is a whole number of."""
    room = mailroom(options={"turn_time": turn})
    mail = room.game.invitation(room.address("alice"), "1")
    assert f"Each step leaves {words} for orders." in mail.text


def test_plain_text(mailroom: Callable[..., Mailroom], example: Any) -> None:
    """Every mail is ASCII in lines of at most 78 columns, fit for any client."""
    room = mailroom(open_for=("alice",)).begin().play(*example)
    for _, _, data in room.wire.out:
        assert data.isascii()
        for line in read_mail(data).text.splitlines():
            assert len(line) <= 78
        message = email.message_from_bytes(data)
        assert message["Auto-Submitted"].startswith("auto-")
        assert message["Cc"] is None
        assert message["Bcc"] is None
        assert len(message.get_all("To")) == 1


def test_what_is_awaited(mailroom: Callable[..., Mailroom], example: Any) -> None:
    """A mail says what happened, who is awaited until when, and has an order form for who is."""
    room = mailroom().begin().play(*example[:2])
    assert "bob: turn, until Tue 24 Nov 2026, 18:00 UTC" in room.last("bob")
    form = room.last("bob")
    assert "adjudicator take < THIS-MAIL\r\n  adjudicator play" in form
    assert "adjudicator play" not in room.last("alice")


def test_the_link_comes_first(mailroom: Callable[..., Mailroom]) -> None:
    """Of the ways into a game the one tap stands before the page that must be fed, its digest, and
    the program; and so it does in each entry. A host without a page names none."""
    room = mailroom().begin()
    assert "https://" not in room.game.invitation(room.address("alice"), "1").text
    room.game.folder.set_page(f"https://example.org/page.html#sha256={'0' * 64}")
    text = room.game.invitation(room.address("alice"), "1").text
    links = re.findall(r"https://\S+", text)
    assert links[0].startswith("https://example.org/page.html#g=")
    assert "&take=" in links[0]
    assert links[1:] == ["https://example.org/page.html"]
    assert text.index(links[0]) < text.index("the adjudicator program")
    room.play(*OTHERWISE)
    first, *others = re.findall(r"https://\S+", room.last("alice"))
    assert "&take=" in first
    assert others == ["https://example.org/page.html"]


def test_strangers(mailroom: Callable[..., Mailroom], write: Any, words: Any) -> None:
    """An unknown sender gets the same fixed words whatever was sent, once an hour at the most."""
    room = mailroom().begin()
    before = len(room.wire.out)
    for n, body in enumerate(["status", "hello", "resend 1", "x" * 5000]):
        room.box.put(write("eve@example.com", body, mark=str(n)))
    room.turn()
    assert len(room.wire.out) == before + 1
    envelope, to, data = room.wire.out[-1]
    assert (envelope, to) == ("", "eve@example.com")
    room.clock.skip(3_601)
    room.box.put(write("eve@example.com", "again", mark="again"))
    room.turn()
    assert len(room.wire.out) == before + 2
    assert words(room.wire.out[-1][2]) == words(data)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("status", "bob's setup, until"),
        ("STATUS!\n\n> help", "bob's setup, until"),
        ("help", "Write one of these lines"),
        ("who", "bob: key SHA256:"),
        ("rules", "SD-1"),
        ("history", "the game begins: alice, bob"),
        ("orders?", "No orders of yours for step 1 are in"),
        ("what now?", "was not understood"),
        ("message to bob: hello", "signed"),
        (f"{cut('ab' * 32, 3, 'alice')}\nfire S", "sealed and signed"),
    ],
)
def test_commands(mailroom: Callable[..., Mailroom], write: Any, body: str, expected: str) -> None:
    """Words are understood in the body or in the subject, and answered to the signed address."""
    room = mailroom().begin()
    before = len(room.wire.out)
    room.box.put(write("Alice <ALICE@example.org>", body))
    room.turn()
    room.clock.skip(3_601)
    again = body if "\n" in body else ""
    subject = f"Re: [friday] {body.splitlines()[0]}"
    room.box.put(write("alice@example.org", again, subject=subject, mark="2"))
    room.turn()
    assert [to for _, to, _ in room.wire.out[before:]] == ["alice@example.org"] * 2
    assert expected in room.last("alice")
    assert all(expected in one for one in map(read_text, room.got("alice")[-2:]))


def read_text(data: bytes) -> str:
    """The text as the host's own reader sees it."""
    return read_mail(data).text


def local(time: re.Match[str]) -> str:
    """How a command prints the time of a mail."""
    return reader().when(time[0])


def test_words_from_one_place(
    mailroom: Callable[..., Mailroom], write: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What mails tell of a game is what the commands print, but for the zone of times."""
    room = mailroom().begin().play({"alice": "start C4", "bob": "start C1"})
    monkeypatch.chdir(room.root)
    monkeypatch.setenv("COLUMNS", str(WIDTH))

    def printed(*words: str) -> str:
        return CliRunner().invoke(cli, words, prog_name="adjudicator").stdout

    for word, command in (
        ("history", ("log", "-g", "friday")),
        ("rules", ("rules", "sugar-dog", "--exact")),
    ):
        room.box.put(write("bob@example.org", word, mark=word))
        room.turn()
        told = re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", local, room.last("bob"))
        assert printed(*command) in told.replace("\r\n", "\n")
    room.box.put(write("bob@example.org", "status", mark="status"))
    room.turn()
    told = room.last("bob").splitlines()[1:]
    assert [re.split(r", until | \(", line)[0] for line in told] == [
        re.split(r", until | \(", line)[0]
        for line in printed("status", "-v", "-g", "friday").splitlines()
        if not line.startswith(("in:", "missing:", "next:"))
    ]


def test_what_do_you_hold_of_mine(
    mailroom: Callable[..., Mailroom], write: Any, words: Any
) -> None:
    """`orders?` brings the signed receipt of one's orders that are in, and nobody else's."""
    room = mailroom().begin()
    room.box.put(room.order("alice", "start C4"))
    room.box.put(room.order("alice", "start C5"))
    room.turn()
    for name in room.players:
        room.box.put(write(f"{name}@example.org", "orders?", mark=name))
    before = len(room.got("bob"))
    room.turn()
    found = read_mail(room.got("alice")[-1])
    receipt = read_receipt(block.choose(found.blocks, ("receipt",)).files[0][1])
    assert (receipt.step, receipt.revision, receipt.status) == (1, 2, "accepted")
    assert "No orders of yours" in words(room.got("bob")[before])


def test_resend(mailroom: Callable[..., Mailroom], write: Any) -> None:
    """`resend` brings the last entry again, `resend 0` another, each as a mail of its own."""
    room = mailroom().begin().play({"alice": "start C4", "bob": "start C1"})
    earlier = {read_mail(one).message_id for one in room.got("bob")}
    room.box.put(write("bob@example.org", "resend"))
    room.box.put(write("bob@example.org", "resend 0", mark="2"))
    room.turn()
    last, first = [read_mail(one) for one in room.got("bob")[-2:]]
    assert "entries/0001.toml" in dict(block.choose(last.blocks, ("entry",)).files)
    assert "entries/0000.toml" in dict(block.choose(first.blocks, ("entry",)).files)
    assert not {last.message_id, first.message_id} & earlier
