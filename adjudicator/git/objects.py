"""Git's objects, read and made: trees and signed commits as bytes, questions to processes that last
for a command, and commits from paths and bytes.

The formats are git's own (gitformat-pack(5)); the signature in a commit (`gpg.format=ssh`) is an
SSHSIG in the namespace `git` over the commit without its signature, checked by the rules for the
record's own.

`git cat-file` is asked and its answers are parsed. Objects that others write meanwhile are found,
because git looks again for missing ones. No object is read before its size is known: a few bytes
in a pack can stand for gigabytes. What it must not know: what objects mean, but for who signed a
commit.

`git commit` is not used, so that one step (an entry with its slips) is one pack and one update of
one branch, any kind of key can sign, and the same values give the same bytes.
"""

from __future__ import annotations

import hashlib
import tempfile
import threading
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from adjudicator.core import deadlines
from adjudicator.git import process
from adjudicator.git.process import GitFailed, Repo
from orders import sshsig
from orders.errors import Refused
from orders.fields import Time
from orders.keys import Signer
from orders.public_key import PublicKey

NAMESPACE = "git"
"""As `ssh-keygen -Y sign -n git`, which is what git itself runs."""

FILE = "100644"
FOLDER = "40000"

HEADERS = {"sha1": b"gpgsig", "sha256": b"gpgsig-sha256"}

LARGEST = 2**23
"""The most bytes of an object that is read."""

MOST = 2**26
"""The most bytes of all objects that are read at once."""

_PORTION = 4096
"""So many bytes of names are asked for at once. Every system's pipe holds them, so git can take
them while nobody reads its answers yet."""

_KINDS = {"commit": 1, "tree": 2, "blob": 3}
_REF_DELTA = 7

_DEPTH = 40
"""How often in a row the tree of a folder that grew is packed as a delta."""

_LOOSE = 100
"""As git's own unpackLimit: fewer objects are stored one by one, more of them stay a pack."""


# Objects as bytes.


def object_id(kind: str, data: bytes, algorithm: str) -> str:
    """An object's name, in hex."""
    return hashlib.new(algorithm, f"{kind} {len(data)}\0".encode() + data).hexdigest()


@dataclass(frozen=True, slots=True)
class Item:
    """An item of a tree: `mode` as git writes it (`100644`), the object's id."""

    mode: str
    id: str


def tree_data(items: Mapping[str, Item]) -> bytes:
    """A tree's bytes; git orders folders as if their names ended in a slash."""

    def order(name: str) -> bytes:
        return name.encode() + (b"/" if items[name].mode == FOLDER else b"")

    return b"".join(
        f"{items[name].mode} {name}\0".encode() + bytes.fromhex(items[name].id)
        for name in sorted(items, key=order)
    )


def read_tree(data: bytes, algorithm: str) -> dict[str, Item]:
    """The items of a tree's bytes; raises Refused."""
    size = hashlib.new(algorithm).digest_size
    items = {}
    at = 0
    while at < len(data):
        end = data.find(b"\0", at)
        mode, blank, name = data[at:end].partition(b" ")
        if end < 0 or not blank or len(data) < end + 1 + size:
            raise Refused("git", "a tree object is damaged")
        text = name.decode("utf-8", "backslashreplace")
        items[text] = Item(mode.decode("ascii", "replace"), data[end + 1 : end + 1 + size].hex())
        at = end + 1 + size
    return items


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit's bytes taken apart: `payload` is what was signed, `signature` is armored or None.

    `signature` is also None for a signature that is not SSH's; `signed` is true for any.
    """

    tree: str
    parents: tuple[str, ...]
    committer: str
    message: str
    payload: bytes
    signature: bytes | None
    signed: bool

    @property
    def time(self) -> int:
        """When it was made, in seconds."""
        return int(self.committer.split()[-2])


def read_commit(data: bytes, algorithm: str) -> Commit:
    """A commit's parts; raises Refused."""
    head, blank, message = data.partition(b"\n\n")
    wanted = HEADERS[algorithm]
    kept: list[bytes] = []
    signature: list[bytes] = []
    signed = False
    inside = False
    for line in head.split(b"\n"):
        if line.startswith(b" "):
            (signature if inside else kept).append(line[1:] if inside else line)
            continue
        name, _, value = line.partition(b" ")
        inside = name == wanted
        signed = signed or name.startswith(b"gpgsig")
        if inside:
            signature.append(value)
        else:
            kept.append(line)
    fields = [line.partition(b" ") for line in kept if not line.startswith(b" ")]
    trees = [value.decode("ascii", "replace") for name, _, value in fields if name == b"tree"]
    parents = [value.decode("ascii", "replace") for name, _, value in fields if name == b"parent"]
    if len(trees) != 1:
        raise Refused("git", "a commit object is damaged")
    armored = b"\n".join(signature) + b"\n"
    ssh = armored.startswith(b"-----BEGIN SSH SIGNATURE-----")
    dated = [value.decode("utf-8", "replace") for name, _, value in fields if name == b"committer"]
    return Commit(
        trees[0],
        tuple(parents),
        dated[0] if dated else "",
        message.decode("utf-8", "replace"),
        b"\n".join(kept) + blank + message,
        armored if ssh else None,
        signed,
    )


