"""What a player is shown: the map as text and as SVG, and every event as a sentence."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from games.submarine_warfare import GAME

MAP = """\
  +---+---+---+---+---+---+---+
7 | # | # | # | # | # | # | V#|
  +---+---+---+---+---+---+---+
6 | # |   |   |   |   |   | # |
  +---+---+---+---+---+---+---+
5 | # |   | 1 | 2 | 1 |   | # |
  +---+---+---+---+---+---+---+
4 | # |   | 2 | A | 2 |   | # |
  +---+---+---+---+---+---+---+
3 | # |   | 1 | 2 | 1 |   | # |
  +---+---+---+---+---+---+---+
2 | *#|   | b |   |   |   | # |
  +---+---+---+---+---+---+---+
1 | # | # | # | # | # | # | # |
  +---+---+---+---+---+---+---+
    A   B   C   D   E   F   G
A surfaced, a submerged, * own mine, 1 2 4 points a turn (twice if surfaced)
# destroyed: 1 HP a turn

round 11, alice to move, 5 AP
a D4 5 HP surfaced  torpedo
b C2 3 HP submerged heal
c destroyed, mine
alice: 7 points
bob: 25 points or more: v G7, w
bob offers a draw
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
    MAP.replace("*#", "# ")
    .replace("| b |", "|   |")
    .replace(", a submerged, * own mine", "")
    .partition("\n\n")[0]
    + """

round 11, alice to move
alice: a D4, b
bob: 25 points or more: v G7, w
bob offers a draw
"""
)


def test_the_public_map_shows_what_both_see(at):
    """SW-20: surfaced submarines of both, what is destroyed, letters, and who offers a draw."""
    view = GAME.view(at(HERE), None)
    assert GAME.draw(view) == PUBLIC_MAP
    root = ET.fromstring(GAME.svg(view))  # noqa: S314 (made here)
    space = "{http://www.w3.org/2000/svg}"
    discs = [node.findtext(f"{space}title") for node in root.iter(f"{space}g")]
    assert discs == ["alice's a", "bob's v"]
    assert [node.get("id") for node in root.iter(f"{space}g")] == ["sub-a", "sub-v"]
    assert root.findtext(f"{space}title") == "Submarine Warfare, round 11, alice to move"


def test_maps_are_plain_and_narrow(play):
    """ASCII, 78 columns at most, no blank at a line's end, in every position of a game and in the
    setup; a name may be long."""
    names = ("a" * 32, "b" * 32)
    for step in play(3, ("captain", "random"), {}, names):
        for state in (step.before, step.state):
            for name in (*names, None):
                text = GAME.draw(GAME.view(state, name))
                assert text.isascii()
                assert text.endswith("\n")
                lines = text.split("\n")
                assert all(len(line) <= 78 and line == line.rstrip() for line in lines)


def test_the_svg_is_one_document_with_a_disc_for_each_thing_seen(at, play):
    """Two of one's own, a mine, one enemy; nothing of what is hidden."""
    text = GAME.svg(GAME.view(at(HERE), "alice"))
    root = ET.fromstring(text)  # noqa: S314 (made here)
    space = "{http://www.w3.org/2000/svg}"
    discs = [node.findtext(f"{space}title") for node in root.iter(f"{space}g")]
    assert sorted(discs) == [
        "alice's a: 5 HP, surfaced, torpedo",
        "alice's b: 3 HP, submerged, heal",
        "alice's mine",
        "bob's v",
    ]
    placed = {node.get("id"): node.get("data-cell") for node in root.iter(f"{space}g")}
    assert placed == {"sub-a": "D4", "sub-b": "C2", "mine-A2": "A2", "sub-v": "G7"}
    written = [node.text for node in root.iter(f"{space}text")]
    assert written[-len(LINES) :] == LINES
    assert GAME.svg(GAME.view(at(HERE), "alice")) == text
    for step in play(4):
        for name in ("alice", "bob"):
            ET.fromstring(GAME.svg(GAME.view(step.before, name)))  # noqa: S314
            ET.fromstring(GAME.svg(GAME.view(step.state, name)))  # noqa: S314
