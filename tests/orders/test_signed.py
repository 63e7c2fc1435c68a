"""Signed files: data and signature as one value, which gives its data once it is verified."""

import pytest

from orders import sshsig
from orders.fields import digest
from orders.signed import Signed

DATA = b'kind = "slip/3"\n'


def test_a_signed_file_gives_its_data(alice):
    """Once the signature holds; its digest is that of the data alone."""
    signed = Signed.by(alice, sshsig.SLIP, DATA)
    assert signed.verify(alice.public, sshsig.SLIP) == DATA
    assert signed.digest == digest(DATA)
    assert signed.files("slips/0001-alice.toml") == {
        "slips/0001-alice.toml": DATA,
        "slips/0001-alice.toml.sig": signed.signature,
    }


def test_what_does_not_hold_gives_nothing(alice, bob, refuses):
    """Another key, kind, message or signature."""
    signed = Signed.by(alice, sshsig.SLIP, DATA)
    refuses("bad-signature", signed.verify, bob.public, sshsig.SLIP)
    for namespace in sshsig.NAMESPACES:
        if namespace != sshsig.SLIP:
            refuses("bad-signature", signed.verify, alice.public, namespace)
    for odd in (Signed(DATA + b"\n", signed.signature), Signed(DATA, b""), Signed(b"", b"")):
        refuses("bad-signature", odd.verify, alice.public, sshsig.SLIP)


def test_it_cannot_change(alice):
    """Nobody swaps the data after it was verified."""
    signed = Signed.by(alice, sshsig.SLIP, DATA)
    with pytest.raises(AttributeError):
        signed.data = b""
