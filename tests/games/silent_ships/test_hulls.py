"""Cards: every ship has an outline and a short name that fits its card."""

from __future__ import annotations

import pictures

from games.picture import wide
from games.silent_ships import hulls
from games.silent_ships.cards import NAMES


def test_every_ship_has_an_outline_and_a_short_name() -> None:
    """The names of the table, and no others."""
    assert set(hulls.SHORT) == set(hulls._OUTLINES) == set(NAMES)
    assert len(set(hulls.SHORT.values())) == len(NAMES)
    for name in hulls.SHORT.values():
        assert wide(name, 10, bold=True) <= 52


def test_a_card_tells_no_more_than_it_is_given() -> None:
    """Face down and unknown: a question mark; otherwise name and strength."""
    unknown, known = hulls.card("", False, True), hulls.card("frigate", False, False, 7)
    assert text(unknown) == ["?"]
    assert text(known) == ["7", "Frigate"]
    assert text(hulls.card("", True, False)) == []


def text(card: str) -> list[str]:
    """What is written on a card."""
    return pictures.written(f'<svg xmlns="http://www.w3.org/2000/svg">{card}</svg>')
