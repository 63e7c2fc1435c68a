"""Order files: what is understood, what is refused, and how that is said."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from example import refusal

from games.game import Illegal, Malformed, OrderError, Written
from games.grid import Cell
from games.sugar_dog import GAME
from games.sugar_dog.orders import Cruise, Fire, Mine, Ping, Resign, Silent, Start, read_file

REFUSALS: Mapping[type[OrderError], Any] = {
    Malformed: [
        ("", None, "", "expected an order: silent, cruise, ping", ""),
        ("\n# none\n", None, "", "expected an order: silent, cruise, ping", ""),
        ("\ndraw", 2, "draw", "expected another order with it: silent", ""),
        ("silnet", 1, "silnet", "'silnet' is no order", "did you mean 'silent'?"),
        ("move A5", 1, "move A5", "'move' is no order", "perhaps 'silent' or 'silent CELL' or"),
        ("shoot n", 1, "shoot n", "'shoot' is no order", "perhaps 'fire N', 'fire E', "),
        ("cruise", 1, "cruise", "expected 'cruise CELL' or 'cruise CELL CELL'", ""),
        ("silent 5A", 1, "silent 5A", "expected a cell in place of '5a'", "for example C4"),
        ("fire north", 1, "fire north", "expected a heading in place of", "perhaps 'fire N'"),
        ("ping\nfire Q", 2, "fire Q", "expected a heading in place of 'q'", ""),
        ("ping\n\nmine", 3, "mine", "expected one order a turn: this is the second", ""),
        ("> ping", 1, "> ping", "'>' is no order", "take away the > with which a mail quotes"),
        ("draw\nping\ndraw", 3, "draw", "expected 'draw' once at most", ""),
        ("silent \u0410\u0031", 1, "silent \u0410\u0031", "expected plain ASCII", ""),
        ("ping\x00", 1, "ping\x00", "'ping\\x00' is no order", "did you mean 'ping'?"),
        ("x" * 500, 1, "x" * 80, "'xxxxxxxxxxxxxxxxxxxx' is no order. Orders: silent", ""),
    ],
    Illegal: [
        ("silent A7", 1, "silent A7", "A7 is not on the map (A1 to F6)",
         "legal now: silent, silent B6"),
        ("silent B5", 1, "silent B5", "expected a cell next to A6, not diagonally",
         "legal now: silent, "),
        ("\ncruise A5 C5", 2, "cruise A5 C5", "expected a cell next to A5",
         "legal now: cruise B6, "),
        ("mine", 1, "mine", "expected another command: no mine is left", ""),
        ("start A1", 1, "start A1", "expected a command: the setup is over", ""),
        ("resign\ndraw", 2, "draw", "expected no 'draw' together with 'resign'", ""),
    ],
}  # fmt: skip
"""By kind: the file, the line at fault, what is quoted, how what was expected begins, the hint."""


@pytest.mark.parametrize(
    ("kind", "row"), [(kind, row) for kind, rows in REFUSALS.items() for row in rows]
)
def test_a_refusal_says_where_what_and_a_way_on(table, kind, row):
    """Line number, what stood there, what was expected, and the legal lines of that command."""
    text, line, quoted, expected, hint = row
    error = refusal(GAME, GAME.view(table.state, "alice"), text)
    assert (type(error), error.line, error.text) == (kind, line, quoted)
    assert error.expected.startswith(expected)
    assert error.hint.startswith(hint)


def test_lines_are_counted_from_one_with_blank_ones(table):
    """The line of the command is kept, for a `void` that may come of it."""
    text = "\n\n  CRUISE a5\tB5  # comment\r\n"
    orders = GAME.read(GAME.view(table.state, "alice"), Written(text))
    assert isinstance(orders.command, Cruise)
    assert [str(cell) for cell in orders.command.path] == ["A5", "B5"]
    assert orders.line == 3
    assert not orders.draw


def test_what_is_understood():
    """Each form of each word, in any case, wherever the `draw` stands."""
    understood = {
        "start C4": Start(Cell(3, 4)),
        "silent": Silent(),
        "SILENT b2": Silent(Cell(2, 2)),
        "cruise A1": Cruise((Cell(1, 1),)),
        "cruise a1 AA10": Cruise((Cell(1, 1), Cell(27, 10))),
        "ping": Ping(),
        "fire w": Fire("W"),
        "mine": Mine(),
        "resign": Resign(),
    }
    for text, order in understood.items():
        assert [repr(read.order) for read in read_file(Written(text))] == [repr(order)]
        both = read_file(Written(f"draw\n{text}"))
        assert [repr(read.order) for read in both] == ["Draw()", repr(order)]
        assert [read.line.number for read in both] == [1, 2]
        last = read_file(Written(f"{text}\n\ndraw"))
        assert [repr(read.order) for read in last] == [repr(order), "Draw()"]


def test_who_is_not_awaited_is_told_why(at, table):
    """Another's turn, sunk, or over: three reasons, all public."""
    refused = refusal(GAME, GAME.view(table.state, "bob"), "silent")
    assert refused.expected == "it is alice's turn, not yours"
    three = at(turn="alice", alice={"sub": "A1"}, bob={"sub": "A2"}, carol={"sunk": True})
    assert "sunk" in refusal(GAME, GAME.view(three.state, "carol"), "silent").expected
    over = at(alice={"sub": "A1"}, bob={"sunk": True})
    assert "over" in refusal(GAME, GAME.view(over.state, "alice"), "silent").expected


def test_a_choice_warns_of_ones_own(at):
    """What lies first in the way, after torpedoes in flight have run; beyond it nothing is met. Who
    creeps meets nothing."""
    own = {"sub": "C3", "mines": ["C4", "C5", "E3"], "torpedoes": ["A2 E"]}
    seen = GAME.view(at(turn="alice", alice=own, bob={"sub": "C2"}).state, "alice")
    warns = {one.text: one.warns for one in GAME.after(seen, ()).choices if one.warns}
    assert warns == {
        "cruise C4": "Your own mine lies in C4: it would sink you.",
        "cruise C4 C5": "Your own mine lies in C4: it would sink you.",
        "cruise C4 B4": "Your own mine lies in C4: it would sink you.",
        "cruise C4 D4": "Your own mine lies in C4: it would sink you.",
        "cruise C4 C3": "Your own mine lies in C4: it would sink you.",
        "cruise C2": "Your own torpedo is in C2 by then: it would sink you.",
        "cruise C2 C1": "Your own torpedo is in C2 by then: it would sink you.",
        "cruise C2 B2": "Your own torpedo is in C2 by then: it would sink you.",
        "cruise C2 D2": "Your own torpedo is in C2 by then: it would sink you.",
        "cruise C2 C3": "Your own torpedo is in C2 by then: it would sink you.",
        "cruise D3 E3": "Your own mine lies in E3: it would sink you.",
        "fire N": "Your own mine lies in C4: your shot would destroy it.",
        "fire E": "Your own mine lies in E3: your shot would destroy it.",
        "fire S": "Your own torpedo is in C2 by then: your shot would destroy it.",
    }
