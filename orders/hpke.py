"""HPKE in base mode, single shot (RFC 9180), for one suite.

The suite: DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, ChaCha20Poly1305. A sealed message is the
32-byte encapsulated key and then the ciphertext with its tag.
`sealing.check_public` says which public keys are taken.
"""

from __future__ import annotations

from orders import crypto, hkdf

ENCAPSULATED = 32
OVERHEAD = ENCAPSULATED + crypto.TAG
"""Bytes by which a sealed message exceeds its plaintext."""

_KEM = b"KEM" + (0x0020).to_bytes(2, "big")
_SUITE = b"HPKE" + b"".join(part.to_bytes(2, "big") for part in (0x0020, 0x0001, 0x0003))


def seal(to: bytes, info: bytes, plaintext: bytes, aad: bytes = b"") -> bytes:
    """`plaintext` sealed to the X25519 public key `to`, under a fresh ephemeral key."""
    return seal_with(crypto.fresh(), to, info, plaintext, aad)


def seal_with(ephemeral: bytes, to: bytes, info: bytes, plaintext: bytes, aad: bytes) -> bytes:
    """The same with the 32 private bytes of the ephemeral key given: for published vectors."""
    encapsulated = crypto.x25519_public(ephemeral)
    key, nonce = _schedule(crypto.x25519(ephemeral, to), encapsulated, to, info)
    return encapsulated + crypto.chacha_seal(key, nonce, plaintext, aad)


def unseal(private: bytes, info: bytes, sealed: bytes, aad: bytes = b"") -> bytes | None:
    """The plaintext sealed to the public key of `private`, or None if it does not open."""
    encapsulated = sealed[:ENCAPSULATED]
    if len(encapsulated) < ENCAPSULATED:
        return None
    agreed = crypto.x25519(private, encapsulated)
    if not any(agreed):
        return None
    key, nonce = _schedule(agreed, encapsulated, crypto.x25519_public(private), info)
    return crypto.chacha_open(key, nonce, sealed[ENCAPSULATED:], aad)


def _schedule(agreed: bytes, encapsulated: bytes, to: bytes, info: bytes) -> tuple[bytes, bytes]:
    """Key and base nonce (RFC 9180 sections 4.1 and 5.1)."""
    shared = _extract(_KEM, b"", b"eae_prk", agreed)
    shared = _expand(_KEM, shared, b"shared_secret", encapsulated + to, 32)
    context = b"\0" + _extract(_SUITE, b"", b"psk_id_hash", b"")
    context += _extract(_SUITE, b"", b"info_hash", info)
    secret = _extract(_SUITE, shared, b"secret", b"")
    return (
        _expand(_SUITE, secret, b"key", context, 32),
        _expand(_SUITE, secret, b"base_nonce", context, 12),
    )


def _extract(suite: bytes, salt: bytes, label: bytes, key: bytes) -> bytes:
    """LabeledExtract of RFC 9180 section 4."""
    return hkdf.extract(salt, b"HPKE-v1" + suite + label + key)


def _expand(suite: bytes, secret: bytes, label: bytes, info: bytes, length: int) -> bytes:
    """LabeledExpand of RFC 9180 section 4, for at most 32 bytes."""
    wanted = length.to_bytes(2, "big") + b"HPKE-v1" + suite + label + info
    return hkdf.expand(secret, wanted)[:length]
