"""The primitives by their published vectors, which any other backend must pass too."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from generate import suite, wycheproof

from orders import crypto, sealing, secrets, sshsig
from orders.errors import Refused
from orders.public_key import check_raw

# RFC 8032 section 7.1, TEST 2.
SEED = bytes.fromhex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb")
PUBLIC = bytes.fromhex("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c")
MESSAGE = b"\x72"
SIGNATURE = bytes.fromhex(
    "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
    "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
)

# RFC 7748 section 6.1.
ALICE = bytes.fromhex("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a")
ALICES = bytes.fromhex("8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a")
BOB = bytes.fromhex("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb")
BOBS = bytes.fromhex("de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f")
AGREED = bytes.fromhex("4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742")

# RFC 8439 section 2.8.2.
KEY = bytes(range(0x80, 0xA0))
NONCE = bytes.fromhex("070000004041424344454647")
AAD = bytes.fromhex("50515253c0c1c2c3c4c5c6c7")
PLAINTEXT = (
    b"Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, "
    b"sunscreen would be it."
)
CIPHERTEXT = bytes.fromhex(
    "d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d6"
    "3dbea45e8ca9671282fafb69da92728b1a71de0a9e060b2905d6a5b67ecd3b36"
    "92ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc"
    "3ff4def08e4b7a9de576d26586cec64b61161ae10b594f09e26a7e902ecbd0600691"
)


def test_ed25519():
    """Keys and signatures of RFC 8032; a changed message or signature does not hold."""
    assert crypto.ed25519_public(SEED) == PUBLIC
    assert crypto.ed25519_sign(SEED, MESSAGE) == SIGNATURE
    assert crypto.ed25519_verify(PUBLIC, MESSAGE, SIGNATURE)
    assert not crypto.ed25519_verify(PUBLIC, b"", SIGNATURE)
    for at in (0, 31, 32, 63):
        changed = SIGNATURE[:at] + bytes([SIGNATURE[at] ^ 1]) + SIGNATURE[at + 1 :]
        assert not crypto.ed25519_verify(PUBLIC, MESSAGE, changed)


@pytest.mark.parametrize("length", [0, 31, 33, 64])
def test_what_is_no_point_or_signature_does_not_hold(length):
    """False, and no error: wrong lengths, and 32 bytes that write no point."""
    assert not crypto.ed25519_verify(bytes(length), MESSAGE, SIGNATURE)
    assert not crypto.ed25519_verify(PUBLIC, MESSAGE, SIGNATURE[:length][:63])
    assert not crypto.ed25519_verify(b"\x02" + bytes(31), MESSAGE, SIGNATURE)


def test_x25519():
    """Keys and agreement of RFC 7748."""
    assert crypto.x25519_public(ALICE) == ALICES
    assert crypto.x25519_public(BOB) == BOBS
    assert crypto.x25519(ALICE, BOBS) == crypto.x25519(BOB, ALICES) == AGREED


def test_chacha20_poly1305():
    """Ciphertext and tag of RFC 8439; nothing else opens."""
    assert crypto.chacha_seal(KEY, NONCE, PLAINTEXT, AAD) == CIPHERTEXT
    assert crypto.chacha_open(KEY, NONCE, CIPHERTEXT, AAD) == PLAINTEXT
    for changed in (CIPHERTEXT[:-1], b"", bytes(len(CIPHERTEXT)), CIPHERTEXT + b"\0"):
        assert crypto.chacha_open(KEY, NONCE, changed, AAD) is None
    assert crypto.chacha_open(KEY, NONCE, CIPHERTEXT) is None


def test_key_files():
    """What is written loads to the same seed; other bytes do not load."""
    data = crypto.write_openssh(SEED)
    assert crypto.load_openssh(data, None) == SEED
    for changed in (b"", data[:-20], data.replace(b"A", b"B")):
        with pytest.raises(ValueError, match=r".*"):
            crypto.load_openssh(changed, None)


def test_argon2id():
    """A salt of 16 bytes, as all backends take it; the value is of `cryptography`."""
    told = "e29cd07b2d53978fb27e49c74e7889e5de55e29df764b9aeefa8cb53d70ecaa0"
    assert crypto.argon2id(b"correct horse", bytes(range(16)), 3, 32_768).hex() == told


def test_argon2id_with_a_short_salt():
    """The reference implementation's own test (test.c, version 0x13); libsodium takes no such."""
    told = "09316115d5cf24ed5a15a31a3ba326e5cf32edc24702987c02b6566f61913cf7"
    assert crypto.argon2id(b"password", b"somesalt", 2, 65_536).hex() == told


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
def test_hkdf(case: str) -> None:
    """RFC 5869, appendix A: extracted and expanded, byte for byte."""
    key, salt, info, extracted, expanded = map(bytes.fromhex, RFC[case])
    assert secrets.extract(salt, key) == extracted
    assert secrets.expand(extracted, info) == expanded


READER = bytes(range(32))
READERS = crypto.x25519_public(READER)

# RFC 9180 appendix A.2.1: base mode, sequence number 0.
INFO = bytes.fromhex("4f6465206f6e2061204772656369616e2055726e")
EPHEMERAL = bytes.fromhex("f4ec9b33b792c372c1d2c2063507b684ef925b8c75a42dbcbf57d63ccd381600")
RECIPIENT = bytes.fromhex("8057991eef8f1f1af18f4a9491d16a1ce333f695d4db8e38da75975c4478e0fb")
TO = bytes.fromhex("4310ee97d88cc1f088a5576c77ab0cf5c3ac797f3d95139c6c84b5429c59662a")
BEAUTY = bytes.fromhex("4265617574792069732074727574682c20747275746820626561757479")
SEALED = bytes.fromhex(
    "1afa08d3dec047a643885163f1180476fa7ddb54c6a8029ea33f95796bf2ac4a"
    "1c5250d8034ec2b784ba2cfd69dbdb8af406cfe3ff938e131f0def8c8b60b4db"
    "21993c62ce81883d2dd1b51a28"
)


def test_hpke():
    """Encapsulated key and ciphertext come out as in the RFC, and open."""
    assert crypto.x25519_public(RECIPIENT) == TO
    assert sealing.hpke_seal(EPHEMERAL, TO, INFO, BEAUTY, b"Count-0") == SEALED
    assert sealing.hpke_open(RECIPIENT, INFO, SEALED, b"Count-0") == BEAUTY
    assert sealing.hpke_open(RECIPIENT, INFO, SEALED, b"Count-1") is None
    assert sealing.hpke_open(RECIPIENT, INFO, SEALED[:31], b"Count-0") is None


@pytest.mark.parametrize("u", [0, 1, 2**255 - 20, 2**255 - 19])
def test_an_encapsulated_key_of_low_order_opens_nothing(u):
    """The agreement would be zero, so everybody could have sealed it."""
    sealed = sealing.hpke_seal(crypto.fresh(), READERS, b"", b"body")
    assert sealing.hpke_open(READER, b"", u.to_bytes(32, "little") + sealed[32:]) is None


# Project Wycheproof's attacks on primitives, through the functions that this program uses.


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
    block = secrets.expand(secrets.extract(case["salt"], case["key"]), case["info"])
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
