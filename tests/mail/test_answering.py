"""Unsigned words: who gets an answer to them, and what it holds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from click.testing import CliRunner

from adjudicator.cli import cli
from adjudicator.mail import block
from adjudicator.mail.mime import read_mail
from adjudicator.mail.outgoing import WIDTH
from orders.documents import read_receipt

Mailroom = Any


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
        ("status", "awaited: bob"),
        ("STATUS!\n\n> help", "awaited: bob"),
        ("help", "The host understands"),
        ("who", "bob: key SHA256:"),
        ("rules", "SD-1"),
        ("history", "genesis: alice, bob"),
        ("orders?", "No orders of yours for step 1 are in"),
        ("what now?", "was not understood"),
        ("message to bob: hello", "signed"),
        ('game = "0"\norders = """\nfire S\n"""', "sealed and signed"),
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


def test_words_from_one_place(
    mailroom: Callable[..., Mailroom], write: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What mails tell of a game is what the commands print."""
    room = mailroom().begin().play({"alice": "start C4", "bob": "start C1"})
    monkeypatch.chdir(room.root)
    monkeypatch.setenv("COLUMNS", str(WIDTH))

    def printed(*words: str) -> str:
        return CliRunner().invoke(cli, words, prog_name="adjudicator").stdout

    for word, command in (("history", ("log", "friday")), ("rules", ("rules", "sugar-dog"))):
        room.box.put(write("bob@example.org", word, mark=word))
        room.turn()
        assert printed(*command) in room.last("bob").replace("\r\n", "\n")
    room.box.put(write("bob@example.org", "status", mark="status"))
    room.turn()
    told = room.last("bob").splitlines()[1:]
    assert [line.partition(" (")[0] for line in told] == [
        line.partition(" (")[0]
        for line in printed("status", "friday").splitlines()
        if not line.startswith(("in:", "missing:"))
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
