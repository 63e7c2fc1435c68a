"""Sealed files: who can open them, who can make them again, and that a failure tells nothing.

The adversaries: a player who copies another's sealed file, a host who sends a report of another
step or another size, a reader who hopes that a refusal tells which part was wrong.
"""

from functools import partial

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDFExpand
from hypothesis import given, settings
from hypothesis import strategies as st
from replacing import replace

from orders import crypto, sealing, secrets
from orders.errors import Refused
from orders.fields import digest
from orders.sealing import Place, SealingKey

P = 2**255 - 19
GAME = "9c" * 32
HOST = SealingKey(b"h" * 32)
ALICE = SealingKey(b"a" * 32)
BOB = SealingKey(b"b" * 32)
SHARED = HOST.agree(ALICE.public, GAME)
BODY = b"start C4\n"
PLACE = Place("order", GAME, 7, "alice", 2, digest(BODY))
SIZE = 512
SEALED = SHARED.seal(PLACE, BODY, SIZE)


def test_both_sides_share_one_secret():
    """Host and player agree on the same one; another player or another game gives another one."""
    assert ALICE.agree(HOST.public, GAME) == SHARED
    others = [
        HOST.agree(BOB.public, GAME),
        BOB.agree(ALICE.public, GAME),
        HOST.agree(ALICE.public, "9d" * 32),
    ]
    assert len({SHARED, *others}) == 4


def test_a_sealed_order_is_that_of_the_page():
    """Every step written out with another library's primitives."""
    agreed = X25519PrivateKey.from_private_bytes(b"a" * 32).exchange(
        X25519PublicKey.from_public_bytes(HOST.public)
    )
    extracted = secrets.extract(bytes.fromhex(GAME), agreed)
    label = f"adjudicator/4\norder\n{GAME}\n7\nalice\n2\n512\n{digest(BODY)}\n".encode()
    key = HKDFExpand(SHA256(), 32, label).derive(extracted)
    padded = (b"\0\0\0\x09" + BODY).ljust(512, b"\0")
    assert ChaCha20Poly1305(key).encrypt(bytes(12), padded, b"") == SEALED


@given(body=st.binary(max_size=SIZE - 4))
@settings(max_examples=40, deadline=None)
def test_a_body_comes_back(body):
    """Whatever fits opens to the same bytes; all sealed files are as long, and made again alike."""
    place = replace(PLACE, digest=digest(body))
    sealed = SHARED.seal(place, body, SIZE)
    assert len(sealed) == sealing.sealed_size(SIZE) == SIZE + 16
    assert ALICE.agree(HOST.public, GAME).open(place, sealed, SIZE) == body
    assert SHARED.seal(place, body, SIZE) == sealed


def test_what_does_not_fit_is_too_big(refuses):
    """A body that would need a larger file is refused, so sizes never tell anything."""
    for length, fits in ((sealing.room(SIZE), True), (sealing.room(SIZE) + 1, False)):
        body = bytes(length)
        place = replace(PLACE, digest=digest(body))
        if fits:
            assert SHARED.open(place, SHARED.seal(place, body, SIZE), SIZE) == body
        else:
            refused = refuses("too-big", SHARED.seal, place, body, SIZE)
            assert f"at most {sealing.room(SIZE)} fit" in refused.message


def test_a_place_names_its_body():
    """A key serves one body only: sealing another under it is a fault of the program."""
    with pytest.raises(ValueError, match="another digest"):
        SHARED.seal(PLACE, b"other", SIZE)


def raw(padded: bytes, place: Place = PLACE) -> bytes:
    """A well-sealed file whose padded content is whatever is wanted."""
    key = secrets.expand(SHARED.extracted, place.label(len(padded)))
    return crypto.chacha_seal(key, bytes(12), padded)


