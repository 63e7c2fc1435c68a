"""A record in a commit, read from git's objects and never checked out; and what lies beside it.

A record is two levels deep: its folders, and the files in them. So just these two levels are read,
however deep a tree is, and a thing that belongs nowhere (a link, a submodule, a folder in a folder)
is named as one item and never entered: ten times the same subtree, nine deep, is two kilobytes to
push and a thousand million files to list. What lies beside the record (`.github`, a page) may be
deeper, and is read within limits.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from adjudicator.core.source import LIMIT
from adjudicator.git import objects
from adjudicator.git.objects import FOLDER, Item
from adjudicator.git.process import Repo
from orders import names
from orders.errors import Missing, Refused

REGULAR = ("100644", "100755")
"""The modes of plain files."""

LARGEST = 3 * 2**19
"""The most bytes of a commit's root and its record's folders: some 35,000 files, as eight players
leave after 1,300 steps."""

KEPT = 2**25
"""So many bytes of files are kept in memory; what is beyond is read when it is asked for."""

MOST_BESIDE = 200
"""So many files beside a record are read,"""

DEEPEST = 4
"""so many folders deep,"""

LARGEST_BESIDE = 2**20
"""each with so many bytes,"""

ALL_BESIDE = 2**24
"""and so many together."""

_FOLDER_BESIDE = 2**14
"""The most bytes of one of its folders."""


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
    @lru_cache(maxsize=4)
    def open(repo: Repo, commit: str) -> Tree:
        """The tree of a commit; raises Refused. Those that were read lately are kept, as a commit
        never changes."""
        wanted = [f"{commit}^{{tree}}", *(f"{commit}:{name}" for name in names.FOLDERS)]
        found = objects.look_up(repo, wanted)
        if found[0] is None:
            raise Refused("git", f"there is no commit {commit[:12]}")
        trees = {
            name: one
            for name, one in zip(("", *names.FOLDERS), found, strict=True)
            if one is not None and one.kind == "tree"
        }
        if sum(one.size for one in trees.values()) > LARGEST:
            raise Refused(
                "too-big", f"the folders in commit {commit[:12]} have more than {LARGEST} bytes"
            )
        data = objects.read_objects(repo, [one.id for one in trees.values()])
        folders = {
            name: objects.read_tree(one or b"", repo.algorithm)
            for name, one in zip(trees, data, strict=True)
        }
        return Tree(repo, commit, folders)

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
        """The names of all files, sorted, also those beside the record; raises Refused for what is
        no folder in the place of one."""
        items = self.items()
        for name in names.FOLDERS:
            if name in items:
                raise names.no_folder(name)
        return tuple(sorted([*items, *_beside(self.folders[""])]))

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
        left = KEPT - sum(map(len, self._held.values()))
        size = objects.sizes(self.repo, sorted(set(wanted.values())))
        ids = {
            path: one
            for path, one in wanted.items()
            if size.get(one, LIMIT + 1) <= LIMIT and (left := left - size[one]) >= 0
        }
        data = objects.read_small(self.repo, ids.values(), LIMIT)
        self._held.update((path, data[one]) for path, one in ids.items() if one in data)

    def read(self, path: str) -> bytes:
        """The bytes of a file; raises Missing or Refused."""
        if path in self._held:
            return self._held[path]
        item = self.item(path)
        if item is None:
            raise Missing(path)
        if item.mode not in REGULAR:
            raise Refused("unreadable", f"{path} is no regular file")
        data = objects.read_small(self.repo, [item.id], LIMIT).get(item.id)
        if data is not None:
            return data
        if item.id in objects.sizes(self.repo, [item.id]):
            raise Refused("too-big", f"{path} is larger than {LIMIT} bytes")
        raise Refused("unreadable", f"{path}: this repository does not hold {item.id}")

    def foreign(self) -> tuple[str, ...]:
        """What belongs to no record and does not lie beside one either, `shortened`."""
        known = {names.ATTRIBUTES}
        return shortened(
            path for path in self.items() if names.parse(path) is None and path not in known
        )


@dataclass(frozen=True, slots=True)
class FilesBeside:
    """The plain files beside a record in a commit, by path, whose names a folder can hold.

    `left`: the names of what is there beyond the limits, escaped, at most five and a count.
    """

    files: Mapping[str, bytes]
    left: tuple[str, ...] = ()


def _beside(root: Mapping[str, Item]) -> dict[str, Item]:
    return {name: item for name, item in root.items() if name in names.BESIDE}


def root_beside(repo: Repo, commit: str) -> dict[str, Item]:
    """What lies beside the record at the root of a commit, whatever else is there; nothing if the
    root is too large."""
    data = objects.read_objects(repo, [f"{commit}^{{tree}}"], LARGEST)[0]
    return _beside(objects.read_tree(data or b"", repo.algorithm))


def beside_at(repo: Repo, commit: str | None) -> FilesBeside:
    """What lies beside the record in a commit; None: nothing."""
    if commit is None:
        return FilesBeside({})
    found: dict[str, str] = {}
    left: list[str] = []
    waiting = root_beside(repo, commit)
    for depth in range(DEEPEST + 1):
        folders = {path: item.id for path, item in waiting.items() if item.mode == FOLDER}
        for path, item in waiting.items():
            if item.mode in REGULAR and len(found) < MOST_BESIDE:
                found[path] = item.id
            elif item.mode in REGULAR:
                left.append(path)
        if depth == DEEPEST or len(folders) > MOST_BESIDE:
            left += folders
            break
        trees = objects.read_small(repo, folders.values(), _FOLDER_BESIDE)
        left += [path for path, one in folders.items() if one not in trees]
        waiting = {
            f"{folder}/{name}": item
            for folder, one in folders.items()
            for name, item in objects.read_tree(trees.get(one, b""), repo.algorithm).items()
            if not {"/", "\\"} & set(name) and name.lower() not in ("", ".", "..", ".git")
        }
    size = objects.sizes(repo, sorted(set(found.values())))
    room = ALL_BESIDE
    small = {}
    for path, one in found.items():
        if size.get(one, room + 1) <= min(LARGEST_BESIDE, room):
            small[path] = one
            room -= size[one]
    data = objects.read_small(repo, small.values(), LARGEST_BESIDE)
    left += [path for path in found if path not in small]
    return FilesBeside({path: data[one] for path, one in small.items()}, shortened(left))


def shortened(paths: Iterable[str]) -> tuple[str, ...]:
    """Names for people, escaped: at most five of them, and how many more there are."""
    found = sorted(paths)
    more = [f"and {len(found) - 5} more"] if len(found) > 5 else []
    return (*(ascii(path)[1:-1] for path in found[:5]), *more)


@objects.lasting()
def record_at(root: Path, revision: str | None) -> Tree:
    """The record in a repository as it was at a revision (None: on main, or at HEAD if there is no
    main); raises Refused."""
    repo = Repo(root.absolute())
    wanted = ["refs/heads/main", "HEAD"] if revision is None else [revision]
    commit = next((found for one in wanted if (found := objects.resolve(repo, one))), None)
    if commit is None:
        raise Refused(
            "git",
            f"{wanted[0]!a:.80} is no commit of the repository in {str(root)!a}",
            "--at works on clones; git log --oneline lists the commits",
        )
    tree = Tree.open(repo, commit)
    tree.prefetch()
    return tree
