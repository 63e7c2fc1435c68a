"""HKDF-SHA256 against the vectors of RFC 5869, appendix A, and against another implementation."""

from __future__ import annotations

import pytest
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDFExpand
from hypothesis import given
from hypothesis import strategies as st

from orders import hkdf

RFC = {
    "A.1": (
        "0b" * 22, bytes(range(13)).hex(), bytes(range(0xF0, 0xFA)).hex(),
        "077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5",
        "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf",
    ),
    "A.2": (
        bytes(range(0x50)).hex(), bytes(range(0x60, 0xB0)).hex(), bytes(range(0xB0, 0x100)).hex(),
        "06a6b88c5853361a06104c9ceb35b45cef760014904671014a193f40c15fc244",
        "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c",
    ),
    "A.3": (
        "0b" * 22, "", "",
        "19ef24a32c717b167f33a91d6f648bdf96596776afdb6377ac434c1c293ccb04",
        "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d",
    ),
}  # fmt: skip
"""Key, salt, info, what is extracted, and the first 32 bytes of what is expanded."""


@pytest.mark.parametrize("case", RFC)
def test_the_published_vectors(case: str) -> None:
    """Extracted and expanded: byte for byte."""
    key, salt, info, extracted, expanded = map(bytes.fromhex, RFC[case])
    assert hkdf.extract(salt, key) == extracted
    assert hkdf.expand(extracted, info) == expanded
    assert hkdf.expand(extracted, info, 16) == expanded[:16]


def test_no_salt_is_32_zero_bytes() -> None:
    """As section 2.2 has it."""
    assert hkdf.extract(b"", b"key") == hkdf.extract(bytes(32), b"key")


@given(st.binary(min_size=32, max_size=32), st.binary(max_size=200), st.integers(1, 32))
def test_another_implementation_expands_to_the_same(key: bytes, info: bytes, length: int) -> None:
    """Whatever the info and the length, up to one block."""
    assert hkdf.expand(key, info, length) == HKDFExpand(SHA256(), length, info).derive(key)
