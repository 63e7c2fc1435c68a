"""A safe: a seat, its key and its copy of the game in one file, behind a passphrase; or a host's
folder, key and record, in a safe whose player is `host`.

What belongs here: writing and opening that file (`docs/formats/containers.md`).

Each safe says in the clear how often it was saved, so that nobody takes an older one for the
newest.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from adjudicator.core.source import LIMIT, Source
from adjudicator.store import files, pack
from adjudicator.store.pack import Pack
from adjudicator.store.record import PrivateFolder, Record
from orders import crypto, names
from orders.errors import Refused
from orders.fields import HOST, NAME, Digest

LARGEST = 2**26
"""Bytes of the largest safe, and of all files in one."""

SHORTEST = 8
"""Characters of the shortest passphrase with which a safe is made."""

PASSES, KIBIBYTES = 3, 32_768
"""Argon2id's cost, fixed for `adjudicator-safe/1`: no file can set it."""

ENDING = ".safe"

_HEAD = re.compile(
    rb"adjudicator-safe/1\nname: ([A-Za-z0-9][A-Za-z0-9._-]{0,39})\n"
    rb"player: (" + NAME.encode() + rb")\ninvite: ([0-9a-f]{64})\nsaved: ([1-9][0-9]{0,8})\n"
    rb"salt: ([0-9a-f]{32})\nnonce: ([0-9a-f]{24})\n\n"
)
_OURS = re.compile(
    r"(?:seat|mail|duel)/(?:[a-z0-9][a-z0-9.-]{0,99}/)?[a-z0-9][a-z0-9.-]{0,99}"
    r"|host/(?:[a-z0-9][a-z0-9.-]{0,99}/){0,2}[a-z0-9][a-z0-9.-]{0,149}"
)


class SafeHead(NamedTuple):
    """The unencrypted part of a safe: the local name of the game, the player, the invite's digest,
    and how often the safe was saved."""

    name: str
    player: str
    invite: Digest
    saved: int


BARE = bytes(16)
"""The salt of a safe whose key no passphrase gives."""


@dataclass(frozen=True, slots=True)
class Lock:
    """A safe's key, kept while its owner plays; as a rule it was made of a passphrase."""

    salt: bytes
    key: bytes = field(repr=False)

    @property
    def bare(self) -> bool:
        """Whether no passphrase gives this key."""
        return self.salt == BARE

    @staticmethod
    def drawn() -> Lock:
        """A key that no passphrase gives: for a safe that does not leave its device, where the key
        is kept in another way."""
        return Lock(BARE, crypto.fresh())

    @staticmethod
    def of_key(data: bytes, key: bytes) -> Lock:
        """The lock of that safe, by its key; raises Refused for what is no safe."""
        return Lock(_read(data)[1], key)

    @staticmethod
    def of(passphrase: str, salt: bytes) -> Lock:
        """The key of that passphrase; raises Refused if this machine lacks Argon2id."""
        text = unicodedata.normalize("NFC", passphrase).encode()
        try:
            return Lock(salt, crypto.argon2id(text, salt, PASSES, KIBIBYTES))
        except NotImplementedError:
            raise Refused(
                "unreadable",
                "a safe needs Argon2id, and the OpenSSL here does not have it",
                "install the package cryptography from PyPI, or OpenSSL 3.2",
            ) from None

    @staticmethod
    def new(passphrase: str) -> Lock:
        """A key with a salt of its own; raises Refused for a passphrase that is too short."""
        if len(passphrase) < SHORTEST:
            raise Refused(
                "bad-option",
                f"a passphrase of {len(passphrase)} characters is too short: it needs {SHORTEST}",
                "four or five unrelated words are easy to remember",
            )
        return Lock.of(passphrase, crypto.fresh()[:16])


def read_head(data: bytes) -> SafeHead:
    """The unencrypted part of a safe; the passphrase does not prove it. Raises Refused."""
    return _read(data)[0]


def _read(data: bytes) -> tuple[SafeHead, bytes, bytes, int]:
    found = _HEAD.match(data, 0, 512)
    if len(data) > LARGEST:
        raise Refused("too-big", f"a safe of {len(data)} bytes: at most {LARGEST} are taken")
    if found is None:
        first = data[:40].split(b"\n")[0].decode("latin-1")
        text = f"this is no safe, or one of another version: it begins with {first!a}"
        raise Refused("bad-safe", text, "take the file that was saved last")
    name, player, invite, saved, salt, nonce = (part.decode("ascii") for part in found.groups())
    head = SafeHead(name, player, invite, int(saved))
    return head, bytes.fromhex(salt), bytes.fromhex(nonce), found.end()


