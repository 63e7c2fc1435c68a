"""Reading and writing single files, so that no link is followed and no file is half written.

Only regular files are read, up to a limit, and never through a symbolic link. Writes are atomic and
durable: a file is there whole or not at all, even if the machine stops.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from orders.errors import Missing, Refused, pasteable

_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
_NO_WAIT = getattr(os, "O_NONBLOCK", 0)
_BINARY = getattr(os, "O_BINARY", 0)


def read(path: Path | str, limit: int) -> bytes:
    """The bytes of a regular file, `limit` at the most; raises Missing or Refused."""
    try:
        # Without waiting: a FIFO would hang the reader before anybody knows that it is one.
        handle = os.open(path, os.O_RDONLY | _NO_FOLLOW | _NO_WAIT | _BINARY)
    except (FileNotFoundError, NotADirectoryError):
        raise Missing(ascii(str(path))) from None
    except OSError as error:
        raise Refused("unreadable", f"{str(path)!a}: {error.strerror}") from None
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise Refused("unreadable", f"{str(path)!a} is no regular file")
        if status.st_size > limit:
            raise Refused("too-big", f"{str(path)!a} is larger than {limit} bytes")
        # A file that grows meanwhile is read up to the size that it had when it was opened.
        data = os.read(handle, status.st_size)
        while len(data) < status.st_size and (part := os.read(handle, status.st_size - len(data))):
            data += part
        return data
    finally:
        os.close(handle)


def write(path: Path, data: bytes, mode: int = 0o644, *, durably: bool = True) -> None:
    """Put a file in place, atomically and durably; its folder is made if need be.

    Without `durably` the file survives the end of the program, and a stop of the machine only after
    `flush`. Raises Refused `unwritable`, for a full disk too; then the old file is still there.
    """
    try:
        _write(path, data, mode, durably=durably)
    except OSError as error:
        raise Refused(
            "unwritable",
            f"{str(path)!a}: {error.strerror}",
            "that file is as it was; see to the disk or the folder, then do the same again",
        ) from error


def flush() -> None:
    """Make durable whatever was written."""
    if os.name != "nt":
        os.sync()


def _write(path: Path, data: bytes, mode: int, *, durably: bool) -> None:
    make_folder(path.parent, 0o755 if mode == 0o644 else 0o700)
    draft = draft_of(path)
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | _NO_FOLLOW | _BINARY, mode)
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
            out.flush()
            if durably:
                os.fsync(out.fileno())
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    if durably:
        sync_folder(path.parent)


def remove(path: Path) -> None:
    """Remove a file, there or not; raises Refused `unwritable`."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise Refused("unwritable", f"{str(path)!a}: {error.strerror}") from error


def draft_of(path: Path) -> Path:
    """Where a file is written before it takes its place; only the holder of the folder's lock
    writes."""
    return path.with_name(f".{path.name}.part")


def make_folder(path: Path, mode: int = 0o755) -> None:
    """Make a folder and those above it, durably."""
    if path.is_dir():
        return
    make_folder(path.parent, mode)
    path.mkdir(mode=mode, exist_ok=True)
    sync_folder(path.parent)


def sync_folder(path: Path) -> None:
    """Make durable which files a folder holds; does nothing where folders cannot be opened."""
    if os.name == "nt":
        return
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
def locked(folder: Path) -> Iterator[None]:
    """Be the one process that writes in a folder; raises Refused `busy` where another is.

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
            raise Refused(
                "busy",
                f"another process is working in {str(folder)!a}",
                "try again when it is done",
            ) from None
        yield
    finally:
        os.close(handle)
