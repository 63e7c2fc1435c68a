"""The position as values: seats, places, prompts, and the small changes to a board."""

from __future__ import annotations

from typing import Any

import pytest

from games.game import Prompt
from games.grid import Cell, read_cell
from games.silent_ships import GAME
from games.silent_ships import state as states
from games.silent_ships.state import BOARD, Attack, Over, Ship

SETUP = GAME.setup(("alice", "bob"), {})
SECOND = GAME.setup(("alice", "bob"), {"first": "bob"})


def at(text: str) -> Cell:
    """The cell of that name."""
    cell = read_cell(text)
    assert cell is not None
    return cell


def board(*lines: str) -> Any:
    """The board of a position with these ships."""
    return GAME.state(SETUP, {"turn": "alice", "board": list(lines)}).board


FLEET = ("B1 alice up frigate", "A2 bob down submarine", "B2 alice down fire-ship")


def test_who_goes_first_has_the_upper_country() -> None:
    """SS-1: left and right are each player's own."""
    assert states.turn_order(SETUP) == ("alice", "bob")
    assert states.turn_order(SECOND) == ("bob", "alice")
    assert [str(states.country(SETUP, name)) for name in ("alice", "bob")] == ["C4", "C1"]
    assert [str(states.country(SECOND, name)) for name in ("alice", "bob")] == ["C1", "C4"]
    for setup in (SETUP, SECOND):
        for name in setup.players:
            found = states.places(setup, name)
            assert found["on"] == states.country(setup, name)
            assert {cell.distance(found["on"]) for cell in found.values()} == {0, 1}
            assert all(cell.on(BOARD) for cell in found.values())
    assert states.other(SETUP, "alice") == "bob"


@pytest.mark.parametrize(
    ("turn", "attack", "over", "asked"),
    [
        (None, None, None, ["alice setup", "bob setup"]),
        ("bob", None, None, ["bob turn"]),
        ("bob", Attack(at("A2"), at("B2"), "retreat", "alice"), None, ["alice retreat A2 B2"]),
        ("bob", Attack(at("A2"), at("B2"), "push", "bob", number=2), None, ["bob push A2 B2 2"]),
        (None, None, Over("alice", "country"), []),
    ],
)
def test_who_is_awaited_follows_from_what_is_public(
    turn: Any, attack: Any, over: Any, asked: list[str]
) -> None:
    """SS-12: further attacks of one file are numbered."""
    found = states.prompts(SETUP, turn, attack, over)
    assert found == tuple(Prompt(*line.split(" ", 1)) for line in asked)


def test_cards_are_given_up_one_by_one() -> None:
    """A name that is there twice goes once; one that is not there is the caller's mistake."""
    assert states.without(("a", "b", "a"), ("a",)) == ("b", "a")
    assert states.without(("a",), ()) == ("a",)
    with pytest.raises(ValueError, match="not in list"):
        states.without(("a",), ("a", "a"))


def test_abilities_count_for_ships_that_lie_face_up() -> None:
    """SS-16: face down, every ship is one that moves and reaches one cell."""
    cards = states.cards_of(SETUP)
    up, down = (Ship(at("A1"), "alice", face, "speed-boat") for face in (True, False))
    assert states.able(cards, up, "sprints") == 3
    assert states.able(cards, down, "sprints") == 1
    assert states.able(cards, up, "heavy") == 1


def test_where_a_target_may_be_sent() -> None:
    """SS-6: free cells next to it, by rows; not where the attacker stands."""
    assert [str(cell) for cell in states.retreats(board(*FLEET), at("A2"))] == ["A1", "A3"]
    assert states.retreats(board(*FLEET), at("B2")) == (at("C2"), at("B3"))


def test_who_may_support() -> None:
    """SS-7, SS-16: own ships within reach that are not engaged, by rows."""
    fleet = board(*FLEET, "C2 alice up missile-boat", "A3 bob up frigate")
    attack = Attack(at("B2"), at("A2"))
    cards = states.cards_of(SETUP)
    assert states.supporters(fleet, cards, attack, "alice") == (at("C2"),)
    assert states.supporters(fleet, cards, attack, "bob") == (at("A3"),)
    declared = Attack(at("B2"), at("A2"), supports=(at("C2"),))
    assert states.supporters(fleet, cards, declared, "alice") == ()
    down = board(*FLEET, "C2 alice down missile-boat")
    assert states.supporters(down, cards, attack, "alice") == ()


def test_no_attack_is_a_mistake_of_the_caller() -> None:
    """The one that waits, or none."""
    attack = Attack(at("A1"), at("A2"))
    assert states.under_way(attack) is attack
    with pytest.raises(ValueError, match="no attack"):
        states.under_way(None)
