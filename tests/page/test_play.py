"""Whole games against bots, at the page's desk, without host or mail."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from elsewhere.outside import EXAMPLES

import games
from adjudicator.machine import lesson
from adjudicator.page import samples, shown
from adjudicator.page.play import CALLS, Play
from adjudicator.page.shown import Seen
from adjudicator.store.clock import now
from adjudicator.store.pack import Pack
from adjudicator.verifier.verify import verify
from adjudicator.words import manual
from games.game import OrderError
from orders.errors import Refused


def to_the_end(desk: Play, told: dict[str, Any]) -> dict[str, Any]:
    """Follow the hints until the game is over."""
    while told["stage"] == "play":
        told = desk.order(now(), desk.hint()["orders"])
    return told


@pytest.mark.parametrize(
    ("game", "bot"),
    [
        ("sugar-dog", "random"), ("silent-ships", "mate"), ("submarine-warfare", "random"),
        ("silent-ships", "captain"), ("submarine-warfare", "captain"),
    ],
)  # fmt: skip
def test_a_whole_game(game: str, bot: str) -> None:
    """Through the real files: sealed orders, receipts, reports, the reveal; then it is verified."""
    desk = Play()
    told = desk.against(now(), game, [bot])
    assert (told["stage"], told["alone"], told["mine"]) == ("play", True, True)
    if bot == "captain":
        # A captain takes its time: this game is left early.
        for _ in range(3):
            told = desk.order(now(), desk.hint()["orders"]) if told["stage"] == "play" else told
        told = desk.order(now(), "resign") if told["stage"] == "play" else told
    told = to_the_end(desk, told)
    assert told["outcome"].endswith((" won", "a draw"))
    assert (desk.verdict()["code"], desk.verdict()["verdict"]) == (0, f"true: {told['outcome']}")
    pack = Pack.of(base64.b64decode(desk.packed()["data"]))
    assert verify(pack).verdict == f"true: {told['outcome']}"
    assert [one["step"] for one in desk.log()] == list(range(told["step"] + 1))


@pytest.mark.parametrize("game", ["sugar-dog", "silent-ships", "submarine-warfare"])
def test_a_turn_is_played(game: str) -> None:
    """Each entry since one's turn: its sentences with their boards, of which the last is the
    board that stands there; wrecks stay, also when the game is over."""
    # Always the same game: whoever advises draws by the last entry.
    desk, at = Play(), "2026-11-23T08:00:00Z"
    told = desk.against(at, game, ["random"], seed="07" * 32)
    while told["stage"] == "play":
        told = desk.order(at, desk.hint()["orders"])
        entries = desk.boards()
        json.dumps(entries)
        # What was kept of the turns before is what is read anew.
        assert entries == list(Seen(desk._own()).boards())
        assert told["chart"] == shown.state(desk._table(), at)["chart"]
        assert [one["step"] for one in entries] == [one["step"] for one in told["since"]]
        for entry, since in zip(entries, told["since"], strict=True):
            texts = [one["text"] for one in entry["told"]]
            assert texts == [one["text"] for one in since["told"]]
            assert entry["who"] == since["who"]
            board = entry["told"][-1]["chart"] if texts else None
        assert board in (None, told["chart"])
    # Against a bot that plays anything Submarine Warfare may end with nobody sunk.
    wrecks = [one for one in told["chart"]["pieces"] if one["token"] == "wreck"]
    assert wrecks or game == "submarine-warfare"


@pytest.mark.parametrize("game", ["sugar-dog", "silent-ships", "submarine-warfare"])
def test_another_goes_first_in_the_rematch(game: str) -> None:
    """And in the one after that whoever did before."""
    desk = Play()
    for first, next_one in (("bob", "alice"), ("alice", "bob")):
        told = desk.against(now(), game, ["random"], options=[f"first={first}"])
        while len(told["awaited"]) > 1 or told["step"] < 2:
            told = desk.order(now(), desk.hint()["orders"])
        told = desk.order(now(), "resign") if told["stage"] == "play" else told
        assert (told["stage"], told["rematch"]) == ("over", [f"first={next_one}"])


def test_a_game_from_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that no module here knows is offered with its bots, and played to the end."""
    for folder in EXAMPLES:
        monkeypatch.syspath_prepend(str(folder))
    games._elsewhere.cache_clear()
    desk = Play()
    offered = {one["id"]: one for one in samples.offered()}
    assert offered["battleship"]["first"] == "novice"
    assert offered["sugar-dog"]["bots"] == ["random", "novice", "mate", "captain"]
    assert list(lesson.faults(games.load("battleship"))) == []
    told = desk.against(now(), "battleship")
    assert desk.plan([])["acts"]
    told = to_the_end(desk, told)
    assert desk.verdict()["code"] == 0
    games._elsewhere.cache_clear()


def test_what_the_page_gets_is_plain() -> None:
    """Each answer is JSON, and what the rival hides is in none."""
    desk = Play()
    told = desk.against(now(), "sugar-dog", ["random"])
    for _ in range(3):
        if told["stage"] == "play":
            told = desk.order(now(), desk.hint()["orders"])
        for value in (told, desk.log(), desk.deduced(), desk.plan([]), desk.letters()):
            json.dumps(value)
    assert desk.house is not None
    assert str(desk.house.referee.folder.master().hex) not in json.dumps([told, desk.log()])


def test_a_wrong_line_changes_nothing() -> None:
    """It is refused before the host sees it."""
    desk = Play()
    before = desk.against(now(), "sugar-dog", ["random"])
    with pytest.raises(OrderError):
        desk.order(now(), "fire S")
    assert desk.state()["step"] == before["step"]
    assert desk.order(now(), "start C4")["ordered"]["step"] == 1


