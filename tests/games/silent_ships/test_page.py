"""The players' page shows what the program really says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import games.silent_ships
from games.cases import read
from games.dice import Dice
from games.game import Illegal, Written
from games.silent_ships import GAME

FOLDER = Path(games.silent_ships.__file__).parent
PAGE = Path(__file__).parents[3] / "docs" / "games" / "silent-ships.md"
EXAMPLE = read(FOLDER / "cases" / "SS-19e.toml").data


def blocks() -> list[str]:
    """The page's blocks without a language, as they stand."""
    return re.findall(r"^```\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)


def test_the_published_example_is_shown_as_the_program_tells_it() -> None:
    """Orders, boards and news of the example turn, each found on the page."""
    setup = GAME.setup(EXAMPLE["players"], {})
    state = GAME.state(setup, EXAMPLE["position"])
    shown: list[str] = []
    for step in EXAMPLE["step"]:
        orders: dict[str, Any] = {}
        for name, text in step["orders"].items():
            orders[name] = GAME.read(GAME.view(state, name), Written(text))
            shown.append(text.rstrip("\n") + "\n")
        came = GAME.adjudicate(state, orders, Dice(b""))
        state = came.state
        for name in setup.players:
            heard = [event.told_to(name) for event in came.events if event.heard_by(name)]
            shown.append("".join(f"{GAME.news(event)}\n" for event in heard))
            drawn = GAME.draw(GAME.view(state, name))
            shown += [drawn, *(f"{line}\n" for line in drawn.splitlines())]
    page = blocks()
    assert sum(block in shown for block in page) == 7
    assert page[:3] == [block for block in page[:3] if block in shown]


def test_the_refusal_on_the_page_is_one() -> None:
    """The error is quoted as it is made."""
    setup = GAME.setup(("alice", "bob"), {})
    position = {
        "turn": "alice",
        "board": ["A3 alice down missile-boat"],
        "alice": {"hand": ["fire-ship", "frigate"]},
    }
    view = GAME.view(GAME.state(setup, position), "alice")
    with pytest.raises(Illegal) as caught:
        GAME.read(view, Written("play fire left\nmove A3 B3 discard fire-ship"))
    assert f"{caught.value}\n" in blocks()
