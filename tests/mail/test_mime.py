"""Mails made to exhaust whoever reads them (row 21 of the hostile inputs), and what is shown."""

from __future__ import annotations

import contextlib
import time
from email.message import Message

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mail.corpus import Case, cases

from adjudicator.mail import block, mime
from adjudicator.mail.mime import (
    LARGEST,
    LARGEST_PART,
    MOST_HEADER_BYTES,
    MOST_LINES,
    MOST_NESTED,
    MOST_PARTS,
    html_to_text,
    read_mail,
)
from orders.bundle import Bundle, encode
from orders.errors import Refused

BUNDLE = Bundle("order", (("slips/0001-a.toml", b"x" * 400),))


BLOCK = encode(BUNDLE).decode()


TYPE = b"Content-Type: "


HOSTILE = {
    "multiparts 1500 deep": b"".join(
        TYPE + b"multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(1500)
    ),
    "mails 1500 deep": TYPE + b"message/rfc822\n\n" + (TYPE + b"message/rfc822\n\n") * 1500,
    "digest 1500 deep": TYPE + b"multipart/digest; boundary=b\n\n" + b"--b\n\n\n" * 1500,
    "20,000 parts": TYPE + b"multipart/mixed; boundary=b\n\n" + b"--b\n\nx\n" * 20000,
    "20,000 addresses": b"From: " + b"a@b.c, " * 18000 + b"\n\nhi",
    "20,000 recipients": b"To: " + b"a@b.c, " * 20000 + b"\n\nhi",
    "comments 10,000 deep": b"From: " + b"(" * 10000 + b"\n\nhi",
    "encoded words": b"Subject: " + b"=?utf-8?q?" * 9000 + b"\n\nhi",
    "content type of 20,000 parameters": TYPE + b"text/plain" + b"; a=b" * 20000 + b"\n\nhi",
    "only line ends": b"From: a@b.c\n\n" + b"\n" * 4_000_000,
    "only dashes": b"From: a@b.c\n\n" + b"-" * 4_000_000,
    "dashes and blanks": b"From: a@b.c\n\n" + b"- " * 2_000_000,
    "quote marks": b"From: a@b.c\n\n--" + b">" * 4_000_000,
    "open tags": TYPE + b"text/html\n\n" + b"<style " * 400_000,
    "open angles": TYPE + b"text/html\n\n" + b"<" * 3_000_000,
    "a block of 4 MB": b"\n\n" + BLOCK[:40].encode() + b"A" * 3_900_000 + BLOCK[-40:].encode(),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_bounded(name: str) -> None:
    """Hostile mails are read or refused by a word, soon; nothing is taken from them."""
    start = time.process_time()
    try:
        assert block.choose(read_mail(HOSTILE[name]).blocks, ("join",)) is None
    except Refused as error:
        assert error.word in ("too-big", "too-deep", "unreadable", "bad-bundle")
    assert time.process_time() - start < 2


def nested(deep: int) -> bytes:
    parts = (TYPE + b"multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(deep))
    return b"".join(parts) + b"\nhi\n"


BOUNDS = [
    (b"\n\n" + b"x" * LARGEST, f"too-big: a mail of {LARGEST + 2} bytes"),
    (b"\n\n" + b"\n" * 2 * MOST_LINES, f"too-big: a mail of more than {MOST_LINES} lines"),
    (b"A: " + b"x" * MOST_HEADER_BYTES, f"too-big: headers of more than {MOST_HEADER_BYTES} bytes"),
    (b"\n\n" + b"multipart/ " * (2 * MOST_NESTED + 1), "too-deep: parts within parts"),
    (b"\n\n" + b"--\n" * (20 * MOST_PARTS + 1), f"too-big: more than {MOST_PARTS} parts"),
    (nested(MOST_NESTED + 1), "too-deep: parts within parts"),
]


@pytest.mark.parametrize(("data", "words"), BOUNDS, ids=range(len(BOUNDS)))
def test_each_bound_is_told(data: bytes, words: str) -> None:
    """Each by its own check, before the work that it limits."""
    with pytest.raises(Refused, match=words):
        read_mail(data)


@pytest.mark.parametrize("fault", [ValueError, LookupError, TypeError, AttributeError])
def test_the_library_fails(monkeypatch: pytest.MonkeyPatch, fault: type[Exception]) -> None:
    """Then the mail is one that cannot be read, whatever the library raised."""

    def fail(*args: object, **options: object) -> None:
        raise fault("why")

    monkeypatch.setattr(mime, "message_from_bytes", fail)
    with pytest.raises(Refused, match="unreadable: no mail that can be read: 'why'"):
        read_mail(b"From: a@b.c\n\nhi\n")


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=400))
def test_any_bytes(data: bytes) -> None:
    """Any bytes are a mail or refused."""
    with contextlib.suppress(Refused):
        read_mail(data)


