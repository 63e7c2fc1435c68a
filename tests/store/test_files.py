"""Single files: read bounded and never followed, written whole or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any

import pytest

from adjudicator.core.source import LIMIT
from adjudicator.store import files
from adjudicator.store.record import PrivateFolder, Record
from orders.errors import Missing, Refused


def test_row_25_a_file_that_grows_is_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is added while it is read is not taken, so a growing file does not grow the reader."""
    path = tmp_path / "log"
    path.write_bytes(b"first\n")
    real = os.fstat

    def grown(handle: int) -> os.stat_result:
        status = real(handle)
        with path.open("ab") as file:
            file.write(b"more\n" * 1000)
        return status

    monkeypatch.setattr(os, "fstat", grown)
    assert files.read(path, LIMIT) == b"first\n"


def test_the_lock_of_a_folder_is_one_persons(tmp_path: Path) -> None:
    """Row 30: who comes second is told, and may try again."""
    with files.locked(tmp_path), pytest.raises(Refused, match="busy"), files.locked(tmp_path):
        pass
    with files.locked(tmp_path):
        pass


def test_what_is_read_is_bounded(tmp_path: Path) -> None:
    """To the byte; what is not there is missing, also where a file stands for a folder."""
    path = tmp_path / "one"
    path.write_bytes(b"12345")
    assert files.read(path, 5) == b"12345"
    with pytest.raises(Refused, match="is larger than 4 bytes") as caught:
        files.read(path, 4)
    assert caught.value.word == "too-big"
    for nowhere in (tmp_path / "two", path / "below"):
        with pytest.raises(Missing):
            files.read(nowhere, 5)


def test_a_disk_that_cannot_be_read_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the file that lies there."""
    (tmp_path / "a").write_bytes(b"x")

    def broken(handle: int, size: int) -> bytes:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "read", broken)
    with pytest.raises(Refused, match=r"unreadable: '.*/a': Input/output error"):
        files.read(tmp_path / "a", LIMIT)


def test_what_is_no_file_is_not_read(tmp_path: Path) -> None:
    """A link is not followed, a FIFO not waited for; the path is quoted in plain ASCII."""
    (tmp_path / "real").write_bytes(b"x")
    (tmp_path / "caf\u00e9").symlink_to(tmp_path / "real")
    os.mkfifo(tmp_path / "fifo")
    for name in ("caf\u00e9", "fifo", "."):
        with pytest.raises(Refused) as caught:
            files.read(tmp_path / name, 5)
        assert caught.value.word == "unreadable"
        assert caught.value.message.startswith(ascii(str(tmp_path / name)))


def test_a_write_is_whole_or_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk leaves what was there, and no draft."""
    path = tmp_path / "a" / "b" / "one"
    files.write(path, b"before")
    assert path.read_bytes() == b"before"

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(Refused, match="No space left on device") as caught:
        files.write(path, b"after")
    assert caught.value.word == "unwritable"
    assert "the old files are unchanged" in caught.value.hint
    assert path.read_bytes() == b"before"
    assert list(path.parent.iterdir()) == [path]


def test_a_write_is_durable_before_it_takes_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file first, then its name: a power cut leaves the old file or the new one."""
    path = tmp_path / "one"
    path.write_bytes(b"before")
    seen: list[tuple[bool, bytes]] = []

    def note(handle: int) -> None:
        status = os.fstat(handle)
        seen.append((os.path.samestat(status, tmp_path.stat()), path.read_bytes()))

    monkeypatch.setattr(os, "fsync", note)
    files.write(path, b"after")
    assert seen == [(False, b"before"), (True, b"after")]


def all_files(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


PARTS = [
    {"slips/1": b"one", "entries/1.sig": b"s1", "entries/1": b"first"},
    {"slips/2": b"two", "entries/2.sig": b"s2", "entries/2": b"second"},
]
WHOLE = {path: data for part in PARTS for path, data in part.items()}


def test_parts_are_there_when_their_last_file_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All bytes are durable before any is there; the first part's other names before its last."""
    synced: list[set[str]] = []
    monkeypatch.setattr(os, "fsync", lambda handle: synced.append(set(all_files(tmp_path))))
    real, named = os.replace, []

    def rename(draft: str, place: str) -> None:
        named.append(place.removeprefix(f"{tmp_path}/"))
        # Six files and, before the entry is named, the two folders.
        assert sum(len(there) == 6 for there in synced) >= (8 if "entries/1" in named else 6)
        real(draft, place)
        seen = {path for path in all_files(tmp_path) if not path.endswith(".part")}
        assert seen == set(named)

    monkeypatch.setattr(os, "replace", rename)
    files.add(tmp_path, PARTS)
    assert named == [*WHOLE]
    assert all_files(tmp_path) == WHOLE
    assert set(WHOLE) == synced[-1]


