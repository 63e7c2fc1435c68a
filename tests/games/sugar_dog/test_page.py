"""The players' page shows what the program really says.

`PYTHONPATH=tests python tests/games/sugar_dog/test_page.py` draws its picture anew.
"""

from __future__ import annotations

import re
from pathlib import Path

import example

import games
from games.cases import read
from games.sugar_dog import GAME

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "games" / "sugar_dog" / "LEARN.md"
PICTURE = ROOT / "docs" / "pictures" / "sugar-dog.svg"
EXAMPLE = read(games.own_cases(GAME) / "SD-5a.toml").data
LATER = {
    "turn": "alice",
    "n": 27,
    "contacts": {"alice": "D6", "bob": "F1", "carol": "H7"},
    "alice": {"sub": "A8"},
    "bob": {"sub": "D1", "mines": ["C3", "C1"], "left": 1, "torpedoes": ["D5 N", "F1 E"]},
    "carol": {"sub": "G6"},
}


def picture():
    """What Bob knows in a game of three that is under way."""
    state = GAME.state(GAME.setup(["alice", "bob", "carol"], {}), LATER)
    return GAME.svg(GAME.view(state, "bob"))


def test_every_block_of_the_page_is_what_the_program_says():
    """Orders, both players' news, and maps of the published example, in its order."""
    shown = []
    for written, came in example.played(GAME, EXAMPLE):
        shown += [f"{text}\n" for text in written.values()]
        for name in EXAMPLE["players"]:
            heard = [event.whole() for event in came.events if event.heard_by(name)]
            shown.append("".join(f"{GAME.news(event)}\n" for event in heard))
        shown += [GAME.draw(GAME.view(came.state, name)) for name in EXAMPLE["players"]]
    page = PAGE.read_text("utf-8")
    blocks = re.findall(r"^```\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 8
    places = iter(shown)
    assert all(block in places for block in blocks)


def test_the_picture_is_drawn_by_the_program():
    """And the page shows it."""
    assert PICTURE.read_text("utf-8") == picture()
    assert f"](../../docs/pictures/{PICTURE.name})" in PAGE.read_text("utf-8")


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
