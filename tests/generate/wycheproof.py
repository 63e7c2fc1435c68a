"""The rows of Project Wycheproof's vectors in the index. Their files come from there, and nothing
here makes them; what was changed stands in `tests/suite/wycheproof/README.md`."""

from __future__ import annotations

from pathlib import Path

from generate import suite
from generate.suite import Case, Made

FILES = {
    "ed25519": ("signatures.md#verification", "signatures with every kind of odd key, R and S"),
    "x25519": ("sealing.md#keys", "agreements, with twists, other encodings and keys of low order"),
    "chacha20-poly1305": ("sealing.md#orders-and-reports", "edges of the cipher, and wrong tags"),
    "hkdf-sha256": ("sealing.md#orders-and-reports", "secrets, salts and labels of every length"),
}


def made(_: Path) -> Made:
    """A row for each file."""
    cases = []
    for name, (page, comment) in FILES.items():
        path = f"wycheproof/{name}"
        count = len(suite.values(path)["cases"])
        given = (path, "wycheproof", f"docs/formats/{page}", comment)
        cases.append(Case(*given, files=(f"{path}.json",), count=count))
    return Made(cases, {})
