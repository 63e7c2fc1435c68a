"""Each lesson of each game: its words are true of the position, the right orders do what is right,
and no others."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

import games
from adjudicator.machine import lesson as learning
from adjudicator.machine.lesson import played, tried
from adjudicator.player.seated import Seated
from adjudicator.words import deduced
from games.bots import Walker
from games.dice import Dice
from games.game import Game, View
from games.lessons import BadLesson, Lesson, Scripted

NAMES = ("sugar-dog", "silent-ships", "submarine-warfare")
ALL = [(name, at) for name in NAMES for at in (1, 2, 3)]
Seats = tuple[Seated, Seated]


def found(name: str, number: int) -> tuple[Game[Any, Any], Lesson]:
    """A game, and that lesson of it."""
    game = games.load(name)
    return game, games.own_lessons(game)[number - 1]


def seats(name: str, number: int, folder: Path, *answer: str) -> Seats:
    """Who learns and who plays against them, in the position or after an answer."""
    alice, bob = played(*found(name, number), folder, *answer).seats
    return alice.seated(), bob.seated()


def may(own: Seated, thing: str) -> list[Any]:
    """The values that something can still have for that seat."""
    return list(deduced.worked_out(own, own.report().step).may[thing])


def shown(own: Seated) -> Any:
    """What that seat sees."""
    return own.report().view.shown


def heard(own: Seated, kind: str, **fields: Any) -> list[Any]:
    """The events of that kind that this seat heard so far, with these fields."""
    told = (one for step in range(1, own.report().step + 1) for one in own.report(step).events)
    return [one for one in told if {"kind": kind, **fields}.items() <= one.items()]


# The words, against the position before the answer and after it.


def go_unheard(said: Lesson, before: Seats, after: Seats) -> None:
    (alice, bob), (_, listener) = before, after
    assert said.says.startswith(f"You are in {shown(alice)['alice']['sub']}, and bob does not know")
    assert len(may(bob, "alice's submarine")) == 36
    cells = len(may(listener, "alice's submarine"))
    assert said.right == f"bob heard nothing. He still has all {cells} cells to search."


def where_he_must_be(said: Lesson, before: Seats, after: Seats) -> None:
    alice, _ = before
    first, last = (one["at"] for one in heard(alice, "contact", by="bob"))
    (sure,) = may(alice, "bob's submarine")
    assert said.says == (
        f"bob ran: {first}, then {last}. No shot comes from beyond the edge, so he is in {sure}. "
        "Fire along your row."
    )
    assert first.endswith("6")
    mine = shown(alice)["alice"]["sub"]
    assert said.wrong.startswith(f"You are in {mine}, and he is two cells east of you.")
    assert (ord(sure[0]) - ord(mine[0]), sure[1]) == (2, mine[1])
    assert len(heard(after[0], "torpedo")) == 2


def the_echo_and_its_price(said: Lesson, before: Seats, after: Seats) -> None:
    (alice, bob), (asker, listener) = before, after
    assert not heard(alice, "contact") + heard(bob, "contact")
    assert [one["player"] for one in heard(alice, "turn")] == ["alice", "bob"] * 2
    assert said.says.startswith("Two turns each, and not a sound.")
    one, other = (echo["at"] for echo in heard(asker, "echo", of="bob"))
    (where,) = may(listener, "alice's submarine")
    assert said.right == (
        f"Two echoes, {one} and {other}: one is bob, one may be his mine. And he knows that you "
        f"are in {where}: leave it."
    )
    assert {one, other} <= {*may(asker, "bob's submarine")}


def ships(own: Seated) -> dict[str, Any]:
    """The ships that a seat of Silent Ships sees, by cell."""
    return {ship.split()[0]: ship for ship in map(str, shown(own)["board"])}


def a_step_costs_a_card(said: Lesson, before: Seats, after: Seats) -> None:
    (alice, _), (mover, _) = before, after
    assert "frigate" in shown(alice)["alice"]["hand"]
    paid = len(heard(mover, "discarded", player="alice")) - len(
        heard(alice, "discarded", player="alice")
    )
    assert paid == 2  # Of one card: the public event, and the secret one.
    first, second = (
        one["count"] for one in heard(mover, "drew", player="alice") if one.get("count", 2) != 2
    )
    assert (first, second) == (3, 4)


def an_attack(said: Lesson, before: Seats, after: Seats) -> None:
    (battle,) = heard(after[0], "battle")
    assert said.says.startswith(f"bob's Speed boat in A2 lies open: {battle['defence']}. ")
    assert f"Your Missile boat in A3 has {battle['attack']}." in said.says
    assert said.right.startswith(f"{battle['attack']} against {battle['defence']}: sunk.")
    assert heard(after[0], "sunk", ship="speed-boat", owner="bob", at="A2")
    (asked,) = (
        one.entry.awaited["bob"].what
        for one in after[1].ledger.links()
        if "bob" in one.entry.awaited and one.entry.awaited["bob"].what.startswith("retreat")
    )
    assert asked == "retreat A3 A2"


def a_tie(said: Lesson, before: Seats, after: Seats) -> None:
    alice = before[0]
    assert alice.last.entry.awaited["alice"].what == "retreat A2 A3"
    assert shown(alice)["alice"]["hand"]
    (battle,) = heard(after[0], "battle", winner="alice")
    assert battle["attack"] == battle["defence"] == 5
    assert battle["attacker"] == battle["target"] == "missile-boat"
    cards = [one for one in heard(after[0], "discarded", player="alice") if "count" in one]
    assert len(cards) == len(heard(alice, "discarded", player="alice")) / 2


def the_middle_scores(said: Lesson, before: Seats, after: Seats) -> None:
    (points,) = (one["points"] for one in heard(after[0], "scored")[1:])
    assert said.says.startswith(f"At the end of your turn D4 scores {points // 2}, and twice that")
    assert said.right == f"D4 brings you {points} a turn: 4, and twice that because c is surfaced."


def a_ram(said: Lesson, before: Seats, after: Seats) -> None:
    (left,) = may(after[0], "x's HP")
    (run,) = heard(after[0], "collision")
    took = f"x took {5 - left} of its 5 HP, and c nothing."
    assert said.right == f"{took} x is in {run['to']} now, where it scores half."
    assert run["struck_at"] == "D4"
    assert not heard(after[0], "hit", sub="c")
    four, two = may(before[0], "bob's points")[0], may(after[0], "bob's points")[0]
    assert four == 2 * (two - four)


def a_clear_way(said: Lesson, before: Seats, after: Seats) -> None:
    assert heard(before[0], "moved", sub="d")[-1]["at"] == "D2"
    assert heard(before[0], "moved", sub="x")[-1]["at"] == "D4"
    assert may(before[0], "x's HP") == [5]
    assert [one["amount"] for one in heard(after[0], "hit", sub="x")] == [5]


WORDS: dict[tuple[str, int], Callable[[Lesson, Seats, Seats], None]] = dict(
    zip(
        ALL,
        (
            go_unheard, where_he_must_be, the_echo_and_its_price,
            a_step_costs_a_card, an_attack, a_tie,
            the_middle_scores, a_ram, a_clear_way,
        ),
        strict=True,
    )
)  # fmt: skip


@pytest.mark.parametrize(("name", "number"), ALL)
def test_the_words_are_true(name: str, number: int, tmp_path: Path) -> None:
    """Cells, counts and costs, by what each side sees, hears and can work out."""
    said = found(name, number)[1]
    before = seats(name, number, tmp_path / "before")
    after = seats(name, number, tmp_path / "after", said.answer)
    WORDS[name, number](said, before, after)
    for text in (said.says, said.right, said.wrong):
        assert len(text) <= 110, text
    assert len(said.says) <= 100, said.says  # three lines above the sea of a phone


# What is right.


def every_order(game: Game[Any, Any], view: View) -> Iterator[str]:
    """All whole orders of one line."""
    for choice in game.after(view, ()).choices:
        if game.after(view, (choice.text,)).complete:
            yield choice.text


RIGHT = {
    ("sugar-dog", 1): {"silent B3", "silent D3", "silent C2", "silent C4"},
    ("sugar-dog", 2): {"fire E"},
    ("sugar-dog", 3): {"ping"},
    ("silent-ships", 3): {"stand"},
}


@pytest.mark.parametrize(("name", "number"), RIGHT)
def test_of_all_orders_these_are_right(name: str, number: int, tmp_path: Path) -> None:
    """Each order that the page offers there is given once."""
    game, lesson = found(name, number)
    alice, _ = seats(name, number, tmp_path / "position")
    fresh = count()
    right = {
        text
        for text in every_order(game, alice.report().view)
        if tried(game, lesson, tmp_path / str(next(fresh)), text)
    }
    assert right == RIGHT[name, number]


OTHERS: dict[tuple[str, int], dict[str, bool]] = {
    ("silent-ships", 1): {
        "move A4 A3 discard salvage-ship": True,
        "move A4 A3 discard frigate": False,
        "move A4 B4 discard salvage-ship": False,
        "play frigate on": False,
        "end": False,
    },
    ("silent-ships", 2): {
        "move A3 A2 discard fire-ship": True,
        "move A3 A4 discard fire-ship": False,
        "play fire-ship right": False,
        "end": False,
    },
    ("submarine-warfare", 1): {
        "d move N\nc move N": True,
        "c move N\nc move S": False,
        "c move N\nc submerge": False,
        "c submerge\nc move N": False,
        "c move E": False,
        "": False,
    },
    ("submarine-warfare", 2): {
        "c submerge\nc move N": True,
        "c move E\nc move N": False,
        "c move E\nc move N\nc move W": True,
        "b lance N": False,
    },
    ("submarine-warfare", 3): {
        "d move W\nc torpedo N": True,
        "c torpedo N": False,
        "c torpedo N\nd move E": False,
        "d move E": False,
        "c move E\nc torpedo N": False,
    },
}


@pytest.mark.parametrize(("name", "number"), OTHERS)
def test_it_is_the_effect_that_counts(name: str, number: int, tmp_path: Path) -> None:
    """Another way to the same is right; the same words to another effect are not."""
    game, lesson = found(name, number)
    for at, (text, right) in enumerate(OTHERS[name, number].items()):
        assert tried(game, lesson, tmp_path / str(at), text) is right, text


@pytest.mark.parametrize("name", NAMES)
def test_lessons_have_no_faults(name: str) -> None:
    """As `try` finds none."""
    assert list(learning.faults(games.load(name))) == []


# What is found.


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"answer": "silent"}, "lesson 1: its answer 'silent' has not the effect"),
        ({"heard": [{"kind": "turn"}], "unheard": []}, "lesson 1: all orders that were tried"),
        ({"answer": "dive"}, "lesson 1: alice: 'dive' is not taken: "),
        ({"orders": {"alice": ["start Z9"], "bob": []}}, "lesson 1: alice: 'start Z9' is not "),
        ({"orders": {"alice": [], "bob": ["x"]}, "answer": "start C3"}, "lesson 1: bob: 'x' is "),
        ({"orders": {"alice": [], "carol": []}}, "lesson 1: orders: expected those of alice, bob"),
        ({"orders": {"alice": ["start C3"]}}, "lesson 1: "),
        ({"options": {"first": 7}}, "lesson 1: "),
        (
            {"orders": {"alice": ["start C3", "resign", "silent"], "bob": ["start F1"]}},
            "lesson 1: the game is over before alice orders 'silent'",
        ),
    ],
)
def test_a_fault_is_told(
    changed: dict[str, Any], fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each thing that a lesson can lack, with the lesson's number."""
    game, lesson = found("sugar-dog", 1)
    monkeypatch.setattr(games, "own_lessons", lambda _: (lesson._replace(**changed),))
    assert any(one.startswith(fault) for one in learning.faults(game)), [*learning.faults(game)]


def test_a_file_that_is_none_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the words of whoever read it."""

    def refuse(game: object) -> None:
        raise BadLesson("lesson 2.says is missing")

    monkeypatch.setattr(games, "own_lessons", refuse)
    assert list(learning.faults(games.load("sugar-dog"))) == ["lesson 2.says is missing"]


def test_the_rival_answers_whatever_is_done(tmp_path: Path) -> None:
    """Where an order of theirs fits no more, they give any, and nobody is stuck."""
    game, lesson = found("silent-ships", 2)
    house = played(game, lesson, tmp_path, "end")
    assert house.seats[0].name in house.referee.missing()
    bot = Scripted(game, "bob", ["stand"])
    bot.hear(house.seats[1].seated().report(2).view, ())
    given = bot.order(Dice(b"")).orders
    assert given != "stand"
    assert bot.spoiled.startswith("'stand' is not taken: ")
    assert isinstance(bot, Walker)
