"""What somebody pastes, read. Whole mails of a game stand in tests/page."""

from __future__ import annotations

import base64
from collections.abc import Callable
from email.message import EmailMessage
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mailroom import receipts

from adjudicator.mail import block, pasted
from adjudicator.mail.mime import read_mail
from adjudicator.player.letters import message
from orders.bundle import Bundle, encode
from orders.errors import Refused

ONE = Bundle("receipt", (("receipts/0001-alice.toml", b"one" * 40),))
TWO = Bundle("entry", (("entries/0001.toml", b"two" * 40),))


def test_several_blocks_each_once() -> None:
    """In the order in which they stand, words between them."""
    text = b"words\n" + encode(ONE) + b"> quoted\n" + encode(TWO) + encode(ONE)
    found = pasted.read(text)
    assert (found.bundles, found.damaged) == ((ONE, TWO), ())


def test_as_many_blocks_as_a_text_may_hold() -> None:
    """And one line more is refused."""
    text = encode(ONE).decode() * 1_000
    assert [one.bundle for one in block.find(text)] == [ONE] * 1_000
    with pytest.raises(Refused, match="more than 1000 blocks in one text"):
        block.find(text + "END ADJUDICATOR BUNDLE\n")


def test_a_part_of_a_mail_that_is_base64() -> None:
    """No block stands in its text as it is; the mail's parts hold it."""
    body = base64.encodebytes(encode(ONE))
    mail = (b"Subject: s\nMessage-ID: <a@b.example>\nMIME-Version: 1.0\n"
            b"Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\n" + body)  # fmt: skip
    found = pasted.read(mail)
    assert (found.bundles, found.mail.message_id) == ((ONE,), "<a@b.example>")


@pytest.mark.parametrize("first", [b"Subject: s", b"Subject:s", b"Received:\n from there", b"odd"])
def test_a_mail_may_hold_a_block_whatever_its_first_line_is(first: bytes) -> None:
    """Headers need no blank behind the colon, and may go on in the next line."""
    head = b"%s\nContent-Transfer-Encoding: base64\n\n" % first
    assert pasted.may_hold(head + base64.encodebytes(encode(ONE)))
    assert not pasted.may_hold(b"%s\n\nGood morning.\n" % first)


def sealed(size: int) -> Bundle:
    """A block of a duel, which says whose it is."""
    return Bundle("duel", (("0123456789abcdef/0007.sealed", bytes(size)),))


def test_a_link_brings_a_bundle() -> None:
    """Whatever stands around it; beside the block itself it counts once, and cut off it is
    damaged."""
    link = pasted.link("https://example.org/page.html", sealed(120))
    assert link.startswith("https://example.org/page.html#g=01234567&take=")
    older = link.replace("g=01234567&", "")
    quoted = (link, older, link.replace("&", "&amp;"), f"> <{link}> and more")
    for text in (*quoted, link.partition("#")[2].join("#\n")):
        found = pasted.read(text.encode())
        assert (found.bundles, found.damaged) == ((sealed(120),), ())
    both = pasted.read(encode(sealed(120)) + link[:-9].encode())
    assert (both.bundles, both.damaged) == ((sealed(120),), ())
    assert len(pasted.read(link[:-9].encode()).damaged) == 1
    assert len(pasted.read(b"#take=AAAA #take=- #take=").damaged) == 1


def test_what_is_too_long_for_a_link_is_none() -> None:
    """It travels as a block alone."""
    assert pasted.link("https://example.org/page.html", sealed(20_000)) == ""


def test_a_link_in_a_mail_that_wraps_its_lines() -> None:
    """Quoted-printable, as a mail with so long a line is sent: each bundle once."""
    link = pasted.link("https://example.org/page.html", sealed(2_000))
    mail = EmailMessage()
    mail.set_content(f"The link:\n\n  {link}\n", cte="quoted-printable")
    found = pasted.read(mail.as_bytes())
    assert (len(found.bundles), found.damaged) == (1, ())


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
    assert (found.bundles, len(found.damaged)) == ((), 1)
    assert pasted.read(broken + whole).damaged == ()


