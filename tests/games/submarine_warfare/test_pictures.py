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


def test_every_event_is_a_sentence(play):
    """In plain ASCII, as reports and as entries have it, naming the submarines that it is about."""
    kinds = set()
    for seed in range(30):
        for step in play(seed, options={"missed": "pass"}):
            for event in step.events:
                kinds.add(event.kind)
                told = [event.told_to(name) for name in ("alice", "bob") if event.heard_by(name)]
                for fields in (*told, event.public()):
                    text = GAME.news(fields)
                    assert text.isascii()
                    assert text.endswith((".", "!"))
                    for key in ("sub", "at", "mover", "struck", "target", "amount", "reason"):
                        assert str(fields.get(key, "")) in text
    assert len(kinds) >= 22


def test_the_end_is_told_with_its_reason():
    """A winner, the organiser, and a draw."""
    assert GAME.news({"kind": "over", "winner": "bob", "how": "fifty"}) == (
        "The game is over: bob wins (50 points)."
    )
    assert "host wins" in GAME.news({"kind": "over", "winner": "host", "how": "none-left"})
    assert GAME.news({"kind": "over", "draw": True, "how": "agreed"}) == (
        "The game is a draw: agreed."
    )


def test_a_destruction_out_of_sight_is_told_without_its_place():
    """SW-7: and a healing without its target."""
    assert GAME.news({"kind": "destroyed", "sub": "v"}) == "v is destroyed."
    assert GAME.news({"kind": "destroyed", "sub": "v", "at": "C4"}) == "v is destroyed in C4."
    assert GAME.news({"kind": "heal", "sub": "a"}) == "a heals a submarine out of sight."
