"""A record in a commit, read from git's objects and never checked out.

It reads trees and blobs in a few processes, bounded. A link, a submodule or a misplaced folder is
named, never followed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from adjudicator.core.source import LIMIT
from adjudicator.git.objects import FOLDER, Item, read_tree
from adjudicator.git.process import Repo
from adjudicator.git.reading import lasting, read_objects, read_small, resolve
from adjudicator.store.record import FOLDERS
from orders import names
from orders.errors import Missing, Refused

REGULAR = ("100644", "100755")
"""The modes of plain files."""

LINK = "120000"
"""The mode of a symbolic link."""


@dataclass(frozen=True)
class Tree:
    """The files of a commit by path, as a record's `Source`.

    `folders` holds every folder that was read; "" is the root.
    """

    repo: Repo
    commit: str
    folders: Mapping[str, Mapping[str, Item]]
    _held: dict[str, bytes] = field(default_factory=dict, repr=False, compare=False)

    @staticmethod
    def open(repo: Repo, commit: str) -> Tree:
        """The tree of a commit; raises Refused. Trees that were read lately are kept."""
        return _open(repo, commit)

    def items(self) -> dict[str, Item]:
        """Every file of the record by path; links and other things that are no regular files
        too."""
        return {
            f"{folder}/{name}" if folder else name: item
            for folder, inside in self.folders.items()
            for name, item in inside.items()
            if folder or not (name in self.folders or name in names.BESIDE)
        }

    def paths(self) -> tuple[str, ...]:
        """The names of all files, sorted, also those beside the record; raises Refused for a link
        in the place of a file or a folder of the record."""
        items = self.items()
        for path, item in items.items():
            if item.mode == LINK and (path in FOLDERS or names.is_ours(path)):
                raise names.linked(path)
        return tuple(sorted([*items, *self.beside()]))

    def beside(self) -> dict[str, Item]:
        """The names at the root that are no part of the record."""
        return {name: item for name, item in self.folders[""].items() if name in names.BESIDE}

    def item(self, path: str) -> Item | None:
        """The item at a path of the record; None if there is none."""
        folder, _, name = path.rpartition("/")
        return self.folders.get(folder, {}).get(name)

    def last_step(self) -> int | None:
        """The number of the last entry; None before genesis."""
        parsed = (names.parse(f"entries/{name}") for name in self.folders.get("entries", {}))
        return max((name.step for name in parsed if name and not name.signature), default=None)

    def prefetch(self, paths: Iterable[str] | None = None) -> None:
        """Read many files at once; without `paths` all of them."""
        items = self.items()
        chosen = items if paths is None else {path: items[path] for path in paths if path in items}
        wanted = {
            path: item.id
            for path, item in chosen.items()
            if item.mode in REGULAR and path not in self._held
        }
        data = read_small(self.repo, wanted.values(), LIMIT)
        for path, one in wanted.items():
            if one in data:
                self._held[path] = data[one]

    def read(self, path: str) -> bytes:
        """The bytes of a file; raises Missing or Refused."""
        if path in self._held:
            return self._held[path]
        item = self.item(path)
        if item is None:
            raise Missing(path)
        if item.mode not in REGULAR:
            raise Refused("unreadable", f"{path} is no regular file")
        self.prefetch([path])
        if path not in self._held:
            raise Refused("too-big", f"{path} is larger than {LIMIT} bytes, or not here")
        return self._held[path]


@lru_cache(maxsize=4)
def _open(repo: Repo, commit: str) -> Tree:
    """Cached, as a commit never changes."""
    algorithm = repo.algorithm
    wanted = [f"{commit}^{{tree}}", *(f"{commit}:{name}" for name in FOLDERS)]
    found = read_objects(repo, wanted)
    if found[0] is None:
        raise Refused("git", f"there is no commit {commit[:12]}")
    root = read_tree(found[0], algorithm)
    folders: dict[str, Mapping[str, Item]] = {"": root}
    for name, data in zip(FOLDERS, found[1:], strict=True):
        if data is not None and root[name].mode == FOLDER:
            folders[name] = read_tree(data, algorithm)
    return Tree(repo, commit, folders)


@lasting()
def record_at(root: Path, revision: str) -> Tree:
    """The record in a repository as it was at a revision; raises Refused."""
    repo = Repo(root.absolute())
    commit = resolve(repo, revision)
    if commit is None:
        raise Refused(
            "git",
            f"{revision!a:.80} is no commit of the repository in {str(root)!a}",
            "adjudicator git works on clones; git log --oneline lists the commits",
        )
    tree = Tree.open(repo, commit)
    tree.prefetch()
    return tree