# Asking git for them.


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
    if found.signature is None:
        kind = "signed in another way than by ssh" if found.signed else "not signed"
        raise Refused("bad-signature", kind)
    sshsig.verify(key, NAMESPACE, found.payload, found.signature)
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
    if key in readers and time.monotonic() - readers[key].began > process.LOCAL_SECONDS / 2:
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

    def end(self) -> None:
        """End the process, whatever it does: it only reads."""
        self.timer.cancel()
        self.timer.join()
        self.process.kill()
        self.process.communicate()
        self.said.close()

    def ask(self, names: Sequence[str]) -> list[GitObject | None]:
        """The answers, in the order of the names; raises GitFailed."""
        portions: list[list[str]] = [[]]
        length = 0
        for name in names:
            length += len(name.encode()) + 1
            if portions[-1] and length > _PORTION:
                portions.append([])
                length = len(name.encode()) + 1
            portions[-1].append(name)
        try:
            return [found for some in portions for found in self._answers(some)]
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


# Making them.


class _Folder:
    """One folder's items, and its bytes, which are kept because a record mostly grows at the
    end."""

    def __init__(self, data: bytes, algorithm: str) -> None:
        self.items = read_tree(data, algorithm)
        self.data = data
        self.last = max(self.items, default="")
        self.base: tuple[str, int] | None = None
        self.depth = 0

    def put(self, name: str, item: Item) -> None:
        self.items[name] = item
        # Appended items come last in git's order, in which folders' names end in a slash.
        end = self.items.get(self.last)
        plain = bool(self.data) and (end is None or end.mode != FOLDER)
        if name > self.last and item.mode != FOLDER and plain:
            self.data += f"{item.mode} {name}\0".encode() + bytes.fromhex(item.id)
        else:
            self.data = b""
            self.base = None
        self.last = max(name, self.last)

    def remove(self, name: str) -> None:
        self.items.pop(name, None)
        self.data = b""
        self.base = None
        self.last = max(self.items, default="")

    def packed(self, algorithm: str) -> tuple[str, PackObject]:
        """Its id, and the tree for a pack: if possible, as a delta to the one packed before."""
        data = self.data = self.data or tree_data(self.items)
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
        self._folders = {"": _Folder(b"", self.algorithm)}
        self._dirty: set[str] = set()

    def start(self, commit: str | None) -> None:
        """Continue the tree of that commit; None: begin with an empty one."""
        self._dirty = set()
        root = None if commit is None else read_objects(self.repo, [f"{commit}^{{tree}}"])[0]
        self._folders = {"": _Folder(root or b"", self.algorithm)}

    def replace(self, chosen: Iterable[str], others: Mapping[str, Item]) -> None:
        """Put other things under these names at the root, nothing where there is none."""
        for name in chosen:
            self.remove(name)
            if name in others:
                self._folders[""].put(name, others[name])

    def _folder(self, path: str) -> _Folder:
        if path not in self._folders:
            above, _, name = path.rpartition("/")
            item = self._folder(above).items.get(name)
            held = [item.id] if item is not None and item.mode == FOLDER else []
            found = next(iter(read_objects(self.repo, held)), None)
            self._folders[path] = _Folder(found or b"", self.algorithm)
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

    def _note_tree(self, folder: _Folder) -> str:
        made, packed = folder.packed(self.algorithm)
        # The first form is kept, because a later delta could be based on an object that is based on
        # it.
        self._objects.setdefault(made, packed)
        return made

    def commit(
        self, parents: Sequence[str], files: Mapping[str, bytes], time: Time, message: str
    ) -> str:
        """The id of a commit that adds `files` to the tree before; not stored yet. The same values
        and an Ed25519 key give the same bytes."""
        for path, data in files.items():
            self.put(path, data)
        for path in sorted(self._dirty - {""}, key=lambda path: -path.count("/")):
            above, _, name = path.rpartition("/")
            folder = self._folders[path]
            if folder.items:
                self._folder(above).put(name, Item(FOLDER, self._note_tree(folder)))
            else:
                self._folder(above).remove(name)
        self._dirty = set()
        tree = self._note_tree(self._folders[""])
        head = [f"tree {tree}".encode(), *(f"parent {parent}".encode() for parent in parents)]
        # In UTC, so that no time zone is told.
        seconds = deadlines.to_seconds(time)
        who = f"{self.author} <{self.author}@adjudicator.invalid> {seconds} +0000".encode()
        head += [b"author " + who, b"committer " + who]
        body = b"\n\n" + message.strip().encode("ascii", "backslashreplace") + b"\n"
        if self.signer is not None:
            armored = self.signer.sign(NAMESPACE, b"\n".join(head) + body).rstrip(b"\n")
            header = HEADERS[self.algorithm]
            head.append(header + b" " + armored.replace(b"\n", b"\n "))
        data = b"\n".join(head) + body
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


