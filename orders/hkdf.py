"""HKDF-SHA256 (RFC 5869), for outputs of one block: 32 bytes, of which a shorter one is the
beginning."""

from __future__ import annotations

import hashlib
import hmac
from functools import lru_cache
from typing import Any

_INNER, _OUTER = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))


def extract(salt: bytes, key: bytes) -> bytes:
    """RFC 5869 section 2.2: 32 bytes. An empty salt means 32 zero bytes."""
    return hmac.digest(salt, key, "sha256")


def expand(extracted: bytes, info: bytes) -> bytes:
    """RFC 5869 section 2.3 for one block: 32 bytes; `extracted` has 32 bytes."""
    inner, outer = (half.copy() for half in _halves(extracted))
    inner.update(info + b"\x01")
    outer.update(inner.digest())
    digest: bytes = outer.digest()
    return digest


# Many keys come from one secret, and taking in its pads is half of an HMAC (RFC 2104).
@lru_cache(maxsize=64)
def _halves(key: bytes) -> tuple[Any, Any]:
    """SHA-256 that has taken in the inner and the outer pad of HMAC with that key of at most 64
    bytes."""
    block = key.ljust(64, b"\0")
    return hashlib.sha256(block.translate(_INNER)), hashlib.sha256(block.translate(_OUTER))
