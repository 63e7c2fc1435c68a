"""Copies of frozen values with some fields changed."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, dataclass, field, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.values import changed


@dataclass(frozen=True)
class Boat:
    """A frozen value, with a default and a factory."""

    at: str
    fuel: int = 3
    cargo: dict[str, int] = field(default_factory=dict)


@given(st.text(), st.integers(), st.dictionaries(st.sampled_from(["at", "fuel"]), st.integers()))
def test_a_copy_is_what_replace_makes(at: str, fuel: int, fields: dict[str, int]) -> None:
    """Also with no field at all; the value itself stays as it was."""
    boat = Boat(at, fuel, {"gold": 1})
    copy = changed(boat, **fields)
    assert copy == replace(boat, **fields)  # type: ignore[arg-type]
    assert (type(copy), boat) == (Boat, Boat(at, fuel, {"gold": 1}))
    assert copy is not boat


def test_a_copy_is_frozen_too() -> None:
    """And what is not changed is the very same object."""
    boat = Boat("A1")
    copy = changed(boat, fuel=1)
    assert copy.cargo is boat.cargo
    with pytest.raises(FrozenInstanceError):
        copy.fuel = 2  # type: ignore[misc]


def test_a_field_that_there_is_not_is_named() -> None:
    """A slip of the pen makes no new field."""
    with pytest.raises(TypeError, match=r"^Boat has not all of the fields fuel, fule$"):
        changed(Boat("A1"), fuel=1, fule=2)
