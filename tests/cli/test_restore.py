"""`restore`: from whatever a host finds, files of every kind."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from desks import REFEREE, Desks

Files = dict[str, bytes]


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory, at_commands: Callable[[Path], Any]) -> Desks:
    """What `desk` copies. Not to be changed."""
    tmp_path = tmp_path_factory.mktemp("played")
    desk = Desks(at_commands(tmp_path), MAIL_ADDRESS=REFEREE)
    for name in ("carl", "alice", "bob"):
        desk.key(f"{name}.key")
    desk.run("invite", "sugar-dog", "--key", "carl.key", "-o", "friday", "--option", "first=alice")
    for name in ("alice", "bob"):
        desk.run("join", "friday-invite.txt", "--name", name, "--key", f"{name}.key")
    desk.run("start", "friday-alice-join.txt", "friday-bob-join.txt", "-g", "friday")
    for name in ("alice", "bob"):
        desk.run("take", "friday-invite.txt", "friday-0000.txt", "-g", f"{name}-copy")
    order(desk, 1, alice="start C4", bob="start C1")
    for folder in ("friday", "friday.host"):
        shutil.copytree(tmp_path / folder, tmp_path / "old" / folder)
    order(desk, 2, alice="fire S")
    order(desk, 3, bob="silent")
    (tmp_path / "next").write_text("silent\n")
    desk.run("play", "--file", "next", "-g", "alice-copy", "--seat", "alice.seat", "-o", "next.txt")
    return desk


@pytest.fixture
def desk(played: Desks, tmp_path: Path) -> Desks:
    """A game by files in one folder: Alice and Bob have copies and seats; two entries after the
    backup `old/`, and Alice's next order in `next.txt`."""
    return played.copy(tmp_path)


def order(desk: Desks, step: int, **lines: str) -> None:
    """A step: orders, the entry, and everybody's bundle."""
    for name, text in lines.items():
        (desk.root / "lines").write_text(text + "\n")
        own = ("-g", f"{name}-copy", "--seat", f"{name}.seat")
        desk.run("play", "--file", "lines", *own, "-o", f"order-{step}-{name}.txt")
        desk.run("take", f"order-{step}-{name}.txt", "-g", "friday")
        receipt = f"friday-{name}-{step:04d}-1-receipt.txt"
        desk.run("take", receipt, "-g", f"{name}-copy", "--seat", f"{name}.seat")
    desk.run("sync", "-g", "friday")
    for name in ("alice", "bob"):
        given = f"friday-{step:04d}-{name}.txt"
        desk.run("take", given, "-g", f"{name}-copy", "--seat", f"{name}.seat")


def held(desk: Desks) -> Files:
    root = desk.root / "friday"
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*.*")
            if path.is_file()}  # fmt: skip


def restored(desk: Desks) -> Files:
    """The machine as the backup has it; what it had before."""
    before = held(desk)
    for folder in ("friday", "friday.host"):
        shutil.rmtree(desk.root / folder)
        shutil.copytree(desk.root / "old" / folder, desk.root / folder)
    return before


def in_a_mail(desk: Desks, name: str) -> bytes:
    return (
        b"From: x@example.org\nSubject: yours\n\nHere:\n\n"
        + next(desk.root.rglob(name)).read_bytes()
    )


def of_copy(desk: Desks) -> list[str]:
    return ["alice-copy", "alice.seat", "bob.seat"]


def of_pack(desk: Desks) -> list[str]:
    desk.run("pack", "-g", "bob-copy", "-o", "bob.pack")
    return ["bob.pack", "friday.done/order-2-alice.txt", "friday.done/order-3-bob.txt"]


def of_mails(desk: Desks) -> list[str]:
    desk.maildir(*(in_a_mail(desk, f"friday-{step:04d}-bob.txt") for step in (2, 3)))
    (desk.root / "mails").mkdir()
    (desk.root / "mails" / "1.eml").write_bytes(in_a_mail(desk, "order-2-alice.txt"))
    (desk.root / "mails" / "2.eml").write_bytes(in_a_mail(desk, "order-3-bob.txt"))
    return ["maildir:box", "mails"]


def of_clone(desk: Desks) -> list[str]:
    """A bare repository, whose main holds all sealed orders; and a link, which is passed over."""
    work = desk.root / "work"
    shutil.copytree(desk.root / "friday", work)
    (work / "joins" / "alice.toml").unlink()
    (work / "joins" / "alice.toml").symlink_to("bob.toml")
    git = ("git", "-C", str(work), "-c", "user.name=x", "-c", "user.email=x@example.org")
    for words in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-qm", "all"]):
        subprocess.run([*git, *words], check=True)
    subprocess.run(
        ["git", "clone", "-q", "--bare", str(work), str(desk.root / "a.git")], check=True
    )
    shutil.rmtree(work)
    return ["a.git"]


def of_folder(desk: Desks) -> list[str]:
    """A folder that is a repository in which nothing was committed: its files count."""
    shutil.copytree(desk.root / "friday", desk.root / "folder")
    subprocess.run(["git", "init", "-q", str(desk.root / "folder")], check=True)
    return ["folder"]


