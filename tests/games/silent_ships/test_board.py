"""The board as text and SVG, cards, and events as sentences."""

from __future__ import annotations

import re
from typing import Any

import pictures
import pytest
from matches import BOTS

import games
from games.dice import Dice
from games.game import Written
from games.picture import wide
from games.silent_ships import GAME, board
from games.silent_ships.cards import NAMES
from games.silent_ships.events import HOW, VOID, news

SETUP = GAME.setup(("alice", "bob"), {})
BOARD = """\
1 .              .              +(Frigate 7) C .              .
2 -(?) i         .              .              .              .
3 .              .              .              .              -Missile 5 i
4 .              .              your country   +(Sub 6)       .
  E              D              C              B              A
+ yours   - theirs   ( ) face down   i island   C alice's country, C4
C bob's country, C1

alice: hand 1: speed 4; deck 1; discards 0; sunk 0 of 7
bob: hand 2; deck 0; discards 0; sunk 1 of 7: flag; offers to end the game
idle turns 0 of 20
turn: alice
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


def test_the_strength_that_counts_is_shown() -> None:
    """SS-16: of what is sunk, and of a ship beside it that is face up; on the board, on the card of
    a page, in hand. It is what the ship fights with."""
    four = ["flag-ship", "fire-ship", "frigate", "submarine"]
    position = {
        "turn": "alice",
        "board": [
            "A2 alice up salvage-ship",
            "B2 alice up ammunition-ship",
            "B3 alice up frigate",
            "D2 alice down speed-boat",
            "A1 bob down missile-boat",
        ],
        "alice": {"hand": ["salvage-ship", "patrol-ship"]},
        "bob": {"sunk": four},
    }
    state = GAME.state(SETUP, position)
    view = GAME.view(state, "alice")
    drawn = GAME.draw(view)
    for mark in ("+Salvage 8", "+Ammo 1", "+Frigate 9", "+(Speed 4)"):
        assert mark in drawn
    assert "alice: hand 2: patrol 3, salvage 6;" in drawn
    assert "-Salvage 8" in GAME.draw(GAME.view(state, "bob"))
    (_, salvage) = GAME.hand(view)
    assert salvage.shape == board.card("salvage-ship", True, False, 6)
    orders = GAME.read(view, Written("move A2 A1 discard patrol"))
    told = [event.plain() for event in GAME.adjudicate(state, {"alice": orders}, Dice(b"")).events]
    assert [event["attack"] for event in told if event["kind"] == "battle"] == [8]


@pytest.mark.parametrize("bots", BOTS)
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
            "alice: hand 1: frigate 7; deck 0 (shuffled 2);",
            "bob: hand 0; deck 0; discards 0; sunk 1 of 7: flag; offers to end the game",
            "standing orders: retreat ask, support all; to give up first: submarine",
            "attack: A1 on A2, attack 2 of the turn; support: B2",
            "idle turns 7 of 20",
            "awaited: bob (support A1 A2 2)",
        ):
            assert note in said


def test_the_public_board_names_both_players() -> None:
    """Whose ships are whose, whose country is where, and how many cards each has."""
    position = {"turn": "bob", "board": ["A1 alice up frigate"], "bob": {"hand": ["submarine"]}}
    drawn = GAME.draw(GAME.view(GAME.state(SETUP, position), None))
    assert "+ alice   - bob   ( ) face down" in drawn
    assert "C alice's country, C4\nC bob's country, C1\n" in drawn
    assert "bob: hand 1; deck 0; discards 0; sunk 0 of 7\n" in drawn
    assert "submarine" not in drawn


@pytest.mark.parametrize(("edition", "offer", "ended", "said"), [
    ("print", "It ends, as a draw, when", "over: a draw (agreed)",
     "The game ends by agreement: it is a draw."),
    ("2021-09-17", "It ends, for who sank more, when", "over: bob has won (agreed)",
     "The game ends by agreement; bob wins on ships sunk."),
])  # fmt: skip
def test_a_dead_game_is_told_as_its_edition_ends_it(
    edition: str, offer: str, ended: str, said: str
) -> None:
    """Before it in words, and after it on the board and in its event."""
    setup = GAME.setup(("alice", "bob"), {"edition": edition})
    assert offer in board.about(setup)["offer"]
    assert board.about(setup)["idle"].endswith(f"20 end the game, {offer.split(', ')[1]}.")
    state = GAME.state(setup, {"turn": "alice", "offers": ["bob"]})
    orders = {"alice": GAME.read(GAME.view(state, "alice"), Written("offer end"))}
    step = GAME.adjudicate(state, orders, Dice(b""))
    assert ended in GAME.draw(GAME.view(step.state, "alice"))
    assert GAME.news(step.events[-1].whole()) == said


def test_a_stalemate_that_is_drawn_says_so() -> None:
    """In its event."""
    told = {"kind": "over", "draw": True, "how": "stalemate"}
    assert news(told) == "The game ends as a stalemate: it is a draw."


def test_after_the_reveal_the_sea_as_it_was_is_drawn() -> None:
    """Every ship by its name, and both players' piles with the deck in its order."""
    position = {
        "turn": "alice",
        "board": ["A3 bob down missile-boat", "D4 alice down speed-boat"],
        "alice": {"hand": ["frigate"], "deck": ["patrol-ship", "fire-ship"]},
        "bob": {"hand": ["salvage-ship"], "standing": {"retreat": "never"}},
    }
    state = GAME.state(SETUP, position)
    drawn = " ".join(GAME.draw_whole(state).split())
    for said in (
        "-(Missile 5) i",
        "+(Speed 4)",
        "alice: hand 1: frigate 7; deck 2 from the top: patrol, fire; discards 0; sunk 0 of 7",
        "bob: hand 1: salvage 2; deck 0 from the top; discards 0; sunk 0 of 7; "
        "standing orders: retreat never, support ask",
    ):
        assert said in drawn
    assert [piece.id for piece in pictures.pieces(GAME.svg_whole(state))] == [
        "bob-missile-boat", "alice-speed-boat",
    ]  # fmt: skip
    assert "has not begun" in GAME.draw_whole(GAME.start(SETUP))


def test_every_word_of_a_digest_stands_in_a_table_of_the_rules() -> None:
    """Reasons, and how a game ends; each has its sentence."""
    page = games.rules_page(GAME)
    reasons = page.partition("A void line has one reason")[2].partition("\n13. ")[0]
    for reason in VOID:
        assert f"`{reason}`" in reasons, reason
        assert VOID[reason][1] in news({"kind": "void", "line": 3, "reason": reason})
    for how in HOW:
        assert re.search(rf"^ *\| `{how}` \|", page, re.MULTILINE), how
        assert "alice" in news({"kind": "over", "winner": "alice", "how": how})


def test_every_ship_has_an_outline_and_a_short_name() -> None:
    """The names of the table, and no others."""
    assert set(board.SHORT) == set(board._OUTLINES) == set(NAMES)
    assert len(set(board.SHORT.values())) == len(NAMES)
    for name in board.SHORT.values():
        assert wide(name, 10, bold=True) <= 52


def test_a_card_tells_no_more_than_it_is_given() -> None:
    """Face down and unknown: a question mark; otherwise name and strength."""
    unknown, known = board.card("", False, True), board.card("frigate", False, False, 7)
    assert text(unknown) == ["?"]
    assert text(known) == ["7", "Frigate"]
    assert text(board.card("", True, False)) == []


def text(card: str) -> list[str]:
    """What is written on a card."""
    return pictures.written(f'<svg xmlns="http://www.w3.org/2000/svg">{card}</svg>')
