"""Rows 25 and 30: what lies in a file's place at host and verifier, and two hosts at once."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from adjudicator.archive.archive import Item, Verifying
from adjudicator.core.source import LIMIT
from adjudicator.store import files
from adjudicator.store.record import Record
from adjudicator.verifier.verify import verify
from orders.errors import Missing, Refused

Table = Any


def place(path: Path, what: str) -> None:
    """Put something else where a file is expected."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_dir() and not path.is_symlink():
        path.rmdir()
    else:
        path.unlink(missing_ok=True)
    if what == "a link":
        path.symlink_to(__file__)
    elif what == "a link to the same":
        path.symlink_to(path.name)
    elif what == "/dev/zero":
        path.symlink_to("/dev/zero")
    elif what == "a FIFO":
        os.mkfifo(path)
    elif what == "a folder":
        path.mkdir()
    else:
        with path.open("wb") as file:
            file.truncate(LIMIT + 1)


THINGS = ("a link", "a link to the same", "/dev/zero", "a FIFO", "a folder", "a large file")


@pytest.fixture
def own(finished: Table, tmp_path: Path) -> Table:
    """A finished game of this test's own."""
    return finished.copy(tmp_path / "own")


def code_for(path: Path) -> int:
    """What is no regular file makes a record unusable: it accuses nobody. One that is too large is
    false."""
    return 1 if path.is_file() and not path.is_symlink() else 2


@pytest.mark.parametrize("what", THINGS)
@pytest.mark.parametrize(
    "path",
    [
        "invite.toml", "invite.toml.sig", "joins/bob.toml", "entries/0000.toml",
        "entries/0003.toml", "entries/0003.toml.sig", "slips/0002-alice.toml",
        "orders/0002-alice.sealed", "orders/0002-alice.txt", "reports/0002-bob.sealed",
        ".gitattributes", "table.toml", "entries/0006.toml",
    ],
)  # fmt: skip
def test_row_25_what_is_no_file_is_never_followed(own: Table, path: str, what: str) -> None:
    """Not true, at once and without an error of another kind; the findings name the place."""
    place(own.record.root / path, what)
    found = verify(own.record)
    assert found.code == code_for(own.record.root / path), found.verdict
    assert path in found.verdict


@pytest.mark.parametrize("what", THINGS)
def test_row_25_what_belongs_to_a_stranger_changes_no_verdict(own: Table, what: str) -> None:
    """It is not read, whatever it is."""
    place(own.record.root / "something", what)
    assert verify(own.record).code == 0


@pytest.mark.parametrize("what", THINGS)
def test_row_25_folders_are_not_followed(own: Table, what: str, tmp_path: Path) -> None:
    """That holds for what stands in place of the record's folder, or of a folder in it."""
    slips = own.record.root / "slips"
    slips.rename(own.root / "slips")
    place(slips, what)
    if what == "a link":
        slips.unlink()
        slips.symlink_to(own.root / "slips")
    assert verify(own.record).code == (1 if what == "a folder" else 2)
    place(tmp_path / "record", what)
    assert verify(Record(tmp_path / "record")).code == 2


@pytest.mark.parametrize(
    "path", ["invite.toml", "entries/0003.toml", "orders/0002-alice.txt", "reports/0002-bob.sealed"]
)
@pytest.mark.parametrize("fault", [errno.EACCES, errno.EIO, errno.EMFILE])
def test_what_may_not_be_read_accuses_nobody(
    own: Table, monkeypatch: pytest.MonkeyPatch, path: str, fault: int
) -> None:
    """Modes, a broken disk, too many open files: unusable, also beside what is false."""
    place = f"{own.record.root}/{path}"

    def broken(opened: Any, *rest: Any) -> int:
        if str(opened) == place:
            raise OSError(fault, os.strerror(fault))
        return real(opened, *rest)

    real = os.open
    monkeypatch.setattr(os, "open", broken)
    for _ in range(2):
        found = verify(own.record)
        assert (found.code, found.verdict) == (2, f"unusable: {place!a}: {os.strerror(fault)}")
        (own.record.root / "entries" / "0001.toml.sig").write_bytes(b"a lie\n")
    monkeypatch.undo()
    assert verify(own.record).code == 1


@pytest.mark.parametrize("name", ["", "entries", "slips"])
def test_a_folder_that_may_not_be_listed_accuses_nobody(
    own: Table, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """As what lies in it might be there."""
    place = own.record.root / name

    def broken(listed: Any) -> Any:
        if Path(listed) == place:
            raise PermissionError(errno.EACCES, "Permission denied")
        return real(listed)

    real = os.scandir
    monkeypatch.setattr(os, "scandir", broken)
    verdict = f"unusable: {str(place)!a}: Permission denied"
    assert verify(own.record).verdict == verdict
    assert Verifying().do(Item(str(own.record.root))).found.code == 2


@pytest.mark.parametrize("what", [*THINGS, "nothing"])
def test_row_25_reading_is_of_regular_files(tmp_path: Path, what: str) -> None:
    """`files.read` refuses what is none, without waiting and without following."""
    path = tmp_path / "file"
    if what != "nothing":
        place(path, what)
    with pytest.raises(Refused) as caught:
        files.read(path, LIMIT)
    assert caught.value.word in ("missing", "unreadable", "too-big")
    assert isinstance(caught.value, Missing) == (what == "nothing")


def test_row_30_two_hosts_advance_at_once(table: Table, example: Any) -> None:
    """One wins, the other is told; there is one entry of each number."""
    for name, lines in example[0].items():
        table.submit(name, lines)
    ready, go = os.pipe()
    children = []
    for _ in range(4):
        child = os.fork()
        if child == 0:
            code = 9
            try:
                os.close(go)
                referee = table.host
                os.read(ready, 1)
                try:
                    referee.advance()
                    code = 0
                except Refused as error:
                    code = {"busy": 1, "not-yet": 2}.get(error.word, 3)
            finally:
                os._exit(code)
        children.append(child)
    os.close(go)
    codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    os.close(ready)
    assert codes.count(0) == 1
    assert set(codes) <= {0, 1, 2}
    assert table.record.last_step() == 1
    assert table.verify().code == 4
