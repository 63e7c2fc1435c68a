"""Making commits from paths and bytes: trees that grow by an act's files, signed where there is a
signer, stored as one pack."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from adjudicator.git.objects import (
    FILE,
    FOLDER,
    Item,
    PackObject,
    commit_data,
    object_id,
    pack,
    read_tree,
    tree_data,
)
from adjudicator.git.process import Repo
from adjudicator.git.reading import read_objects
from orders.fields import Time
from orders.keys import Signer

_DEPTH = 40
"""How often in a row the tree of a folder that grew is packed as a delta."""

_LOOSE = 100
"""As git's own unpackLimit: fewer objects are stored one by one, more of them stay a pack."""


class _Folder:
    """One folder's items, and its bytes, which are kept because a record mostly grows at the
    end."""

    def __init__(self, items: dict[str, Item], data: bytes) -> None:
        self.items = items
        self.data = data
        self.last = max(items, default="")
        self.base: tuple[str, int] | None = None
        self.depth = 0

    def put(self, name: str, item: Item) -> None:
        self.items[name] = item
        if name > self.last and item.mode != FOLDER and self._plain_end():
            self.data += f"{item.mode} {name}\0".encode() + bytes.fromhex(item.id)
        else:
            self.data = b""
            self.base = None
        self.last = max(name, self.last)

    def _plain_end(self) -> bool:
        """Whether appended items come last in git's order, in which folders' names end in a
        slash."""
        last = self.items.get(self.last)
        return bool(self.data) and (last is None or last.mode != FOLDER)

    def remove(self, name: str) -> None:
        self.items.pop(name, None)
        self.data = b""
        self.base = None
        self.last = max(self.items, default="")

    def bytes(self) -> bytes:
        if not self.data:
            self.data = tree_data(self.items)
        return self.data

    def packed(self, algorithm: str) -> tuple[str, PackObject]:
        """Its id, and the tree for a pack: if possible, as a delta to the one packed before."""
        data = self.bytes()
        base = self.base if self.depth < _DEPTH else None
        self.depth = 0 if base is None else self.depth + 1
        made = object_id("tree", data, algorithm)
        self.base = (made, len(data))
        return made, PackObject("tree", data, base)


class Writer:
    """Makes commits, signed by `signer` if there is one. After `start`, each `commit` continues the
    tree before."""

    def __init__(self, repo: Repo, author: str, signer: Signer | None) -> None:
        self.repo = repo
        self.author = author
        self.signer = signer
        self.algorithm = repo.algorithm
        self._objects: dict[str, PackObject] = {}
        self._folders: dict[str, _Folder] = {"": _Folder({}, b"")}
        self._dirty: set[str] = set()

    def start(self, commit: str | None) -> None:
        """Continue the tree of that commit; None: begin with an empty one."""
        self._folders = {}
        self._dirty = set()
        root = None if commit is None else read_objects(self.repo, [f"{commit}^{{tree}}"])[0]
        self._folders[""] = self._read(root)

    def replace(self, chosen: Iterable[str], others: Mapping[str, Item]) -> None:
        """Put other things under these names at the root, nothing where there is none."""
        for name in chosen:
            self.remove(name)
            if name in others:
                self._folders[""].put(name, others[name])

    def _read(self, data: bytes | None) -> _Folder:
        return _Folder({}, b"") if data is None else _Folder(read_tree(data, self.algorithm), data)

    def _folder(self, path: str) -> _Folder:
        if path not in self._folders:
            above, _, name = path.rpartition("/")
            item = self._folder(above).items.get(name)
            known = item is not None and item.mode == FOLDER
            found = read_objects(self.repo, [item.id])[0] if item is not None and known else None
            self._folders[path] = self._read(found)
        return self._folders[path]

    def put(self, path: str, data: bytes) -> None:
        """Put a file into the tree."""
        blob = object_id("blob", data, self.algorithm)
        above, _, name = path.rpartition("/")
        folder = self._folder(above)
        item = Item(FILE, blob)
        if folder.items.get(name) != item:
            self._objects[blob] = PackObject("blob", data)
            folder.put(name, item)
            self._touch(above)

    def remove(self, path: str) -> None:
        """Take a file out of the tree."""
        above, _, name = path.rpartition("/")
        self._folder(above).remove(name)
        self._touch(above)

    def _touch(self, folder: str) -> None:
        while folder not in self._dirty:
            self._dirty.add(folder)
            folder = folder.rpartition("/")[0]

    def _tree(self) -> str:
        """The id of the tree as it is now; `store` will store its new folders."""
        for path in sorted(self._dirty - {""}, key=lambda path: -path.count("/")):
            above, _, name = path.rpartition("/")
            folder = self._folders[path]
            if folder.items:
                self._folder(above).put(name, Item(FOLDER, self._note_tree(folder)))
            else:
                self._folder(above).remove(name)
        self._dirty = set()
        return self._note_tree(self._folders[""])

    def _note_tree(self, folder: _Folder) -> str:
        made, packed = folder.packed(self.algorithm)
        # The first form is kept, because a later delta could be based on an object that is based on
        # it.
        self._objects.setdefault(made, packed)
        return made

    def commit(
        self, parents: Sequence[str], files: Mapping[str, bytes], time: Time, message: str
    ) -> str:
        """The id of a commit that adds `files` to the tree before; not stored yet."""
        for path, data in files.items():
            self.put(path, data)
        tree = self._tree()
        data = commit_data(tree, parents, self.author, time, message, self.signer, self.algorithm)
        made = object_id("commit", data, self.algorithm)
        self._objects[made] = PackObject("commit", data)
        return made

    def store(self) -> None:
        """Store every object made so far; no ref points to them yet."""
        if not self._objects:
            return
        made = pack(self._objects.values(), self.algorithm)
        if len(self._objects) > _LOOSE:
            self.repo.run("index-pack", "--stdin", "--strict", given=made)
        else:
            self.repo.run("unpack-objects", "-q", "--strict", given=made)
        self._objects = {}
        for folder in self._folders.values():
            folder.base = None
