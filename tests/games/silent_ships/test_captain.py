"""The captain: from views alone, legal, deterministic, whatever the host tells it."""

from __future__ import annotations

from typing import Any

import pytest

from games.dice import Dice
from games.silent_ships import GAME


def heard(view: Any) -> Any:
    """A captain who has heard one view and nothing before it."""
    captain = GAME.bots["captain"](view.player)
    captain.hear(view, [])
    return captain


def test_from_any_position_it_orders_what_is_legal(play: Any, edition: str) -> None:
    """Also one that takes over a seat in a game that it did not steer, for a turn or an answer."""
    asked = set()
    for seed in range(3):
        for step in play(seed, ("random", "random"), {"edition": edition}):
            for prompt in GAME.awaited(step.before):
                view = GAME.view(step.before, prompt.player)
                GAME.read(view, heard(view).order(Dice(b"%d" % seed)))
                asked.add(prompt.what.partition(" ")[0])
    assert {"setup", "turn", "retreat", "support"} <= asked


def test_it_orders_by_its_view_and_its_dice_alone(play: Any) -> None:
    """Two captains who have heard the same order the same."""
    for step in play(5):
        for prompt in GAME.awaited(step.before):
            view = GAME.view(step.before, prompt.player)
            one, two = (heard(view).order(Dice(b"same")) for _ in range(2))
            assert one == two


def test_orders_do_not_depend_on_what_is_hidden() -> None:
    """Neither on the enemy's ships that lie face down, nor on hand and deck."""
    setup = GAME.setup(("alice", "bob"), {})
    orders = set()
    for name, hand, deck in (
        ("flag-ship", ["frigate"], ["submarine"]), ("submarine", ["flag-ship"], ["frigate"]),
    ):  # fmt: skip
        position = {
            "turn": "alice",
            "board": ["C2 alice up missile-boat", f"D2 bob down {name}"],
            "alice": {"hand": ["fire-ship", "speed-boat"]},
            "bob": {"hand": hand, "deck": deck},
        }
        view = GAME.view(GAME.state(setup, position), "alice")
        orders.add(heard(view).order(Dice(b"hidden")).orders)
    assert len(orders) == 1


@pytest.mark.parametrize(("flag_ship", "played"), [(True, False), (False, True)])
def test_a_flag_ship_that_must_not_be_lost_stays_in_the_hand(flag_ship: bool, played: bool) -> None:
    """It is the strongest that could drive the intruder out; where it may be lost, it does."""
    setup = GAME.setup(("alice", "bob"), {"flag_ship": flag_ship})
    position = {
        "turn": "alice",
        "board": ["C4 bob up frigate"],
        "alice": {"hand": ["flag-ship", "patrol-ship", "speed-boat"]},
        "bob": {"hand": []},
    }
    orders = heard(GAME.view(GAME.state(setup, position), "alice")).order(Dice(b"flag")).orders
    assert ("play flag-ship" in orders) == played


@pytest.mark.parametrize("name", ["captain", "random"])
def test_a_bot_that_has_heard_nothing_says_so(name: str) -> None:
    """Ordering comes after hearing."""
    with pytest.raises(ValueError, match="heard"):
        GAME.bots[name]("alice").order(Dice(b""))
