"""What somebody pastes, read. Whole mails of a game stand in test_desk."""

from __future__ import annotations

import base64

import pytest

from adjudicator.mail import pasted
from orders.bundle import Bundle, encode
from orders.errors import Refused

ONE = Bundle("receipt", (("receipts/0001-alice.toml", b"one" * 40),))
TWO = Bundle("entry", (("entries/0001.toml", b"two" * 40),))


def test_several_blocks_each_once() -> None:
    """In the order in which they stand, words between them."""
    text = b"words\n" + encode(ONE) + b"> quoted\n" + encode(TWO) + encode(ONE)
    found = pasted.read(text)
    assert (found.bundles, found.damaged) == ((ONE, TWO), 0)


def test_a_part_of_a_mail_that_is_base64() -> None:
    """No block stands in its text as it is; the mail's parts hold it."""
    body = base64.encodebytes(encode(ONE))
    mail = (b"Subject: s\nMessage-ID: <a@b.example>\nMIME-Version: 1.0\n"
            b"Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\n" + body)  # fmt: skip
    found = pasted.read(mail)
    assert (found.bundles, found.mail.message_id) == ((ONE,), "<a@b.example>")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1"])
def test_words_around_in_any_encoding(encoding: str) -> None:
    """What no encoding explains costs no block."""
    assert pasted.read("Gr\u00fc\u00dfe\n".encode(encoding) + encode(ONE)).bundles == (ONE,)


def test_a_damaged_block_is_counted_once() -> None:
    """Not where a whole one of the same digest is there."""
    whole = encode(ONE)
    broken = whole[:150] + bytes([whole[150] ^ 1]) + whole[151:]
    assert broken != whole
    found = pasted.read(broken + broken)
    assert (found.bundles, found.damaged) == ((), 1)
    assert pasted.read(broken + whole).damaged == 0


def test_a_mail_that_nobody_reads_is_refused_with_its_reason() -> None:
    """Too many parts; yet a block that stands in its text is taken."""
    deep = b"".join(b"Content-Type: multipart/mixed; boundary=%d\n\n--%d\n" % (n, n)
                    for n in range(60))  # fmt: skip
    with pytest.raises(Refused, match="too-deep"):
        pasted.read(deep)
    assert pasted.read(deep + b"\n" + encode(ONE)).bundles == (ONE,)


def test_a_paste_beyond_the_limit() -> None:
    """Refused before it is decoded; one at the limit is read."""
    with pytest.raises(Refused, match="too-big: 12582913 bytes: at most 12582912"):
        pasted.read(bytes(pasted.LARGEST + 1))
    assert pasted.read(b"x" * pasted.LARGEST).bundles == ()
