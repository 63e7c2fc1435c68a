"""The plan of a turn (`plan.js`) in node, with answers of the real games.

What a browser adds to it, buttons and cells, is in `test_taps.py` and `test_playing.py`.
"""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from page.browsers import HERE, needed

from adjudicator.page.build import HERE as PAGE
from adjudicator.page.play import Play
from games.game import OrderError

TIME = "2026-01-01T00:00:00Z"
GAMES = {"sugar-dog": 6, "silent-ships": 6, "submarine-warfare": 4}
"""Each with the turns, of those that hints play, in which plans are tried."""

ALWAYS = {"back", "beside", "cell", "cut", "ending", "take", "verb"}
"""What can be done with every plan; units and picks are not in every game."""


class Asked(NamedTuple):
    """A question of the plan that waits for its answer."""

    number: int
    name: str
    given: dict[str, Any]


class Plan:
    """A plan in a node process; what it asks is answered by a desk, when it is told to."""

    def __init__(self, node: str) -> None:
        self.process = subprocess.Popen(
            [node, str(HERE / "plan.mjs"), str(PAGE / "plan.js")],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        self.acts = self.done = 0
        self.asked: list[Asked] = []
        self.errors: dict[int, str] = {}

    def close(self) -> None:
        """End the process."""
        self.process.communicate(timeout=20)

    def put(self, **told: Any) -> None:
        """Tell it something."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(told) + "\n")
        self.process.stdin.flush()

    def heard(self) -> Any:
        """The next thing that it says: its state, or None for anything else, which is noted."""
        assert self.process.stdout is not None
        told = json.loads(self.process.stdout.readline())
        if "ask" in told:
            self.asked.append(Asked(told["ask"], told["name"], told["given"]))
        elif "done" in told:
            self.done += 1
            if "error" in told:
                self.errors[told["done"]] = told["error"]
        return told.get("state")

    def tap(self, act: str, *given: Any) -> int:
        """Do something, and wait for nothing; returns its number."""
        self.acts += 1
        self.put(act=act, given=given)
        return self.acts

    def state(self) -> Any:
        """All that a screen would show now."""
        self.put(look=True)
        while (found := self.heard()) is None:
            pass
        return found

    def settle(self, desk: Play) -> None:
        """Answer what is asked until all is through."""
        while self.done < self.acts:
            if self.asked:
                self.answer(desk)
            else:
                self.heard()

    def answer(self, desk: Play) -> None:
        """Answer what was asked first."""
        one = self.asked.pop(0)
        try:
            value = getattr(desk, one.name)(**one.given)
        except OrderError as error:
            self.put(answer=one.number, error=str(error))
        else:
            self.put(answer=one.number, value=value)

    def begin(self, desk: Play) -> Any:
        """A new plan for the turn that this desk asks for; its state."""
        self.put(verbs=desk.state()["verbs"])
        return self.does(desk, "begin")

    def does(self, desk: Play, act: str, *given: Any) -> Any:
        """Do something, and answer until it is through; the state after it."""
        number = self.tap(act, *given)
        self.settle(desk)
        assert number not in self.errors, self.errors[number]
        return self.state()


@pytest.fixture
def plan() -> Iterator[Plan]:
    """A process for all plans of a test."""

    def start() -> Plan:
        node = shutil.which("node")
        if node is None:
            raise LookupError("no node")
        return Plan(node)

    found = needed(start, "plans cannot be run")
    yield found
    found.close()


def against(game: str, seed: int, turns: int = 0) -> Play:
    """A game against a bot after so many turns by hints, or at its end before; always the same."""
    desk = Play()
    told = desk.against(TIME, game, ["random"], seed=f"{seed:02x}" * 32)
    for _ in range(turns):
        if told["stage"] == "play":
            told = desk.order(TIME, desk.hint()["orders"])
    return desk


def offers(state: Any, rng: random.Random) -> list[tuple[Any, ...]]:
    """All that a player could do now, what is no use as well, but for taking a hint."""
    return [
        ("back",), ("cut", rng.randint(0, len(state["acts"]))), ("ending", rng.random() < 0.5),
        ("cell", rng.choice("ABCDEFG") + rng.choice("123456")),
        *(("cell", one) for one in state["may"]),
        *(("verb", one["id"]) for one in state["verbs"]),
        *(("unit", one) for one in state["units"]),
        *(("pick", pick) for one in 3 * state["options"] for pick in one["picks"] or [one["text"]]),
        *(("beside", one["text"], rng.random() < 0.7) for one in state["beside"]),
    ]  # fmt: skip


def positions(game: str, games: int = 2) -> Iterator[tuple[str, random.Random, Play]]:
    """Desks in which somebody is asked, in the turns of some games, each with its name and
    chance."""
    for seed in range(games):
        desk = against(game, seed)
        for turn in range(GAMES[game]):
            if desk.state()["stage"] != "play":
                break
            name = f"{game} {seed} {turn}"
            yield name, random.Random(name), desk  # noqa: S311
            desk.order(TIME, desk.hint()["orders"])


@pytest.mark.parametrize("game", GAMES)
def test_whatever_is_tapped_the_game_takes_it(plan: Plan, game: str) -> None:
    """After any sequence of everything that can be done: what may be sent are orders that the game
    takes, word for word; the acts are its first lines; and an act that was just added is taken back
    as it came. Both happen, and all kinds of acts."""
    ready, added, done = 0, 0, set[str]()
    for name, rng, desk in positions(game):
        state, story = plan.begin(desk), [name]
        hint = ("take", desk.hint()["orders"])
        for _ in range(20):
            before, act = state, rng.choice([*offers(state, rng), hint])
            state = plan.does(desk, *act)
            story.append(" ".join(map(str, act)))
            done.add(act[0])
            assert not state["waits"], story
            texts = [one["text"] for one in state["acts"]]
            assert state["lines"][: len(texts)] == texts, story
            if state["ready"]:
                ready += 1
                assert desk.check("\n".join(state["lines"])) == {"lines": state["lines"]}, story
            if act[0] != "take" and state["acts"][:-1] == before["acts"]:
                added += 1
                story.append("back")
                state = plan.does(desk, "back")
                assert state["acts"] == before["acts"], story
    assert ready > 20
    assert added > 20
    assert done == ALWAYS | (set() if game == "sugar-dog" else {"unit", "pick"})


@pytest.mark.parametrize("game", GAMES)
def test_a_plan_that_is_taken_back_is_a_new_one(plan: Plan, game: str) -> None:
    """By going back until nothing is left, or at once: the same may be chosen then as at the
    beginning."""
    for name, rng, desk in positions(game, 1):
        plan.begin(desk)
        fresh = state = plan.does(desk, "cut", 0)
        for _ in range(10):
            taps = [one for one in offers(state, rng) if one[0] in ("cell", "verb", "unit", "pick")]
            state = plan.does(desk, *rng.choice(taps))
        if rng.random() < 0.5:
            state = plan.does(desk, "cut", 0)
        else:
            while state["acts"] or state["taps"]:
                state = plan.does(desk, "back")
        assert (state["acts"], state["taps"], state["picks"]) == ([], [], []), name
        for what in ("lines", "units", "beside", "ends", "left", "ready"):
            assert state[what] == fresh[what], (name, what)


@pytest.mark.parametrize("game", GAMES)
def test_taps_that_come_while_the_engine_is_asked_wait(plan: Plan, game: str) -> None:
    """Many at once do the same as one after the other, in the order of the taps."""
    for name, rng, desk in positions(game, 1):
        state, story = plan.begin(desk), list[tuple[Any, ...]]()
        for _ in range(12):
            taps = [one for one in offers(state, rng) if one[0] not in ("beside", "ending")]
            story.append(rng.choice(taps))
            state = plan.does(desk, *story[-1])
        plan.put(verbs=desk.state()["verbs"])
        for act, *given in [("begin",), *story]:
            plan.tap(act, *given)
        waits = plan.state()
        assert (waits["waits"], waits["lines"]) == (True, []), name
        plan.settle(desk)
        assert plan.state() == state, (name, story)


def test_one_command_is_one_tap_and_another_replaces_it(plan: Plan) -> None:
    """In Sugar Dog a cell is a line; another cell is another one; its own cell takes it back."""
    desk = against("sugar-dog", 3)
    state = plan.begin(desk)
    assert (state["ready"], state["lines"]) == (False, [])
    state = plan.does(desk, "cell", "C4")
    assert (state["lines"], state["ready"], state["waits"]) == (["start C4"], True, False)
    assert state["replaced"]["text"] == "start C4"
    assert plan.does(desk, "cell", "D4")["lines"] == ["start D4"]
    state = plan.does(desk, "cell", "D4")
    assert (state["lines"], state["ready"]) == ([], False)
    # What nobody may tap changes nothing.
    assert plan.does(desk, "cell", "Z9") == state


def test_a_plan_says_that_it_waits(plan: Plan) -> None:
    """Between a tap and the engine's answer nothing may be sent."""
    desk = against("sugar-dog", 3)
    plan.begin(desk)
    plan.tap("cell", "C4")
    while not plan.asked:
        plan.heard()
    state = plan.state()
    assert (state["lines"], state["waits"], state["ready"]) == (["start C4"], True, False)
    plan.settle(desk)
    state = plan.state()
    assert (state["lines"], state["waits"], state["ready"]) == (["start C4"], False, True)


def test_lines_that_the_game_does_not_take_change_nothing(plan: Plan) -> None:
    """What is wrong with them is said; the plan goes on."""
    desk = against("sugar-dog", 3)
    plan.begin(desk)
    before = plan.does(desk, "cell", "C4")
    number = plan.tap("take", "start Z9")
    plan.settle(desk)
    assert "start Z9" in plan.errors[number]
    assert plan.state() == before
    assert plan.does(desk, "take", "start D4")["lines"] == ["start D4"]
    assert plan.does(desk, "cell", "C5")["lines"] == ["start C5"]


def test_an_answer_that_fails_ends_nothing(plan: Plan) -> None:
    """The tap says so; the next one is planned."""
    desk = against("sugar-dog", 3)
    plan.begin(desk)
    number = plan.tap("cell", "C4")
    while not plan.asked:
        plan.heard()
    plan.put(answer=plan.asked.pop(0).number, error="stopped")
    plan.settle(desk)
    assert plan.errors[number] == "stopped"
    assert plan.does(desk, "cell", "D4")["lines"] == ["start D4"]


def attacked() -> Play:
    """A turn of Silent Ships in which an attack is to be answered."""
    for seed in range(40):
        desk = against("silent-ships", seed)
        for _ in range(6):
            told = desk.state()
            if told["stage"] != "play":
                break
            verbs = told["verbs"]
            if any(
                verbs[one["verb"]]["answers"]
                for one in desk.plan([])["acts"]
                if one["verb"] in verbs
            ):
                return desk
            text = "\n".join(
                one for one in desk.hint()["orders"].splitlines() if not one.startswith("standing")
            )
            desk.order(TIME, text)
    raise AssertionError("nobody attacks in these games")


def test_the_usual_answer_is_planned(plan: Plan) -> None:
    """Who is attacked stands, if nothing else is chosen; another answer takes its place."""
    desk = attacked()
    state = plan.begin(desk)
    assert state["usual"]["answers"] == "Attacked"
    assert (state["lines"], state["ready"]) == (["stand"], True)
    state = plan.does(desk, "verb", "retreat")
    for pick in state["options"][0]["picks"]:
        state = plan.does(desk, "pick", pick)
    assert [one["verb"] for one in state["acts"]] == ["retreat"]
    assert plan.does(desk, "verb", "stand")["lines"] == ["stand"]


def test_a_way_may_be_drawn_longer(plan: Plan) -> None:
    """A run of two cells: the first is planned, the second lengthens it, the third begins anew."""
    desk = against("sugar-dog", 3, turns=2)
    state = plan.begin(desk)
    ways = [one for one in desk.plan([])["acts"] if one["verb"] == "run"]
    longest = max(ways, key=lambda one: len(one["to"]))
    assert len(longest["to"]) > 1
    state = plan.does(desk, "verb", "run")
    for count, cell in enumerate(longest["to"], 1):
        state = plan.does(desk, "cell", cell)
        ((act,),) = [state["acts"]]
        assert act["to"] == list(longest["to"][:count])
    assert state["lines"] == [longest["text"]]
    assert plan.does(desk, "back")["acts"] == []


def test_an_offer_goes_along_where_it_is_chosen(plan: Plan) -> None:
    """A draw is offered beside the line, and is no line of its own to be taken back."""
    desk = against("sugar-dog", 3, turns=2)
    state = plan.begin(desk)
    state = plan.does(desk, "cell", state["may"][0])
    (draw,) = state["beside"]
    assert (draw["yes"], draw["text"] in state["lines"]) == (False, False)
    state = plan.does(desk, "beside", draw["text"], True)
    assert state["lines"][-1] == draw["text"]
    assert draw["text"] not in [one["text"] for one in state["acts"]]
    assert desk.check("\n".join(state["lines"]))["lines"] == state["lines"]
    state = plan.does(desk, "beside", draw["text"], False)
    assert draw["text"] not in state["lines"]
