"""The record folder: its only reader and writer.

What belongs here: which files are there, reading them bounded, writing an entry's files in the
order that survives a crash.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from adjudicator.core.source import LIMIT, Files, Parts, read_or_none
from adjudicator.store import files
from orders import names
from orders.errors import Missing, Refused


def _files_below(folder: Path | str, prefix: str) -> Iterator[str]:
    """The regular files in a folder and below it, without the drafts that a crash left."""
    for entry in os.scandir(folder):
        if entry.is_dir(follow_symlinks=False):
            yield from _files_below(entry.path, f"{prefix}{entry.name}/")
        elif entry.is_file(follow_symlinks=False) and not entry.name.endswith(".part"):
            yield prefix + entry.name


class _Folder(Files):
    """The files of a folder, by name: read up to a limit, written with a mode."""

    limit, mode = LIMIT, 0o644

    def __init__(self, root: Path) -> None:
        self.root = root

    def read(self, path: str) -> bytes:
        """The bytes of a file; raises Missing or Refused."""
        try:
            return files.read(f"{self.root}/{path}", self.limit)
        except Missing:
            raise Missing(path) from None

    def add(self, parts: Parts) -> None:
        """Put files in place, of each part the last one last; raises Refused."""
        files.add(self.root, parts, self.mode)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Be the one process that writes here; the folder is made if need be."""
        files.make_folder(self.root, 0o755 if self.mode == 0o644 else 0o700)
        with files.locked(self.root):
            yield


class PrivateFolder(_Folder):
    """The files of a private folder, by name; only their owner may read what is written."""

    limit, mode = 4 * LIMIT, 0o600

    def paths(self) -> tuple[str, ...]:
        """The names of all regular files, sorted, without drafts that a crash left."""
        return tuple(sorted(_files_below(self.root, ""))) if self.root.is_dir() else ()

    def remove(self, path: str) -> None:
        """Remove a file, there or not; raises Refused."""
        files.remove(self.root / path)

    def lines(self, path: str) -> list[str]:
        """The lines of a note; none if it is not there."""
        return (read_or_none(self, path) or b"").decode("utf-8", "replace").splitlines()

    def keep_lines(self, path: str, lines: Iterable[str]) -> None:
        """Keep such lines in place of the last ones, if they are others; raises Refused."""
        kept = list(lines)
        if kept != self.lines(path):
            self.write(path, "".join(f"{line}\n" for line in kept).encode())


class Record(_Folder):
    """A record's folder, whether it is there already or not."""

    def __init__(self, root: Path) -> None:
        # The private folder's name is made from the record's name, so it has one.
        plain = root.name not in ("", "..")
        super().__init__(root if plain else Path(os.path.abspath(root)))  # noqa: PTH100

    @property
    def host(self) -> Path:
        """The host's private folder, which lies beside the record; raises Refused for `/`."""
        if not self.root.name:
            raise Refused("bad-option", f"nothing lies beside {str(self.root)!a}", "name a folder")
        return self.root.with_name(self.root.name + ".host")

    def paths(self) -> tuple[str, ...]:
        """The names of all files, sorted; links, pipes and folders that do not belong there are
        named too, and `read` refuses them. Raises Refused for a folder that cannot be read, and for
        what is none in its place.

        A version control folder (`.git`) is no part of the record.
        """
        return tuple(sorted(self._walk(self.root, "")))

    def _walk(self, folder: Path, prefix: str) -> Iterator[str]:
        try:
            with os.scandir(folder) as scanned:
                inside = {one.name: one.is_dir(follow_symlinks=False) for one in scanned}
        except OSError as error:
            raise Refused("unreadable", f"{str(folder)!a}: {error.strerror}") from None
        for name, is_folder in inside.items():
            path = prefix + name
            if path == ".git":
                continue
            if path not in names.FOLDERS:
                yield path
            elif is_folder:
                yield from self._walk(folder / name, f"{name}/")
            else:
                raise names.no_folder(name)

    def read(self, path: str) -> bytes:
        """The bytes of a file; raises Missing, or Refused `unreadable` for what is no regular file
        that can be read, also where a folder on its path is a link."""
        folder, inside, _ = path.partition("/")
        if inside and os.path.islink(f"{self.root}/{folder}"):  # noqa: PTH114 - read often
            raise names.no_folder(folder)
        return super().read(path)

    def last_step(self) -> int | None:
        """The number of the last entry of a record without gaps; None before genesis.

        It is found by halving, so that a step costs no more late in a game than early. Records with
        gaps are the verifier's business.
        """
        if not self._has_entry(0):
            return None
        low, high = 0, 1
        while self._has_entry(high):
            low, high = high, high * 2
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self._has_entry(middle) else (low, middle)
        return low

    def _has_entry(self, step: int) -> bool:
        return os.path.lexists(f"{self.root}/{names.entry(step)}")

    def clear_step(self, step: int, players: Iterable[str]) -> tuple[str, ...]:
        """Remove what a crash left of a step that has no entry; returns the names removed."""
        gone = []
        entry = names.entry(step)
        paths = [names.signature(entry)]
        for player in players:
            for path in (form(step, player) for form in (names.slip, names.seat, names.consent)):
                paths += [path, names.signature(path)]
            paths += [names.sealed_order(step, player), names.report(step, player)]
        for path in paths:
            folder, _, name = path.rpartition("/")
            for file in (path, f"{folder}/{files.draft_name(name)}"):
                if os.access(f"{self.root}/{file}", os.F_OK):
                    files.remove(self.root / file)
                    gone.append(file)
        files.remove(files.draft_of(self.root / entry))
        return tuple(gone)

    def clear_joins(self, kept: Iterable[str]) -> None:
        """Before genesis: remove the joins that a crash left, but keep those named."""
        wanted = {self.root / path for path in kept}
        for file in (self.root / "joins").glob("*"):
            if file not in wanted:
                files.remove(file)
