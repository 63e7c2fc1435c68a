"""The players' page shows what the program really says.

`PYTHONPATH=tests python tests/games/silent_ships/test_page.py` draws its picture anew.
"""

from __future__ import annotations

import re
from pathlib import Path

import example
import pytest

import games.silent_ships
from games.cases import read
from games.game import Illegal, Written
from games.silent_ships import GAME

FOLDER = Path(games.silent_ships.__file__).parent
ROOT = Path(__file__).parents[3]
PAGE = ROOT / "games" / "silent_ships" / "LEARN.md"
PICTURE = ROOT / "docs" / "pictures" / "silent-ships.svg"
EXAMPLE = read(FOLDER / "cases" / "SS-19e.toml").data
SETUP = GAME.setup(EXAMPLE["players"], {})


def blocks() -> list[str]:
    """The page's blocks without a language, as they stand."""
    return re.findall(r"^```\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)


def picture() -> str:
    """What alice sees when she is asked whether her ship retreats."""
    return next(
        GAME.svg(GAME.view(came.state, "alice"))
        for _, came in example.played(GAME, EXAMPLE)
        if came.state.attack is not None
    )


def test_the_published_example_is_shown_as_the_program_tells_it() -> None:
    """Orders, boards and news of the example turn, each found on the page."""
    shown: list[str] = []
    for written, came in example.played(GAME, EXAMPLE):
        shown += [text.rstrip("\n") + "\n" for text in written.values()]
        for name in SETUP.players:
            heard = [event.whole() for event in came.events if event.heard_by(name)]
            shown.append("".join(f"{GAME.news(event)}\n" for event in heard))
            drawn = GAME.draw(GAME.view(came.state, name))
            shown += [drawn, *(f"{line}\n" for line in drawn.splitlines())]
    page = blocks()
    assert sum(block in shown for block in page) == 7
    assert page[:3] == [block for block in page[:3] if block in shown]


def test_the_picture_is_of_the_moment_that_the_page_tells() -> None:
    """And the page shows it."""
    assert PICTURE.read_text("utf-8") == picture()
    assert f"](../../docs/pictures/{PICTURE.name})" in PAGE.read_text("utf-8")


def test_the_refusal_on_the_page_is_one() -> None:
    """The error is quoted as it is made."""
    position = {
        "turn": "alice",
        "board": ["A3 alice down missile-boat"],
        "alice": {"hand": ["fire-ship", "frigate"]},
    }
    view = GAME.view(GAME.state(SETUP, position), "alice")
    with pytest.raises(Illegal) as caught:
        GAME.read(view, Written("play fire left\nmove A3 B3 discard fire-ship"))
    assert f"{caught.value}\n" in blocks()


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
