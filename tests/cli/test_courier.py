"""One turn by `play`, the same command whether a game goes by git or by mail."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from desks import Desks, git_play

from adjudicator.cli import courier
from adjudicator.player.finding import seated

Table = Any


# By git.


def test_turns_by_git(cloned: Table) -> None:
    """`play` in the folder with clone and seat pulls, shows, and pushes what is ordered."""
    desk = cloned
    desk.ok("invite", "--git", "remote.git", "-g", "friday")
    for name in ("alice", "bob"):
        git_play(desk, name)
    desk.ok("start", "alice", "bob", "-g", "friday")
    for name, line in (("alice", "start C4"), ("bob", "start C1")):
        said = desk.ok("play", line, "-g", f"{name}-copy")
        assert f"Ready: {line}." in said
        assert "pushed: your orders" in said
    desk.ok("sync", "-g", "friday")
    said = desk.ok("play", "-g", "alice-copy")
    assert "Sugar Dog, turn 1: your move, alice." in said
    assert "Your submarine starts in C4." in said
    assert "C1" not in said.partition("ping")[0]


def test_a_clone_knows_its_seat(cloned: Table) -> None:
    """Even a seat that lies elsewhere: the clone was set up with it."""
    desk = cloned
    desk.ok("invite", "--git", "remote.git", "-g", "friday")
    git_play(desk, "alice")
    (found,) = [copy for copy, _ in seated(desk.root) if copy.root.name == "alice-copy"]
    assert isinstance(courier.of(found, seated(desk.root)[0][1]), courier.ByGit)
    inside = type(desk)(desk.root / "alice-copy")
    assert "joined as alice. The host has not begun." in inside.ok("play", "-g", ".")


# By files.


def test_what_is_no_file_is_passed_over(table: Table) -> None:
    """Whatever a folder or a pipe is called, nobody waits for it, and the turn goes on."""
    (table.root / "notes.txt").mkdir()
    os.mkfifo(table.root / "pipe.txt")
    said = table.ok("play", "start C4", "-g", "friday", "--seat", "alice.seat")
    assert "Send friday-alice-0001-1.txt to the host" in said


# By mail.


@pytest.fixture
def desks(tmp_path: Path, at_commands: Any) -> tuple[Desks, dict[str, Desks]]:
    """The host's desk, and those of two players who have taken genesis in."""
    host = Desks(at_commands(tmp_path))
    return host, host.begin()


def test_orders_by_mail_leave_as_a_file(
    desks: tuple[Desks, dict[str, Desks]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no way out is named, `play` writes a mail ready to be sent; the host takes it."""
    monkeypatch.delenv("ADJUDICATOR_SEND", raising=False)
    host, own = desks
    said = own["alice"].run("play", "start C4").stdout
    assert "friday-alice-0001-1.eml: the mail to referee@example.net, ready to send" in said
    host.serve((own["alice"].root / "friday-alice-0001-1.eml").read_bytes())
    assert any(b"accepted" in mail for mail in host.sent("alice@example.org"))


def test_orders_by_mail_go_to_a_program(
    desks: tuple[Desks, dict[str, Desks]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """ADJUDICATOR_SEND takes the mail; one that fails is told, and the order stays in the seat."""
    _, own = desks
    monkeypatch.setenv("ADJUDICATOR_SEND", "tee sent.eml")
    assert "by tee" in own["alice"].run("play", "start C4").stdout
    assert b"To: referee@example.net" in (own["alice"].root / "sent.eml").read_bytes()
    monkeypatch.setenv("ADJUDICATOR_SEND", "false")
    failed = own["alice"].run("play", "start C5", code=1)
    assert "exit code 1" in failed.stderr
    assert "start C5. No receipt yet" in own["alice"].run("play").stdout


def test_a_mailbox_is_fetched_and_sent_from(
    desks: tuple[Desks, dict[str, Desks]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With both ways named a turn is one command: what came is taken in, orders leave."""
    host, own = desks
    for name, line in (("alice", "start C4"), ("bob", "start C1")):
        box = own[name].root / "box"
        for folder in ("new", "cur", "tmp"):
            (box / folder).mkdir(parents=True)
        monkeypatch.setenv("ADJUDICATOR_MAIL_IN", f"maildir:{box}")
        monkeypatch.setenv("ADJUDICATOR_MAIL_OUT", f"maildir:{own[name].root / 'sent'}")
        said = own[name].run("play", line).stdout
        assert "sent to referee@example.net" in said
        (mail,) = (own[name].root / "sent" / "new").iterdir()
        host.serve(mail.read_bytes())
    box = own["alice"].root / "box"
    for number, mail in enumerate(host.sent("alice@example.org")):
        (box / "new" / str(number)).write_bytes(mail)
    monkeypatch.setenv("ADJUDICATOR_MAIL_IN", f"maildir:{box}")
    monkeypatch.setenv("ADJUDICATOR_MAIL_OUT", f"maildir:{own['alice'].root / 'sent'}")
    said = own["alice"].run("play").stdout
    assert "Sugar Dog, turn 1: your move, alice." in said
    assert "Your submarine starts in C4." in said


def test_which_courier_a_game_has(desks: tuple[Desks, dict[str, Desks]], tmp_path: Path) -> None:
    """What lies in and beside the copy tells it; where nothing does, the game goes by files."""
    _, own = desks
    ((copy, seat),) = seated(own["alice"].root)
    assert isinstance(courier.of(copy, seat), courier.ByMail)
    copy.root.with_name("friday.mail").rename(tmp_path / "gone")
    assert isinstance(courier.of(copy, seat), courier.ByFiles)


def test_an_entry_that_came_early_makes_no_game_one_by_mail(table: Table) -> None:
    """It is kept where notes about mails are, and orders leave as a file all the same."""
    own = table.root / "own"
    for name in ("friday", "alice.seat"):
        shutil.copytree(table.root / name, own / name)
    table.step(alice="start C4", bob="start C1")
    table.step(alice="fire S")
    took = table.run("take", "friday-0002-alice.txt", "-g", "own/friday")
    assert "entry 2 is kept" in took.stdout
    ((copy, seat),) = seated(own)
    assert isinstance(courier.of(copy, seat), courier.ByFiles)
