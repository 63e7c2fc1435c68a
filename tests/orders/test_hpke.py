"""HPKE as RFC 9180 has it: its published vectors, and another implementation."""

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.hpke import AEAD, KDF, KEM, Suite
from hypothesis import given, settings
from hypothesis import strategies as st

from orders import crypto, hpke

OTHER = Suite(KEM.X25519, KDF.HKDF_SHA256, AEAD.CHACHA20_POLY1305)
KEY = bytes(range(32))
PUBLIC = crypto.x25519_public(KEY)

# RFC 9180 appendix A.2.1: base mode, sequence number 0.
INFO = bytes.fromhex("4f6465206f6e2061204772656369616e2055726e")
EPHEMERAL = bytes.fromhex("f4ec9b33b792c372c1d2c2063507b684ef925b8c75a42dbcbf57d63ccd381600")
RECIPIENT = bytes.fromhex("8057991eef8f1f1af18f4a9491d16a1ce333f695d4db8e38da75975c4478e0fb")
TO = bytes.fromhex("4310ee97d88cc1f088a5576c77ab0cf5c3ac797f3d95139c6c84b5429c59662a")
PLAINTEXT = bytes.fromhex("4265617574792069732074727574682c20747275746820626561757479")
AAD = b"Count-0"
SEALED = bytes.fromhex(
    "1afa08d3dec047a643885163f1180476fa7ddb54c6a8029ea33f95796bf2ac4a"
    "1c5250d8034ec2b784ba2cfd69dbdb8af406cfe3ff938e131f0def8c8b60b4db"
    "21993c62ce81883d2dd1b51a28"
)


def test_the_published_vector():
    """Encapsulated key and ciphertext come out as in the RFC, and open."""
    assert crypto.x25519_public(RECIPIENT) == TO
    assert hpke.seal_with(EPHEMERAL, TO, INFO, PLAINTEXT, AAD) == SEALED
    assert hpke.unseal(RECIPIENT, INFO, SEALED, AAD) == PLAINTEXT
    assert hpke.unseal(RECIPIENT, INFO, SEALED, b"Count-1") is None


@given(st.binary(max_size=300), st.binary(max_size=100))
@settings(max_examples=40, deadline=None)
def test_another_implementation_opens_ours_and_we_open_theirs(plaintext, info):
    """`cryptography` has HPKE as well."""
    private = X25519PrivateKey.from_private_bytes(KEY)
    assert OTHER.decrypt(hpke.seal(PUBLIC, info, plaintext), private, info) == plaintext
    theirs = OTHER.encrypt(plaintext, X25519PublicKey.from_public_bytes(PUBLIC), info)
    assert hpke.unseal(KEY, info, theirs) == plaintext
    assert len(theirs) == len(plaintext) + hpke.OVERHEAD


@pytest.mark.parametrize("u", [0, 1, 2**255 - 20, 2**255 - 19])
def test_an_encapsulated_key_of_low_order_opens_nothing(u):
    """The agreement would be zero, so everybody could have sealed it."""
    sealed = hpke.seal(PUBLIC, b"", b"body")
    assert hpke.unseal(KEY, b"", u.to_bytes(32, "little") + sealed[32:]) is None


@given(st.binary(max_size=100))
@settings(max_examples=60, deadline=None)
def test_rubbish_opens_to_nothing(sealed):
    """None, and no error."""
    assert hpke.unseal(KEY, b"", sealed) is None