def test_a_mail_that_nobody_reads_is_refused_with_its_reason() -> None:
    """Too many parts; yet a block that stands in its text is taken."""
    deep = b"".join(b"Content-Type: multipart/mixed; boundary=%d\n\n--%d\n" % (n, n)
                    for n in range(60))  # fmt: skip
    with pytest.raises(Refused, match="too-deep"):
        pasted.read(deep)
    assert pasted.read(deep + b"\n" + encode(ONE)).bundles == (ONE,)


def test_zeros_make_no_binary_file_of_what_names_a_block() -> None:
    """A mail program may leave some; a picture has them too, and is passed over."""
    assert pasted.is_text(b"From: a@b.example\0\0\n\n" + encode(ONE))
    assert pasted.is_text("some words".encode("utf-16"))
    assert not pasted.is_text(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")


def test_a_paste_beyond_the_limit() -> None:
    """Refused before it is decoded; one at the limit is read."""
    with pytest.raises(Refused, match="too-big: 12,582,913 bytes are too many: at most 12,582,912"):
        pasted.read(bytes(pasted.LARGEST + 1))
    assert pasted.read(b"x" * pasted.LARGEST).bundles == ()


# Blocks in the text of mails: found where people paste and clients quote, never another.


BUNDLE = Bundle("order", (("slips/0001-a.toml", b"x" * 400),))


BLOCK = encode(BUNDLE).decode()


@settings(max_examples=150, deadline=None)
@given(
    st.integers(0, len(BLOCK) - 1),
    st.integers(0, 8),
    st.text(alphabet="AB+/=>| \n\u00a0\u200bxyz-", max_size=8),
)
def test_never_another_bundle(at: int, count: int, new: str) -> None:
    """However a block is changed, what comes of it is that bundle or none."""
    for found in block.find(BLOCK[:at] + new + BLOCK[at + count :]):
        assert found.bundle in (None, BUNDLE)


Mailroom = Any


def test_pasted_into_a_reply(
    mailroom: Callable[..., Mailroom], write: Any, words: Any, armored: Any
) -> None:
    """A plain mail with the block pasted above the quoted mail of the host is taken."""
    room = mailroom().begin()
    bundle = block.choose(read_mail(room.order("alice", "start C4")).blocks, ("order",))
    asked = room.got("alice")[-1].decode()
    quoted = "".join(f"> {line}\n" for line in asked.splitlines())
    body = f"{armored(bundle)}\nOn Saturday the referee wrote:\n{quoted}"
    room.box.put(write("somebody-else@example.com", body))
    room.turn()
    assert receipts(room.got("alice")) == ["accepted"]
    assert [to for _, to, _ in room.wire.out if "somebody" in to] == []


def test_two_bundles(mailroom: Callable[..., Mailroom], write: Any, armored: Any) -> None:
    """Row 23: two different orders in one mail are refused, and neither is used."""
    room = mailroom().begin()
    made = [
        block.choose(read_mail(room.order("alice", x)).blocks, ("order",))
        for x in ("start C4", "start C3")
    ]
    room.box.put(write("alice@example.org", "\n".join(armored(one) for one in made)))
    room.turn()
    assert "ambiguous" in room.last("alice")
    assert room.host.folder.waiting() == {}


def test_orders_above_a_quoted_message(
    mailroom: Callable[..., Mailroom], write: Any, armored: Any
) -> None:
    """Bob answers a message with his orders, and his client quotes its attachment: orders count."""
    room = mailroom(options={"press": "private"}).begin()
    room.box.put(room.letter("alice", message("bob", "Truce?")))
    room.turn()
    passed = block.choose(read_mail(room.got("bob")[-1]).blocks, ("letter",))
    quoted = "".join(f"> {line}\n" for line in armored(passed).splitlines())
    room.box.put(write("bob@example.org", armored(room.sealed("bob", "start C1")) + quoted))
    room.turn()
    assert receipts(room.got("bob")) == ["accepted"]
