"""Mailboxes on disk, and one mail from standard input."""

from __future__ import annotations

import contextlib
import io
import mailbox
import os
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from adjudicator.mail import sources
from adjudicator.mail.arrived import Down
from adjudicator.mail.mime import LARGEST
from orders.errors import Refused

MAIL = b"From: a@example.org\nMessage-ID: <1@x>\n\nhi\n"


def maildir(root: Path) -> Path:
    """An empty Maildir."""
    for name in ("new", "cur", "tmp"):
        (root / name).mkdir(parents=True)
    return root


def test_maildir(tmp_path: Path) -> None:
    """Mails of both folders are given oldest first, put away only when done, others left alone."""
    box = maildir(tmp_path / "box")
    for at, name in enumerate(("new/b", "cur/a:2,S", "new/c")):
        (box / name).write_bytes(MAIL + name.encode())
        os.utime(box / name, (at, at))
    source = sources.open_source(f"maildir:{box}", None, tmp_path)
    found = list(source.mails())
    assert [one.read()[-5:] for one in found] == [b"new/b", b"a:2,S", b"new/c"]
    found[0].done()
    assert [one.name for one in source.mails()] == ["a", "c"]
    assert [path.name for path in (box / ".Adjudicated" / "cur").iterdir()] == ["b:2,S"]


def test_maildir_with_odd_files(tmp_path: Path) -> None:
    """Row 25: links, pipes and devices in the place of mails are refused, the next mail is read."""
    box = maildir(tmp_path / "box")
    os.mkfifo(box / "new" / "1")
    (box / "new" / "2").symlink_to("/dev/zero")
    (box / "new" / "3").symlink_to(tmp_path)
    (box / "new" / "4").write_bytes(b"x" * (LARGEST + 1))
    (box / "new" / "5").write_bytes(MAIL)
    read = []
    for one in sources.Maildir(box).mails():
        with contextlib.suppress(Refused):
            read.append(one.read())
        one.done()
    assert read == [MAIL]
    assert list((box / "new").iterdir()) == []


def test_maildir_that_is_none(tmp_path: Path) -> None:
    """A folder that is no Maildir is told, and nothing is made there."""
    with pytest.raises(Down):
        list(sources.Maildir(tmp_path).mails())
    assert list(tmp_path.iterdir()) == []


def mbox(path: Path, *bodies: str) -> None:
    """An mbox with a mail for each body."""
    box = mailbox.mbox(path)
    for body in bodies:
        box.add(f"From: a@example.org\nSubject: x\n\n{body}\n")
    box.close()


def test_mbox(tmp_path: Path) -> None:
    """Mails are taken out under the lock; what was not dealt with comes again, new ones after."""
    mbox(tmp_path / "mbox", "one", "From here two", "three")
    source = sources.open_source(f"mbox:{tmp_path / 'mbox'}", None, tmp_path / "state")
    (tmp_path / "state").mkdir()
    found = []
    for one in source.mails():
        found.append(one.read())
        if b"three" not in found[-1]:
            one.done()
    assert len(found) == 3
    assert b"two" in found[1]
    assert (tmp_path / "mbox").stat().st_size == 0
    mbox(tmp_path / "mbox", "four")
    assert [one.read().strip()[-5:] for one in source.mails()] == [b"three", b"\nfour"]


def test_mails_left_in_an_mbox_hold_no_others_up(tmp_path: Path) -> None:
    """One that nobody may take yet stays, under its name, and the mails after it are read."""
    (tmp_path / "state").mkdir()
    source = sources.open_source(f"mbox:{tmp_path / 'mbox'}", None, tmp_path / "state")
    given, stays = [], set()
    for number in range(3):
        mbox(tmp_path / "mbox", f"taken {number}", *["left"][number:], f"cut off {number}")
        cut = (tmp_path / "mbox").read_bytes().rstrip(b"\n")
        (tmp_path / "mbox").write_bytes(cut)
        for one in source.mails():
            given.append(one.read().strip().rpartition(b"\n")[2])
            if b"left" in one.read():
                stays.add(one.name)
            else:
                one.done()
    new = [b"taken 0", b"left", b"cut off 0", b"left", b"taken 1", b"cut off 1"]
    assert given == [*new, b"left", b"taken 2", b"cut off 2"]
    assert len(stays) == 1
    for one in source.mails():
        one.done()
    assert list((tmp_path / "state").iterdir()) == []


def test_what_a_killed_program_left_of_an_mbox(tmp_path: Path) -> None:
    """Its lock holds up nobody for ever, and what it had begun to write is removed."""
    (tmp_path / "state").mkdir()
    mbox(tmp_path / "mbox", "one")
    lock, draft = tmp_path / "mbox.lock", tmp_path / "state" / "mbox.1795351226.here.29262"
    lock.touch()
    draft.write_bytes(b"From a")
    source = sources.open_source(f"mbox:{tmp_path / 'mbox'}", None, tmp_path / "state")
    with pytest.raises(Down, match="lock"):
        list(source.mails())
    os.utime(lock, (1, 1))
    assert len(list(source.mails())) == 1
    assert not lock.exists()
    assert not draft.exists()


def test_mbox_that_is_not_there(tmp_path: Path) -> None:
    """No mbox file: no mail."""
    assert list(sources.Mbox(tmp_path / "mbox", tmp_path / "work").mails()) == []


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    """One mail, bounded."""
    for data, fits in ((MAIL, True), (b"x" * (LARGEST + 5), False)):
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(data)))
        (one,) = sources.Stdin().mails()
        if fits:
            assert one.read() == data
        else:
            with pytest.raises(Refused, match="too-big"):
                one.read()


def test_a_maildir_forgets(tmp_path: Any) -> None:
    """What was dealt with long ago; nothing else."""
    import os

    from adjudicator.mail.sources import Maildir

    for name in ("new", "cur", "tmp"):
        (tmp_path / name).mkdir()
    for at, name in enumerate(("old", "young", "left")):
        (tmp_path / "new" / name).write_bytes(b"x")
        os.utime(tmp_path / "new" / name, (at * 10**9, at * 10**9))
    box = Maildir(tmp_path)
    for one in box.mails():
        if one.name != "left":
            one.done()
    os.utime(tmp_path / "new" / "left", (0, 0))
    assert box.forget("1990-01-01T00:00:00Z") == 1
    assert [one.name for one in box.mails()] == ["left"]
    assert [path.name for path in (tmp_path / ".Adjudicated" / "cur").iterdir()] == ["young:2,S"]
