"""Signatures: those of ssh-keygen are ours and ours are ssh-keygen's, and no byte is free."""

import base64
import hashlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orders import crypto, sshsig
from orders.errors import Refused
from orders.keys import MemoryKey, load_signer
from orders.public_key import string

MESSAGE = b'kind = "slip/1"\nstep = 1\n'
L = 2**252 + 27742317777372353535851937790883648493


def content(armored: bytes) -> bytes:
    """The bytes within the armor."""
    return base64.b64decode(b"".join(armored.splitlines()[1:-1]))


def built(key, *, magic=b"SSHSIG", version=1, namespace=sshsig.SLIP, reserved=b"", name=b"sha512"):
    """A signature with any field otherwise, signed over just those fields."""
    hashed = hashlib.new("sha256" if name == b"sha256" else "sha512", MESSAGE).digest()
    fields = string(namespace.encode()) + string(reserved) + string(name)
    signature = crypto.ed25519_sign(key.seed, magic + fields + string(hashed))
    head = magic + version.to_bytes(4, "big") + string(key.public.blob) + fields
    return head + string(string(b"ssh-ed25519") + string(signature))


def test_a_signature_holds_for_its_key_namespace_and_message(alice):
    """A signature verifies, is deterministic, and has the form that `blob` and `armor` write."""
    armored = alice.sign(sshsig.SLIP, MESSAGE)
    sshsig.verify(alice.public, sshsig.SLIP, MESSAGE, armored)
    assert armored == alice.sign(sshsig.SLIP, MESSAGE)
    assert content(armored) == built(alice)


def test_every_kind_of_file_has_its_namespace(alice, refuses):
    """A signature under one namespace is none under any other; both are named (row 5)."""
    assert len(set(sshsig.NAMESPACES)) == len(sshsig.NAMESPACES) == 8
    for signed in sshsig.NAMESPACES:
        armored = alice.sign(signed, MESSAGE)
        for expected in sshsig.NAMESPACES:
            given_all = (alice.public, expected, MESSAGE, armored)
            if signed == expected:
                sshsig.verify(*given_all)
            else:
                refused = refuses("bad-signature", sshsig.verify, *given_all)
                assert signed in refused.message
                assert expected in refused.message


def test_row_1_s_plus_l_is_refused(alice, refuses):
    """A second S for the same signature is refused before any library sees it."""
    blob = content(alice.sign(sshsig.SLIP, MESSAGE))
    s = int.from_bytes(blob[-32:], "little")
    for times in range(1, 16):
        if s + times * L >= 2**256:
            break
        forged = sshsig.armor(blob[:-32] + (s + times * L).to_bytes(32, "little"))
        refused = refuses(
            "bad-signature", sshsig.verify, alice.public, sshsig.SLIP, MESSAGE, forged
        )
        assert "group order" in refused.message


def test_row_1_r_is_a_sound_point(alice, refuses):
    """R of low order or not canonical is refused before any library sees it.

    With R the identity and S = k * a a player would make a signature that OpenSSL takes and
    libsodium does not, so that two verifiers would disagree about an honest host.
    """
    blob = content(alice.sign(sshsig.SLIP, MESSAGE))
    p = 2**255 - 19
    order_8 = 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7
    for y in (0, 1, p - 1, order_8, p - order_8, p, p + 1, p + 2, 2**255 - 1):
        for sign in (0, 1):
            nonce = (y | sign << 255).to_bytes(32, "little")
            forged = sshsig.armor(blob[:-64] + nonce + blob[-32:])
            refused = refuses(
                "bad-signature", sshsig.verify, alice.public, sshsig.SLIP, MESSAGE, forged
            )
            assert "the point R in it is" in refused.message


