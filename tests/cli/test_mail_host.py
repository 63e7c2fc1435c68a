"""`mail` for hosts: what each command does, prints and refuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from commands import Table
from desks import OFFER, REFEREE, Desks

from adjudicator.core import bundles
from adjudicator.mail import pasted
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
    assert "Ask who invited you" in text
    assert "install " not in text.replace("not install it by its name", "")
    more = ("invite", "-g", "friday", "--more", "alice@example.org")
    offered.run(*more, code=1, INSTALL="adjudicator")
    offered.run(*more, INSTALL=SPEC)
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
    lines = offered.run("status").stdout.splitlines()
    assert lines[-3].startswith("not sent yet: to alice@example.org, 0 tries, due 20")
    assert lines[-1] == "2 mails not sent"
    told = json.loads(offered.run("status", "--json").stdout)
    assert [one["to"] for one in told["mail"]] == ["alice@example.org", "bob@example.org"]
    assert told["aside"] == []
    offered.serve()
    assert json.loads(offered.run("status", "--json").stdout)["mail"] == []


def test_what_cannot_be_sent_is_told_and_tried_again(offered: Desks) -> None:
    """A mailer that fails: exit code 1, the mails stay with its fault, `--retry` makes them due."""
    failed = offered.sync(code=1, MAIL_OUT="sendmail:false")
    assert failed.stderr.splitlines()[0].startswith("error: ")
    tried = {one["key"]: one["due"] for one in _waiting(offered) if one["tries"] == 1}
    assert tried
    assert all(one["fault"] for one in _waiting(offered) if one["tries"])
    assert offered.run("status", code=3).stdout.count("1 tries, due ") == 1
    assert offered.run("status", "-g", "friday").stdout.count("1 tries, due ") == 1
    offered.sync(more=("--retry",))
    assert _waiting(offered) == []
    assert len(offered.sent("alice@example.org")) == 1


def _waiting(desk: Desks) -> list[dict[str, Any]]:
    return list(json.loads(desk.run("status", "-g", "friday", "--json").stdout)["mail"])


def test_who_is_there(offered: Desks) -> None:
    """The host sees who joined at which address, and can send one of them away again."""
    offered.serve()
    _, join = offered.joined("alice")
    offered.serve(join)
    assert offered.run("status", "-g", "friday").stdout.splitlines() == [
        "friday: Sugar Dog, not begun",
        "  alice, alice@example.org, invited as alice@example.org",
        "1 of 2 joined. To begin with them: adjudicator start",
    ]
    assert (
        offered.run("invite", "--drop", "alice", "-g", "friday").stdout
        == "the join of alice is forgotten\n"
    )
    assert "0 of 2 joined" in offered.run("status", "-g", "friday").stdout
    assert "no join of" in offered.run("invite", "--drop", "alice", "-g", "friday", code=1).stderr


def test_a_start_with_all_who_joined(desk: Desks) -> None:
    """Where no number was named, the host says when; later nobody is dropped or invited."""
    desk.key("host.key")
    desk.run(*OFFER)
    said = desk.run(
        "invite", "-g", "friday", "--more", "alice@example.org", "--more", "bob@example.org"
    ).stdout
    assert said.splitlines() == [
        "2 invitations to send: adjudicator sync",
        "when all have joined: adjudicator start",
    ]
    desk.serve()
    desk.serve(*(desk.joined(name)[1] for name in ("alice", "bob")))
    assert not (desk.root / "friday/entries/0000.toml").exists()
    assert (
        desk.run("start", "-g", "friday").stdout.splitlines()[-2].startswith("alice's setup, until")
    )
    assert (desk.root / "friday/entries/0000.toml").is_file()
    late = desk.run("invite", "-g", "friday", "--more", "carol@example.org").stdout
    assert "who takes a seat over joins under its name" in late
    assert (
        "hint: adjudicator rule --hand-on"
        in desk.run("invite", "--drop", "bob", "-g", "friday", code=1).stderr
    )


def test_seats_that_are_not_reserved(desk: Desks) -> None:
    """A host says so before whoever gets a copy of the invite can join."""
    desk.key("host.key")
    desk.run(*OFFER[:-1])
    refused = desk.run("invite", "-g", "friday", "--more", "alice@example.org", code=1).stderr
    assert "not reserved" in refused
    desk.run("invite", "-g", "friday", "--more", "alice@example.org", "--open")


def test_invite_that_names_no_mailbox(desk: Desks) -> None:
    """Nothing signed would tell the players where their mails go."""
    desk.key("host.key")
    desk.run(*OFFER[:-3], "--reserved", MAIL_IN="")
    refused = desk.run("invite", "-g", "friday", "--more", "alice@example.org", code=1).stderr
    assert "--address ADDRESS" in refused


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("invite", "-g", "friday", "--more", "no body@x"), 1, "'no body@x' is no mail address"),
        (("invite", "-g", "friday", "--players", "27"), 1, "2 to 26 players, not 27"),
        (("invite", "-g", "friday", "--players", "0"), 2, "--players: '0': expected 1 to 64"),
        (("say", "x", "-g", "friday"), 4, "[not-yet]"),
        (("status", "-g", "nowhere"), 1, "no game is in 'nowhere'"),
        (("sync", "--every", "soon"), 1, "--every 'soon': expected a time"),
        (("sync", "--every", "0s"), 1, "--every '0s': expected a time"),
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


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"MAIL_IN": "pop3://x"}, "'pop3://x'"),
        ({"MAIL_OUT": "uucp:x"}, "'uucp:x'"),
        ({"MAIL_IN": "mbox:x"}, "'mbox:x': expected one of imaps, imap, maildir"),
        ({"MAIL_IN": "imaps://a:pw@example.org"}, "ADJUDICATOR_IMAP_PASSWORD"),
        ({"ALARM": REFEREE}, "not the games' mailbox"),
        ({"MAIL_ADDRESS": "x"}, "ADJUDICATOR_MAIL_ADDRESS: address 'x': expected your mail"),
    ],
)
def test_settings_that_cannot_be(offered: Desks, settings: dict[str, str], said: str) -> None:
    """Each is quoted, with a way out, before anything is read; no password is."""
    told = offered.sync(code=1, **settings).stderr
    assert said in told
    assert "pw" not in told.replace("ADJUDICATOR_IMAP_PASSWORD", "")


def test_mails_lead_to_the_page(tmp_path: Path) -> None:
    """With the option, invitation and entries name it and its digest; without it, no mail does."""
    host = Desks(Table(tmp_path))
    host.key("host.key")
    host.run(*OFFER)
    link = "https://example.org/page.html#sha256=" + "0a" * 32
    people = ("alice@example.org", "bob@example.org")
    host.settings["PAGE"] = link
    more = [word for one in people for word in ("--more", one)]
    host.run("invite", "-g", "friday", "--players", "2", *more)
    host.serve()
    (mail,) = host.sent("alice@example.org")
    told = (
        "  https://example.org/page.html\n\nIts digest, as sha256sum page.html prints it (macOS: "
        f"shasum -a 256\npage.html, Windows: Get-FileHash page.html):\n\n  {'0a' * 32}\n"
    )
    assert told in read_mail(mail).text
    joins = [host.joined(name)[1] for name in ("alice", "bob")]
    host.serve(*joins)
    (begun,) = [one for one in host.sent("alice@example.org") if b"entry 0" in one]
    assert told in read_mail(begun).text
    for one in (mail, begun):
        # Tapped or pasted, the link alone brings what the mail does.
        text = read_mail(one).text
        link = text.partition("https://example.org/page.html#g=")[2].split()[0]
        assert pasted.read(f"#g={link}".encode()).bundles == pasted.read(one).bundles
    other = Desks(Table(tmp_path / "other"))
    other.root.mkdir()
    other.offer().serve()
    assert b"page" not in other.sent("alice@example.org")[0].partition(b"kind: invite")[0]
    host.run("invite", "-g", "friday", "--players", "2", code=1, PAGE="https://example.org/x")
