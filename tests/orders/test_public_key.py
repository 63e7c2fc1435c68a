"""Public keys: which lines are taken, and which keys never."""

import base64

import pytest
from generate import curve
from hypothesis import given, settings
from hypothesis import strategies as st

from orders import public_key
from orders.errors import Refused
from orders.keys import MemoryKey
from orders.public_key import read_public, read_public_file, string

P = 2**255 - 19


def line_of(raw: bytes) -> str:
    """The line of any 32 bytes, good or not."""
    blob = string(b"ssh-ed25519") + string(raw)
    return f"ssh-ed25519 {base64.b64encode(blob).decode()}"


def test_row_2_low_order_points_are_refused(refuses):
    """All encodings of the eight low-order points are refused, with either sign."""
    encodings = curve.low_order_encodings()
    assert len(set(encodings)) == 14
    for raw in encodings:
        refuses("bad-key", read_public, line_of(raw))


def test_row_2_keys_that_are_not_canonical_are_refused(refuses):
    """All 19 values of y from p on are refused, with either sign."""
    for y in range(P, 2**255):
        for sign in (0, 2**255):
            refused = refuses("bad-key", read_public, line_of((y + sign).to_bytes(32, "little")))
            assert "y >= p" in refused.message


def test_a_line_reads_and_writes(alice):
    """A good line gives a key that writes the same line, wire form and fingerprint."""
    key = read_public(alice.public.line)
    assert key == alice.public
    assert public_key.from_blob(key.blob) == key
    assert key.fingerprint.startswith("SHA256:")
    assert len(key.fingerprint) == 50


@given(seed=st.binary(min_size=32, max_size=32))
@settings(max_examples=40, deadline=None)
def test_every_real_key_is_taken(seed):
    """No key that somebody drew is refused."""
    public = MemoryKey.from_seed(seed).public
    assert read_public(public.line) == public


@given(st.data())
@settings(max_examples=300, deadline=None)
def test_any_line_is_a_key_or_refused(damaged, alice, data):
    """Any text either is the one line of a key or is refused; so is any file."""
    text = data.draw(damaged(alice.public.line.encode())).decode("latin-1")
    try:
        key = read_public(text)
    except Refused as refused:
        assert refused.word == "bad-key"
        assert refused.message.isprintable()
        assert refused.message.isascii()
    else:
        assert key.line == text
    try:
        read_public_file(text)
    except Refused as refused:
        assert refused.word == "bad-key"


def test_row_19_lines_with_anything_else_are_refused(refuses, alice):
    """Blanks, comments, control characters, a BOM, other digits: a line is exact."""
    line = alice.public.line
    kind, text = line.split()
    for bad in [
        "",
        " ",
        line + " ",
        line + "\n",
        line + "\r\n",
        line + " alice@home",
        " " + line,
        "\ufeff" + line,
        line.replace(" ", "  "),
        line.replace(" ", "\t"),
        line.replace(" ", "\u00a0"),
        line + "\0",
        line + "\x1b[2J",
        "\u202e" + line,
        line + "=",
        line + "====",
        line[:-1],
        line[:-4],
        line + "AAAA",
        f"{kind.upper()} {text}",
        f"{kind} {text[:20]}\n{text[20:]}",
        f"{kind} {text.replace('A', chr(0x410), 1)}",
        kind,
        text,
        "x" * 100_000,
    ]:
        refuses("bad-key", read_public, bad)


def test_base64_with_pad_bits_is_refused(refuses):
    """A wire form that ends within a base64 group is no Ed25519 key, whatever its pad bits."""
    blob = string(b"ssh-ed25519") + string(bytes(range(31)))
    text = base64.b64encode(blob).decode()
    assert text.endswith("=")
    refuses("bad-key", read_public, f"ssh-ed25519 {text}")


@pytest.mark.parametrize(
    "kind", ["ssh-rsa", "ssh-dss", "ecdsa-sha2-nistp256", "sk-ssh-ed25519@openssh.com", "ssh-ed448"]
)
def test_other_kinds_are_refused_by_name(refuses, kind):
    """Another kind of key is named, in the line or in the wire form alone."""
    text = base64.b64encode(string(kind.encode()) + string(bytes(32))).decode()
    assert kind in refuses("bad-key", read_public, f"{kind} {text}").message
    assert kind in refuses("bad-key", read_public, f"ssh-ed25519 {text}").message


def test_wire_form_is_exact(refuses, alice):
    """Bytes after the key, a cut key, and wrong lengths within are refused."""
    blob = alice.public.blob
    for bad in [b"", blob[:3], blob[:20], blob[:-1], blob + b"\0", string(blob), b"\xff" * 51]:
        refuses("bad-key", public_key.from_blob, bad)
    refuses("bad-key", public_key.from_blob, string(b"ssh-ed25519") + string(bytes(33)))


def test_files_may_have_a_comment(alice, refuses):
    """A `.pub` file ends with a comment and an end of line, and holds one key."""
    line = alice.public.line
    for text in [line, line + "\n", line + "\r\n", line + " alice@home\n", line + " a b  \u00e9\n"]:
        assert read_public_file(text) == alice.public
    for text in ["", "\n", line + "\n\n", f"{line}\n{line}\n", f"# mine\n{line}\n"]:
        refuses("bad-key", read_public_file, text)


def test_fingerprint_is_that_of_ssh_keygen(ssh_keygen, alice, tmp_path):
    """`ssh-keygen -l` prints the same fingerprint."""
    path = tmp_path / "alice.pub"
    path.write_text(alice.public.line + "\n")
    assert ssh_keygen("-l", "-f", path).split()[1].decode() == alice.public.fingerprint