def test_row_15_all_failures_are_one(refuses):
    """Copied to another step, player, revision, game or direction, cut, empty, under another key,
    size or digest, badly padded: one and the same refusal."""
    other = HOST.agree(BOB.public, GAME)
    attempts = [
        (SHARED, replace(PLACE, step=8), SEALED, SIZE),
        (SHARED, replace(PLACE, player="bob"), SEALED, SIZE),
        (SHARED, replace(PLACE, revision=3), SEALED, SIZE),
        (SHARED, replace(PLACE, game="9d" * 32), SEALED, SIZE),
        (SHARED, replace(PLACE, direction="report", revision=0), SEALED, SIZE),
        (SHARED, replace(PLACE, digest=digest(b"")), SEALED, SIZE),
        (other, PLACE, SEALED, SIZE),
        (SHARED, PLACE, SEALED, SIZE * 2),
        (SHARED, PLACE, SEALED, 448),
        (SHARED, PLACE, b"", SIZE),
        (SHARED, PLACE, SEALED[:-1], SIZE),
        (SHARED, PLACE, SEALED + b"\0", SIZE),
        (SHARED, PLACE, bytes(len(SEALED)), SIZE),
        (SHARED, PLACE, SEALED[:-1] + bytes([SEALED[-1] ^ 1]), SIZE),
        (SHARED, PLACE, bytes([SEALED[0] ^ 1]) + SEALED[1:], SIZE),
        (SHARED, PLACE, raw((b"\0\0\0\x09" + BODY).ljust(SIZE - 1, b"\0") + b"\1"), SIZE),
        (SHARED, PLACE, raw((b"\0\0\0\x08" + BODY).ljust(SIZE, b"\0")), SIZE),
        (SHARED, PLACE, raw((SIZE - 3).to_bytes(4, "big") + bytes(SIZE - 4)), SIZE),
        (SHARED, PLACE, raw(b"\xff" * SIZE), SIZE),
        (SHARED, PLACE, raw((b"\0\0\0\x05other").ljust(SIZE, b"\0")), SIZE),
    ]
    answers = {
        refuses("unopenable", shared.open, place, sealed, size).args
        for shared, place, sealed, size in attempts
    }
    assert len(answers) == 1
    assert SHARED.open(PLACE, SEALED, SIZE) == BODY


def test_row_16_padding_is_zero(refuses):
    """One nonzero byte anywhere in the tail is refused."""
    place = replace(PLACE, digest=digest(bytes(3)))
    for at in range(4 + 3, 64):
        padded = bytearray(64)
        padded[3] = 3
        assert SHARED.open(place, raw(bytes(padded), place), 64) == bytes(3)
        padded[at] = 1
        refuses("unopenable", SHARED.open, place, raw(bytes(padded), place), 64)


@given(st.data())
@settings(max_examples=80, deadline=None)
def test_any_bytes_open_or_are_refused(damaged, data):
    """Any bytes but the sealed ones are unopenable."""
    sealed = SHARED.seal(PLACE, BODY, 64)
    changed = data.draw(damaged(sealed))
    try:
        body = SHARED.open(PLACE, changed, 64)
    except Refused as refused:
        assert refused.word == "unopenable"
    else:
        assert (changed, body) == (sealed, BODY)


def test_labels_are_unambiguous():
    """No two different places or sizes are written alike, so no key serves twice."""
    places = [
        Place(direction, game, step, player, revision, of)
        for direction, revisions in (("order", (1, 11, 99)), ("report", (0,)))
        for game in (GAME, "0" * 64)
        for step in (1, 11, 111)
        for player in ("a", "a1", "a-1")
        for revision in revisions
        for of in (digest(b""), GAME)
    ]
    labels = {place.label(size) for place in places for size in (64, 128)}
    assert len(labels) == 2 * len(places)
    infos = {
        sealing.letter_info(use, game, number, player)
        for use in sealing.USES
        for game in (GAME, "0" * 64)
        for number in (0, 1, 11)
        for player in ("a", "a1", "host")
    }
    assert len(infos) == len(sealing.USES) * 18
    assert not labels & infos


