"""Project Wycheproof's attacks on primitives, through the functions that this program uses."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from generate import suite, wycheproof

from orders import crypto, hkdf, sealing, sshsig
from orders.errors import Refused
from orders.public_key import check_raw


def cases(name: str) -> list[dict[str, Any]]:
    """The cases of a file, their values as bytes."""
    text = {"id", "comment", "flags", "result", "expected"}
    return [
        {key: value if key in text else bytes.fromhex(value) for key, value in case.items()}
        for case in suite.values(f"wycheproof/{name}")["cases"]
    ]


def signed(case: dict[str, Any]) -> None:
    """Verify as any signature file is verified."""
    public = check_raw(case["key"])
    armored = sshsig.armor(sshsig.blob(public, sshsig.ENTRY, case["signature"]))
    sshsig.verify(public, sshsig.ENTRY, case["message"], armored)


def agreed(case: dict[str, Any]) -> None:
    """Agree, and refuse a key with which nobody may."""
    assert crypto.x25519(case["private"], case["public"]) == case["shared"]
    sealing.check_public(case["public"])
    assert any(case["shared"])


def sealed(case: dict[str, Any]) -> None:
    """Open; what opens is sealed again as the same bytes."""
    given = case["key"], case["nonce"], case["sealed"], case["aad"]
    if (found := crypto.chacha_open(*given)) is None:
        raise Refused("unopenable", "a wrong tag")
    assert found == case["message"]
    assert crypto.chacha_seal(case["key"], case["nonce"], found, case["aad"]) == case["sealed"]


def derived(case: dict[str, Any]) -> None:
    """Extract and expand."""
    block = hkdf.expand(hkdf.extract(case["salt"], case["key"]), case["info"])
    assert block.startswith(case["output"])


READ = {
    "ed25519": (signed, {"good": 138, "bad-signature": 64, "bad-key": 8}),
    "x25519": (agreed, {"good": 474, "bad-key": 44}),
    "chacha20-poly1305": (sealed, {"good": 256, "unopenable": 60}),
    "hkdf-sha256": (derived, {"good": 83}),
}
"""How a case of each file is read, and how often each answer stands there."""


@pytest.mark.parametrize("name", READ)
def test_each_case_is_answered_as_expected(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wycheproof signs messages as they are, not their digest in a namespace: that alone is put
    aside."""
    monkeypatch.setattr(sshsig, "signed_data", lambda namespace, message: message)
    read, count = READ[name]
    for case in cases(name):
        try:
            read(case)
            answer = "good"
        except Refused as refused:
            answer = refused.word
        assert answer == case["expected"], case
    assert Counter(case["expected"] for case in cases(name)) == count


def test_only_what_wycheproof_leaves_open_is_answered_here() -> None:
    """A valid case is good and an invalid one is not; each file has its row."""
    for name in READ:
        for case in cases(name):
            if case["result"] != "acceptable":
                assert (case["expected"] == "good") == (case["result"] == "valid"), case
    assert suite.drifted(wycheproof.made(Path())) == []