def test_many_files_wait_for_the_disk_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For all of it, before the first name; then for the folders."""
    waits: list[str] = []
    monkeypatch.setattr(os, "fsync", lambda handle: waits.append("folder"))
    monkeypatch.setattr(os, "sync", lambda: waits.append(f"{len(all_files(tmp_path))} files"))
    (tmp_path / "a").mkdir()
    parts = [{f"a/{number}.sig": b"s", f"a/{number}": b"x"} for number in range(50)]
    files.add(tmp_path, parts)
    assert waits == ["100 files", "folder", "folder"]
    assert len(all_files(tmp_path)) == 100


LEFT = [{"slips/1": b"o", "entries/1.sig": b"s1"}, {"slips/1": b"longer"}, {"slips/2": b"t"}]


@pytest.mark.parametrize("left", LEFT)
def test_what_a_crash_left_is_written_anew(tmp_path: Path, left: dict[str, bytes]) -> None:
    """Half a file, another one, or the very same."""
    for path, data in left.items():
        files.write(tmp_path / path, data)
    files.add(tmp_path, PARTS)
    assert all_files(tmp_path) == WHOLE


def test_no_link_is_written_through(tmp_path: Path) -> None:
    """Where a file is to lie it takes the link's place, and what the link points to stays."""
    (tmp_path / "mine").write_bytes(b"mine")
    (tmp_path / "slips").mkdir()
    (tmp_path / "slips" / "1").symlink_to(tmp_path / "mine")
    files.add(tmp_path, PARTS)
    assert (tmp_path / "mine").read_bytes() == b"mine"
    assert not (tmp_path / "slips" / "1").is_symlink()
    assert all_files(tmp_path) == {"mine": b"mine", **WHOLE}


@pytest.mark.parametrize("call", ["open", "write", "fsync"])
def test_a_full_disk_leaves_no_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    """Wherever it is noticed; the file at fault is named."""
    real, left = getattr(os, call), 4

    def full(*given: Any, **named: Any) -> Any:
        nonlocal left
        left -= 1
        if not left:
            raise OSError(28, "No space left on device")
        return real(*given, **named)

    for folder in ("slips", "entries"):
        (tmp_path / folder).mkdir()
    monkeypatch.setattr(os, call, full)
    with pytest.raises(Refused, match="No space left on device") as caught:
        files.add(tmp_path, PARTS)
    assert f"{tmp_path}/" in caught.value.message
    assert all_files(tmp_path) == {}
    files.add(tmp_path, PARTS)
    assert all_files(tmp_path) == WHOLE


def test_private_files_are_written_for_their_owner(tmp_path: Path) -> None:
    """The folder that is made for one too."""
    files.write(tmp_path / "private" / "secret", b"x", 0o600)
    files.write(tmp_path / "public" / "entry", b"x")
    modes = {
        path.relative_to(tmp_path).as_posix(): path.stat().st_mode & 0o077
        for path in tmp_path.rglob("*")
    }
    assert modes["private"] == modes["private/secret"] == 0
    assert modes["public"] & 0o044 == modes["public/entry"] & 0o044 == 0o044


def test_a_draft_is_hidden_and_never_followed(tmp_path: Path) -> None:
    """Beside its file, under a name that no record has; no link laid there is written through."""
    path = tmp_path / "one"
    assert files.draft_of(path) == tmp_path / ".one.part"
    (tmp_path / "mine").write_bytes(b"mine")
    files.draft_of(path).symlink_to(tmp_path / "mine")
    with pytest.raises(Refused, match="unwritable"):
        files.write(path, b"yours")
    assert (tmp_path / "mine").read_bytes() == b"mine"
    assert not path.exists()