@pytest.mark.parametrize(
    "changes",
    [
        {"direction": "orders"}, {"direction": "letter"}, {"direction": "report"}, {"revision": 0},
        {"revision": -1}, {"direction": "report", "revision": -1}, {"step": 0}, {"game": GAME[:-1]},
        {"game": GAME.upper()}, {"game": GAME + "\n"}, {"digest": "x"}, {"player": "Alice"},
        {"player": "alice\n"}, {"player": ""},
    ],
)  # fmt: skip
def test_places_take_ids_and_names_only(changes):
    """A place that could be read in two ways is an error."""
    with pytest.raises(ValueError, match=r"expected|nothing is sealed"):
        replace(PLACE, **changes)


@pytest.mark.parametrize(
    "binding",
    [
        ("order", GAME, 1, "alice"),
        ("letters", GAME, 1, "alice"),
        ("letter", GAME[:-1], 1, "alice"),
        ("letter", GAME, -1, "alice"),
        ("letter", GAME, 1, "alice\n"),
        ("letter", GAME, 1, ""),
    ],
)
def test_info_takes_ids_and_names_only(binding):
    """The same for letters."""
    with pytest.raises(ValueError, match=r"expected|nothing is sealed"):
        sealing.letter_info(*binding)


def low_order() -> list[int]:
    """The u coordinates with which every agreement is zero."""
    return [0, 1, P - 1, *sealing._ORDER_8]


def test_low_order_keys_are_refused(refuses):
    """All keys with which the shared secret is zero, and all second names of keys, are refused."""
    info = sealing.letter_info("letter", GAME, 1, "alice")
    for u in low_order():
        bad = u.to_bytes(32, "little")
        assert crypto.x25519(b"h" * 32, bad) == bytes(32)
        refuses("bad-key", sealing.check_public, bad)
        refuses("bad-key", HOST.agree, bad, GAME)
        refuses("bad-key", sealing.seal_letter, bad, info, b"", SIZE)
    for u in [*range(P, 2**255), *(u + 2**255 for u in low_order()), 9 + 2**255, 2**256 - 1]:
        found = u.to_bytes(32, "little")
        assert "u >= p" in refuses("bad-key", sealing.check_public, found).message
        refuses("bad-key", HOST.agree, found, GAME)
    for odd in (b"", ALICE.public[:31], ALICE.public + b"\0", ALICE.public * 2):
        assert "32 bytes" in refuses("bad-key", sealing.check_public, odd).message


def test_an_agreement_of_zero_is_refused(refuses, monkeypatch):
    """Even if a point of low order should slip through the list, or a library give zeros."""
    monkeypatch.setattr(crypto, "x25519", lambda private, public: bytes(32))
    refuses("bad-key", HOST.agree, ALICE.public, GAME)


@given(seed=st.binary(min_size=32, max_size=32))
@settings(max_examples=40, deadline=None)
def test_every_real_key_is_taken(seed):
    """No key that somebody drew is refused."""
    sealing.check_public(SealingKey(seed).public)


def test_nothing_secret_is_printed():
    """A repr, and so a log or a traceback, shows no key."""
    for secret, hidden in ((HOST, b"h" * 32), (SHARED, SHARED.extracted)):
        assert hidden.hex() not in repr(secret)
        assert repr(hidden)[2:-1] not in repr(secret)


# Letters


INFO = sealing.letter_info("letter", GAME, 3, "alice")
LETTER = sealing.seal_letter(HOST.public, INFO, b"body", 64)


@given(body=st.binary(max_size=SIZE - 4))
@settings(max_examples=40, deadline=None)
def test_a_letter_comes_back(body):
    """Whatever fits opens to the same bytes, and all are as long."""
    sealed = sealing.seal_letter(HOST.public, INFO, body, SIZE)
    assert len(sealed) == sealing.sealed_letter_size(SIZE) == SIZE + 48
    assert sealing.open_letter(HOST, INFO, sealed, SIZE) == body


