"""Bundles: one rendering, damage seen, and enough redundancy for a mail intake to repair."""

import binascii
import hashlib
import re
import textwrap

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orders import bundle
from orders.bundle import Bundle, decode, encode
from orders.errors import Refused

ORDER = Bundle(
    "order",
    (
        ("orders/0007-alice.sealed", bytes(range(256)) * 3),
        ("slips/0007-alice.toml", b'kind = "slip/1"\n-----BEGIN ADJUDICATOR BUNDLE-----\n'),
        ("slips/0007-alice.toml.sig", b"-----BEGIN SSH SIGNATURE-----\n"),
    ),
)
WORDS = st.text("abz09", min_size=1, max_size=4)
PATHS = st.one_of(
    WORDS, st.tuples(WORDS, WORDS, st.sampled_from(("toml", "sig"))).map("%s/%s.%s".__mod__)
)


def armored(payload: bytes, kind: str = "order") -> bytes:
    """A block around any payload, with the digest that fits."""
    text = binascii.b2a_base64(payload, newline=False)
    lines = b"".join(text[at : at + 64] + b"\n" for at in range(0, len(text), 64))
    digest = hashlib.sha256(payload).hexdigest()
    return bundle.BEGIN + f"kind: {kind}\ndigest: {digest}\n\n".encode() + lines + bundle.END


def repaired(text: str) -> bytes:
    """What an intake can do: between BEGIN and END drop all that carries no meaning."""
    inner = re.search(r"-----BEGIN ADJUDICATOR BUNDLE-----(.*?)-----END", text, re.DOTALL)
    assert inner is not None
    characters = re.sub(r"[^A-Za-z0-9+/=:]", "", inner[1])
    parts = re.fullmatch(r"kind:([a-z]+)digest:([0-9a-f]{64})([A-Za-z0-9+/]+=*)", characters)
    assert parts is not None
    return armored(binascii.a2b_base64(parts[3]), parts[1])


def test_the_layout():
    """BEGIN, kind, digest, an empty line, base64 in lines of 64, END."""
    begin, kind, digest, blank, *body, end = encode(ORDER).decode().split("\n")[:-1]
    assert (begin, end) == (
        "-----BEGIN ADJUDICATOR BUNDLE-----",
        "-----END ADJUDICATOR BUNDLE-----",
    )
    assert (kind, digest, blank) == ("kind: order", f"digest: {ORDER.digest}", "")
    assert {len(line) for line in body[:-1]} == {64}
    payload = binascii.a2b_base64("".join(body))
    assert payload == ORDER.payload
    assert payload.startswith(
        b"bundle/1 order\n768 orders/0007-alice.sealed\n51 slips/0007-alice.toml\n"
        b"30 slips/0007-alice.toml.sig\n\n\0\1\2"
    )
    assert decode(encode(ORDER)) == ORDER


@given(
    st.sampled_from(tuple(bundle.KINDS)),
    st.dictionaries(PATHS, st.binary(max_size=80), min_size=1, max_size=6),
)
@settings(max_examples=150, deadline=None)
def test_bundles_come_back(kind, files):
    """Any bundle that can be made decodes to itself."""
    try:
        made = Bundle(kind, tuple(sorted(files.items())))
    except Refused as refused:
        assert refused.word == "bad-bundle"
    else:
        assert decode(encode(made)) == made


@given(st.data())
@settings(max_examples=300, deadline=None)
def test_any_bytes_are_a_bundle_or_refused(damaged, data):
    """Any bytes either decode, and encode to the same bytes, or are refused."""
    changed = data.draw(damaged(encode(ORDER)))
    try:
        found = decode(changed)
    except Refused as refused:
        assert refused.word == "bad-bundle"
        assert refused.message.isprintable()
        assert refused.message.isascii()
    else:
        assert encode(found) == changed


@given(st.data())
@settings(max_examples=300, deadline=None)
def test_any_payload_is_a_bundle_or_refused(damaged, data):
    """The same for what lies within a block whose digest is right."""
    block = armored(data.draw(damaged(ORDER.payload)))
    try:
        found = decode(block)
    except Refused as refused:
        assert refused.word == "bad-bundle"
        assert refused.message.isprintable()
        assert refused.message.isascii()
    else:
        assert encode(found) == block


