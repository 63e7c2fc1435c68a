"""Shapes of pieces: what tells them apart without colour, and that they keep to their box."""

from __future__ import annotations

import pictures
import pytest

from games import shapes
from games.grid import HEADINGS
from games.picture import wide
from games.silent_ships import board
from games.silent_ships.cards import NAMES

CARDS = {
    f"{name} {up} {foe}": board.card(name, up, foe, 9)
    for name in ("", *NAMES)
    for up in (True, False)
    for foe in (True, False)
}
SHAPES = {
    **{f"torpedo {way}": shapes.torpedo(way) for way in HEADINGS},
    **{
        f"submarine {up} {foe}": shapes.submarine("w", up, foe, 5)
        for up in (True, False)
        for foe in (True, False)
    },
    "mine": shapes.mine(),
    "contact": shapes.contact("mmmmmmmm"),
    **CARDS,
}


def test_no_two_shapes_are_alike() -> None:
    """Whose, what, up or down, which heading: each is told by shape, not by colour alone."""
    assert len(set(SHAPES.values())) == len(SHAPES)


@pytest.mark.parametrize("name", SHAPES)
def test_a_shape_is_well_formed_and_takes_its_colour_from_its_side(name: str) -> None:
    """What is drawn in a fixed colour has a class, which the dark changes."""
    root = pictures.read(f'<svg xmlns="http://www.w3.org/2000/svg">{SHAPES[name]}</svg>')
    assert "currentColor" in SHAPES[name]
    for node in root.iter():
        fixed = {node.get("fill"), node.get("stroke")} - {None, "none", "currentColor"}
        assert not fixed or node.get("class")


@pytest.mark.parametrize(
    ("name", "label"),
    [("bob", "bob"), ("carolina", "carol..a"), ("player-1", "play..1"), ("m" * 32, "mm..m")],
)
def test_a_long_name_is_cut_and_keeps_its_last_letter(name: str, label: str) -> None:
    """So `player-1` is not `player-2`; and it fits."""
    assert shapes.short(name) == label
    assert wide(label, 11, bold=True) <= 60
