"""No report and no order file is longer than its bound, which follows from who plays alone.

`python tests/games/silent_ships/test_bound.py` writes the vectors anew.
"""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest

from games.dice import Dice
from games.game import Malformed, Written
from games.silent_ships import GAME
from games.silent_ships.cards import NAMES
from games.silent_ships.moves import MOST_BYTES, MOST_LINES
from games.told import tell

VECTORS = Path(__file__).parents[2] / "vectors" / "bounds-silent-ships.json"
LONG = ("a" * 32, "b" * 32)
ENVELOPE = 180
"""About what a report's game, step, player and salt take, with a name of five letters."""


def size(report: Any) -> int:
    """The bytes of a report's part of the game as canonical JSON."""
    return len(json.dumps(report, separators=(",", ":"), sort_keys=True))


def longest(step: Any) -> int:
    """The bytes of the longer report of a step."""
    views = (GAME.view(step.state, name) for name in step.setup.players)
    return max(size(tell(view, step.events, GAME.voids)) for view in views)


def vectors() -> list[dict[str, Any]]:
    """Several games, and their two bounds."""
    made = []
    for players in (("alice", "bob"), ("alice", "carol"), ("a", "b"), ("ann", "x" * 32), LONG):
        for options in ({}, {"edition": "2021-09-12", "stalemate": 0}):
            setup = GAME.setup(players, options)
            made.append(
                {
                    "players": list(players),
                    "options": options,
                    "report": GAME.report_bound(setup),
                    "order": GAME.order_bound(setup),
                }
            )
    return made


def test_the_vectors_are_as_the_code_has_it() -> None:
    """Sizes are part of the rules version: whoever changes either number changes it."""
    assert json.loads(VECTORS.read_text("utf-8")) == vectors()


def test_the_formulas_of_the_rules_page_are_those_of_the_code() -> None:
    """As RULES.md has them, in the length of the longer name, which alone counts."""
    for one, other in itertools.product((1, 3, 5, 20, 32), repeat=2):
        setup = GAME.setup(("a" * one, "b" * other), {})
        n = max(one, other)
        assert GAME.report_bound(setup) == 2114 + 37 * n
        assert GAME.order_bound(setup) == 2604 + n


def test_sealed_files_are_small() -> None:
    """With names of five letters: less than 3 KB."""
    setup = GAME.setup(("alice", "carol"), {})
    assert GAME.report_bound(setup) + ENVELOPE <= 3 * 1024 - 64
    assert GAME.order_bound(setup) <= 3 * 1024 - 64


# Reports.


def test_long_games_stay_below_the_bound(play: Any, edition: str) -> None:
    """Random games and games between captains, under the longest names."""
    options = {"edition": edition, "stalemate": 0}
    bound = GAME.report_bound(GAME.setup(LONG, options))
    for seed in range(6):
        for bots in (("random", "random"), ("captain", "random"), ("captain", "captain")):
            for step in play(seed, bots, options, LONG):
                assert longest(step) <= bound


def adjudicated(position: Any, files: dict[str, Written], edition: str = "print") -> Any:
    """Setup, events and state after one step under the longest names."""
    setup = GAME.setup(LONG, {"edition": edition})
    state = GAME.state(setup, position)
    orders = {name: GAME.read(GAME.view(state, name), file) for name, file in files.items()}
    return setup, GAME.adjudicate(state, orders, Dice(b""))


def told(setup: Any, step: Any, name: str) -> Any:
    """That player's part of a report."""
    return tell(GAME.view(step.state, name), step.events, GAME.voids)


STANDING = {"retreat": "always", "support": "never", "discard": list(NAMES)}


def test_the_fullest_turn_stays_below_the_bound() -> None:
    """Ten cards pay for ten attacks that all win, and every line that is left is void, far down."""
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
    voids = ["flip A4"] * (MOST_LINES - 1 - len(lines))
    text = "\n".join([*lines, *[""] * 100, *voids, "end"])
    files = {LONG[0]: Written(text, {"standing": STANDING})}
    setup, step = adjudicated(position, files, "2021-09-12")
    assert sum(event.kind == "sunk" for event in step.events) == 10
    report = told(setup, step, LONG[0])
    assert len(report["void"].split()) == len(voids)
    assert report["void"].startswith("111")
    assert 1_900 < size(report) <= GAME.report_bound(setup)


