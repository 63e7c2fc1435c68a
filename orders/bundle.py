"""The armored block in which files travel by mail.

    -----BEGIN ADJUDICATOR BUNDLE-----
    kind: order
    digest: 7d0c...                           SHA-256 of the payload, 64 hex digits

    YnVuZGxlLzEgb3JkZXIK...                   the payload in base64, lines of 64
    -----END ADJUDICATOR BUNDLE-----

The payload is text, then bytes: a line `bundle/1 KIND`, a line `SIZE PATH` for every file, an empty
line, and the files' bytes one after the other. Files are in the order of their paths. A bundle
has one rendering, so what was decoded encodes to the same bytes.

Blanks, quote marks and line breaks between BEGIN and END carry no meaning, and the digest proves
the content. So a mail reader may repair what mail did to a block; this module repairs nothing.
`docs/formats/containers.md` specifies the block.
"""

from __future__ import annotations

import binascii
import hashlib
import re
from dataclasses import dataclass
from itertools import accumulate, pairwise

from orders.errors import Refused

KINDS = {
    "invite": "an invite",
    "join": "a join",
    "order": "orders",
    "entry": "an entry",
    "receipt": "a receipt",
    "letter": "a letter",
    "consent": "a consent",
    "duel": "a part of a duel",
}
"""Each kind, and what such a block holds, in words."""

MOST_FILES = 10_000
LARGEST_FILE = 2**20 + 1024
LARGEST = 8 * 2**20
"""Bytes of the largest payload."""

BEGIN = b"-----BEGIN ADJUDICATOR BUNDLE-----\n"
END = b"-----END ADJUDICATOR BUNDLE-----\n"
LINE = 64

_LARGEST_ARMORED = LARGEST // 3 * 4 + LARGEST // 48 + 1_024
_LONGEST_PATH = 100
_PATH = r"[a-z0-9][a-z0-9.-]*(?:/[a-z0-9][a-z0-9.-]*)*"
_DEVICE = r"(?:.*/)?(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:[./].*)?"
_HEAD = rb"kind: ([a-z]{1,16})\ndigest: ([0-9a-f]{64})\n\n"
_BODY = rb"(?:[A-Za-z0-9+/]{64}\n)*(?:[A-Za-z0-9+/]{1,64}={0,2}\n)?"
_FILE = rb"(0|[1-9][0-9]{0,9}) ([a-z0-9./-]{1,100})"


@dataclass(frozen=True, slots=True)
class Bundle:
    """The files that one act adds to a record: relative paths and bytes, in the order of the
    paths."""

    kind: str
    files: tuple[tuple[str, bytes], ...]

    def __post_init__(self) -> None:
        """Raises Refused `bad-bundle` or `too-big`."""
        if self.kind not in KINDS:
            raise _bad(f"it is of the kind {self.kind[:40]!a}: there are {', '.join(KINDS)}")
        if not 1 <= len(self.files) <= MOST_FILES:
            raise _bad(f"{len(self.files)} files: expected 1 to {MOST_FILES}")
        for path, data in self.files:
            check_path(path)
            if len(data) > LARGEST_FILE:
                raise _too_big(f"{path} has {len(data)} bytes, at most {LARGEST_FILE} are taken")
        size = len(self._head) + sum(len(data) for _, data in self.files)
        if size > LARGEST:
            raise _too_big(f"{size} bytes with its list of files, at most {LARGEST} are taken")
        paths = {path for path, _ in self.files}
        for (path, _), (after, _) in pairwise(self.files):
            if path >= after:
                raise _bad(f"{after} after {path}: expected each path once, in their order")
        for path in paths:
            folders = accumulate(path.split("/")[:-1], "{}/{}".format)
            file = next((folder for folder in folders if folder in paths), None)
            if file is not None:
                raise _bad(f"{file} is both a file and the folder of {path}")

    @property
    def _head(self) -> bytes:
        listing = "".join(f"{len(data)} {path}\n" for path, data in self.files)
        return f"bundle/1 {self.kind}\n{listing}\n".encode("ascii")

    @property
    def payload(self) -> bytes:
        """The armored content: the list of files and their bytes."""
        return self._head + b"".join(data for _, data in self.files)

    @property
    def digest(self) -> str:
        """The SHA-256 of the payload, as the block's `digest:` line has it."""
        return hashlib.sha256(self.payload).hexdigest()


