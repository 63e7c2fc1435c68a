"""The order words, row by row: what each offers, and why it is refused."""

from __future__ import annotations

import pytest

from games.grid import Cell
from games.lines import read_lines
from games.sugar_dog import GAME
from games.sugar_dog.actions import ACTIONS, Cruise, Mine, Silent, Start
from games.sugar_dog.view import see


@pytest.fixture
def corner(at):
    """What Alice sees in the lower left corner."""
    return see(at(turn="alice", alice={"sub": "A1", "left": 1}, bob={"sub": "F6"}).state, "alice")


def offered(sight, name):
    """What may stand after a word now."""
    return [rest for rest, _ in ACTIONS[name].offers(sight)]


def test_what_each_word_offers(corner):
    """North first, then east, south, west; nothing off the map."""
    assert offered(corner, "silent") == ["", "A2", "B1"]
    assert offered(corner, "cruise") == [
        "A2", "A2 A3", "A2 B2", "A2 A1", "B1", "B1 B2", "B1 C1", "B1 A1",
    ]  # fmt: skip
    assert offered(corner, "fire") == ["N", "E", "S", "W"]
    assert offered(corner, "mine") == [""]
    assert offered(corner, "start") == [str(cell) for cell in corner.board.cells()]


def test_with_no_mine_left_none_is_offered(at):
    """None may be laid either."""
    state = at(turn="alice", alice={"sub": "A1", "left": 0}, bob={"sub": "F6"}).state
    sight = see(state, "alice")
    assert offered(sight, "mine") == []
    assert ACTIONS["mine"].fault(sight, Mine()) == "expected another command: no mine is left"


@pytest.mark.parametrize(
    ("name", "order", "fault"),
    [
        ("silent", Silent(), None),
        ("silent", Silent(Cell(1, 2)), None),
        ("silent", Silent(Cell(1, 1)), "next to A1, not diagonally, in place of A1"),
        ("silent", Silent(Cell(2, 2)), "next to A1, not diagonally, in place of B2"),
        ("cruise", Cruise((Cell(1, 2), Cell(1, 1))), None),
        ("cruise", Cruise((Cell(1, 2), Cell(1, 4))), "next to A2, not diagonally, in place of A4"),
        ("cruise", Cruise((Cell(1, 2), Cell(7, 2))), "a cell of the map, A1 to F6"),
        ("start", Start(Cell(6, 6)), None),
        ("start", Start(Cell(6, 7)), "a cell of the map, A1 to F6"),
        ("mine", Mine(), None),
    ],
)
def test_why_an_order_is_refused(corner, name, order, fault):
    """SD-6: as what was expected, in words that say nothing hidden."""
    said = ACTIONS[name].fault(corner, order)
    assert said == (fault if fault is None else f"expected {fault}" if "next" not in fault else
                    f"expected a cell {fault}")  # fmt: skip


def test_what_is_offered_is_never_refused(corner):
    """Every line of every word is read by one of its forms."""
    for name, word in ACTIONS.items():
        for rest in offered(corner, name):
            (line,) = read_lines(f"{name} {rest}")
            assert len(line.words) - 1 in [len(form.split()) for form in word.forms]


def test_who_has_no_submarine_is_not_asked(at):
    """To ask for the lines of somebody who is sunk, or of everybody, is the caller's mistake."""
    state = at(turn="alice", alice={"sub": "A1"}, bob={"sub": "F6"}, carol={"sunk": True}).state
    for player in ("carol", None):
        with pytest.raises(ValueError, match="no submarine to order"):
            offered(see(state, player), "silent")


def test_habits_are_no_words():
    """What people write for a word is never a word itself."""
    assert not {habit for word in ACTIONS.values() for habit in word.habits} & set(ACTIONS)
    assert GAME.id == "sugar-dog"