def test_the_fullest_defence_stays_below_the_bound() -> None:
    """Standing orders give up card after card in one step, and the turn's end brings the draw."""
    cards = [name for name in NAMES if name != "speed-boat"]
    position = {
        "turn": LONG[0],
        "board": [f"B2 {LONG[0]} up flag-ship", f"C2 {LONG[1]} down speed-boat"],
        LONG[0]: {"hand": cards},
        LONG[1]: {"hand": cards, "standing": STANDING},
    }
    way = ["B2", "C2", "D2", "D3", "D4", "E4", "E3", "E2", "E1", "D1", "C1", "B1"]
    lines = [
        f"move {start} {to} discard {card} push {free}"
        for start, to, free, card in zip(way, way[1:], way[2:], cards, strict=False)
    ]
    setup, step = adjudicated(position, {LONG[0]: Written("\n".join([*lines, "end"]))})
    report = told(setup, step, LONG[1])
    assert sum(event["kind"] == "discarded" for _, event in report["events"]) == 10
    assert report["events"][-1][1]["kind"] == "drew"
    assert size(report) <= GAME.report_bound(setup)


def test_a_full_board_stays_below_the_bound() -> None:
    """Every cell holds a ship that is known, an attack waits, an offer stands."""
    cells = [f"{column}{row}" for row in range(1, 5) for column in "ABCDE"]
    ships = [(name, owner) for owner in LONG for name in NAMES][:20]
    board = [f"{cell} {owner} up {name}" for cell, (name, owner) in zip(cells, ships, strict=True)]
    position = {
        "turn": LONG[0],
        "board": board,
        "idle": 9_999,
        "offers": [LONG[1]],
        LONG[0]: {"shuffles": 9_999, "standing": STANDING},
        LONG[1]: {"shuffles": 9_999, "sunk": list(NAMES[9:])},
        "attack": {"from": "A3", "to": "B3", "asks": "retreat", "player": LONG[1]}
        | {"supports": cells[:10]},
    }
    setup = GAME.setup(LONG, {})
    view = GAME.view(GAME.state(setup, position), LONG[0])
    assert 1_500 < size(tell(view, (), GAME.voids)) <= GAME.report_bound(setup)


def test_hostile_files_stay_below_the_bound(play: Any) -> None:
    """In the middle of games: as many lines as are taken, all void, and missed answers."""
    tried = 0
    games = [play(seed, ("captain", "captain"), None, LONG) for seed in range(6)]
    for step in itertools.chain(*games):
        for name in step.written:
            view = GAME.view(step.before, name)
            choices = GAME.after(view, ()).choices
            for first in [each.text for each in choices if each.label.startswith("attack")][:5]:
                rows = [first, *["support E4 discard frigate"] * (MOST_LINES - 1)]
                file = Written("\n\n".join(rows), {"standing": STANDING})
                came = GAME.adjudicate(step.before, {name: GAME.read(view, file)}, step.dice)
                while came.state.attack is not None:
                    came = GAME.adjudicate(came.state, {}, step.dice)
                tried += sum(event.kind == "void" for event in came.events)
                for reader in LONG:
                    bound = GAME.report_bound(step.setup)
                    assert size(told(step.setup, came, reader)) <= bound
    assert tried > MOST_LINES


# Order files.


def rendered(player: str, file: Written) -> int:
    """The bytes of an order file in its one rendering, written out by hand."""
    rows = "".join(f"    {json.dumps(row)},\n" for row in file.orders.split("\n"))
    table = file.tables["standing"]
    pairs = "".join(f"{key} = {json.dumps(value)}\n" for key, value in table.items())
    digest = "0" * 64
    head = f'salt = "{digest}"\ngame = "{digest}"\nstep = 9999999\nplayer = "{player}"\n'
    return len(f"{head}orders = [\n{rows}]\n[standing]\n{pairs}")


def test_what_is_taken_fits_into_an_order_file() -> None:
    """The longest file that is taken, standing orders and all, is just as long as the bound."""
    setup = GAME.setup(LONG, {})
    view = GAME.view(GAME.state(setup, {"turn": LONG[0]}), LONG[0])
    spread = [name.replace("-", " " * (25 - len(name))) for name in NAMES]
    table = {**STANDING, "discard": [name.ljust(24) for name in spread]}
    room = MOST_BYTES - len("end") - 8 - len("#") - 8 - len("\\")
    rows = ["end", "#" + '"' * (room // 2) + "\\"]
    file = Written("\n".join(rows), {"standing": table})
    assert GAME.read(view, file).lines == tuple(rows)
    assert GAME.order_bound(setup) - 8 <= rendered(LONG[0], file) <= GAME.order_bound(setup)
    for more in ("#", '"'):
        with pytest.raises(Malformed, match="at most 2048 bytes"):
            GAME.read(view, Written("\n".join([*rows, more * 2]), {"standing": table}))


if __name__ == "__main__":
    VECTORS.write_text(json.dumps(vectors(), indent=1) + "\n", encoding="utf-8")