def seal(head: SafeHead, lock: Lock, held: Mapping[str, bytes]) -> bytes:
    """The safe of these files, with a nonce of its own; raises Refused.

    The new safe is opened once as a check. A waiting mail that is too large for a safe is left out:
    it can be taken in again.
    """
    kept = {
        path: data
        for path, data in held.items()
        if not (path.startswith("mail/") and len(data) > LIMIT)
    }
    nonce = crypto.fresh()[:12]
    lines = {"name": head.name, "player": head.player, "invite": head.invite, "saved": head.saved}
    lines |= {"salt": lock.salt.hex(), "nonce": nonce.hex()}
    text = "".join(f"{key}: {value}\n" for key, value in lines.items())
    front = f"adjudicator-safe/1\n{text}\n".encode("ascii")
    data = front + crypto.chacha_seal(lock.key, nonce, pack.write(kept), front)
    if unseal(data, lock) != kept:
        raise Refused("bad-safe", "the new safe does not open to the files that went into it")
    return data


def unseal(data: bytes, lock: Lock) -> dict[str, bytes]:
    """The files in a safe, by name; raises Refused."""
    head, _, nonce, end = _read(data)
    content = crypto.chacha_open(lock.key, nonce, data[end:], data[:end])
    if content is None:
        raise Refused(
            "bad-safe",
            f"wrong passphrase for the safe of {head.player}, or the file is damaged",
            "type the passphrase again; capitals count",
        )
    return dict(Pack.of(content, _is_ours).held)


def open_with(data: bytes, passphrase: str) -> tuple[Lock, dict[str, bytes]]:
    """The key and the files of a safe; raises Refused."""
    salt = _read(data)[1]
    if salt == BARE:
        raise Refused(
            "bad-safe",
            "this safe has no passphrase: only the browser in which it was made opens it",
            "give it a passphrase there, and save it again",
        )
    lock = Lock.of(passphrase, salt)
    return lock, unseal(data, lock)


def _is_ours(path: str) -> bool:
    if path.startswith("record/"):
        return names.is_ours(path.removeprefix("record/"))
    return _OURS.fullmatch(path) is not None


def folders(
    head: SafeHead, folder: Path, held: Mapping[str, bytes] = MappingProxyType({})
) -> dict[str, Record | PrivateFolder]:
    """The folders of the parts of a safe: the copy (`record`), the seat and its mails; or the
    record and its host's folder; or, by the files in it, a side of a duel."""
    if any(path.startswith("duel/") for path in held):
        return {"duel": PrivateFolder(folder / f"{head.name}.duel")}
    record = Record(folder / head.name)
    if head.player == HOST:
        return {"record": record, "host": PrivateFolder(record.host)}
    return {
        "record": record,
        "seat": PrivateFolder(folder / f"{head.player}.seat"),
        "mail": PrivateFolder(folder / f"{head.name}.mail"),
    }


def gather(places: Mapping[str, Source]) -> dict[str, bytes]:
    """The files of these folders under their names in a safe, without foreign files in the copy."""
    return {
        name: source.read(path)
        for place, source in places.items()
        for path in source.paths()
        if _is_ours(name := f"{place}/{path}")
    }


def lay_out(places: Mapping[str, Record | PrivateFolder], held: Mapping[str, bytes]) -> None:
    """Write the files of a safe into its folders, which may not be there yet; raises Refused."""
    for name in held:
        if name.partition("/")[0] not in places:
            text = f"the safe holds {name!a}, which does not belong in {', '.join(places)}"
            raise Refused("bad-safe", text, "unpack it with adjudicator restore")
    for root in places.values():
        files.make_folder(root.root, 0o755 if isinstance(root, Record) else 0o700)
    for name, data in held.items():
        place, _, path = name.partition("/")
        places[place].write(path, data)


def check_newer(old: SafeHead, new: SafeHead) -> None:
    """Raise Refused `stale` if a safe would replace one that was saved later."""
    same = (old.player, old.invite) == (new.player, new.invite)
    if same and new.saved < old.saved:
        raise Refused(
            "stale",
            f"this safe of {new.player} was saved {new.saved} times, the one here {old.saved} "
            "times: it is older and lacks later orders",
            "open the newest one: orders of an older one may contradict what you have sent",
        )
