"""The game itself: which options and names go together."""

from __future__ import annotations

import pytest

from games.options import OfferRefused
from games.silent_ships import GAME


@pytest.mark.parametrize("name", ["setup", "turn", "board", "idle", "active", "offers", "attack"])
def test_no_player_bears_a_key_as_a_name(name: str) -> None:
    """The notation's own words are refused as names."""
    assert name in GAME.words


@pytest.mark.parametrize("name", ["2021-09-12", "2021-09-17"])
@pytest.mark.parametrize("option", [{"speed": True}, {"flag_ship": False}])
def test_options_of_the_printed_edition_go_with_it_only(name: str, option: dict[str, bool]) -> None:
    """`speed` and `flag_ship` are refused with the other editions, by name."""
    with pytest.raises(OfferRefused, match=next(iter(option))):
        GAME.check_options({"edition": name, **option})
    assert GAME.check_options({"edition": "print", **option})


@pytest.mark.parametrize(
    "bad", [{"edition": "2022"}, {"stalemate": -1}, {"missed": "lose"}, {"spee": True}]
)
def test_unknown_options_are_refused(bad: dict[str, object]) -> None:
    """Unknown names and values out of range."""
    with pytest.raises(OfferRefused):
        GAME.check_options(bad)
