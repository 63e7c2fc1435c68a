"""What a seat can work out of Silent Ships: which ship lies where, and where it was seen."""

from __future__ import annotations

from typing import Any

import pytest
from example import worked_out

from games.silent_ships import GAME

SETUP = GAME.setup(("alice", "bob"), {})
ALL = [
    "flag-ship", "fire-ship", "frigate", "submarine", "ramming-ship", "missile-boat", "speed-boat",
    "patrol-ship", "salvage-ship", "special-operations-craft", "ammunition-ship",
]  # fmt: skip


def side(hand: list[str], board: list[str], sunk: tuple[str, ...] = ()) -> dict[str, Any]:
    """A player's cards: these in hand, these on the board, these sunk, all others in the deck."""
    named = [line.split()[-1] for line in board]
    gone = [*hand, *named, *sunk]
    deck = [name for name in ALL if name not in gone]
    return {"hand": hand, "deck": deck, "sunk": list(sunk), "shuffles": 1}


def position(
    turn: str, alice: list[str], bob: list[str], sunk: tuple[str, ...] = ()
) -> dict[str, Any]:
    """Ships as `C3 down frigate`; both have two cards in hand."""
    lines = [
        f"{line.split()[0]} {player} {' '.join(line.split()[1:])}"
        for player, ships in (("alice", alice), ("bob", bob))
        for line in ships
    ]
    return {
        "turn": turn,
        "board": lines,
        "alice": side(["speed-boat", "salvage-ship"], alice),
        "bob": side(["fire-ship", "missile-boat"], bob, sunk),
    }


def told(start: dict[str, Any], *turns: tuple[str, str]) -> Any:
    """What alice can work out after these turns, the position being the first that she sees."""
    return worked_out(GAME, GAME.state(SETUP, start), *({name: text} for name, text in turns))


def test_what_lies_up_or_is_sunk_is_nothing_that_lies_down() -> None:
    """SS-2: each deck has one of each."""
    found = told(
        position(
            "bob", ["C4 down flag-ship"], ["B2 up frigate", "C1 down submarine"], ("flag-ship",)
        )
    )
    names = [name for name in ALL if name not in ("frigate", "flag-ship")]
    assert list(found.may["bob's ship in C1"]) == names
    assert found.may["bob's ships out of sight"] == (names,)
    assert "bob's ship in B2" not in found.may


def test_a_ship_is_known_wherever_it_goes_once_a_patrol_ship_saw_it() -> None:
    """SS-16: the view forgets it, the player need not; the others are something else."""
    seen = position(
        "bob", ["B3 up patrol-ship", "C4 down flag-ship"], ["B2 down submarine", "E1 down frigate"]
    )
    found = told(seen, ("bob", "move B2 C2 discard fire-ship\nend"))
    assert found.may["bob's ship in C2"] == ("submarine",)
    assert "submarine" not in found.may["bob's ship in E1"]
    assert "submarine" in found.may["bob's ships out of sight"][0]
    assert "the ship in C2 was seen 1 turn ago: submarine" in found.notes


def test_a_ship_is_followed_from_where_it_was_played() -> None:
    """How long ago, in turns, and where."""
    found = told(
        position("bob", ["C4 down flag-ship"], []),
        ("bob", "play fire-ship on\nmove C1 C2 discard missile-boat\nend"),
        ("alice", "end"),
    )
    assert found.notes == ("the ship in C2 was played 2 turns ago, in C1",)
    assert (
        "the ship in C1 was played this turn, in C1"
        in told(position("bob", ["C4 down flag-ship"], []), ("bob", "play fire-ship on")).notes
    )


def test_another_in_the_cell_of_a_ship_that_was_sunk_is_not_taken_for_it() -> None:
    """SS-9: the pile shows what it was."""
    sight = GAME.view(GAME.state(SETUP, position("alice", [], ["C2 down frigate"])), "alice")
    known = GAME.deduced(sight, [{"kind": "played", "player": "bob", "at": "C2", "for": "*"}])
    assert known.notes
    sunk = {"kind": "sunk", "ship": "submarine", "owner": "bob", "at": "C2", "for": "*"}
    assert GAME.deduced(sight, [sunk], known).notes == ()


@pytest.mark.parametrize("over", [{"winner": "alice", "how": "resigned"}, None])
def test_nothing_is_left_to_be_worked_out_before_and_after_the_game(over: Any) -> None:
    """In the setup no card is drawn; at the end the reveal opens all."""
    start = position("alice", [], [])
    end = {**{key: start[key] for key in ("alice", "bob", "board")}, "over": over}
    state = GAME.state(SETUP, end) if over else GAME.start(SETUP)
    assert GAME.deduced(GAME.view(state, "alice"), []).may == {}
    assert GAME.truth(state, "alice") == {}
