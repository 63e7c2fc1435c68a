"""Every value that comes from a secret."""

import hashlib
import hmac
import itertools

import pytest
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from generate import curve
from hypothesis import given, settings
from hypothesis import strategies as st

from orders import crypto, doors, secrets
from orders.doors import Doors
from orders.secrets import DuelSecret

MASTER = secrets.Master(bytes(range(32)))
SEAT = secrets.SeatSecret(bytes(range(32)))
GAME = "9c" * 32


@given(st.binary(min_size=32, max_size=32), st.text(st.characters(max_codepoint=126), max_size=60))
@settings(max_examples=40, deadline=None)
def test_derivation_is_hkdf(secret, label):
    """`derive` is RFC 5869's HKDF-SHA256, as another implementation has it."""
    other = HKDF(SHA256(), 32, None, label.encode()).derive(secret)
    assert secrets.derive(secret, label) == other


def test_seed_is_hkdf_of_share_and_nonces():
    """The seed is HKDF with the game's id as salt and share and nonces as key."""
    nonces = ["11" * 32, None, "22" * 32]
    share = secrets.derive(MASTER.secret, "adjudicator/4/master/share")
    key = share + b"\x11" * 32 + bytes(32) + b"\x22" * 32
    other = HKDF(SHA256(), 32, bytes.fromhex(GAME), b"adjudicator/4/seed").derive(key)
    assert MASTER.seed(nonces, GAME) == other


def test_seed_depends_on_everything():
    """Host, every nonce, their order, their number and the game each change the seed."""
    a, b = "11" * 32, "22" * 32
    seeds = [
        MASTER.seed([a, b], GAME), MASTER.seed([b, a], GAME), MASTER.seed([a], GAME),
        MASTER.seed([a, b, None], GAME), MASTER.seed([a, None], GAME),
        MASTER.seed([a, b], "9d" * 32), secrets.Master(b"x" * 32).seed([a, b], GAME),
    ]  # fmt: skip
    assert len(set(seeds)) == len(seeds)


@pytest.mark.parametrize("bad", ["", "1" * 63, "1" * 66, "A" * 64, " 1" * 32, "g" * 64])
def test_seed_takes_digests_only(bad):
    """A nonce or an id that is not 64 lower-case hex digits is an error."""
    with pytest.raises(ValueError, match=r"hex|non-hex"):
        MASTER.seed([bad], GAME)
    with pytest.raises(ValueError, match=r"hex|non-hex"):
        MASTER.seed(["1" * 64], bad)


def test_no_two_values_are_alike():
    """All salts, shares and keys differ, even where master and seat are the same bytes."""
    players = ["a", "a1", "a-1", "alice"]
    values = [MASTER.state_salt(step) for step in range(30)]
    values += [MASTER.report_salt(n, player) for n, player in itertools.product(range(30), players)]
    values += [SEAT.salt(n, revision) for n, revision in itertools.product(range(30), range(1, 30))]
    values += [SEAT.nonce, MASTER.hex, MASTER.commitment, SEAT.nonce_commitment]
    keys = (MASTER.sealing(), SEAT.sealing(), SEAT.letters())
    values += [part.hex() for key in keys for part in (key.public, key.seed)]
    assert len(set(values)) == len(values)


def test_commitments_are_of_the_hex_digits():
    """Anybody can check a commitment with `printf %s HEX | sha256sum`."""
    assert MASTER.commitment == hashlib.sha256(MASTER.hex.encode()).hexdigest()
    assert SEAT.nonce_commitment == hashlib.sha256(SEAT.nonce.encode()).hexdigest()
    assert secrets.commitment("0" * 64) == hashlib.sha256(b"0" * 64).hexdigest()


@pytest.mark.parametrize("size", [0, 31, 33, 64])
def test_secrets_have_32_bytes(size):
    """A secret of another length is an error at once."""
    for kind in (secrets.Master, secrets.SeatSecret):
        with pytest.raises(ValueError, match="32 bytes"):
            kind(bytes(size))


def test_secrets_are_not_printed():
    """A repr, and so a log or a traceback, shows nothing of a secret or what comes from it."""
    for secret in (MASTER, SEAT, MASTER.sealing(), SEAT.letters()):
        shown = repr(secret)
        extracted = hmac.digest(bytes(32), MASTER.secret, "sha256")
        for hidden in (MASTER.secret, extracted):
            assert hidden.hex() not in shown
            assert repr(hidden)[2:-1] not in shown


