"""The board as text and SVG, and events as sentences."""

from __future__ import annotations

from typing import Any

import pictures

from games.silent_ships import GAME

SETUP = GAME.setup(("alice", "bob"), {})
BOARD = """\
1 .              .              +(Frigate 7) C .              .
2 -(?) i         .              .              .              .
3 .              .              .              .              -Missile 5 i
4 .              .              your country   +(Sub 6)       .
  E              D              C              B              A
+ yours   - theirs   ( ) face down   i island   C alice's country, C4
C bob's country, C1

your hand: speed-boat
your discards: none
your sunk: none
their sunk: flag-ship
your deck: 1
their hand: 2, discards: 0, deck: 0
turn: alice
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


def test_a_ship_has_an_id_exactly_where_its_name_is_seen(play: Any, bots: Any) -> None:
    """So a page can follow it; a ship that nobody knows has its cell alone."""
    for step in play(6, bots):
        for player in (*step.setup.players, None):
            view = GAME.view(step.state, player)
            drawn = {piece.cell: piece.id for piece in pictures.pieces(GAME.svg(view))}
            expected = {}
            for line in view.shown.get("board", ()):
                cell, owner, _, *name = line.split()
                expected[cell] = f"{owner}-{name[0]}" if name else None
            assert drawn == expected


def test_two_ships_of_one_name_have_one_id() -> None:
    """A position made by hand may hold them; ids of a document are unique all the same."""
    position = {"turn": "alice", "board": ["A1 alice up frigate", "B1 alice up frigate"]}
    drawn = GAME.svg(GAME.view(GAME.state(SETUP, position), "bob"))
    assert drawn.count('id="alice-frigate"') == 1


def test_a_picture_alone_is_enough_to_play_from() -> None:
    """Piles, standing orders, offers and who is awaited stand below the board, for a page too."""
    position = {
        "turn": "alice",
        "board": ["A1 alice up frigate", "A2 bob up frigate", "B2 bob up fire-ship"],
        "alice": {
            "hand": ["frigate"],
            "standing": {"support": "all", "discard": ["submarine"]},
            "shuffles": 2,
        },
        "bob": {"sunk": ["flag-ship"]},
        "offers": ["bob"],
        "idle": 7,
        "attack": {
            "from": "A1", "to": "A2", "asks": "support", "player": "bob", "supports": ["B2"],
            "number": 2,
        },
    }  # fmt: skip
    view = GAME.view(GAME.state(SETUP, position), "alice")
    for text in (GAME.draw(view), " ".join(pictures.written(GAME.svg(view)))):
        said = " ".join(text.split())
        for note in (
            "your hand: frigate",
            "their sunk: flag-ship",
            "your deck: 0, shuffles: 2",
            "standing orders: retreat ask, support all, to give up first: submarine",
            "attack: A1 on A2, number 2 of this turn; support: B2",
            "idle turns 7 of 20",
            "bob offers to end the game",
            "awaited: bob (support A1 A2 2)",
        ):
            assert note in said


def test_the_public_board_names_both_players() -> None:
    """Whose ships are whose, whose country is where, and how many cards each has."""
    position = {"turn": "bob", "board": ["A1 alice up frigate"], "bob": {"hand": ["submarine"]}}
    drawn = GAME.draw(GAME.view(GAME.state(SETUP, position), None))
    assert "+ alice   - bob   ( ) face down" in drawn
    assert "C alice's country, C4\nC bob's country, C1\n" in drawn
    assert "bob's hand: 1, discards: 0, deck: 0\n" in drawn
    assert "submarine" not in drawn


def test_after_the_reveal_the_sea_as_it_was_is_drawn() -> None:
    """Every ship by its name, and both players' piles with the deck in its order."""
    position = {
        "turn": "alice",
        "board": ["A3 bob down missile-boat", "D4 alice down speed-boat"],
        "alice": {"hand": ["frigate"], "deck": ["patrol-ship", "fire-ship"]},
        "bob": {"hand": ["salvage-ship"], "standing": {"retreat": "never"}},
    }
    state = GAME.state(SETUP, position)
    drawn = GAME.draw_whole(state)
    for said in (
        "-(Missile 5) i",
        "+(Speed 4)",
        "alice's deck from the top: patrol-ship, fire-ship",
        "bob's hand: salvage-ship",
        "bob's standing orders: retreat never, support ask",
    ):
        assert said in drawn
    assert [piece.id for piece in pictures.pieces(GAME.svg_whole(state))] == [
        "bob-missile-boat", "alice-speed-boat",
    ]  # fmt: skip
    assert "has not begun" in GAME.draw_whole(GAME.start(SETUP))
