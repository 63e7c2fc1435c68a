"""What is refused is refused in words that say what is wrong there, one row for each fault.

A later check often refuses the same bytes in other words, so a row holds the words.
"""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from orders import bundle, canonical, crypto, keys, public_key, sshsig, toml, typed
from orders.bundle import BEGIN, END, Bundle
from orders.documents import Private
from orders.errors import Refused
from orders.keys import MemoryKey

KEY = MemoryKey.from_seed(b"k" * 32)
WHOLE = bundle.encode(Bundle("order", (("a.toml", b"x = 1\n" * 20),)))
SIGNED = KEY.sign(sshsig.SLIP, b"x")


def block(payload: bytes) -> bytes:
    """A block of that payload, with its digest."""
    head = f"kind: order\ndigest: {hashlib.sha256(payload).hexdigest()}\n\n".encode()
    return BEGIN + head + base64.b64encode(payload) + b"\n" + END


def signature(armored: bytes) -> None:
    sshsig.verify(KEY.public, sshsig.SLIP, b"x", armored)


def order(data: bytes) -> None:
    typed.read_typed(data, "ab" * 32, 3, "alice")


def parse(data: bytes) -> None:
    toml.parse(data, 2**20)


FILE = crypto.write_openssh(b"k" * 32)


def key_file(old: bytes, new: bytes) -> bytes:
    """A private key file with other bytes in its content."""
    begin, *body, end = FILE.splitlines()
    content = base64.b64decode(b"".join(body))
    assert old in content
    return b"\n".join([begin, base64.b64encode(content.replace(old, new, 1)), end, b""])


def load(data: bytes) -> Callable[[Path], None]:
    """Loads those bytes as a private key."""

    def call(folder: Path) -> None:
        path = folder / "key"
        path.write_bytes(data)
        path.chmod(0o600)
        keys.load_signer(path, None)

    return call


def load_pipe(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    keys.load_signer(folder / "pipe", None)


ROWS: list[tuple[str, Callable[[], object]]] = [
    ("expected one of invite, join", lambda: Bundle("parcel", (("a", b""),))),
    ("as first line", lambda: bundle.decode(b"hello\n")),
    ("expected one END line", lambda: bundle.decode(WHOLE.removesuffix(END))),
    ("expected one END line", lambda: bundle.decode(WHOLE + b"x")),
    ("not in lines of 64", lambda: bundle.decode(WHOLE.replace(END, b"?\n" + END))),
    ("damaged", lambda: bundle.decode(WHOLE.replace(b"\n\nYn", b"\n\nYm"))),
    ("expected a list of files", lambda: bundle.decode(block(b"parcel\n\n"))),
    ("its files have 1 bytes, the list says 2",
     lambda: bundle.decode(block(b"bundle/1 order\n2 a.toml\n\nx"))),
    ("1.5 is not an integer", lambda: canonical.loads(b"1.5")),
    ("NaN is not an integer", lambda: canonical.loads(b"NaN")),
    ("expected an object", lambda: Private.read(b"[]")),
    ("has 32 bytes, not 31", lambda: public_key.check_raw(bytes(31))),
    ("a line of 9000 characters", lambda: public_key.read_public("x" * 9000)),
    ("one blank, base64 and nothing else", lambda: public_key.read_public("ssh-ed25519 ?")),
    ("2 lines, expected one", lambda: public_key.read_public_file(f"{KEY.public.line}\nx\n")),
    ("not in the one form that ssh-keygen", lambda: signature(SIGNED + b"hello")),
    ("for the namespace 'adjudicator-entry', expected 'adjudicator-slip'",
     lambda: signature(KEY.sign(sshsig.ENTRY, b"x"))),
    ("byte 4 is no UTF-8", lambda: parse(b'x ="\xff"')),
    ("byte order mark '\\ufeff' at character 0", lambda: parse("\ufeffx = 1".encode())),
    ("invisible character '\\u202e' at character 5", lambda: parse('x = "\u202e"'.encode())),
    ("line 2 is longer than", lambda: parse(b"x = 1\n#" + b"-" * 2**17)),
    ("line 1 holds a lone carriage return", lambda: parse(b"x = 1\ry = 2\n")),
    ("more than 500 brackets", lambda: parse(b"x = []\n" * 501)),
    ("more than 65536 characters", lambda: order(b"# 456789 123456\n" * 5000)),
]  # fmt: skip

FILES: list[tuple[str, Callable[[Path], None]]] = [
    ("is not a regular file", load_pipe),
    ("is larger than", load(FILE + b"x" * 2**20)),
    ("does not begin as it must", load(key_file(b"openssh-key-v1", b"openssh-key-v2"))),
    ("holds 2 keys", load(key_file(b"\0\0\0\1\0\0\0\x33", b"\0\0\0\2\0\0\0\x33"))),
]


@pytest.mark.parametrize(("words", "call"), ROWS, ids=[words for words, _ in ROWS])
def test_the_words(words: str, call: Callable[[], object]) -> None:
    with pytest.raises(Refused) as caught:
        call()
    assert words in caught.value.message


@pytest.mark.parametrize(("words", "call"), FILES, ids=[words for words, _ in FILES])
def test_the_words_of_a_key_file(words: str, call: Callable[[Path], None], tmp_path: Path) -> None:
    with pytest.raises(Refused) as caught:
        call(tmp_path)
    assert words in caught.value.message


def test_a_key_file_that_the_library_reads_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cipher that it does not know, and halves that differ."""

    def unknown(data: bytes, passphrase: bytes | None) -> bytes:
        raise NotImplementedError("cipher rot13")

    for words, load_openssh in (
        ("is encrypted in an unknown way: cipher rot13", unknown),
        ("holds a public key that is not its own", lambda data, passphrase: b"o" * 32),
    ):
        monkeypatch.setattr(crypto, "load_openssh", load_openssh)
        with pytest.raises(Refused, match=words):
            load(FILE)(tmp_path)