def test_row_3_trailing_bytes_are_refused(alice, refuses):
    """Nothing may follow the END line, nor the last field of the blob."""
    armored = alice.sign(sshsig.SLIP, MESSAGE)
    verify = (sshsig.verify, alice.public, sshsig.SLIP, MESSAGE)
    for tail in (b"\n", b" ", b"x", b"\0", armored):
        refuses("bad-signature", *verify, armored + tail)
    for tail in (b"\0", b"abc", bytes(64)):
        refused = refuses("bad-signature", *verify, sshsig.armor(content(armored) + tail))
        assert "not in the one form" in refused.message
    refuses("bad-signature", *verify, b"\n" + armored)


def test_row_3_what_ends_early_is_refused(alice, refuses):
    """Cut anywhere, and by a length that lies."""
    blob = content(alice.sign(sshsig.SLIP, MESSAGE))
    verify = (sshsig.verify, alice.public, sshsig.SLIP, MESSAGE)
    assert blob[:10] == b"SSHSIG\0\0\0\1"
    for short in (*(blob[:cut] for cut in range(len(blob))), blob[:10] + b"\xff" * 4 + blob[14:]):
        refused = refuses("bad-signature", *verify, sshsig.armor(short))
        assert "not in the one form" in refused.message


def test_row_3_bytes_inside_the_signature_field_are_refused(alice, refuses):
    """Bytes after Ed25519's 64 but within the signature's own string are refused too."""
    blob = content(alice.sign(sshsig.SLIP, MESSAGE))
    inner = blob[-83:] + b"\0"
    longer = blob[:-87] + string(inner)
    verify = (sshsig.verify, alice.public, sshsig.SLIP, MESSAGE)
    assert "not in the one form" in refuses("bad-signature", *verify, sshsig.armor(longer)).message


@pytest.mark.parametrize(
    "change",
    [
        {"reserved": b"x"},
        {"version": 0},
        {"version": 2},
        {"name": b"sha1"},
        {"name": b"SHA512"},
        {"name": b"sha256"},
        {"name": b""},
        {"magic": b"sshsig"},
        {"namespace": ""},
        {"namespace": "adjudicator-slip\0"},
    ],
)
def test_row_4_fields_otherwise_are_refused(alice, refuses, change):
    """Reserved bytes, another version or hash are refused, though the key did sign just that."""
    armored = sshsig.armor(built(alice, **change))
    refused = refuses("bad-signature", sshsig.verify, alice.public, sshsig.SLIP, MESSAGE, armored)
    assert "not in the one form" in refused.message


def test_row_6_another_key_is_refused_and_named(alice, bob, refuses):
    """A valid signature by somebody else is refused, naming both keys."""
    armored = bob.sign(sshsig.SLIP, MESSAGE)
    refused = refuses("bad-signature", sshsig.verify, alice.public, sshsig.SLIP, MESSAGE, armored)
    assert bob.public.fingerprint in refused.message
    assert alice.public.fingerprint in refused.message
    assert isinstance(refused, sshsig.OtherKey)


def test_row_6_a_swapped_key_is_refused(alice, bob, refuses):
    """Writing Alice's key into Bob's signature, or Bob's into Alice's, makes neither valid."""
    for owner, other in ((alice, bob), (bob, alice)):
        blob = content(owner.sign(sshsig.SLIP, MESSAGE))
        swapped = sshsig.armor(blob.replace(owner.public.blob, other.public.blob))
        refuses("bad-signature", sshsig.verify, alice.public, sshsig.SLIP, MESSAGE, swapped)


def test_row_7_armor_is_exact(alice, refuses):
    """Re-wrapped, CRLF, indented, without its last line end, pad bits set: refused."""
    armored = alice.sign(sshsig.SLIP, MESSAGE)
    begin, *body, end = armored.splitlines()
    text = b"".join(body)
    for width in (1, 64, 69, 71, 76, 1000):
        lines = [text[at : at + width] for at in range(0, len(text), width)]
        wrapped = b"\n".join([begin, *lines, end]) + b"\n"
        refuses("bad-signature", sshsig.verify, alice.public, sshsig.SLIP, MESSAGE, wrapped)
    for changed in (
        armored.replace(b"\n", b"\r\n"),
        armored.replace(b"\n", b"\r"),
        armored.replace(b"\n", b" \n"),
        armored.replace(b"\n", b"\n "),
        armored.replace(b"\n", b"\n\n"),
        b"\n".join([b"> " + line for line in armored.splitlines()]),
        armored[:-1],
        armored.lower(),
        b"",
        b"\xef\xbb\xbf" + armored,
    ):
        refuses("bad-signature", sshsig.verify, alice.public, sshsig.SLIP, MESSAGE, changed)


