"""The page of each game for its players, LEARN.md, shows what the program really says.

`PYTHONPATH=tests python tests/games/test_learn.py` draws their pictures anew.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import example
import pytest

import games
from games.cases import read
from games.dice import Dice
from games.game import Game, Illegal, Step, Written
from games.promises import heard_by

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
DOG, SHIPS, SUBS = (games.load(one) for one in ("sugar-dog", "silent-ships", "submarine-warfare"))
DOG_CASE, SHIPS_CASE = (
    read(games.own_cases(game) / case).data for game, case in ((DOG, "SD-5a.toml"),
                                                               (SHIPS, "SS-19e.toml"))
)  # fmt: skip


def page(game: Game[Any, Any]) -> str:
    return (games.own_cases(game).parent / "LEARN.md").read_text("utf-8")


def blocks(game: Game[Any, Any]) -> list[str]:
    """The page's blocks without a language, as they stand."""
    return re.findall(r"^```\n(.*?)^```$", page(game), re.MULTILINE | re.DOTALL)


def news(game: Game[Any, Any], step: Step[Any], name: str) -> str:
    """What that player hears, line by line."""
    return "".join(f"{game.news(event)}\n" for event in heard_by(name, step))


def test_sugar_dog() -> None:
    """Orders, both players' news, and maps of the published example, in its order."""
    shown: list[str] = []
    for written, came in example.played(DOG, DOG_CASE):
        shown += [f"{text}\n" for text in written.values()]
        shown += [news(DOG, came, name) for name in DOG_CASE["players"]]
        shown += [DOG.draw(DOG.view(came.state, name)) for name in DOG_CASE["players"]]
    assert len(blocks(DOG)) >= 8
    places = iter(shown)
    assert all(block in places for block in blocks(DOG))


def test_silent_ships() -> None:
    """Orders, boards and news of the example turn, each found on the page."""
    shown: list[str] = []
    for written, came in example.played(SHIPS, SHIPS_CASE):
        shown += [text.rstrip("\n") + "\n" for text in written.values()]
        for name in SHIPS_CASE["players"]:
            drawn = SHIPS.draw(SHIPS.view(came.state, name))
            shown += [news(SHIPS, came, name), drawn, *drawn.splitlines(keepends=True)]
    held = blocks(SHIPS)
    assert sum(block in shown for block in held) == 7
    assert held[:3] == [block for block in held[:3] if block in shown]


def is_orders(block: str) -> bool:
    """Whether a block is the lines of an order file, not news, a board or an error."""
    return not block.startswith((" ", "line ")) and not block.rstrip().endswith((".", "|"))


def told_by_submarines() -> Iterator[tuple[str, Any]]:
    """For each block of that page that tells something: the block, and the step above it or None.

    The order files of the page make one game.
    """
    state = SUBS.start(SUBS.setup(["alice", "bob"], {"first": "alice"}))
    assert sum(map(is_orders, blocks(SUBS))) == 7
    orders: dict[str, Any] = {}
    step = None
    for block in blocks(SUBS):
        if not is_orders(block):
            yield block, step
            continue
        asked = [prompt.player for prompt in SUBS.awaited(state) if prompt.player not in orders]
        orders[asked[0]] = SUBS.read(SUBS.view(state, asked[0]), Written(block))
        if len(asked) == 1:
            step = SUBS.adjudicate(state, orders, Dice(b""))
            state, orders = step.state, {}


def test_submarine_warfare() -> None:
    """Every block that is no order file is news or a board of the step that stands above it, in
    full; but for one, a refusal."""
    told = [
        any(block in (news(SUBS, step, name), SUBS.draw(SUBS.view(step.state, name)))
            for name in ("alice", "bob"))
        for block, step in told_by_submarines()
    ]  # fmt: skip
    assert (len(told), told.count(False)) == (9, 1)


