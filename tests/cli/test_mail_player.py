"""`mail` for players: mails in, mails out, and the letters that go to the host."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from desks import REFEREE, Desks

from adjudicator.mail import block, pasted
from adjudicator.mail.mime import read_mail
from orders.bundle import decode, encode

NEVER = "2099-12-01T00:00:00Z"


@pytest.fixture
def desk(tmp_path: Path, at_commands: Callable[[Path], Any]) -> Desks:
    """A host's empty folder."""
    return Desks(at_commands(tmp_path))


@pytest.fixture
def offered(desk: Desks) -> Desks:
    """A game whose invitations to Alice and Bob are sent."""
    desk.offer().serve()
    return desk


def test_an_invitation_is_taken_in(offered: Desks) -> None:
    """Into a copy named as the game, or as one likes; it says where mails to the host go."""
    own = offered.at("alice")
    (invitation,) = offered.sent("alice@example.org")
    told = own.run("mail", "read", "--record", "copy", given=invitation).stdout
    assert f"mails to the host go to {REFEREE}" in told
    assert (own.root / "copy/invite.toml").is_file()
    other = offered.at("elsewhere")
    (other.root / "m.eml").write_bytes(invitation)
    other.run("mail", "read", "m.eml")
    assert (other.root / "friday/invite.toml").is_file()


@pytest.mark.parametrize("given", ["the mail", "the mail's text", "the attachment", "the block"])
def test_one_paste_joins(offered: Desks, given: str) -> None:
    """Whatever of an invitation is at hand, it is enough: the token is in its block."""
    own = offered.at("alice")
    (invitation,) = offered.sent("alice@example.org")
    (bundle,) = pasted.read(invitation).bundles
    held = {
        "the mail": invitation,
        "the mail's text": b"Dear Alice,\n> " + encode(bundle).replace(b"\n", b"\r\n> "),
        "the attachment": encode(bundle),
        "the block": b"\n\n" + encode(bundle) + b"\n-- \nreferee\n",
    }[given]
    (own.root / "given").write_bytes(held)
    own.run("keygen", "alice.key")
    told = own.run("join", "given", "--name", "alice", "--key", "alice.key",
                   "--address", "alice@example.org").stdout  # fmt: skip
    assert "friday-alice-join.txt: your join, for the host" in told
    assert "friday: your copy of the game" in told
    own.run("mail", "wrap", "friday", "friday-alice-join.txt")
    offered.serve((own.root / "friday-alice-join.eml").read_bytes())
    assert "joined: alice" in offered.run("status", "friday").stdout


def test_the_public_invite_holds_no_token(offered: Desks) -> None:
    """Neither the host's file, nor what a player makes of a copy."""
    own, _ = offered.joined("alice")
    for desk in (offered, own):
        desk.run("bundle", "friday", "invite", "-o", "out.txt")
        held = dict(decode((desk.root / "out.txt").read_bytes()).files)
        assert list(held) == ["invite.toml", "invite.toml.sig"]


def test_hand_over(offered: Desks) -> None:
    """`--send` gives the mail to a program, and says to whom; one that fails is told."""
    own, _ = offered.joined("alice")
    told = own.run(
        "mail", "wrap", "friday", "friday-alice-join.txt", "--send", "tee sent.eml"
    ).stdout
    assert f"sent to {REFEREE} by tee" in told
    mail = read_mail((own.root / "sent.eml").read_bytes())
    assert (mail.sender, mail.automatic) == ("alice@example.org", False)
    assert f"\nTo: {REFEREE}\n".encode() in (own.root / "sent.eml").read_bytes()
    assert block.choose(mail.blocks, ("join",)) is not None
    failed = own.run("mail", "wrap", "friday", "friday-alice-join.txt", "--send", "false", code=1)
    assert "--send 'false': exit code 1" in failed.stderr
    none = own.run(
        "mail", "wrap", "friday", "friday-alice-join.txt", "--send", "no-such-program", code=1
    )
    assert "--send 'no-such-program': " in none.stderr


@pytest.mark.parametrize(
    "change",
    [
        (b"From: referee@example.net", b"From: eve@example.com"),
        (b"From: referee@example.net", b"From: referee via list <games@lists.example.org>"),
        (b"To: alice@example.org", b"Reply-To: eve@example.com\nTo: games@lists.example.org"),
    ],
    ids=["forwarded", "list", "reply-to"],
)
def test_where_mails_go_is_signed(offered: Desks, change: tuple[bytes, bytes]) -> None:
    """Eve sends a copy of the invitation, or a list rewrites it: mails go where the host signed."""
    own, _ = offered.joined("alice")
    (invitation,) = offered.sent("alice@example.org")
    changed = invitation.replace(*change)
    assert change[1] in changed
    own.run("mail", "read", given=changed)
    told = own.run("mail", "wrap", "friday", "friday-alice-join.txt", "-o", "join.eml").stdout
    assert f"the mail to {REFEREE}, ready" in told
    head = (own.root / "join.eml").read_bytes().partition(b"\r\n\r\n")[0]
    assert f"To: {REFEREE}".encode() in head
    assert b"From: alice@example.org" in head


