"""A game that is over, with nothing hidden: its steps as they were, ways, and the turn that
decided it."""

from __future__ import annotations

import base64
import json
from itertools import pairwise
from typing import Any

import pytest

from adjudicator.page import watch
from adjudicator.page.play import Play
from games.grid import read_cell
from orders.errors import Refused

NOW = "2026-11-23T08:00:00Z"
"""Always the same, and so are the games: whoever advises draws by the last entry."""
GAMES = ("sugar-dog", "silent-ships", "submarine-warfare")
PLAYED: dict[str, tuple[Play, dict[str, Any]]] = {}


def over(game: str) -> tuple[Play, dict[str, Any]]:
    """A game against a novice that is over, played once: the desk and its last state."""
    if game not in PLAYED:
        desk = Play()
        told = desk.against(NOW, game, ["novice"], seed="05" * 32)
        while told["stage"] == "play":
            told = desk.order(NOW, desk.hint()["orders"])
        PLAYED[game] = desk, told
    return PLAYED[game]


def plain(chart: dict[str, Any]) -> dict[str, list[str]]:
    """The pieces of a chart without those names that they have only for a while."""
    found: dict[str, list[str]] = {}
    for one in chart["pieces"]:
        found.setdefault(one["cell"], []).append(one["title"])
    return {cell: sorted(titles) for cell, titles in found.items()}


@pytest.mark.parametrize("game", GAMES)
def test_each_step_is_shown_as_it_was(game: str) -> None:
    """Each begins where the one before ended, and the last ends where the game did; its words are
    those that everybody heard, what nobody was told has none; its pieces stand on these boards."""
    desk, told = over(game)
    data = base64.b64decode(desk.packed()["data"])
    watch.open_record("game.zip", data)
    board = None
    for step in range(1, told["step"]):
        moment = desk.moment(step)
        json.dumps(moment)
        assert moment["step"] == step
        assert board in (None, plain(moment["before"]))
        heard = [one["text"] for one in watch.step(step)["told"]]
        assert [one["text"] for one in moment["told"] if one["text"]] == heard
        board = plain(moment["before"])
        ids = {one["id"] for one in moment["before"]["pieces"]}
        for one in moment["told"]:
            ids |= {each["id"] for each in one["chart"]["pieces"]}
            assert {one["piece"], *one["struck"]} - {""} <= ids
            assert one["text"] or one["cells"]
            board = plain(one["chart"])
    assert board == plain(desk.end())
    for wrong in (0, told["step"], -1):
        with pytest.raises(Refused, match=f"no step {wrong} to show"):
            desk.moment(wrong)


@pytest.mark.parametrize("game", GAMES)
def test_the_turn_that_decided_it(game: str) -> None:
    """It is the last, whatever was heard of it, and the others are the loudest."""
    desk, told = over(game)
    turns = desk.loud()
    assert [one["step"] for one in turns if one["decided"]] == [told["step"] - 1]
    assert turns[-1]["decided"]
    assert 1 <= len(turns) <= 6
    assert all(one["text"] for one in turns)


def test_what_went_unheard_is_played() -> None:
    """Of Sugar Dog: a torpedo runs as one where everybody heard a contact; a vessel that crept goes
    without a word."""
    desk, told = over("sugar-dog")
    said = [one for step in range(2, told["step"]) for one in desk.moment(step)["told"]]
    assert {one["play"] for one in said if one["text"].startswith("Contact")} <= {"torpedo", "run"}
    crept = [one for one in said if not one["text"] and one["play"] == "run"]
    assert {one["piece"] for one in crept} <= {"alice-submarine", "bob-submarine"}
    assert crept


def test_ways_go_through_every_cell() -> None:
    """Also of a run of two cells around a corner; and no number is on the pieces of two."""
    end = over("sugar-dog")[0].end()
    assert len(end["ways"]) == 2
    turned = Play()
    turned.against(NOW, "sugar-dog", ["novice"], seed="07" * 32)
    for line in ("start C3", "cruise C4 D4", "cruise E4 E3"):
        turned.order(NOW, line)
    if turned.state()["stage"] == "play":
        turned.order(NOW, "resign")
    found = turned.end()
    for way in (*end["ways"], *found["ways"]):
        cells = [read_cell(cell) for cell in way["cells"]]
        assert all(a and b and a.distance(b) == 1 for a, b in pairwise(cells))
    assert found["ways"][0]["cells"][:4] == ["C3", "C4", "D4", "E4"]
    assert not any("<text" in one["shape"] for one in found["pieces"])


@pytest.mark.parametrize("game", GAMES)
def test_wrecks_are_on_all_boards(game: str) -> None:
    """After the last step the whole board has every one; a player's and everybody's those of which
    they were told, in the same cells; and none is there before."""
    desk, told = over(game)
    watch.open_record("game.zip", base64.b64decode(desk.packed()["data"]))

    def wrecks(step: int) -> dict[str | None, set[tuple[str, str]]]:
        return {
            one["who"]: {
                (each["cell"], each["title"])
                for each in one["chart"]["pieces"]
                if each["token"] == "wreck"
            }
            for one in watch.step(step)["boards"]
        }

    last = wrecks(told["step"] - 1)
    assert last["="] >= last["alice"] | last["bob"]
    assert last["alice"] & last["bob"] >= (last[None] or set())
    assert last["="]
    assert not any(wrecks(1).values())
    ended = {(one["cell"], one["title"]) for one in desk.end()["pieces"] if one["token"] == "wreck"}
    assert ended == last["="]


def test_nothing_is_shown_whole_before_the_end() -> None:
    """Not even to who plays against the computer."""
    desk = Play()
    desk.against(NOW, "sugar-dog", ["novice"], seed="07" * 32)
    for call in (desk.end, lambda: desk.moment(1)):
        with pytest.raises(Refused):
            call()
