"""The position as values: seats, places, prompts, and the small changes to a board."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from games.game import Prompt
from games.grid import Cell, read_cell
from games.silent_ships import GAME
from games.silent_ships import state as states
from games.silent_ships.state import BOARD, Attack, Over, Ship, Side

SETUP = GAME.setup(("alice", "bob"), {})
SECOND = GAME.setup(("alice", "bob"), {"first": "bob"})


def at(text: str) -> Cell:
    """The cell of that name."""
    cell = read_cell(text)
    assert cell is not None
    return cell


def ship(line: str) -> Ship:
    """A ship as the notation writes it: cell, owner, face, name."""
    cell, owner, face, name = line.split()
    return Ship(at(cell), owner, face == "up", name)


FLEET = tuple(
    map(ship, ("B1 alice up frigate", "A2 bob down submarine", "B2 alice down fire-ship"))
)


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


def test_a_board_is_kept_by_rows() -> None:
    """Whatever is placed, moved or removed; the board that it was made from stays."""
    before = tuple(FLEET)
    board = states.placed(FLEET, ship("A1 bob down speed-boat"))
    assert [str(one.at) for one in board] == ["A1", "B1", "A2", "B2"]
    board = states.placed(FLEET, ship("A2 alice up frigate"))
    assert [one.owner for one in board] == ["alice", "alice", "alice"]
    board = states.moved(FLEET, at("B2"), at("C1"))
    assert [str(one.at) for one in board] == ["B1", "C1", "A2"]
    assert states.removed(FLEET, at("A2")) == (FLEET[0], FLEET[2])
    assert states.removed(FLEET, at("E4")) == states.moved(FLEET, at("E4"), at("D4")) == FLEET
    up = states.turned_up(FLEET, at("B2"))
    assert [one.up for one in up] == [True, False, True]
    assert states.ship_at(FLEET, at("A2")) == FLEET[1]
    assert states.ship_at(FLEET, at("E4")) is None
    assert before == FLEET


def test_cards_are_given_up_one_by_one() -> None:
    """A name that is there twice goes once; one that is not there is the caller's mistake."""
    assert states.without(("a", "b", "a"), ("a",)) == ("b", "a")
    assert states.without(("a",), ()) == ("a",)
    with pytest.raises(ValueError, match="not in list"):
        states.without(("a",), ("a", "a"))


def test_abilities_count_for_ships_that_lie_face_up() -> None:
    """SS-16: face down, every ship is one that moves and reaches one cell."""
    cards = states.cards_of(SETUP)
    fast = ship("A1 alice up speed-boat")
    assert states.able(cards, fast, "sprints") == 3
    assert states.able(cards, replace(fast, up=False), "sprints") == 1
    assert states.able(cards, fast, "heavy") == 1


def test_where_a_target_may_be_sent() -> None:
    """SS-6: free cells next to it, by rows; not where the attacker stands."""
    assert [str(cell) for cell in states.retreats(FLEET, at("A2"))] == ["A1", "A3"]
    assert states.retreats(FLEET, at("B2")) == (at("C2"), at("B3"))


def test_who_may_support() -> None:
    """SS-7, SS-16: own ships within reach that are not engaged, by rows."""
    fleet = (*FLEET, ship("C2 alice up missile-boat"), ship("A3 bob up frigate"))
    attack = Attack(at("B2"), at("A2"))
    cards = states.cards_of(SETUP)
    assert states.supporters(fleet, cards, attack, "alice") == (at("C2"),)
    assert states.supporters(fleet, cards, attack, "bob") == (at("A3"),)
    declared = replace(attack, supports=(at("C2"),))
    assert states.supporters(fleet, cards, declared, "alice") == ()
    down = tuple(replace(one, up=False) for one in fleet)
    assert states.supporters(down, cards, attack, "alice") == ()


def test_sides_are_by_seat() -> None:
    """Whoever goes first."""
    for setup in (SETUP, SECOND):
        state = states.State(setup)
        changed = state.with_side("bob", Side(hand=("frigate",)))
        assert changed.sides == (Side(), Side(hand=("frigate",)))
        assert changed.side("bob").hand == ("frigate",)
        assert state.side("bob").hand == ()
        assert not state.begun
        assert replace(state, turn="bob").begun


def test_no_attack_is_a_mistake_of_the_caller() -> None:
    """The one that waits, or none."""
    attack = Attack(at("A1"), at("A2"))
    assert states.under_way(attack) is attack
    with pytest.raises(ValueError, match="no attack"):
        states.under_way(None)
