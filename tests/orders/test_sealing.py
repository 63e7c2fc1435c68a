"""Sealed files: who can open them, and that a failure tells nothing."""

import hmac

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from hypothesis import given, settings
from hypothesis import strategies as st

from orders import sealing
from orders.errors import Refused
from orders.sealing import SealingKey

P = 2**255 - 19
GAME = "9c" * 32
KEY = SealingKey.from_seed(b"h" * 32)
OTHER = SealingKey.from_seed(b"o" * 32)
INFO = sealing.info("order", GAME, 7, "alice")
SIZE = 512
SEALED = sealing.seal(KEY.public, INFO, b"body", 64)


def open_by_hand(seed: bytes, info: bytes, sealed: bytes) -> bytes:
    """RFC 9180 sections 4.1 and 5.1 for the one suite, written out with the primitives."""
    private = X25519PrivateKey.from_private_bytes(seed)
    kem, suite = b"KEM\0\x20", b"HPKE\0\x20\0\1\0\3"

    def extract(name: bytes, salt: bytes, label: bytes, key: bytes) -> bytes:
        return hmac.digest(salt or bytes(32), b"HPKE-v1" + name + label + key, "sha256")

    def expand(name: bytes, secret: bytes, label: bytes, given: bytes, length: int) -> bytes:
        wanted = length.to_bytes(2, "big") + b"HPKE-v1" + name + label + given
        return hmac.digest(secret, wanted + b"\1", "sha256")[:length]

    encapsulated = sealed[:32]
    shared = private.exchange(X25519PublicKey.from_public_bytes(encapsulated))
    context = encapsulated + private.public_key().public_bytes_raw()
    secret = extract(kem, b"", b"eae_prk", shared)
    secret = expand(kem, secret, b"shared_secret", context, 32)
    hashes = (
        extract(suite, b"", label, key)
        for label, key in ((b"psk_id_hash", b""), (b"info_hash", info))
    )
    schedule = b"\0" + b"".join(hashes)
    secret = extract(suite, secret, b"secret", b"")
    key = expand(suite, secret, b"key", schedule, 32)
    nonce = expand(suite, secret, b"base_nonce", schedule, 12)
    return ChaCha20Poly1305(key).decrypt(nonce, sealed[32:], b"")


def test_sealed_files_are_those_of_the_specification():
    """HPKE written out from RFC 9180 finds length, body and zeros, as `docs/formats` says."""
    info = f"adjudicator/1\norder\n{GAME}\n7\nalice\n".encode()
    padded = open_by_hand(b"h" * 32, info, SEALED)
    assert padded == b"\0\0\0\4body" + bytes(56)


def sealed_raw(padded: bytes) -> bytes:
    """A well-sealed file whose padded content is whatever is wanted."""
    public = X25519PublicKey.from_public_bytes(KEY.public)
    return sealing._SUITE.encrypt(padded, public, INFO)


@given(body=st.binary(max_size=SIZE - 4))
@settings(max_examples=40, deadline=None)
def test_a_body_comes_back(body):
    """Whatever fits the size class opens to the same bytes, and all sealed files are as long."""
    sealed = sealing.seal(KEY.public, INFO, body, SIZE)
    assert len(sealed) == SIZE + sealing.OVERHEAD
    assert sealing.unseal(KEY, INFO, sealed, SIZE) == body


@pytest.mark.parametrize("size", [SIZE - 3, SIZE, SIZE * 2])
def test_what_does_not_fit_is_too_big(refuses, size):
    """A body that would need a larger size class is refused, so sizes never tell anything."""
    refuses("too-big", sealing.seal, KEY.public, INFO, bytes(size), SIZE)


def test_sealing_is_fresh():
    """The same body twice gives two files that share nothing."""
    one, two = (sealing.seal(KEY.public, INFO, b"body", SIZE) for _ in range(2))
    assert one[:32] != two[:32]
    assert one[32:] != two[32:]


def test_row_15_all_failures_are_one(refuses):
    """Copied to another step, player, game or direction, truncated, empty, an all-zero or
    low-order encapsulation, another key or size: one and the same refusal."""
    body = b"start C4\n"
    sealed = sealing.seal(KEY.public, INFO, body, SIZE)
    attempts = [
        (KEY, sealing.info("order", GAME, 8, "alice"), sealed, SIZE),
        (KEY, sealing.info("order", GAME, 7, "bob"), sealed, SIZE),
        (KEY, sealing.info("order", "9d" * 32, 7, "alice"), sealed, SIZE),
        (KEY, sealing.info("report", GAME, 7, "alice"), sealed, SIZE),
        (KEY, sealing.info("letter", GAME, 7, "alice"), sealed, SIZE),
        (OTHER, INFO, sealed, SIZE),
        (KEY, INFO, sealed, SIZE * 2),
        (KEY, INFO, b"", SIZE),
        (KEY, INFO, sealed[:-1], SIZE),
        (KEY, INFO, sealed[:32], SIZE),
        (KEY, INFO, sealed + b"\0", SIZE),
        (KEY, INFO, bytes(len(sealed)), SIZE),
        (KEY, INFO, bytes(32) + sealed[32:], SIZE),
        (KEY, INFO, b"\x01" + bytes(31) + sealed[32:], SIZE),
        (KEY, INFO, b"\xff" * 32 + sealed[32:], SIZE),
        (KEY, INFO, sealed[:31] + bytes([sealed[31] ^ 0x80]) + sealed[32:], SIZE),
        (KEY, INFO, sealed[:-1] + bytes([sealed[-1] ^ 1]), SIZE),
        (KEY, INFO, sealed_raw(b"\0\0\0\1\0" + bytes(SIZE - 6) + b"\1"), SIZE),
        (KEY, INFO, sealed_raw((SIZE - 3).to_bytes(4, "big") + bytes(SIZE - 4)), SIZE),
    ]
    answers = {refuses("unopenable", sealing.unseal, *attempt).args for attempt in attempts}
    assert len(answers) == 1