@pytest.mark.parametrize("sources", [of_copy, of_mails])
def test_an_entry_that_was_not_handed_out_gives_way(
    desk: Desks, sources: Callable[[Desks], list[str]]
) -> None:
    """By files the folder notes what was written for players. A second entry 2 stays where that
    says so, and where the note is lost; where the process ended before, it gives way."""
    given = sources(desk)
    before = restored(desk)
    desk.run("rule", "--until", "9d", "--reason", "so", "-y", "-g", "friday")
    made, note = held(desk), desk.root / "friday.host" / "sent"
    assert note.read_text() == "2\n"
    for lost in (False, True):
        if lost:
            note.unlink()
        assert "fork" in desk.run("restore", *given, "-g", "friday", code=1).stderr
        assert held(desk) == made
    note.write_text("1\n")
    told = desk.run("restore", *given, "-g", "friday").stdout
    assert "brought back: entry 2 of this machine is taken back: nobody was told of it\n" in told
    assert held(desk) == before


@pytest.mark.parametrize("sources", [of_copy, of_pack, of_mails, of_clone, of_folder])
def test_everything_comes_back(desk: Desks, sources: Callable[[Desks], list[str]]) -> None:
    """Byte for byte; then Alice's next order, which had stopped the game, is taken."""
    given = sources(desk)
    before = restored(desk)
    stopped = desk.run("take", "next.txt", "-g", "friday", code=1).stderr.splitlines()
    assert stopped[0].startswith("error: alice signed that there is entry 3, but ")
    assert stopped[1].startswith("hint: nothing is signed until adjudicator restore FROM")
    assert "ahead" in desk.run("sync", "-g", "friday", "--late", code=1).stderr
    told = desk.run("restore", *given, "-g", "friday").stdout
    assert "brought back: entry 2\n" in told
    assert told.splitlines()[-1] == "friday is whole, as far as these files tell"
    assert held(desk) == before
    assert "alice: taken" in desk.run("take", "next.txt", "-g", "friday").stdout
    desk.run("sync", "-g", "friday")
    assert desk.run("verify", "friday").stdout.splitlines()[-1].startswith("TRUE: ")


def test_orders_that_nobody_had_answered_get_their_receipt(desk: Desks) -> None:
    """Alice's next order is among the files: it is taken, and she can be sent the receipt."""
    restored(desk)
    told = desk.run("restore", "alice-copy", "alice.seat", "bob.seat", "next.txt", "-g", "friday")
    receipt = "friday-alice-0004-1-receipt.txt"
    assert f"For alice: {receipt}" in told.stdout
    desk.run("take", receipt, "-g", "alice-copy", "--seat", "alice.seat")
    assert "For alice" not in desk.run("restore", "next.txt", "-g", "friday").stdout


def test_what_is_missing(desk: Desks) -> None:
    """It is named, exit code 4; a path that is not there too."""
    restored(desk)
    told = desk.run("restore", "alice-copy", "-g", "friday", code=4).stderr
    assert "missing: the sealed orders of bob in entry 3: orders/0003-1.txt in their seat" in told
    assert "'nothing' is not there" in desk.run("restore", "nothing", "-g", "friday", code=1).stderr


def test_nothing_was_lost(desk: Desks) -> None:
    """A host who knows better says so; without FROM a whole record is whole."""
    assert "is whole" in desk.run("restore", "-g", "friday").stdout
    restored(desk)
    desk.run("take", "next.txt", "-g", "friday", code=1)
    said = desk.run("restore", "-g", "friday", "--nothing-lost").stdout
    assert said == "alice: what they quote stops nothing any more\n"
    assert "stale" in desk.run("take", "next.txt", "-g", "friday", code=1).stdout
    desk.run("restore", "alice-copy", "-g", "friday", "--nothing-lost", code=2)


def test_a_referees_folder_at_once(desk: Desks) -> None:
    """Every game that is hosted here is brought back; what stops one keeps no other."""
    given = of_copy(desk)
    before = restored(desk)
    (desk.root / "referee.toml").write_text("")
    for folder in ("friday", "friday.host"):
        shutil.copytree(desk.root / folder, desk.root / folder.replace("friday", "another"))
    (desk.root / "another.host" / "master").unlink()
    desk.run("invite", "sugar-dog", "--key", "carl.key", "-o", "offered")
    told = desk.run("restore", *given, code=4)
    assert held(desk) == before
    assert "friday: brought back: entry 2\n" in told.stdout
    assert told.stdout.splitlines()[-2:] == [
        "friday is whole, as far as these files tell",
        "offered has not begun, as far as these files tell",
    ]
    assert told.stderr.startswith("another:\nerror: ")
    shutil.rmtree(desk.root / "another")
    shutil.rmtree(desk.root / "offered")
    assert desk.run("restore").stdout == "friday is whole, as far as these files tell\n"
    shutil.rmtree(desk.root / "friday.host")
    assert "no game is hosted in this folder" in desk.run("restore", code=1).stderr