def test_any_damage_is_seen():
    """Changing or removing any single byte of a block is refused."""
    block = encode(ORDER)
    for at, byte in enumerate(block):
        for piece in (bytes([byte ^ 1]), bytes([byte ^ 0x20]), b""):
            with pytest.raises(Refused, match="bad-bundle"):
                decode(block[:at] + piece + block[at + 1 :])


@pytest.mark.parametrize(
    "mangle",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: textwrap.indent(text, "> ", lambda line: True),
        lambda text: textwrap.indent(text, "> >  ", lambda line: True),
        lambda text: text.replace("\n", " \n"),
        lambda text: text.replace("\n", "\n\n"),
        lambda text: text.replace(" ", "\u00a0"),
        lambda text: re.sub(r"(?<=[A-Za-z0-9+/=])\n(?!-)", " ", text),
        lambda text: re.sub(r"(.{40})", r"\1\n", text.replace("-----\n", "-----\n\n")),
        lambda text: "Hi,\n\nhere they are.\n\n" + text + "\n--\nSent from a telephone\n",
    ],
)
def test_mail_mangling_can_be_repaired(refuses, mangle):
    """What mail does to a block is refused here, and leaves all that a repair needs."""
    block = encode(ORDER)
    text = mangle(block.decode())
    refuses("bad-bundle", decode, text.encode())
    if "-----BEGIN ADJUDICATOR BUNDLE-----" in text:
        assert repaired(text) == block


def test_row_7_other_renderings_are_refused(refuses):
    """Other line lengths, pad bits, blank lines, a missing last line end: refused."""
    block = encode(ORDER)
    start = block.index(b"\n\n") + 2
    head, body = block[:start], block[start : -len(bundle.END)]
    text = body.replace(b"\n", b"")
    for width in (32, 63, 65, 76, 10_000):
        lines = b"".join(text[at : at + width] + b"\n" for at in range(0, len(text), width))
        refuses("bad-bundle", decode, head + lines + bundle.END)
    for changed in (block[:-1], block + b"\n", b"\n" + block, block.replace(b": ", b":")):
        refuses("bad-bundle", decode, changed)
    padded = Bundle("order", (("a", b"xy"),))
    block = encode(padded)
    assert b"=" in block
    digit = block[block.index(b"=") - 1]
    other = block.replace(bytes([digit]) + b"=", bytes([digit + 1]) + b"=")
    assert binascii.a2b_base64(other[start : -len(bundle.END)]) == padded.payload
    refuses("bad-bundle", decode, other)


def test_row_8_two_blocks_are_refused(refuses):
    """Two BEGIN lines are refused, whole blocks or not."""
    block = encode(ORDER)
    for both in (block + block, bundle.BEGIN + block, block[:-40] + block):
        assert "two BEGIN" in refuses("bad-bundle", decode, both).message
    refuses("bad-bundle", decode, block + bundle.END)


def test_row_19_invisible_characters_are_refused(refuses):
    """A BOM, NUL, ESC or bidirectional control anywhere is refused."""
    block = encode(ORDER)
    for odd in ("\ufeff", "\0", "\x1b", "\u202e", "\r"):
        for at in (0, 10, 45, 150, len(block) - 5, len(block)):
            refuses("bad-bundle", decode, block[:at] + odd.encode() + block[at:])


@pytest.mark.parametrize(
    "start",
    [b"PK\x03\x04", b"\x1f\x8b\x08", b"ustar", b"\xfd7zXZ", b"", b"-----BEGIN PGP MESSAGE-----\n"],
)
def test_row_25_archives_are_refused(refuses, start):
    """Nothing is unpacked: what is not a block is refused by its first line."""
    refuses("bad-bundle", decode, start + bytes(1000))


