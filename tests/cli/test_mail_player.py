"""`mail` for players: mails in, mails out, and the letters that go to the host."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from desks import REFEREE, Desks, program

from adjudicator.cli import post
from adjudicator.mail import block, pasted
from adjudicator.mail.mime import read_mail
from adjudicator.store.record import Record
from orders.bundle import Bundle, decode, encode

NEVER = "2099-12-01T00:00:00Z"


@pytest.fixture
def desk(tmp_path: Path, at_commands: Callable[[Path], Any]) -> Desks:
    """A host's empty folder."""
    return Desks(at_commands(tmp_path))


@pytest.fixture(scope="session")
def _offered(tmp_path_factory: pytest.TempPathFactory, at_commands: Callable[[Path], Any]) -> Desks:
    made = Desks(at_commands(tmp_path_factory.mktemp("offered"))).offer()
    made.serve()
    return made


@pytest.fixture
def offered(_offered: Desks, tmp_path: Path) -> Desks:
    """A game whose invitations to Alice and Bob are sent."""
    return _offered.copy(tmp_path)


def test_an_invitation_is_taken_in(offered: Desks) -> None:
    """Into a copy named as the game, or as one likes; it says where mails to the host go."""
    own = offered.at("alice")
    (invitation,) = offered.sent("alice@example.org")
    told = own.run("take", "-g", "copy", given=invitation).stdout
    assert "copy: your copy. To take a seat: adjudicator join friday-invite.txt" in told
    assert (own.root / "copy/invite.toml").is_file()
    other = offered.at("elsewhere")
    (other.root / "m.eml").write_bytes(invitation)
    other.run("take", "m.eml")
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
    own.key("alice.key")
    told = own.run("join", "given", "--name", "alice", "--key", "alice.key").stdout
    assert f"friday-alice-join.eml: the mail to {REFEREE}, ready to send" in told
    assert "friday: your copy of the game" in told
    offered.serve((own.root / "friday-alice-join.eml").read_bytes())
    assert "  alice, alice@example.org" in offered.run("status", "-g", "friday").stdout


def test_the_public_invite_holds_no_token(offered: Desks) -> None:
    """Neither the host's file, nor what a player makes of a copy."""
    own, _ = offered.joined("alice")
    for desk in (offered, own):
        desk.run("resend", "all", "invite", "-g", "friday", "-o", "out.txt")
        held = dict(decode((desk.root / "out.txt").read_bytes()).files)
        assert list(held) == ["invite.toml", "invite.toml.sig"]


def test_hand_over(offered: Desks) -> None:
    """A program in the settings gets the mail, and it is said to whom; one that fails is told.

    It is called as sendmail is.
    """
    (invitation,) = offered.sent("alice@example.org")
    own = offered.at("alice")
    own.key("alice.key")
    program(own.root / "msmtp", "cat > sent.eml")
    own.settings["MAIL_OUT"] = "sendmail:./msmtp"
    join = ("join", "-", "--name", "alice", "--key", "alice.key")
    told = own.run(*join, given=invitation).stdout
    assert f"sent to {REFEREE}" in told
    mail = read_mail((own.root / "sent.eml").read_bytes())
    assert (mail.sender, mail.automatic) == ("alice@example.org", False)
    assert f"\nTo: {REFEREE}\n".encode() in (own.root / "sent.eml").read_bytes()
    assert block.choose(mail.blocks, ("join",)) is not None
    for name, said in (("false", "exit 1"), ("no-such-program", "No such file")):
        (own.root / "alice.seat").rename(own.root / f"{name}.seat")
        failed = own.run(*join, given=invitation, code=1, MAIL_OUT=f"sendmail:{name}")
        assert "the mail is not sent: " in failed.stderr
        assert said in failed.stderr


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
    own.run("take", given=changed)
    post.mail(Record(own.root / "friday"), joining(own), "a join", None, "alice@example.org")
    head = (own.root / "friday-alice-join.eml").read_bytes().partition(b"\r\n\r\n")[0]
    assert f"To: {REFEREE}".encode() in head
    assert b"From: alice@example.org" in head


def joining(own: Desks) -> Bundle:
    """The join that a player has sent."""
    (one,) = read_mail((own.root / "friday-alice-join.eml").read_bytes()).blocks
    assert one.bundle is not None
    return one.bundle


@pytest.mark.parametrize("way", ["play", "sync"])
def test_a_message_that_lies_beside_the_copy(by_mail: Desks, way: str) -> None:
    """Saved as it came, whatever it is called, it is told once and put away; one's own is none."""
    alice, bob = by_mail.at("alice"), by_mail.at("bob")
    said = alice.run("say", "Truce?", "--to", "bob").stdout.splitlines()[-1]
    own = (alice.root / said.partition(": ")[0]).read_bytes()
    by_mail.serve(own)
    (mail,) = [one for one in by_mail.sent("bob@example.org")
               if any(it.kind == "letter" for it in pasted.read(one).bundles)]  # fmt: skip
    (bob.root / "from Alice").write_bytes(mail)
    told = bob.run(way).stdout
    assert "message from alice to bob:\n  Truce?\n" in told
    assert not (bob.root / "from Alice").exists()
    (bob.root / "again.eml").write_bytes(mail)
    assert "Truce?" not in bob.run(way).stdout
    assert not (bob.root / "again.eml").exists()
    (alice.root / "sent").write_bytes(own)
    assert "Truce?" not in alice.run(way).stdout


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("say", "x", "--to", "zoe"), 1, "'zoe'"),
        (("say", "", "--to", "bob"), 1, "[malformed]"),
        (("away", "3d", "1d"), 2, "'1d' is not after"),
        (("away", NEVER, NEVER), 2, " is not after "),
        (("away", "soon", "1d"), 2, "'soon': expected a span"),
        (("config", "address", "nowhere"), 1, "'nowhere'"),
        (("config", "shown", "maybe"), 1, "shown 'maybe': expected yes or no"),
        (("say", "x", "-g", "nowhere"), 1, "no game is in 'nowhere'"),
    ],
)
def test_what_is_no_letter_is_quoted(
    by_mail: Desks, words: tuple[str, ...], code: int, said: str
) -> None:
    """In one line; no mail is written and nothing is kept. The next letter is the first."""
    own = by_mail.at("alice")
    told = own.run(*words, code=code).stderr
    assert said in told.splitlines()[0]
    assert list(own.root.glob("*letter*")) == []
    own.run("config", "shown", "yes", "-g", "friday")
    assert len(list(own.root.glob("friday-alice-letter-[0-9]*.eml"))) == 1
    assert own.run("log", "--letters").stdout == "you, address shown\n"


def test_what_is_no_mail_of_the_game(desk: Desks) -> None:
    """A mail without a block, and a file that is not there, in one line."""
    assert "holds nothing of a game" in desk.run("take", given=b"hello", code=1).stderr
    assert "'none.eml'" in desk.run("take", "none.eml", code=1).stderr


def test_sync_without_a_seat(offered: Desks) -> None:
    """A copy without a seat is kept up; an unknown kind of mailbox is told."""
    own = offered.at("alice")
    (invitation,) = offered.sent("alice@example.org")
    own.run("take", "-g", "copy", given=invitation)
    own.run("sync", "-g", "copy")
    joined, _ = offered.joined("bob")
    refused = joined.run("sync", "-g", "friday", code=1, MAIL_IN="mbox:x").stderr
    assert "expected one of imaps, imap, maildir" in refused