def instead(commit: str | None) -> str:
    """The end of the message of a commit that replaces one, which cannot be put back behind it;
    None: it replaces none."""
    return f"\n\nIn the place of {commit}" if commit else ""


# A pack.


@dataclass(frozen=True, slots=True)
class PackObject:
    """An object for a pack. `grown_from`: id and length of an object that it begins with."""

    kind: str
    data: bytes
    grown_from: tuple[str, int] | None = None


def pack(objects: Iterable[PackObject], algorithm: str) -> bytes:
    """A pack as `git index-pack` and `unpack-objects` read it (gitformat-pack)."""
    parts = [_packed(one) for one in objects]
    head = b"PACK" + (2).to_bytes(4, "big") + len(parts).to_bytes(4, "big")
    body = head + b"".join(parts)
    return body + hashlib.new(algorithm, body).digest()


def _packed(one: PackObject) -> bytes:
    if one.grown_from is None:
        return _header(_KINDS[one.kind], len(one.data)) + zlib.compress(one.data, 1)
    base, length = one.grown_from
    delta = _grown(one.data, length)
    return _header(_REF_DELTA, len(delta)) + bytes.fromhex(base) + zlib.compress(delta, 1)


def _header(kind: int, size: int) -> bytes:
    """Type and size of an object in a pack."""
    first = (kind << 4) | (size & 15)
    rest = _varint(size >> 4) if size >> 4 else b""
    return bytes([first | (0x80 if rest else 0)]) + rest


def _varint(number: int) -> bytes:
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def _grown(data: bytes, length: int) -> bytes:
    """A delta: copy the first `length` bytes of the base, then insert what follows."""
    out = _varint(length) + _varint(len(data))
    for at in range(0, length, 0xFFFFFF):
        size = min(0xFFFFFF, length - at)
        out += b"\xff" + at.to_bytes(4, "little") + size.to_bytes(3, "little")
    for at in range(length, len(data), 127):
        piece = data[at : at + 127]
        out += bytes([len(piece)]) + piece
    return out