def test_sizes_are_bounded(refuses):
    """Block, files and their number are bounded; the block before anything is decoded."""
    refuses("too-big", decode, encode(ORDER) + b"A" * 12_000_000)
    refuses("too-big", Bundle, "order", (("a", bytes(bundle.LARGEST_FILE + 1)),))
    many = tuple((f"a/{n:05d}", b"") for n in range(bundle.MOST_FILES + 1))
    refuses("bad-bundle", Bundle, "order", many)
    refuses("bad-bundle", Bundle, "order", ())
    most = Bundle("entry", many[:-1])
    assert decode(encode(most)) == most


def test_a_payload_is_bounded_with_its_list(refuses):
    """The list of files counts as well: ten thousand names are half a megabyte."""
    big = tuple((f"a{n}", bytes(2**20)) for n in range(8))
    refuses("too-big", Bundle, "order", big)
    room = 2**20 - len(Bundle("entry", (*big[:7], ("b", bytes(10**6)))).payload) + 7 * 2**20 + 10**6
    largest = Bundle("entry", (*big[:7], ("b", bytes(room))))
    assert len(largest.payload) == bundle.LARGEST
    assert decode(encode(largest)) == largest
    refuses("too-big", Bundle, "entry", (*big[:7], ("b", bytes(room + 1))))


def test_a_file_is_no_folder(refuses):
    """That is seen even if other names sort between a file and what is in a folder of its name."""
    for between in ((), (("a-b", b""),), (("a.b", b""), ("a.b-c", b""))):
        refuses("bad-bundle", Bundle, "order", (("a", b""), *between, ("a/b/c", b"")))
    Bundle("order", (("a-b", b""), ("a.b", b""), ("a/b", b"")))


@pytest.mark.parametrize(
    "path",
    [
        "", "/", "/etc/passwd", "..", "../x", "a/../b", "a/..", "./a", "a/./b", "a//b", "a/",
        ".ssh", "a/.git", "-rf", "a/-b", "a.", "a./b", "A", "a b", "a\\b", "c:/x", "a\nb", "a\n",
        "\u00e9", "a\0", "con", "con.toml", "slips/nul.sig", "com1/x", "a/lpt9.toml.sig", "a" * 101,
    ],
)  # fmt: skip
def test_row_20_paths_are_plain(refuses, path):
    """Paths that leave the record, hide, or mean something to a system are refused."""
    refuses("bad-bundle", Bundle, "order", ((path, b""),))
    refuses("bad-bundle", decode, armored(f"bundle/1 order\n0 {path}\n\n".encode()))


@pytest.mark.parametrize(
    "path", ["a", "a.b", "a-b/0.c", "console", "com10", "a" * 100, "nula.toml"]
)
def test_plain_paths_are_taken(path):
    """Names that only look like those are fine."""
    assert decode(encode(Bundle("order", ((path, b"x"),)))).files == ((path, b"x"),)


@pytest.mark.parametrize(
    "paths", [("b", "a"), ("a", "a"), ("a", "a/b"), ("a/b", "a"), ("a", "b", "a")]
)
def test_paths_are_sorted_and_single(refuses, paths):
    """Each path stands once, in order, and no file is another's folder."""
    refuses("bad-bundle", Bundle, "order", tuple((path, b"") for path in paths))


@pytest.mark.parametrize(
    "payload",
    [
        b"bundle/1 order\n\n", b"bundle/1 order\n1 a\n\n", b"bundle/1 order\n1 a\n\nxx",
        b"bundle/1 order\n01 a\n\nx", b"bundle/1 order\n+1 a\n\nx", b"bundle/1 order\n-1 a\n\nx",
        b"bundle/1 order\n1  a\n\nx", b"bundle/1 order\n1 a \n\nx", b"bundle/1 order\n1 a\r\n\nx",
        b"bundle/1 order\n1 a\n", b"bundle/1 order\n99999999999 a\n\nx",
        b"bundle/1 orders\n1 a\n\nx", b"bundle/1 entry\n1 a\n\nx", b"bundle/2 order\n1 a\n\nx",
        b"bundle/1 order", b"bundle/1 order\n" + b"0 a\n" * 300 + b"\n", b"", b"\n\n",
    ],
)  # fmt: skip
def test_payloads_otherwise_are_refused(refuses, payload):
    """A list of files that is not exactly that, or not of this content, is refused."""
    refuses("bad-bundle", decode, armored(payload))