def test_row_7_pad_bits_are_zero(alice, refuses):
    """Where base64 leaves bits over, other bits decode alike and are refused."""
    for namespace in sshsig.NAMESPACES:
        armored = alice.sign(namespace, MESSAGE)
        at = armored.find(b"=")
        if at < 0:
            continue
        digit = armored[at - 1 : at]
        alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        other = alphabet[alphabet.index(digit) + 1 : alphabet.index(digit) + 2]
        changed = armored[: at - 1] + other + armored[at:]
        assert content(changed) == content(armored)
        refused = refuses("bad-signature", sshsig.verify, alice.public, namespace, MESSAGE, changed)
        assert "not in the one form" in refused.message
        return
    pytest.fail("no namespace leaves pad bits: take another to test them")


def test_row_8_two_begin_lines_are_refused(alice, bob, refuses):
    """A file with two signatures, or one within another, is refused."""
    mine, other = alice.sign(sshsig.SLIP, MESSAGE), bob.sign(sshsig.SLIP, MESSAGE)
    begin = mine.splitlines(keepends=True)[0]
    for both in (mine + other, other + mine, begin + mine, mine[:100] + other):
        refuses("bad-signature", sshsig.verify, alice.public, sshsig.SLIP, MESSAGE, both)


def test_size_is_bounded(alice, refuses):
    """A file of many megabytes is refused without being decoded."""
    armored = alice.sign(sshsig.SLIP, MESSAGE)
    huge = armored[:200] + b"A" * 20_000_000
    refused = refuses("bad-signature", sshsig.verify, alice.public, sshsig.SLIP, MESSAGE, huge)
    assert "not in the one form" in refused.message


def test_no_byte_of_a_signature_is_free(alice):
    """Changing, removing or doubling any single byte of an armored signature is refused."""
    armored = alice.sign(sshsig.SLIP, MESSAGE)
    for at, byte in enumerate(armored):
        for piece in (bytes([byte ^ 1]), bytes([byte ^ 0x20]), b"", bytes([byte, byte])):
            changed = armored[:at] + piece + armored[at + 1 :]
            if changed == armored:
                continue
            with pytest.raises(Refused, match="bad-signature"):
                sshsig.verify(alice.public, sshsig.SLIP, MESSAGE, changed)


def test_no_bit_of_a_message_is_free(alice, refuses):
    """Changing any bit of what was signed is refused, and so is any other length."""
    armored = alice.sign(sshsig.SLIP, MESSAGE)
    changed = [
        MESSAGE[:at] + bytes([MESSAGE[at] ^ 1 << bit]) + MESSAGE[at + 1 :]
        for at in range(len(MESSAGE))
        for bit in (0, 7)
    ]
    for message in [*changed, b"", MESSAGE[:-1], MESSAGE + b"\n", MESSAGE * 2]:
        refuses("bad-signature", sshsig.verify, alice.public, sshsig.SLIP, message, armored)


@given(st.data())
@settings(max_examples=300, deadline=None)
def test_any_bytes_are_the_signature_or_refused(damaged, alice, data):
    """Any bytes but the signature's own are refused, with a printable reason."""
    armored = alice.sign(sshsig.SLIP, MESSAGE)
    changed = data.draw(damaged(armored))
    try:
        sshsig.verify(alice.public, sshsig.SLIP, MESSAGE, changed)
    except Refused as refused:
        assert refused.word == "bad-signature"
        assert refused.message.isprintable()
        assert refused.message.isascii()
        assert changed != armored
    else:
        assert changed == armored


