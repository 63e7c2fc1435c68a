"""A whole folder of games that is copied elsewhere, keys in it, and whose old place is gone: it
plays on there, of whatever kind it is."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from desks import Desks
from duel.commanders import Person

from adjudicator.host.folder import HostFolder
from adjudicator.mail.mime import read_mail
from adjudicator.player.seat import Seat

Table = Any


def moved(old: Path) -> Path:
    """The folder's new place, deeper down."""
    new = old.parent / "elsewhere" / "deeper" / "home"
    shutil.copytree(old, new)
    shutil.rmtree(old)
    return new


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Where all begins."""
    (tmp_path / "old").mkdir()
    return tmp_path / "old"


def test_a_host_and_players_by_files(begun: Table, home: Path, tmp_path: Path) -> None:
    """The host in the folder of the games, a player in one below, with a key beside hers."""
    table = begun.copy(home)
    (home / "mine").mkdir()
    mine = type(table)(home / "mine")
    mine.ok("join", "../friday-invite.txt", "--watch")
    (home / "alice.seat").rename(mine.root / "alice.seat")
    Seat.open(mine.root / "alice.seat").note_key(home / "alice.key")
    mine.ok("take", "../friday-0000.txt")
    new = moved(home)
    table, mine = type(table)(new), type(table)(new / "mine")
    table.taken(mine.ok("play", "start C4"), mine)
    table.order("bob", "start C1")
    assert "entry 1, for alice" in table.ok("sync", "-g", "friday")
    assert not [one for one in tmp_path.rglob("*") if one.is_file() and str(home).encode() in
                one.read_bytes()]  # fmt: skip


def test_a_key_that_is_noted_from_the_root(table: Table) -> None:
    """As those in ~/.ssh are while the games are in ~: the games move, and it is found there
    still."""
    keys, games = table.root / ".ssh", table.root / "games"
    keys.mkdir()
    folder, seat = HostFolder(table.root / "friday.host"), Seat.open(table.root / "alice.seat")
    for name, holder in (("host", folder), ("alice", seat)):
        for path in table.root.glob(f"{name}.key*"):
            path.rename(keys / path.name)
        holder.note_key(keys / f"{name}.key")
    assert (folder.root / "key").read_text() == f"{keys}/host.key\n"
    there = [path for path in table.root.iterdir() if path != keys]
    games.mkdir()
    for path in there:
        path.rename(games / path.name)
    type(table)(games).step(alice="start C4", bob="start C1")


def test_a_host_and_players_by_mail(_by_mail: Desks, home: Path) -> None:
    """The mailbox is moved too."""
    old = _by_mail.copy(home).root
    desk = Desks(type(_by_mail.table)(moved(old)))
    for name, orders in (("alice", "start C4"), ("bob", "start C1")):
        own = desk.at(name)
        own.run("play", orders)
        (mail,) = own.root.glob("*0001-1.eml")
        desk.sync(mail.read_bytes())
    desk.serve()
    assert [one for one in desk.sent("alice@example.org") if b"entry 1" in one]


def test_a_referee(home: Path, at_commands: Any) -> None:
    """Its games go on with its key; without it no other is made in its place."""
    desk = Desks(at_commands(home), COLOUR="never")
    (home / "referee.toml").write_text(
        'address = "games@example.net"\nmail-in = "maildir:box"\nmail-out = "maildir:out"\n'
    )
    _writes(desk, "new sugar-dog with bob@example.org")
    _writes(desk, "yes", desk.sent("alice@example.org")[-1])
    (game,) = [path.parent.name for path in home.glob("*/invite.toml")]
    desk = Desks(at_commands(moved(home)), COLOUR="never")
    key = (desk.root / "referee.key").rename(desk.root.parent / "kept")
    told = desk.run("referee", ".", "--once", code=1).stderr
    lost = f"'{desk.root}/referee.key' is not there, and the key of {game}, SHA256:"
    assert lost in told
    assert "bring that key back from a backup" in told
    assert not (desk.root / "referee.key").exists()
    key.rename(desk.root / "referee.key")
    for name in ("alice", "bob"):
        own = desk.at(name)
        own.key("key")
        (mail,) = [one for one in desk.sent(f"{name}@example.org") if b"ADJUDICATOR" in one]
        own.run("join", "-", "--name", name, "--key", "key", given=mail)
        (join,) = own.root.glob("*join.eml")
        desk.maildir(join.read_bytes())
        desk.run("referee", ".", "--once")
    desk.run("referee", ".", "--once")
    assert (desk.root / game / "entries" / "0000.toml").is_file()


def _writes(desk: Desks, line: str, answers: bytes = b"") -> None:
    """A mail of Alice's, and the referee's turn."""
    reply = f"In-Reply-To: {read_mail(answers).message_id}\n" if answers else ""
    subject = read_mail(answers).subject if answers else "x"
    desk.maildir(
        f"From: alice@example.org\nTo: games@example.net\nSubject: {subject}\n{reply}"
        f"Message-ID: <{len(line)}@a>\n\n{line}\n".encode()
    )
    desk.run("referee", ".", "--once")


def test_a_duel(home: Path) -> None:
    """Each of the two signs on with the key beside the duel."""
    ann, ben = Person(home / "ann", "ann", "captain"), Person(home / "ben", "ben", "wild")
    offer = ("duel", "silent-ships", "--name", "ann", "--key", "key", "--option", "first=ben")
    ann.ok(*offer, "-o", "../offer.txt")
    ben.ok("join", "../offer.txt", "--name", "ben", "--key", "key")
    new = moved(home)
    ann.root, ben.root = new / "ann", new / "ben"
    ann.ok("take", ben.block)
    while ann.think():
        pass
    ben.ok("take", ann.block)
    assert ben.think()
