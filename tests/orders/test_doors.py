"""Doors: of two letters exactly one opens; and what is no door is refused."""

from __future__ import annotations

import pytest
from generate import curve

from orders import crypto, doors
from orders.doors import Doors
from orders.secrets import DuelSecret

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
