"""Git's objects as bytes: blobs, trees, signed commits, and the pack that carries them.

What belongs here: the formats of gitformat-pack(5), the names of objects, and the signature in a
commit (`gpg.format=ssh`: an SSHSIG in the namespace `git` over the commit without its signature).
`git commit` is not used, so that one step (an entry with its slips) is one pack and one update of
one branch, any kind of key can sign, and signatures are checked by the rules for the record's own.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from adjudicator.core import deadlines
from orders import sshsig
from orders.errors import Refused
from orders.fields import Time
from orders.keys import Signer
from orders.public_key import PublicKey

NAMESPACE = "git"
"""As `ssh-keygen -Y sign -n git`, which is what git itself runs."""

FILE = "100644"
FOLDER = "40000"

_KINDS = {"commit": 1, "tree": 2, "blob": 3}
_REF_DELTA = 7
_HEADERS = {"sha1": b"gpgsig", "sha256": b"gpgsig-sha256"}


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

    def check(self, key: PublicKey) -> None:
        """Whether that key signed it; raises Refused `bad-signature`."""
        if self.signature is None:
            kind = "signed in another way than by ssh" if self.signed else "not signed"
            raise Refused("bad-signature", kind)
        sshsig.verify(key, NAMESPACE, self.payload, self.signature)


def commit_data(
    tree: str,
    parents: Sequence[str],
    author: str,
    time: Time,
    message: str,
    signer: Signer | None,
    algorithm: str,
) -> bytes:
    """A commit's bytes, signed if there is a signer. The same values and an Ed25519 key give the
    same bytes."""
    head = [f"tree {tree}".encode(), *(f"parent {parent}".encode() for parent in parents)]
    # In UTC, so that no time zone is told.
    seconds = deadlines.to_seconds(time)
    who = f"{author} <{author}@adjudicator.invalid> {seconds} +0000".encode()
    head += [b"author " + who, b"committer " + who]
    body = b"\n\n" + message.strip().encode("ascii", "backslashreplace") + b"\n"
    payload = b"\n".join(head) + body
    if signer is None:
        return payload
    armored = signer.sign(NAMESPACE, payload).rstrip(b"\n")
    header = _HEADERS[algorithm] + b" " + armored.replace(b"\n", b"\n ")
    return b"\n".join([*head, header]) + body


def read_commit(data: bytes, algorithm: str) -> Commit:
    """A commit's parts; raises Refused."""
    head, blank, message = data.partition(b"\n\n")
    wanted = _HEADERS[algorithm]
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
