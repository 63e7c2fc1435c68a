"""The order words of an answer: what is read, what is allowed, what is offered."""

from __future__ import annotations

from typing import Any

import pytest

from games.grid import Cell
from games.lines import read_lines
from games.silent_ships import GAME
from games.silent_ships.answers import ANSWERS, check_push, check_supports, read_push, read_supports
from games.silent_ships.lines import LineFault
from games.silent_ships.moves import read_command
from games.silent_ships.state import under_way
from games.silent_ships.view import see
from games.silent_ships.word import sea_of

SETUP = GAME.setup(("alice", "bob"), {})
POSITION: dict[str, Any] = {
    "turn": "alice",
    "board": [
        "C2 alice up frigate", "D2 bob up submarine", "D1 bob down fire-ship",
        "D3 bob down patrol-ship", "E1 alice up speed-boat",
    ],
    "alice": {"hand": ["flag-ship"]},
    "bob": {"hand": ["missile-boat", "salvage-ship"]},
}  # fmt: skip


def asked(asks: str, **attack: Any) -> Any:
    """What is seen by whoever is asked in Alice's attack on D2."""
    player = "alice" if asks == "push" else "bob"
    table = {"from": "C2", "to": "D2", "asks": asks, "player": player, **attack}
    return see(GAME.state(SETUP, {**POSITION, "attack": table}), player)


@pytest.mark.parametrize(
    ("parts", "found", "left"),
    [
        ([], None, []),
        ([["push", "d2"]], None, [["push", "d2"]]),
        ([["support", "none"], ["push", "d2"]], (), [["push", "d2"]]),
        ([["support", "b3"], ["discard", "fire", "ship"]], ((Cell(2, 3), "fire-ship"),), []),
    ],
)
def test_supports_of_a_move_line(parts: Any, found: Any, left: Any) -> None:
    """Those before its first other word; to say nothing is not the same as `none`."""
    assert read_supports(parts) == (found, left)


@pytest.mark.parametrize(
    "parts",
    [
        [["support"]], [["support", "b3"]], [["support", "b3"], ["push", "d2"]],
        [["support", "b3", "x"], ["discard", "fr"]], [["support", "b3"], ["discard"]],
        [["support", "none"], ["support", "b3"], ["discard", "fr"]][1:2],
    ],
)  # fmt: skip
def test_supports_that_are_none(parts: Any) -> None:
    """With the form that was expected."""
    with pytest.raises(LineFault) as caught:
        read_supports(parts)
    assert "support CELL discard SHIP" in caught.value.expected


def test_a_push_names_one_cell() -> None:
    """Neither none nor two."""
    assert read_push(["d2"]) == Cell(4, 2)
    for words in ([], ["d2", "d3"], ["there"]):
        with pytest.raises(LineFault) as caught:
            read_push(words)
        assert "`push CELL`" in caught.value.expected


def test_who_may_support_and_with_what() -> None:
    """SS-7: own ships in reach, each once, each for another card of the hand."""
    sight = asked("support")
    attack = under_way(sight.attack)
    given = ((Cell(4, 1), "mi"), (Cell(4, 3), "sal"))
    assert check_supports(sight, attack, given) == (
        (Cell(4, 1), "missile-boat"), (Cell(4, 3), "salvage-ship"),
    )  # fmt: skip
    for cells, reason in (
        (((Cell(5, 1), "mi"),), "cannot-support"),
        (((Cell(4, 2), "mi"),), "cannot-support"),
        (((Cell(4, 1), "mi"), (Cell(4, 1), "sal")), "cannot-support"),
        (((Cell(6, 1), "mi"),), "off-board"),
        (((Cell(4, 1), "frigate"),), "not-in-hand"),
    ):
        with pytest.raises(LineFault) as caught:
            check_supports(sight, attack, cells)
        assert caught.value.reason == reason


def test_where_a_retreat_may_be_sent() -> None:
    """SS-6: the refusal says where."""
    sight = asked("push")
    attack = under_way(sight.attack)
    check_push(sight, attack, Cell(5, 2))
    with pytest.raises(LineFault) as caught:
        check_push(sight, attack, Cell(4, 1))
    assert caught.value.expected == "the target cannot go to D1; it can to E2"


@pytest.mark.parametrize("asks", ["retreat", "support", "push"])
def test_what_is_asked_for_is_offered_and_nothing_else(asks: str) -> None:
    """Each line that is offered is allowed; every other answer is not asked for."""
    sight = asked(asks)
    offered = {verb: list(word.offers(sea_of(sight))) for verb, word in ANSWERS.items()}
    verbs = {"retreat": ["stand", "retreat"]}.get(asks, [asks])
    assert [verb for verb, choices in offered.items() if choices] == verbs
    lines = ["stand", "retreat discard mi", "support none", "push e2"]
    for text in (*lines, *(choice.text for verb in verbs for choice in offered[verb])):
        (line,) = read_lines(text)
        read = read_command(line)
        if read.verb in verbs:
            ANSWERS[read.verb].check(sight, read)
        else:
            with pytest.raises(LineFault) as caught:
                ANSWERS[read.verb].check(sight, read)
            assert caught.value.reason == "not-asked"
            assert asks in caught.value.expected


def test_support_with_no_ship_is_not_offered_beside_supports() -> None:
    """Once a ship of one's own supports, more may follow, and `support none` makes no sense."""
    choices = [one.text for one in ANSWERS["support"].offers(sea_of(asked("support")))]
    assert choices[0] == "support none"
    assert len(choices) == 5
    more = asked("support", supports=["D1"])
    choices = [one.text for one in ANSWERS["support"].offers(sea_of(more))]
    assert choices == ["support D3 discard missile-boat", "support D3 discard salvage-ship"]
