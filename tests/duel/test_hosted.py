"""What the two sides of a duel hear is what a host would have told them, before each own order.

`tests/bench/duels.py` plays ten thousand games of each edition in the same way.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from duel.hosted import (
    BOTS,
    EDITIONS,
    SUGAR_BOTS,
    SUGAR_OPTIONS,
    Script,
    cell,
    dense,
    placed,
    silent,
    sugar,
)

from games.game import Bot, Player
from games.sugar_dog.state import Fleet, Torpedo
from orders.doors import Doors

PAIRS = len(BOTS) ** 2


@pytest.mark.parametrize("edition", EDITIONS, ids=str)
def test_reports_are_a_hosts(edition: Mapping[str, Any]) -> None:
    """Events, views, the public view and prompts of both seats, in a few games of each edition."""
    for number in range(0, PAIRS, 3):
        played = silent(number, edition)
        assert played.compared >= 2 * (len(played.hosted.states) - 1) > 0


@pytest.mark.slow
@pytest.mark.parametrize("edition", EDITIONS, ids=str)
def test_reports_are_a_hosts_in_many_games(edition: Mapping[str, Any]) -> None:
    """The same between all bots, every other time with the other side as the one that offers."""
    for number in range(PAIRS):
        assert silent(number + number % 2 * PAIRS, edition).compared


@pytest.mark.parametrize("options", SUGAR_OPTIONS, ids=str)
def test_reports_of_sugar_dog_are_a_hosts(options: Mapping[str, Any]) -> None:
    """The same in Sugar Dog."""
    for number in range(0, len(SUGAR_BOTS) ** 2, 6):
        assert sugar(number, options).compared


DENSE: tuple[dict[str, Any], ...] = ({}, {"quiet": 3})


@pytest.mark.parametrize("options", DENSE, ids=str)
def test_crowded_positions_are_a_hosts(options: Mapping[str, Any]) -> None:
    """With many torpedoes and mines, also several in one cell: what bots hardly reach."""
    for number in range(20):
        assert dense(number, options).compared


@pytest.mark.slow
@pytest.mark.parametrize("options", DENSE, ids=str)
def test_many_crowded_positions_are_a_hosts(options: Mapping[str, Any]) -> None:
    """The same in hundreds."""
    for number in range(150):
        assert dense(number, options).compared


def fleet(sub: str, mines: str = "", *torpedoes: str) -> Fleet:
    """A fleet with these objects; a torpedo is a cell and a heading."""
    flying = (one.split(" ") for one in torpedoes)
    laid = map(cell, mines.split())
    return Fleet(cell(sub), tuple(laid), 0, tuple(Torpedo(cell(at), to) for at, to in flying))  # type: ignore[arg-type]


POSITIONS: Mapping[str, tuple[Fleet, Fleet, str, dict[str, Any]]] = {
    # What a line that is told whole would get wrong, because an answer changes what follows.
    "crossing torpedoes": (fleet("F6", "", "A3 E", "C1 N"), fleet("F1", "B3"), "silent", {}),
    "an echo after a stop": (fleet("F6", "", "A3 E"), fleet("F1", "B3"), "ping", {}),
    "one's own submarine on the way": (fleet("C3", "", "A3 E"), fleet("F1", "B3"), "silent", {}),
    "a cruise to where it would be": (
        fleet("C2", "", "A3 E"),
        fleet("F1", "B3"),
        "cruise C3 C4",
        {},
    ),
    "the last quiet turn": (fleet("F6", "", "A3 E"), fleet("F1", "B3"), "silent", {"quiet": 1}),
    # Ends that only one of the two knows.
    "a cruise into a mine": (fleet("A3", "", "F1 N"), fleet("F6", "B3"), "cruise B3 C3", {}),
    "both submarines": (fleet("A3"), fleet("B3"), "cruise B3 C3", {}),
    "both, by one's own torpedo": (fleet("B3", "", "A3 E"), fleet("B3"), "silent", {}),
    "the other's alone": (fleet("A6", "", "A3 E"), fleet("C3", "C3"), "silent", {}),
    "back to where it came from": (fleet("A3", "A3"), fleet("F6"), "cruise B3 A3", {}),
    "off the map after one cell": (fleet("A3", "", "E3 E"), fleet("F6", "F3"), "fire W", {}),
    "three in one cell": (fleet("A1", "B3 B3", "A3 E", "B3 N"), fleet("F6", "B3"), "mine", {}),
}


@pytest.mark.parametrize("name", POSITIONS)
def test_hard_positions_are_a_hosts(name: str) -> None:
    """Each once from either side of the sea."""
    one, other, order, options = POSITIONS[name]
    if order == "mine":
        one = one._replace(left=1)
    for seed in ("even", "odd"):
        bots: dict[Player, Bot] = {"alice": Script(order), "bob": Script("ping")}
        duel = placed({"alice": one, "bob": other}, bots, options, f"{name} {seed}")
        assert duel.compared >= 2


def test_doors_change_nothing() -> None:
    """With doors that hide, and with doors that do not, a side hears the same."""
    plain, real = sugar(21, {}), sugar(21, {}, Doors)
    assert [len(said.facts) for _, said in plain.moves] == [
        len(said.facts) for _, said in real.moves
    ]
    assert plain.compared == real.compared > 5


@pytest.mark.slow
@pytest.mark.parametrize("options", SUGAR_OPTIONS, ids=str)
def test_reports_of_sugar_dog_are_a_hosts_in_many_games(options: Mapping[str, Any]) -> None:
    """The same between all bots, every other time with the other side as the one that offers."""
    pairs = len(SUGAR_BOTS) ** 2
    for number in range(pairs):
        assert sugar(number + number % 2 * pairs, options).compared


def test_a_turn_takes_few_moves() -> None:
    """Between captains: the ball crosses at most 2.8 times a turn, first and last move included."""
    games = [silent(number * PAIRS, {}) for number in range(6)]
    assert sum(len(one.moves) for one in games) <= 2.8 * sum(one.turns for one in games)


def test_a_turn_of_sugar_dog_takes_few_moves() -> None:
    """Between captains at most 1.4, beside the two of the setup."""
    games = [sugar(number, {}) for number in (0, 16, 32)]
    assert sum(len(one.moves) - 2 for one in games) <= 1.4 * sum(one.turns for one in games)