def test_several_rivals() -> None:
    """A seat for each bot that is named; a preset is taken."""
    desk = Play()
    told = desk.against(now(), "sugar-dog", ["random", "random"])
    assert [one["player"] for one in told["awaited"]] == ["alice", "bob", "carol"]
    told = desk.against(now(), "submarine-warfare", ["random"], "published")
    assert told["title"] == "Submarine Warfare"


@pytest.mark.parametrize("game", ["sugar-dog", "silent-ships", "submarine-warfare"])
def test_each_lesson_is_learned(game: str, tmp_path: Path) -> None:
    """It begins in its position, the same that the tests of its words know; wrong orders say so and
    lose nothing, and the hint is right."""
    desk, found = Play(), games.own_lessons(games.load(game))
    assert next(one for one in samples.offered() if one["id"] == game)["lessons"] == len(found)
    for number, said in enumerate(found, 1):
        told = desk.lesson(now(), game, number)
        here = {"number": number, "of": len(found), "right": None, "says": said.says}
        assert (told["lesson"], told["mine"], told["alone"]) == (here, True, True)
        house = lesson.played(games.load(game), said, tmp_path / str(number))
        assert told["id"] == house.referee.ledger.opening.id
        with pytest.raises((OrderError, Refused)):
            desk.order(now(), "dive")
        assert desk.state(now())["lesson"] == here
        told = desk.order(now(), "resign")
        assert told["lesson"] == {**here, "right": False, "says": said.wrong}
        assert desk.lesson(now(), game, number)["lesson"] == here
        told = desk.order(now(), desk.hint()["orders"])
        assert told["lesson"] == {**here, "right": True, "says": said.right}
        json.dumps(told)
    assert "lesson" not in desk.against(now(), game, ["random"])
    assert desk.hint()["orders"]


PAID = ("flag-ship", "fire-ship", "frigate", "submarine", "patrol-ship", "salvage-ship")
RIGHT = {
    "sugar-dog": [["silent C4", "silent D3", "silent C2", "silent B3"], ["fire E"], ["ping"]],
    "silent-ships": [
        [f"move A4 A3 discard {card}" for card in ("salvage-ship", "special-operations-craft")],
        [f"move A3 A2 discard {card}" for card in PAID],
        ["stand"],
    ],
    "submarine-warfare": [["c move N"], ["c move N"], []],
}
"""Of each lesson, the single lines that are right; the last asks for two."""


@pytest.mark.parametrize("game", RIGHT)
def test_nothing_else_is_right(game: str) -> None:
    """Of all lines that the page offers in a lesson: a torpedo that is fired away is none."""
    desk = Play()
    for number, expected in enumerate(RIGHT[game], 1):
        desk.lesson(now(), game, number)
        found, tried = [], 0
        for act in desk.answer("plan", lines=[])["acts"]:
            desk.lesson(now(), game, number)
            try:
                told = desk.order(now(), act["text"])
            except OrderError:
                # It goes along with other lines alone, as an offer does.
                continue
            tried += 1
            if told["lesson"]["right"]:
                found.append(act["text"])
        assert found == expected
        assert tried > len(found)


@pytest.mark.parametrize("game", ["sugar-dog", "silent-ships", "submarine-warfare"])
def test_its_pages_speak_the_words_of_the_buttons(game: str) -> None:
    """Each button of a turn is told of by its name; no line, file or command that a page does not
    have is."""
    pages, loaded = Play().rules(game), games.load(game)
    learn, whole = pages["learn"], games.learn_page(loaded) or ""
    acts = {name: verb for name, verb in loaded.verbs.items() if not verb.role}
    for name, verb in acts.items():
        assert name in ("start", "alone") or f"['b', '{verb.name}']" in str(learn), name
    for word in ("['code', ", "adjudicator", "RULES.md", "--", "`"):
        assert word not in str(learn)
    assert "['code', 'adjudicator " not in str(pages["rules"])
    assert list(manual.elements(whole))[: len(learn)] == learn
    assert f"adjudicator rules {game} --exact" in " ".join(whole.split()) or "--exact" in whole


def test_what_is_no_lesson() -> None:
    """It is said how many there are; what was open stays open."""
    desk = Play()
    desk.lesson(now(), "sugar-dog", 3)
    for number in (0, 4):
        with pytest.raises(Refused, match=f"sugar-dog has 3 lessons, and none is {number}"):
            desk.lesson(now(), "sugar-dog", number)
    assert desk.state()["lesson"]["number"] == 3


def test_what_cannot_be_begun() -> None:
    """Games, bots and presets that there are not; what was open stays open."""
    desk = Play()
    desk.against(now(), "sugar-dog", ["random"])
    for game, bots, preset, word in (
        ("sugar-cat", [], None, "sugar-cat"),
        ("sugar-dog", ["hal"], None, "random, novice, mate, captain"),
        ("submarine-warfare", ["random"] * 3, None, "4 players are too many"),
        ("sugar-dog", ["random"], "fast", "has no preset 'fast'"),
    ):
        with pytest.raises((Refused, ValueError, games.UnknownGame), match=word):
            desk.against(now(), game, bots, preset)
    assert desk.state()["title"] == "Sugar Dog"


def test_each_call_of_the_page_is_there() -> None:
    """The table names functions of a desk, or of the one for duels."""
    assert CALLS["state"]()["stage"] == "none"
    desk = Play()
    assert [name for name in CALLS if not (hasattr(desk, name) or hasattr(desk.duel, name))] == []
