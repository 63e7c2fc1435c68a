"""Files by name: what the core reads from, whether they lie in a folder, a pack or in memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from types import MappingProxyType
from typing import Protocol

from orders import names
from orders.errors import Missing
from orders.sshsig import Signed

LIMIT = 2**20
"""The most bytes of any file of a record."""

Parts = Sequence[Mapping[str, bytes]]
"""Files to be put in place, part after part, in the order of each part."""


class Source(Protocol):
    """Files by name: a record's folder, a pack, or files in memory."""

    def paths(self) -> tuple[str, ...]:
        """The names of all files, sorted; links and other things that are no regular files are
        named too."""

    def read(self, path: str) -> bytes:
        """The bytes of a file; raises Missing or Refused."""


class Files(Source, Protocol):
    """Files that can be written too: a folder, or files in memory."""

    def write(self, path: str, data: bytes) -> None:
        """Put a file in place, whole or not at all; raises Refused."""
        self.add([{path: data}])

    def add(self, parts: Parts) -> None:
        """Put files in place, part after part; raises Refused.

        Whenever the process ends, the last file of a part is there only if the whole part is. Some
        of the others may be there before it.
        """

    def locked(self) -> AbstractContextManager[None]:
        """Be the only one who writes; raises Refused `busy`."""


class MemoryFiles:
    """Files in memory."""

    def __init__(self, held: Mapping[str, bytes]) -> None:
        self.held = held

    def paths(self) -> tuple[str, ...]:
        """The names of all files, sorted."""
        return tuple(sorted(self.held))

    def read(self, path: str) -> bytes:
        """The bytes of a file; raises Missing."""
        if path not in self.held:
            raise Missing(path)
        return self.held[path]


class ListedFiles(Files):
    """Files whose names are looked up once, for one command that may take in many entries."""

    def __init__(self, base: Files) -> None:
        self.base = base
        self.known: tuple[str, ...] | None = None

    def paths(self) -> tuple[str, ...]:
        """The names of all files, sorted."""
        if self.known is None:
            self.known = self.base.paths()
        return self.known

    def read(self, path: str) -> bytes:
        """The bytes of a file; raises Missing or Refused."""
        return self.base.read(path)

    def add(self, parts: Parts) -> None:
        """Put files in place."""
        known = self.known or ()
        if not all(path in known for part in parts for path in part):
            self.known = None
        self.base.add(parts)

    def locked(self) -> AbstractContextManager[None]:
        """Be the only one who writes."""
        return self.base.locked()


class Overlay:
    """Files in memory in front of a source, so that they are checked before anything is written."""

    def __init__(self, base: Source, held: Mapping[str, bytes]) -> None:
        self.base = base
        self.held = held

    def paths(self) -> tuple[str, ...]:
        """The names of all files of both, sorted."""
        return tuple(sorted({*self.base.paths(), *self.held}))

    def read(self, path: str) -> bytes:
        """The bytes of a file; raises Missing or Refused."""
        return self.held[path] if path in self.held else self.base.read(path)


class StagedFiles(Files):
    """Files held in front of others until all of them are put in place at once.

    A file that is there is read once: in a record none changes. That one is not there is asked
    again, as another process may have put it there.
    """

    def __init__(self, base: Files) -> None:
        self.base = base
        self.held: dict[str, bytes] = {}
        self.parts: list[Mapping[str, bytes]] = []
        self.seen: dict[str, bytes] = {}

    def paths(self) -> tuple[str, ...]:
        """The names of all files of both, sorted."""
        return tuple(sorted({*self.base.paths(), *self.held}))

    def read(self, path: str) -> bytes:
        """The bytes of a file; raises Missing or Refused."""
        if path in self.held:
            return self.held[path]
        if path not in self.seen:
            self.seen[path] = self.base.read(path)
        return self.seen[path]

    def add(self, parts: Parts) -> None:
        """Hold files until `flush`."""
        for part in parts:
            self.parts.append(part)
            self.held.update(part)

    def locked(self) -> AbstractContextManager[None]:
        """Be the only one who writes."""
        return self.base.locked()

    def flush(self) -> None:
        """Put all in place; raises Refused."""
        parts = list(self.parts)
        self.parts.clear()
        for path in self.held:
            # Only a report that was damaged is written again.
            self.seen.pop(path, None)
        self.held.clear()
        if parts:
            self.base.add(parts)


def signed(source: Source, path: str) -> Signed:
    """A file with its detached signature, not yet verified; raises Missing or Refused.

    A source gives bytes and nothing else: whether a signature holds is decided here, never there.
    """
    return Signed(source.read(path), source.read(names.signature(path)))


def read_or_none(source: Source, path: str) -> bytes | None:
    """The bytes of a file, None if it is not there; raises Refused."""
    try:
        return source.read(path)
    except Missing:
        return None


def append(
    files: Files,
    path: str,
    file: Signed,
    named: Mapping[str, bytes],
    earlier: Mapping[str, bytes] = MappingProxyType({}),
) -> None:
    """Add an entry (or invite): first the files that it names, then its signature, then itself.

    So an entry that is there is whole, wherever the process was stopped. `earlier`: files that
    older entries name; each of them is there whole or not at all.
    """
    whole = [{other: data} for other, data in earlier.items()]
    files.add([*whole, {**named, names.signature(path): file.signature, path: file.data}])
