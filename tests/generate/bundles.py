"""Blocks of text: files and the block in which they travel, blocks that must be refused, and texts
whose blocks can be repaired."""

from __future__ import annotations

import binascii
import hashlib
import html
import quopri
import re
import textwrap
from collections.abc import Iterator
from typing import Any

from adjudicator.mail import block
from orders import bundle
from orders.bundle import Bundle
from orders.errors import Refused

ORDER = Bundle("order", (("orders/0001-alice.sealed", bytes(range(200))),))
TWO = Bundle(
    "join", (("joins/alice.toml", b'kind = "join/4"\n'), ("joins/alice.toml.sig", b"sig\n"))
)
EMPTY = Bundle("receipt", (("receipts/0001-alice-1.toml", b""),))


def bundles() -> dict[str, Any]:
    """All of them."""
    return {
        "good": [
            {
                "kind": one.kind,
                "files": {path: data.hex() for path, data in one.files},
                "block": bundle.encode(one).decode(),
            }
            for one in (TWO, ORDER, EMPTY)
        ],
        "refused": [{"what": what, "block": text, "word": _word(text)} for what, text in _bad()],
        "repaired": [
            {"what": what, "text": text, "blocks": [bundle.encode(one).decode() for one in found]}
            for what, text in _mangled()
            for found in [[one.bundle for one in block.find(text) if one.bundle is not None]]
        ],
        "beyond-repair": [
            {"what": what, "text": text} for what, text in _torn() if _no_bundle(text)
        ],
    }


def _word(text: str) -> str:
    """The word with which a block is refused; raises AssertionError where it is taken."""
    try:
        bundle.decode(text.encode("utf-8"))
    except Refused as error:
        return error.word
    raise AssertionError(f"taken: {text!a}")


def _no_bundle(text: str) -> bool:
    """True: something that looks like a block is found, and no bundle in it."""
    found = block.find(text)
    assert found, text
    assert all(one.bundle is None for one in found), text
    return True


def _around(payload: bytes, kind: str = "order") -> str:
    """A block around any payload, with the digest that fits."""
    text = binascii.b2a_base64(payload, newline=False).decode()
    lines = "".join(f"{text[at : at + 64]}\n" for at in range(0, len(text), 64))
    digest = hashlib.sha256(payload).hexdigest()
    head = f"kind: {kind}\ndigest: {digest}\n\n"
    return f"{bundle.BEGIN.decode()}{head}{lines}{bundle.END.decode()}"