def test_letters_are_sealed_afresh():
    """The same body twice gives two files that share nothing."""
    one, two = (sealing.seal_letter(HOST.public, INFO, b"body", SIZE) for _ in range(2))
    assert one[:32] != two[:32]
    assert one[32:] != two[32:]


def test_row_15_all_failures_of_letters_are_one(refuses):
    """Another use, number, reader or game, cut, an encapsulated key of low order, another key."""
    sealed = sealing.seal_letter(HOST.public, INFO, BODY, SIZE)

    def info(use="letter", game=GAME, number=3, player="alice"):
        return sealing.letter_info(use, game, number, player)

    public = HOST.public
    seal = partial(sealing.hpke_seal, crypto.fresh(), public, INFO)
    badly = seal(b"\0\0\0\1\0".ljust(SIZE - 1, b"\0") + b"\1")
    beyond = seal((SIZE - 3).to_bytes(4, "big").ljust(SIZE, b"\0"))
    attempts = [
        *((HOST, info(use=use), sealed, SIZE) for use in sealing.USES if use != "letter"),
        (HOST, info(game="9d" * 32), sealed, SIZE),
        (HOST, info(number=4), sealed, SIZE),
        (HOST, info(player="bob"), sealed, SIZE),
        (ALICE, INFO, sealed, SIZE),
        (HOST, INFO, sealed, SIZE * 2),
        (HOST, INFO, b"", SIZE),
        (HOST, INFO, sealed[:-1], SIZE),
        (HOST, INFO, sealed[:32], SIZE),
        (HOST, INFO, sealed + b"\0", SIZE),
        (HOST, INFO, bytes(len(sealed)), SIZE),
        *((HOST, INFO, u.to_bytes(32, "little") + sealed[32:], SIZE) for u in low_order()),
        (HOST, INFO, b"\xff" * 32 + sealed[32:], SIZE),
        (HOST, INFO, sealed[:31] + bytes([sealed[31] ^ 0x80]) + sealed[32:], SIZE),
        (HOST, INFO, sealed[:-1] + bytes([sealed[-1] ^ 1]), SIZE),
        (HOST, INFO, badly, SIZE),
        (HOST, INFO, beyond, SIZE),
    ]
    answers = {refuses("unopenable", sealing.open_letter, *attempt).args for attempt in attempts}
    assert len(answers) == 1
    assert sealing.open_letter(HOST, INFO, sealed, SIZE) == BODY


def test_letters_too_long_are_refused(refuses):
    """As with orders."""
    refuses("too-big", sealing.seal_letter, HOST.public, INFO, bytes(SIZE - 3), SIZE)


@given(st.data())
@settings(max_examples=80, deadline=None)
def test_any_letter_opens_or_is_refused(damaged, data):
    """Any bytes but the sealed ones are unopenable."""
    changed = data.draw(damaged(LETTER))
    try:
        body = sealing.open_letter(HOST, INFO, changed, 64)
    except Refused as refused:
        assert refused.word == "unopenable"
    else:
        assert (changed, body) == (LETTER, b"body")


def test_the_reveal_opens_no_letter(refuses):
    """What is sealed to `letters` opens neither with the key in the master nor with the shared one.

    Whoever has the master has SHARED, and so all sealed orders and reports; letters stay closed.
    """
    letters = SealingKey(b"l" * 32)
    private = sealing.letter_info("private", GAME, 0, "alice")
    sealed = sealing.seal_letter(letters.public, private, b"alice@example.org", 512)
    assert sealing.open_letter(letters, private, sealed, 512) == b"alice@example.org"
    refuses("unopenable", sealing.open_letter, HOST, private, sealed, 512)


def test_what_is_too_short_for_a_point_does_not_open() -> None:
    """Neither is what has a point alone."""
    for size in (0, 31, 32, 47):
        assert sealing.hpke_open(b"k" * 32, b"", bytes(range(1, size + 1))) is None
