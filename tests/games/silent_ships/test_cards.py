"""The data: the table of ships, tables in its place, editions and their options."""

from __future__ import annotations

import tomllib

import pytest

from games.options import OfferRefused
from games.silent_ships import GAME, cards

TEXT = cards.DEFAULT_TABLE.decode()
PUBLISHED = {
    "flag-ship": ("published", "published"),
    "fire-ship": ("house", "published"),
    "missile-boat": ("published", "house"),
    "speed-boat": ("published", "published"),
    "salvage-ship": ("published", "published"),
    "special-operations-craft": ("house", "published"),
}


def test_the_default_table_tells_published_and_house_values_apart() -> None:
    """Value by value, as the rules page has them; all others are house values."""
    for card in cards.DEFAULT.ships:
        assert card.sources == PUBLISHED.get(card.name, ("house", "house"))


def test_a_table_in_its_place_is_played_by() -> None:
    """Another attack and another ability for a ship, with no change of code."""
    text = TEXT.replace("[frigate]\nattack = 7", "[frigate]\nattack = 12")
    text = text.replace('ability = "heavy"\ndiscards = 2', 'ability = "none"')
    table = GAME.read_table(text.encode())
    assert table.attack("frigate") == 12
    assert table.ability("frigate", "heavy") == 0
    assert GAME.setup(("alice", "bob"), {}, text.encode()).table == table


def test_a_table_is_of_all_eleven_ships_and_not_endless() -> None:
    """A missing ship, bytes that are no text, and a file too long are refused."""
    data = tomllib.loads(TEXT)
    short = TEXT.partition("[ammunition-ship]")[0]
    assert len(data) == 11
    for text in (short.encode(), b"\xff", b"#" * 10_000, b"[" * 4000, b"frigate = 1"):
        with pytest.raises(OfferRefused):
            GAME.read_table(text)


def test_editions_are_data() -> None:
    """What each edition and option amounts to."""
    found = {name: cards.edition(GAME.check_options({"edition": name})) for name in cards.EDITIONS}
    assert set(found) == {"2021-09-12", "2021-09-17", "print"}
    assert (found["2021-09-12"].hand, found["2021-09-12"].draw) == (3, 2)
    assert (found["2021-09-17"].hand, found["2021-09-17"].draw) == (2, 3)
    assert found["print"].steps == ("retreat", "attacker-support", "defender-support")
    both = cards.edition(GAME.check_options({"speed": True, "flag_ship": False}))
    assert (both.sunk, both.wins) == (6, ("sunk",))
