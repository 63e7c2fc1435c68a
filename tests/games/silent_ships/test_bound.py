"""The sizes of sealed files suffice for every report and order file of Silent Ships.

`report_bound` is made of literal pieces of JSON at their longest. A report tells one player of one
step, and every ship is one card, so it is counted once:

- In the view each of the 22 ships has its name once: in a pile, or on the board, which has 20
  cells, or nowhere. A ship on the board also takes a cell, an owner and a face.
- Each of the player's own 11 cards leaves the hand at most once a step, played or discarded. A
  player who plays cards does not draw in that step, and one who draws does so last. `discarded` is
  shorter than `played`, but a draw is longer than the difference for 11 of them. The setup, in
  which a player draws twice and does nothing else, tells less.
- A void line is a line of the player's own file, which has at most `MOST_LINES`.
- A card that was discarded does not lie on the board. It tells more than one that lies there, and
  more than one that is played and lies there after a line that is not void. So the longest report
  is that of eleven cards discarded one by one, with nothing but the eleven enemy ships on the
  board.
"""

from __future__ import annotations

import itertools
from typing import Any

import pytest
import reported

from games.dice import Dice
from games.game import Written
from games.silent_ships import GAME
from games.silent_ships.bot import stood
from games.silent_ships.cards import EDITIONS, NAMES
from games.silent_ships.events import VOID
from games.silent_ships.orders import MOST_BYTES, MOST_LINES
from games.silent_ships.state import Standing

LONG = ("a" * 32, "b" * 32)

SHIPS = len(NAMES)
MOST_DRAW = 4
MOST_SUPPORTS = 10
"""The most supports in one attack: each takes a card and a ship, and two of the 22 ships fight."""

_NAMES = sum(map(len, NAMES))
_DRAWN = sorted(map(len, NAMES))[-MOST_DRAW:]
_LISTED = len('"",')
"""The bytes of a name in a list, apart from its letters."""


def report_bound(players: tuple[str, ...]) -> int:
    """The most bytes of a report of any step of a game of these players."""
    name = max(map(len, players))
    reason = max(map(len, VOID))
    voids = MOST_LINES * (len('[999,{"kind":"void","line":9999,"reason":""}],') + reason)
    return reported.around(players) + len("[]") + _events(name) + _view(name) + voids


def _events(name: int) -> int:
    """All cards discarded one by one, and a draw. `name`: the length of the longer name."""
    discarded = len('[999,{"cards":[""],"kind":"discarded","player":""}],') + name
    drew = len('[999,{"cards":[],"kind":"drew","player":""}],') + name
    return SHIPS * discarded + _NAMES + drew + sum(_DRAWN) + MOST_DRAW * _LISTED


def _view(name: int) -> int:
    """A view with a waiting attack and an offer. Numbers that grow with the game have 7 digits."""
    own = len(
        '"":{"deck":11,"discards":[],"hand":[],"shuffles":9999999,"standing":'
        '{"discard":[],"retreat":"always","support":"never"},"sunk":[]},'
    )
    theirs = len('"":{"deck":11,"discards":11,"hand":11,"shuffles":9999999,"sunk":[]},')
    attack = len(
        '"attack":{"asks":"retreat","from":"A1","no_support":false,"number":32,"player":"",'
        '"supports":[],"to":"A2"},'
    ) + MOST_SUPPORTS * len('"A1",')
    rest = len('{"active":false,"board":[],"idle":9999999,"offers":[""],"turn":""}')
    standing = _NAMES + SHIPS * _LISTED
    ships = 2 * (_NAMES + SHIPS * _LISTED) + SHIPS * (len("A1  down ") + name)
    return own + theirs + attack + rest + 5 * name + standing + ships


def longest(step: Any) -> int:
    """The bytes of the longer report of a step."""
    views = (GAME.view(step.state, name) for name in step.setup.players)
    return max(len(reported.written(view, step.events)) for view in views)


def test_the_sizes_suffice() -> None:
    """With the longest names; no option makes a report or an order file longer."""
    order, report = reported.room_for(GAME, 2)
    assert report_bound(LONG) <= report
    assert reported.order_file_bound(MOST_BYTES) <= order


# Reports.


@pytest.mark.parametrize("edition", EDITIONS)
def test_long_games_stay_below_the_bound(play: Any, edition: str) -> None:
    """Random games and games between captains, under the longest names."""
    options = {"edition": edition, "stalemate": 0}
    bound = report_bound(LONG)
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
    return reported.told(GAME.view(step.state, name), step.events)


def size(setup: Any, step: Any, name: str) -> int:
    """The bytes of that player's report."""
    return len(reported.written(GAME.view(step.state, name), step.events))


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
    files = {LONG[0]: Written("\n".join([text, *stood(Standing(**STANDING))]))}
    setup, step = adjudicated(position, files, "2021-09-12")
    assert sum(event.kind == "sunk" for event in step.events) == 10
    told_void = [
        event["line"]
        for _, event in told(setup, step, LONG[0])["events"]
        if event["kind"] == "void"
    ]
    assert len(told_void) == len(voids)
    assert told_void[0] == 111
    assert 3_000 < size(setup, step, LONG[0]) <= report_bound(LONG)


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
    assert size(setup, step, LONG[1]) <= report_bound(LONG)


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
    assert 1_500 < len(reported.written(view, ())) <= report_bound(LONG)


def test_hostile_files_stay_below_the_bound(play: Any) -> None:
    """In the middle of games: as many lines as are taken, all void, and missed answers."""
    tried = 0
    games = [play(seed, ("captain", "captain"), None, LONG) for seed in range(6)]
    for step in itertools.chain(*games):
        for name in step.written:
            view = GAME.view(step.before, name)
            choices = GAME.after(view, ()).choices
            for first in [each.text for each in choices if each.verb == "attack"][:5]:
                rows = [first, *["support E4 discard frigate"] * (MOST_LINES - 1)]
                file = Written("\n\n".join([*rows, *stood(Standing(**STANDING))]))
                came = GAME.adjudicate(step.before, {name: GAME.read(view, file)}, step.dice)
                while came.state.attack is not None:
                    came = GAME.adjudicate(came.state, {}, step.dice)
                tried += sum(event.kind == "void" for event in came.events)
                for reader in LONG:
                    assert size(step.setup, came, reader) <= report_bound(LONG)
    assert tried > MOST_LINES