@pytest.mark.parametrize(
    ("game", "position", "text"),
    [
        (SHIPS, {"turn": "alice", "board": ["A3 alice down missile-boat"],
                 "alice": {"hand": ["fire-ship", "frigate"]}},
         "play fire left\nmove A3 B3 discard fire-ship"),
        (SUBS, {"turn": "alice", "alice": {"subs": ["c D4 3 up heal"]},
                "bob": {"subs": ["x D5 5 up torpedo"]}}, "c move N\nc move N"),
    ],
    ids=["silent-ships", "submarine-warfare"],
)  # fmt: skip
def test_the_refusal_on_the_page_is_one(
    game: Game[Any, Any], position: dict[str, Any], text: str
) -> None:
    """The error is quoted as it is made."""
    view = game.view(game.state(game.setup(["alice", "bob"], {}), position), "alice")
    with pytest.raises(Illegal) as caught:
        game.read(view, Written(text))
    assert f"{caught.value}\n" in blocks(game)


def test_the_specials_are_those_of_the_table() -> None:
    """Their names, AP and numbers, as the page tells them."""
    told = dict(re.findall(r"^\| \*\*(\w+)\*\* \| (.* \| \d) \|$", page(SUBS), re.MULTILINE))
    specials = tomllib.loads((SUBS.default_table or b"").decode())
    numbers = {
        "Torpedo": ("range", "damage"), "Salvo": ("range", "damage"), "Lance": ("range", "damage"),
        "Mine": ("damage",), "Heal": ("amount",), "Sonar": ("range",), "Nullify": (),
        "Charges": ("damage",),
    }  # fmt: skip
    names = {"Charges": "depth-charge"}
    for name, keys in numbers.items():
        row = specials.pop(names.get(name, name.lower()))
        held = [int(one) for one in re.findall(r"\d+", told[name])]
        assert held == [*(row[key] for key in keys), row["ap"]], name
    words = " ".join(page(SUBS).split())
    assert specials.keys() == {"armor", "battering-ram", "reactor", "repair"}
    assert f"armor takes {specials['armor']['less']} off each hit" in words
    ram = specials["battering-ram"]
    assert (f"a battering ram deals {ram['deals']} and takes nothing" in words) == (
        not ram["takes"]
    )
    assert f"a reactor gives {specials['reactor']['more']} AP more" in words
    assert f"repair {specials['repair']['amount']} HP a turn" in words


LATER = {
    "turn": "alice",
    "n": 27,
    "contacts": {"alice": "D6", "bob": "F1", "carol": "H7"},
    "alice": {"sub": "A8"},
    "bob": {"sub": "D1", "mines": ["C3", "C1"], "left": 1, "torpedoes": ["D5 N", "F1 E"]},
    "carol": {"sub": "G6"},
}


def picture(game: Game[Any, Any]) -> str:
    """What Bob knows in a game of three; what Alice sees when she is asked whether her ship
    retreats; what she sees where the page shows her board."""
    if game is DOG:
        return DOG.svg(DOG.view(DOG.state(DOG.setup(["alice", "bob", "carol"], {}), LATER), "bob"))
    if game is SHIPS:
        steps = [came for _, came in example.played(SHIPS, SHIPS_CASE) if came.state.attack]
    else:
        steps = [step for block, step in told_by_submarines() if block[:2] == "7 "]
    return game.svg(game.view(steps[0].state, "alice"))


@pytest.mark.parametrize("game", [DOG, SHIPS, SUBS], ids=lambda game: game.id)
def test_the_picture_is_of_what_the_page_tells(game: Game[Any, Any]) -> None:
    """It is drawn by the program, and the page shows it."""
    path = PICTURES / f"{game.id}.svg"
    assert path.read_text("utf-8") == picture(game)
    assert f"](../../docs/pictures/{path.name})" in page(game)


if __name__ == "__main__":
    for one in (DOG, SHIPS, SUBS):
        (PICTURES / f"{one.id}.svg").write_text(picture(one), encoding="utf-8")
