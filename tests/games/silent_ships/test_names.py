"""Names made whole, and cells and ships that a line may name."""

from __future__ import annotations

from typing import Any

import pytest

from games.grid import Cell
from games.silent_ships import GAME
from games.silent_ships.events import VOID
from games.silent_ships.lines import LineFault
from games.silent_ships.names import distinct, hand_cards, listed, on_board, own_ship, whole_name
from games.silent_ships.view import Sight, see

HAND = ("fire-ship", "frigate", "speed-boat", "special-operations-craft", "submarine")


@pytest.fixture
def sight() -> Sight:
    """What Alice sees."""
    position: dict[str, Any] = {
        "turn": "alice",
        "board": ["C3 alice down submarine", "C2 bob down speed-boat"],
        "alice": {"hand": list(HAND)},
    }
    return see(GAME.state(GAME.setup(("alice", "bob"), {}), position), "alice")


@pytest.mark.parametrize(
    ("word", "name"), [("frigate", "frigate"), ("fr", "frigate"), ("su", "submarine")]
)
def test_a_beginning_that_fits_one_is_that_one(word: str, name: str) -> None:
    """A card that is there twice is one name."""
    assert whole_name(word, (*HAND, "frigate"), "not-in-hand", "in your hand") == name


@pytest.mark.parametrize(
    ("word", "reason", "said", "hint"),
    [
        ("f", "ambiguous", "'f' fits fire-ship and frigate", ""),
        ("spe", "ambiguous", "'spe' fits special-operations-craft and speed-boat", ""),
        ("frigaet", "not-in-hand", "no 'frigaet' is in your hand", "did you mean 'frigate'?"),
        ("galleon", "not-in-hand", "no 'galleon' is in your hand", ""),
    ],
)
def test_a_name_that_is_none_of_them(word: str, reason: str, said: str, hint: str) -> None:
    """Quoted; what is suggested is one of those that were asked for, and nothing else."""
    with pytest.raises(LineFault) as caught:
        whole_name(word, HAND, "not-in-hand", "in your hand")
    assert (caught.value.reason, caught.value.hint) == (reason, hint)
    assert said in caught.value.expected
    assert caught.value.malformed == (reason == "ambiguous")
    assert reason in VOID


def test_a_whole_name_is_never_ambiguous() -> None:
    """Even if another name begins with it."""
    assert whole_name("fire", ("fire", "fire-ship"), "not-in-hand", "there") == "fire"


def test_cards_of_the_hand_are_given_up_once(sight: Sight) -> None:
    """By any beginning; two words for one card are one card too many."""
    assert hand_cards(sight, ("fr", "submarine")) == ("frigate", "submarine")
    assert hand_cards(sight, ()) == ()
    with pytest.raises(LineFault) as caught:
        hand_cards(sight, ("fr", "frigate"))
    assert "'frigate' is in your hand once, and is given up twice" in caught.value.expected
    with pytest.raises(LineFault):
        distinct(("a", "b", "a"))
    distinct(("a", "b"))


def test_ships_that_a_line_may_name(sight: Sight) -> None:
    """One's own, on the board; an enemy's is refused as an empty cell is."""
    assert own_ship(sight, Cell(3, 3)).name == "submarine"
    faults = {}
    for cell in (Cell(3, 2), Cell(1, 1), Cell(6, 1), Cell(1, 5)):
        with pytest.raises(LineFault) as caught:
            own_ship(sight, cell)
        faults[str(cell)] = (caught.value.reason, caught.value.expected)
    assert faults["C2"] == ("no-ship", "no ship of yours is in C2")
    assert faults["A1"] == ("no-ship", "no ship of yours is in A1")
    assert faults["F1"] == ("off-board", "F1 is not on the board, which goes from A1 to E4")
    assert faults["A5"][0] == "off-board"
    assert on_board(Cell(5, 4)) == Cell(5, 4)


def test_cells_in_a_sentence() -> None:
    """In the order given; an empty list says that there are none."""
    assert listed((Cell(2, 1), Cell(1, 1))) == "B1, A1"
    assert listed(()) == "none"
