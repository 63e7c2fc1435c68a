"""The players' page shows what the program really says.

`PYTHONPATH=tests python tests/games/submarine_warfare/test_page.py` draws its picture anew.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from games.dice import Dice
from games.game import Illegal, Written
from games.submarine_warfare import GAME

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "games" / "submarine_warfare" / "LEARN.md"
PICTURE = ROOT / "docs" / "pictures" / "submarine-warfare.svg"
BLOCKS = re.findall(r"^```\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)


def is_orders(block):
    """Whether a block is the lines of an order file, not news, a board or an error."""
    return not block.startswith((" ", "line ")) and not block.rstrip().endswith((".", "|"))


def steps():
    """For each block of the page that tells something: the block, and the step above it or None."""
    state = GAME.start(GAME.setup(["alice", "bob"], {"first": "alice"}))
    files = [block for block in BLOCKS if is_orders(block)]
    assert len(files) == 7
    orders, step = {}, None
    for block in BLOCKS:
        if not is_orders(block):
            yield block, step
            continue
        asked = [prompt.player for prompt in GAME.awaited(state) if prompt.player not in orders]
        orders[asked[0]] = GAME.read(GAME.view(state, asked[0]), Written(block))
        if len(asked) > 1:
            continue
        step = GAME.adjudicate(state, orders, Dice(b""))
        state, orders = step.state, {}


def test_the_game_on_the_page_is_played_as_it_says():
    """The order files of the page make one game; every other block is news or a board of the step
    that stands above it, in full; but for one, a refusal."""
    told = []
    for block, step in steps():
        shown = []
        for name in ("alice", "bob"):
            heard = [event.whole() for event in step.events if event.heard_by(name)]
            shown.append("".join(f"{GAME.news(event)}\n" for event in heard))
            shown.append(GAME.draw(GAME.view(step.state, name)))
        told.append(block in shown)
    assert told.count(False) == 1
    assert len(told) == 9


def picture():
    """What Alice sees where the page shows her board."""
    return next(
        GAME.svg(GAME.view(step.state, "alice")) for block, step in steps() if block[:3] == "  +"
    )


def test_the_picture_is_of_the_board_on_the_page():
    """And the page shows it."""
    assert PICTURE.read_text("utf-8") == picture()
    assert f"](../../docs/pictures/{PICTURE.name})" in PAGE.read_text("utf-8")


def test_the_refusal_on_the_page_is_one():
    """The error is quoted as it is made."""
    position = {
        "turn": "alice",
        "alice": {"subs": ["c D4 3 up heal"]},
        "bob": {"subs": ["x D5 5 up torpedo"]},
    }
    view = GAME.view(GAME.state(GAME.setup(["alice", "bob"], {}), position), "alice")
    with pytest.raises(Illegal) as caught:
        GAME.read(view, Written("c move N\nc move N"))
    assert f"{caught.value}\n" in BLOCKS


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
