"""The sea from which next lines come: what may lie where, as far as an author can know."""

from __future__ import annotations

from typing import Any

import pytest

from games.grid import Cell
from games.silent_ships import GAME
from games.silent_ships.state import BOARD, Ship
from games.silent_ships.view import see
from games.silent_ships.word import occasion, sea_of

SETUP = GAME.setup(("alice", "bob"), {})
POSITION: dict[str, Any] = {
    "turn": "alice",
    "board": ["C3 alice down submarine", "C2 bob up speed-boat", "A1 bob down frigate"],
    "alice": {"hand": ["frigate"], "sunk": ["speed-boat"]},
}


def sight(player: str | None = "alice", **changes: Any) -> Any:
    """What that player sees."""
    return see(GAME.state(SETUP, {**POSITION, **changes}), player)


def test_a_sea_is_what_a_sight_shows() -> None:
    """Own ships, enemies' cells, and the rest; each cell in one of the three, by rows."""
    sea = sea_of(sight())
    assert [ship.name for ship in sea.ships] == ["submarine"]
    assert [str(cell) for cell in sea.enemies] == ["A1", "C2"]
    everywhere = {*sea.enemies, *sea.empty, *(ship.at for ship in sea.ships)}
    assert everywhere == set(BOARD.cells())
    assert len(sea.empty) == 17
    assert sea.hand == ("frigate",)


def test_possibilities_are_added_and_none_is_taken_away() -> None:
    """A ship may also lie face up; each possibility stands once, by rows."""
    sea = sea_of(sight())
    more = sea.with_ships(Ship(Cell(1, 1), "alice", False, "frigate"))
    assert [(str(ship.at), ship.up, ship.name) for ship in more.ships] == [
        ("A1", False, "frigate"), ("A1", True, "frigate"), ("C3", False, "submarine"),
    ]  # fmt: skip
    assert more.with_ships(*more.ships[:2]) == more
    assert [str(cell) for cell in sea.with_enemies([Cell(2, 1), Cell(1, 1)]).enemies] == [
        "A1", "B1", "C2",
    ]  # fmt: skip
    assert [str(cell) for cell in sea.with_empty([Cell(3, 3)]).empty if cell.row == 3] == [
        "A3", "B3", "C3", "D3", "E3",
    ]  # fmt: skip
    assert sea.with_sunk(["flag-ship"]).sight.own.sunk == ("flag-ship", "speed-boat")
    assert sea.with_sunk(["speed-boat"]) == sea
    assert sea == sea_of(sight())


@pytest.mark.parametrize(
    ("player", "changes", "when"),
    [
        ("alice", {}, "turn"),
        ("bob", {}, "beside"),
        (None, {}, "beside"),
        ("bob", {"attack": {"from": "C3", "to": "C2", "asks": "retreat", "player": "bob"}},
         "answer"),
        ("alice", {"attack": {"from": "C3", "to": "C2", "asks": "retreat", "player": "bob"}},
         "beside"),
    ],
)  # fmt: skip
def test_what_a_file_is_written_for(player: Any, changes: Any, when: str) -> None:
    """SS-12: a turn, an answer, or beside them."""
    assert occasion(sight(player, **changes)) == when


def test_before_the_game_both_are_at_the_setup() -> None:
    """SS-3."""
    start = GAME.start(SETUP)
    assert [occasion(see(start, name)) for name in ("alice", "bob")] == ["setup", "setup"]
