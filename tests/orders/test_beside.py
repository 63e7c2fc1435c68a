"""HKDF and HPKE beside the implementation that `cryptography` has."""

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.hpke import AEAD, KDF, KEM, Suite
from cryptography.hazmat.primitives.kdf.hkdf import HKDFExpand
from hypothesis import given, settings
from hypothesis import strategies as st

from orders import crypto, hkdf, hpke

OTHER = Suite(KEM.X25519, KDF.HKDF_SHA256, AEAD.CHACHA20_POLY1305)
READER = bytes(range(32))
READERS = crypto.x25519_public(READER)


@given(st.binary(min_size=32, max_size=32), st.binary(max_size=200), st.integers(1, 32))
def test_hkdf_of_another_implementation(key: bytes, info: bytes, length: int) -> None:
    """Whatever the info; a shorter output is the beginning of the block."""
    assert hkdf.expand(key, info)[:length] == HKDFExpand(SHA256(), length, info).derive(key)


@given(st.binary(max_size=300), st.binary(max_size=100))
@settings(max_examples=40, deadline=None)
def test_hpke_of_another_implementation(plaintext, info):
    """`cryptography` has HPKE as well."""
    private = X25519PrivateKey.from_private_bytes(READER)
    assert OTHER.decrypt(hpke.seal(READERS, info, plaintext), private, info) == plaintext
    theirs = OTHER.encrypt(plaintext, X25519PublicKey.from_public_bytes(READERS), info)
    assert hpke.unseal(READER, info, theirs) == plaintext
    assert len(theirs) == len(plaintext) + hpke.OVERHEAD


@given(st.binary(max_size=100))
@settings(max_examples=60, deadline=None)
def test_rubbish_opens_to_nothing(sealed):
    """None, and no error."""
    assert hpke.unseal(READER, b"", sealed) is None
