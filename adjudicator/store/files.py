"""Reading and writing single files, so that no link is followed and no file is half written.

Only regular files are read, up to a limit, and never through a symbolic link. Writes are atomic and
durable: a file is there whole or not at all, even if the machine stops.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from orders.errors import Missing, Refused, pasteable

_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
_NO_WAIT = getattr(os, "O_NONBLOCK", 0)
_BINARY = getattr(os, "O_BINARY", 0)
_MANY = 20
"""Up to so many files are made durable one by one. More of them are made durable by one sync of the
whole file system."""


def read(path: Path | str, limit: int) -> bytes:
    """The bytes of a regular file, `limit` at the most; raises Missing or Refused."""
    try:
        # Non-blocking, because opening a FIFO would hang before anybody knows that it is one.
        handle = os.open(path, os.O_RDONLY | _NO_FOLLOW | _NO_WAIT | _BINARY)
    except (FileNotFoundError, NotADirectoryError):
        raise Missing(ascii(str(path))) from None
    except OSError as error:
        why = "it is a link, which is not followed" if Path(path).is_symlink() else error.strerror
        raise Refused("unreadable", f"{str(path)!a}: {why}") from None
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            what = "a folder, and no file" if stat.S_ISDIR(status.st_mode) else "no regular file"
            raise Refused("unreadable", f"{str(path)!a} is {what}")
        if status.st_size > limit:
            raise Refused("too-big", f"{str(path)!a} is larger than {limit} bytes")
        # If the file grows meanwhile, only the size that it had when it was opened is read.
        data = os.read(handle, status.st_size)
        while len(data) < status.st_size and (part := os.read(handle, status.st_size - len(data))):
            data += part
    except OSError as error:
        raise Refused("unreadable", f"{str(path)!a}: {error.strerror}") from None
    else:
        return data
    finally:
        os.close(handle)


def write(path: Path, data: bytes, mode: int = 0o644) -> None:
    """Put a file in place, atomically and durably; its folder is made if need be.

    Raises Refused `unwritable`, for a full disk too; then the old file is still there.
    """
    add(path.parent, [{path.name: data}], mode)


def add(root: Path, parts: Sequence[Mapping[str, bytes]], mode: int = 0o644) -> None:
    """Put files in place below a folder, part after part, durably; folders are made if need be.

    The last file of a part takes its place only when the rest of the part and all earlier parts are
    there, and the bytes of every part are durable: all are written as drafts, made durable, and
    then named in their order. Before that, some other files of the first part may be there, so only
    the last one counts; nothing of a later part is there before its turn. Raises Refused
    `unwritable`, for a full disk too; then no part is there. Only if the disk fails while the names
    are given, the files named so far are there, each whole.
    """
    place, folders = str(root), dict[str, None]()
    drafts: dict[str, str] = {}
    handles: list[int] = []
    many = sum(map(len, parts)) > _MANY and os.name != "nt"
    try:
        for path, data in (item for part in parts for item in part.items()):
            folder, _, name = f"{root}/{path}".rpartition("/")
            place, draft = f"{folder}/{name}", f"{folder}/{draft_name(name)}"
            folders[folder] = None
            handles.append(_open_draft(draft, mode))
            drafts[draft] = place
            done = os.write(handles[-1], data)
            while done < len(data):
                done += os.write(handles[-1], data[done:])
            if many:
                os.close(handles.pop())
        if many:
            os.sync()
        for handle in handles:
            os.fsync(handle)
        while handles:
            # Windows renames no open file.
            os.close(handles.pop())
        others = len(parts[0]) - 1
        for number, draft in enumerate(list(drafts)):
            if number == others > 0:
                sync_folder(*folders)
            place = drafts[draft]
            os.replace(draft, place)  # noqa: PTH105 - called often
            del drafts[draft]
        sync_folder(*folders)
    except OSError as error:
        raise Refused(
            "unwritable",
            f"{place!a}: {error.strerror}",
            "the old files are unchanged; see to the disk or the folder, then do the same again",
        ) from error
    finally:
        for handle in handles:
            os.close(handle)
        for draft in drafts:
            with contextlib.suppress(OSError):
                os.unlink(draft)  # noqa: PTH108 - as above


def _open_draft(draft: str, mode: int) -> int:
    """A file to be written, empty; its folder is made if need be."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | _NO_FOLLOW | _BINARY
    try:
        return os.open(draft, flags, mode)
    except FileNotFoundError:
        make_folder(Path(draft).parent, 0o755 if mode == 0o644 else 0o700)
        return os.open(draft, flags, mode)


