"""The sizes of sealed files suffice for every report and order file of Submarine Warfare.

`report_bound` counts what one step can tell one player at most, in bytes of canonical JSON, by the
game's table of specials. Why the counts hold:

- Public events are not in a report, so only private ones count. The player whose turn it was hears
  most of these: the other one is told of hits, of the places of destroyed submarines, and of
  repairs, which are all counted here too.
- A submarine that collides or enters a mine surfaces first, so what follows is public.
- Every line except `surface`, which tells nothing private, costs AP, and the lines of a turn may
  not spend more than it has (SW-6). All other lines that count may be void.
- A sonar tells at most five finds, and each use of it costs AP.
- A submarine is in `subs` or in `sunk`, and is destroyed once; at the end of the turn it is hit by
  a ring once, or repaired once.
"""

from __future__ import annotations

import pytest
import reported
from reported import json_bytes

from games.dice import Dice
from games.game import Event, Malformed, Setup, Written
from games.grid import Cell
from games.submarine_warfare import GAME
from games.submarine_warfare import events as tell
from games.submarine_warfare.orders import MOST_BYTES, MOST_LINES, REASONS
from games.submarine_warfare.state import AP, BOARD, ENOUGH, HP, LETTERS, RINGS, SCORES
from games.submarine_warfare.table import MOST_MORE, Special, specials

LONG = ("a" * 32, "b" * 32)
CHEAP = "".join(
    f'[{name}]\nmechanism = "{kind}"\nap = {ap}\n{numbers}source = "house"\n'
    for name, kind, ap, numbers in (
        ("charge", "depth-charge", 1, "damage = 1\n"),
        ("other-charge", "depth-charge", 1, "damage = 2\n"),
        ("ear", "sonar", 1, "range = 12\n"),
        ("other-ear", "sonar", 1, "range = 12\n"),
        ("pile", "reactor", 0, "more = 2\n"),
        ("abcdefghijklmnopqrst", "nullify", 1, ""),
    )
)
"""A table in which every use costs 1 AP, and a turn has seven."""

_A1 = Cell(1, 1)
_SUBS = len(LETTERS[0])
_MINES = len(BOARD.cells()) - len(SCORES)
"""SW-18: the most mines: they lie only in cells that do not score, at most one in each."""
_PLACE = 999
"""More public events than a step has."""
_ROUNDS = 10**7
"""No game has more steps (docs/formats/entries.md), so no game has more rounds."""


def _told(event: Event) -> int:
    """A private event in a report, with its place and a comma."""
    return _item([_PLACE, event.plain()])


def _item(value: object) -> int:
    """An item of a list, with a comma."""
    return json_bytes(value) + len(",")


_HIT = _told(tell.hit("n", "a", HP))
_HEALED = _told(tell.healed("n", "a", HP))
_FOUND = _told(tell.found("n", "v", _A1))
_GONE = _told(tell.destroyed_at("n", "a", _A1))
"""The bytes of one event: a hit, a repair, a find, the place of a destroyed submarine."""


def report_bound(setup: Setup) -> int:
    """The most bytes of a report of any step of that game."""
    view = json_bytes(_view(setup)) + _SUBS * (_own_sub() + _enemy_sub()) + _held(setup)
    lines = MOST_LINES * _void() + most_ap(setup) * _per_ap(setup)
    whole = reported.around(setup.players) + len("[]")
    return whole + view + lines + _told(tell.scored("n", *_points()))


def most_ap(setup: Setup) -> int:
    """SW-4, SW-18: the AP of a turn in which every reactor of the table works."""
    return AP + sum(special.numbers.get("more", 0) for special in specials(setup).values())


def _view(setup: Setup) -> dict[str, object]:
    """A player's view without submarines: that of the longer name, the widest numbers, all
    mines."""
    longest, other = sorted(setup.players, key=len, reverse=True)
    mines = [str(_A1)] * _MINES
    return {
        "turn": longest,
        "round": setup.options["rounds"] or _ROUNDS,
        "rings": RINGS,
        "reached": [longest, other],
        "ap": most_ap(setup),
        longest: {
            "row": BOARD.rows, "points": _points()[1], "subs": [], "mines": mines, "sunk": [],
            "draw": False,
        },
        other: {"subs": [], "draw": True},
    }  # fmt: skip


