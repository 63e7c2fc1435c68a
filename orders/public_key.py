"""OpenSSH Ed25519 public keys: one line of text to 32 bytes and back, strict.

What belongs here: which keys are taken at all (PROTOCOL.agent and RFC 8709 section 4 for the wire
form, RFC 8032 section 5.1.3 for the 32 bytes).
What it must not know: files, private keys, signatures. It imports no cryptography, so that reading
a document costs none.
"""

from __future__ import annotations

import binascii
import hashlib
from functools import lru_cache
from typing import NamedTuple

from orders.errors import Refused

# SSH wire strings (RFC 4251 section 5), of which keys and signatures are made.


def string(data: bytes) -> bytes:
    """`data` behind its length in four bytes, big-endian."""
    return len(data).to_bytes(4, "big") + data


class Cursor:
    """Takes fields off the front of `data`; every method raises ValueError if it ends too early."""

    def __init__(self, data: bytes) -> None:
        self.rest = data

    def take(self, count: int) -> bytes:
        """The next `count` bytes."""
        if count > len(self.rest):
            raise ValueError(f"ends {count - len(self.rest)} bytes too early")
        taken, self.rest = self.rest[:count], self.rest[count:]
        return taken

    def number(self) -> int:
        """A uint32."""
        return int.from_bytes(self.take(4), "big")

    def string(self) -> bytes:
        """A string without its length."""
        return self.take(self.number())


# Keys.

KIND = "ssh-ed25519"
LONGEST_LINE = 8_192

_WIRE = string(KIND.encode()) + (32).to_bytes(4, "big")
_P = 2**255 - 19
_ORDER_8 = 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7
_LOW_ORDER = frozenset({0, 1, _P - 1, _ORDER_8, _P - _ORDER_8})
"""The y coordinates of the eight points whose order divides the cofactor."""

_NEW_KEY = "make a key with `ssh-keygen -t ed25519`"


class PublicKey(NamedTuple):
    """An Ed25519 public key. `raw` is its 32 bytes; the functions below check them, the class does
    not."""

    raw: bytes

    @property
    def blob(self) -> bytes:
        """The SSH wire form, 51 bytes."""
        return _WIRE + self.raw

    @property
    def line(self) -> str:
        """As in a `.pub` file, without a comment: `ssh-ed25519 AAAA...`."""
        return f"{KIND} {_base64(self.blob)}"

    @property
    def fingerprint(self) -> str:
        """As `ssh-keygen -l` prints it: `SHA256:...`."""
        return fingerprint(self.blob)


def fingerprint(blob: bytes) -> str:
    """The fingerprint of any key's wire form."""
    return "SHA256:" + _base64(hashlib.sha256(blob).digest()).rstrip("=")


def _base64(data: bytes) -> str:
    return binascii.b2a_base64(data, newline=False).decode("ascii")


def check_raw(raw: bytes) -> PublicKey:
    """The key with these bytes; raises Refused `bad-key` for keys that allow forgeries.

    With a low-order point a signature fits many messages or keys, and a y that is not below
    2^255 - 19 gives one key two names; OpenSSH and OpenSSL take both.
    """
    if len(raw) != 32:
        raise Refused("bad-key", f"an Ed25519 public key has 32 bytes, not {len(raw)}", _NEW_KEY)
    fault = point_fault(raw)
    if fault is not None:
        raise Refused("bad-key", f"Ed25519 key {raw.hex()} is {fault}", _NEW_KEY)
    return PublicKey(raw)


def point_fault(raw: bytes) -> str | None:
    """The fault of 32 bytes that write a point, whatever their sign bit; None if there is none.

    Libraries differ on such points, in keys and in signatures.
    """
    y = int.from_bytes(raw, "little") & (2**255 - 1)
    if y >= _P:
        return "not canonical (y >= p)"
    return "a point of low order" if y in _LOW_ORDER else None


def from_blob(blob: bytes) -> PublicKey:
    """The key with this wire form; raises Refused `bad-key`, naming another kind of key."""
    cursor = Cursor(blob)
    try:
        kind = cursor.string()
        if kind != KIND.encode():
            raise _other_kind(kind.decode("ascii", "backslashreplace"))
        raw = cursor.string()
    except ValueError as error:
        raise Refused("bad-key", f"public key: {error}", _NEW_KEY) from None
    if cursor.rest:
        raise Refused("bad-key", f"public key: {len(cursor.rest)} bytes follow it", _NEW_KEY)
    return check_raw(raw)


def _other_kind(kind: str) -> Refused:
    return Refused("bad-key", f"a key of the kind {kind[:64]!a}: expected {KIND}", _NEW_KEY)


@lru_cache(maxsize=512)
def read_public(line: str) -> PublicKey:
    """The key that `line` writes: `ssh-ed25519`, one blank, canonical base64, and nothing else.

    Raises Refused `bad-key`. `read_public(line).line == line` for every line that is taken.
    """
    if len(line) > LONGEST_LINE:
        raise Refused("bad-key", f"public key: a line of {len(line)} characters", _NEW_KEY)
    kind, _, text = line.partition(" ")
    if kind != KIND and kind.startswith(("ssh-", "sk-", "ecdsa-")):
        raise _other_kind(kind)
    try:
        blob = binascii.a2b_base64(text.encode("ascii"), strict_mode=True)
    except ValueError:
        blob = b""
    if kind != KIND or not blob:
        raise Refused(
            "bad-key",
            f"public key {line[:90]!a}: expected '{KIND}', one blank, base64 and nothing else",
            "copy the first two words of the .pub file",
        )
    key = from_blob(blob)
    if key.line != line:
        raise Refused("bad-key", f"public key {line[:90]!a}: its base64 is not canonical")
    return key


def read_public_file(text: str) -> PublicKey:
    """The key in a `.pub` file: one line, a comment and an end of line allowed.

    Raises Refused `bad-key`.
    """
    line = text.removesuffix("\n").removesuffix("\r")
    if "\n" in line:
        raise Refused("bad-key", f"public key file: {line.count(chr(10)) + 1} lines, expected one")
    return read_public(" ".join(line.strip(" ").split(" ", 2)[:2]))
