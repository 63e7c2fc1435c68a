"""No report is longer than the bound that its size class follows from."""

from __future__ import annotations

import json
from typing import Any

from games.dice import Dice
from games.game import Written
from games.silent_ships import GAME
from games.silent_ships.bot import Captain, Random
from games.silent_ships.cards import NAMES
from games.silent_ships.orders import MOST_LINES

LONG = ("a" * 32, "b" * 32)


def size(report: Any) -> int:
    return len(json.dumps(report, separators=(",", ":"), sort_keys=True))


def test_long_games_stay_below_the_bound(play: Any, edition: str) -> None:
    """Random games and games between captains, under the longest names."""
    options = {"edition": edition, "stalemate": 0}
    bound = GAME.report_bound(options)
    for seed in range(12):
        for bots in ((Random, Random), (Captain, Random), (Captain, Captain)):
            for step in play(seed, bots, options, LONG):
                assert max(size(step.report(name)) for name in LONG) <= bound


def test_the_fullest_step_stays_below_the_bound() -> None:
    """Ten cards pay for ten attacks that all win, and every line that is left is void."""
    setup = GAME.setup(LONG, {"edition": "2021-09-12"})
    way = ["A4", "A3", "A2", "A1", "B1", "B2", "B3", "B4", "C4", "C3", "C2"]
    cards = [name for name in NAMES if name != "flag-ship"]
    board = [f"{cell} {LONG[1]} down {name}" for cell, name in zip(way[1:], cards, strict=True)]
    position = {
        "turn": LONG[0],
        "board": [f"A4 {LONG[0]} down flag-ship", *board],
        LONG[0]: {"hand": cards, "deck": ["flag-ship"]},
        LONG[1]: {"discards": ["flag-ship", *cards[:3]]},
    }
    pairs = zip(way, way[1:], cards, strict=False)
    lines = [f"move {start} {to} discard {card} support none" for start, to, card in pairs]
    lines += ["support A1 discard frigate"] * (MOST_LINES - 1 - len(lines))
    state = GAME.state(setup, position)
    written = Written("\n".join([*lines, "end"]))
    orders = {LONG[0]: GAME.read(GAME.view(state, LONG[0]), written)}
    step = GAME.adjudicate(state, orders, Dice(b""))
    assert sum(event.kind == "sunk" for event in step.events) == 10
    events = [event.told_to(LONG[0]) for event in step.events if event.heard_by(LONG[0])]
    came = size({"events": events, "view": GAME.view(step.state, LONG[0]).shown})
    assert 8_000 < came <= GAME.report_bound({"edition": "2021-09-12"})


def test_the_bound_leaves_room_for_the_rest_of_a_report() -> None:
    """One size class of 16 KiB holds any report, with its digests and names."""
    assert GAME.report_bound(GAME.check_options({})) <= 16 * 1024 - 512
