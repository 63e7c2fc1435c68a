"""`adjudicator try`: a game that breaks a promise is found out; one that keeps all is not."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from click.testing import CliRunner
from high_low import GAME, HighLow
from replacing import replace

import games
from adjudicator.authors.trial import PROMISES, Trial
from adjudicator.cli import cli
from games.bots import Walker
from games.game import (
    After,
    Choice,
    Deductions,
    Event,
    Game,
    Illegal,
    Outcome,
    Prompt,
    Sizes,
    Step,
    View,
    Written,
)
from games.options import OfferRefused

Made = dict[str, Callable[..., Any]]
BREAKS: dict[str, list[tuple[Made, str]]] = {promise: [] for promise in PROMISES}


def breaks(promise: str, said: str, **changed: Any) -> None:
    """A High Low with these attributes breaks that promise, and is told so in such words."""
    BREAKS[promise].append((changed, said))


def late(self: Any, state: Any, orders: Any, dice: Any) -> Step[Any]:
    """Whoever misses the deadline is simply asked again."""
    waits = state.numbers and not orders
    return Step(state, ()) if waits else HighLow.adjudicate(GAME, state, orders, dice)


def with_events(change: Callable[[tuple[Event, ...]], tuple[Event, ...]]) -> Callable[..., Any]:
    """An `adjudicate` whose events are changed."""

    def adjudicate(self: Any, *given: Any) -> Step[Any]:
        step = GAME.adjudicate(*given)
        return Step(step.state, change(step.events))

    return adjudicate


def counted(self: Any, state: Any, orders: Any, dice: Any) -> Step[Any]:
    """Reads what stands in no position: how often it was called."""
    self.calls = getattr(self, "calls", 0) + 1
    drawn = {} if state.numbers else dict.fromkeys(state.setup.players, 1 + self.calls % 9)
    return GAME.adjudicate(state, {**orders, **drawn}, dice)


def spoiling(self: Any, state: Any, orders: Any, dice: Any) -> Step[Any]:
    """Changes the numbers of the state that it is given."""
    step = GAME.adjudicate(state, orders, dice)
    for name in state.numbers:
        state.numbers[name] = 1
    return step


def who_is_late(self: Any, state: Any, orders: Any, dice: Any) -> Step[Any]:
    return GAME.adjudicate(state, orders, dice) if orders else Step(orders["alice"], ())


def open_cards(self: Any, state: Any, player: Any) -> View:
    view = GAME.view(state, player)
    return replace(view, shown={**view.shown, **state.numbers}) if player else view


def leaky_public(self: Any, state: Any, player: Any) -> View:
    """Everybody sees the sum of what is hidden."""
    view = GAME.view(state, player)
    return replace(view, shown={**view.shown, "turn": str(sum(state.numbers.values()))})


def one_more(self: Any, view: View, lines: Any) -> After:
    after = GAME.after(view, lines)
    return after._replace(choices=(*after.choices, Choice("hide 2000"))) if after.choices else after


def no_name(self: Any, setup: Any) -> Any:
    if {"hide", "kind", "player", "draw", "top"} & set(setup.players):
        raise RuntimeError("mixed up")
    return HighLow.start(GAME, setup)


def at_most_two(self: Any, setup: Any) -> None:
    if len(setup.players) > 2:
        raise OfferRefused("too many")


def dreaming(self: Any, view: View, heard: Any, before: Any = None) -> Deductions:
    """Remembers what no report says: how often it was asked."""
    self.calls = getattr(self, "calls", 0) + 1
    found = GAME.deduced(view, heard, None if before is None else replace(before, notes=()))
    return replace(found, notes=(f"call {self.calls}",))


def chatty(self: Any, view: View, heard: Any, before: Any = None) -> Deductions:
    return replace(GAME.deduced(view, heard, before), notes=("gr\xfcn",))


class Boaster(Walker):
    def order(self, dice: Any) -> Written:
        return Written("win")


def careless(self: Any, view: View, written: Written) -> int:
    return int(written.orders.split(" ")[1])


def impatient(self: Any, view: View, written: Written) -> int:
    """Refuses a line that is understood and not allowed by an error that is no OrderError."""
    try:
        return GAME.read(view, written)
    except Illegal:
        raise RuntimeError("not now") from None


def wordy(self: Any, state: Any) -> tuple[Prompt, ...]:
    return tuple(Prompt(player, what + "x" * 200) for player, what in GAME.awaited(state))


breaks("setup", "3 players and their options are refused", seats=(2, 3), check_setup=at_most_two)
breaks("setup", "mixed up (no_name, test_trial.py:", start=no_name)
breaks("words", "a player may be called turn", words=frozenset({"setup", "winner"}))
breaks(
    "position", "is another when it is read",
    position=lambda self, state: {k: v for k, v in GAME.position(state).items() if k != "winner"},
)  # fmt: skip
breaks("public", "the public sees {}", public=lambda self, view: {})
breaks("public", "somebody may order", after=lambda self, view, lines: After((), not lines))
breaks("hidden", "hears the same, and sees", view=open_cards)
breaks("hidden", "hears the same, and sees", view=leaky_public)
breaks("outcome", "while [] are awaited", outcome=lambda self, state: None)
breaks(
    "outcome", "in seat order",
    awaited=lambda self, state: tuple(reversed(GAME.awaited(state))),
)  # fmt: skip
breaks("over", "while the events 'over' tell []", adjudicate=with_events(lambda events: ()))
breaks("over", "tell", outcome=lambda self, state: state.winner and Outcome())
breaks("prompts", "awaited for it again", adjudicate=late)
breaks("lines", "after ['hide 2000'] complete is True", after=one_more)
breaks("bots", "Malformed", bots={"captain": partial(Boaster, GAME)})
breaks("bots", "AttributeError", bots={"captain": lambda player: None})
breaks("orders", "IndexError", read=careless)
breaks("orders", "RuntimeError: not now", read=impatient)
breaks("steps", "KeyError: 'alice' (who_is_late, ", adjudicate=who_is_late)
breaks(
    "steps", "nothing",
    awaited=lambda self, state: (Prompt("nothing", "x"),),
)  # fmt: skip
breaks("pure", "adjudicated twice, comes to something else", adjudicate=counted)
breaks("pure", "changes the state that it begins with", adjudicate=spoiling)
breaks(
    "audience", "who does not play",
    adjudicate=with_events(lambda events: (*events, Event("seen", "zoe"))),
)  # fmt: skip
TIGHT = {2: Sizes(order=80, report=200)}
breaks("sizes", "has 225 bytes, its size has room for 196", sizes=TIGHT)
breaks("sizes", "the order of ", sizes=TIGHT)
breaks(
    "deduced", "and may be [1, 2",
    truth=lambda self, state, player: {"the other's number": 2000} if state.turn else {},
)  # fmt: skip
breaks("deduced", "only deduced names it", truth=lambda self, state, player: {})
breaks(
    "deduced", "only truth names it", deduced=lambda self, view, heard, before=None: Deductions()
)
breaks("deduced", "works out something else", deduced=dreaming)
breaks("deduced", "expected one plain line", deduced=chatty)
breaks(
    "record", "position: ",
    position=lambda self, state: {**GAME.position(state), "turn": 0.5},
)  # fmt: skip
for fields, said in (
    ({"by": {"bob": 1}}, "event 'told': {'bob': 1}: expected text, an integer"),
    ({"by": 0.5}, "event 'told': 0.5: expected text"),
    ({"by": "gr\xfcn"}, "event 'told': 'gr\\xfcn' is not printable ASCII"),
    ({"by whom": 1}, "event 'told': key 'by whom' cannot be written bare"),
    ({"for": "bob"}, "event 'told': its fields may not be called 'for'"),
):
    told = Event("told", "*", fields)
    breaks("record", said, adjudicate=with_events(lambda events, told=told: (*events, told)))
breaks(
    "record", "event 'told': 0.5 is neither",
    adjudicate=with_events(lambda events: (*events, Event("told", "bob", {"at": 0.5}))),
)  # fmt: skip
breaks("record", "is awaited for 'guessxxx", awaited=wordy)
breaks("news", "expected one plain line", news=lambda self, event: "gr\xfcn")
breaks("news", "KeyError: 'colour'", news=lambda self, event: event["colour"])
breaks("pictures", "draw for alice holds '\\xfc'", draw=lambda self, view: "gr\xfcn")
breaks("pictures", "svg for alice is no XML", svg=lambda self, view: "<svg>a < b</svg>")
breaks("pictures", "the id 'a' 2 times", svg=lambda self, view: "<g id='a'><g id='a'/></g>")
breaks("pictures", "the id 'a b' 1 times", svg=lambda self, view: "<g id='a b'/>")
breaks("pictures", "holds the element 'script'", svg=lambda self, view: "<g><script/></g>")
breaks("pictures", "holds the element 'image'", svg=lambda self, view: "<image width='1'/>")
breaks("pictures", "the attribute 'onclick'", svg=lambda self, view: "<g onclick='x()'/>")
breaks("pictures", "the attribute 'style'", svg=lambda self, view: "<g style='top'/>")
breaks("pictures", "a link by 'url('", svg=lambda self, view: "<g fill='URL(#a)'/>")
breaks("screen", "the menu of alice has 5 lines", menu=lambda *given: ("a",) * 5)

ALL = [(promise, *one) for promise, made in BREAKS.items() for one in made]


def tried(game: Game[Any, Any], count: int, seed: bytes = b"seed") -> Trial:
    trial = Trial(game, seed)
    for _ in range(count):
        trial.play()
    return trial


@pytest.mark.parametrize(("promise", "changed", "said"), ALL)
def test_a_broken_promise_is_found(promise: str, changed: Made, said: str) -> None:
    """In a few games, under its name, in words that say what happened."""
    trial = Trial(type("Broken", (HighLow,), changed)(), b"seed")
    for _ in range(9):
        trial.play()
        texts = [broken.text for broken in trial.broken if broken.promise == promise]
        if any(said in text for text in texts):
            return
    pytest.fail(f"{trial.broken[:5]}")


def test_every_promise_can_be_broken() -> None:
    """The tests above break each that `try` prints but two, which `test_broken.py` and the next one
    break."""
    assert [promise for promise, made in BREAKS.items() if not made] == ["everywhere", "lessons"]


def test_a_lesson_that_is_none_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command says which; of good ones, how many were played; and of a game that is not
    installed none."""
    arguments = ["try", "sugar-dog", "--games", "1", "--seed", "07", "--only", "lessons"]
    done = CliRunner().invoke(cli, arguments)
    assert "ok    lessons: each lesson begins, and its answer does what is right " in done.stdout
    assert "; 3 played\n" in done.stdout
    first, *others = games.own_lessons(games.load("sugar-dog"))
    wrong = (*others, first._replace(answer="silent"))
    monkeypatch.setattr(games, "own_lessons", lambda game: wrong)
    done = CliRunner().invoke(cli, arguments)
    assert done.exit_code == 1
    said = "FAIL  lessons: game 1, step 0: lesson 3: its answer 'silent' has not the effect\n"
    assert said in done.stdout
    monkeypatch.setattr(games, "installed", tuple)
    trial = Trial(games.load("sugar-dog"), b"seed")
    trial.learn()
    assert (trial.lessons, trial.broken) == (0, [])