def check_path(path: str) -> None:
    """Check that a bundle may hold `path`; raises Refused `bad-bundle`.

    A path is relative, at most 100 characters, of `[a-z0-9.-]` between slashes. No part is empty,
    begins with `.` or `-`, or is named as a Windows device.
    """
    if (
        len(path) > _LONGEST_PATH
        or re.fullmatch(_PATH, path, re.ASCII) is None
        or re.fullmatch(_DEVICE, path, re.ASCII) is not None
        or path.endswith(".")
        or "./" in path
    ):
        raise _bad(f"{path[:120]!a} in it is no plain path, such as slips/0007-a.toml")


def _bad(message: str) -> Refused:
    return Refused("bad-bundle", f"the block: {message}", "ask for it again, as a file")


def _too_big(message: str) -> Refused:
    return Refused("too-big", f"the block: {message}")


def _quoted(data: bytes) -> str:
    return ascii(data.decode("latin-1"))


def encode(bundle: Bundle) -> bytes:
    """The block, ASCII, its END line included."""
    payload = bundle.payload
    text = binascii.b2a_base64(payload, newline=False)
    lines = [text[at : at + LINE] for at in range(0, len(text), LINE)]
    digest = hashlib.sha256(payload).hexdigest()
    head = f"kind: {bundle.kind}\ndigest: {digest}\n\n".encode("ascii")
    return BEGIN + head + b"\n".join(lines) + b"\n" + END


def decode(data: bytes) -> Bundle:
    """The bundle in an armored block, which must be exact to the byte.

    Raises Refused `bad-bundle`, or `too-big` before anything is decoded.
    """
    if len(data) > _LARGEST_ARMORED:
        raise _too_big(f"{len(data)} bytes, at most {_LARGEST_ARMORED} are taken")
    if data.count(BEGIN.strip()) > 1:
        raise _bad("there are two BEGIN lines")
    if not data.startswith(BEGIN):
        raise _bad(f"it begins with {_quoted(data[:40])}, not with its BEGIN line")
    if not data.endswith(END):
        raise _bad(f"it ends with {_quoted(data[-40:])}, not with its END line")
    head = re.compile(_HEAD).match(data, len(BEGIN))
    if head is None:
        found = _quoted(data[len(BEGIN) :][:40])
        raise _bad(f"below its BEGIN line stands {found}, not its kind and its digest")
    body = data[head.end() : -len(END)]
    if re.fullmatch(_BODY, body) is None:
        raise _bad(f"its lines have not {LINE} characters each, or hold something else")
    try:
        payload = binascii.a2b_base64(body)
    except ValueError:
        raise _bad("its last line is cut off") from None
    if hashlib.sha256(payload).hexdigest() != head[2].decode("ascii"):
        raise _bad("damaged: something in it was changed on the way")
    bundle = unpack(payload)
    if encode(bundle) != data:
        raise _bad(f"its first or last lines are not those of {KINDS[bundle.kind]}")
    return bundle


def unpack(payload: bytes) -> Bundle:
    """The bundle whose payload this is; raises Refused `bad-bundle` or `too-big`."""
    listing, found, content = payload.partition(b"\n\n")
    first, *lines = listing.split(b"\n", MOST_FILES + 1)
    if not found or not first.startswith(b"bundle/1 "):
        raise _bad(f"its content begins with {_quoted(payload[:40])}, not with a list of files")
    files = []
    at = 0
    for line in lines:
        match = re.fullmatch(_FILE, line)
        if match is None:
            raise _bad(f"{_quoted(line[:120])} in its list of files is no size and path")
        size = int(match[1])
        files.append((match[2].decode("ascii"), content[at : at + size]))
        at += size
    if at != len(content):
        raise _bad(f"its files have {len(content)} bytes, the list says {at}")
    return Bundle(first[len(b"bundle/1 ") :].decode("ascii", "backslashreplace"), tuple(files))
