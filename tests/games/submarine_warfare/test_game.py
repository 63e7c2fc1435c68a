"""The game itself: who may play it, under which names, options and clocks."""

from __future__ import annotations

import pytest

from games.options import OfferRefused, seconds
from games.submarine_warfare import GAME


def test_the_clocks_are_data():
    """SW-17: days where nothing is said, the published times as the preset `live`."""
    options = GAME.check_options({})
    assert (options["turn_time"], options["reserve_time"]) == ("3d", "7d")
    live = GAME.check_options(GAME.presets["live"])
    assert (seconds(live["turn_time"]), seconds(live["reserve_time"])) == (90, 300)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"rounds": -1}, "rounds"),
        ({"rounds": 10_001}, "rounds"),
        ({"missed": "draw"}, "missed"),
        ({"first": "carol"}, "first"),
        ({"row_one": "carol"}, "row_one"),
        ({"turn_time": "soon"}, "turn_time"),
        ({"edition": "x"}, "edition"),
    ],
)
def test_an_option_that_does_not_fit_is_refused(given, said):
    """By its name."""
    with pytest.raises(OfferRefused, match=said):
        GAME.setup(["alice", "bob"], given)


@pytest.mark.parametrize("name", ["setup", "turn", "round", "first", "rings", "ap", "over"])
def test_a_word_of_the_notation_is_no_name(name):
    """Positions and views use it as a key."""
    with pytest.raises(OfferRefused, match="notation"):
        GAME.setup(["alice", name], {})


@pytest.mark.parametrize("names", [["alice"], ["alice", "bob", "carol"]])
def test_it_is_for_two(names):
    """SW-1."""
    with pytest.raises(OfferRefused, match="for 2 players"):
        GAME.setup(names, {})
