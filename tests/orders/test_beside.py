"""HKDF and HPKE beside the implementation that `cryptography` has."""

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDFExpand
from hypothesis import given, settings
from hypothesis import strategies as st

from orders import crypto, sealing, secrets

beside = pytest.importorskip("cryptography.hazmat.primitives.hpke", reason="cryptography before 47")
OTHER = beside.Suite(beside.KEM.X25519, beside.KDF.HKDF_SHA256, beside.AEAD.CHACHA20_POLY1305)
READER = bytes(range(32))
READERS = crypto.x25519_public(READER)


@given(st.binary(min_size=32, max_size=32), st.binary(max_size=200), st.integers(1, 32))
def test_hkdf_of_another_implementation(key: bytes, info: bytes, length: int) -> None:
    """Whatever the info; a shorter output is the beginning of the block."""
    assert secrets.expand(key, info)[:length] == HKDFExpand(SHA256(), length, info).derive(key)


@given(st.binary(max_size=300), st.binary(max_size=100))
@settings(max_examples=40, deadline=None)
def test_hpke_of_another_implementation(plaintext, info):
    """`cryptography` has HPKE as well."""
    private = X25519PrivateKey.from_private_bytes(READER)
    sealed = sealing.hpke_seal(crypto.fresh(), READERS, info, plaintext)
    assert OTHER.decrypt(sealed, private, info) == plaintext
    theirs = OTHER.encrypt(plaintext, X25519PublicKey.from_public_bytes(READERS), info)
    assert sealing.hpke_open(READER, info, theirs) == plaintext
    assert len(theirs) == len(plaintext) + sealing.OVERHEAD


@given(st.binary(max_size=100))
@settings(max_examples=60, deadline=None)
def test_rubbish_opens_to_nothing(sealed):
    """None, and no error."""
    assert sealing.hpke_open(READER, b"", sealed) is None