def _points() -> tuple[int, int]:
    """SW-13, SW-15: the most points of one turn, and the most in all: a player with 50 at the end
    of a turn has won."""
    best = sorted(SCORES.values(), reverse=True)[:_SUBS]
    return 2 * sum(best), ENOUGH - 1 + 2 * sum(best)


def _own_sub() -> int:
    """The bytes of one's own submarine without its special: in the view, at the end of the turn,
    destroyed."""
    end = max(_HIT, _HEALED)
    afloat = _item(f"a {_A1} {HP} down ") + end
    return max(afloat, _item("a ") + end + _GONE)


def _enemy_sub() -> int:
    """The bytes of an enemy submarine: in the view, or destroyed at a place that is not public."""
    return max(_item(f"v {_A1}"), _GONE)


def _held(setup: Setup) -> int:
    """SW-3: the letters in the five longest names of specials; a player's five are all
    different."""
    return sum(sorted(map(len, specials(setup)), reverse=True)[:_SUBS])


def _void() -> int:
    """A void line, by the last number that a file has room for and the longest reason."""
    return _told(tell.void("n", MOST_BYTES, max(REASONS, key=len)))


def _per_ap(setup: Setup) -> int:
    """The most bytes for one AP, rounded up, by which a line with AP tells more than a void one."""
    table = specials(setup)
    rows = [(_told(tell.moved("n", "a", _A1)), 1), (_told(tell.replace("n", "a")), 2)]
    rows += [(_used(setup, special), special.ap) for special in table.values() if special.ap]
    return max(-(-(most - _void()) // ap) for most, ap in rows)


def _used(setup: Setup, special: Special) -> int:
    """The most bytes that one use of that special tells to its player alone."""
    match special.mechanism:
        case "torpedo":
            return _told(tell.torpedo("n", "a", _A1, "N")) + _HIT
        case "mine":
            return _told(tell.mine("n", "a", _A1)) + _told(tell.not_placed("n", _A1))
        case "heal":
            heal = _told(tell.heal("n", "a", "b"))
            return max(heal, _told(tell.heal_target("n", "a", "b"))) + _HEALED
        case "sonar":
            return _told(tell.sonar("n", "a")) + _SUBS * _FOUND
        case "nullify":
            return _told(tell.nullify("n", "a", max(specials(setup), key=len)))
        case "depth-charge":
            return _told(tell.depth_charge("n", "a", _A1)) + 4 * _HIT
    raise LookupError(special.mechanism)


@pytest.mark.parametrize("table", [None, CHEAP])
@pytest.mark.parametrize("rounds", [0, 10_000])
def test_the_sizes_suffice(table, rounds):
    """With the longest names, without a last round, and with the costliest table of one's own."""
    setup = GAME.setup(LONG, {"rounds": rounds}, table.encode() if table else None)
    order, report = reported.room_for(GAME, 2)
    assert report_bound(setup) <= report
    assert reported.order_file_bound(MOST_BYTES) <= order


def test_no_table_of_specials_can_tell_more():
    """Sonars for 1 AP, all AP that reactors can give, and the longest names that specials have."""
    table = CHEAP
    for number, name in enumerate(("other-charge", "other-ear", "charge", "ear", "pile")):
        table = table.replace(f"[{name}]", f"[{'x' * 19}{number}]")
    setup = GAME.setup(LONG, {"rounds": 0}, table.encode())
    assert most_ap(setup) == AP + MOST_MORE
    costs = {kind.mechanism: _used(setup, kind) for kind in specials(setup).values() if kind.ap}
    assert max(costs, key=costs.__getitem__) == "sonar"
    assert _per_ap(setup) == costs["sonar"] - _void()
    assert _held(setup) == 5 * 20
    assert report_bound(setup) <= reported.room_for(GAME, 2)[1]


@pytest.mark.parametrize("table", [None, CHEAP])
def test_no_report_of_a_long_game_is_longer_than_the_bound(play, table):
    """With names of 32 characters, games without a last round, random play and captains."""
    setup = GAME.setup(LONG, {"rounds": 0}, table.encode() if table else None)
    bound = report_bound(setup)
    for seed in range(12):
        bots = (("random", "random"), ("captain", "random"), ("captain", "captain"))[seed % 3]
        for step in play(seed, bots, {"rounds": 0}, LONG, table):
            for name in LONG:
                assert len(step.report(name)) < bound


def reports(alice, bob, text, table=None, **position):
    """The sizes of both reports of Alice's turn with these lines, and their bound."""
    names = ("alice", "carol")
    setup = GAME.setup(names, {"rounds": 0}, table)
    position = {"turn": "alice", "round": 40, "first": "carol", **position}
    state = GAME.state(setup, {**position, "alice": alice, "carol": bob})
    orders = {"alice": GAME.read(GAME.view(state, "alice"), Written(text))}
    step = GAME.adjudicate(state, orders, Dice(b""))
    views = [GAME.view(step.state, name) for name in names]
    return [len(reported.written(view, step.events)) for view in views], report_bound(setup)


def test_the_fullest_turns_are_not_longer():
    """A sonar with six AP that finds five each time, all mines laid, everybody on destroyed cells;
    charges with seven AP on one's own; a full row pushed along."""
    mines = [f"{column}{row}" for row in (1, 2, 6, 7) for column in "ABCDEFG"]
    mines = [cell for cell in mines if cell not in ("D2", "C2", "E2", "F2", "B2", "G1", "G7", "A7")]
    subs = ["a D2 5 down sonar", "b C2 5 down reactor", "c E2 5 down depth-charge"]
    subs += ["d F2 5 down battering-ram", "e B2 5 down torpedo"]
    foes = ["v D3 5 up heal", "w D4 5 down mine", "x C3 5 up armor", "y E3 5 up nullify"]
    ours = {"subs": subs, "mines": mines, "points": 49}
    found, bound = reports(ours, {"subs": [*foes, "z D1 5 down repair"]}, "a sonar\n" * 6)
    assert bound // 2 < max(found) < bound

    subs = ["a B2 5 down charge", "b B1 5 down pile", "c A2 5 down ear", "d C2 5 down other-ear"]
    foes = ["v G7 5 down ear", "w G6 5 down charge", "x F6 1 down pile", "z G5 5 down other-ear"]
    text = "a charge\n" * 4 + "c ear\nd other-ear\na charge"
    table = CHEAP.encode()
    charged, bound = reports({"subs": subs}, {"subs": foes}, text, table)
    assert bound // 4 < max(charged) < bound

    subs = ["a A4 5 down armor", "b C4 5 down heal", "c E4 5 down battering-ram"]
    subs += ["d G4 5 down torpedo", "e A1 5 down reactor"]
    foes = ["v B4 5 down armor", "w D4 5 down battering-ram", "x F4 5 down heal"]
    lines = "\n".join(["a move E", "b move N", *["a surface"] * (MOST_LINES - 2)])
    pushed, bound = reports({"subs": subs, "draw": True}, {"subs": foes}, lines)
    assert bound // 4 < max(pushed) < bound


def test_void_lines_are_told_with_the_largest_numbers():
    """As many lines as count, all but the first void, after as many blank ones as a file holds."""
    subs = ["a A4 5 down armor", "b G1 5 down reactor"]
    foes = ["v B4 5 down armor", "w C4 5 down heal"]
    blank = "\n" * 1_700
    text = "a move E" + blank + "\n".join(["a surface"] * (MOST_LINES - 1))
    state = GAME.state(
        GAME.setup(("alice", "carol"), {}),
        {"turn": "alice", "alice": {"subs": subs}, "carol": {"subs": foes}},
    )
    with pytest.raises(Malformed, match="at most 1800 characters"):
        GAME.read(GAME.view(state, "alice"), Written(text))
    text = text.replace("\n" * 1_700, "\n" * 1_400)
    orders = {"alice": GAME.read(GAME.view(state, "alice"), Written(text))}
    step = GAME.adjudicate(state, orders, Dice(b""))
    view = GAME.view(step.state, "alice")
    voids = [event for _, event in reported.told(view, step.events)["events"]][-MOST_LINES:]
    assert [event["line"] for event in voids if event["kind"] == "void"] == [
        1_401 + number for number in range(MOST_LINES - 1)
    ]
    assert len(reported.written(view, step.events)) < report_bound(state.setup)