def test_row_16_padding_is_zero(refuses):
    """One nonzero byte anywhere in the tail is refused."""
    for at in range(4 + 3, 64):
        padded = bytearray(64)
        padded[3] = 3
        assert sealing.unseal(KEY, INFO, sealed_raw(bytes(padded)), 64) == bytes(3)
        padded[at] = 1
        refuses("unopenable", sealing.unseal, KEY, INFO, sealed_raw(bytes(padded)), 64)


@pytest.mark.parametrize("length", [61, 64, 255, 2**31, 2**32 - 1])
def test_row_16_length_is_within_the_body(refuses, length):
    """A length beyond what follows it is refused, the longest that fits is not."""
    padded = length.to_bytes(4, "big") + bytes(60)
    refuses("unopenable", sealing.unseal, KEY, INFO, sealed_raw(padded), 64)
    whole = (60).to_bytes(4, "big") + b"x" * 60
    assert sealing.unseal(KEY, INFO, sealed_raw(whole), 64) == b"x" * 60


@given(st.data())
@settings(max_examples=80, deadline=None)
def test_any_bytes_open_or_are_refused(damaged, data):
    """Any bytes but the sealed ones are unopenable."""
    changed = data.draw(damaged(SEALED))
    try:
        body = sealing.unseal(KEY, INFO, changed, 64)
    except Refused as refused:
        assert refused.word == "unopenable"
    else:
        assert (changed, body) == (SEALED, b"body")


def test_info_is_unambiguous():
    """No two different bindings are written alike."""
    bindings = [
        (direction, game, step, player)
        for direction in sealing.DIRECTIONS
        for game in (GAME, "0" * 64)
        for step in (0, 1, 11, 111)
        for player in ("a", "a1", "a-1")
    ]
    assert len({sealing.info(*binding) for binding in bindings}) == len(bindings)


@pytest.mark.parametrize(
    "binding",
    [
        ("orders", GAME, 1, "alice"),
        ("order", GAME[:-1], 1, "alice"),
        ("order", GAME.upper(), 1, "alice"),
        ("order", GAME, -1, "alice"),
        ("order", GAME, 1, "Alice"),
        ("order", GAME, 1, "alice\n"),
        ("order", GAME, 1, ""),
    ],
)
def test_info_takes_ids_and_names_only(binding):
    """A binding that could be read in two ways is an error."""
    with pytest.raises(ValueError, match=r"expected|nothing is sealed"):
        sealing.info(*binding)


def test_low_order_keys_are_refused(refuses):
    """All keys with which the shared secret is zero, and all second names of keys, are refused."""
    low = [0, 1, P - 1, *sealing._ORDER_8]
    for u in low:
        raw = u.to_bytes(32, "little")
        with pytest.raises(ValueError, match=r".*"):
            X25519PrivateKey.generate().exchange(X25519PublicKey.from_public_bytes(raw))
        refuses("bad-key", sealing.check_public, raw)
        refuses("bad-key", sealing.seal, raw, INFO, b"", SIZE)
    for u in [*range(P, 2**255), *(u + 2**255 for u in low), 9 + 2**255, 2**256 - 1]:
        assert (
            "u >= p" in refuses("bad-key", sealing.check_public, u.to_bytes(32, "little")).message
        )
    for size in (0, 31, 33):
        refuses("bad-key", sealing.check_public, bytes(size))


@given(seed=st.binary(min_size=32, max_size=32))
@settings(max_examples=40, deadline=None)
def test_every_real_key_is_taken(seed):
    """No key that somebody drew is refused."""
    sealing.check_public(SealingKey.from_seed(seed).public)


def test_letters_open_with_the_letters_key_only(refuses):
    """An address sealed to `letters` does not open with the key that the reveal publishes."""
    invite = "b1" * 32
    info = sealing.info("letter", invite, 0, "alice")
    sealed = sealing.seal(OTHER.public, info, b"alice@example.org", 256)
    assert sealing.unseal(OTHER, info, sealed, 256) == b"alice@example.org"
    refuses("unopenable", sealing.unseal, KEY, info, sealed, 256)
