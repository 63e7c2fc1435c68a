"""Mailboxes on disk."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Any

import pytest

from adjudicator.mail import mailboxes
from adjudicator.mail.mailboxes import Down
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
    source = mailboxes.open_source(f"maildir:{box}", None)
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
    for one in mailboxes.Maildir(box).mails():
        with contextlib.suppress(Refused):
            read.append(one.read())
        one.done()
    assert read == [MAIL]
    assert list((box / "new").iterdir()) == []


def test_maildir_that_is_none(tmp_path: Path) -> None:
    """A folder that is no Maildir is told, and nothing is made there."""
    with pytest.raises(Down):
        list(mailboxes.Maildir(tmp_path).mails())
    assert list(tmp_path.iterdir()) == []


def test_a_maildir_forgets(tmp_path: Any) -> None:
    """What was dealt with long ago; nothing else."""
    import os

    from adjudicator.mail.mailboxes import Maildir

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
