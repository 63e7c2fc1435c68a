"""What a player is shown: the map as text and as SVG, and every event as a sentence."""

from __future__ import annotations

import pictures

from games.game import Deductions
from games.grid import Cell
from games.submarine_warfare import GAME
from games.submarine_warfare.deduced import Foe, Mind

MAP = """\
7 #   #   #   #   #   #   V #
6 #   .   .   .   .   .   #
5 #   .   1   2   1   .   #
4 #   .   2   A   2   .   #
3 #   .   1   2   1   .   #
2 * # .   b   .   .   .   #
1 #   #   #   #   #   #   #
  A   B   C   D   E   F   G
A surfaced   a submerged   * mine   1 2 4 points a turn, twice if surfaced
# destroyed: 1 HP a turn

Round 11: alice to move, 5 AP, 1 of 4 rings destroyed.
alice: 7 points of 50, home row 1.
A D4: 5 HP, surfaced, torpedo.
b C2: 3 HP, submerged, heal.
sunk: c (mine).
mines (*): A2.
bob: 25 points or more, V G7, w, offers a draw.
"""
LINES = MAP.partition("\n\n")[2].splitlines()
HERE = {
    "turn": "alice",
    "round": 11,
    "alice": {
        "points": 7,
        "subs": ["a D4 5 up torpedo", "b C2 3 down heal"],
        "mines": ["A2"],
        "sunk": ["c mine"],
    },
    "bob": {
        "points": 30,
        "subs": ["v G7 4 up armor", "w C6 5 down mine"],
        "mines": ["B5"],
        "draw": True,
    },
}


def test_the_map_is_drawn_from_the_view(at):
    """Own submarines by letter, capital where surfaced, own mines, what scores, what is destroyed,
    enemies that are seen, and below what the map has no room for."""
    assert GAME.draw(GAME.view(at(HERE), "alice")) == MAP


PUBLIC_MAP = (
    MAP.replace("* #", "#  ")
    .replace(" b ", " . ")
    .replace("   a submerged   * mine", "")
    .partition("\n# destroyed")[0]
    + """   # destroyed: 1 HP a turn

Round 11: alice to move, 1 of 4 rings destroyed.
alice: A D4, b.
bob: 25 points or more, V G7, w, offers a draw.
"""
)


def test_the_public_map_shows_what_both_see(at):
    """SW-20: surfaced submarines of both, what is destroyed, letters, and who offers a draw."""
    view = GAME.view(at(HERE), None)
    assert GAME.draw(view) == PUBLIC_MAP
    svg = GAME.svg(view)
    assert [(piece.title, piece.id) for piece in pictures.pieces(svg)] == [
        ("alice's a", "sub-a"), ("bob's v", "sub-v"),
    ]  # fmt: skip
    title = pictures.read(svg).findtext(f"{pictures.SPACE}title")
    assert title == "Submarine Warfare: what everybody knows"


def test_the_svg_is_one_document_with_a_piece_for_each_thing_seen(at, play):
    """Two of one's own, a mine, one enemy; nothing of what is hidden."""
    text = GAME.svg(GAME.view(at(HERE), "alice"))
    assert {(piece.cell, piece.id, piece.title) for piece in pictures.pieces(text)} == {
        ("D4", "sub-a", "alice's a: 5 HP, surfaced, torpedo"),
        ("C2", "sub-b", "alice's b: 3 HP, submerged, heal"),
        ("A2", "mine-A2", "alice's mine"),
        ("G7", "sub-v", "bob's v"),
    }
    said = " ".join(pictures.written(text))
    assert all(line in said for line in LINES)
    assert GAME.svg(GAME.view(at(HERE), "alice")) == text
    for step in play(4):
        for name in ("alice", "bob"):
            pictures.read(GAME.svg(GAME.view(step.before, name)))
            pictures.read(GAME.svg(GAME.view(step.state, name)))


def test_each_enemy_has_its_few_words(at):
    """Its cell, or where it was seen last, and its HP if it was hit; they do not run together."""
    view = GAME.view(at(HERE), "alice")
    for last, said in (((1, 2), " (1 to 2 HP)"), ((2, 2), " (2 HP)"), ((1, 5), "")):
        foes = {"v": Foe(hp=(3, 3), up=True), "w": Foe(hp=last, seen=(Cell(5, 4), 4))}
        notes = GAME.brief(view, Deductions(memory=Mind(foes))).notes
        assert f", V G7 (3 HP), w was in E4 in round 4{said}, offers a draw" in notes[-2]


def test_after_the_reveal_the_sea_as_it_was_is_drawn(at):
    """Both sides, what is submerged too, and what is nullified, which its player does not see."""
    hidden = {**HERE, "bob": {**HERE["bob"], "nullified": ["armor"]}}
    drawn = GAME.draw_whole(at(hidden))
    for said in (
        "w C6: 5 HP, submerged, mine",
        "mines (*): B5",
        "nullified: armor",
        "alice: 7 points",
    ):
        assert said in drawn
    assert "nullified" not in GAME.draw(GAME.view(at(hidden), "bob"))
    ids = {piece.id for piece in pictures.pieces(GAME.svg_whole(at(hidden)))}
    assert ids == {"sub-a", "sub-b", "mine-A2", "sub-v", "sub-w", "mine-B5"}
    start = GAME.start(at(HERE).setup)
    assert "home row 7" in GAME.draw_whole(start)
    assert "what everybody knows" in GAME.svg(GAME.view(start, None))