def test_digest_of_deliveries() -> None:
    """Two deliveries of one mail have one digest, whatever servers put in front; others differ."""
    body = b"Message-ID: <a@b>\nFrom: a@b.c\n\nhi\n"
    again = b"Received: by x\nReceived: by y\n" + body.replace(b"\n", b"\r\n")
    assert read_mail(body).digest == read_mail(again).digest
    assert read_mail(body).digest != read_mail(body.replace(b"<a@b>", b"<b@b>")).digest
    assert read_mail(body).digest != read_mail(body.replace(b"hi", b"ho")).digest


@pytest.mark.parametrize(
    ("written", "sender"),
    [
        ("a@b.org", "a@b.org"),
        ("Ann <a@b.org>", "a@b.org"),
        ("a@b.org (Ann)", "a@b.org"),
        ("Ann (at home) <a@b.org> (away)", "a@b.org"),
        ('"Smith, Ann: c@d.org" <a@b.org>', "a@b.org"),
        ("Smith, Ann <a@b.org>", "a@b.org"),
        ("a@b.org <a@b.org>", "a@b.org"),
        ("Ann <a@b.org>, Ben <c@d.org>", None),
        ("a@b.org, c@d.org", None),
        ("a@b.org <c@d.org>", None),
        ("Ann", None),
        ("undisclosed:;", None),
        ("-a@b.org", None),
        ("a@b.org\nFrom: a@b.org", None),
    ],
)
def test_who_wrote(written: str, sender: str | None) -> None:
    """Whatever stands around it, exactly one address counts."""
    assert read_mail(f"From: {written}\n\nhi\n".encode()).sender == sender


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("a<style >b</style >c<STYLE>d</Style>e", "ace"),
        ("a<style>b</style>c<style>d", "acd"),
        ("a<script src='x'>if (a<b) {}</script>b", "ab"),
        ("<head><title>x</title><style>y</style></head>b", "b"),
        ("<header>a</header>", "a"),
        ("a<!-- <p>b</p> -->c<!-->d", "acd"),
        ("a<!-- b", "a<!-- b"),
        ("a<!--<style>-->b</style>c", "abc"),
        ("a<style><!--</style>b-->c", "ab-->c"),
        ("\u0130<style>b</style>c", "\u0130c"),
        ("a<br/>b&lt;c", "a\nb<c"),
    ],
)
def test_what_is_shown(page: str, text: str) -> None:
    """Comments and elements that no mail program shows are left out; what is left open stays."""
    assert html_to_text(page) == text


@pytest.mark.parametrize("more", [0, 1])
def test_a_part_is_as_long_as_may_be(more: int) -> None:
    """One that is longer is passed over."""
    part = Message()
    part.set_payload("x" * (LARGEST_PART + more))
    assert len([*mime._decoded(part)]) == 1 - more


# Mails as they really come: what is in them, and whether they may be answered.


KINDS = {"host": ("order", "join", "letter"), "player": ("invite", "entry", "receipt")}


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_verdict(case: Case) -> None:
    """Each mail of the corpus has the verdict that it names, and its bundle to the byte."""
    found, digest = "nothing", None
    try:
        mail = read_mail(case.mail)
        if mail.automatic != (case.answer == "no"):
            pytest.fail(f"automatic is {mail.automatic}")
        bundle = block.choose(mail.blocks, KINDS[case.reader])
        if bundle is not None:
            found, digest = "taken", bundle.digest
    except Refused as error:
        found = error.word
    assert (found, digest) == (case.verdict, case.digest if case.verdict == "taken" else None)