def test_a_mail_replaces_a_mail_and_nothing_else(offered: Desks) -> None:
    """`-o` never costs anybody a file, and `-` writes the mail alone to standard output."""
    own, mail = offered.joined("alice")
    wrap = ("mail", "wrap", "friday", "friday-alice-join.txt", "-o")
    own.run(*wrap, "friday-alice-join.eml")
    refused = own.run(*wrap, "alice.key", code=1).stderr
    assert "exists: 'alice.key' is there already" in refused
    shown = own.run(*wrap, "-")
    assert shown.stdout_bytes.startswith(b"Date: ")
    assert read_mail(shown.stdout_bytes).blocks == read_mail(mail).blocks


def test_letters_reach_the_host(desk: Desks) -> None:
    """Message, absence, address and whether it is shown: each a signed letter in a mail."""
    own = desk.begin()["alice"]
    seat = ("--seat", "alice.seat")
    away = ("--from", "2099-12-01T00:00:00Z", "--until", "2099-12-02T00:00:00Z")
    names = []
    for words in (
        ("message", "friday", "Truce?\nYes.", "--to", "bob", *seat),
        ("absence", "friday", *away, *seat),
        ("address", "friday", "alice@example.net", *seat),
        ("shown", "friday", "yes", *seat),
        ("shown", "friday", "no", *seat),
    ):
        said = own.run("mail", *words).stdout.splitlines()[-1]
        name, _, rest = said.partition(": ")
        assert rest == f"the mail to {REFEREE}, ready to send"
        names.append(name)
        sender = "alice@example.net" if len(names) > 2 else "alice@example.org"
        assert read_mail((own.root / name).read_bytes()).sender == sender
    kept = own.run("mail", "letters", "friday", *seat).stdout.splitlines()
    assert (kept[-1], len(kept)) == ("you, message: in no entry yet", 5)
    desk.serve(*((own.root / name).read_bytes() for name in names))
    assert desk.run("mail", "letters", "friday").stdout.splitlines() == [
        "alice: message to bob:",
        "  Truce?",
        "  Yes.",
        "alice 1: away from 2099-12-01T00:00:00Z until 2099-12-02T00:00:00Z",
        "alice 2: a new mail address",
        "alice 3: their mail address is shown",
        "alice 4: their mail address is hidden",
    ]


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("message", "friday", "x", "--to", "zoe"), 1, "'zoe'"),
        (("message", "friday", "", "--to", "bob"), 1, "malformed: "),
        (("absence", "friday", "--from", "3d", "--until", "1d"), 2, "'1d': expected a time after"),
        (("absence", "friday", "--from", NEVER, "--until", NEVER), 2, "expected a time after"),
        (("absence", "friday", "--from", "soon", "--until", "1d"), 2, "'soon': expected a span"),
        (("address", "friday", "nowhere"), 1, "'nowhere'"),
        (("shown", "friday", "maybe"), 2, "'maybe' is not one of 'yes', 'no'"),
        (("message", "nowhere", "x", "--to", "bob"), 1, "'nowhere' holds no record"),
    ],
)
def test_what_is_no_letter_is_quoted(
    desk: Desks, words: tuple[str, ...], code: int, said: str
) -> None:
    """In one line; no mail is written, and the next letter has the number that this one had."""
    own = desk.begin()["alice"]
    told = own.run("mail", *words, "--seat", "alice.seat", code=code).stderr
    assert said in told.splitlines()[0]
    assert list(own.root.glob("*letter*")) == []
    own.run("mail", "shown", "friday", "yes", "--seat", "alice.seat")
    assert (own.root / "friday-alice-letter-0001.eml").is_file()


def test_what_is_no_mail_of_the_game(desk: Desks) -> None:
    """A mail without a block, and a file that is not there, in one line."""
    assert "no block" in desk.run("mail", "read", given=b"hello", code=1).stderr
    assert "'none.eml'" in desk.run("mail", "read", "none.eml", code=1).stderr


def test_sync_without_a_seat(offered: Desks) -> None:
    """It says so, and what to name; so does an unknown kind of mailbox."""
    own = offered.at("alice")
    (invitation,) = offered.sent("alice@example.org")
    own.run("mail", "read", "--record", "copy", given=invitation)
    refused = own.run("mail", "sync", "copy", "--in", "maildir:x", code=1).stderr
    assert "name it: --seat" in refused
    joined, _ = offered.joined("bob")
    refused = joined.run("mail", "sync", "friday", "--in", "mbox:x", code=1).stderr
    assert "expected one of imaps, imap, maildir" in refused