def test_removing_is_of_files(tmp_path: Path) -> None:
    """There or not; a folder is not removed, and that is told."""
    path = tmp_path / "one"
    path.touch()
    files.remove(path)
    files.remove(path)
    assert not path.exists()
    with pytest.raises(Refused, match="unwritable"):
        files.remove(tmp_path)


def test_what_can_only_be_read_is_removed_on_windows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As an object of git's; there a file has to be made writable first."""
    path = tmp_path / "object"
    path.write_bytes(b"blob")
    path.chmod(0o444)
    unlink = Path.unlink

    def strict(path: Path, missing_ok: bool = False) -> None:
        if path.exists() and not path.stat().st_mode & stat.S_IWRITE:
            raise PermissionError(13, "Access is denied")
        unlink(path, missing_ok=missing_ok)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", strict)
        patch.setattr(os, "name", "nt")
        files.remove(path)
        files.remove(path)
    assert not path.exists()


@pytest.mark.parametrize(
    ("system", "command", "taken"),
    [
        ("nt", r'python "C:\my bots\mine.py" -x', ["python", r"C:\my bots\mine.py", "-x"]),
        ("posix", r'python my\ bots/mine.py "-x"', ["python", "my bots/mine.py", "-x"]),
        ("posix", "python 'mine.py", []),
    ],
)
def test_a_command_is_taken_apart_as_a_shell_does(
    system: str, command: str, taken: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On Windows a backslash stays what it is: a part of a path."""
    with monkeypatch.context() as patch:
        patch.setattr(os, "name", system)
        found = files.words(command)
    assert found == taken


@pytest.mark.parametrize("mode", [0o700, 0o500])
def test_a_private_folder_is_nobody_elses(tmp_path: Path, mode: int) -> None:
    """One bit for others is told, with the command that mends it."""
    folder = tmp_path / "my seat"
    folder.mkdir()
    folder.chmod(mode)
    files.check_private(folder)
    for bit in (0o040, 0o020, 0o010, 0o004, 0o002, 0o001):
        folder.chmod(mode | bit)
        with pytest.raises(Refused, match=f"mode {mode | bit:o}") as caught:
            files.check_private(folder)
        assert (caught.value.word, caught.value.hint) == ("open-folder", f"chmod 700 '{folder}'")


def test_a_busy_folder_is_left_to_the_next_command(tmp_path: Path) -> None:
    """Nothing but that one refusal is passed over."""
    with files.locked(tmp_path), files.unless_busy(), files.locked(tmp_path):
        raise AssertionError("the lock was had twice")
    with pytest.raises(Refused, match="malformed"), files.unless_busy():
        raise Refused("malformed", "x")


# A record's folder and private folders: which files they hold.


def test_a_private_folder_that_is_not_there_is_empty(tmp_path: Path) -> None:
    """It is made with its first file."""
    folder = PrivateFolder(tmp_path / "alice.mail" / "early")
    assert folder.paths() == ()
    folder.write("one/two.txt", b"x")
    assert folder.paths() == ("one/two.txt",)


def test_drafts_and_links_are_no_files_of_a_private_folder(tmp_path: Path) -> None:
    """What a crash left half written, and what leads elsewhere."""
    folder = PrivateFolder(tmp_path)
    folder.write("orders/0001-1.toml", b"x")
    (tmp_path / ".mark.part").write_bytes(b"half")
    (tmp_path / "receipts").symlink_to(tmp_path / "orders")
    assert folder.paths() == ("orders/0001-1.toml",)


@pytest.mark.parametrize(("inside", "typed"), [("", "."), ("entries", "..")])
def test_a_record_that_one_stands_in_has_its_host_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, inside: str, typed: str
) -> None:
    """`.` and `..` are the folder of that name, which has neighbours."""
    (tmp_path / "friday" / inside).mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "friday" / inside)
    assert Record(Path(typed)).host == tmp_path / "friday.host"


def test_nothing_lies_beside_the_root_of_a_disk() -> None:
    """So no host keeps a record there."""
    with pytest.raises(Refused, match="bad-option: nothing lies beside '/'"):
        _ = Record(Path("/")).host
