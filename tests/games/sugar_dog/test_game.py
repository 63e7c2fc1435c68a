"""The game itself: who may play it, under which names and options."""

from __future__ import annotations

import pytest

from games.dice import Dice
from games.game import Written
from games.options import OfferRefused
from games.sugar_dog import GAME


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"first": "carol"}, "first"),
        ({"first": ""}, "first"),
        ({"missed": "pass"}, "missed"),
        ({"first": "Bob"}, "did you mean 'bob'"),
        ({"players": 4}, "players"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_a_bad_option_is_refused_by_name(options, named):
    """SD-3, SD-17: an option that does not fit is refused before the game begins."""
    with pytest.raises(OfferRefused, match=named):
        GAME.setup(["alice", "bob"], options)


def test_the_largest_game_can_be_set_up():
    """SD-1: a map of 54 by 54 for 26 players; no more than that may play."""
    names = [f"p{number}" for number in range(26)]
    state = GAME.start(GAME.setup(names, {}))
    orders = {name: GAME.read(GAME.view(state, name), Written("start BB54")) for name in names}
    step = GAME.adjudicate(state, orders, Dice(b""))
    assert GAME.position(step.state)["p25"]["sub"] == "BB54"
    with pytest.raises(OfferRefused, match="2 to 26 players"):
        GAME.setup([*names, "p26"], {})


@pytest.mark.parametrize("name", ["setup", "turn", "n", "offers", "contacts"])
def test_no_player_bears_a_word_of_the_notation(name):
    """Keys of a position are no names."""
    with pytest.raises(OfferRefused, match=f"'{name}' is a word"):
        GAME.setup(["alice", name], {})


def test_the_game_says_what_its_modules_know():
    """Its name, seats and options."""
    assert (GAME.rules, GAME.seats, GAME.prefix) == ("sugar-dog/1", (2, 26), "SD")
    assert {"first", "missed"} <= {option.name for option in GAME.own_options}
    setup = GAME.setup(["alice", "bob"], {})
    assert (setup.options["first"], setup.options["missed"]) == (None, "silent")


@pytest.mark.parametrize("names", [["alice"], []])
def test_it_is_for_two_or_more(names):
    """SD-1."""
    with pytest.raises(OfferRefused):
        GAME.setup(names, {})
