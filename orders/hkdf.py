"""HKDF-SHA256 (RFC 5869), for outputs of at most 32 bytes."""

from __future__ import annotations

import hmac


def extract(salt: bytes, key: bytes) -> bytes:
    """RFC 5869 section 2.2: 32 bytes. An empty salt means 32 zero bytes."""
    return hmac.digest(salt, key, "sha256")


def expand(extracted: bytes, info: bytes, length: int = 32) -> bytes:
    """RFC 5869 section 2.3 for one block: `length` is at most 32."""
    return hmac.digest(extracted, info + b"\x01", "sha256")[:length]
