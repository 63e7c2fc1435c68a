"""The cryptographic primitives in the page: `orders.crypto` over libsodium.

In the page this file replaces `orders/crypto.py`: the same functions, the same answers (the tests
of that module run here too). `js.sodium` is libsodium-wrappers-sumo.
"""

from __future__ import annotations

import binascii
import os
from functools import lru_cache

from js import sodium  # type: ignore[import-not-found]
from pyodide.ffi import JsException, to_js  # type: ignore[import-not-found]

from orders.public_key import Cursor, string

TAG = 16


def fresh() -> bytes:
    return os.urandom(32)


@lru_cache(maxsize=16)
def _pair(seed: bytes) -> tuple[bytes, bytes]:
    """Public key, and private key in libsodium's form: 32 and 64 bytes."""
    pair = sodium.crypto_sign_seed_keypair(to_js(seed))
    return pair.publicKey.to_bytes(), pair.privateKey.to_bytes()


def ed25519_public(seed: bytes) -> bytes:
    return _pair(seed)[0]


def ed25519_sign(seed: bytes, message: bytes) -> bytes:
    signature: bytes = sodium.crypto_sign_detached(to_js(message), to_js(_pair(seed)[1])).to_bytes()
    return signature


@lru_cache(maxsize=8192)
def ed25519_verify(public: bytes, message: bytes, signature: bytes) -> bool:
    """Cached, because a record is verified, told and shown, each from its beginning."""
    if len(public) != 32 or len(signature) != 64:
        return False
    return bool(sodium.crypto_sign_verify_detached(to_js(signature), to_js(message), to_js(public)))


def x25519_public(private: bytes) -> bytes:
    public: bytes = sodium.crypto_scalarmult_base(to_js(private)).to_bytes()
    return public


def x25519(private: bytes, public: bytes) -> bytes:
    try:
        agreed: bytes = sodium.crypto_scalarmult(to_js(private), to_js(public)).to_bytes()
    except JsException:
        return bytes(32)
    return agreed


def chacha_seal(key: bytes, nonce: bytes, plaintext: bytes, aad: bytes = b"") -> bytes:
    sealed: bytes = sodium.crypto_aead_chacha20poly1305_ietf_encrypt(
        to_js(plaintext), to_js(aad), None, to_js(nonce), to_js(key)
    ).to_bytes()
    return sealed


def chacha_open(key: bytes, nonce: bytes, ciphertext: bytes, aad: bytes = b"") -> bytes | None:
    try:
        opened: bytes = sodium.crypto_aead_chacha20poly1305_ietf_decrypt(
            None, to_js(ciphertext), to_js(aad), to_js(nonce), to_js(key)
        ).to_bytes()
    except JsException:
        return None
    return opened


def takes_passphrases() -> bool:
    """False, because libsodium lacks OpenSSH's key derivation (bcrypt)."""
    return False


_MAGIC = b"openssh-key-v1\0"
_BEGIN = b"-----BEGIN OPENSSH PRIVATE KEY-----\n"
_END = b"-----END OPENSSH PRIVATE KEY-----\n"
_PLAIN = string(b"none") + string(b"none") + string(b"") + (1).to_bytes(4, "big")
_KIND = b"ssh-ed25519"


def load_openssh(data: bytes, passphrase: bytes | None) -> bytes:
    """The seed in a key file without a passphrase (OpenSSH's PROTOCOL.key), read strictly."""
    if passphrase is not None:
        raise ValueError("keys with a passphrase are not read here")
    lines = data.strip().splitlines(keepends=True)
    if len(lines) < 3 or lines[0].strip() != _BEGIN.strip() or lines[-1] != _END.strip():
        raise ValueError("not an OpenSSH private key")
    text = b"".join(line.strip() for line in lines[1:-1])
    cursor = Cursor(binascii.a2b_base64(text, strict_mode=True))
    if cursor.take(len(_MAGIC) + len(_PLAIN)) != _MAGIC + _PLAIN:
        raise ValueError("not a plain OpenSSH private key")
    outside = Cursor(cursor.string())
    secret = Cursor(cursor.string())
    if cursor.rest or secret.number() != secret.number():
        raise ValueError("damaged")
    kind, public, private = secret.string(), secret.string(), secret.string()
    secret.string()
    padding = bytes(range(1, len(secret.rest) + 1))
    seed = private[:32]
    if (
        kind != _KIND
        or outside.string() != _KIND
        or outside.string() != public
        or private[32:] != public
        or secret.rest != padding
        or ed25519_public(seed) != public
    ):
        raise ValueError("damaged, or not an Ed25519 key")
    return seed


def write_openssh(seed: bytes) -> bytes:
    """A key file without a passphrase, as OpenSSH writes it; its check number is drawn anew."""
    public = ed25519_public(seed)
    check = os.urandom(4) * 2
    secret = check + b"".join(map(string, (_KIND, public, seed + public, b"")))
    secret += bytes(range(1, -len(secret) % 8 + 1))
    outside = string(_KIND) + string(public)
    content = _MAGIC + _PLAIN + string(outside) + string(secret)
    text = binascii.b2a_base64(content, newline=False)
    lines = [text[at : at + 70] + b"\n" for at in range(0, len(text), 70)]
    return _BEGIN + b"".join(lines) + _END


def argon2id(passphrase: bytes, salt: bytes, passes: int, kibibytes: int) -> bytes:
    key: bytes = sodium.crypto_pwhash(
        32,
        to_js(passphrase),
        to_js(salt),
        passes,
        kibibytes * 1024,
        sodium.crypto_pwhash_ALG_ARGON2ID13,
    ).to_bytes()
    return key
