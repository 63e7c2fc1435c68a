"""Row 21 of the hostile inputs: a mail twice as long takes twice as long to read.

A stranger needs no key to send a mail, so the time it takes must follow from its size alone.
"""

from __future__ import annotations

from collections.abc import Callable

import growth
import pytest

from adjudicator.mail.mime import LARGEST_PART, read_mail
from orders.errors import Refused

SIZE = 2**17
TYPE = b"Content-Type: "
HTML = TYPE + b"text/html; charset=utf-8\n\n"
PLAIN = TYPE + b"text/plain\n\n"
PARTS = TYPE + b"multipart/mixed; boundary=b\n\n"
PART = PARTS + b"--b\n"
END = b"\n\nhi\n--b--\n"
BLOCK = PLAIN + b"-----BEGIN ADJUDICATOR BUNDLE-----\nkind: join\ndigest: " + b"0" * 64 + b"\n"
BLOCK_END = b"\n-----END ADJUDICATOR BUNDLE-----\n"


def run(head: bytes, unit: bytes, tail: bytes = b"") -> Callable[[int], bytes]:
    """A maker of mails: `unit` again and again, as many bytes as are asked for."""
    return lambda size: head + unit * (size // len(unit)) + tail


def encoded(encoding: bytes, unit: bytes, charset: bytes = b"utf-8") -> Callable[[int], bytes]:
    """A maker of mails whose text is encoded (Content-Transfer-Encoding)."""
    head = TYPE + b"text/plain; charset=" + charset + b"\nContent-Transfer-Encoding: " + encoding
    return run(head + b"\n\n", unit)


SHAPES = {
    "style left open": run(HTML, b"<style>"),
    "style and blank, closed": run(HTML, b"<style ></style>"),
    "style, closed": run(HTML, b"<style></style>"),
    "elements that another one closes": run(HTML, b"<style></script ><title\n></head>"),
    "elements in elements": run(HTML, b"<head><title><style><script></script>"),
    "script left open": run(HTML, b"<script ><script>"),
    "closed only": run(HTML + b"<style>", b"</style "),
    "one end of blanks": run(HTML + b"<style>x</style", b" "),
    "comments left open": run(HTML, b"<!--"),
    "comments": run(HTML, b"<!--><!-- a -->"),
    "a comment of dashes": run(HTML + b"<!--", b"-"),
    "comments and styles": run(HTML, b"<!-- <style > -- > </style>"),
    "letters that grow in lower case": run(HTML, "\u0130<style ></style>".encode()),
    "angles": run(HTML, b"<"),
    "line breaks left open": run(HTML, b"<br "),
    "one tag": run(HTML + b"<p ", b"a"),
    "ampersands": run(HTML, b"&"),
    "entities": run(HTML, b"&amp;"),
    "short entities": run(HTML, b"&a"),
    "long entities": run(HTML, b"&" + b"a" * 32),
    "numbers": run(HTML, b"&#9"),
    "one decimal number": run(HTML + b"&#", b"9"),
    "one hexadecimal number": run(HTML + b"&#x", b"f"),
    "decimal numbers": run(HTML, b"&#" + b"9" * 4000 + b";"),
    "a block of entities": run(BLOCK, b"&a", BLOCK_END),
    "a block of quoted-printable": run(BLOCK, b"=2", BLOCK_END),
    "a block of quote marks": run(BLOCK, b"> | ", BLOCK_END),
    "beginnings of blocks": run(PLAIN, b"--BEGIN ADJUDICATOR BUNDLE--> "),
    "half marks": run(PLAIN, b"--BEGIN ADJUDICATOR > "),
    "base64 garbage": encoded(b"base64", b"=A*!"),
    "base64 lines": encoded(b"base64", b"QUJDREVGR0hJ\n"),
    "quoted-printable garbage": encoded(b"quoted-printable", b"=ZZ="),
    "quoted-printable blanks": encoded(b"quoted-printable", b" "),
    "uuencoded lines": encoded(b"x-uuencode", b"M########\n"),
    "UTF-7": encoded(b"7bit", b"+AGE-", b"utf-7"),
    "shifts": encoded(b"7bit", b"\x1b$B\x1b(B", b"iso-2022-jp"),
    "a part's parameters": run(PART + TYPE + b"text/plain", b"; a=b", END),
    "a part's semicolons": run(PART + TYPE + b"text/plain", b";", END),
    "a part's open quotes": run(PART + TYPE + b'text/plain; a="', b";", END),
    "a part's escaped quotes": run(PART + TYPE + b"text/plain; a=", b'\\";', END),
    "a part's continued parameters": run(PART + TYPE + b"text/plain", b"; a*1=b", END),
    "quotes of parts in parts": run(PART + TYPE + b'multipart/mixed; a="', b";", END),
    "a part's disposition": run(PART + b'Content-Disposition: a; b="', b";", END),
    "a part's encoding": run(PART + b"Content-Transfer-Encoding: ", b" ", b"x" + END),
    "a part's headers": run(PART, b"a:\n", b"\nhi\n--b--\n"),
    "a part's folded header": run(PART + b"a: b\n", b" c\n", b"\nhi\n--b--\n"),
    "a mail in a mail": run((TYPE + b"message/rfc822\n\n") * 18 + HTML, b"<style ></style>"),
    "lines in 18 parts": run(
        b"".join(TYPE + b"multipart/mixed; boundary=%d\n\n--%d\n" % (n, n) for n in range(18)),
        b"- not a boundary\n",
    ),
    "parts of HTML": lambda size: (
        PARTS + (b"--b\n" + HTML + b"<style ></style>" * (size // 50 // 16) + b"\n") * 50
    ),
}

HEADERS = {
    "parameters": run(TYPE + b"text/plain", b"; a=b", b"\n\nhi"),
    "open quotes": run(TYPE + b'text/plain; a="', b";", b"\n\nhi"),
    "a boundary's open quotes": run(TYPE + b'multipart/mixed; a="', b";", b"\n\nhi"),
    "encoded words": run(b"Subject: ", b"=?utf-8?q?", b"\n\nhi"),
    "addresses": run(b"From: ", b"<a@b", b"\n\nhi"),
    "many": run(b"", b"a:b\n", b"\nhi"),
}


def read(data: bytes) -> None:
    """A mail; of all refusals only those of a decimal number beyond what Python converts, and of
    more blocks than are looked at."""
    try:
        read_mail(data)
    except Refused as error:
        assert error.word in ("unreadable", "too-big")


def check_doubling(make: Callable[[int], bytes], size: int) -> None:
    """Twice the size, at most 2.5 times the time."""
    assert growth.fault(read, make(size), make(2 * size), 2.5, spare=0.01) is None


@pytest.mark.parametrize("name", SHAPES)
def test_doubling(name: str) -> None:
    """A body, of an eighth and of a quarter of a MiB."""
    check_doubling(SHAPES[name], SIZE)


@pytest.mark.parametrize("name", HEADERS)
def test_doubling_headers(name: str) -> None:
    """Headers of the mail itself, up to what is taken of them."""
    check_doubling(HEADERS[name], 2**16 - 200)


@pytest.mark.parametrize(
    "name",
    ["style and blank, closed", "a mail in a mail", "short entities", "a part's open quotes"],
)
def test_the_largest(name: str) -> None:
    """The largest part that is taken costs less than a second per MiB, by a wide margin here."""
    data = SHAPES[name](LARGEST_PART - 100)
    assert any(growth.seconds(read, data) < LARGEST_PART / 2**20 for _ in range(3))
