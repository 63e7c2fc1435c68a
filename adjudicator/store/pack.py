"""A pack: a record in one file, a plain zip whose bytes follow from its files.

What belongs here: writing that zip and reading it (`docs/formats/containers.md`; the fields are
those of the ZIP specification, APPNOTE 4.3). Nothing is deflated. A reader takes the files out as
they lie there, writes them again and compares: so it checks no field, and there is no second way to
write one. Any unpacker makes the record's folder of it.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path

from adjudicator.core.source import LIMIT, MemoryFiles
from adjudicator.store import files
from orders import names
from orders.errors import Refused

BEGIN = b"PK\3\4"
"""The first bytes of every pack, so that one may replace another."""

LARGEST = 2**28
"""Bytes of the largest pack that is read."""

MOST_FILES = 0xFFFF
"""Files in a pack: as many as a zip can list without its 64-bit extension."""

_LOCAL = struct.Struct("<4sHHHHHIIIHH")
_CENTRAL = struct.Struct("<4sHHHHHHIIIHHHHHII")
_END = struct.Struct("<4sHHHHIIH")
_VERSION = 20
_DATE = 33
"""1980-01-01, the first day that a zip can name."""


def write(held: Mapping[str, bytes]) -> bytes:
    """The pack of these files, in the order of their names; raises Refused for too many."""
    if len(held) > MOST_FILES:
        raise Refused(
            "too-big", f"{len(held)} files: a pack holds {MOST_FILES} at most", "keep the folder"
        )
    body: list[bytes] = []
    central: list[bytes] = []
    at = 0
    for path in sorted(held):
        data, name = held[path], path.encode("ascii")
        shared = (_VERSION, 0, 0, 0, _DATE, zlib.crc32(data), len(data), len(data), len(name), 0)
        body += _LOCAL.pack(BEGIN, *shared), name, data
        central += _CENTRAL.pack(b"PK\1\2", _VERSION, *shared, 0, 0, 0, 0, at), name
        at += _LOCAL.size + len(name) + len(data)
    count, size = len(held), sum(map(len, central))
    end = _END.pack(b"PK\5\6", 0, 0, count, count, size, at, 0)
    return b"".join((*body, *central, end))


class Pack(MemoryFiles):
    """The files in a pack."""

    @staticmethod
    def open(path: Path) -> Pack:
        """The pack in a file; raises Missing or Refused."""
        return Pack.of(files.read(path, LARGEST))

    @staticmethod
    def of(data: bytes, ours: Callable[[str], bool] | None = None) -> Pack:
        """The pack in these bytes; raises Refused `bad-pack` for any that `write` would not write.

        `ours`: which names it may hold; by default those of a record, or of a duel.
        """
        if len(data) > LARGEST:
            raise Refused("too-big", f"a pack of {len(data)} bytes: at most {LARGEST} are taken")
        held: dict[str, bytes] = {}
        at = 0
        while data.startswith(BEGIN, at) and at + _LOCAL.size <= len(data):
            *_, method, _, _, _, _, size, length, _ = _LOCAL.unpack_from(data, at)
            begins = at + _LOCAL.size + length
            path = data[at + _LOCAL.size : begins].decode("ascii", "backslashreplace")
            if method:
                raise _bad(f"{path!a:.120} is deflated, as other zip programs do it", _UNPACK)
            if not (ours or names.is_read)(path):
                raise _bad(f"{path!a:.120} is no file of a record")
            if size > LIMIT:
                raise _bad(f"{path} has {size} bytes, at most {LIMIT} are taken")
            held[path] = data[begins : begins + size]
            at = begins + size
        if not at and not data.startswith(b"PK\5\6"):
            raise _bad("it is no zip")
        if write(held) != data:
            raise _bad("written again it is not the same: it is damaged or cut off, or by another "
                       "program", _UNPACK)  # fmt: skip
        return Pack(held)


_UNPACK = "ask for the pack again, or unpack it: its folder is as good"


def _bad(message: str, hint: str = "ask for the pack again") -> Refused:
    return Refused("bad-pack", f"pack: {message}", hint)