@pytest.mark.parametrize(
    "game", [GAME, *map(games.load, games.installed())], ids=lambda one: one.id
)
def test_a_sound_game_breaks_none(game: Game[Any, Any]) -> None:
    """Those that come with this distribution and the small one; some games come to an end."""
    trial = tried(game, 3)
    assert trial.broken == []
    assert trial.games == 3
    assert trial.ended


def test_of_many_players_a_sample_is_watched() -> None:
    """One plays as a bot and works out what it can; all reports are measured, and a fault that
    shows in each of these is found."""
    sugar_dog = type(games.load("sugar-dog"))
    seen: dict[str, set[Any]] = {"deduced": set(), "drawn": set(), "viewed": set()}

    def deduced(self: Any, view: View, *given: Any) -> Deductions:
        seen["deduced"].add(view.player)
        return sugar_dog.deduced(self, view, *given)._replace(notes=("gr\xfcn",))

    def draw(self: Any, view: View) -> str:
        seen["drawn"].add(view.player)
        return "gr\xfcn"

    def view(self: Any, state: Any, player: Any) -> View:
        seen["viewed"].add(player)
        return sugar_dog.view(self, state, player)

    trial = Trial(type("Broken", (sugar_dog,), {"deduced": deduced, "draw": draw, "view": view})(),
                  b"seed")  # fmt: skip
    trial.games = 1
    trial.play(26)
    assert trial.steps == 450 // 26
    assert len(seen["deduced"]) == 1
    assert seen["drawn"] == {*seen["deduced"], None}
    assert len(seen["viewed"]) == 27
    assert {one.promise for one in trial.broken} == {"deduced", "pictures"}
    assert trial.fullest["report"][0] > 0


