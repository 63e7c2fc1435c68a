"""The cryptographic primitives, as functions from bytes to bytes.

This is the only module that imports `cryptography`, so that another backend (libsodium in a
browser) can replace it. A backend counts only if it passes the signature vectors in
`tests/suite/`. HMAC and the hashes come from Python itself. The library is loaded when it is
first used, because many commands never use it.
"""

from __future__ import annotations

from functools import cache, lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import (
        Ed25519PrivateKey,
        Ed25519PublicKey,
    )
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

TAG = 16
"""Bytes by which a ciphertext of ChaCha20-Poly1305 exceeds its plaintext (RFC 8439)."""


def fresh() -> bytes:
    """32 fresh random bytes: a new Ed25519 private key is nothing else (RFC 8032 section 5.1.5)."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.generate().private_bytes_raw()


def ed25519_public(seed: bytes) -> bytes:
    """The 32-byte public key of the private key `seed`, 32 bytes (RFC 8032 section 5.1.5)."""
    return _signer(seed).public_key().public_bytes_raw()


def ed25519_sign(seed: bytes, message: bytes) -> bytes:
    """The 64-byte signature of `message` by the private key `seed` (RFC 8032 section 5.1.6)."""
    return _signer(seed).sign(message)


# Making a key object costs as much as using it. A process uses few keys, so their objects are kept,
# and so is what each two of them agree on.
@lru_cache(maxsize=16)
def _signer(seed: bytes) -> Ed25519PrivateKey:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.from_private_bytes(seed)


@lru_cache(maxsize=16)
def _agreer(private: bytes) -> X25519PrivateKey:
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

    return X25519PrivateKey.from_private_bytes(private)


@lru_cache(maxsize=512)
def _verifier(public: bytes) -> Ed25519PublicKey:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    return Ed25519PublicKey.from_public_bytes(public)


@cache
def _cipher() -> type[ChaCha20Poly1305]:
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    return ChaCha20Poly1305


def ed25519_verify(public: bytes, message: bytes, signature: bytes) -> bool:
    """Whether the library takes the 64-byte signature.

    Libraries differ on odd keys and signatures; `sshsig.verify` refuses these before it asks.
    """
    try:
        _verifier(public).verify(signature, message)
    except Exception as error:
        from cryptography.exceptions import InvalidSignature

        if not isinstance(error, InvalidSignature | ValueError):
            raise
        return False
    return True


@lru_cache(maxsize=16)
def x25519_public(private: bytes) -> bytes:
    """The 32-byte public key of 32 private bytes (RFC 7748 section 6.1)."""
    return _agreer(private).public_key().public_bytes_raw()


@lru_cache(maxsize=16)
def x25519(private: bytes, public: bytes) -> bytes:
    """The 32 bytes on which two keys agree (RFC 7748 section 6.1).

    They are all zero where `public` has low order. The caller must refuse that.
    """
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PublicKey

    try:
        return _agreer(private).exchange(X25519PublicKey.from_public_bytes(public))
    except ValueError:
        return bytes(32)


def chacha_seal(key: bytes, nonce: bytes, plaintext: bytes, aad: bytes = b"") -> bytes:
    """Ciphertext and tag of ChaCha20-Poly1305 (RFC 8439): key 32 bytes, nonce 12 bytes."""
    return _cipher()(key).encrypt(nonce, plaintext, aad)


def chacha_open(key: bytes, nonce: bytes, ciphertext: bytes, aad: bytes = b"") -> bytes | None:
    """The plaintext, or None if the tag is wrong."""
    from cryptography.exceptions import InvalidTag

    try:
        return _cipher()(key).decrypt(nonce, ciphertext, aad)
    except (InvalidTag, ValueError):
        return None


def takes_passphrases() -> bool:
    """Whether the packages are installed that key files with a passphrase need."""
    return find_spec("bcrypt") is not None


def load_openssh(data: bytes, passphrase: bytes | None) -> bytes:
    """The 32-byte Ed25519 seed in an OpenSSH private key file.

    Raises NotImplementedError for an unknown cipher, and ValueError for all else: a wrong
    passphrase, a damaged file, another kind of key.
    """
    from cryptography.exceptions import InvalidTag, UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_ssh_private_key

    try:
        private = load_ssh_private_key(data, passphrase)
    except UnsupportedAlgorithm as error:
        raise NotImplementedError(str(error)) from None
    except (InvalidTag, TypeError) as error:
        raise ValueError(str(error)) from None
    if not isinstance(private, Ed25519PrivateKey):
        raise ValueError("not an Ed25519 key")  # noqa: TRY004 (the file is wrong, not the call)
    return private.private_bytes_raw()


def write_openssh(seed: bytes) -> bytes:
    """An OpenSSH private key file without a passphrase; its check number is drawn anew."""
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    return _signer(seed).private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption())


def argon2id(passphrase: bytes, salt: bytes, passes: int, kibibytes: int) -> bytes:
    """32 bytes of a passphrase by Argon2id with one lane (RFC 9106); `salt` has 16 bytes.

    Raises NotImplementedError if the backend lacks it.
    """
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

    try:
        kdf = Argon2id(salt=salt, length=32, iterations=passes, lanes=1, memory_cost=kibibytes)
    except UnsupportedAlgorithm as error:
        raise NotImplementedError(str(error)) from None
    return kdf.derive(passphrase)
