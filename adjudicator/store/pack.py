"""A pack: a record in one file, a plain zip. Apart from the deflate streams, its files decide its
bytes.

What belongs here: writing that zip and reading it strictly (`docs/formats/pack.md`; the fields are
those of the ZIP specification, APPNOTE 4.3). Any unpacker makes the record's folder of it.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from adjudicator.core.source import LIMIT
from adjudicator.store import files
from orders import names
from orders.errors import Missing, Refused

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

_STORED, _DEFLATED = 0, 8


def write(held: Mapping[str, bytes], *, stored: bool = False) -> bytes:
    """The pack of these files, in the order of their names; raises Refused for too many.

    `stored`: without deflating them, which takes a tenth of the time and a quarter more bytes.
    """
    if len(held) > MOST_FILES:
        raise Refused(
            "too-big", f"{len(held)} files: a pack holds {MOST_FILES} at most", "keep the folder"
        )
    body = bytearray()
    central = bytearray()
    for path in sorted(held):
        data = held[path]
        method, packed = (_STORED, data) if stored else _squeeze(data)
        name = path.encode("ascii")
        sizes = zlib.crc32(data), len(packed), len(data)
        shared = (_VERSION, 0, method, 0, _DATE, *sizes, len(name), 0)
        central += _CENTRAL.pack(b"PK\1\2", _VERSION, *shared, 0, 0, 0, 0, len(body)) + name
        body += _LOCAL.pack(b"PK\3\4", *shared) + name + packed
    count = len(held)
    end = _END.pack(b"PK\5\6", 0, 0, count, count, len(central), len(body), 0)
    return bytes(body + central + end)


def _squeeze(data: bytes) -> tuple[int, bytes]:
    squeezer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = squeezer.compress(data) + squeezer.flush()
    return (_DEFLATED, packed) if len(packed) < len(data) else (_STORED, data)


class _Place(NamedTuple):
    """Where a file's bytes lie in a pack."""

    method: int
    crc: int
    packed: int
    size: int
    start: int


class Pack(NamedTuple):
    """A record in a pack, read strictly; files are inflated one by one, when they are read."""

    data: bytes
    places: Mapping[str, _Place]

    @staticmethod
    def open(path: Path) -> Pack:
        """The pack in a file; raises Missing or Refused."""
        return Pack.of(files.read(path, LARGEST))

    @staticmethod
    def of(data: bytes, ours: Callable[[str], bool] | None = None) -> Pack:
        """The pack in these bytes; raises Refused `bad-pack` for any other rendering.

        `ours`: which names it may hold; by default those of a record, or of a duel.
        """
        if len(data) > LARGEST:
            raise Refused("too-big", f"a pack of {len(data)} bytes: at most {LARGEST} are taken")
        return Pack(data, _places(data, ours or names.is_read))

    def paths(self) -> tuple[str, ...]:
        """The names of all files, sorted."""
        return tuple(self.places)

    def read(self, path: str) -> bytes:
        """The bytes of a file; raises Missing or Refused."""
        place = self.places.get(path)
        if place is None:
            raise Missing(path)
        packed = self.data[place.start : place.start + place.packed]
        data = packed if place.method == _STORED else _inflate(path, packed, place.size)
        if len(data) != place.size or zlib.crc32(data) != place.crc:
            raise _bad(f"{path} does not have the size or the checksum that the pack names")
        return data


def _inflate(path: str, packed: bytes, size: int) -> bytes:
    """The bytes of a deflate stream that must be whole and hold `size` bytes."""
    stream = zlib.decompressobj(-15)
    try:
        # One byte more than allowed, so that a zip bomb is stopped at once.
        data = stream.decompress(packed, size + 1)
    except zlib.error:
        raise _bad(f"{path} does not inflate") from None
    if not stream.eof or stream.unused_data or stream.unconsumed_tail:
        raise _bad(f"{path} does not inflate to the {size} bytes that the pack names")
    return data


def _places(data: bytes, ours: Callable[[str], bool]) -> dict[str, _Place]:
    """Every file in the pack; local and central headers must agree and leave no gap."""
    if len(data) < _END.size or data[-_END.size : -_END.size + 4] != b"PK\5\6":
        raise _bad("it is no zip, or something follows it")
    _, disk, first, here, count, length, start, comment = _END.unpack_from(
        data, len(data) - _END.size
    )
    if (disk, first, here, comment) != (0, 0, count, 0):
        raise _bad("its end names other disks, another count or a comment")
    if start + length + _END.size != len(data):
        raise _bad("its list of files does not end where the pack ends")
    places: dict[str, _Place] = {}
    at, local, before = start, 0, ""
    for _ in range(count):
        if at + _CENTRAL.size > start + length:
            raise _bad("its list of files is cut off")
        path, place, at, local = _file(data, at, local, start)
        if not ours(path):
            raise _bad(f"{path!a:.120} is no file of a record")
        if path <= before:
            raise _bad(f"{path} after {before}: expected each name once, in their order")
        places[path] = place
        before = path
    if at != start + length or local != start:
        raise _bad("there are bytes between its files that belong to none")
    return places


def _file(data: bytes, at: int, local: int, start: int) -> tuple[str, _Place, int, int]:
    """One file: its name and place, and where the next central and local headers begin."""
    mark, made, *shared, comment, disk, inside, outside, offset = _CENTRAL.unpack_from(data, at)
    version, flags, method, time, date, crc, packed, size, length, extra = shared
    name = data[at + _CENTRAL.size : at + _CENTRAL.size + length]
    path = name.decode("ascii", "backslashreplace")
    fixed = (mark, made, version, flags, time, date, extra, comment, disk, inside, outside)
    if fixed != (b"PK\1\2", _VERSION, _VERSION, 0, 0, _DATE, 0, 0, 0, 0, 0):
        raise _bad(f"{path!a:.120}: its attributes, time or flags are not those of a pack")
    if offset != local or method not in (_STORED, _DEFLATED):
        raise _bad(f"{path!a:.120}: it does not lie where the list says, or is packed otherwise")
    if size > LIMIT or (method == _STORED and packed != size):
        raise _bad(f"{path} has {size} bytes, packed {packed}: at most {LIMIT} are taken")
    begins = local + _LOCAL.size + length
    header = _LOCAL.pack(b"PK\3\4", *shared) + name
    if begins + packed > start or data[local:begins] != header:
        raise _bad(f"{path}: the header in front of it differs from the list")
    place = _Place(method, crc, packed, size, begins)
    return path, place, at + _CENTRAL.size + length, begins + packed


def _bad(message: str) -> Refused:
    return Refused("bad-pack", f"pack: {message}", "ask for the pack again")
