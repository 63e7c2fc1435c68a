"""The order words of a turn: what is read, what is allowed, what is offered."""

from __future__ import annotations

from typing import Any

import pytest

from games.grid import Cell
from games.lines import read_lines
from games.silent_ships import GAME
from games.silent_ships.actions import ACTIONS
from games.silent_ships.answers import ANSWERS
from games.silent_ships.events import VOID
from games.silent_ships.lines import Command, LineFault
from games.silent_ships.moves import read_command
from games.silent_ships.view import see
from games.silent_ships.word import sea_of

SETUP = GAME.setup(("alice", "bob"), {})
POSITION: dict[str, Any] = {
    "turn": "alice",
    "board": [
        "C3 alice up speed-boat", "B3 alice down submarine", "C4 alice up frigate",
        "A3 alice up special-operations-craft", "C2 bob down flag-ship",
    ],
    "alice": {"hand": ["fire-ship", "patrol-ship", "salvage-ship"], "sunk": ["missile-boat"]},
}  # fmt: skip


@pytest.fixture
def sight() -> Any:
    """What Alice sees on her turn."""
    return see(GAME.state(SETUP, POSITION), "alice")


def command(text: str) -> Command:
    """A line as it is read."""
    (line,) = read_lines(text)
    return read_command(line)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("play fire ship left", Command("play", (), ("fire-ship",), "left")),
        ("PLAY fi D4", Command("play", (Cell(4, 4),), ("fi",))),
        ("move c3 d3 d2 discard fi",
         Command("move", (Cell(3, 3), Cell(4, 3), Cell(4, 2)), ("fi",))),
        ("flip z9", Command("flip", (Cell(26, 9),))),
        ("swap a3 missile boat", Command("swap", (Cell(1, 3),), ("missile-boat",))),
        ("offer end", Command("offer")),
        ("end", Command("end")),
        ("move c3 c2 discard fi support none push d2",
         Command("move", (Cell(3, 3), Cell(3, 2)), ("fi",), supports=(), push=Cell(4, 2))),
        ("move c3 c2 discard fi support b3 discard sal support c4 discard pat",
         Command("move", (Cell(3, 3), Cell(3, 2)), ("fi",),
                 supports=((Cell(2, 3), "sal"), (Cell(3, 4), "pat")))),
    ],
)  # fmt: skip
def test_what_is_read(text: str, read: Command) -> None:
    """Names as they were written: whose cards they are is judged later."""
    assert command(text) == read


@pytest.mark.parametrize(
    "text",
    [
        "play", "play left", "play frigate", "move c3 discard fi", "move c3 d3", "move",
        "move c3 c2 discard fi push", "move c3 c2 discard fi push d2 support none",
        "move c3 c2 push d2 discard fi", "move c3 c2 discard fi support b3", "flip", "flip c3 d3",
        "swap c3", "swap missile-boat", "offer", "offer draw", "end now", "resign now", "start 1",
    ],
)  # fmt: skip
def test_what_is_not_understood(text: str) -> None:
    """Malformed whatever lies where."""
    with pytest.raises(LineFault) as caught:
        command(text)
    assert caught.value.malformed


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("play fire-ship on", "occupied"),
        ("play fire-ship c3", "not-at-country"),
        ("play fire-ship f1", "off-board"),
        ("play frigate left", "not-in-hand"),
        ("move c2 c1 discard fi", "no-ship"),
        ("move b3 b1 discard fi", "not-adjacent"),
        ("move b3 b2 a2 discard fi", "too-far"),
        ("move c3 d3 c3 discard fi", "cell-twice"),
        ("move c3 c2 c1 discard fi", "blocked"),
        ("move c3 b3 discard fi", "own-ship"),
        ("move c4 d4 discard fi", "discards"),
        ("move b3 b2 discard fi discard pat", "discards"),
        ("move b3 b2 discard fi support none", "no-attack"),
        ("move c3 c2 discard fi support d4 discard sal", "cannot-support"),
        ("move c3 c2 discard fi support b3 discard sal", "cannot-support"),
        ("move c3 c2 discard fi push c3", "no-retreat"),
        ("flip c3", "face-up"),
        ("swap c3 missile-boat", "no-swap"),
        ("swap b3 missile-boat", "no-swap"),
        ("swap a3 frigate", "not-sunk"),
    ],
)
def test_what_is_not_allowed(sight: Any, text: str, reason: str) -> None:
    """Refused by the first reason that holds; reports have a letter for each."""
    read = command(text)
    with pytest.raises(LineFault) as caught:
        ACTIONS[read.verb].check(sight, read)
    assert caught.value.reason == reason
    assert reason in VOID


def test_what_a_line_leaves_of_ones_sight(sight: Any) -> None:
    """Cards have left the hand, and ships lie where they went; the sight before is unchanged."""
    seen = []
    for text in ("move c3 d3 d2 discard fi", "play pat right", "swap a3 missile-boat"):
        word = ACTIONS[text.partition(" ")[0]]
        left = word.leaves(sight, word.check(sight, command(text)))
        seen.append((left.own, sea_of(left).ships))
    (moved, boats), (played, ships), (swapped, crafts) = seen
    assert moved.hand == ("patrol-ship", "salvage-ship")
    assert [str(ship.at) for ship in boats if ship.name == "speed-boat"] == ["D2"]
    assert played.hand == ("fire-ship", "salvage-ship")
    assert [(str(ship.at), ship.up) for ship in ships if ship.name == "patrol-ship"] == [
        ("B4", False)
    ]
    assert swapped.sunk == ("special-operations-craft",)
    assert [ship.name for ship in crafts if str(ship.at) == "A3"] == ["missile-boat"]
    assert sight == see(GAME.state(SETUP, POSITION), "alice")


def test_what_is_offered_is_allowed(sight: Any) -> None:
    """Every line that a word offers before any attack passes its own check."""
    sea = sea_of(sight)
    for verb, word in ACTIONS.items():
        for choice in word.offers(sea):
            read = command(choice.text)
            assert read.verb == verb
            word.check(sight, read)
            assert choice.label.isascii()


def test_each_word_stands_once() -> None:
    """No word of a turn is one of an answer."""
    assert not set(ACTIONS) & set(ANSWERS)