def test_drawn_secrets_are_fresh():
    """Two draws give two secrets of 32 bytes."""
    first, second = secrets.draw_secret(), secrets.draw_secret()
    assert len(first) == len(second) == 32
    assert first != second


# Doors: of two letters exactly one opens; and what is no door is refused.


OWNER, OTHER = Doors(DuelSecret(b"o" * 32)), Doors(DuelSecret(b"x" * 32))
FREE, TAKEN = b"free: 16 letters", b"taken: as unknown"


@pytest.mark.parametrize("taken", [False, True])
def test_one_letter_opens(taken: bool) -> None:
    """The one that fits the place; by the other's label, owner or side, none."""
    box = OTHER.seal(OWNER.door("a", taken=taken), FREE, TAKEN)
    assert len(box) == 64 + len(FREE) + len(TAKEN)
    assert OWNER.open("a", box, len(FREE), taken=taken) == (TAKEN if taken else FREE)
    assert OWNER.open("b", box, len(FREE), taken=taken) is None
    assert OWNER.open("a", box, len(FREE), taken=not taken) is None
    assert OTHER.open("a", box, len(FREE), taken=taken) is None
    assert OWNER.open("a", box[:-1] + b"!", len(FREE), taken=taken) != TAKEN


def test_both_sides_of_a_door_make_one_point() -> None:
    """By the curve written out: D and C - D, and who takes a place knows the logarithm of C - D."""
    (c,) = {
        curve.encode(curve.add(_point(door), _point(doors._other(door))))
        for door in (OWNER.door(str(one), taken=bool(one % 2)) for one in range(6))
    }
    assert c.hex() == "17ac22a1116a9f4a6045486e21ae9267bbc92ba5ef1afb4b15c05e4782f4e08d"
    assert curve.affine(curve.times(curve.L, _point(c))) == curve.affine(curve.ZERO)
    seed = OWNER._key("a", True)
    door = OWNER.door("a", taken=True)
    assert doors._other(door) == crypto.ed25519_public(seed)


def _point(raw: bytes) -> curve.Point:
    point = curve.decode(raw)
    assert point is not None
    return point


def test_sealing_is_a_function_of_its_content() -> None:
    """The same box again; another for another door or letter."""
    one, two = (OWNER.door(label, taken=False) for label in "ab")
    boxes = [
        OTHER.seal(one, FREE, TAKEN),
        OTHER.seal(two, FREE, TAKEN),
        OTHER.seal(one, FREE, FREE),
        OWNER.seal(one, FREE, TAKEN),
    ]
    assert len({box[:32] for box in boxes}) == 4
    assert boxes[0] == OTHER.seal(one, FREE, TAKEN)


def test_what_is_no_door_is_refused() -> None:
    """Points of low order, from either side; other forms; bytes that are no point."""
    door = OWNER.door("a", taken=False)
    assert OTHER.fault(door) == ""
    for raw in curve.low_order_encodings():
        assert OTHER.fault(raw)
        box = raw + OTHER.seal(door, FREE, TAKEN)[32:]
        assert OWNER.open("a", box, len(FREE), taken=False) is None
    c = curve.add(_point(door), _point(doors._other(door)))
    for low in curve.TORSION:
        assert "low order from its other side" in OTHER.fault(curve.encode(curve.add(c, low)))
    no_point = next(
        raw for raw in (bytes([n]) + bytes(31) for n in range(2, 99)) if curve.decode(raw) is None
    )
    assert OTHER.fault(no_point) == "no point of the curve"
    with pytest.raises(ValueError, match=f"{no_point.hex()} is no point"):
        OTHER.seal(no_point, FREE, TAKEN)
    assert OWNER.open("a", no_point + bytes(80), len(FREE), taken=False) is None
    assert "not canonical" in OTHER.fault((curve.P + 3).to_bytes(32, "little"))


def test_parts_of_low_order_change_nothing() -> None:
    """A door with such a part opens as without it: X25519 multiplies by 8."""
    door = OWNER.door("a", taken=False)
    odd = curve.encode(curve.add(_point(door), curve.TORSION[1]))
    assert OTHER.fault(odd) == ""
    agreed = doors._agreed(b"s" * 32, odd, b"")
    assert agreed == doors._agreed(b"s" * 32, door, b"")