def test_a_trial_follows_from_its_seed() -> None:
    """Game for game; another seed plays others."""
    one, same, other = (tried(GAME, 2, seed).steps for seed in (b"1", b"1", b"2"))
    assert one == same != other


def test_the_command_says_what_was_kept() -> None:
    """A line for each promise, how much was played, and how to see it again."""
    done = CliRunner().invoke(cli, ["try", "sugar-dog", "--games", "1", "--seed", "07"])
    lines = done.stdout.splitlines()
    assert done.exit_code == 0
    assert [line.split(":")[0] for line in lines[:-2]] == [f"ok    {name}" for name in PROMISES]
    assert lines[-2].startswith("1 games of sugar-dog/1, ")
    assert lines[-1] == "again: adjudicator try sugar-dog --seed 07 --games 1"
    assert done.stderr == "1 of 1 games\n"


def test_the_command_says_what_was_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Exit code 1; the game and step where it was first, in ASCII; as many games as show it."""
    changed = {"draw": lambda self, view: "gr\xfcn", "sizes": TIGHT}
    monkeypatch.setattr(games, "load", lambda name: type("Broken", (HighLow,), changed)())
    done = CliRunner().invoke(cli, ["try", "high-low", "--seed", "07", "--games", "4"])
    assert done.exit_code == 1
    assert done.stdout.isascii()
    (line,) = (line for line in done.stdout.splitlines() if line.startswith("FAIL  pictures"))
    assert line.startswith("FAIL  pictures: game 1, step 0: draw for alice holds '\\xfc'")
    assert " times more)" in line
    assert "again: adjudicator try high-low --seed 07 --games 1\n" in done.stdout


@pytest.mark.parametrize(
    "arguments", [("--players", "9"), ("--games", "0"), ("--seed", "xy"), ("--seed", "00" * 33)]
)
def test_a_wrong_call_is_refused(arguments: tuple[str, str]) -> None:
    """Exit code 2, one line."""
    done = CliRunner().invoke(cli, ["try", "submarine-warfare", *arguments])
    assert done.exit_code == 2
    assert done.stdout == ""
    assert done.stderr.splitlines()[0].endswith(" [usage]")
