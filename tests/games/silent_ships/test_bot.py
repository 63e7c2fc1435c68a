"""The captain: what it knows and risks; `tests/games/test_bots.py` has how well it plays."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from games.dice import Dice
from games.silent_ships import GAME
from games.silent_ships.bot import Captain
from games.silent_ships.cards import EDITIONS


def test_standing_orders_spare_files(play: Any) -> None:
    """Captains without them write more, in games that end as well."""
    files = []
    for captain in (Captain, partial(Captain, standing=False)):
        each = [{"edition": edition} for edition in EDITIONS]
        games = [play(seed, (captain, captain), one) for one in each for seed in range(8)]
        assert max(map(len, games)) <= 400
        files.append(sum(len(step.written) for steps in games for step in steps))
    assert files[0] < files[1] * 3 // 4


def heard(view: Any) -> Any:
    """A captain who has heard one view and nothing before it."""
    captain = GAME.bots["captain"](view.player)
    captain.hear(view, [])
    return captain


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
