"""Reading git's objects: looks up names and reads bytes by processes that last for a command.

It asks `git cat-file` and parses the answers. Objects that others write meanwhile are found,
because git looks again for missing ones. No object is read before its size is known: a few bytes
in a pack can stand for gigabytes. What it must not know: what objects mean, but for who signed a
commit.
"""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from adjudicator.git import process
from adjudicator.git.objects import Commit, read_commit
from adjudicator.git.process import GitFailed, Repo
from orders.errors import Refused
from orders.public_key import PublicKey

LARGEST = 2**23
"""The most bytes of an object that is read."""

MOST = 2**26
"""The most bytes of all objects that are read at once."""

_PORTION = 4096
"""So many bytes of names are asked for at once. Every system's pipe holds them, so git can take
them while nobody reads its answers yet."""


@dataclass(frozen=True, slots=True)
class GitObject:
    """An object: its id, its kind (`blob`, `tree`, `commit` or `tag`), its size in bytes.

    `data`: its bytes, if they were asked for.
    """

    id: str
    kind: str
    size: int
    data: bytes


_READERS: ContextVar[dict[tuple[Repo, str], _Reader] | None] = ContextVar("readers", default=None)


@contextmanager
def lasting() -> Iterator[None]:
    """All questions inside this block share two processes for each repository, which end with the
    block.

    Outside, each question has a process of its own.
    """
    if _READERS.get() is not None:
        yield
        return
    token = _READERS.set({})
    try:
        yield
    finally:
        rest()
        _READERS.reset(token)


def look_up(repo: Repo, names: Sequence[str]) -> list[GitObject | None]:
    """The object of each name (an id, a revision or `COMMIT:PATH`), None if there is none; raises
    GitFailed."""
    return _ask(repo, "--batch-check", names)


def resolve(repo: Repo, revision: str) -> str | None:
    """The full id of the commit that a revision names; None if there is none."""
    if revision.startswith("-") or not revision.isprintable() or not revision:
        return None
    try:
        found = look_up(repo, [f"{revision}^{{commit}}"])[0]
    except GitFailed:
        return None
    return None if found is None else found.id


def sizes(repo: Repo, ids: Sequence[str]) -> dict[str, int]:
    """The sizes in bytes of the objects that are there."""
    return {found.id: found.size for found in look_up(repo, ids) if found is not None}


def blob_ids(repo: Repo, names: Sequence[str]) -> dict[str, str]:
    """The ids of blobs named `COMMIT:PATH`; "" if there is none."""
    found = zip(names, look_up(repo, names), strict=True)
    return {name: one.id if one is not None and one.kind == "blob" else "" for name, one in found}


@lasting()
def read_objects(repo: Repo, names: Sequence[str], most: int = LARGEST) -> list[bytes | None]:
    """The bytes of each object, None if it is not there or larger than `most`.

    Raises GitFailed, and Refused if all together have more than MOST bytes.
    """
    found = look_up(repo, names)
    wanted = {one.id: one.size for one in found if one is not None and one.size <= most}
    if sum(wanted.values()) > MOST:
        raise Refused("too-big", f"{len(wanted)} objects have more than {MOST} bytes together")
    read = {one.id: one.data for one in _ask(repo, "--batch", list(wanted)) if one is not None}
    return [None if one is None else read.get(one.id) for one in found]


def read_small(repo: Repo, ids: Iterable[str], most: int) -> dict[str, bytes]:
    """The bytes of those objects that are there and have at most so many."""
    asked = sorted(set(ids))
    data = zip(asked, read_objects(repo, asked, most), strict=True)
    return {one: found for one, found in data if found is not None}


def signed_commit(repo: Repo, commit: str, key: PublicKey) -> Commit:
    """A commit that is signed by that key; raises Refused for any other."""
    found = read_commit(read_objects(repo, [commit])[0] or b"", repo.algorithm)
    found.check(key)
    return found


def is_by(repo: Repo, commit: str, key: PublicKey) -> bool:
    """Whether a commit is signed by that key."""
    try:
        signed_commit(repo, commit, key)
    except Refused:
        return False
    return True


def rest(repo: Repo | None = None) -> None:
    """End the shared processes (of that repository alone); the next question starts new ones."""
    readers = _READERS.get() or {}
    for key in [key for key in readers if repo is None or key[0] == repo]:
        readers.pop(key).end()


@lasting()
def _ask(repo: Repo, option: str, names: Sequence[str]) -> list[GitObject | None]:
    readers, key = _READERS.get(), (repo, option)
    assert readers is not None  # noqa: S101 - as `lasting` sets it
    if not names:
        return []
    if key in readers and readers[key].old():
        readers.pop(key).end()
    if key not in readers:
        readers[key] = _Reader(repo, option)
    try:
        return readers[key].ask(names)
    except BaseException:
        # An unread answer would be taken for that of the next question.
        readers.pop(key).end()
        raise


class _Reader:
    """One `git cat-file`. It is ended after LOCAL_SECONDS, and asked in the first half of them."""

    def __init__(self, repo: Repo, option: str) -> None:
        self.whole = option == "--batch"
        self.said = tempfile.TemporaryFile()  # noqa: SIM115 - `end` closes it
        try:
            self.process = process.start(repo, ("cat-file", option), self.said)
        except BaseException:
            self.said.close()
            raise
        self.began = time.monotonic()
        self.late = False
        self.timer = threading.Timer(process.LOCAL_SECONDS, self._stop)
        self.timer.daemon = True
        self.timer.start()

    def _stop(self) -> None:
        self.late = True
        self.process.kill()

    def old(self) -> bool:
        """Whether another one should be asked."""
        return time.monotonic() - self.began > process.LOCAL_SECONDS / 2

    def end(self) -> None:
        """End the process, whatever it does: it only reads."""
        self.timer.cancel()
        self.timer.join()
        self.process.kill()
        self.process.communicate()
        self.said.close()

    def ask(self, names: Sequence[str]) -> list[GitObject | None]:
        """The answers, in the order of the names; raises GitFailed."""
        try:
            return [found for some in _portions(names) for found in self._answers(some)]
        except (EOFError, OSError):
            code = self.process.wait()
            said = process.said_in(self.said)
            raise process.failed(["cat-file"], None if self.late else code, said) from None

    def _answers(self, names: Sequence[str]) -> Iterator[GitObject | None]:
        given, taken = self.process.stdin, self.process.stdout
        assert given is not None  # noqa: S101 - both are pipes
        assert taken is not None  # noqa: S101
        given.write("".join(f"{name}\n" for name in names).encode())
        given.flush()
        for _ in names:
            line = taken.readline()
            if not line:
                raise EOFError
            words = line.decode("utf-8", "replace").rsplit(maxsplit=2)
            if len(words) != 3 or not words[2].isdigit():
                yield None
                continue
            size = int(words[2])
            data = taken.read(size + 1) if self.whole else b""
            if self.whole and len(data) <= size:
                raise EOFError
            yield GitObject(words[0], words[1], size, data[:-1])


def _portions(names: Sequence[str]) -> Iterator[list[str]]:
    some: list[str] = []
    length = 0
    for name in names:
        length += len(name.encode()) + 1
        if some and length > _PORTION:
            yield some
            some, length = [], len(name.encode()) + 1
        some.append(name)
    yield some
