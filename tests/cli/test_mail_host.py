"""`mail` for hosts: what each command does, prints and refuses."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from commands import Table
from desks import OFFER, REFEREE, SERVE, Desks

from adjudicator.core import bundles
from adjudicator.mail.mime import read_mail

SPEC = "https://example.org/sealed_orders-0.1.0-py3-none-any.whl#sha256=" + "0123456789abcdef" * 4


@pytest.fixture
def desk(tmp_path: Path, at_commands: Callable[[Path], Any]) -> Desks:
    """A host's empty folder."""
    return Desks(at_commands(tmp_path))


@pytest.fixture
def offered(desk: Desks) -> Desks:
    """A game that is offered to Alice and Bob."""
    return desk.offer()


def test_an_invitation_tells_where_the_program_comes_from(
    offered: Desks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the bytes of the host's source, or to ask the host; never a name that anybody may own."""
    offered.serve()
    (first,) = offered.sent("alice@example.org")
    text = read_mail(first).text
    assert "Ask the person who hosts this game" in text
    assert "install " not in text.replace("not install it by its name", "")
    more = ("mail", "invite", "friday", "alice@example.org")
    offered.run(*more, "--install", "adjudicator", code=1)
    offered.run(*more, "--install", SPEC)
    monkeypatch.setenv("ADJUDICATOR_INSTALL", SPEC)
    offered.run(*more)
    offered.serve()
    others = set(offered.sent("alice@example.org")) - {first}
    assert len(others) == 2
    assert "compare the digest" not in " ".join(text.split())
    (token,) = {_token(mail) for mail in (first, *others)}
    assert token is not None
    for mail in others:
        assert f'pip install "sealed-orders @ {SPEC}"' in read_mail(mail).text
        told = " ".join(read_mail(mail).text.split())
        assert "one who changed it could read your orders" in told
        assert "Get it from somebody else too, and compare the digest." in told


def _token(mail: bytes) -> str | None:
    (block,) = read_mail(mail).blocks
    assert block.bundle is not None
    return bundles.token_in(block.bundle)


def test_what_waits_is_listed(offered: Desks) -> None:
    """Whom it goes to and when, for people and for programs; nothing waits once it is sent."""
    lines = offered.run("mail", "outbox").stdout.splitlines()
    assert lines[0].startswith("waiting: to alice@example.org, 0 tries, due 20")
    assert lines[-1] == "2 mails not sent"
    told = json.loads(offered.run("mail", "outbox", "--json").stdout)
    assert [one["to"] for one in told["out"]] == ["alice@example.org", "bob@example.org"]
    assert told["in"] == []
    offered.serve()
    assert offered.run("mail", "outbox", "--retry").stdout == "0 mails not sent\n"


def test_what_cannot_be_sent_is_told_and_tried_again(offered: Desks) -> None:
    """A mailer that fails: exit code 1, the mails stay with its fault, `--retry` makes them due."""
    box = offered.maildir()
    failed = offered.run(*SERVE[:3], "--in", box, "--once", "--out", "sendmail:false", code=1)
    assert failed.stderr.splitlines()[0].startswith("error: ")
    tried = {one["key"]: one["due"] for one in _waiting(offered) if one["tries"] == 1}
    assert tried
    assert all(one["fault"] for one in _waiting(offered) if one["tries"])
    assert "1 tries, due " in offered.run("mail", "outbox", "--retry").stdout
    assert all(one["due"] < tried[one["key"]] for one in _waiting(offered) if one["key"] in tried)
    offered.serve()
    assert len(offered.sent("alice@example.org")) == 1


def _waiting(desk: Desks) -> list[dict[str, Any]]:
    return list(json.loads(desk.run("mail", "outbox", "--json").stdout)["out"])


def test_who_is_there(offered: Desks) -> None:
    """The host sees who joined at which address, and can send one of them away again."""
    offered.serve()
    _, join = offered.joined("alice")
    offered.serve(join)
    assert offered.run("mail", "joins", "friday").stdout.splitlines() == [
        "alice: alice@example.org, invited as alice@example.org",
        "1 of 2 have joined",
    ]
    assert (
        offered.run("mail", "drop", "friday", "alice").stdout == "the join of alice is forgotten\n"
    )
    assert offered.run("mail", "joins", "friday").stdout == "0 of 2 have joined\n"
    assert "no join of" in offered.run("mail", "drop", "friday", "alice", code=1).stderr


def test_a_start_with_all_who_joined(desk: Desks) -> None:
    """Where no number was named, the host says when; later nobody is dropped or invited."""
    desk.run("keygen", "host.key")
    desk.run(*OFFER)
    said = desk.run("mail", "invite", "friday", "alice@example.org", "bob@example.org").stdout
    assert said.splitlines() == [
        "2 invitations wait in mail.state; adjudicator mail serve sends them",
        "when all have joined: adjudicator mail start friday",
    ]
    desk.serve()
    desk.serve(*(desk.joined(name)[1] for name in ("alice", "bob")))
    assert not (desk.root / "friday/entries/0000.toml").exists()
    assert desk.run("mail", "start", "friday").stdout.startswith("friday: begun by alice, bob;")
    assert (desk.root / "friday/entries/0000.toml").is_file()
    late = desk.run("mail", "invite", "friday", "carol@example.org").stdout
    assert "who takes a seat over joins under its name" in late
    assert (
        "hint: adjudicator rule --seat" in desk.run("mail", "drop", "friday", "bob", code=1).stderr
    )


def test_the_host_writes_and_moves(desk: Desks) -> None:
    """Messages and a new address are signed letters: kept, told by `letters`, sent to all."""
    desk.begin()
    before = len(desk.sent("bob@example.org"))
    said = desk.run("mail", "say", "friday", "Back on\nMonday.").stdout
    assert said == "the message to all waits in mail.state; adjudicator mail serve sends it\n"
    desk.run("mail", "say", "friday", "--to", "alice", "Hello!")
    moved = desk.run("mail", "moved", "friday", "--address", "new@example.net").stdout
    assert moved.startswith("a player's mails to you go to new@example.net once ")
    kept = desk.run("mail", "letters", "friday").stdout.splitlines()
    texts = [re.sub("^host( 1)?: ", "", line) for line in kept]
    assert texts == [
        "message to all:", "  Back on", "  Monday.", "message to alice:", "  Hello!",
        "the host's mail address is new@example.net",
    ]  # fmt: skip
    desk.serve()
    assert len(desk.sent("bob@example.org")) == before + 2
    nobody = desk.run("mail", "say", "friday", "--to", "zoe", "x", code=1).stderr
    assert "'zoe'" in nobody


def test_seats_that_are_not_reserved(desk: Desks) -> None:
    """A host says so before whoever gets a copy of the invite can join."""
    desk.run("keygen", "host.key")
    desk.run(*OFFER[:-1])
    refused = desk.run("mail", "invite", "friday", "alice@example.org", code=1).stderr
    assert "not reserved" in refused
    desk.run("mail", "invite", "friday", "alice@example.org", "--open")


def test_invite_that_names_no_mailbox(desk: Desks) -> None:
    """Nothing signed would tell the players where their mails go."""
    desk.run("keygen", "host.key")
    desk.run(*OFFER[:-3], "--reserved")
    refused = desk.run("mail", "invite", "friday", "alice@example.org", code=1).stderr
    assert "--mail ADDRESS" in refused


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("mail", "invite", "friday", "nobody"), 1, "'nobody' is no mail address"),
        (("mail", "invite", "friday", "--seats", "27"), 1, "--seats 27: the game is for 2 to 26"),
        (("mail", "invite", "friday", "--seats", "0"), 2, "0 is not in the range"),
        (("mail", "say", "friday", "x", "--address", "x"), 1, "--address 'x' is no mail address"),
        (("mail", "say", "friday", "x"), 1, "not-yet: "),
        (("mail", "joins", "nowhere"), 1, "'nowhere' holds no record"),
        (("mail", "outbox", "--state", "none"), 1, "'none' holds no outbox"),
        ((*SERVE, "--in", "maildir:none", "--every", "soon"), 2, "--every 'soon': expected a time"),
        ((*SERVE, "--in", "maildir:none", "--every", "0s"), 2, "--every '0s': expected a time"),
        ((*SERVE, "--in", "pop3://x", "--once"), 1, "'pop3://x'"),
        ((*SERVE[:3], "--in", "maildir:none", "--out", "uucp:x", "--once"), 1, "'uucp:x'"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_quoted(
    offered: Desks, words: tuple[str, ...], code: int, said: str
) -> None:
    """In one line, with what was expected; nothing is queued by it."""
    before = _waiting(offered)
    told = offered.run(*words, code=code)
    assert said in told.stderr.splitlines()[0]
    assert told.stdout == ""
    assert _waiting(offered) == before


def test_clear_refusals(desk: Desks) -> None:
    """What cannot be is refused in one line, with a way out, before anything is read."""
    assert "holds no outbox" in desk.run("mail", "outbox", code=1).stderr
    told = desk.run(*SERVE, "--in", "imaps://a:pw@example.org", "--once", code=1).stderr
    assert "pw" not in told.replace("ADJUDICATOR_IMAP_PASSWORD", "")
    assert "ADJUDICATOR_IMAP_PASSWORD" in told
    assert "no record" in desk.run(*SERVE, "--in", "maildir:x", "--once", code=1).stderr
    gone = desk.run(*SERVE, "--in", "mbox:x", "--once", code=1).stderr
    assert "'mbox:x': expected one of imaps, imap, maildir" in gone
    own = desk.run(*SERVE, "--in", "maildir:x", "--digest", REFEREE, code=1).stderr
    assert "not the games' mailbox" in own
    soon = desk.run(*SERVE, "--in", "maildir:x", "--keep", "soon", code=2).stderr
    assert "--keep 'soon'" in soon
    assert "holds no outbox" in desk.run("mail", "log", "--state", "nowhere", code=1).stderr


def test_mails_lead_to_the_page(tmp_path: Path) -> None:
    """With the option, invitation and entries name it and its digest; without it, no mail does."""
    host = Desks(Table(tmp_path))
    host.run("keygen", "host.key")
    host.run(*OFFER)
    link = "https://example.org/page.html#sha256=" + "0a" * 32
    people = ("alice@example.org", "bob@example.org")
    host.run("mail", "invite", "friday", "--seats", "2", "--page", link, *people)
    host.serve()
    (mail,) = host.sent("alice@example.org")
    told = f"  https://example.org/page.html\n  (page {'0a' * 32})\n".encode()
    assert told in mail
    joins = [host.joined(name)[1] for name in ("alice", "bob")]
    host.serve(*joins)
    (begun,) = [one for one in host.sent("alice@example.org") if b"entry 0" in one]
    assert told in begun
    other = Desks(Table(tmp_path / "other"))
    other.root.mkdir()
    other.offer().serve()
    assert b"page" not in other.sent("alice@example.org")[0].partition(b"kind: invite")[0]
    host.run("mail", "invite", "friday", "--page", "https://example.org/x", code=1)
