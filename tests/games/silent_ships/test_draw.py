"""The board as text and SVG, and events as sentences."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import Any

from games.silent_ships import GAME

SETUP = GAME.setup(("alice", "bob"), {})
BOARD = """\
  +------------+------------+------------+------------+------------+
4 |            |   +(Sub)   |     C      |            |            |
  +------------+------------+------------+------------+------------+
3 | i -Missile |            |            |            |            |
  +------------+------------+------------+------------+------------+
2 |            |            |            |            |   i -(?)   |
  +------------+------------+------------+------------+------------+
1 |            |            |C +(Frigate)|            |            |
  +------------+------------+------------+------------+------------+
         A            B            C            D            E
C country (yours C4)   i island   + yours   - theirs   ( ) face down

  your hand: speed-boat
  your discards: none
  your sunk: none
  their sunk: flag-ship
  your deck: 1
  their hand: 2   deck: 0   discards: 0
  bob offers to end the game
  awaited: alice (turn)
"""


def test_the_board_can_be_read_in_a_mail() -> None:
    """Own and enemy ships, face, countries, islands, piles."""
    position = {
        "turn": "alice",
        "board": [
            "B4 alice down submarine",
            "A3 bob up missile-boat",
            "E2 bob down fire-ship",
            "C1 alice down frigate",
        ],
        "alice": {"hand": ["speed-boat"], "deck": ["patrol-ship"]},
        "bob": {"hand": ["salvage-ship", "frigate"], "sunk": ["flag-ship"]},
        "offers": ["bob"],
    }
    drawn = GAME.draw(GAME.view(GAME.state(SETUP, position), "alice"))
    assert [line.rstrip() for line in drawn.splitlines()] == BOARD.splitlines()


def test_pictures_are_narrow_ascii_and_well_formed(play: Any, bots: Any) -> None:
    """Every position of a game, setup and end included."""
    for seed in range(3):
        for step in play(seed, bots):
            for state in (step.before, step.state):
                view = GAME.view(state, "bob")
                drawn = GAME.draw(view)
                assert drawn.isascii()
                assert max(map(len, drawn.splitlines())) <= 78
                picture = ET.fromstring(GAME.svg(view))  # noqa: S314 (written just now)
                assert picture.tag.endswith("svg")


SPACE = "{http://www.w3.org/2000/svg}"


def test_a_ship_has_an_id_exactly_where_its_name_is_seen(play: Any, bots: Any) -> None:
    """So a page can follow it; a ship that nobody knows has its cell alone."""
    for step in play(6, bots):
        for player in (*step.setup.players, None):
            view = GAME.view(step.state, player)
            pieces = {
                piece.get("data-cell"): piece.get("id")
                for piece in ET.fromstring(GAME.svg(view)).iter(f"{SPACE}g")  # noqa: S314
            }
            expected = {}
            for line in view.shown.get("board", ()):
                cell, owner, _, *name = line.split()
                expected[cell] = f"{owner}-{name[0]}" if name else None
            assert pieces == expected


def test_two_ships_of_one_name_have_one_id() -> None:
    """A position made by hand may hold them; ids of a document are unique all the same."""
    position = {"turn": "alice", "board": ["A1 alice up frigate", "B1 alice up frigate"]}
    drawn = GAME.svg(GAME.view(GAME.state(SETUP, position), "bob"))
    assert drawn.count('id="alice-frigate"') == 1


def test_a_picture_alone_is_enough_to_play_from() -> None:
    """Piles, standing orders, offers and who is awaited stand below the board, for a page too."""
    position = {
        "turn": "alice",
        "alice": {"hand": ["frigate"], "standing": {"support": "all", "discard": ["submarine"]}},
        "bob": {"sunk": ["flag-ship"]},
        "offers": ["bob"],
        "idle": 7,
    }
    view = GAME.view(GAME.state(SETUP, position), "alice")
    for text in (GAME.draw(view), GAME.svg(view)):
        for said in (
            "your hand: frigate",
            "their sunk: flag-ship",
            "your standing orders: retreat ask, support all",
            "to give up first: submarine",
            "turns in a row without play: 7",
            "bob offers to end the game",
            "awaited: alice (turn)",
        ):
            assert said in text


def test_the_public_board_names_both_players() -> None:
    """Whose ships are whose, whose country is where, and how many cards each has."""
    position = {"turn": "bob", "board": ["A1 alice up frigate"], "bob": {"hand": ["submarine"]}}
    drawn = GAME.draw(GAME.view(GAME.state(SETUP, position), None))
    assert "+ alice, country C4\n- bob, country C1\n" in drawn
    assert "bob's hand: 1   deck: 0   discards: 0\n" in drawn
    assert "submarine" not in drawn


def test_piles_keep_to_78_columns() -> None:
    """However long the names in a pile, its lines fit a mail; once a comma stood in column 79."""
    from itertools import permutations

    from games.silent_ships.cards import NAMES
    from games.silent_ships.draw import _wrapped

    for some in permutations(NAMES, 4):
        rest = tuple(name for name in NAMES if name not in some)
        assert all(len(line) <= 78 for line in _wrapped("your discards", some + rest))