def _bad() -> Iterator[tuple[str, str]]:
    """Blocks that break one rule of the page."""
    good = bundle.encode(ORDER).decode()
    start = good.index("\n\n") + 2
    head, body = good[:start], good[start : -len(bundle.END)].replace("\n", "")
    yield from (
        ("nothing", ""),
        ("no last LF", good[:-1]),
        ("a LF more", good + "\n"),
        ("a line before BEGIN", "\n" + good),
        ("a byte order mark", "\ufeff" + good),
        ("CR LF", good.replace("\n", "\r\n")),
        ("no blank after a colon", good.replace(": ", ":")),
        ("two blocks", good + good),
        ("BEGIN twice", bundle.BEGIN.decode() + good),
        ("a second END", good + bundle.END.decode()),
        ("no END", good[: -len(bundle.END)]),
        ("a kind that is none", good.replace("kind: order", "kind: orders")),
        ("another kind than the payload", good.replace("kind: order", "kind: entry")),
        ("another digest", good.replace(ORDER.digest, "ab" * 32)),
        ("a digest in capitals", good.replace(ORDER.digest, ORDER.digest.upper())),
        ("a line after the digest", good.replace("\n\n", "\nnote: x\n\n")),
        ("no empty line", good.replace("\n\n", "\n")),
    )
    for width in (63, 65, 76):
        lines = "".join(f"{body[at : at + width]}\n" for at in range(0, len(body), width))
        yield f"lines of {width}", head + lines + bundle.END.decode()
    padded = bundle.encode(Bundle("order", (("a", b"xy"),))).decode()
    at = padded.index("=") - 1
    yield "pad bits", padded[:at] + chr(ord(padded[at]) + 1) + padded[at + 1 :]
    yield "no =", padded.replace("=", "")
    for what, payload in (
        ("no file", b"bundle/1 order\n\n"),
        ("a size that is not there", b"bundle/1 order\n1 a\n\n"),
        ("bytes after the files", b"bundle/1 order\n1 a\n\nxx"),
        ("a size with a zero before it", b"bundle/1 order\n01 a\n\nx"),
        ("a size with a sign", b"bundle/1 order\n+1 a\n\nx"),
        ("two blanks", b"bundle/1 order\n1  a\n\nx"),
        ("a blank at a line's end", b"bundle/1 order\n1 a \n\nx"),
        ("CR in the list", b"bundle/1 order\n1 a\r\n\nx"),
        ("a list without end", b"bundle/1 order\n1 a\n"),
        ("another version", b"bundle/2 order\n1 a\n\nx"),
        ("the payload of another kind", b"bundle/1 entry\n1 a\n\nx"),
        ("files in another order", b"bundle/1 order\n0 b\n0 a\n\n"),
        ("a file twice", b"bundle/1 order\n0 a\n0 a\n\n"),
        ("a file that is a folder", b"bundle/1 order\n0 a\n0 a/b\n\n"),
    ):
        yield what, _around(payload)
    for path in (
        "", "/etc/passwd", "../x", "a/../b", "./a", "a//b", "a/", ".ssh", "a/.git", "-rf", "a/-b",
        "a.", "a./b", "A", "a b", "a\\b", "c:/x", "\u00e9", "con", "con.toml", "slips/nul.sig",
        "com1/x", "a/lpt9.toml.sig", "a" * 101,
    ):  # fmt: skip
        yield f"the path {path!a:.30}", _around(f"bundle/1 order\n0 {path}\n\n".encode())


def _mangled() -> Iterator[tuple[str, str]]:
    """What people and programs make of a block, and what can be undone."""
    good, other = bundle.encode(ORDER).decode(), bundle.encode(TWO).decode()
    yield from (
        ("as it was", good),
        ("CR LF", good.replace("\n", "\r\n")),
        ("quoted", textwrap.indent(good, "> ", lambda line: True)),
        ("quoted twice", textwrap.indent(good, "> > ", lambda line: True)),
        ("quoted by initials", textwrap.indent(good, "AB> ", lambda line: True)),
        ("quoted by bars", textwrap.indent(good, "| ", lambda line: True)),
        ("blanks at each end", good.replace("\n", " \n")),
        ("double spaced", good.replace("\n", "\n\n")),
        ("no-break spaces", good.replace(" ", "\u00a0")),
        ("on one line", re.sub(r"\s+", " ", good)),
        ("wrapped anew", "\n".join(textwrap.wrap(good, 40))),
        ("long dashes", good.replace("-----", "\u2014\u2014")),
        ("no dashes", good.replace("-----", "")),
        ("a soft hyphen in it", good[:150] + "\u00ad" + good[150:]),
        ("quoted-printable", quopri.encodestring(good.encode()).decode("ascii")),
        ("HTML", html.escape(good).replace("+", "&#43;").replace("=", "&#61;")),
        ("a letter around it", f"Hi,\n\nhere they are.\n\n{good}\n--\nSent from a telephone\n"),
        ("two blocks", f"{good}\nand my join:\n{other}"),
        ("the same twice", good + good),
        ("no END line, and whole", good[: -len(bundle.END)]),
    )


def _torn() -> Iterator[tuple[str, str]]:
    """Blocks that nobody can repair: a program says so."""
    good = bundle.encode(ORDER).decode()
    yield from (
        ("cut off", good[: len(good) // 2]),
        ("a letter lacks", good[:180] + good[181:]),
        ("a letter is another", good[:180] + ("A" if good[180] != "A" else "B") + good[181:]),
        ("another digest", good.replace(ORDER.digest, "ab" * 32)),
        ("no kind", good.replace("kind: order\n", "")),
        ("no BEGIN line", good[len(bundle.BEGIN) :]),
        ("all small", good.lower().replace("begin adjudicator bundle", "BEGIN ADJUDICATOR BUNDLE")),
    )