def remove(path: Path) -> None:
    """Remove a file, there or not; raises Refused `unwritable`."""
    try:
        if os.name == "nt":
            # What git wrote can only be read, and Windows removes no such file.
            with contextlib.suppress(FileNotFoundError):
                path.chmod(stat.S_IWRITE)
        path.unlink(missing_ok=True)
    except OSError as error:
        raise Refused("unwritable", f"{str(path)!a}: {error.strerror}") from error


def draft_name(name: str) -> str:
    """What a file is called before it takes its place, in the same folder."""
    return f".{name}.part"


def draft_of(path: Path) -> Path:
    """Where a file is written before it takes its place; only the holder of the folder's lock
    writes."""
    return path.with_name(draft_name(path.name))


def relative(path: Path, folder: Path) -> str:
    """How a path is noted in a private folder of a game, so that all games may move: relative to
    that folder if it lies with the games, directly in it, in the folder that holds them all or
    beside that; else absolute, as for what is in `~/.ssh` while games are in `~`."""
    place, root = path.absolute(), folder.resolve()
    place = place.parent.resolve() / place.name
    with_games = place.parent in (root, root.parent, root.parent.parent)
    return Path(os.path.relpath(place, root)).as_posix() if with_games else str(place)


def noted(text: str, folder: Path) -> Path:
    """The path that was noted so in that folder."""
    return Path(os.path.normpath(folder.resolve() / text))


def is_own(path: Path) -> bool:
    """Whether a file or folder belongs to this user, where the system can tell."""
    return os.name != "posix" or path.stat().st_uid == os.getuid()


def words(command: str) -> list[str]:
    """The words of a command, as a shell takes them apart; none if it leaves a quote open. On
    Windows a backslash is a part of paths and quotes nothing."""
    import shlex

    with contextlib.suppress(ValueError):
        return shlex.split(command.replace("\\", "\\\\") if os.name == "nt" else command)
    return []


def make_folder(path: Path, mode: int = 0o755) -> None:
    """Make a folder and those above it, durably."""
    if os.path.isdir(path):  # noqa: PTH112 - called often
        return
    make_folder(path.parent, mode)
    path.mkdir(mode=mode, exist_ok=True)
    sync_folder(path.parent)


def sync_folder(*paths: Path | str) -> None:
    """Make folders' lists of files durable; does nothing on systems that cannot open folders."""
    for path in paths if os.name != "nt" else ():
        handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def check_private(folder: Path) -> None:
    """Raise Refused for a folder of secrets that others may enter (Windows has no such modes)."""
    if os.name == "nt":
        return
    mode = stat.S_IMODE(folder.stat().st_mode)
    if mode & 0o077:
        raise Refused(
            "open-folder",
            f"{str(folder)!a} holds secrets and is open to others (mode {mode:o})",
            f"chmod 700 {pasteable(folder)}",
        )


@contextmanager
def unless_busy() -> Iterator[None]:
    """Skip this work if another process holds the lock: the next command can do it as well."""
    try:
        yield
    except Refused as error:
        if error.word != "busy":
            raise


@contextmanager
def locked(folder: Path, waits: Callable[[str], None] | None = None) -> Iterator[None]:
    """Be the one process that writes in a folder; if another holds the lock, raises Refused `busy`,
    or `waits` is told so, and its end is waited for.

    Windows has no lock of this kind. A player's copy is used by one person, and hosts are told so.
    """
    if os.name == "nt":
        yield
        return
    import fcntl

    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            busy = f"another process is working in {str(folder)!a}"
            if waits is None:
                raise Refused("busy", busy, "try again when it is done") from None
            waits(f"{busy}: waiting for its end")
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