@given(st.data())
@settings(max_examples=200, deadline=None)
def test_any_content_is_the_signature_or_refused(damaged, alice, data):
    """The same for what lies within a well-formed armor."""
    blob = content(alice.sign(sshsig.SLIP, MESSAGE))
    changed = data.draw(damaged(blob))
    try:
        sshsig.verify(alice.public, sshsig.SLIP, MESSAGE, sshsig.armor(changed))
    except Refused as refused:
        assert refused.word == "bad-signature"
        assert refused.message.isprintable()
        assert changed != blob
    else:
        assert changed == blob


@given(message=st.binary(max_size=2000))
@settings(max_examples=30, deadline=None)
def test_any_message_can_be_signed(alice, message):
    """Any bytes sign and verify."""
    for namespace in sshsig.NAMESPACES:
        sshsig.verify(alice.public, namespace, message, alice.sign(namespace, message))


@pytest.mark.parametrize("message", [b"", MESSAGE, b"\r\n\0\xff" * 50_000])
@pytest.mark.parametrize("namespace", sshsig.NAMESPACES)
def test_ssh_keygen_accepts_ours(ssh_keygen, alice, tmp_path, namespace, message):
    """`ssh-keygen -Y verify` finds our signatures good, and not under another namespace."""
    (tmp_path / "signers").write_text(f"alice {alice.public.line}\n")
    (tmp_path / "x.sig").write_bytes(alice.sign(namespace, message))
    files = ("-f", tmp_path / "signers", "-I", "alice", "-s", tmp_path / "x.sig")
    assert b"Good" in ssh_keygen("-Y", "verify", *files, "-n", namespace, given=message)
    with pytest.raises(AssertionError):
        ssh_keygen("-Y", "verify", *files, "-n", "other", given=message)


@pytest.mark.parametrize("namespace", sshsig.NAMESPACES)
def test_ours_are_those_of_ssh_keygen(ssh_keygen, tmp_path, namespace):
    """A key that ssh-keygen made signs to the same bytes there and here."""
    path = tmp_path / "key"
    ssh_keygen("-q", "-t", "ed25519", "-N", "", "-f", path, "-C", "a comment")
    theirs = ssh_keygen("-q", "-Y", "sign", "-f", path, "-n", namespace, given=MESSAGE)
    signer = load_signer(path, None)
    sshsig.verify(signer.public, namespace, MESSAGE, theirs)
    assert signer.sign(namespace, MESSAGE) == theirs


def test_a_signature_with_sha256_is_refused(ssh_keygen, tmp_path, refuses):
    """`ssh-keygen -O hashalg=sha256` is another signature, and is refused."""
    path = tmp_path / "key"
    ssh_keygen("-q", "-t", "ed25519", "-N", "", "-f", path)
    theirs = ssh_keygen(
        *("-q", "-Y", "sign", "-O", "hashalg=sha256", "-f", path, "-n", sshsig.SLIP), given=MESSAGE
    )
    public = load_signer(path, None).public
    refused = refuses("bad-signature", sshsig.verify, public, sshsig.SLIP, MESSAGE, theirs)
    assert "not in the one form" in refused.message


def test_changed_line_ends_are_named() -> None:
    """A mail program's or git's doing, not the signer's; any other change is none of them."""
    key = MemoryKey.from_seed(bytes(32))
    signature = key.sign(sshsig.ENTRY, b"one\ntwo\n")
    with pytest.raises(Refused, match="with other line ends: now they are CR LF") as caught:
        sshsig.verify(key.public, sshsig.ENTRY, b"one\r\ntwo\r\n", signature)
    assert "core.autocrlf" in caught.value.hint
    with pytest.raises(Refused, match="over these bytes"):
        sshsig.verify(key.public, sshsig.ENTRY, b"one\r\ntoo\r\n", signature)
